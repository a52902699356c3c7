/*
 * The tasks behind the gates of double fault, NMI and machine check in the 32-bit kernel: they end
 * in the same handler as all other traps.
 */
#include "kernel/trap/internal.h"

/* Called by boot/trap_32.S in the task of `vector`. */
void trap_task(uint32_t vector, uint32_t error);

void trap_task(uint32_t vector, uint32_t error)
{
	struct trap_frame f;

	trap_task_begin(vector, error, &f);
	trap_handler(&f);
	trap_task_end(vector, &f);
}
