# Fuzzing of everything that reads what others wrote, by clang's libFuzzer: `make fuzz-short` in
# `make test-all`, `make fuzz` for FUZZ_SECONDS each. They begin with the inputs of
# tests/data/fuzz/NAME and keep what they find in $(B)/fuzz/NAME.corpus.
FUZZ_SECONDS ?= 600

FUZZERS += bootinfo
fuzz_bootinfo_SRCS := kernel/chipset/bootinfo.c

FUZZERS += acpi
fuzz_acpi_SRCS := kernel/chipset/acpi.c

FUZZERS += args
fuzz_args_SRCS := kernel/lib/args.c kernel/lib/nearest.c kernel/lib/text.c

FUZZERS += module
fuzz_module_SRCS := bench/modulefile.c bench/elf.c bench/snippet_load.c

FUZZERS += log
fuzz_log_SRCS := $(addprefix tools/,lib/alloc.c log/record.c log/logfile.c \
	log/keys.c lib/output.c)
fuzz_log_LIBS := $(B)/tools/log/rows.o

FUZZERS += screen
fuzz_screen_SRCS := $(addprefix kernel/console/,box.c cells.c details.c events.c figure.c head.c \
	help.c levels.c record.c screen.c summary.c table.c view.c) \
	kernel/lib/args.c kernel/lib/nearest.c kernel/lib/text.c tests/unit/support/fake_machine.c
fuzz_screen_CFLAGS := -iquote tests/unit/support/shim

FUZZERS += events
fuzz_events_SRCS := $(PMU_SRCS)
fuzz_events_LIBS := $(B)/tests/pmu_tables.o

FUZZ_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I. \
	-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all

define fuzzer
$$(B)/fuzz/$(1): tests/fuzz/fuzz_$(1).c $$(fuzz_$(1)_SRCS) $$(fuzz_$(1)_LIBS)
	@mkdir -p $$(@D)
	$$(call say,CLANG,$$@)
	$$(Q)clang $$(FUZZ_CFLAGS) $$(fuzz_$(1)_CFLAGS) -o $$@ $$^
endef
$(foreach f,$(FUZZERS),$(eval $(call fuzzer,$(f))))

TESTS_LONG += fuzz-short

# Without clang there is nothing to run.
ifneq ($(shell command -v clang),)
fuzz-short: $(FUZZERS:%=$(B)/fuzz/%)
	@tests/fuzz/run.sh $(B)/fuzz 5 $(FUZZERS)
else
fuzz-short:
	@echo "0 passed, 0 failed, 1 skipped: no clang here"
endif

fuzz: $(FUZZERS:%=$(B)/fuzz/%)
	@tests/fuzz/run.sh $(B)/fuzz $(FUZZ_SECONDS) $(FUZZERS)
.PHONY: fuzz fuzz-short
