/*
 * sim/boot/loader.c - loads a kernel as a boot loader would.
 */
#include "sim/boot/loader.h"

#include <stdlib.h>

#include "sim/boot/acpi.h"
#include "sim/boot/linux.h"
#include "sim/boot/load.h"
#include "sim/boot/multiboot.h"
#include "sim/cpu/machine.h"
#include "tools/lib/output.h"

bool loader_load(struct machine *pc, struct loaded *out, char *error, size_t size)
{
	struct load l = { .pc = pc, .error = error, .error_size = size, .low = UINT64_MAX };
	uint64_t header;
	uint32_t rsdp = pc->opt.no_acpi ? 0 : acpi_build(pc);
	bool ok;

	*error = 0;
	if (!load_read(pc->opt.kernel, &l.file))
		return load_fail(&l, "cannot read %s", output_name(pc->opt.kernel));
	if (pc->opt.multiboot != 2 && multiboot_find_1(&l, &header))
		ok = multiboot_1(&l, header, out);
	else if (pc->opt.multiboot != 1 && multiboot_find_2(&l, &header))
		ok = multiboot_2(&l, header, rsdp, out);
	else if (linux_is_image(&l))
		ok = linux_load(&l, rsdp, out);
	else
		ok = load_fail(&l, "%s has no Multiboot header and is no bzImage", pc->opt.kernel);
	free(l.file.data);
	if (ok && !machine_ram(pc, l.entry, 1))
		ok = load_fail(&l, "entry point %#x is outside of memory", l.entry);
	out->entry = l.entry;
	return ok;
}
