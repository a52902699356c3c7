/*
 * The CPUs in the firmware's tables: the MADT of ACPI, else the MP tables of older boards, else
 * only the calling CPU.
 */
#ifndef KERNEL_SMP_LIST_H
#define KERNEL_SMP_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/chipset/acpi.h"

enum { SMP_CPUS = 512 }; /* most CPUs; smp_list() complains of further ones */

struct smp_list {
	const char *source;    /* "madt", "mp", "mp default" (a configuration by number), "none" */
	unsigned n;            /* enabled CPUs, at least 1, each with another id */
	unsigned disabled;     /* CPUs that the table lists as not usable */
	uint32_t id[SMP_CPUS]; /* APIC ids; the first is that of the calling CPU */
	uint64_t mailbox; /* physical address of the ACPI multiprocessor wakeup mailbox; 0: none */
};

/*
 * Fills *list for the CPU with APIC id `own`. `base` and `limit`: where physical memory is visible,
 * as in acpi_parse(). complain(what, why): `what` is a table's name. Tables that contradict
 * themselves are used as far as they make sense. Sources: ACPI 6.5, 5.2.12 "Multiple APIC
 * Description Table"; Intel, "MultiProcessor Specification" 1.4, chapters 4 and 5.
 */
void smp_list(struct smp_list *list, const struct acpi *acpi, uint32_t own, const void *base,
              uint64_t limit, void (*complain)(const char *what, const char *why));

#endif
