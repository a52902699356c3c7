/*
 * The page where other CPUs start (kernel/smp/page.h).
 */
#include "kernel/smp/page.h"

enum {
	PAGE = 4096,
	FIRST_PAGE = 0x01,
	BIOS_FIRST = 0x07, /* kernel/firmware/bios.c */
	BIOS_LAST = 0x0a,
	BDA_EBDA = 0x0e,   /* segment of the extended BIOS data area */
	BDA_MEMORY = 0x13, /* KiB of memory below it and below what option ROMs took */
	TOP = 0x9f000,     /* Linux leaves the page behind it alone in any case */
	LEAST = 0x20000,   /* less than this is no size of low memory */
};

/* The first byte that the BIOS may own. */
static uint32_t top_of(const uint8_t *bda)
{
	uint32_t size = (uint32_t)(bda[BDA_MEMORY] | bda[BDA_MEMORY + 1] << 8) << 10;
	uint32_t ebda = (uint32_t)(bda[BDA_EBDA] | bda[BDA_EBDA + 1] << 8) << 4;
	uint32_t top = TOP;

	if (size >= LEAST && size < top)
		top = size;
	if (ebda >= LEAST && ebda < top)
		top = ebda;
	return top;
}

/* Is all of the page free memory, and nothing in it that the loader gave us? */
static bool is_free(const struct bootinfo *bi, uint32_t page)
{
	uint32_t start = page * PAGE, end = start + PAGE;

	return !bootinfo_taken(bi, start, end) && (bi->info_start >= end || bi->info_end <= start);
}

uint32_t smp_find_page(const struct bootinfo *bi, const uint8_t *bda)
{
	uint32_t top = bi->efi ? 0xa0000 : top_of(bda);

	for (uint32_t page = FIRST_PAGE; (page + 1) * PAGE <= top; page++)
		if ((page < BIOS_FIRST || page > BIOS_LAST) && is_free(bi, page))
			return page;
	return 0;
}
