# cpl0-log, the reader of logs. Included by the Makefile.
B ?= build
HOSTCC ?= cc

TOOLS_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -I. -MMD -MP
TOOLS_LIB    := alloc log/record log/logfile convert results machine text list show cores compare \
	forms table reference report/report db \
	samples/samples
TOOLS_OBJS   := $(TOOLS_LIB:%=$(B)/tools/%.o) $(B)/tools/embedded.o

tools: $(B)/cpl0-log
.PHONY: tools

$(B)/cpl0-log: $(B)/tools/main.o $(B)/tools/version.o $(TOOLS_OBJS)
	$(call say,LD,$@)
	$(Q)$(HOSTCC) $(HOSTLDFLAGS) -o $@ $^ -lsqlite3 -lZydis

$(B)/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(HOSTCC) $(TOOLS_CFLAGS) $(HOSTCFLAGS) -c -o $@ $<

$(B)/tools/version.o: $(B)/version.c
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTCFLAGS) -c -o $@ $<

# Files that become part of the program.
$(B)/tools/embedded.o: tools/embedded.S docs/machines/measured-latency.csv $(B)/uplot.js \
		$(wildcard tools/report/*.js tools/report/page.*)
	@mkdir -p $(@D)
	$(call say,AS,$@)
	$(Q)$(HOSTCC) -Wa,-I$(B) -c -o $@ $<

$(B)/uplot.js: tools/report/uplot.sh
	$(call say,NPM,$@)
	$(Q)tools/report/uplot.sh $@

-include $(wildcard $(B)/tools/*.d $(B)/tools/*/*.d)

# Logs of every simulated machine, docs/machines/simulated/. MODELS='p5 zen4' makes some of them.
reference-logs: $(B)/cpl0-sim $(B)/cpl0-log kernels
	@tools/reference-logs.sh $(B) $(MODELS)
.PHONY: reference-logs
