/*
 * Reads what the boot loader handed over: Multiboot 0.6.96 section 3.3 and Multiboot2 2.0
 * section 3.6. The block is input like any other: every address and length in it is checked
 * before it is followed, and no defect in one part keeps the others from being used.
 */
#include "kernel/chipset/bootinfo.h"
#include "kernel/lib/string.h"

#define MB1_MAGIC 0x2badb002u
#define MB2_MAGIC 0x36d76289u

static const char too_many_modules[] = "more than 16 modules; the rest is ignored";
static const char too_many_regions[] = "more than 128 entries; the rest is ignored";

/* Framebuffer types, the same in both versions. */
enum { FB_TYPE_INDEXED, FB_TYPE_RGB, FB_TYPE_TEXT };

enum { DEFECTS_TOLD = 16, MMAP_MAX = 65536, INFO_MAX = 1 << 20 }; /* bytes */

/* One parse: where memory is visible, what is being filled, who is told. */
struct parse {
	struct bootinfo *bi;
	const void *base;
	uint64_t limit;
	void (*complain)(const char *what, const char *why);
	unsigned defects;
};

/* Garbage may have a thousand defects; the first few tell the story. */
static void defect(struct parse *p, const char *what, const char *why)
{
	if (p->defects++ < DEFECTS_TOLD)
		p->complain(what, why);
}

/* The `n` bytes at physical `at`, or NULL if not all of them can be read. */
static const uint8_t *view(struct parse *p, uint64_t at, uint64_t n)
{
	if (at == 0 || at > p->limit || n > p->limit - at)
		return NULL;
	return (const uint8_t *)((uintptr_t)p->base + (uintptr_t)at);
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const uint8_t *p)
{
	return (uint64_t)get32(p + 4) << 32 | get32(p);
}

/*
 * Copies the string at `at` into `to`: at most size - 1 bytes, and at most `max` bytes are looked
 * at. False if it does not end there or cannot be read; what fits is kept.
 */
static bool copy_string(struct parse *p, char *to, size_t size, uint64_t at, uint64_t max)
{
	const uint8_t *s;
	size_t n = 0;

	to[0] = '\0';
	if (at >= p->limit)
		return false;
	if (max > p->limit - at)
		max = p->limit - at;
	s = view(p, at, max);
	if (!s)
		return false;
	while (n < max && n < size - 1 && s[n]) {
		to[n] = (char)s[n];
		n++;
	}
	to[n] = '\0';
	return n < max && !s[n];
}

/* A line that is cut loses its last word as well: half a word would mean something else. */
static void read_cmdline(struct parse *p, uint64_t at, uint64_t max)
{
	char *line = p->bi->cmdline;
	size_t n;

	if (copy_string(p, line, sizeof(p->bi->cmdline), at, max))
		return;
	for (n = strlen(line); n && line[n - 1] != ' '; n--)
		;
	line[n] = '\0';
	defect(p, "cmdline", "not terminated within 4096 bytes; the words after that are lost");
}

static void read_loader(struct parse *p, uint64_t at, uint64_t max)
{
	size_t size = sizeof(p->bi->loader);

	if (!copy_string(p, p->bi->loader, size, at, max) && strlen(p->bi->loader) < size - 1)
		defect(p, "loader", "name cannot be read");
}

/* One memory map entry; the caller has made sure of a free row. Empty ones say nothing. */
static void add_region(struct parse *p, uint64_t base, uint64_t size, uint32_t type)
{
	struct bootinfo *bi = p->bi;

	if (!size)
		return;
	if (size > UINT64_MAX - base) {
		defect(p, "mmap", "an entry goes beyond the end of the address space; cut there");
		size = UINT64_MAX - base;
	}
	/* Later firmware has more types; none of them is memory we may use. */
	if (type < REGION_FREE || type > REGION_BAD)
		type = REGION_RESERVED;
	bi->regions[bi->nregions++] = (struct boot_region){ base, size, type };
}

static void add_module(struct parse *p, uint32_t start, uint32_t end, uint64_t name, uint64_t max)
{
	struct bootinfo *bi = p->bi;
	struct boot_module *m = &bi->modules[bi->nmodules];

	if (end < start) {
		defect(p, "module", "ends before it begins; ignored");
		return;
	}
	if (bi->nmodules == BOOT_MODULES) {
		defect(p, "module", too_many_modules);
		return;
	}
	if (!view(p, start, (uint64_t)end - start)) {
		defect(p, "module", "lies where memory cannot be read; ignored");
		return;
	}
	m->start = start;
	m->end = end;
	if (!copy_string(p, m->name, sizeof(m->name), name, max) &&
	    strlen(m->name) < sizeof(m->name) - 1)
		defect(p, "module", "its name cannot be read");
	bi->nmodules++;
}

/* From the address field on, both versions agree byte for byte, up to the type. */
static void read_framebuffer(struct parse *p, const uint8_t *f, const uint8_t *colors)
{
	static const enum boot_fb kinds[] = {
		[FB_TYPE_INDEXED] = FB_OTHER, [FB_TYPE_RGB] = FB_RGB, [FB_TYPE_TEXT] = FB_TEXT
	};
	struct bootinfo *bi = p->bi;
	uint8_t type = f[21];

	bi->fb.addr = get64(f);
	bi->fb.pitch = get32(f + 8);
	bi->fb.width = get32(f + 12);
	bi->fb.height = get32(f + 16);
	bi->fb.bpp = f[20];
	bi->fb.kind = type < sizeof(kinds) / sizeof(kinds[0]) ? kinds[type] : FB_OTHER;
	if (bi->fb.kind != FB_RGB)
		return;
	if (!colors) {
		defect(p, "framebuffer", "its colour fields are missing");
		bi->fb.kind = FB_OTHER;
		return;
	}
	bi->fb.red_pos = colors[0];
	bi->fb.red_size = colors[1];
	bi->fb.green_pos = colors[2];
	bi->fb.green_size = colors[3];
	bi->fb.blue_pos = colors[4];
	bi->fb.blue_size = colors[5];
}

/* Multiboot 1: one structure whose flags say which of its fields are valid. */
enum mb1_layout {
	MB1_FLAGS = 0,
	MB1_MEM = 4,
	MB1_BOOT_DEVICE = 12, /* its highest byte is the drive */
	MB1_CMDLINE = 16,
	MB1_MODS = 20,
	MB1_MMAP = 44,
	MB1_LOADER = 64,
	MB1_FRAMEBUFFER = 88,
	MB1_COLORS = 110,      /* as the table of the specification has it */
	MB1_COLORS_GRUB = 112, /* as its C header has it, and GRUB: a union of 32-bit words */
	MB1_SIZE = 118,
	MB1_SIZE_OLD = 88, /* loaders that end before the framebuffer fields */
	MB1_HAS_MEM = 1 << 0,
	MB1_HAS_BOOT_DEVICE = 1 << 1,
	MB1_HAS_CMDLINE = 1 << 2,
	MB1_HAS_MODS = 1 << 3,
	MB1_HAS_MMAP = 1 << 6,
	MB1_HAS_LOADER = 1 << 9,
	MB1_HAS_FRAMEBUFFER = 1 << 12,
};

static void mb1_modules(struct parse *p, uint32_t count, uint32_t at)
{
	/* 16 bytes each: start, end, address of the name, reserved. */
	for (uint64_t i = 0; i < count; i++) {
		const uint8_t *m = view(p, at + i * 16, 16);

		if (i == BOOT_MODULES) {
			defect(p, "module", too_many_modules);
			return;
		}
		if (!m) {
			defect(p, "module", "the list of modules cannot be read");
			return;
		}
		add_module(p, get32(m), get32(m + 4), get32(m + 8), BOOT_CMDLINE);
	}
}

static void mb1_mmap(struct parse *p, uint32_t length, uint32_t at)
{
	/* An entry: size of the rest, base, length, type, and whatever `size` adds. */
	uint64_t pos = 0;

	if (length > MMAP_MAX) {
		defect(p, "mmap", "longer than 64 KiB; cut there");
		length = MMAP_MAX;
	}
	while (pos < length && p->bi->nregions < BOOT_REGIONS) {
		const uint8_t *e = view(p, at + pos, 24);

		if (!e || length - pos < 24 || get32(e) < 20) {
			defect(p, "mmap",
			       "an entry is too short or cannot be read; the rest is "
			       "ignored");
			return;
		}
		add_region(p, get64(e + 4), get64(e + 12), get32(e + 20));
		pos += (uint64_t)get32(e) + 4;
	}
	if (pos < length)
		defect(p, "mmap", too_many_regions);
}

static bool mb1_parse(struct parse *p, uint32_t info)
{
	const uint8_t *b = view(p, info, MB1_SIZE_OLD);
	struct bootinfo *bi = p->bi;
	uint32_t flags;

	if (!b) {
		defect(p, "info", "the multiboot information cannot be read");
		return false;
	}
	bi->info_start = info;
	bi->info_end = info + MB1_SIZE_OLD;
	flags = get32(b + MB1_FLAGS);
	if (flags & MB1_HAS_MEM) {
		bi->mem_lower_kb = get32(b + MB1_MEM);
		bi->mem_upper_kb = get32(b + MB1_MEM + 4);
	}
	if (flags & MB1_HAS_BOOT_DEVICE) {
		bi->has_drive = true;
		bi->drive = b[MB1_BOOT_DEVICE + 3];
	}
	if (flags & MB1_HAS_CMDLINE)
		read_cmdline(p, get32(b + MB1_CMDLINE), BOOT_CMDLINE);
	if (flags & MB1_HAS_LOADER)
		read_loader(p, get32(b + MB1_LOADER), BOOT_CMDLINE);
	if (flags & MB1_HAS_MODS)
		mb1_modules(p, get32(b + MB1_MODS), get32(b + MB1_MODS + 4));
	if (flags & MB1_HAS_MMAP)
		mb1_mmap(p, get32(b + MB1_MMAP), get32(b + MB1_MMAP + 4));
	if (!(flags & MB1_HAS_FRAMEBUFFER))
		return true;
	if (view(p, info, MB1_SIZE)) {
		const uint8_t *colors = b + MB1_COLORS;

		bi->info_end = info + MB1_SIZE;
		if (!colors[1]) /* no bits of red: that is padding */
			colors = b + MB1_COLORS_GRUB;
		read_framebuffer(p, b + MB1_FRAMEBUFFER, colors);
	} else {
		defect(p, "framebuffer", "its fields cannot be read");
	}
	return true;
}

/* Multiboot 2: a length and a list of tags. The rows say how long each tag is at least. */
static void mb2_cmdline(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)tag;
	read_cmdline(p, at + 8, size - 8);
}

static void mb2_loader(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)tag;
	read_loader(p, at + 8, size - 8);
}

static void mb2_module(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	add_module(p, get32(tag + 8), get32(tag + 12), at + 16, size - 16);
}

static void mb2_meminfo(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)at;
	(void)size;
	p->bi->mem_lower_kb = get32(tag + 8);
	p->bi->mem_upper_kb = get32(tag + 12);
}

static void mb2_bootdev(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)at;
	(void)size;
	p->bi->has_drive = get32(tag + 8) <= 0xff;
	p->bi->drive = tag[8];
}

static void mb2_mmap(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	uint32_t step = get32(tag + 8);

	(void)at;
	if (step < 24) {
		defect(p, "mmap", "its entries are shorter than 24 bytes; ignored");
		return;
	}
	/* base, length, type, reserved; later versions may append fields */
	for (uint32_t pos = 16; pos < size; pos += step) {
		if (size - pos < step) {
			defect(p, "mmap", "its last entry is cut off");
			return;
		}
		if (p->bi->nregions == BOOT_REGIONS) {
			defect(p, "mmap", too_many_regions);
			return;
		}
		add_region(p, get64(tag + pos), get64(tag + pos + 8), get32(tag + pos + 16));
	}
}

static void mb2_framebuffer(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)at;
	read_framebuffer(p, tag + 8, size >= 38 ? tag + 32 : NULL);
}

static void mb2_efi32(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)at;
	(void)size;
	p->bi->efi = true;
	p->bi->efi_bits = 32;
	p->bi->efi_table = get32(tag + 8);
}

static void mb2_efi64(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)at;
	(void)size;
	p->bi->efi = true;
	p->bi->efi_bits = 64;
	p->bi->efi_table = get64(tag + 8);
}

static void mb2_efi32_image(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)at;
	(void)size;
	p->bi->efi_image = get32(tag + 8);
}

static void mb2_efi_kept(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)at;
	(void)tag;
	(void)size;
	p->bi->efi_kept = true;
}

static void mb2_efi64_image(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)at;
	(void)size;
	p->bi->efi_image = get64(tag + 8);
}

/* An ACPI 1.0 RSDP has 20 bytes, a later one 36; the later one wins, in whatever order. */
static void mb2_rsdp_old(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)tag;
	(void)size;
	if (!p->bi->rsdp)
		p->bi->rsdp = at + 8;
}

static void mb2_rsdp_new(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	(void)tag;
	(void)size;
	p->bi->rsdp = at + 8;
}

/* clang-format off */
static const struct {
	uint32_t type, min;
	const char *what;
	void (*read)(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size);
} mb2_tags[] = {
	{  1,  9, "cmdline",     mb2_cmdline },
	{  2,  9, "loader",      mb2_loader },
	{  3, 17, "module",      mb2_module },
	{  4, 16, "meminfo",     mb2_meminfo },
	{  5, 20, "bootdev",     mb2_bootdev },
	{  6, 16, "mmap",        mb2_mmap },
	{  8, 30, "framebuffer", mb2_framebuffer },
	{ 11, 12, "efi32",       mb2_efi32 },
	{ 12, 16, "efi64",       mb2_efi64 },
	{ 14, 28, "rsdp",        mb2_rsdp_old },
	{ 15, 44, "rsdp",        mb2_rsdp_new },
	{ 18,  8, "efi_bs",      mb2_efi_kept },
	{ 19, 12, "efi32_image", mb2_efi32_image },
	{ 20, 16, "efi64_image", mb2_efi64_image },
};
/* clang-format on */

static void mb2_tag(struct parse *p, uint64_t at, const uint8_t *tag, uint32_t size)
{
	uint32_t type = get32(tag);

	for (unsigned i = 0; i < sizeof(mb2_tags) / sizeof(mb2_tags[0]); i++) {
		if (mb2_tags[i].type != type)
			continue;
		if (size < mb2_tags[i].min)
			defect(p, mb2_tags[i].what, "its tag is too short; ignored");
		else
			mb2_tags[i].read(p, at, tag, size);
	}
}

static bool mb2_parse(struct parse *p, uint32_t info)
{
	const uint8_t *b = view(p, info, 8);
	uint32_t total;
	uint64_t pos = 8;

	if (!b) {
		defect(p, "info", "the multiboot information cannot be read");
		return false;
	}
	total = get32(b);
	if (total < 16 || total > INFO_MAX || !view(p, info, total)) {
		defect(p, "info", "the length of the multiboot information is impossible");
		return false;
	}
	p->bi->info_start = info;
	p->bi->info_end = info + total;
	/* Tags begin at multiples of 8 and end with type 0. */
	while (pos + 8 <= total) {
		uint32_t size = get32(b + pos + 4);

		if (get32(b + pos) == 0)
			return true;
		if (size < 8 || size > total - pos) {
			defect(p, "info", "a tag has an impossible length; the rest is ignored");
			return true;
		}
		mb2_tag(p, info + pos, b + pos, size);
		pos += ((uint64_t)size + 7) & ~(uint64_t)7;
	}
	defect(p, "info", "the end tag is missing");
	return true;
}

bool bootinfo_parse(struct bootinfo *bi, uint32_t magic, uint32_t info, const void *base,
                    uint64_t limit, void (*complain)(const char *what, const char *why))
{
	struct parse p = { bi, base, limit, complain, 0 };

	memset(bi, 0, sizeof(*bi));
	bi->magic = magic;
	bi->protocol = "unknown";
	switch (magic) {
	case MB1_MAGIC:
		bi->protocol = "multiboot1";
		return mb1_parse(&p, info);
	case MB2_MAGIC:
		bi->protocol = "multiboot2";
		return mb2_parse(&p, info);
	}
	complain("magic", "not started by a Multiboot 1 or 2 boot loader");
	return false;
}

/* ---- What may not be believed ---- */

/* A range of physical addresses; end exclusive. */
struct range {
	uint64_t start, end;
};

static bool overlap(struct range a, struct range b)
{
	return a.start < b.end && b.start < a.end;
}

static struct range range_of(uint64_t start, uint64_t size)
{
	return (struct range){ start, size > UINT64_MAX - start ? UINT64_MAX : start + size };
}

/* RAM by the memory map. Where firmware also lists all of `r` as reserved, that entry holds. */
static bool is_ram(const struct bootinfo *bi, struct range r)
{
	bool ram = false;

	for (unsigned i = 0; i < bi->nregions; i++) {
		const struct boot_region *m = &bi->regions[i];
		struct range entry = range_of(m->base, m->size);

		if (m->type == REGION_RESERVED && entry.start <= r.start && entry.end >= r.end)
			return false;
		ram = ram || (m->type != REGION_RESERVED && overlap(r, entry));
	}
	if (!bi->nregions)
		ram = overlap(r, range_of(1 << 20, (uint64_t)bi->mem_upper_kb << 10));
	return ram;
}

const char *bootinfo_in_use(const struct bootinfo *bi, uint64_t address, uint64_t size)
{
	struct range r = range_of(address, size);

	if (overlap(r, (struct range){ bi->kernel_start, bi->kernel_end }))
		return "its address is the kernel's";
	if (overlap(r, (struct range){ bi->info_start, bi->info_end }))
		return "its address is that of the boot information";
	for (unsigned i = 0; i < bi->nmodules; i++)
		if (overlap(r, (struct range){ bi->modules[i].start, bi->modules[i].end }))
			return "its address is that of a module";
	if (r.start < 0xa0000 || is_ram(bi, r))
		return "its address is RAM by the memory map";
	return NULL;
}

/* NULL, or why the framebuffer must not be written to. */
static const char *framebuffer_conflict(const struct bootinfo *bi)
{
	if (bi->fb.kind != FB_RGB)
		return NULL;
	return bootinfo_in_use(bi, bi->fb.addr, (uint64_t)bi->fb.pitch * bi->fb.height);
}

void bootinfo_check(struct bootinfo *bi, uint64_t kernel_start, uint64_t kernel_end,
                    void (*complain)(const char *what, const char *why))
{
	struct range kernel = { kernel_start, kernel_end };
	const char *why;
	unsigned good = 0;

	bi->kernel_start = kernel_start;
	bi->kernel_end = kernel_end;
	why = framebuffer_conflict(bi);
	if (why) {
		complain("framebuffer", why);
		bi->fb.kind = FB_REFUSED;
	}
	for (unsigned i = 0; i < bi->nmodules; i++) {
		struct boot_module *m = &bi->modules[i];

		if (overlap((struct range){ m->start, m->end }, kernel))
			complain("module", "its address is the kernel's; ignored");
		else
			bi->modules[good++] = *m;
	}
	bi->nmodules = good;
}

const char *bootinfo_taken(const struct bootinfo *bi, uint64_t start, uint64_t end)
{
	bool whole = !bi->nregions && end <= (uint64_t)bi->mem_lower_kb << 10;

	for (unsigned i = 0; i < bi->nregions; i++) {
		const struct boot_region *r = &bi->regions[i];

		if (r->base >= end || r->base + r->size <= start)
			continue;
		if (r->type != REGION_FREE)
			return "low memory is not free";
		whole |= r->base <= start && r->base + r->size >= end;
	}
	if (!whole)
		return "low memory is not free";
	for (unsigned i = 0; i < bi->nmodules; i++)
		if (bi->modules[i].start < end && bi->modules[i].end > start)
			return "the boot loader put a module into low memory";
	return NULL;
}
