/*
 * sim/command_line.c - the command line of cpl0-sim (sim/README.md).
 */
#include "sim/command_line.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files.h"
#include "sim/model/models.h"
#include "sim/model/options.h"
#include "sim/pmu/pmu.h"
#include "tools/asm/assemble.h"
#include "tools/lib/near.h"
#include "tools/lib/output.h"

extern const char cpl0_version[]; /* made by the Makefile */

static const char usage[] =
	"usage: cpl0-sim [OPTIONS] KERNEL [KERNEL-ARGUMENTS], or --help, or --version\n"
	"\n"
	"  --cpu MODEL              what to be (default: skylake); see --list\n"
	"  --smp N                  1 to 4 processors\n"
	"  --other MODEL            what the second half of them is: a hybrid part\n"
	"  --threads 1|2            how many of them are threads of one core (default: 1)\n"
	"  --mem MB                 memory, 2 to 262144 (default: 64), lent as it is used\n"
	"  --last-level SIZE        of the third-level cache, 1M to 2047M, instead of the model's\n"
	"  --cache LEVEL=[SIZE:WAYS:LINE:]POLICY[/POLICY]\n"
	"                           of l1d, l2 or llc, instead of the model's; the policy is LRU,\n"
	"                           FIFO, PLRU, PLRUl, LRU_PLRU4, MRU, MRU_N, NRU, SRRIP, BRRIP,\n"
	"                           RANDOM or QLRU_*; two of the last kinds duel\n"
	"  --structure NAME=ENTRIES[:WAYS]\n"
	"                           of dtlb, dtlb_large, itlb, itlb_large, stlb, btb, returns,\n"
	"                           rob, scheduler, load_queue, store_queue or fill_buffers,\n"
	"                           instead of the model's\n"
	"  --log FILE               copy of the serial output\n"
	"  --list [MODEL]           models, or one model and its events\n"
	"  --module FILE[=ARGS]     boot module, may be repeated\n"
	"  --fw-cfg NAME=FILE       a file that QEMU's fw_cfg ports show, may be repeated\n"
	"  --cpuid LEAF:SUBLEAF:REG:VALUE\n"
	"                           what CPUID says there instead, REG eax to edx; up to 8\n"
	"  --msr N:VALUE[:BITS]     a register that the model has instead or beside its own, and\n"
	"                           the bits that may be changed (default: none); up to 8\n"
	"  --hpet                   a high precision event timer\n"
	"  --multiboot 1|2          which header to use when there are both (default: 1)\n"
	"  --no-acpi                no ACPI tables\n"
	"  --serial fast|real       time of a byte: none to speak of, or what the divisor says\n"
	"  --input FILE             bytes that arrive on the serial port\n"
	"  --wait-for-input         a guest that waits for keys goes on waiting\n"
	"  --type TEXT              what somebody types there when the guest waits for it\n"
	"  --screen WxH[@ADDRESS]   a framebuffer, at 0xe0000000 unless told otherwise\n"
	"  --screenshot FILE        its picture at the end, as PPM\n"
	"  --flat                   one clock an instruction, no costs\n"
	"  --max-instructions N     end of a run that does not end (default: 4000000000)\n"
	"  --max-seconds N          the same by the host's clock (default: no limit)\n"
	"  --translations N         instructions that are translated before all translations are\n"
	"                           dropped, 1000 to 400000 (the default); the log is the same\n"
	"  --clock MHZ              rate of the TSC and of the core, instead of the model's\n"
	"  --slice N                clocks that a processor runs before the next (default: 1000)\n"
	"  --pmi-latency N          clocks from a counter's overflow to its interrupt, instead of\n"
	"                           the model's\n"
	"  --trace FILE             every instruction, with clocks, pipe and events (- : stderr)\n"
	"  --trace-from N           the first N instructions are left out of it\n"
	"  --trace-count N          so many lines at most\n"
	"  --trace-cpl 0|3          instructions of this privilege level alone\n"
	"  --stats                  totals of everything that could be counted, and registers\n"
	"                           that were left changed, to stderr\n"
	"  --fault NAME[=VALUE]     may be repeated:\n"
	"      smi=N                a system management interrupt every N instructions\n"
	"      smi-clocks=N         that takes N clocks (default: 100000)\n"
	"      smi-msr=N:VALUE      whose handler writes register N of the PMU\n"
	"      smi-after=N          an SMI N instructions behind every 7th write of it\n"
	"      nmi=N                an NMI after instruction N\n"
	"      pmu=zero|stuck|fast|loose|gp|alias|wrap32|onelevel|budget:N|offbyone:N\n"
	"      pmu=early|frozen     RDPMC overtakes instructions; frozen until the status is\n"
	"                           cleared\n"
	"      lie=scale|lose|late|stuck|halve|saturate|quota|shadow|blind|crowd|stale|\n"
	"          level|branches|freeze:COUNTER:N[:FROM[:TO]]\n"
	"                           a counter (0.. general, 32.. fixed, 99 all) counts N in a\n"
	"                           million too many; loses one in N; from N events on counts\n"
	"                           each twice, none or half of them; counts at most N in\n"
	"                           an instruction; N at a time; those of counter N; up to\n"
	"                           8 of these\n"
	"      pmu=ae49|retries|n15|aak100   one pmu= at most\n"
	"                           errata of the Core Duo, the P6, NetBurst, Nehalem\n"
	"      apic=11ap|phantom    loses a write behind a write; is announced but not there\n"
	"      apic=x2|1ap|af46     was left in x2APIC mode; shuts the CPU down if its page may\n"
	"                           be cached; masking an LVT entry sends its vector\n"
	"      apic=smi             overflow interrupts go to the firmware, as SMIs\n"
	"      cpus=mp|madt|garbage|twice|alien|wide\n"
	"                           MP tables alone; a MADT alone; damaged tables; each\n"
	"                           processor twice; a MADT without the first one; one\n"
	"                           more, with id 300\n"
	"      cpus=silent|late     the last processor never starts; half a second late\n"
	"      cpus=busy|mailbox    a write to port 80h sends the others into a loop of the\n"
	"                           firmware; they wait in 64-bit mode for the ACPI mailbox\n"
	"      cpus=far             APIC ids from 301 on, for all but the first\n"
	"      cpus=mtrr|stale|drowsy\n"
	"                           the last one's MTRRs are off; caches of the others hold old\n"
	"                           lines; the last one's TSC stands still while it sleeps\n"
	"      spurious=15          masking an LVT entry sends vector 15\n"
	"      uart=absent|stuck    or uart=drop:N, which loses byte N\n"
	"      memory=none|holes|unsorted|tiny|overlap\n"
	"      hypervisor           a hypervisor signature in CPUID\n"
	"      guest=WORD[,WORD...] a guest of KVM, on models with architectural or AMD\n"
	"                           counters; T is in ticks of the TSC, seed:N draws anew:\n"
	"        exit:N[:C] evict[:all] preempt:T   exits every N instructions that add C to\n"
	"                           instructions and branches; L1 is empty after an exit;\n"
	"                           processors stand still\n"
	"        rdpmc:T msr:T cpuid:T jitter:P     these exit, and take P per cent more or less\n"
	"        emulated:0         such an instruction is not counted\n"
	"        filter:EVENT allow:EVENT           never counts; no other event counts\n"
	"        quota:N:T pause:T:T                counters stand still\n"
	"        pmi:T throttle:N   overflow interrupts are late; N in a millisecond at most\n"
	"        vpmu:VERSION       shows counters of this version at most, as KVM does; 0: none\n"
	"        steal kvmclock wbinvd-nop ignore-msrs debugctl:BITS caches:invented\n"
	"        hybrid hv sev sev-es snp tdx       see sim/README.md\n"
	"      hide-simulator       CPUID does not tell that this is a simulator\n"
	"      extint               an I/O APIC sends on what the 8259 asks for\n"
	"      msr=N:gp|locked|deaf register N faults; faults when written; ignores writes\n"
	"      msr=N:zero|dead      holds 0 at the start; the same and ignores writes\n"
	"      cr4=la57             the firmware had five levels of paging, and CR4 says so still\n"
	"      tlb=invlpg-all       INVLPG empties the TLBs\n"
	"      tlb=walk-levels      a page walk is as long as paging-structure caches leave it\n"
	"      l1=wt                P5: the first-level cache writes through\n"
	"      pit=none             there is no 8254\n"
	"      pmtimer=piix4        the PM timer reads mixed bits now and then\n"
	"\n"
	"exit code: 0 the guest's last line said done status=ok; 1 it said something else;\n"
	"2 there was no such line; 3 wrong usage, or an output that could not be written. Without\n"
	"such a line: what the guest wrote to the debug-exit port, times two plus one, as QEMU\n"
	"does; 128 and the number of a signal\n";

int command_line_misuse(const char *why, const char *what)
{
	fprintf(stderr, "cpl0-sim: %s%s%s\n(cpl0-sim --help tells more)\n", why, what ? ": " : "",
	        what ? output_name(what) : "");
	return EXIT_USAGE;
}

static bool number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno && *value >= low && *value <= high;
}

/* ---- --fault ---- */

struct word {
	const char *name;
	unsigned value;
};

static const struct word pmu_words[] = {
	{ "zero", PMU_FAULT_ZERO },
	{ "stuck", PMU_FAULT_STUCK },
	{ "fast", PMU_FAULT_FAST },
	{ "loose", PMU_FAULT_LOOSE },
	{ "gp", PMU_FAULT_GP },
	{ "alias", PMU_FAULT_ALIAS },
	{ "wrap32", PMU_FAULT_WRAP32 },
	{ "onelevel", PMU_FAULT_ONE_LEVEL },
	{ "ae49", PMU_FAULT_AE49 },
	{ "retries", PMU_FAULT_RETRIES },
	{ "n15", PMU_FAULT_N15 },
	{ "early", PMU_FAULT_EARLY },
	{ "frozen", PMU_FAULT_FROZEN },
	{ "aak100", PMU_FAULT_AAK100 },
	{ NULL, 0 },
};

/* These need a number: NAME:N. */
static const struct word pmu_number_words[] = {
	{ "budget:", PMU_FAULT_BUDGET },
	{ "offbyone:", PMU_FAULT_OFF_BY_ONE },
	{ NULL, 0 },
};

static const struct word lie_words[] = {
	{ "scale:", SIM_LIE_SCALE },       { "lose:", SIM_LIE_LOSE },
	{ "late:", SIM_LIE_LATE },         { "stuck:", SIM_LIE_STUCK },
	{ "halve:", SIM_LIE_HALVE },       { "saturate:", SIM_LIE_SATURATE },
	{ "quota:", SIM_LIE_QUOTA },       { "shadow:", SIM_LIE_SHADOW },
	{ "blind:", SIM_LIE_BLIND },       { "crowd:", SIM_LIE_CROWD },
	{ "stale:", SIM_LIE_STALE },       { "level:", SIM_LIE_LEVEL },
	{ "branches:", SIM_LIE_BRANCHES }, { "freeze:", SIM_LIE_FREEZE },
	{ "ceiling:", SIM_LIE_CEILING },   { NULL, 0 },
};

static const struct word apic_words[] = {
	{ "11ap", APIC_FAULT_11AP },
	{ "phantom", APIC_FAULT_PHANTOM },
	{ "x2", APIC_FAULT_X2 },
	{ "smi", APIC_FAULT_SMI },
	{ "1ap", APIC_FAULT_1AP },
	{ "af46", APIC_FAULT_AF46 },
	{ NULL, 0 },
};

static const struct word cpus_words[] = {
	{ "mp", CPUS_MP },           { "madt", CPUS_MADT },   { "garbage", CPUS_GARBAGE },
	{ "twice", CPUS_TWICE },     { "alien", CPUS_ALIEN }, { "wide", CPUS_WIDE },
	{ "silent", CPUS_SILENT },   { "late", CPUS_LATE },   { "busy", CPUS_BUSY },
	{ "mailbox", CPUS_MAILBOX }, { "mtrr", CPUS_MTRR },   { "stale", CPUS_STALE },
	{ "drowsy", CPUS_DROWSY },   { "far", CPUS_FAR },     { NULL, 0 },
};

static const struct word memory_words[] = { { "none", MAP_NONE },         { "holes", MAP_HOLES },
	                                    { "unsorted", MAP_UNSORTED }, { "tiny", MAP_TINY },
	                                    { "overlap", MAP_OVERLAP },   { NULL, 0 } };

static const struct word msr_words[] = { { "gp", MSR_FAULT_GP },     { "locked", MSR_FAULT_LOCKED },
	                                 { "deaf", MSR_FAULT_DEAF }, { "zero", MSR_FAULT_ZERO },
	                                 { "dead", MSR_FAULT_DEAD }, { NULL, 0 } };

static const struct word uart_words[] = { { "absent", UART_ABSENT },
	                                  { "stuck", UART_STUCK },
	                                  { NULL, 0 } };

static const struct word *find_word(const struct word *words, const char *name)
{
	for (; words->name; words++)
		if (!strcmp(words->name, name))
			return words;
	return NULL;
}

/* "name=" at the start of text: what follows, else NULL. */
static const char *after(const char *text, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(text, name, n) ? text + n : NULL;
}

static bool parse_uart(struct faults *f, const char *value)
{
	const struct word *word = find_word(uart_words, value);
	const char *byte = after(value, "drop:");

	if (word) {
		f->uart = (enum uart_fault)word->value;
		return true;
	}
	f->uart = UART_DROP;
	return byte && number(byte, 1, UINT64_MAX, &f->uart_drop);
}

/* INDEX:WORD */
static bool parse_msr(struct faults *f, const char *value)
{
	const char *colon = strchr(value, ':');
	const struct word *word = colon ? find_word(msr_words, colon + 1) : NULL;
	char index[16];
	uint64_t msr;

	if (!word || (size_t)(colon - value) >= sizeof(index))
		return false;
	memcpy(index, value, (size_t)(colon - value));
	index[colon - value] = 0;
	if (!number(index, 0, UINT32_MAX, &msr))
		return false;
	f->msr = (uint32_t)msr;
	f->msr_fault = (enum msr_fault)word->value;
	return true;
}

/* INDEX:VALUE */
static bool parse_smi_msr(struct faults *f, const char *value)
{
	char *end;
	unsigned long msr = strtoul(value, &end, 0);

	f->smi_msr = (uint32_t)msr;
	return msr && msr <= UINT32_MAX && *end == ':' &&
	       number(end + 1, 0, UINT64_MAX, &f->smi_value);
}

/* KIND:COUNTER:NUMBER */
/* N, N:FROM or N:FROM:TO */
static bool parse_numbers(const char *text, uint64_t *const to[3])
{
	char *end;

	for (unsigned i = 0; i < 3; i++, text = end + 1) {
		if (*text < '0' || *text > '9')
			return false;
		*to[i] = strtoull(text, &end, 10);
		if (!*end)
			return true;
		if (*end != ':')
			return false;
	}
	return false;
}

static bool parse_lie(struct faults *f, const char *value)
{
	struct sim_lie *lie = &f->lie[f->lies];
	const char *at = NULL;
	bool zero; /* may N be 0? */
	char *end;

	for (unsigned i = 0; !at && lie_words[i].name; i++)
		if ((at = after(value, lie_words[i].name)))
			lie->kind = (enum sim_lie_kind)lie_words[i].value;
	if (f->lies == SIM_LIES_MAX || !at || *at < '0' || *at > '9')
		return false;
	lie->counter = (uint32_t)strtoul(at, &end, 10);
	zero = lie->kind == SIM_LIE_SHADOW || lie->kind == SIM_LIE_LEVEL;
	if (*end != ':' || lie->counter > SIM_LIE_ALL ||
	    !parse_numbers(end + 1, (uint64_t *const[]){ &lie->number, &lie->from, &lie->to }) ||
	    (!zero && !lie->number))
		return false;
	f->lies++;
	return true;
}

static bool parse_pmu(struct faults *f, const char *value)
{
	const struct word *word = find_word(pmu_words, value);
	const char *n;

	for (unsigned i = 0; !word && pmu_number_words[i].name; i++)
		if ((n = after(value, pmu_number_words[i].name)) &&
		    number(n, 1, UINT32_MAX, &f->pmu_value))
			word = &pmu_number_words[i];
	if (!word || f->pmu_set) /* a second one would replace the first */
		return false;
	f->pmu = (enum sim_pmu_fault)word->value;
	f->pmu_set = true;
	return true;
}

static bool parse_world(struct faults *f, const char *text)
{
	const struct word *word;
	const char *value;

	if ((value = after(text, "cpus=")) && (word = find_word(cpus_words, value))) {
		f->cpus = (enum cpus_fault)word->value;
		return true;
	}
	if ((value = after(text, "memory=")) && (word = find_word(memory_words, value))) {
		f->memory = (enum memory_map)word->value;
		return true;
	}
	if ((value = after(text, "guest="))) {
		f->hypervisor = true;
		return guest_parse(&f->guest, value);
	}
	if ((value = after(text, "spcr=mem:"))) {
		f->spcr_memory = true;
		return number(value, 0, UINT64_MAX, &f->spcr_address);
	}
	return false;
}

/* Faults that are there or not. */
static const struct {
	const char *word;
	size_t offset; /* of its bool in struct faults */
} switches[] = {
	{ "hypervisor", offsetof(struct faults, hypervisor) },
	{ "hide-simulator", offsetof(struct faults, hide_simulator) },
	{ "l1=wt", offsetof(struct faults, l1_write_through) },
	{ "cr4=la57", offsetof(struct faults, la57) },
	{ "tlb=invlpg-all", offsetof(struct faults, invlpg_all) },
	{ "tlb=walk-levels", offsetof(struct faults, walk_levels) },
	{ "pmtimer=piix4", offsetof(struct faults, pm_glitch) },
	{ "pit=none", offsetof(struct faults, no_pit) },
	{ "extint", offsetof(struct faults, extint) },
	{ "spurious=15", offsetof(struct faults, spurious) },
};

static bool parse_switch(struct faults *f, const char *text)
{
	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++)
		if (!strcmp(text, switches[i].word)) {
			*(bool *)((char *)f + switches[i].offset) = true;
			return true;
		}
	return false;
}

/* Faults with a number. */
static const struct {
	const char *word;
	size_t offset; /* of its uint64_t in struct faults */
	uint64_t low, high;
} numbers[] = {
	{ "smi=", offsetof(struct faults, smi_every), 1, UINT64_MAX },
	{ "smi-clocks=", offsetof(struct faults, smi_clocks), 0, 1000000000 },
	{ "smi-after=", offsetof(struct faults, smi_after), 1, UINT64_MAX },
	{ "nmi=", offsetof(struct faults, nmi_at), 1, UINT64_MAX },
};

static bool parse_fault(struct faults *f, const char *text)
{
	const struct word *word;
	const char *value;

	if (parse_switch(f, text))
		return true;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if ((value = after(text, numbers[i].word)))
			return number(value, numbers[i].low, numbers[i].high,
			              (uint64_t *)((char *)f + numbers[i].offset));
	if ((value = after(text, "smi-msr=")))
		return parse_smi_msr(f, value);
	if ((value = after(text, "uart=")))
		return parse_uart(f, value);
	if ((value = after(text, "lie=")))
		return parse_lie(f, value);
	if ((value = after(text, "pmu=")))
		return parse_pmu(f, value);
	if ((value = after(text, "apic=")) && (word = find_word(apic_words, value))) {
		f->apic = (enum apic_fault)word->value;
		return true;
	}
	if ((value = after(text, "msr=")))
		return parse_msr(f, value);
	return parse_world(f, text);
}

/* ---- Options ---- */

static bool set_cpu(struct options *o, const char *v)
{
	o->model = model_by_name(v);
	return o->model;
}

static bool set_other(struct options *o, const char *v)
{
	o->other = model_by_name(v);
	return o->other;
}

/* A number of bytes, KiB, MiB or GiB. */
static bool set_last_level(struct options *o, const char *v)
{
	static const char units[] = "KMG";
	size_t n = strlen(v);
	const char *unit = n ? strchr(units, v[n - 1]) : NULL;
	char digits[16];
	uint64_t value;

	if (!unit || n > sizeof(digits))
		return false;
	memcpy(digits, v, n - 1);
	digits[n - 1] = 0;
	if (!number(digits, 1, 2047 << 10, &value))
		return false;
	value <<= 10 * (unit - units);
	o->last_level_kb = (uint32_t)value;
	return value >= 1024 && value < 2048 << 10;
}

static bool set_cache(struct options *o, const char *v)
{
	o->cache_why = cache_words_parse(o->caches, v);
	return !o->cache_why;
}

static bool set_structure(struct options *o, const char *v)
{
	o->structure_why = structure_words_parse(&o->structures, v);
	return !o->structure_why;
}

static bool set_trace_cpl(struct options *o, const char *v)
{
	uint64_t cpl;

	if (!number(v, 0, 3, &cpl))
		return false;
	o->trace_cpl = 1u << cpl;
	return true;
}

static bool set_pmi_latency(struct options *o, const char *v)
{
	o->pmi_latency_set = true;
	return number(v, 0, 1000000, &o->pmi_latency);
}

static bool set_serial(struct options *o, const char *v)
{
	o->serial_real = !strcmp(v, "real");
	return o->serial_real || !strcmp(v, "fast");
}

/* WIDTHxHEIGHT[@ADDRESS] */
static bool set_screen(struct options *o, const char *v)
{
	char *end;
	unsigned long width = strtoul(v, &end, 10), height;

	if (*end != 'x' || width < 1 || width > 16384)
		return false;
	height = strtoul(end + 1, &end, 10);
	if (height < 1 || height > 16384)
		return false;
	o->screen.width = (unsigned)width;
	o->screen.height = (unsigned)height;
	o->screen.address = 0xe0000000;
	return !*end || (*end == '@' && number(end + 1, 1, UINT64_MAX >> 12, &o->screen.address));
}

static bool set_fault(struct options *o, const char *v)
{
	return parse_fault(&o->faults, v);
}

/* Cuts the argument in two at its first `=`. */
static bool set_module(struct options *o, const char *v)
{
	static char copies[MAX_MODULES][512];
	char *copy, *args;

	if (o->modules_count == MAX_MODULES || strlen(v) >= sizeof(copies[0]))
		return false;
	copy = copies[o->modules_count];
	memcpy(copy, v, strlen(v) + 1);
	args = strchr(copy, '=');
	if (args)
		*args++ = 0;
	o->modules[o->modules_count++] = (struct module){ copy, args ? args : "" };
	return true;
}

static bool set_fw_cfg(struct options *o, const char *v)
{
	static char copies[MAX_FW_CFG][512];
	char *copy, *path;

	if (o->fw_cfg_count == MAX_FW_CFG || strlen(v) >= sizeof(copies[0]))
		return false;
	copy = copies[o->fw_cfg_count];
	memcpy(copy, v, strlen(v) + 1);
	path = strchr(copy, '=');
	if (!path || path - copy > 55)
		return false;
	*path++ = 0;
	o->fw_cfg[o->fw_cfg_count].name = copy;
	o->fw_cfg[o->fw_cfg_count++].path = path;
	return true;
}

/* The number at *text and the colon behind it, or the end. */
static bool field(const char **text, uint64_t high, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(*text, &end, 0);
	if (**text < '0' || **text > '9' || errno || *value > high || (*end && *end != ':'))
		return false;
	*text = *end ? end + 1 : end;
	return true;
}

/* LEAF:SUBLEAF:REG:VALUE */
static bool set_cpuid(struct options *o, const char *v)
{
	static const char *const regs[] = { "eax:", "ebx:", "ecx:", "edx:" };
	uint64_t leaf, subleaf, value;
	unsigned reg = 0;

	if (o->cpuid_count == MAX_CPUID || !field(&v, UINT32_MAX, &leaf) ||
	    !field(&v, UINT32_MAX, &subleaf))
		return false;
	while (reg < 4 && strncmp(v, regs[reg], 4) != 0)
		reg++;
	if (reg == 4 || !number(v + 4, 0, UINT32_MAX, &value))
		return false;
	o->cpuid[o->cpuid_count++] =
		(struct told_cpuid){ (uint32_t)leaf, (uint32_t)subleaf, reg, (uint32_t)value };
	return true;
}

/* N:VALUE[:BITS] */
static bool set_msr(struct options *o, const char *v)
{
	uint64_t msr, value, writable = 0;

	if (o->msr_count == MAX_MSR || !field(&v, UINT32_MAX, &msr) || !*v ||
	    !field(&v, UINT64_MAX, &value) || (*v && !number(v, 0, UINT64_MAX, &writable)))
		return false;
	o->msr[o->msr_count++] = (struct more_msr){ (uint32_t)msr, value, writable };
	return true;
}

enum value { TEXT, NUMBER, WIDE };

/* An option with a value: a setter's, or that of a member of struct options. */
struct option_row {
	const char *name;
	bool (*set)(struct options *o, const char *value);
	size_t at;
	enum value value; /* const char *, unsigned, uint64_t */
	uint64_t low, high;
};

#define AT(member) NULL, offsetof(struct options, member)

/* clang-format off */
static const struct option_row option_rows[] = {
	{ .name = "--cpu", .set = set_cpu },
	{ .name = "--other", .set = set_other },
	{ "--smp", AT(cpus), NUMBER, 1, MAX_CPUS },
	{ "--threads", AT(threads), NUMBER, 1, 2 },
	{ "--mem", AT(memory_mb), NUMBER, 2, 262144 },
	{ .name = "--last-level", .set = set_last_level },
	{ .name = "--cache", .set = set_cache },
	{ .name = "--structure", .set = set_structure },
	{ "--log", AT(log), TEXT, 0, 0 },
	{ .name = "--module", .set = set_module },
	{ .name = "--fw-cfg", .set = set_fw_cfg },
	{ "--multiboot", AT(multiboot), NUMBER, 1, 2 },
	{ .name = "--serial", .set = set_serial },
	{ "--input", AT(input), TEXT, 0, 0 },
	{ "--type", AT(typed), TEXT, 0, 0 },
	{ "--max-instructions", AT(max_instructions), WIDE, 1, UINT64_MAX },
	{ "--translations", AT(translations), WIDE, 1000, 400000 },
	{ "--max-seconds", AT(max_seconds), NUMBER, 1, 1000000 },
	{ "--clock", AT(clock_mhz), NUMBER, 10, 10000 },
	{ "--slice", AT(slice), WIDE, 1, 1000000000 },
	{ .name = "--pmi-latency", .set = set_pmi_latency },
	{ "--trace", AT(trace), TEXT, 0, 0 },
	{ "--trace-from", AT(trace_from), WIDE, 0, UINT64_MAX },
	{ "--trace-count", AT(trace_count), WIDE, 0, UINT64_MAX },
	{ .name = "--trace-cpl", .set = set_trace_cpl },
	{ .name = "--fault", .set = set_fault },
	{ .name = "--cpuid", .set = set_cpuid },
	{ .name = "--msr", .set = set_msr },
	{ .name = "--screen", .set = set_screen },
	{ "--screenshot", AT(screen.dump), TEXT, 0, 0 },
};
/* clang-format on */

static bool set_option(struct options *o, const struct option_row *row, const char *text)
{
	char *at = (char *)o + row->at;
	uint64_t value;

	if (row->set)
		return row->set(o, text);
	if (row->value == TEXT) {
		*(const char **)at = text;
		return true;
	}
	if (!number(text, row->low, row->high, &value))
		return false;
	if (row->value == WIDE)
		*(uint64_t *)at = value;
	else
		*(unsigned *)at = (unsigned)value;
	return true;
}

static const struct {
	const char *name;
	size_t at; /* of a bool in struct options */
} on_off[] = {
	{ "--flat", offsetof(struct options, flat) },
	{ "--stats", offsetof(struct options, stats) },
	{ "--wait-for-input", offsetof(struct options, wait_for_input) },
	{ "--hpet", offsetof(struct options, hpet) },
	{ "--no-acpi", offsetof(struct options, no_acpi) },
};

enum {
	OPTION_ROWS = sizeof(option_rows) / sizeof(option_rows[0]),
	SWITCHES = sizeof(on_off) / sizeof(on_off[0]),
};

static bool *switch_of(struct options *o, const char *name)
{
	for (unsigned i = 0; i < SWITCHES; i++)
		if (!strcmp(name, on_off[i].name))
			return (bool *)((char *)o + on_off[i].at);
	return NULL;
}

static int misspelt(const char *why, struct near *near)
{
	char what[NEAR_TEXT + 64];

	snprintf(what, sizeof(what), "%.60s%s", near->word, near_text(near));
	return command_line_misuse(why, what);
}

static int unknown_option(const char *word)
{
	static const char *const others[] = { "--list", "--help", "--version" };
	struct near near = { .word = word };

	for (unsigned i = 0; i < OPTION_ROWS; i++)
		near_try(&near, option_rows[i].name);
	for (unsigned i = 0; i < SWITCHES; i++)
		near_try(&near, on_off[i].name);
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		near_try(&near, others[i]);
	return misspelt("unknown option", &near);
}

static int unknown_model(const char *why, const char *word)
{
	struct near near = { .word = word };

	for (unsigned i = 0; i < models_count; i++) {
		near_try(&near, models[i].name);
		if (strlen(word) > 2 && strcasestr(models[i].what, word))
			near_keep(&near, models[i].name, 0); /* p55: Pentium MMX (P55C) */
	}
	return misspelt(why, &near);
}

static int refused_value(const struct options *o, const struct option_row *row, const char *value)
{
	if (row->set == set_cpu)
		return unknown_model("--cpu: no such model (see --list)", value);
	if (row->set == set_other)
		return unknown_model("--other: no such model (see --list)", value);
	if (row->set == set_cache)
		return command_line_misuse(o->cache_why, value);
	if (row->set == set_structure)
		return command_line_misuse(o->structure_why, value);
	return command_line_misuse(row->name, value);
}

static const struct option_row *find_option(const char *name)
{
	for (unsigned i = 0; i < OPTION_ROWS; i++)
		if (!strcmp(option_rows[i].name, name))
			return &option_rows[i];
	return NULL;
}

/* Bits of the kernel, by the folder that it is in: for asm=. 0: it cannot be told. */
static unsigned width_of(const char *kernel)
{
	const char *name = strrchr(kernel, '/');
	size_t n = name ? (size_t)(name - kernel) : 0;
	bool part = n > 2 && kernel[n - 3] != '/';

	if (n < 2 || part)
		return 0;
	return !strncmp(name - 2, "64", 2) ? 64 : !strncmp(name - 2, "32", 2) ? 32 : 0;
}

static bool has_asm(char **words)
{
	for (; *words; words++)
		if (!strncmp(*words, "asm=", 4) || !strncmp(*words, "init_asm=", 9))
			return true;
	return false;
}

static int list(const char *name)
{
	const struct model *model = name ? model_by_name(name) : NULL;

	if (!name)
		models_list();
	else if (model)
		model_list(model);
	else
		return unknown_model("no such model", name);
	return 0;
}

/* A copy of the model that may be changed. */
static struct model *own_model(const struct model **m, unsigned kind)
{
	static struct model changed[2];

	if (*m != &changed[kind])
		changed[kind] = **m;
	*m = &changed[kind];
	return &changed[kind];
}

/* The model again, at another rate. */
static void change_clock(struct options *o)
{
	own_model(&o->model, 0)->tsc_khz = o->clock_mhz * 1000;
}

/* ... or with another last cache of as many ways. False: it has none, or no such one can be. */
static bool change_last_level(const struct model **m, unsigned kind, uint32_t kb)
{
	const struct geometry *g = &(*m)->llc;

	if (!g->kb || kb * 1024 % (g->ways * g->line))
		return false;
	own_model(m, kind)->llc.kb = kb;
	own_model(m, kind)->other_llc = true;
	return true;
}

/*
 * ... or with other caches of data. Which pipes a Pentium has is told by the size of its first
 * level. NULL, or why it cannot be.
 */
static const char *change_caches(const struct cache_words *w, const struct model **m, unsigned kind)
{
	const uint32_t l1d = (*m)->l1d.kb;
	struct model *own;
	const char *why;

	if (!w[CACHE_L1D].set && !w[CACHE_L2].set && !w[CACHE_LLC].set)
		return NULL;
	own = own_model(m, kind);
	why = cache_words_apply(&w[CACHE_L1D], &own->l1d, &own->l1d_policy);
	if (!why)
		why = cache_words_apply(&w[CACHE_L2], &own->l2, &own->l2_policy);
	if (!why)
		why = cache_words_apply(&w[CACHE_LLC], &own->llc, &own->llc_policy);
	if (!why && own->flags & MODEL_PIPELINE && own->l1d.kb != l1d)
		why = "--cache: the first level of this model keeps its size";
	return why;
}

/* ... or with other TLBs and branch prediction. The rest is the core's (sim/build.c). */
static const char *change_structures(const struct structure_words *w, const struct model **m,
                                     unsigned kind)
{
	for (unsigned i = 0; i < STRUCTURES; i++)
		if (w->entries[i])
			return structure_words_apply(w, own_model(m, kind));
	return NULL;
}

/* Does its CPUID go up to leaf 1AH, which tells the kinds of cores? */
static bool has_core_types(const struct model *m)
{
	for (unsigned i = 0; i < cpuid_rows_count; i++)
		if (!cpuid_rows[i].leaf && cpuid_rows[i].logical == m->logical &&
		    !strcmp(cpuid_rows[i].part, m->part))
			return cpuid_rows[i].reg[0] >= 0x1a;
	return false;
}

/* What does not fit the model, or the other options: -1 to go on, otherwise the exit code. */
static int check_options(struct options *o)
{
	if (o->clock_mhz)
		change_clock(o);
	if (o->last_level_kb && (!change_last_level(&o->model, 0, o->last_level_kb) ||
	                         (o->other && !change_last_level(&o->other, 1, o->last_level_kb))))
		return command_line_misuse(
			"--last-level: no such cache with the lines and ways of this model",
			o->model->name);
	o->cache_why = change_caches(o->caches, &o->model, 0);
	if (!o->cache_why && o->other)
		o->cache_why = change_caches(o->caches, &o->other, 1);
	if (o->cache_why)
		return command_line_misuse(o->cache_why, o->model->name);
	o->structure_why = change_structures(&o->structures, &o->model, 0);
	if (o->structure_why)
		return command_line_misuse(o->structure_why, o->model->name);
	if (o->other)
		o->structure_why = change_structures(&o->structures, &o->other, 1);
	if (o->structure_why)
		return command_line_misuse(o->structure_why, o->other->name);
	if (o->faults.l1_write_through && !(o->model->flags & MODEL_PIPELINE))
		return command_line_misuse("--fault l1: not on this model", o->model->name);
	if (o->faults.pmu_set && !sim_pmu_can_fault(sim_pmu_model(o->model->pmu), o->faults.pmu))
		return command_line_misuse("--fault pmu: not on this model", o->model->name);
	if (o->other && o->faults.pmu_set &&
	    !sim_pmu_can_fault(sim_pmu_model(o->other->pmu), o->faults.pmu))
		return command_line_misuse("--fault pmu: not on this model", o->other->name);
	if (guest_fit(&o->faults.guest, o->model))
		return command_line_misuse(guest_fit(&o->faults.guest, o->model), o->model->name);
	if (o->cpus > 1 && !(o->model->flags & MODEL_APIC))
		return command_line_misuse("this model has no local APIC: --smp 1 only",
		                           o->model->name);
	if (o->other && (!has_core_types(o->model) || !has_core_types(o->other) || o->cpus < 2 ||
	                 o->threads > 1))
		return command_line_misuse("--other: with --smp, without --threads, and models "
		                           "that have leaf 1AH only",
		                           o->other->name);
	if (files_clash(o))
		return command_line_misuse("this run reads that file or writes to it elsewhere",
		                           files_clash(o));
	return -1;
}

int command_line_parse(struct options *o, char **argv)
{
	for (argv++; *argv && **argv == '-'; argv++) {
		const struct option_row *row = find_option(*argv);
		bool *on = switch_of(o, *argv);

		if (!strcmp(*argv, "--help")) {
			fputs(usage, stdout);
			return 0;
		}
		if (!strcmp(*argv, "--version")) {
			printf("cpl0-sim %s\n", cpl0_version);
			return 0;
		}
		if (!strcmp(*argv, "--list"))
			return list(argv[1]);
		if (on) {
			*on = true;
			continue;
		}
		if (!row)
			return unknown_option(*argv);
		if (!argv[1])
			return command_line_misuse("value missing after", *argv);
		if (!set_option(o, row, argv[1]))
			return refused_value(o, row, argv[1]);
		argv++;
	}
	if (!*argv)
		return command_line_misuse("no kernel", NULL);
	o->kernel = *argv++;
	if (has_asm(argv) && !width_of(o->kernel))
		return command_line_misuse("asm= needs a kernel from a folder 32 or 64, not",
		                           o->kernel);
	o->command_line = assemble_line(argv, width_of(o->kernel));
	if (!o->command_line)
		return 3;
	return check_options(o);
}
