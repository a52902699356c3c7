/*
 * What the kernel's screen makes of the lines of a log, as they come and as pages; the first byte
 * chooses its size.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel/console/record.h"
#include "kernel/console/view.h"
#include "tests/unit/support/fake_machine.h"

static struct screen screen;

static void draw(unsigned column, unsigned row, char c, enum screen_color color)
{
	if (column >= screen.columns || row >= screen.rows || c < ' ' || c > '~' ||
	    color >= SCREEN_COLORS)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	screen = (struct screen){ .columns = 1 + (data[0] & 127) * 3 % SCREEN_COLUMNS,
		                  .rows = 1 + data[0] % 60,
		                  .jump = 1 };
	screen.draw = draw;
	screen_init(&screen);
	view_open(&screen);
	view_write((const char *)data + 1, size - 1);
	view_write("\n", 1);
	view_page(VIEW_RESULTS, (const char *)data + 1, size - 1, NULL, size % 7);
	view_page(VIEW_LIVE, (const char *)data + 1, size - 1, NULL, UINT32_MAX);
	view_write((const char *)data + 1, size - 1);
	return 0;
}
