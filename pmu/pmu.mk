# The event tables: pmu/events/ -> $(B)/gen/pmu/tables_32.c and tables_64.c.
# The Makefile compiles the one of each kernel's width.

# The lists of intel/perfmon, unpacked for the simulator too, and the table that is made from them.
PERFMON       := $(B)/gen/pmu/perfmon.csv
PMU_PERFMON   := $(B)/gen/pmu/arch-perfmon.csv

PMU_LISTS     := pmu/events/models.csv pmu/events/aliases.csv pmu/events/errata.csv
PMU_EVENTS    := $(filter-out $(PMU_LISTS),$(wildcard pmu/events/*.csv pmu/events/*/*.csv)) \
		 $(PMU_PERFMON)
PMU_TABLES_32 := $(B)/gen/pmu/tables_32.c
PMU_TABLES_64 := $(B)/gen/pmu/tables_64.c

$(B)/gen/pmu/pmu-events: pmu/gen/events.c pmu/netburst_units.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) -std=gnu11 -O1 -Wall -Wextra -Werror -I. -o $@ $<

$(PERFMON): pmu/events/perfmon/events.csv.gz
	@mkdir -p $(@D)
	@$(call need,gzip)
	$(call say,GZIP,$@)
	$(Q)gzip -dc $< >$@

$(PMU_PERFMON): $(PERFMON) pmu/gen/perfmon.awk
	$(call say,AWK,$@)
	$(Q)awk -f pmu/gen/perfmon.awk $(PERFMON) >$@

$(PMU_TABLES_32) $(PMU_TABLES_64): $(B)/gen/pmu/tables_%.c: \
		$(B)/gen/pmu/pmu-events $(PMU_EVENTS) $(PMU_LISTS)
	$(call say,GEN,$@)
	$(Q)$< $* pmu/events $(PMU_EVENTS) >$@

# For host tests: it has all families.
$(B)/tests/pmu_tables.o: $(PMU_TABLES_32) pmu/driver.h pmu/tables.h
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) -std=gnu11 -g -O1 -Wall -Wextra -Werror -I. -c -o $@ $<
