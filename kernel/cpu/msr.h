/*
 * Accesses to model-specific registers and performance counters that may fault.
 *
 * Any machine may lack the register: an emulator, a hypervisor that announces more than it has, a
 * stepping with an erratum. So each access is a single instruction with an entry in the exception
 * table (kernel/cpu/extable.h): if it raises #GP or #UD the function returns false and, for reads,
 * leaves *value at 0. Callers touch only registers of the detected family: a write to MSR 11h/12h
 * on a KVM guest, for example, is no fault but a paravirtual clock.
 */
#ifndef KERNEL_CPU_MSR_H
#define KERNEL_CPU_MSR_H

#include <stdbool.h>
#include <stdint.h>

bool msr_read(uint32_t msr, uint64_t *value);
bool msr_write(uint32_t msr, uint64_t value);

/* RDPMC; index as the family defines it (general counter n, 40000000h + n fixed, ...). */
bool pmc_read(uint32_t index, uint64_t *value);

/* Registers that more than one part of the kernel uses; a family's own are in its pmu/ file. */
#define MSR_IA32_APIC_BASE    0x1b
#define APIC_BASE_X2APIC      (1u << 10)
#define APIC_BASE_ENABLE      (1u << 11)
#define MSR_SMI_COUNT         0x34 /* Nehalem and later, Intel; SDM volume 4 */
#define MSR_IA32_BIOS_SIGN_ID 0x8b
#define MSR_IA32_MPERF        0xe7
#define MSR_IA32_APERF        0xe8
#define MSR_IA32_MISC_ENABLE  0x1a0

#endif
