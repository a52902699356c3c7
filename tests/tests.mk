# Host unit tests: a row each. Included by the Makefile; `make -f tests/tests.mk B=DIR unit` works
# too. A test is test_NAME.c in tests/unit/ or in one of its folders, with cmocka. NAME_SRCS are the
# files that it tests, compiled again for the host with sanitizers.
B ?= build
HOSTCC ?= cc

UNIT_TESTS += logtool
logtool_SRCS := $(TOOLS_LIB:%=tools/%.c)
logtool_LIBS := $(B)/tools/embedded.o -lm -lsqlite3 -lZydis

UNIT_TESTS += text
text_SRCS := kernel/text.c

UNIT_TESTS += bench
bench_SRCS := $(addprefix bench/,open.c report.c table.c) \
	$(addprefix bench/engine/,number.c sizing.c stats.c) \
	kernel/cpu/confirmed.c kernel/log.c kernel/text.c

UNIT_TESTS += engine
engine_SRCS := $(addprefix bench/engine/,engine.c batch.c core_clock.c sizing.c stats.c) \
	kernel/log.c kernel/text.c
engine_LIBS := -lm

UNIT_TESTS += code
code_SRCS := $(addprefix bench/engine/,code.c emit.c emit_64.c) \
	kernel/quirks.c kernel/log.c kernel/text.c

UNIT_TESTS += geometry
geometry_SRCS := bench/suite/generated.c bench/engine/emit.c kernel/log.c kernel/text.c

UNIT_TESTS += litmus
litmus_SRCS := bench/coherence/gate.c kernel/log.c kernel/text.c
litmus_LIBS := -lpthread

UNIT_TESTS += sharing
sharing_SRCS := bench/coherence/gate.c $(addprefix bench/engine/,number.c sizing.c stats.c) \
	kernel/log.c kernel/text.c
sharing_LIBS := -lpthread

UNIT_TESTS += module
module_SRCS := bench/module.c bench/modulefile.c bench/elf.c bench/open.c kernel/log.c kernel/text.c

CPU_SRCS := $(addprefix kernel/cpu/,cpu.c cpuid.c cache.c features.c leaf2.c log.c pmu.c \
	place.c topology.c)

UNIT_TESTS += cpu
cpu_SRCS := tests/unit/support/cpuid_dump.c kernel/quirks.c kernel/log.c kernel/text.c $(CPU_SRCS)

UNIT_TESTS += acpi
acpi_SRCS := kernel/board/acpi.c

UNIT_TESTS += place
place_SRCS := kernel/quirks.c kernel/log.c kernel/text.c $(CPU_SRCS)

UNIT_TESTS += smp_list
smp_list_SRCS := kernel/smp/list.c

UNIT_TESTS += clock
clock_SRCS := kernel/board/clock_rate.c

UNIT_TESTS += solve
solve_SRCS := pmu/solve.c

# The whole of pmu/ on a machine of registers (tests/unit/pmu/pmu_mock.c), with the tables of the
# 32-bit kernel.
ifndef PMU_TABLES_32
include pmu/pmu.mk
endif
PMU_SRCS := tests/unit/pmu/pmu_mock.c kernel/quirks.c kernel/log.c kernel/text.c \
	$(filter-out %_64.c,$(wildcard pmu/*.c))

UNIT_TESTS += pmu_request
pmu_request_SRCS := $(PMU_SRCS)
pmu_request_LIBS := $(B)/tests/pmu_tables.o

UNIT_TESTS += pmu_tables
pmu_tables_SRCS := $(PMU_SRCS)
pmu_tables_LIBS := $(B)/tests/pmu_tables.o

UNIT_TESTS += pmu_driver
pmu_driver_SRCS := $(PMU_SRCS)
pmu_driver_LIBS := $(B)/tests/pmu_tables.o

UNIT_TESTS += pmu_netburst
pmu_netburst_SRCS := $(PMU_SRCS)
pmu_netburst_LIBS := $(B)/tests/pmu_tables.o

UNIT_TESTS += pmu_amd
pmu_amd_SRCS := $(PMU_SRCS)
pmu_amd_LIBS := $(B)/tests/pmu_tables.o

# Every row of the maker's lists.
UNIT_TESTS += perfmon
perfmon_SRCS := $(PMU_SRCS)
perfmon_LIBS := $(B)/tests/pmu_tables.o

# Event encodings against libpfm4.
UNIT_TESTS += oracle
oracle_SRCS := $(PMU_SRCS)
oracle_LIBS := $(B)/tests/pmu_tables.o -lpfm

UNIT_TESTS += args
args_SRCS := kernel/args.c

UNIT_TESTS += bootinfo
bootinfo_SRCS := kernel/board/bootinfo.c

UNIT_TESTS += memory
memory_SRCS := kernel/board/memory.c kernel/log.c kernel/text.c

# Drivers: the instructions and addresses of tests/unit/support/shim reach the fake machine.
UNIT_TESTS += uart
uart_SRCS := tests/unit/support/fake_machine.c kernel/console/uart.c
uart_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += console
console_SRCS := tests/unit/support/fake_machine.c kernel/args.c kernel/log.c kernel/text.c \
	$(addprefix kernel/console/,fb.c font.c keys.c record.c screen.c uart.c vga.c view.c)
console_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += keys
keys_SRCS := tests/unit/support/fake_machine.c kernel/console/keys.c
keys_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += view
view_SRCS := tests/unit/support/fake_machine.c kernel/args.c kernel/text.c \
	$(addprefix kernel/console/,record.c screen.c view.c)
view_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += board
board_SRCS := tests/unit/support/fake_machine.c \
	$(addprefix kernel/board/,apic.c quiet.c usb.c) kernel/quirks.c kernel/log.c kernel/text.c
board_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += conditions
conditions_SRCS := tests/unit/support/cpuid_dump.c kernel/cpu/conditions.c \
	kernel/quirks.c kernel/log.c kernel/text.c \
	$(filter-out %/log.c,$(CPU_SRCS))
conditions_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += guard
guard_SRCS := kernel/trap/guard.c kernel/trap/paging.c kernel/quirks.c kernel/log.c kernel/text.c

UNIT_TESTS += save
save_SRCS := kernel/log.c kernel/text.c

UNIT_TESTS += div
div_SRCS := kernel/div_32.c

# The instruction table against the decoder Zydis.
ifndef INSTR_TABLES_64
include bench/instr/instr.mk
endif
UNIT_TESTS += instr
instr_SRCS := $(wildcard bench/instr/*.c) kernel/cpu/features.c
instr_LIBS := $(B)/tests/instr_tables.o -lZydis

# The addresses of memory operands against the same.
UNIT_TESTS += operand
operand_SRCS := pmu/sampling/operand.c $(instr_SRCS)
operand_LIBS := $(instr_LIBS)

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror $(SANITIZE) -I. -MMD -MP

# One program a test, its objects apart from those of other tests: sources may be shared.
define unit_test
$(1)_TEST := $$(wildcard tests/unit/test_$(1).c tests/unit/*/test_$(1).c)
$$(B)/tests/test_$(1): $$(patsubst %.c,$$(B)/tests/$(1)/%.o,$$($(1)_TEST) $$($(1)_SRCS)) \
		$$(filter %.o,$$($(1)_LIBS))
	$$(call say,LD,$$@)
	$$(Q)$$(HOSTCC) $$(SANITIZE) -o $$@ $$(filter-out $$($(1)_LIBS),$$^) -lcmocka $$($(1)_LIBS)

$$(B)/tests/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(HOSTCC) $$(UNIT_CFLAGS) $$($(1)_CFLAGS) -c -o $$@ $$<
endef
$(foreach t,$(UNIT_TESTS),$(eval $(call unit_test,$(t))))

unit-build: $(UNIT_TESTS:%=$(B)/tests/test_%)
unit: unit-build
	@tests/unit/run.sh $(UNIT_TESTS:%=$(B)/tests/test_%)
.PHONY: unit-build unit

-include $(foreach d,*/* */*/* */*/*/*,$(wildcard $(B)/tests/$(d)/*.d))

# --- everything else `make test` runs: tests/run-all.sh runs the targets of TESTS --------------

TESTS += format lint house unit log-keys make clang sizes reproducible machines

format lint house log-keys make:
	@tests/checks/check-$@.sh

# The whole program with the other compiler, warnings as errors too.
clang:
	@if command -v clang >/dev/null; then \
		$(MAKE) B=$(B)/clang CC=clang HOSTCC=clang kernels \
			$(addprefix $(B)/clang/,cpl0-log cpl0-native cpl0-sim); \
	else \
		echo "skipped: no clang here"; \
	fi

sizes: kernels iso usb floppy
	@tests/checks/check-sizes.sh $(B)

reproducible: kernels iso usb floppy
	@MAKE="$(MAKE)" tests/checks/check-reproducible.sh $(B) "$(VERSION)"

# MACHINES='direct-* bochs-*' runs some of the rows.
machines: all floppy pxe-images
	@B=$(B) tests/machines/run.sh $(MACHINES)

.PHONY: format lint house log-keys make clang sizes reproducible machines

TESTS += log-tool

log-tool: $(B)/cpl0-log
	@tests/checks/test-log.sh $(B)
.PHONY: log-tool

TESTS += run-qemu

run-qemu: kernels
	@tests/checks/test-run-qemu.sh $(B)
.PHONY: run-qemu

# Same kernel, same model, same log.
# The log on stick and floppy, by a BIOS and by UEFI.
TESTS += save
.PHONY: save
save: all floppy
	@tests/checks/save.sh $(B)

TESTS += sim-repeats

# Random and purpose-made bytes as code. FUZZ='10000 7 qemu/max/64' is another number, seed and
# place.
TESTS += fuzz-code

fuzz-code: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/fuzz-code.sh $(B) $(FUZZ)
.PHONY: fuzz-code

sim-repeats: $(B)/cpl0-sim kernels
	@tests/checks/check-sim-repeats.sh $(B)
.PHONY: sim-repeats

TESTS += restored

restored: $(B)/cpl0-sim kernels
	@tests/checks/check-restored.sh $(B)
.PHONY: restored

# What stands on a framebuffer, wherever it lies.
TESTS += screen

screen: $(B)/cpl0-sim kernels
	@tests/checks/check-screen.sh $(B)
.PHONY: screen

# Keys at the end of a run.
TESTS += keys

keys: $(B)/cpl0-sim $(B)/cpl0-log $(B)/cpl0-native kernels
	@tests/checks/check-keys.sh $(B)
.PHONY: keys

# What the generator of the instruction table says about rows that are wrong.
TESTS += instr-forms
instr-forms: $(B)/gen/instr/instr-tables
	@tests/checks/check-instr-forms.sh $<
.PHONY: instr-forms

# The instruction table of the simulated Pentiums beside that of real ones.
TESTS += instr-p5

instr-p5: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/check-instr-p5.sh $(B)
.PHONY: instr-p5

# The engine as a process; how busy the machine is, asked without the engine.
TESTS += native
BENCHES += bench-native

$(B)/tests/native_noise: tests/checks/native/native_noise.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) -std=gnu11 -O2 -Wall -Wextra -Werror -o $@ $<

native: $(B)/cpl0-native $(B)/cpl0-log $(B)/tests/native_noise
	@tests/checks/native/test-native.sh $(B)

bench-native: $(B)/cpl0-native
	@tests/checks/native/bench-native.sh $(B)

.PHONY: native bench-native

# What README.md says that the programs print.
TESTS += readme

readme: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/docs/check-readme.sh $(B)
.PHONY: readme

# Report pages in a real browser.
TESTS += trace-truth
trace-truth: $(B)/cpl0-sim kernels
	@tests/sim/trace-truth.sh $(B)
.PHONY: trace-truth

TESTS += report

report: $(B)/cpl0-sim $(B)/cpl0-native $(B)/cpl0-log kernels
	@tests/checks/test-report.sh $(B)
.PHONY: report

TESTS += database

database: $(B)/cpl0-log
	@tests/checks/test-db.sh $(B)
.PHONY: database

TESTS += asm

asm: $(B)/cpl0-native $(B)/cpl0-sim kernels
	@tests/checks/test-asm.sh $(B)
.PHONY: asm

include tests/fuzz/fuzz.mk
