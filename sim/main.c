/*
 * sim/main.c - cpl0-sim: one run of one kernel.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/boot/loader.h"
#include "sim/build.h"
#include "sim/command_line.h"
#include "sim/cpu/machine.h"
#include "sim/cpu/msr.h"
#include "sim/cpu/unicorn.h"
#include "sim/model/models.h"
#include "sim/model/options.h"
#include "sim/pc/devices.h"
#include "sim/pc/fw_cfg.h"
#include "sim/pc/output.h"
#include "sim/pc/screen.h"
#include "sim/pc/state.h"
#include "sim/run.h"
#include "sim/step/trace.h"
#include "tools/lib/output.h"

static bool read_input(struct machine *pc, const char *path, uint8_t **bytes)
{
	FILE *f = path ? fopen(path, "rb") : NULL;

	*bytes = NULL;
	if (!path)
		return true;
	if (!f)
		return false;
	*bytes = malloc(65536);
	if (*bytes) {
		pc->dev->uart.input = *bytes;
		pc->dev->uart.input_size = fread(*bytes, 1, 65536, f);
	}
	fclose(f);
	devices_reset(pc);
	return *bytes;
}

/* The machine that a signal ends. */
static struct machine *running;

static void on_signal(int signal)
{
	running->signal = signal;
}

/* SIGINT, SIGTERM and SIGALRM end the run, so that the log is written. */
static void catch_signals(struct machine *pc)
{
	struct sigaction action = { .sa_handler = on_signal };

	running = pc;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	if (pc->opt.max_seconds)
		alarm(pc->opt.max_seconds);
}

/* The exit code. Kernels of others say no `done`, but many write to the debug-exit port. */
static int exit_status(const struct machine *pc)
{
	int status = output_status(pc->out);

	if (status != NO_DONE)
		return status;
	if (pc->end == END_EXIT)
		return pc->exit_code & 0xff;
	if (pc->end == END_SIGNAL && pc->signal != SIGALRM)
		return 128 + pc->signal;
	return status;
}

/* Behind the model's name, what must be known of its clocks; sim/README.md has the words. */
static const char *clocks_note(const struct machine *pc)
{
	if (pc->opt.flat)
		return ", clocks are nominal";
	if (pc->model->flags & MODEL_PIPELINE)
		return "";
	return pc->core[0] ? ", clocks are a scoreboard's" : ", clocks are nominal";
}

static int report(const struct machine *pc)
{
	int status = exit_status(pc);

	fflush(stdout);
	fprintf(stderr, "cpl0-sim: %s (%s%s)\n", pc->why, pc->model->name, clocks_note(pc));
	if (*pc->unsupported)
		fprintf(stderr, "cpl0-sim: %s: the real %s has it, this one has not (#UD)\n",
		        pc->unsupported, pc->model->name);
	if (pc->cannot)
		fprintf(stderr, "cpl0-sim: cannot %s\n", pc->cannot);
	return status;
}

/* Does something of the run go to standard error? */
static bool wants_stderr(const struct options *opt)
{
	return opt->stats || (opt->trace && !strcmp(opt->trace, "-"));
}

static int run(struct machine *pc, const struct options *opt)
{
	struct loaded loaded = { 0 };
	char error[256];
	uint8_t *input = NULL;
	const char *file;
	int status = EXIT_USAGE;

	if (!build_machine(pc, opt)) {
		command_line_misuse(
			"cannot make the machine (memory, or another Unicorn than 2.0.1)", NULL);
	} else if (!loader_load(pc, &loaded, error, sizeof(error))) {
		command_line_misuse(error, NULL);
	} else if (!fw_cfg_open(pc, &file)) {
		command_line_misuse("cannot read", file);
	} else if (!read_input(pc, opt->input, &input)) {
		command_line_misuse("cannot read", opt->input);
	} else if (!(pc->out = output_open(opt->log))) {
		command_line_misuse("cannot write", opt->log);
	} else if ((opt->trace || opt->stats) &&
	           !(pc->trace = trace_open(opt->trace, opt->trace_from, opt->trace_count))) {
		command_line_misuse("cannot write", opt->trace);
	} else {
		unicorn_flat32(&pc->cpu[0], loaded.entry, loaded.gdt);
		unicorn_set_reg(&pc->cpu[0], REG_AX, loaded.magic);
		unicorn_set_reg(&pc->cpu[0], REG_BX, loaded.info);
		unicorn_set_reg(&pc->cpu[0], REG_SI, loaded.parameters);
		catch_signals(pc);
		run_machine(pc);
		status = report(pc);
		if (opt->screen.dump && !screen_dump(pc))
			status = EXIT_USAGE;
		if (opt->stats) {
			trace_stats(pc->trace, pc);
			for (unsigned i = 0; i < pc->cpus; i++)
				msr_print_changed(&pc->cpu[i], stderr);
		}
	}
	if (!trace_close(pc->trace, opt->trace))
		status = EXIT_USAGE;
	if (!output_close(pc->out, opt->log))
		status = EXIT_USAGE;
	if (wants_stderr(opt) && ferror(stderr)) /* where there is no place for a message */
		status = EXIT_USAGE;
	free(input);
	return status;
}

int main(int argc, char **argv)
{
	static struct machine pc;
	struct options opt = { .model = model_by_name("skylake"),
		               .cpus = 1,
		               .threads = 1,
		               .memory_mb = 64,
		               .max_instructions = 4000000000,
		               .translations = 400000,
		               .slice = 1000,
		               .faults = { .smi_clocks = 100000 } };
	int status;

	(void)argc;
	output_begin();
	status = command_line_parse(&opt, argv);
	if (status < 0) {
		status = run(&pc, &opt);
		build_free(&pc);
	}
	free(opt.command_line);
	return output_close_checked(stdout, "cpl0-sim", "standard output") ? status : EXIT_USAGE;
}
