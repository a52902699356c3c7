/*
 * Models that logs of real machines confirm (kernel/cpu/confirmed.h).
 */
#include "kernel/cpu/confirmed.h"

const struct confirmed confirmed_models[] = { { VENDOR_OTHER, 0, 0 } };

bool confirmed_is_virtual(const struct cpu *cpu)
{
	return cpu->simulated || cpu_has(cpu, CPU_HYPERVISOR);
}

bool confirmed_must_agree(const struct confirmed *table, const struct cpu *cpu)
{
	for (; table->family; table++)
		if (table->vendor == cpu->vendor && table->family == cpu->family &&
		    table->model == cpu->model)
			return true;
	return confirmed_is_virtual(cpu);
}
