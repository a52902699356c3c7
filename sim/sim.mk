# sim/sim.mk - cpl0-sim and its tests. Included by the top Makefile; works alone as well:
#
#	make -f sim/sim.mk B=build-sim sim-test

B       ?= build
HOSTCC  ?= cc
CC      ?= gcc

SIM_CFLAGS ?= -O2 -g
SIM_FLAGS  := -std=gnu11 -Wall -Wextra -Werror -I. $(SIM_CFLAGS)
SIM_LIBS   := -lunicorn -lZydis

SIM_SRC := $(wildcard sim/*.c)
SIM_OBJ := $(SIM_SRC:%.c=$(B)/%.o) $(B)/sim/cpuid_data.o

sim: $(B)/cpl0-sim

$(B)/cpl0-sim: $(SIM_OBJ)
	$(HOSTCC) $(SIM_CFLAGS) -o $@ $(SIM_OBJ) $(SIM_LIBS)

$(B)/sim/%.o: sim/%.c sim/sim.mk
	@mkdir -p $(@D)
	$(HOSTCC) $(SIM_FLAGS) -MMD -MP -c -o $@ $<

$(B)/sim/cpuid_data.c: sim/cpuid.csv sim/cpuid-table.awk
	@mkdir -p $(@D)
	awk -f sim/cpuid-table.awk sim/cpuid.csv >$@.tmp && mv $@.tmp $@

$(B)/sim/cpuid_data.o: $(B)/sim/cpuid_data.c
	$(HOSTCC) $(SIM_FLAGS) -c -o $@ $<

-include $(SIM_OBJ:.o=.d)
