/*
 * Shared by kernel/firmware/efi.c and its two widths. UEFI has its own calling conventions (UEFI
 * 2.10 sections 2.3.2 and 2.3.4), which differ from the kernel's.
 */
#ifndef KERNEL_FIRMWARE_EFI_INTERNAL_H
#define KERNEL_FIRMWARE_EFI_INTERNAL_H

#include <stdint.h>

/* EFI_ULONG(): the 64-bit value `v` as arguments of a service. */
#ifdef __x86_64__
#define EFI_ABI      __attribute__((ms_abi))
#define EFI_ULONG(v) (uintptr_t)(v)
#else
#define EFI_ABI      __attribute__((cdecl, regparm(0)))
#define EFI_ULONG(v) (uintptr_t)(v), (uintptr_t)((uint64_t)(v) >> 32)
#endif

/* Arguments of a service; unused ones are 0. */
typedef uintptr_t efi_arguments[8];

/*
 * boot/efi_32.S, boot/efi_64.S: calls a function of EFI_ABI with the firmware's tables, on its
 * stack, with interrupts on. Returns what the function returned.
 */
uintptr_t efi_call(const void *function, const efi_arguments a);

/*
 * The address of the system table of a UEFI of the kernel's width whose boot services the loader
 * has kept; 0: there is none. `magic`, `info`: the registers at entry.
 */
uintptr_t efi_offered(uint32_t magic, uint32_t info);

/* Keeps the boot services if the log is to be saved, and ends them otherwise. */
EFI_ABI void efi_enter(uint32_t magic, uint32_t info);

/* The reason why this width of kernel cannot keep the boot services; NULL: it can. */
const char *efi_obstacle(void);

#endif
