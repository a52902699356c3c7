/*
 * A captured log, as the reader of tools/ takes it.
 */
#include <string.h>

#include "tools/lib/alloc.h"
#include "tools/log/logfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = allocate(size + 1);
	struct log log;

	memcpy(copy, data, size);
	log_read(&log, "fuzz", copy, size);
	log_intact(&log);
	log_close(&log);
	return 0;
}
