/*
 * sim/ap_firmware.c - code of the firmware that the other processors are in when the kernel begins.
 *
 * busy: a loop of NOPs in real mode, which never ends. mailbox: ACPI 6.5, 5.2.12.19
 * "Multiprocessor Wakeup Structure"; long mode, with the first GiB mapped as it is.
 */
#include "sim/ap_firmware.h"

#include <string.h>

#include "sim/boot/acpi.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/unicorn.h"

enum { CODE_AT = AP_FIRMWARE_PAGE << 12, TABLES_AT = 0xf9000, PAGE = 4096 };

/* eight NOPs; jmp CODE_AT */
static const uint8_t busy[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xeb, 0xf6 };

/* clang-format off */
static const uint8_t mailbox[] = {
	0x66, 0xb8, 0x20, 0x00, 0x00, 0x00,             /*      mov eax, 20h: PAE */
	0x0f, 0x22, 0xe0,                               /*      mov cr4, eax */
	0x66, 0xb8, 0x00, 0x90, 0x0f, 0x00,             /*      mov eax, TABLES_AT */
	0x0f, 0x22, 0xd8,                               /*      mov cr3, eax */
	0x66, 0xb9, 0x80, 0x00, 0x00, 0xc0,             /*      mov ecx, c0000080h: EFER */
	0x66, 0x31, 0xd2,                               /*      xor edx, edx */
	0x66, 0xb8, 0x00, 0x01, 0x00, 0x00,             /*      mov eax, 100h: LME */
	0x0f, 0x30,                                     /*      wrmsr */
	0x2e, 0x66, 0x0f, 0x01, 0x16, 0x40, 0x00,       /*      lgdt cs:[40h] */
	0x66, 0xb8, 0x33, 0x00, 0x00, 0x80,             /*      mov eax, PG, NE, ET, MP, PE */
	0x0f, 0x22, 0xc0,                               /*      mov cr0, eax */
	0x66, 0xea, 0x58, 0x80, 0x0f, 0x00, 0x08, 0x00, /*      jmp 8:CODE_AT + 58h */
	0x90, 0x90, 0x90, 0x90, 0x90,
	0x0f, 0x00, 0x48, 0x80, 0x0f, 0x00, 0x90, 0x90, /*  40: the GDT: limit, address */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, /*  48: the GDT */
	0xff, 0xff, 0x00, 0x00, 0x00, 0x9b, 0xaf, 0x00, /*      64-bit code */
	0xb8, 0x01, 0x00, 0x00, 0x00,                   /*  58: mov eax, 1 */
	0x0f, 0xa2,                                     /*      cpuid */
	0x89, 0xde,                                     /*      mov esi, ebx */
	0xc1, 0xee, 0x18,                               /*      shr esi, 24: the APIC id */
	0xbb, 0x00, 0x70, 0x0f, 0x00,                   /*      mov ebx, ACPI_MAILBOX */
	0xe4, 0x80,                                     /*   1: in al, 80h: a microsecond */
	0x66, 0x83, 0x3b, 0x01,                         /*      cmp word [rbx], 1: wake up */
	0x75, 0xf8,                                     /*      jne 1 */
	0x39, 0x73, 0x04,                               /*      cmp [rbx+4], esi */
	0x75, 0xf3,                                     /*      jne 1 */
	0x48, 0x8b, 0x43, 0x08,                         /*      mov rax, [rbx+8] */
	0x66, 0xc7, 0x03, 0x00, 0x00,                   /*      mov word [rbx], 0 */
	0xff, 0xe0,                                     /*      jmp rax */
};
/* clang-format on */

/* PML4, page directory pointers, and a directory of pages of 2 MiB. */
static void map_first_gib(uint8_t *ram)
{
	uint64_t table = TABLES_AT, entry;

	memset(ram + TABLES_AT, 0, 3 * PAGE);
	for (unsigned i = 0; i < 2; i++, table += PAGE) {
		entry = (table + PAGE) | 3;
		memcpy(ram + table, &entry, 8);
	}
	for (uint64_t i = 0; i < PAGE / 8; i++) {
		entry = i << 21 | 0x83;
		memcpy(ram + table + 8 * i, &entry, 8);
	}
}

void ap_firmware_begin(struct machine *pc)
{
	enum cpus_fault fault = pc->opt.faults.cpus;

	if (fault != CPUS_BUSY && fault != CPUS_MAILBOX)
		return;
	if (fault == CPUS_BUSY)
		memcpy(pc->ram + CODE_AT, busy, sizeof(busy));
	else
		memcpy(pc->ram + CODE_AT, mailbox, sizeof(mailbox));
	map_first_gib(pc->ram);
	memset(pc->ram + ACPI_MAILBOX, 0, PAGE);
	for (unsigned i = 1; i < pc->cpus; i++) {
		if (fault == CPUS_BUSY)
			continue; /* sim/run.c starts them */
		pc->cpu[i].run = CPU_RUNNING;
		unicorn_real(&pc->cpu[i], AP_FIRMWARE_PAGE);
	}
}
