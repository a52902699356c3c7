# Host unit tests: a row each. Included by the Makefile: `make unit` runs all, and
# `make build/tests/test_text && build/tests/test_text` one of them. A test is test_NAME.c in
# tests/unit/ or in one of its folders, with cmocka. NAME_SRCS are the files that it tests, compiled
# again for the host with sanitizers.
B ?= build
HOSTCC ?= cc

UNIT_TESTS += logtool
logtool_SRCS := $(TOOLS_LIB:%=tools/%.c)
logtool_LIBS := $(B)/tools/lib/embedded.o $(B)/tools/log/rows.o -lm -lsqlite3 -lZydis

UNIT_TESTS += text
text_SRCS := kernel/lib/text.c

UNIT_TESTS += nearest
nearest_SRCS := kernel/lib/nearest.c kernel/lib/text.c

UNIT_TESTS += models
models_SRCS := tools/policy/models.c

UNIT_TESTS += answer
answer_SRCS := $(TOOLS_LIB:%=tools/%.c)
answer_LIBS := $(logtool_LIBS)

UNIT_TESTS += near
near_SRCS := kernel/lib/nearest.c kernel/lib/text.c tools/lib/near.c

UNIT_TESTS += bench
bench_SRCS := bench/snippet_load.c bench/result/report.c bench/run/table.c \
	$(addprefix bench/engine/,number.c sizing.c stats.c) \
	kernel/cpu/confirmed.c kernel/lib/log.c kernel/lib/text.c

UNIT_TESTS += engine
engine_SRCS := $(addprefix bench/engine/,engine.c batch.c core_clock.c guest.c sizing.c stats.c) \
	kernel/lib/log.c kernel/lib/text.c
engine_LIBS := -lm

UNIT_TESTS += code
code_SRCS := $(addprefix bench/engine/,code.c emit.c emit_64.c) \
	\
	$(addprefix kernel/lib/,log.c quirks.c text.c)

UNIT_TESTS += geometry
geometry_SRCS := bench/footprint.c bench/suite/generated.c bench/engine/emit.c kernel/lib/log.c \
	kernel/lib/text.c

UNIT_TESTS += queues
queues_SRCS := bench/suite/generated.c bench/engine/emit.c kernel/lib/log.c \
	kernel/lib/text.c

UNIT_TESTS += writes
writes_SRCS := bench/suite/generated.c bench/engine/emit.c kernel/lib/log.c kernel/lib/text.c

UNIT_TESTS += sets
sets_SRCS := kernel/lib/log.c kernel/lib/text.c

UNIT_TESTS += tlb
tlb_SRCS := bench/datasheet/jumps.c bench/suite/generated.c bench/engine/emit.c kernel/lib/log.c \
	kernel/lib/text.c

UNIT_TESTS += branches
branches_SRCS := $(tlb_SRCS)

UNIT_TESTS += accesses
accesses_SRCS := bench/accesses.c kernel/lib/args.c kernel/lib/log.c kernel/lib/nearest.c \
	kernel/lib/text.c

UNIT_TESTS += policy
policy_SRCS := bench/datasheet/sets.c bench/suite/generated.c bench/engine/emit.c \
	kernel/lib/log.c kernel/lib/text.c

UNIT_TESTS += figure
figure_SRCS := kernel/lib/log.c kernel/lib/text.c

UNIT_TESTS += sibling
sibling_SRCS := kernel/lib/log.c kernel/lib/text.c

UNIT_TESTS += footprint
footprint_SRCS := bench/footprint.c bench/suite/generated.c bench/engine/emit.c \
	bench/engine/emit_64.c kernel/lib/text.c

UNIT_TESTS += branch_64
branch_64_SRCS := bench/sample/branch_64.c kernel/lib/log.c kernel/lib/text.c

UNIT_TESTS += company
company_SRCS := bench/threads/company.c bench/engine/stats.c

UNIT_TESTS += proof
proof_SRCS := kernel/cpu/confirmed.c kernel/lib/text.c

UNIT_TESTS += check
check_SRCS := kernel/cpu/confirmed.c kernel/lib/log.c kernel/lib/text.c

UNIT_TESTS += litmus
litmus_SRCS := bench/coherence/barrier.c kernel/lib/log.c kernel/lib/text.c
litmus_LIBS := -lpthread

UNIT_TESTS += sharing
sharing_SRCS := bench/footprint.c bench/coherence/barrier.c \
	$(addprefix bench/engine/,number.c sizing.c stats.c) \
	kernel/lib/log.c kernel/lib/text.c
sharing_LIBS := -lpthread

UNIT_TESTS += module
module_SRCS := bench/module.c bench/modulefile.c bench/elf.c bench/snippet_load.c \
	$(addprefix kernel/lib/,log.c text.c)

CPU_SRCS := $(addprefix kernel/cpu/,cpu.c cpuid.c cache.c features.c leaf2.c log.c pmu.c \
	topology.c)

UNIT_TESTS += cpu
cpu_SRCS := kernel/cpu/fence.c $(CPU_SRCS) \
	tests/unit/support/cpuid_dump.c \
	$(addprefix kernel/lib/,log.c quirks.c text.c)

UNIT_TESTS += acpi
acpi_SRCS := kernel/chipset/acpi.c

UNIT_TESTS += topology
topology_SRCS := kernel/lib/quirks.c kernel/lib/log.c kernel/lib/text.c $(CPU_SRCS)

UNIT_TESTS += rtc
rtc_SRCS := kernel/chipset/rtc.c

UNIT_TESTS += smbios
smbios_SRCS := kernel/chipset/smbios.c

UNIT_TESTS += smp_list
smp_list_SRCS := kernel/smp/list.c

UNIT_TESTS += smp_page
smp_page_SRCS := kernel/smp/page.c kernel/chipset/bootinfo.c

UNIT_TESTS += watchdog
watchdog_SRCS := kernel/trap/watchdog.c
watchdog_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += steal
steal_SRCS := kernel/cpu/steal.c
steal_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += kvmclock
kvmclock_SRCS := kernel/cpu/kvmclock.c
kvmclock_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += clock
clock_SRCS := kernel/chipset/clock_rate.c

UNIT_TESTS += solve
solve_SRCS := pmu/solve.c

# The whole of pmu/ on a machine of registers (tests/unit/pmu/pmu_mock.c), with the tables of the
# 32-bit kernel.
ifndef PMU_TABLES_32
include pmu/pmu.mk
endif
PMU_SRCS := tests/unit/pmu/pmu_mock.c \
	$(addprefix kernel/lib/,log.c nearest.c quirks.c text.c) \
	$(filter-out %_64.c,$(wildcard pmu/*.c))

UNIT_TESTS += pmu_request
pmu_request_SRCS := $(PMU_SRCS)
pmu_request_LIBS := $(B)/tests/pmu_tables.o

UNIT_TESTS += generic
generic_SRCS := $(PMU_SRCS)
generic_LIBS := $(B)/tests/pmu_tables.o

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

UNIT_TESTS += pmu_pebs
pmu_pebs_SRCS := $(PMU_SRCS) $(addprefix pmu/sampling/,group.c pebs.c)
pmu_pebs_LIBS := $(B)/tests/pmu_tables.o

# The maker's lists: their CPUs, and the rules by which they become a table.
UNIT_TESTS += perfmon
perfmon_SRCS := $(PMU_SRCS)
perfmon_LIBS := $(B)/tests/pmu_tables.o

# Event encodings against libpfm4.
UNIT_TESTS += oracle
oracle_SRCS := $(PMU_SRCS)
oracle_LIBS := $(B)/tests/pmu_tables.o -lpfm

UNIT_TESTS += args
args_SRCS := kernel/lib/args.c kernel/lib/nearest.c kernel/lib/text.c

UNIT_TESTS += bootinfo
bootinfo_SRCS := kernel/chipset/bootinfo.c

UNIT_TESTS += memory
memory_SRCS := kernel/chipset/memory.c kernel/lib/log.c kernel/lib/text.c

# Drivers: the instructions and addresses of tests/unit/support/shim reach the fake machine.
UNIT_TESTS += uart
uart_SRCS := tests/unit/support/fake_machine.c kernel/console/uart.c
uart_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += console
console_SRCS := tests/unit/support/fake_machine.c kernel/lib/args.c kernel/lib/nearest.c \
	kernel/lib/log.c kernel/lib/text.c \
	kernel/chipset/bootinfo.c kernel/chipset/pci.c \
	$(addprefix kernel/console/,box.c cells.c details.c events.c fb.c figure.c font.c head.c \
	help.c keys.c levels.c pciport.c record.c screen.c summary.c table.c uart.c vga.c view.c)
console_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += keys
keys_SRCS := tests/unit/support/fake_machine.c kernel/console/keys.c
keys_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += view
view_SRCS := tests/unit/support/fake_machine.c \
	$(addprefix kernel/lib/,args.c nearest.c text.c) \
	$(addprefix kernel/console/,box.c cells.c details.c events.c figure.c head.c help.c \
	levels.c record.c screen.c summary.c table.c view.c)
view_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += pager
pager_SRCS := $(view_SRCS) kernel/console/pager.c
pager_CFLAGS := $(view_CFLAGS)

UNIT_TESTS += board
board_SRCS := tests/unit/support/fake_machine.c \
	$(addprefix kernel/chipset/,apic.c irqmask.c pci.c usb.c) \
	$(addprefix kernel/lib/,log.c quirks.c text.c)
board_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += power
power_SRCS := kernel/chipset/power.c
power_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += conditions
conditions_SRCS := tests/unit/support/cpuid_dump.c \
	$(addprefix kernel/cpu/,conditions.c conditions_rows.c prefetchers.c memory_type.c) \
	kernel/lib/quirks.c kernel/lib/log.c kernel/lib/text.c \
	$(filter-out %/log.c,$(CPU_SRCS))
conditions_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += usermode
usermode_SRCS := kernel/trap/usermode.c kernel/trap/paging.c \
	$(addprefix kernel/lib/,log.c quirks.c text.c)

UNIT_TESTS += fat
fat_SRCS := kernel/firmware/fat.c tests/unit/support/image.c

UNIT_TESTS += save
save_SRCS := kernel/firmware/fat.c tests/unit/support/image.c kernel/lib/log.c kernel/lib/text.c

# INT 13h, INT 16h and the interrupt controllers around them, on a PC with a BIOS.
FAKE_BIOS_SRCS := tests/unit/support/fake_bios.c \
	$(addprefix kernel/,chipset/bootinfo.c chipset/pic.c chipset/pit.c firmware/bios.c \
	firmware/disk.c lib/log.c lib/text.c)

UNIT_TESTS += disk
disk_SRCS := $(FAKE_BIOS_SRCS)
disk_CFLAGS := -iquote tests/unit/support/shim

UNIT_TESTS += bios
bios_SRCS := $(FAKE_BIOS_SRCS) kernel/firmware/apm.c kernel/firmware/ask.c
bios_CFLAGS := $(disk_CFLAGS)

# The way into real mode. Its addresses are absolute.
UNIT_TESTS += real
real_CFLAGS := -fno-pie
real_LIBS := $(B)/tests/real/boot/real.o -lunicorn -no-pie

# The real efi.c is part of fake_efi.c.
FAKE_EFI_SRCS := $(addprefix tests/unit/support/,fake_efi.c fake_machine.c) \
	$(addprefix kernel/chipset/,apic.c irqmask.c pic.c) \
	$(addprefix kernel/lib/,args.c nearest.c quirks.c)
UNIT_TESTS += efi
efi_SRCS := $(FAKE_EFI_SRCS) $(addprefix kernel/chipset/,memory.c pit.c) kernel/trap/watchdog.c \
	kernel/lib/log.c kernel/lib/text.c
efi_CFLAGS := -iquote tests/unit/support/shim

# save.c and all below it, on a BIOS with faults.
UNIT_TESTS += save_bios
save_bios_SRCS := $(addprefix tests/unit/support/,saving.c image.c) \
	$(addprefix kernel/firmware/,fat.c ask.c) $(FAKE_BIOS_SRCS)
save_bios_CFLAGS := $(disk_CFLAGS)

UNIT_TESTS += save_efi
save_efi_SRCS := $(FAKE_EFI_SRCS) tests/unit/support/saving.c kernel/firmware/fat.c \
	kernel/lib/log.c kernel/lib/text.c
save_efi_CFLAGS := $(disk_CFLAGS)

UNIT_TESTS += div
div_SRCS := kernel/lib/div_32.c

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

# The judge of tests/machines.
JUDGE := $(addprefix tests/machines/expect/,empty judge plan spec words)
JUDGE_TOOLS := $(addprefix tools/,lib/alloc lib/csv lib/output log/keys log/logfile log/record)
UNIT_TESTS += expect
expect_SRCS := $(addsuffix .c,$(JUDGE) $(JUDGE_TOOLS))
expect_LIBS := $(B)/tools/log/rows.o

SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
UNIT_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror $(SANITIZE) -I. -MMD -MP

# One program a test. Tests with the same flags share their objects: those without flags of their
# own have them in tests/plain/.
unit_room = $(if $(findstring /shim,$($(1)_CFLAGS)),shim,$(if $($(1)_CFLAGS),$(1),plain))

define unit_test
$(1)_TEST := $$(wildcard tests/unit/*/test_$(1).c tests/unit/*/*/test_$(1).c)
$(1)_OBJS := $$(patsubst %.c,$$(B)/tests/$$(call unit_room,$(1))/%.o,$$($(1)_TEST) $$($(1)_SRCS))
UNIT_CFLAGS_$$(call unit_room,$(1)) := $$($(1)_CFLAGS)
UNIT_ROOMS += $$(call unit_room,$(1))
$$(B)/tests/test_$(1): $$($(1)_OBJS) $$(filter %.o,$$($(1)_LIBS))
	$$(call say,LD,$$@)
	$$(Q)$$(HOSTCC) $$(SANITIZE) -o $$@ $$(filter-out $$($(1)_LIBS),$$^) -lcmocka $$($(1)_LIBS)
endef
$(foreach t,$(UNIT_TESTS),$(eval $(call unit_test,$(t))))

define unit_objects
$$(B)/tests/$(1)/%.o: %.S
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(HOSTCC) -I. -MMD -MP -c -o $$@ $$<

$$(B)/tests/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(HOSTCC) $$(UNIT_CFLAGS) $$(UNIT_CFLAGS_$(1)) -c -o $$@ $$<
endef
$(foreach r,$(sort $(UNIT_ROOMS)),$(eval $(call unit_objects,$(r))))

# For tests/mutants: a line for each test, with its objects.
unit-objects:
	@printf '%s\n' $(foreach t,$(UNIT_TESTS),'$(t) $($(t)_OBJS)')
.PHONY: unit-objects

unit-build: $(UNIT_TESTS:%=$(B)/tests/test_%)
unit: unit-build
	@tests/unit/run.sh $(UNIT_TESTS:%=$(B)/tests/test_%)
.PHONY: unit-build unit

-include $(foreach d,*/* */*/* */*/*/* */*/*/*/* */*/*/*/*/*,$(wildcard $(B)/tests/$(d)/*.d))

# --- everything else `make test` runs: tests/run-all.sh runs the targets of TESTS --------------
# Those of TESTS_LONG run in `make test-all` alone, which sets LONG for the counts below.

TESTS += format lint house unit log-keys make clang sizes machines
TESTS_LONG += reproducible machines-more

format lint house make:
	@tests/checks/check-$@.sh

log-keys: $(B)/cpl0-native
	@tests/checks/check-log-keys.sh
	@tests/checks/check-arguments.sh $(B)

TESTS += links
links:
	@python3 -B tests/checks/check-links.py

# The whole program with the other compiler, warnings as errors too.
clang:
	@if command -v clang >/dev/null; then \
		$(MAKE) B=$(B)/clang CC=clang HOSTCC=clang kernels \
			$(addprefix $(B)/clang/,cpl0-log cpl0-native cpl0-sim tests/expect); \
	else \
		echo "skipped: no clang here"; \
	fi

sizes: kernels iso usb floppy
	@tests/checks/check-sizes.sh $(B)

reproducible: all floppy pxe-images $(PORTABLE)
	@MAKE="$(MAKE)" tests/checks/check-reproducible.sh $(B) "$(VERSION)"

# What tests/machines/run.sh judges logs with.
all: $(B)/tests/expect

$(B)/tests/expect: $(patsubst %,$(B)/%.o,tests/machines/expect/main $(JUDGE) $(JUDGE_TOOLS)) \
		$(B)/tools/log/rows.o
	$(call say,LD,$@)
	$(Q)$(HOSTCC) $(HOSTLDFLAGS) -o $@ $^

$(B)/tests/machines/%.o: tests/machines/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(TOOLS_CFLAGS) $(HOSTCFLAGS) -c -o $@ $<

# MACHINES='direct-* bochs-*' runs some of the rows.
machines: all floppy pxe-images
	@B=$(B) tests/machines/run.sh $(MACHINES)

# The same subjects on more models and at length: beyond what continuous integration has time for.
machines-more: all floppy pxe-images
	@B=$(B) tests/machines/run.sh --more $(MACHINES)

.PHONY: format lint house links log-keys make clang sizes reproducible machines machines-more

TESTS += log-tool

log-tool: $(B)/cpl0-log $(HELP_FILES)
	@tests/checks/test-log.sh $(B)
.PHONY: log-tool

TESTS += names

names: $(B)/cpl0-log $(B)/cpl0-sim $(B)/cpl0-native kernels
	@tests/checks/test-names.sh $(B)
.PHONY: names

# tools/kvm-check.sh where there is no KVM.
TESTS += kvm-check

kvm-check: $(B)/cpl0-log kernels
	@tests/checks/test-kvm-check.sh $(B)
.PHONY: kvm-check

# Mixtures of two logs: make splices SEED=7 COUNT=10000.
TESTS += splices

splices: $(B)/cpl0-log
	@python3 -B tests/checks/splices.py $(B) $(or $(SEED),1) $(or $(COUNT),400)
.PHONY: splices

# Number, unit and mark of each figure, in every reader and on the screen. LOGS=1000 is another
# number of generated logs (20; long: 100).
TESTS += readers

readers: $(B)/cpl0-log $(B)/cpl0-sim kernels
	@python3 -B tests/checks/readers/test-readers.py $(B) $(or $(LOGS),$(if $(LONG),100,20))
.PHONY: readers

# Every command on full disks, closed pipes and limits, and over files that it reads.
TESTS += output

output: all floppy $(B)/cpl0-log.1
	@python3 -B tests/checks/outputs.py $(B)
.PHONY: output

TESTS += run-qemu

run-qemu: all floppy
	@tests/checks/test-run-qemu.sh $(B)
.PHONY: run-qemu

# Same kernel, same model, same log.
# The log on stick and floppy, by a BIOS and by UEFI.
TESTS += save
.PHONY: save
save: all floppy
	@tests/checks/save.sh $(B)

# Power cuts, swapped media and errors of the disk, so many of each: make save-faults DRAWS=50
TESTS_LONG += save-faults
.PHONY: save-faults
save-faults: all floppy
	@tests/checks/save-faults.sh $(B) $(or $(DRAWS),3)

# save=ask with keys. KEYS='10 ps2-held usb-held' is another number of boots, and some kinds.
TESTS_LONG += save-ask
.PHONY: save-ask
save-ask: all
	@tests/checks/save-ask.sh $(B) $(KEYS)

# What is off behind a run: the floppy's motor, the machine.
TESTS += ends
.PHONY: ends
ends: all
	@tests/checks/check-ends.sh $(B)

TESTS_LONG += sim-repeats

# Random and purpose-made bytes as code, 60 strings a place (long: 500). FUZZ='10000 7 qemu/max/64'
# is another number, seed and place.
TESTS += fuzz-code

fuzz-code: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/fuzz-code.sh $(B) $(or $(FUZZ),$(if $(LONG),500,60))
.PHONY: fuzz-code

sim-repeats: $(B)/cpl0-sim kernels
	@tests/checks/check-sim-repeats.sh $(B)
.PHONY: sim-repeats

TESTS_LONG += restored

restored: $(B)/cpl0-sim kernels
	@tests/checks/check-restored.sh $(B)
.PHONY: restored

# The stick on UEFI with several CPUs and memory above 4 GiB, and keys pressed.
TESTS += stick
.PHONY: stick
stick: all
	@tests/checks/stick.sh $(B)

# What stands on a framebuffer, wherever it lies.
TESTS_LONG += screen

screen: $(B)/cpl0-sim kernels
	@tests/checks/check-screen.sh $(B)
.PHONY: screen

# A firmware table that takes memory for a serial port.
TESTS_LONG += spcr

spcr: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/check-spcr.sh $(B) $(or $(DRAWS),20)
.PHONY: spcr

# Cores with drawn structures: make structures SEED=1 COUNT=200 takes an hour.
TESTS_LONG += structures
structures: $(B)/cpl0-sim kernels
	@tests/checks/structures.py $(B) $(or $(SEED),1) $(or $(COUNT),2) $(ONLY)
.PHONY: structures

# Caches with drawn replacement policies: make policies SEED=1 COUNT=200 takes half an hour.
TESTS_LONG += policies
policies: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/policies.py $(B) $(or $(SEED),1) $(or $(COUNT),6) $(ONLY)
.PHONY: policies

# Counters that lie, drawn from a seed: make lies SEED=1 COUNT=300 takes an hour.
TESTS_LONG += lies

lies: $(B)/cpl0-sim kernels
	@tests/checks/lies.py $(B) $(or $(SEED),1) $(or $(COUNT),4) $(ONLY)
.PHONY: lies

# Guests of busy hosts. make guest SEED=1 COUNT=300 draws more hypervisors and takes two hours,
# GUEST='threads-*' takes rows of tests/machines; '*' all that tests/checks/guest-rows.py can.
TESTS_LONG += guest

guest: $(B)/cpl0-sim kernels
	@tests/checks/guest-rows.py $(B) $(if $(GUEST),$(foreach g,$(GUEST),'$(g)'), \
		--draw $(or $(SEED),1) $(or $(COUNT),4) $(ONLY))
.PHONY: guest

# What all proofs cost in a default run, minutes a model: make proof-cost MODELS='p4/32 zen4/64'.
proof-cost: $(B)/cpl0-sim kernels
	@tests/checks/proof-cost.sh $(B) $(MODELS)
.PHONY: proof-cost

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

# What the readers of intel/perfmon's lists say about rows that are wrong.
TESTS += perfmon
perfmon: $(B)/gen/pmu/pmu-events $(PERFMON)
	@tests/checks/check-perfmon.sh $^
.PHONY: perfmon

# The instruction table of the simulated Pentiums beside that of real ones.
TESTS_LONG += instr-p5

instr-p5: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/check-instr-p5.sh $(B)
.PHONY: instr-p5

# The engine as a process; how busy the machine is, asked without the engine.
TESTS += native
BENCHES += bench-native

$(B)/tests/native_noise $(B)/tests/int80: $(B)/tests/%: tests/checks/native/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) -std=gnu11 -O2 -Wall -Wextra -Werror -o $@ $<

native: $(B)/cpl0-native $(B)/cpl0-log $(B)/tests/native_noise $(B)/tests/int80
	@tests/checks/native/test-native.sh $(B)

bench-native: $(B)/cpl0-native
	@tests/checks/native/bench-native.sh $(B)

# System calls of own code: make syscalls SEED=7 COUNT=20000.
TESTS += syscalls

syscalls: $(B)/cpl0-native $(B)/tests/int80
	@python3 -B tests/checks/native/syscalls.py $(B) $(or $(SEED),1) $(or $(COUNT),600)

.PHONY: native bench-native syscalls

# C functions as snippets, in all three.
TESTS_LONG += function

function: $(B)/cpl0-native $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/test-function.sh $(B)
.PHONY: function

# What README.md says that the programs print.
TESTS += readme

readme: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tests/checks/docs/check-readme.sh $(B)
.PHONY: readme

# Report pages in a real browser.
TESTS_LONG += trace-truth
trace-truth: $(B)/cpl0-sim kernels
	@sim/tests/trace-truth.sh $(B)
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
include tests/ways/ways.mk

# Changes of one token, and which test notices each: make mutants SEED=7 COUNT=20 FILES='pmu/p5.c'.
mutants: all unit-build
	@python3 -B tests/mutants/mutants.py $(B) $(or $(SEED),1) $(or $(COUNT),20) \
		$(ONLY:%=--only %) $(FILES)
.PHONY: mutants
