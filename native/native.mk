# The engine and its snippets as an ordinary Linux process: time stamp counter only.
# Linked without PIE, because generated code reaches the engine's state by 32-bit addresses.

NATIVE_SRC := $(filter-out %_32.c bench/engine/platform.c bench/coherence/cpu_pool.c \
			bench/suite/pages.c \
			bench/threads/% \
			bench/run/main.c bench/run/exit.c,\
		$(wildcard bench/*.c bench/*/*.c)) \
	      $(wildcard bench/suite/*.S bench/coherence/*.S native/*.c) tools/asm/assemble.c \
	      tools/lib/output.c \
	      $(addprefix kernel/cpu/,confirmed.c cpu.c cpuid.c cache.c features.c leaf2.c log.c \
	      pmu.c) \
	      kernel/cpu/topology.c \
	      $(addprefix kernel/lib/,args.c log.c nearest.c quirks.c text.c) \
	      kernel/trap/paging.c \
	      pmu/sampling/operand.c
NATIVE_OBJ := $(NATIVE_SRC:%=$(B)/native/%.o)
HOSTCC ?= cc
NATIVE_CFLAGS := -std=gnu11 -O2 -g -m64 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes \
		 -fno-pie -I. \
		 -ffile-prefix-map=$(CURDIR)/=

# The Makefile writes version.c, bench/instr/instr.mk the tables.
NATIVE_OBJ += $(B)/native/version.o $(B)/native/gen/instr/tables_64.o

$(B)/native/gen/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(NATIVE_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/native/version.o: $(B)/version.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(NATIVE_CFLAGS) -c -o $@ $<

$(B)/cpl0-native $(B)/portable/cpl0-native: $(NATIVE_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(HOSTCC) -m64 -no-pie -Wl,-z,noexecstack $(HOSTLDFLAGS) -o $@ $^

$(B)/native/%.o: %
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(NATIVE_CFLAGS) -MMD -MP -c -o $@ $<

-include $(NATIVE_OBJ:.o=.d)

# The catalogue of snippets is made from what the program lists, whatever the CPU.
.PHONY: catalogue
catalogue: $(B)/cpl0-native
	$(call say,AWK,docs/catalogue.md)
	$(Q)$(B)/cpl0-native --catalogue >$(B)/catalogue
	$(Q)LC_ALL=C awk -f tools/record.awk -f tools/catalogue.awk $(B)/catalogue \
		>docs/catalogue.md
	$(Q)LC_ALL=C awk -v listed=1 -f tools/record.awk -f tools/catalogue.awk $(B)/catalogue \
		>$(B)/catalogue.md

# Nothing that is generated or tested may depend on the CPU, locale or cores of this machine.
TESTS_LONG += other-hosts
other-hosts: $(B)/cpl0-native $(B)/cpl0-log $(PMU_TABLES_32) $(PMU_TABLES_64)
	@MAKE="$(MAKE)" tests/checks/check-other-hosts.sh $(B)
.PHONY: other-hosts
