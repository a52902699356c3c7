/* The place of the calling CPU: its thread, core, module, die and package. */
#ifndef KERNEL_CPU_TOPOLOGY_H
#define KERNEL_CPU_TOPOLOGY_H

#include "kernel/cpu/cpu.h"

/*
 * Numbers from 0. `thread` counts in the core, and the next three count in the package, so that two
 * CPUs share a core if `core` and `package` are the same. On AMD a module is a core complex, which
 * shares the last cache. On an AMD CPU whose leaves name no die, `die` is the node of leaf
 * 8000001EH, which counts in the machine.
 */
struct cpu_place {
	uint32_t apic_id; /* x2APIC id if CPUID has it */
	uint32_t thread, core, module, die, package;
	uint8_t core_type; /* leaf 1AH: 20h Atom, 40h Core; 0: unknown */
	uint32_t native_model;
	const char *source; /* the CPUID leaf with the levels, "shifts" if only sizes are known */
};

/*
 * Fills *p by calling `cpuid` on the CPU in question. `c` describes any CPU of the machine, and
 * gives the sizes of the fields of the APIC id. Sources: SDM volume 2, CPUID leaves 1FH, 0BH and
 * 1AH; AMD APM volume 3, leaves 80000026H and 8000001EH.
 */
void cpu_decode_apic_id(struct cpu_place *p, const struct cpu *c, cpuid_fn cpuid);

#endif
