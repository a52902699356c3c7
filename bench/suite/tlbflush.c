/*
 * What it costs to throw translations out, and which of them leave: INVLPG, loads of CR3 and CR4,
 * and INVPCID. Behind the instruction come loads of eight pages of 4 KiB. The loads of pages whose
 * translations have left walk the page tables. So a row less `tlbflush.none` is the cost of the
 * instruction and of these walks; a row of the instruction alone tells the two apart. Pages with
 * tables of their own show what a walk costs that finds nothing in the paging-structure caches.
 * Which translations leave: SDM volume 3, "Operations that Invalidate TLBs and Paging-Structure
 * Caches". docs/tlb-costs.md explains the rows.
 */
#include "bench/bench.h"
#include "bench/suite/generated.h"
#include "bench/suite/pages.h"
#include "kernel/lib/text.h"

enum {
	PAGES = 8, /* of the loads: a power of two; every data TLB holds them */
	LINE = 64,
	COPIES = 4,
	ROUNDS = 16,
	PGE = 7, /* bits of CR4 */
	PCIDE = 17,
	GIB_SHIFT = 30,
	INIT_BYTES = 128,
};

/* What XBX holds in the body. */
enum bx {
	BX_NONE,
	BX_OWN,   /* the address of the first of the pages */
	BX_NINTH, /* ... of a page that no load goes to */
	BX_KEEP,  /* XDI with bit 63: the translations of the process-context identifier stay */
	BX_TYPE,  /* the address of INVPCID's descriptor; ECX has the type */
};

enum {
	ALONE = 1,  /* no loads */
	GLOBAL = 2, /* the pages are global, with CR4.PGE */
	PCID = 4,   /* with CR4.PCIDE */
	CR4 = 8,    /* the body writes CR4, at which KVM looks each time */
};

#define INVLPG       "\x0f\x01\x3b"             /* INVLPG [XBX] */
#define CR3          "\x0f\x22\xdf"             /* MOV CR3, XDI */
#define CR3_KEEP     "\x0f\x22\xdb"             /* MOV CR3, RBX */
#define CR4_TWICE    "\x0f\x22\xe0\x0f\x22\xe2" /* MOV CR4, XAX; MOV CR4, XDX */
#define INVPCID      "\x66\x0f\x38\x82\x0b"     /* INVPCID XCX, [XBX] */
#define OP(bytes, n) .op = bytes, .op_size = sizeof(bytes) - 1, .insns = n

static const struct row {
	const char *name, *what, *needs, *op;
	uint8_t op_size, insns, flags, bx, type;
	uint8_t far; /* shift of the distance of the pages; 0: they are neighbours */
} rows[] = {
	{ "none", "loads of eight pages, and nothing thrown out: what the others compare with",
	  "pse", OP("", 0) },
	{ "invlpg_alone", "INVLPG", "pse", OP(INVLPG, 1), ALONE, BX_NINTH },
	{ "invlpg", "INVLPG of a ninth page, and loads of eight", "pse", OP(INVLPG, 1), 0,
	  BX_NINTH },
	{ "invlpg_own", "INVLPG of a page, and loads of eight, that page among them", "pse",
	  OP(INVLPG, 1), 0, BX_OWN },
	{ "invlpg_global", "INVLPG of a global page, and loads of eight, that page among them",
	  "pse pge", OP(INVLPG, 1), GLOBAL, BX_OWN },
	{ "cr3_alone", "CR3 loaded", "pse", OP(CR3, 1), ALONE },
	{ "cr3", "CR3 loaded, and loads of eight pages", "pse", OP(CR3, 1) },
	{ "cr3_tables", "CR3 loaded, and loads of eight pages, each with a page table of its own",
	  "pse", OP(CR3, 1), .far = PAGING_LARGE },
	{ "cr3_directories",
	  "CR3 loaded, and loads of eight pages, each with a page directory of its own", "pse",
	  OP(CR3, 1), .far = GIB_SHIFT },
	{ "cr3_global", "CR3 loaded, and loads of eight global pages", "pse pge", OP(CR3, 1),
	  GLOBAL },
	{ "pge_global", "CR4.PGE cleared and set, and loads of eight global pages", "pse pge",
	  OP(CR4_TWICE, 2), GLOBAL | CR4 },
	{ "pcid", "CR3 loaded with CR4.PCIDE, and loads of eight pages", "pse pcid", OP(CR3, 1),
	  PCID },
	{ "pcid_keep", "CR3 loaded with CR4.PCIDE and bit 63, and loads of eight pages", "pse pcid",
	  OP(CR3_KEEP, 1), PCID, BX_KEEP },
	{ "invpcid_page", "INVPCID of a page, and loads of eight, that page among them",
	  "pse invpcid", OP(INVPCID, 1), 0, BX_TYPE, 0 },
	{ "invpcid_context", "INVPCID of an identifier, and loads of eight pages", "pse invpcid",
	  OP(INVPCID, 1), 0, BX_TYPE, 1 },
	{ "invpcid_all", "INVPCID of all, and loads of eight global pages", "pse pge invpcid",
	  OP(INVPCID, 1), GLOBAL, BX_TYPE, 2 },
	{ "invpcid_nonglobal", "INVPCID of all but global pages, and loads of eight of these",
	  "pse pge invpcid", OP(INVPCID, 1), GLOBAL, BX_TYPE, 3 },
};

/* Linear addresses that nothing else uses while the benchmark runs. */
static uintptr_t window_of(const struct bench_area *area)
{
	const uintptr_t low = 0x40000000, end = low + ((PAGES + 1ul) << PAGING_LARGE);
	const uintptr_t arena = (uintptr_t)area->arena;

	if (sizeof(uintptr_t) == 8)
		return (uintptr_t)1 << (PAGING_TOP & (sizeof(uintptr_t) * 8 - 1));
	return arena < end && arena + area->arena_size > low ? 0x60000000 : low;
}

/*
 * Page i of the window. Pages far apart have entries in different lines of their tables and
 * directories, and all pages lie in different sets of the TLB.
 */
static uintptr_t page(const struct bench_area *area, const struct row *row, uintptr_t i)
{
	const uintptr_t entries = LINE / sizeof(uintptr_t) + 1;
	uintptr_t at = window_of(area);

	if (!row->far)
		return at + (i << PAGING_SMALL);
	at += (i << row->far) + (i * entries << PAGING_SMALL);
	return row->far == GIB_SHIFT ? at + (i * entries << PAGING_LARGE) : at;
}

/* Element i lies in line i of the arena, and is seen through page i. */
static uintptr_t node(const struct bench_area *area, uintptr_t i)
{
	return (uintptr_t)area->arena + i * LINE;
}

static uintptr_t seen(const struct bench_area *area, const struct row *row, uintptr_t i)
{
	const uintptr_t inside = ((uintptr_t)1 << PAGING_SMALL) - 1;

	return page(area, row, i) + (node(area, i) & inside);
}

/* Two words of 64 bits: the identifier 0, and the address of the first page. */
static uint64_t *descriptor(const struct bench_area *area)
{
	return (uint64_t *)node(area, PAGES + 1);
}

static void setup(const struct bench *b, const struct bench_area *area)
{
	const struct row *row = &rows[b->arg[0]];
	struct pages pages = pages_begin(area);

	if (row->flags & GLOBAL)
		pages.more = PAGE_GLOBAL;
	for (uintptr_t i = 0; i <= PAGES; i++) {
		const uintptr_t next = (i * 1664525 + 1013904223) & (PAGES - 1);

		pages_map(&pages, seen(area, row, i), node(area, i), PAGING_SMALL);
		*(uintptr_t *)node(area, i) = seen(area, row, next);
	}
	descriptor(area)[0] = 0;
	descriptor(area)[1] = seen(area, row, 0);
}

/* Sets a bit of CR4 unless it is set: MOV XAX, CR4; BTS XAX, bit; JC past the next; MOV CR4, XAX */
static void emit_cr4(struct emit *e, uint8_t bit)
{
	emit_bytes(e, "\x0f\x20\xe0", 3);
	generated_wide(e);
	emit_bytes(e, "\x0f\xba\xe8", 3);
	emit_u8(e, bit);
	emit_bytes(e, "\x72\x03\x0f\x22\xe0", 5);
}

/* XDX = CR4, XAX = the same without PGE: MOV XDX, CR4; MOV XAX, XDX; BTR XAX, PGE */
static void emit_both_cr4(struct emit *e)
{
	emit_bytes(e, "\x0f\x20\xe2", 3);
	generated_wide(e);
	emit_bytes(e, "\x89\xd0", 2);
	generated_wide(e);
	emit_bytes(e, "\x0f\xba\xf0\x07", 4);
}

/* Behind the INIT of pages_enter(). */
static void make_init(struct bench *b, const struct row *row)
{
	static uint8_t init[INIT_BYTES];
	struct emit e = { .at = init, .end = init + sizeof(init) };

	emit_bytes(&e, b->init, b->init_size);
	if (row->flags & GLOBAL) {
		emit_cr4(&e, PGE);
		emit_both_cr4(&e);
	}
	if (row->flags & PCID)
		emit_cr4(&e, PCIDE);
	b->init = init;
	b->init_size = (size_t)(e.at - init);
}

static void make(struct bench *b)
{
	const struct row *row = &rows[b->arg[0]];
	struct emit e = generated_start();

	emit_bytes(&e, row->op, row->op_size);
	for (unsigned i = 0; i < PAGES && !(row->flags & ALONE); i++) {
		generated_wide(&e);
		emit_bytes(&e, "\x8b\x36", 2); /* MOV XSI, [XSI] */
	}
	generated_end(b, &e);
	make_init(b, row);
}

static uintptr_t bx_of(const struct row *row, const struct bench *b, const struct bench_area *area)
{
	switch (row->bx) {
	case BX_OWN:
		return seen(area, row, 0);
	case BX_NINTH:
		return seen(area, row, PAGES);
	case BX_KEEP:
		return b->set[REG_DI] | (uintptr_t)1 << (sizeof(uintptr_t) * 8 - 1);
	default:
		return (uintptr_t)descriptor(area);
	}
}

static void fill(struct bench *b, const struct row *row, const struct bench_area *area)
{
	struct text t;

	generated_base(b, row->what, row->needs);
	t = text_in(b->name, sizeof(b->name));
	text_str(&t, "tlbflush.");
	text_str(&t, row->name);
	b->widths =
		row->flags & PCID || row->far == GIB_SHIFT ? SNIPPET_64 : SNIPPET_32 | SNIPPET_64;
	b->make = make;
	b->insns = row->insns + (row->flags & ALONE ? 0 : PAGES);
	b->branches_known = true; /* there is none */
	b->unroll = COPIES;
	b->loop = ROUNDS;
	b->setup = setup;
	b->walk = true;
	b->arg[0] = (uintptr_t)(row - rows);
	pages_enter(b, area);
	b->flags |= SNIPPET_PRIVILEGED; /* also in a process, which has no page tables */
	if (row->flags & CR4)
		b->flags |= SNIPPET_EXITS;
	b->set_mask |= 1u << REG_SI | 1u << REG_BX | 1u << REG_CX;
	b->set[REG_SI] = seen(area, row, 0);
	b->set[REG_BX] = bx_of(row, b, area);
	b->set[REG_CX] = row->type;
}

static bool tlbflush_get(unsigned i, struct bench *b, const struct cpu *cpu,
                         const struct bench_area *area, const char **skip)
{
	(void)cpu;
	if (i >= sizeof(rows) / sizeof(rows[0]))
		return false;
	fill(b, &rows[i], area);
	if (area->arena_size < PAGES_ARENA_LEAST)
		*skip = "the arena is too small";
	return true;
}

static const struct bench_source tlbflush = { .name = "tlbflush", .get = tlbflush_get };
BENCH_SOURCE(tlbflush);
