# cpl0-log, the reader of logs. Included by the Makefile.
B ?= build
HOSTCC ?= cc

TOOLS_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -I. -MMD -MP
TOOLS_LIB    := $(addprefix lib/,alloc csv near output) log/record log/logfile log/keys isa/isa \
	$(addprefix result/,figures forms machine ports results runs summary table) \
	compare convert cores datasheet db export list \
	policy policy/answer policy/models reference show text report/report \
	samples/samples
TOOLS_OBJS   := $(TOOLS_LIB:%=$(B)/tools/%.o) $(B)/tools/lib/embedded.o $(B)/tools/log/rows.o
EVENTS_OBJS  := $(addprefix $(B)/tools/events/,events.o tables.o rows.o)

tools: $(B)/cpl0-log
.PHONY: tools

$(B)/cpl0-log $(B)/portable/cpl0-log: $(B)/tools/main.o $(B)/tools/pager.o $(B)/tools/help.o \
		$(B)/tools/version.o $(EVENTS_OBJS) $(TOOLS_OBJS)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(HOSTCC) $(HOSTLDFLAGS) -o $@ $^ -lsqlite3 -lZydis -lm

$(B)/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(TOOLS_CFLAGS) $(HOSTCFLAGS) -c -o $@ $<

$(B)/tools/version.o: $(B)/version.c
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTCFLAGS) -c -o $@ $<

# The kernel's event tables, and how it reads them: the 32-bit kernel has all families.
$(B)/tools/events/tables.o: $(B)/gen/pmu/tables_32.c
$(B)/tools/events/rows.o: pmu/events.c
$(B)/tools/events/tables.o $(B)/tools/events/rows.o:
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(TOOLS_CFLAGS) $(HOSTCFLAGS) -c -o $@ $<

# The kinds and keys of the log.
$(B)/gen/log/rows.c: tools/log/records.awk tools/log/records.csv VERSION
	@mkdir -p $(@D)
	$(call say,AWK,$@)
	$(Q)awk -v make=c -v release=$(RELEASE) -f $(filter %.awk %.csv,$^) >$@

$(B)/tools/log/rows.o: $(B)/gen/log/rows.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(TOOLS_CFLAGS) $(HOSTCFLAGS) -c -o $@ $<

# The command table as a manual page and as completion for three shells.
$(B)/mkhelp: $(B)/tools/mkhelp.o $(B)/tools/help.o $(B)/tools/version.o \
		$(B)/tools/lib/output.o
	$(call say,LD,$@)
	$(Q)$(HOSTCC) $(HOSTLDFLAGS) -o $@ $^

HELP_FILES := $(addprefix $(B)/cpl0-log.,1 bash zsh fish)
$(HELP_FILES): $(B)/cpl0-log.%: $(B)/mkhelp
	$(call say,HELP,$@)
	$(Q)$(B)/mkhelp $* >$@

# The same of the others, from what their --help prints.
HELP_FILES += $(foreach p,cpl0-native cpl0-sim,$(addprefix $(B)/$(p).,1 bash zsh fish))
$(B)/cpl0-native.% $(B)/cpl0-sim.%: HELP = awk -v program=$(basename $(@F)) \
	-v form=$(subst .,,$(suffix $@)) -v release=$(RELEASE) -v what='$(HELP_WHAT)' \
	-f tools/dist/help.awk
$(B)/cpl0-native.%: HELP_WHAT := runs the benchmarks of cpl0 as a Linux process
$(B)/cpl0-sim.%: HELP_WHAT := boots the kernels of cpl0 on simulated processors
$(addprefix $(B)/cpl0-native.,1 bash zsh fish): $(B)/cpl0-native tools/dist/help.awk
	$(call say,HELP,$@)
	$(Q)$< --help | $(HELP) >$@
$(addprefix $(B)/cpl0-sim.,1 bash zsh fish): $(B)/cpl0-sim tools/dist/help.awk
	$(call say,HELP,$@)
	$(Q)$< --help | $(HELP) >$@

# The ISA set of each instruction form, as bench/instr/ makes the forms of both widths.
$(B)/mkisa: tools/isa/mkisa.c $(wildcard bench/instr/*.[ch]) bench/bench.h kernel/cpu/features.c \
		kernel/cpu/cpu.h $(INSTR_TABLES_64)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) -std=gnu11 -O1 -Wall -Wextra -Werror -I. -o $@ $(filter %.c,$^)

$(B)/isa.txt: $(B)/mkisa
	$(call say,GEN,$@)
	$(Q)$< >$@

# Files that become part of the program.
$(B)/tools/lib/embedded.o: tools/lib/embedded.S docs/machines/measured-latency.csv $(B)/plots.js \
		$(B)/isa.txt $(wildcard tools/report/*.js tools/report/page.*)
	@mkdir -p $(@D)
	$(call say,AS,$@)
	$(Q)$(HOSTCC) -Wa,-I$(B) -c -o $@ $<

# The plotting library of report pages, its licence in front: Debian's package libjs-dygraphs.
DYGRAPHS         ?= /usr/share/javascript/dygraphs
DYGRAPHS_LICENCE ?= /usr/share/doc/libjs-dygraphs/copyright

$(B)/plots.js: tools/report/plots.sh $(B)/plots-from
	$(call say,PLOTS,$@)
	$(Q)tools/report/plots.sh '$(DYGRAPHS)' '$(DYGRAPHS_LICENCE)' $@

$(B)/plots-from: FORCE
	$(call remember,$(wildcard $(DYGRAPHS)/dygraph.min.* $(DYGRAPHS_LICENCE)))

# The tables of pages that the sources give: records.csv, and kernel/lib/args.c by list=arguments.
tables: $(B)/cpl0-native
	$(call say,AWK,docs/log-format.md)
	@mkdir -p $(B)
	$(Q)awk -v make=page -f tools/log/records.awk tools/log/records.csv docs/log-format.md \
		>$(B)/page.md
	$(Q)cat $(B)/page.md >docs/log-format.md
	$(call say,AWK,docs/kernel-arguments.md)
	$(Q)$(B)/cpl0-native list=arguments >$(B)/arguments
	$(Q)awk -f tools/record.awk -f tools/arguments.awk $(B)/arguments \
		docs/kernel-arguments.md >$(B)/page.md
	$(Q)cat $(B)/page.md >docs/kernel-arguments.md
.PHONY: tables

-include $(wildcard $(B)/tools/*.d $(B)/tools/*/*.d)

# Logs of every simulated machine, BUILD/machines/. MODELS='p5 zen4' makes some of them.
reference-logs: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tools/reference-logs.sh $(B) $(MODELS)
.PHONY: reference-logs
