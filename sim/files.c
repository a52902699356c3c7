/*
 * sim/files.c - files that a run would lose (sim/files.h).
 */
#include "sim/files.h"

#include <stddef.h>

#include "sim/model/options.h"
#include "tools/lib/output.h"

static bool is_input(const struct options *o, const char *output)
{
	if (output_is_same(output, o->kernel) || (o->input && output_is_same(output, o->input)))
		return true;
	for (unsigned i = 0; i < o->modules_count; i++)
		if (output_is_same(output, o->modules[i].path))
			return true;
	for (unsigned i = 0; i < o->fw_cfg_count; i++)
		if (output_is_same(output, o->fw_cfg[i].path))
			return true;
	return false;
}

const char *files_clash(const struct options *o)
{
	const char *const outputs[] = { o->log, o->trace, o->screen.dump, "/dev/stdout" };
	enum { COUNT = sizeof(outputs) / sizeof(*outputs) };

	for (unsigned i = 0; i < COUNT; i++) {
		if (!outputs[i])
			continue;
		if (is_input(o, outputs[i]))
			return outputs[i];
		for (unsigned k = i + 1; k < COUNT; k++)
			if (outputs[k] && output_is_same(outputs[i], outputs[k]))
				return outputs[i];
	}
	return NULL;
}
