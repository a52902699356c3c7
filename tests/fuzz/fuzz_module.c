/*
 * A boot module: the ELF file, the descriptors in it, and what they refer to.
 */
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/snippet_load.h"
#include "bench/modulefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *file = aligned_alloc(16, (size + 31) / 16 * 16);
	const uint8_t *end = file + size;
	struct module_part part;
	struct bench b;

	memcpy(file, data, size);
	for (unsigned bits = 32; bits <= 64; bits += 32) {
		if (module_part(file, size, bits, &part))
			continue;
		if (part.start < file || part.end > end || part.start > part.end)
			abort();
		for (const uint8_t *p = file; end - p >= SNIPPET_SIZE; p += 4) {
			const struct snippet_blob *blob =
				(const struct snippet_blob *)(const void *)p;

			if (blob->magic != SNIPPET_MAGIC || snippet_load(&b, blob, file, end))
				continue;
			if (b.body < file || b.body_size > (size_t)(end - b.body))
				abort();
		}
	}
	free(file);
	return 0;
}
