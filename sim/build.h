/*
 * sim/build.h - puts the PC together.
 */
#ifndef SIM_BUILD_H
#define SIM_BUILD_H

#include <stdbool.h>

struct machine;
struct options;

/*
 * pc is all zeros before. False: no memory, or an unknown Unicorn; build_free() is needed then
 * too.
 */
bool build_machine(struct machine *pc, const struct options *opt);
void build_free(struct machine *pc);

#endif
