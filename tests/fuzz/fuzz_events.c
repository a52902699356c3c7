/*
 * A request for an event: the first byte chooses the machine, the rest is the text.
 */
#include <stdlib.h>
#include <string.h>

#include "pmu/internal.h"
#include "pmu/request.h"
#include "tests/unit/pmu/pmu_mock.h"

static struct cpu machine(uint8_t which)
{
	switch (which % 5) {
	case 0:
		return mock_cpu(PMU_CLASS_P5, 5, 2);
	case 1:
		return mock_cpu(PMU_CLASS_P6, 6, 8);
	case 2:
		return mock_cpu(PMU_CLASS_NETBURST, 15, 2);
	case 3:
		return mock_cpu(PMU_CLASS_AMD, 23, 1);
	default:
		return mock_arch(0x5e, 4, 4, 3);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pmu_config config[PMU_CONFIGS];
	static struct cpu cpu;
	static int now = -1;
	struct pmu_refusal no = { 0 };
	char key[PMU_KEY];
	char *text;
	unsigned n;

	if (!size)
		return 0;
	if (now != data[0] % 5) {
		now = data[0] % 5;
		mock_clear();
		cpu = machine(data[0]);
		mock_probe(&cpu);
	}
	text = malloc(size);
	memcpy(text, data + 1, size - 1);
	n = pmu_request(&pmu_hw, text, size - 1, 0, key, config, &no);
	if (n > PMU_CONFIGS || (n && strnlen(key, PMU_KEY) == PMU_KEY))
		abort();
	free(text);
	return 0;
}
