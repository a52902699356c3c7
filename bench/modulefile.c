/*
 * Which part of a boot module holds snippet descriptors (bench/module.h).
 */
#include "bench/elf.h"
#include "bench/modulefile.h"
#include "kernel/lib/string.h"

const char module_other_width[] = "it is code for the kernel of the other width";

/*
 * Everything that is loaded must lie in the file as it will in memory: the descriptors refer to the
 * rest by distance.
 */
static const char *check_section(const struct elf_section *s, const struct elf_section *snippets)
{
	if ((s->type == SHT_REL || s->type == SHT_RELA) && s->size)
		return "it has relocations: link it with `make snippet`";
	if (!(s->flags & SHF_ALLOC) || !s->size)
		return NULL;
	if (s->type == SHT_NOBITS)
		return "it has a .bss: use the areas that a snippet is given";
	if (s->addr - s->offset != snippets->addr - snippets->offset)
		return "its sections are not in one piece: link it with `make snippet`";
	return NULL;
}

static const char *find_snippets(const struct elf *e, struct elf_section *found)
{
	for (unsigned i = 0; i < e->shnum; i++) {
		const char *why = elf_section(e, i, found);

		if (why)
			return why;
		if (found->type != SHT_NOBITS && !strcmp(found->name, "snippets"))
			return NULL;
	}
	return "it has no section named snippets";
}

const char *module_part(const void *file, size_t size, unsigned bits, struct module_part *part)
{
	struct elf_section snippets, s;
	struct elf e;
	const char *why;

	part->start = file;
	part->end = part->start + size;
	if (!elf_is(file, size))
		return NULL;
	why = elf_open(&e, file, size);
	if (!why && e.machine != EM_X86_64 && e.machine != EM_386)
		why = "it is not code for an x86";
	if (!why && e.machine != (bits == 64 ? EM_X86_64 : EM_386))
		why = module_other_width;
	if (!why)
		why = find_snippets(&e, &snippets);
	for (unsigned i = 0; !why && i < e.shnum; i++) {
		why = elf_section(&e, i, &s);
		if (!why)
			why = check_section(&s, &snippets);
	}
	if (why)
		return why;
	part->start += snippets.offset;
	part->end = part->start + snippets.size;
	return NULL;
}
