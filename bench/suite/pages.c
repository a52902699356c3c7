/* Pages for one benchmark (bench/suite/pages.h). Page tables: SDM volume 3, "Paging". */
#include "bench/suite/pages.h"
#include "kernel/cpu/x86.h"
#include "kernel/lib/string.h"
#include "kernel/trap/paging.h"

enum {
	DEVICES = 1019, /* the 4 MiB from 0xfec00000 on: the APIC's page is there, and no memory */
	NEW_TABLES = 3, /* at most, for one page */
};

static const uint8_t init_64[] = {
	0x0f, 0x20, 0xd8, /* MOV RAX, CR3 */
	0x48, 0x39, 0xf8, /* CMP RAX, RDI */
	0x74, 0x03,       /* JE past the next */
	0x0f, 0x22, 0xdf, /* MOV CR3, RDI */
};
static const uint8_t init_32[] = {
	0x0f, 0x20, 0xc0,          /* MOV EAX, CR0 */
	0x85, 0xc0,                /* TEST EAX, EAX */
	0x78, 0x19,                /* JS past the end: paging is on */
	0x0f, 0x20, 0xe0,          /* MOV EAX, CR4 */
	0x83, 0xc8, 0x10,          /* OR EAX, PSE */
	0x0f, 0x22, 0xe0,          /* MOV CR4, EAX */
	0x0f, 0x22, 0xdf,          /* MOV CR3, EDI */
	0x0f, 0x20, 0xc0,          /* MOV EAX, CR0 */
	0x0d, 0,    0,    0, 0x80, /* OR EAX, PG */
	0x0f, 0x22, 0xc0,          /* MOV CR0, EAX */
	0xeb, 0x00,                /* JMP the next */
};

uintptr_t *pages_root(const struct bench_area *area)
{
	return (uintptr_t *)(area->arena + area->arena_size - PAGES_BYTES);
}

struct pages pages_begin(const struct bench_area *area)
{
	struct pages p = { .root = pages_root(area), .free = pages_root(area) + PAGING_ENTRIES };

	memset(p.root, 0, PAGING_TABLE);
	if (sizeof(uintptr_t) == 8)
		p.root[0] = *(uintptr_t *)(x86_cr3() & ~(uintptr_t)4095);
	else
		for (uintptr_t i = 0; i < PAGING_ENTRIES; i++)
			p.root[i] = i << PAGING_TOP | PAGE_OPEN | PAGE_LARGE |
			            (i >= DEVICES ? PAGE_PCD | PAGE_PWT : 0);
	return p;
}

bool pages_map(struct pages *p, uintptr_t linear, uintptr_t physical, unsigned shift)
{
	if (p->free + NEW_TABLES * PAGING_ENTRIES > p->root + PAGES_TABLES * PAGING_ENTRIES)
		return false;
	*paging_entry(p->root, &p->free, linear, shift) = physical >> shift << shift | PAGE_OPEN |
	                                                  p->more |
	                                                  (shift > PAGING_SMALL ? PAGE_LARGE : 0);
	return true;
}

const char *pages_obstacle(unsigned shift)
{
	(void)shift;
	return NULL;
}

void pages_end(void)
{
}

void pages_enter(struct bench *b, const struct bench_area *area)
{
	const bool wide = sizeof(uintptr_t) == 8;

	b->flags |= SNIPPET_PRIVILEGED;
	b->init = wide ? init_64 : init_32;
	b->init_size = wide ? sizeof(init_64) : sizeof(init_32);
	b->set_mask |= 1u << REG_DI;
	b->set[REG_DI] = (uintptr_t)pages_root(area);
}
