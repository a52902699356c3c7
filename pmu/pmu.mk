# The event tables: pmu/events/*.csv -> $(B)/gen/pmu/tables_32.c, tables_64.c.
# Included by the Makefile, which compiles them into the kernel of that width (tables_32.c,
# which has all families, also into host tests).

PMU_EVENTS := $(filter-out %/models.csv %/aliases.csv %/errata.csv,$(wildcard pmu/events/*.csv))
PMU_TABLES_32 := $(B)/gen/pmu/tables_32.c
PMU_TABLES_64 := $(B)/gen/pmu/tables_64.c

$(B)/gen/pmu/pmu-events: pmu/gen/events.c pmu/netburst_units.h
	@mkdir -p $(@D)
	$(HOSTCC) -std=gnu11 -O1 -Wall -Wextra -Werror -I. -o $@ $<

$(B)/gen/pmu/tables_%.c: $(B)/gen/pmu/pmu-events $(PMU_EVENTS) \
		pmu/events/models.csv pmu/events/aliases.csv pmu/events/errata.csv
	$< $* pmu/events $(PMU_EVENTS) > $@.tmp
	mv $@.tmp $@
