/*
 * Model-specific registers in a Linux process: out of reach, which callers take as "not there".
 */
#include "kernel/cpu/msr.h"

bool msr_read(uint32_t msr, uint64_t *value)
{
	(void)msr;
	*value = 0;
	return false;
}

bool msr_write(uint32_t msr, uint64_t value)
{
	(void)msr;
	(void)value;
	return false;
}
