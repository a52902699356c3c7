# The instruction tables: bench/instr/forms/*.csv -> $(B)/gen/instr/tables_32.c and tables_64.c.
# The Makefile compiles the one of each kernel's width. The order of the files is the order of the
# benchmarks; *_64.csv are forms of CPUs that have long mode, which the 32-bit kernel leaves out.

INSTR_ROWS_32   := general mmx_sse avx 3dnow
INSTR_ROWS_64   := $(INSTR_ROWS_32) general_64 avx512_64 avx_64
INSTR_FORMS_32  := $(INSTR_ROWS_32) sequences divisions lea
INSTR_FORMS_64  := $(INSTR_ROWS_64) sequences sequences_64 divisions lea
INSTR_CSV_32    := $(INSTR_FORMS_32:%=bench/instr/forms/%.csv)
INSTR_CSV_64    := $(INSTR_FORMS_64:%=bench/instr/forms/%.csv)
INSTR_TABLES_32 := $(B)/gen/instr/tables_32.c
INSTR_TABLES_64 := $(B)/gen/instr/tables_64.c

$(B)/gen/instr/instr-tables: $(wildcard bench/instr/gen/*.[ch]) bench/instr/tables.h \
		kernel/cpu/features.c kernel/cpu/cpu.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) -std=gnu11 -O1 -Wall -Wextra -Werror -I. -o $@ $(filter %.c,$^)

$(INSTR_TABLES_32): $(INSTR_CSV_32)
$(INSTR_TABLES_64): $(INSTR_CSV_64)
$(INSTR_TABLES_32) $(INSTR_TABLES_64): $(B)/gen/instr/instr-tables
	$(call say,GEN,$@)
	$(Q)$< $(filter %.csv,$^) >$@

# For host tests.
$(B)/tests/instr_tables.o: $(INSTR_TABLES_64) bench/instr/tables.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) -std=gnu11 -g -O1 -Wall -Wextra -Werror -I. -c -o $@ $<
