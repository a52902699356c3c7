/*
 * Files of --module, in memory as a boot loader leaves modules (native/native.h).
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "native/native.h"
#include "tools/lib/output.h"

static bool fail(const char *path, const char *why)
{
	fprintf(stderr, "cpl0-native: %s: %s\n", output_name(path), why);
	return false;
}

static bool read_all(FILE *f, const char *path, struct boot_module *m)
{
	struct stat st;
	uint8_t *to;

	if (fstat(fileno(f), &st) || !S_ISREG(st.st_mode))
		return fail(path, "is no regular file");
	to = native_low_memory((size_t)st.st_size + 1, 4096, PROT_READ | PROT_WRITE);
	if (!to)
		return fail(path, "there is no memory for it below 2 GiB");
	if (fread(to, 1, (size_t)st.st_size, f) != (size_t)st.st_size)
		return fail(path, "cannot be read to its end");
	snprintf(m->name, sizeof(m->name), "%s", path);
	m->start = (uintptr_t)to;
	m->end = m->start + (uint64_t)st.st_size;
	return true;
}

bool native_module(struct bootinfo *to, const char *path)
{
	FILE *f;
	bool good;

	if (to->nmodules == BOOT_MODULES)
		return fail(path, "more than 16 modules");
	if (output_is_same("/dev/stdout", path))
		return fail(path, "standard output goes there, so it is not read");
	f = fopen(path, "rb");
	if (!f)
		return fail(path, strerror(errno));
	good = read_all(f, path, &to->modules[to->nmodules]);
	to->nmodules += good;
	fclose(f);
	return good;
}
