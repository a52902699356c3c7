/*
 * kmain(): the table of contents of a run. It knows all layers.
 */
#include "bench/accesses.h"
#include "bench/bench.h"
#include "bench/engine/platform.h"
#include "bench/footprint.h"
#include "bench/module.h"
#include "bench/run/table.h"
#include "bench/threads/threads.h"
#include "bench/usercode.h"
#include "kernel/chipset/acpi.h"
#include "kernel/chipset/apic.h"
#include "kernel/lib/args.h"
#include "kernel/chipset/bootinfo.h"
#include "kernel/chipset/clock.h"
#include "kernel/cpu/conditions.h"
#include "kernel/console/console.h"
#include "kernel/console/pager.h"
#include "kernel/cpu/cpu.h"
#include "bench/run/exit.h"
#include "kernel/cpu/flush.h"
#include "kernel/cpu/fpu.h"
#include "kernel/cpu/guest.h"
#include "kernel/trap/usermode.h"
#include "kernel/firmware/bios.h"
#include "kernel/firmware/efi.h"
#include "kernel/firmware/save.h"
#include "kernel/lib/log.h"
#include "kernel/lib/quirks.h"
#include "kernel/smp/list.h"
#include "kernel/smp/smp.h"
#include "kernel/chipset/memory.h"
#include "kernel/chipset/phys.h"
#include "kernel/chipset/irqmask.h"
#include "kernel/chipset/rtc.h"
#include "kernel/chipset/smbios.h"
#include "kernel/lib/string.h"
#include "kernel/trap/trap.h"
#include "kernel/chipset/usb.h"
#include "kernel/chipset/ioremap.h"
#include "kernel/lib/version.h"
#include "kernel/trap/watchdog.h"
#include "pmu/pmu.h"

enum {
	ARENA_WANT = 64 << 20,
	ARENA_SHARE = 512 << 10, /* bytes for each CPU, if that is more */
	LOG_WANT = 8 << 20,      /* bytes of log to keep: that of bench=* has four million */
	LOG_LEAST = 64 << 10,    /* ... or the console's own room */
	TABLE_SHARE = 8,         /* of that room for the table at the end: a line has 80 bytes */
	PLANS = 256 << 10,       /* bytes that are left for the plans of events */
	PLANS_ALL = 2 << 20,     /* ... of all events: Skylake's take 1.5 MB */
	PAGE = 4096,
	CMDLINE_SHOWN = 200,
	YEAR_FIRST = 2025, /* a clock that shows an earlier one was never set, or has stopped */
	VECTOR_5AP = 15,
	SAVE_SECONDS = 10, /* the log that a crash may lose on the medium */
	STOP_SECONDS = 2,  /* that the key Escape of the firmware's keyboard may take */
};

extern const uint8_t kernel_start[], kernel_end[];

static struct bootinfo bi;
static struct args args;
static struct acpi acpi;
static struct smbios smbios;
static struct cpu cpu;
static struct memory memory;
static struct clocks clocks;
static struct memory before_runs; /* what a run takes is free again for the next one */
static struct bench_run run = { .cpu = &cpu, .args = &args };

static void complain_boot(const char *what, const char *why)
{
	log_error("boot", what, why);
}

static void complain_argument(const char *word, const char *why)
{
	log_error("argument", word, why);
}

/* An odd memory map is firmware's, not the user's: what is wrong is left out. */
static void complain_memory(const char *what, const char *why)
{
	log_warn("memory", what, why);
}

static void complain_firmware(const char *what, const char *why)
{
	log_warn("firmware", what, why);
}

/* All outputs of the log. */
static void write_out(const char *line, size_t n)
{
	console_write(line, n);
	save_text(line, n);
}

/* The first record of every log; its number of this run begins the chain of check values. */
static void announce(void)
{
	log_begin("cpl0");
	log_dec("schema", LOG_SCHEMA);
	log_str("version", cpl0_version);
	log_dec("bits", sizeof(void *) * 8);
	log_hex("run_id", x86_rdtsc());
	log_end();
}

static void read_arguments(void)
{
	static char words[BOOT_CMDLINE]; /* args_parse() cuts it and points into it */

	memcpy(words, bi.cmdline, sizeof(words));
	args_parse(&args, words, complain_argument);
	quirks_set(args.quirks);
	exit_configure(args.exit, &acpi, &bi);
}

/* Everything the loader and the firmware say, before there is a place to print it. */
static void read_boot_data(uint32_t magic, uint32_t info)
{
	const void *memory_base = (const void *)phys_ptr(0);

	bootinfo_parse(&bi, magic, info, memory_base, PHYS_LIMIT, complain_boot);
	efi_memory(&bi, complain_firmware);
	bootinfo_check(&bi, (uintptr_t)kernel_start, (uintptr_t)kernel_end, complain_boot);
	read_arguments();
	acpi_parse(&acpi, bi.rsdp, memory_base, PHYS_LIMIT, complain_firmware);
	smbios_parse(&smbios, bi.efi_table, bi.efi_bits, memory_base, PHYS_LIMIT,
	             complain_firmware);
}

static void open_log_file(void)
{
	save_begin(&args, &bi);
	if (!save_needs())
		console_alone();
}

/* A record holds so much of a note, each byte of which may need four. */
static size_t shown(const char *note)
{
	size_t n = strlen(note);

	return n < CMDLINE_SHOWN ? n : CMDLINE_SHOWN;
}

static void log_boot(void)
{
	const char *line = bi.cmdline;

	log_begin("boot");
	log_str("protocol", bi.protocol);
	log_str("loader", bi.loader);
	log_str("firmware", bi.efi ? "uefi" : "bios");
	log_dec("modules", bi.nmodules);
	log_bool("acpi", acpi.present);
	log_end();
	while (*line == ' ')
		line++;
	log_begin("cmdline");
	if (strlen(line) <= CMDLINE_SHOWN) {
		log_str("text", line);
	} else {
		log_strn("text", line, CMDLINE_SHOWN);
		log_dec("length", strlen(line));
	}
	log_end();
	if (!args.note)
		return;
	log_begin("note");
	log_strn("text", args.note, shown(args.note));
	log_end();
}

static void log_date(void)
{
	struct rtc_time t;
	char text[RTC_TEXT];

	if (acpi.no_rtc || !rtc_read(&t, acpi.century, rtc_cmos))
		return;
	rtc_text(&t, text);
	log_begin("date");
	log_str("rtc", text);
	if (t.year < YEAR_FIRST)
		log_bool("implausible", true);
	log_end();
}

static void log_name(const char *key, enum smbios_name name)
{
	if (*smbios.name[name])
		log_str(key, smbios.name[name]);
}

static void log_board(void)
{
	if (!smbios.present)
		return;
	log_begin("board");
	log_name("system_maker", SMBIOS_SYSTEM_MAKER);
	log_name("system", SMBIOS_SYSTEM_PRODUCT);
	log_name("system_version", SMBIOS_SYSTEM_VERSION);
	log_name("board_maker", SMBIOS_BOARD_MAKER);
	log_name("board", SMBIOS_BOARD_PRODUCT);
	log_name("board_version", SMBIOS_BOARD_VERSION);
	log_name("bios_maker", SMBIOS_BIOS_VENDOR);
	log_name("bios", SMBIOS_BIOS_VERSION);
	log_name("bios_date", SMBIOS_BIOS_DATE);
	log_end();
}

/* When this is and on which machine, unless the user does not want it known. */
static void log_place(void)
{
	if (args.anonymous)
		return;
	log_date();
	log_board();
}

/*
 * Erratum 5AP of the Pentium Pro: an interrupt of the local APIC that is taken back may arrive as
 * vector 15, which no exception of the CPU uses (Linux, spurious_interrupt_bug).
 */
static void ignore_vector(struct trap_frame *f)
{
	(void)f;
}

static void end_log(const char *reason);

/* Nothing can be measured in a guest whose exits are exceptions: it ends here. */
static void refuse_secrets(void)
{
	const char *kind = guest_secret(&cpu, x86_cpuid);

	if (!kind)
		return;
	log_error("guest", kind,
	          "this virtual machine keeps its memory from the hypervisor, which cpl0 does not "
	          "support: take one without");
	end_log("guest");
	exit_now(false);
}

static void measure_guest(void)
{
	static uint8_t lines[FLUSH_ROOM] __attribute__((aligned(PAGE)));

	guest_begin(&cpu, lines);
}

static void know_cpu(void)
{
	cpu_identify(&cpu, cpu_has_cpuid(), x86_cpuid);
	if (cpu_lift_leaf_limit(&cpu))
		cpu_identify(&cpu, true, x86_cpuid);
	cpu_read_microcode(&cpu);
	cpu_log(&cpu);
	refuse_secrets();
	fpu_init(&cpu);
	measure_guest();
	if (quirk(QUIRK_5AP, cpu.vendor == VENDOR_INTEL && cpu.family == 6 && cpu.model == 1))
		trap_on_vector(VECTOR_5AP, ignore_vector);
	irqmask_apic(&cpu);
	irqmask_log(acpi.cpus, trap_nmi_count(), trap_mce_count());
}

static void keep(uint64_t address, size_t size, enum usermode_rights rights)
{
	/* The window above 4 GiB is in all page tables as it is. */
	if (address && address < PHYS_LIMIT)
		usermode_open((const void *)phys_ptr((uint32_t)address), size, rights);
}

/* What the kernel writes to while the user's code runs at CPL 3. */
static void keep_devices(void)
{
	keep(apic_page(), PAGE, USERMODE_DEVICE);
	keep(console_page(), PAGE, USERMODE_DEVICE);
	if (sizeof(uintptr_t) == 4 && bi.fb.kind == FB_RGB && bi.fb.addr < PHYS_LIMIT)
		keep(bi.fb.addr, (size_t)bi.fb.pitch * bi.fb.height, USERMODE_KERNEL);
}

static struct memory trial; /* what is taken from it stays free in `memory` */

static size_t plan_room(void)
{
	return args.events && !strcmp(args.events, "all") ? PLANS_ALL : PLANS;
}

/* What is left beside the arena: keys at the end page through the log, and a table ends it. */
static void keep_log(void)
{
	size_t size = LOG_WANT;
	void *room;

	for (trial = memory; size >= LOG_LEAST; size /= 2)
		if (memory_alloc(&trial, size + plan_room(), PAGE))
			break;
	room = size >= LOG_LEAST ? memory_alloc(&memory, size, PAGE) : NULL;
	if (!room)
		return;
	usermode_open(room, size, USERMODE_KERNEL);
	size -= size / TABLE_SHARE;
	console_keep(room, size);
	table_room((char *)room + size, size / (TABLE_SHARE - 1));
}

/* The table is the firmware's: of more than SMP_CPUS none is started. */
static unsigned cpus_listed(void)
{
	if (acpi.cpus > SMP_CPUS)
		return SMP_CPUS;
	return acpi.cpus ? acpi.cpus : 1;
}

static size_t arena_want(void)
{
	size_t want = ARENA_WANT;

	while (want / ARENA_SHARE < cpus_listed())
		want *= 2;
	return want;
}

/* With little memory the plans come first: without them nothing is counted. */
static bool take_arena(void)
{
	size_t want = arena_want();

	for (; want > LOG_LEAST; want /= 2) {
		trial = memory;
		if (memory_arena(&trial, want) &&
		    memory_alloc(&trial, LOG_LEAST + plan_room(), PAGE))
			break;
	}
	return memory_arena(&memory, want);
}

/* CPUs without MTRRs have no memory above 4 GiB. */
static bool is_write_back(uint64_t base, uint64_t size)
{
	const char *type = conditions_memory_type(&cpu, base, size);

	return !strcmp(type, "wb") || (!strcmp(type, "unknown") && base + size <= PHYS_LIMIT);
}

/* Nothing of the expanse is touched here: it may be large, and other machines lend it. */
static void take_expanse(void)
{
	size_t tables;
	void *room;

	run.area.expanse = run.area.arena;
	run.area.expanse_size = run.area.arena_size;
	if (!memory_expanse(&memory, footprint_most(&cpu, cpus_listed()), ioremap_memory_limit(),
	                    is_write_back))
		return;
	tables = ioremap_memory_tables(memory.expanse, memory.expanse_size);
	room = tables ? memory_alloc(&memory, tables, PAGE) : NULL;
	if (tables && !room) {
		log_warn("memory", "expanse", "no memory for its page tables");
		return;
	}
	ioremap_memory(memory.expanse, memory.expanse_size, room);
	run.area.expanse = (uint8_t *)(uintptr_t)memory.expanse;
	run.area.expanse_size = (size_t)memory.expanse_size;
}

static void know_memory(void)
{
	uint8_t *stack;

	if (!memory_init(&memory, &bi, (uintptr_t)kernel_start, (uintptr_t)kernel_end,
	                 complain_memory))
		log_error("memory", NULL, "no usable memory: nothing can be measured");
	platform_place_code(memory_alloc(&memory, PLATFORM_CODE, PAGE));
	run.area.data = memory_alloc(&memory, BENCH_DATA, 0x10000);
	stack = memory_alloc(&memory, BENCH_STACK, PAGE);
	run.area.stack = stack ? stack + BENCH_STACK / 2 : NULL;
	usermode_init(&cpu, memory_alloc(&memory, usermode_size(&cpu), PAGE));
	keep_devices();
	if (!take_arena())
		log_warn("memory", "arena", "less than 64 KiB free in one piece");
	run.area.arena = memory.arena;
	run.area.arena_size = memory.arena_size;
	keep_log();
	take_expanse();
	before_runs = memory;
	memory_log(&memory);
}

/* The fixed-range MTRRs give the first GiB several types, whatever the others say. */
static bool arena_has_whole_gib(void)
{
	uint64_t gib = (uint64_t)1 << 30, base = (uintptr_t)run.area.arena & ~(gib - 1);

	return base && strcmp(conditions_memory_type(&cpu, base, gib), "wb") == 0;
}

/* The controllers are taken from the firmware, unless it writes the log; then it has keys, too. */
static void know_usb(void)
{
	if (!save_needs())
		usb_take_over();
	else if (efi_alive())
		console_keys_from(efi_key, true);
	else
		console_keys_from(bios_key, false);
}

/*
 * What is done to the core behind our back, and whether the arena is what caches like. Comes before
 * the clocks: a TSC that counts core clocks is measured at the clock that stays.
 */
static void know_conditions(void)
{
	const char *type =
		conditions_memory_type(&cpu, (uintptr_t)run.area.arena, run.area.arena_size);

	run.area.whole_gib = arena_has_whole_gib();
	conditions_begin(&cpu, args.clocks, args.prefetch, save_needs());
	log_begin("arena");
	log_hex("base", (uintptr_t)run.area.arena);
	log_dec("kb", run.area.arena_size >> 10);
	log_str("type", type);
	log_end();
	if (strcmp(type, "wb") && strcmp(type, "unknown"))
		log_warn("arena", type, "not write-back: cache figures will not be the cache's");
}

static void *plan_memory(size_t size)
{
	void *p = memory_alloc(&memory, size, 16);

	if (!p)
		return NULL;
	usermode_open(p, size, USERMODE_KERNEL); /* the engine reads the plan between two runs */
	return memset(p, 0, size);
}

/* The events of all benchmarks; the user's code may run at a level of its own. */
static void plan(bool user_code)
{
	struct pmu_want want = { .events = args.events, .cpl = args.cpl, .alloc = plan_memory };

	pmu_plan(&run.plan, &want);
	run.user_plan = run.plan;
	if (!user_code || args.cpl_set)
		return;
	want.cpl = platform_user_cpl();
	want.quiet = true;
	pmu_plan(&run.user_plan, &want);
}

static void between_benchmarks(void)
{
	save_poll(clocks.tsc_hz * SAVE_SECONDS);
}

/* Looks at the keyboard now and then; at the firmware's seldom, as that takes milliseconds. */
static bool stop_wanted(void)
{
	static uint64_t looked, asked;
	uint64_t now = x86_rdtsc(), hz = clocks.tsc_hz ? clocks.tsc_hz : 1000000000;
	bool ask_firmware = now - asked > STOP_SECONDS * hz;

	if (args.exit != EXIT_ASK || now - looked < hz / 4)
		return false;
	looked = now;
	if (ask_firmware)
		asked = now;
	return console_stop_key() || (ask_firmware && console_firmware_stop());
}

static void measure(void)
{
	static bool modules_open, modules;
	bool user_code;

	user_code = usercode_init(&args);
	accesses_init(&args);
	modules = modules_open ? modules : module_init(&bi);
	modules_open = true;
	args.lost |= bi.nmodules && !modules;
	user_code |= modules;
	pmu_init(&cpu);
	plan(user_code);
	run.number++;
	run.tsc_hz = clocks.tsc_hz;
	run.core_per_tsc = clocks.core_per_tsc;
	run.between = between_benchmarks;
	run.stop = stop_wanted;
	run.args = &args;
	run.threads = threads_run;
	run.alloc = plan_memory;
	smp_setup(&(struct smp_setup){ &cpu, &acpi, &bi, clocks.tsc_hz, plan_memory });
	if (args.exit == EXIT_ASK)
		console_firmware_stop(); /* keys from before are not for this run */
	save_flush(true); /* whatever the code does that is measured, the machine is known */
	if (args.list_events)
		pmu_list();
	else if (args.list)
		bench_list(&run);
	else
		bench_run_all(&run);
}

/* `done` is the last record, so what is wrong with the medium must come before. */
static void end_log(const char *reason)
{
	const char *why;

	save_flush(true);
	log_done(reason);
	why = save_flush(false);
	if (why)
		log_chat(why);
}

/* How the run ends behind an unexpected trap; its record stands before. */
static void end_by_trap(bool silent)
{
	usermode_drop();
	log_worsen(LOG_FAIL);
	if (!silent)
		end_log("trap");
	exit_now(false);
}

/* What the run changed, on the CPU that calls; the boot CPU's own settings come last. */
static void put_back(void *same_kind)
{
	if (same_kind) /* nothing has saved the counters of another kind of core */
		pmu_put_back();
	smp_put_back();
}

static void finish(void)
{
	smp_everywhere(put_back);
	pmu_fini();
	guest_end(&cpu);
	conditions_end(&cpu);
	quirks_end();
	if (console_dropped())
		log_warn("console", "uart", "bytes were given up: it was not ready in time");
	end_log(NULL);
	if (args.exit != EXIT_ASK)
		exit_now(log_status_now() == LOG_OK);
}

/* Asks for the next run by keys; returns if there is one. */
static void ask(void)
{
	enum pager_wish wish =
		pager_ask(bi.cmdline, sizeof(bi.cmdline), save_again, save_lacks, pmu_next_event);

	if (wish == PAGER_RUN)
		return;
	exit_configure(wish == PAGER_REBOOT ? EXIT_REBOOT
	               : wish == PAGER_OFF  ? EXIT_POWEROFF
	                                    : EXIT_HALT,
	               &acpi, &bi);
	exit_now(log_status_now() == LOG_OK);
}

/* Another run has a log of its own, from the first record to the last. */
static void begin_again(void)
{
	log_restart();
	save_restart();
	announce();
	read_arguments();
	console_log();
	log_boot();
	log_place();
	cpu_log(&cpu);
	measure_guest();
	save_begin(&args, &bi); /* the medium may be another one by now */
	if (smp_stop())         /* other CPUs wait in memory that the last run took */
		memory = before_runs;
	memory_log(&memory);
}

void kmain(uint32_t magic, uint32_t info);

void kmain(uint32_t magic, uint32_t info)
{
	irqmask_pic(); /* nothing interrupts from here on */
	trap_init();   /* a fault becomes a record */
	trap_hooks()->fatal = end_by_trap;
	log_sink(write_out);         /* kept until there is a console */
	announce();                  /* what this is */
	read_boot_data(magic, info); /* loader, arguments, firmware tables */
	console_look(args.scale, args.rotate);
	console_init(args.console, &acpi, &bi);
	log_boot();      /* what booted us */
	log_place();     /* when and where */
	know_cpu();      /* which machine this is */
	open_log_file(); /* and where the log goes home to */
	know_memory();   /* and what of it is ours */
	know_usb();
	for (;;) {
		know_conditions();
		clock_init(&clocks, &cpu, &acpi);
		watchdog_init(clocks.tsc_hz, cpu_has_host(&cpu));
		measure(); /* record by record */
		finish();  /* the verdict, and the way out if it was given */
		ask();     /* ... else what keys ask for */
		begin_again();
	}
}
