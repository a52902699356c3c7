/*
 * Snippets from boot modules, as a source of benchmarks (bench/module.h).
 */
#include "bench/module.h"
#include "bench/modulefile.h"
#include "bench/bench.h"
#include "bench/snippet_load.h"
#include "kernel/lib/log.h"
#include "kernel/chipset/phys.h"

enum { MODULE_SNIPPETS = 512, COMPLAINTS = 16 };

static struct {
	const struct snippet_blob *blob;
	const uint8_t *start, *end; /* of the file: what the blob may refer to */
} found[MODULE_SNIPPETS];
static unsigned nfound, complaints;

/* A garbage file may have a thousand defects: after the first few nothing is searched any more. */
static void complain(const struct boot_module *m, const char *why)
{
	if (complaints < COMPLAINTS)
		log_error("module", m->name, why);
	if (++complaints == COMPLAINTS)
		log_error("module", m->name,
		          "too many defects; the rest of the modules is ignored");
}

static void keep(const struct boot_module *m, const struct snippet_blob *blob, const uint8_t *start,
                 const uint8_t *end)
{
	struct bench b;
	const char *why = snippet_load(&b, blob, start, end);

	if (!why && nfound == MODULE_SNIPPETS)
		why = "more than 512 snippets in all modules";
	if (why) {
		complain(m, why);
		return;
	}
	found[nfound].blob = blob;
	found[nfound].start = start;
	found[nfound].end = end;
	nfound++;
}

/* Descriptors are found by their magic number on a 4-byte boundary. */
static void scan(const struct boot_module *m, const struct module_part *part, const uint8_t *start,
                 const uint8_t *end)
{
	const uint8_t *p = part->start + (4 - (uintptr_t)part->start % 4) % 4;

	for (; part->end - p >= SNIPPET_SIZE && complaints < COMPLAINTS; p += 4)
		if (((const struct snippet_blob *)p)->magic == SNIPPET_MAGIC)
			keep(m, (const struct snippet_blob *)p, start, end);
}

static void open_module(const struct boot_module *m)
{
	const uint8_t *start, *end;
	struct module_part part;
	unsigned before = nfound;
	const char *why;

	if (m->end <= m->start || m->end > PHYS_LIMIT) {
		complain(m, m->end <= m->start ? "it is empty" : "it lies above 4 GiB");
		return;
	}
	start = (const uint8_t *)phys_ptr((uint32_t)m->start);
	end = start + (m->end - m->start);
	why = module_part(start, (size_t)(end - start), sizeof(void *) * 8, &part);
	if (why == module_other_width) {
		log_begin("skip");
		log_str("bench", m->name);
		log_str("why", why);
		log_end();
		return;
	}
	if (why) {
		complain(m, why);
		return;
	}
	scan(m, &part, start, end);
	if (nfound == before)
		complain(m, "no snippet descriptor in it");
	log_begin("module");
	log_str("name", m->name);
	log_dec("bytes", m->end - m->start);
	log_dec("snippets", nfound - before);
	log_end();
}

bool module_init(const struct bootinfo *bi)
{
	for (unsigned i = 0; i < bi->nmodules && complaints < COMPLAINTS; i++)
		open_module(&bi->modules[i]);
	if (bi->nmodules && !nfound && !complaints)
		log_error("module", bi->modules[0].name,
		          "this and all other modules are for the other kernel's width");
	return nfound;
}

static bool module_get(unsigned i, struct bench *b, const struct cpu *cpu,
                       const struct bench_area *area, const char **skip)
{
	(void)cpu;
	(void)area;
	if (i >= nfound)
		return false;
	*skip = snippet_load(b, found[i].blob, found[i].start, found[i].end);
	b->user = true;
	b->flags |= SNIPPET_DEFAULT; /* a module is loaded because its snippets shall run */
	return true;
}

static const struct bench_source module = { .name = "module", .get = module_get };
BENCH_SOURCE(module);
