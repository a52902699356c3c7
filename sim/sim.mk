# sim/sim.mk - cpl0-sim and its tests. Included by the top Makefile.

B       ?= build
HOSTCC  ?= cc
CC      ?= gcc
OBJCOPY ?= objcopy

SIM_CFLAGS ?= -O2 -g
SIM_FLAGS  := -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -I. $(SIM_CFLAGS)
SIM_LIBS   := -lunicorn -lZydis -ldl -lm

SIM_SRC := $(filter-out sim/tests/%,$(wildcard sim/*.c sim/*/*.c))
SIM_OBJ := $(SIM_SRC:%.c=$(B)/%.o) $(B)/sim/asm.o $(B)/sim/checked_output.o $(B)/sim/near.o \
	   $(B)/sim/cpuid_data.o $(B)/sim/perfmon_data.o \
	   $(B)/sim/core_data.o $(B)/sim/version.o

sim: $(B)/cpl0-sim

$(B)/cpl0-sim $(B)/portable/cpl0-sim: $(SIM_OBJ)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(HOSTCC) $(SIM_CFLAGS) $(HOSTLDFLAGS) -o $@ $(SIM_OBJ) $(SIM_LIBS)

$(B)/sim/version.o: $(B)/version.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -c -o $@ $<

$(B)/sim/asm.o: tools/asm/assemble.c tools/asm/assemble.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -c -o $@ $<

$(B)/sim/checked_output.o: tools/lib/output.c tools/lib/output.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -c -o $@ $<

$(B)/sim/near.o: tools/lib/near.c tools/lib/near.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -c -o $@ $<

$(B)/sim/%.o: sim/%.c sim/sim.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -MMD -MP -c -o $@ $<

$(B)/sim/cpuid_data.c: sim/model/cpuid.csv sim/model/cpuid-table.awk
	@mkdir -p $(@D)
	$(call say,AWK,$@)
	$(Q)awk -f sim/model/cpuid-table.awk sim/model/cpuid.csv >$@.tmp && mv $@.tmp $@

$(B)/sim/perfmon.csv: $(PERFMON) sim/pmu/perfmon-list.awk
	@mkdir -p $(@D)
	$(call say,AWK,$@)
	$(Q)awk -f sim/pmu/perfmon-list.awk $(PERFMON) >$@.tmp && mv $@.tmp $@

$(B)/sim/perfmon_data.c: $(B)/sim/perfmon.csv sim/pmu/derived.csv sim/pmu/perfmon-table.awk
	$(call say,AWK,$@)
	$(Q)awk -f sim/pmu/perfmon-table.awk sim/pmu/derived.csv $< >$@.tmp && mv $@.tmp $@

$(B)/sim/core_data.c: $(wildcard sim/timing/rows/*.csv) sim/timing/measured.csv \
		sim/timing/rows-table.awk
	@mkdir -p $(@D)
	$(call say,AWK,$@)
	$(Q)awk -f sim/timing/rows-table.awk $(filter %.csv,$^) >$@.tmp && mv $@.tmp $@

SIM_DATA_OBJ := $(B)/sim/cpuid_data.o $(B)/sim/perfmon_data.o $(B)/sim/core_data.o

# The headers that the tables include: numbers of signals change.
$(SIM_DATA_OBJ): $(B)/sim/%.o: $(B)/sim/%.c $(wildcard sim/*/*.h)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -c -o $@ $<

-include $(SIM_OBJ:.o=.d)

# Counter models: unit tests with sanitizers. Objects once, then one program per test file.
SIM_SAN      := -fsanitize=address,undefined -fno-sanitize-recover=all
SIM_PMU_SRC  := sim/pmu/signal.c $(filter-out sim/pmu/signal.c,$(wildcard sim/pmu/*.c))
SIM_PMU_OBJ  := $(SIM_PMU_SRC:%.c=$(B)/san/%.o) $(B)/sim/perfmon_data.o
SIM_PMU_TEST := $(patsubst %.c,$(B)/%,$(wildcard sim/tests/test_pmu_*.c))

$(B)/san/sim/%.o: sim/%.c sim/sim.mk
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) $(SIM_SAN) -MMD -MP -c -o $@ $<

$(B)/sim/tests/test_pmu_%: sim/tests/test_pmu_%.c sim/tests/pmu_env.h $(SIM_PMU_OBJ)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) $(SIM_SAN) -o $@ $< $(SIM_PMU_OBJ) -lcmocka -lpfm

# The whole program with sanitizers: for fuzzing, and the guests run on it too.
SIM_SAN_OBJ := $(SIM_SRC:%.c=$(B)/san/%.o) $(B)/sim/asm.o $(B)/sim/checked_output.o \
	       $(B)/sim/near.o \
	       $(B)/sim/version.o $(SIM_DATA_OBJ)

$(B)/cpl0-sim-san: $(SIM_SAN_OBJ)
	$(call say,LD,$@)
	$(Q)$(HOSTCC) $(SIM_CFLAGS) $(SIM_SAN) -o $@ $(SIM_SAN_OBJ) $(SIM_LIBS)

sim-test-pmu: $(SIM_PMU_TEST)
	@for t in $(SIM_PMU_TEST); do $$t || exit 1; done

-include $(SIM_PMU_OBJ:.o=.d) $(SIM_SAN_OBJ:.o=.d)

# Guests: tiny Multiboot kernels.
SIM_GUEST := $(patsubst %.S,$(B)/sim/guests/%.elf,$(notdir $(wildcard sim/tests/guests/*.S))) \
	     $(B)/sim/guests/linux.img $(B)/sim/guests/events.elf

$(B)/sim/guests/events.elf: sim/tests/anyevent/events.S sim/tests/guests/guest.inc
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) -m32 -nostdlib -static -no-pie -Wl,-Ttext=0x100000 -Wl,-N -Wl,--build-id=none \
		-Wl,--no-warn-rwx-segments -I. -o $@ $<

$(B)/sim/guests/%.elf: sim/tests/guests/%.S sim/tests/guests/guest.inc
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) -m32 -nostdlib -static -no-pie -Wl,-Ttext=0x100000 -Wl,-N -Wl,--build-id=none \
		-Wl,--no-warn-rwx-segments -I. -o $@ $<

$(B)/sim/guests/linux.img: $(B)/sim/guests/linux.elf
	$(call say,IMG,$@)
	$(Q)$(OBJCOPY) -O binary $< $@

# Pipeline model: its tables and the measurements of real Pentiums.
$(B)/sim/tests/test_p5: sim/tests/test_p5.c sim/tests/p5-forms.S $(SIM_SAN_OBJ)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) $(SIM_SAN) -o $@ $< sim/tests/p5-forms.S \
		$(filter %/p5_decode.o %/p5_pipe.o \
		%/p5_table.o,$(SIM_SAN_OBJ)) -lcmocka -lZydis -lm

# Core model: its rows, and the instruction table beside real processors.
CORE_BODIES := sim/tests/core/bodies.c $(wildcard bench/instr/*.c) kernel/cpu/features.c \
	tools/result/forms.c

$(B)/sim/tests/instr_core $(B)/sim/tests/fit_core: $(B)/sim/tests/%: sim/tests/core/%.c \
		$(CORE_BODIES) sim/tests/core/bodies.h $(SIM_DATA_OBJ) $(B)/tests/instr_tables.o \
		$(filter %/core.o %/core_rows.o %/core_insn.o %/per_clock.o,$(SIM_OBJ))
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -o $@ \
		$(filter-out %.h %/cpuid_data.o %/perfmon_data.o,$^) -lZydis -lm

# The figures of all models beside real processors, as sim/docs/clocks.md has them.
#	make instr-sim UPDATE=1			writes them
#	make instr-fit MODELS='zen2 zen4'	fits rows first
TESTS_LONG += instr-sim
instr-sim: $(B)/sim/tests/instr_core
	@sim/tests/core/run.sh $(B) $(if $(UPDATE),update) $(MODELS)

instr-fit: $(B)/sim/tests/fit_core
	@sim/tests/core/run.sh $(B) fit $(MODELS)
.PHONY: instr-sim instr-fit

# What the kernel finds out about ports, beside the table: by events on skylake, by time on zen4.
#	make ports-sim FORMS='instr.tp.*' MODELS=zen4
$(B)/sim/tests/ports_core: sim/tests/core/ports_core.c $(wildcard bench/instr/*.c) \
		kernel/cpu/features.c $(SIM_DATA_OBJ) $(B)/tests/instr_tables.o \
		$(filter %/core.o %/core_rows.o %/core_insn.o %/per_clock.o,$(SIM_OBJ))
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -o $@ \
		$(filter-out %/cpuid_data.o %/perfmon_data.o,$^) -lZydis -lm

FORMS ?= instr.tp.ad*_r64*,instr.tp.imul_r64*,instr.tp.padd*
ports-sim: $(B)/sim/tests/ports_core $(B)/cpl0-sim kernels
	@for model in $(or $(MODELS),skylake); do \
		sim/tests/core/ports.sh $(B) $$model '$(FORMS)' || exit 1; done
.PHONY: ports-sim

# What the kernel measures in random snippets beside the trace of its run, and beside what the core
# says by itself.
#	make snippets-sim COUNT=500 SEED=1 MODELS='ppro/32 p4n/32 k8/64 skylake/64'
$(B)/sim/tests/snippets: sim/tests/core/snippets.c $(SIM_OBJ)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -o $@ $< \
		$(filter %/core.o %/core_rows.o %/core_insn.o %/per_clock.o %/core_data.o, \
		$(SIM_OBJ)) -lZydis -lm

TESTS_LONG += snippets-sim
snippets-sim: $(B)/sim/tests/snippets $(B)/cpl0-sim kernels
	@sim/tests/core/snippets.sh $(B) $(or $(COUNT),20) $(or $(SEED),1) \
		$(or $(MODELS),p4n/32 skylake/64)
.PHONY: snippets-sim

$(B)/sim/tests/test_policy: sim/tests/test_policy.c $(SIM_SAN_OBJ)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) $(SIM_SAN) -o $@ $< \
		$(filter %/cache.o %/policy.o %/cache_words.o %/structure_words.o,$(SIM_SAN_OBJ)) \
		-lcmocka

$(B)/sim/tests/test_core: sim/tests/test_core.c $(SIM_SAN_OBJ)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) $(SIM_SAN) -o $@ $< \
		$(filter %/core.o %/core_rows.o %/core_insn.o %/core_data.o \
		%/core_wrong_path.o %/per_clock.o, $(SIM_SAN_OBJ)) \
		-lcmocka -lZydis -lm

$(B)/sim/tests/test_core_events: sim/tests/test_core_events.c $(SIM_SAN_OBJ)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) $(SIM_SAN) -o $@ $< $(SIM_PMU_OBJ) \
		$(filter %/core.o %/core_rows.o %/core_insn.o %/core_signals.o \
		%/core_data.o %/per_clock.o, \
		$(SIM_SAN_OBJ)) -lcmocka -lZydis -lm

$(B)/sim/fuzz: sim/tests/fuzz.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(SIM_FLAGS) -o $@ $<

SIM_FUZZ_COUNT ?= 40

sim-fuzz: $(B)/cpl0-sim-san $(B)/sim/fuzz $(SIM_GUEST)
	@sim/tests/fuzz.sh $(B)/cpl0-sim-san $(B)/sim/fuzz $(B)/sim/guests/fuzz.elf \
		$(SIM_FUZZ_COUNT)

# The last line counts everything: cmocka tests, rows of runs.txt, the fuzzing run as one.
TESTS += sim-test
sim-test: $(B)/cpl0-sim $(B)/cpl0-sim-san $(SIM_GUEST) $(SIM_PMU_TEST) $(B)/sim/tests/test_p5 \
	  $(B)/sim/tests/test_core $(B)/sim/tests/test_core_events \
	  $(B)/sim/tests/test_policy $(B)/sim/fuzz
	@sim/tests/all.sh $(B)

# Any events of any model: make any-event DRAWS=10 SEED=100 MODELS='p5 zen4'. DRAWS=all: each once.
TESTS_LONG += any-event
any-event: $(B)/cpl0-sim kernels
	@sim/tests/anyevent/run.sh $(B) $(or $(DRAWS),1) $(or $(SEED),1) $(MODELS)
.PHONY: any-event

# Any sampling requests of any model: make any-sample DRAWS=100 SEED=7 MODELS='p4p zen2'.
TESTS_LONG += any-sample
any-sample: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@sim/tests/anysample/run.sh $(B) $(or $(DRAWS),2) $(or $(SEED),5) $(MODELS)
.PHONY: any-sample

# An NMI at 17 places around the loading of the tables by the 32-bit kernel.
TESTS_LONG += table-nmi
table-nmi: $(B)/cpl0-sim kernels
	@sim/tests/anysample/table-nmi.sh $(B)
.PHONY: table-nmi

# Debian's Linux to a shell, a minute or more each, by hand: make linux-boot MODELS='k8 zen4' or
# MODELS=skylake+clocks.
linux-boot: $(B)/cpl0-sim
	@sim/tests/linux-boot.sh $(B) $(MODELS)
.PHONY: linux-boot

# Guest MIPS of loops, and the time to start.
BENCHES += sim-bench
sim-bench: $(B)/cpl0-sim $(SIM_GUEST)
	@sim/tests/bench.sh $(B)/cpl0-sim $(B)/sim/guests

.SECONDARY: $(SIM_PMU_OBJ) $(SIM_SAN_OBJ)
.PHONY: sim sim-test-pmu sim-test sim-fuzz sim-bench
