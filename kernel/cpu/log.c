/*
 * The CPU's identity as log records (docs/log-format.md).
 */
#include "kernel/cpu/cpu.h"
#include "kernel/lib/log.h"

/* Text of one field, cut rather than overrun. */
struct text {
	char s[512];
	unsigned n;
};

static void text_add(struct text *t, const char *word, char between)
{
	if (t->n && t->n < sizeof(t->s) - 1)
		t->s[t->n++] = between;
	while (*word && t->n < sizeof(t->s) - 1)
		t->s[t->n++] = *word++;
	t->s[t->n] = 0;
}

static void log_cpu(const struct cpu *c)
{
	log_begin("cpu");
	log_bool("cpuid", c->has_cpuid);
	if (c->has_cpuid) {
		log_str("vendor", c->vendor_id);
		log_dec("family", c->family);
		log_dec("model", c->model);
		log_dec("stepping", c->stepping);
		if (cpu_has_host(c))
			log_str("model_of", "guest");
		log_hex("signature", c->signature);
		if (c->brand[0])
			log_str("brand", c->brand);
		if (c->hypervisor[0])
			log_str("hypervisor", c->hypervisor);
		if (c->simulated) {
			log_str("emulator", "cpl0-sim");
			log_str("clocks", c->nominal_clocks ? "nominal" : "modelled");
			if (c->good_clocks)
				log_dec("clocks_good", c->good_clocks);
		}
		log_hex("max_leaf", c->max_leaf);
		log_hex("max_ext", c->max_ext);
		log_hex("microcode", c->microcode);
		log_dec("phys_bits", c->phys_bits);
		log_dec("virt_bits", c->virt_bits);
		log_dec("clflush", c->clflush_line);
	}
	log_str("pmu_class", cpu_pmu_class_name(c->pmu_class));
	if (c->pmu_reason[0])
		log_str("reason", c->pmu_reason);
	log_end();
}

static void flush_names(struct text *t)
{
	if (!t->n)
		return;
	log_begin("features");
	log_str("has", t->s);
	log_end();
	t->n = 0;
}

/* As many records as it takes to keep each line well below LOG_LINE. */
static void log_features(const struct cpu *c)
{
	struct text t = { .n = 0 };

	for (unsigned f = 0; f < CPU_FEATURES; f++) {
		if (!cpu_has(c, f))
			continue;
		if (t.n > sizeof(t.s) - 64)
			flush_names(&t);
		text_add(&t, cpu_feature_name(f), ' ');
	}
	flush_names(&t);
}

static void log_ways(uint16_t ways)
{
	if (ways == CPU_WAYS_FULL)
		log_str("ways", "full");
	else if (ways != CPU_WAYS_UNKNOWN)
		log_dec("ways", ways);
}

static void log_cache(const struct cpu *c, const struct cpu_cache *k)
{
	static const char *const types[] = { "none", "data", "code", "unified", "trace" };

	log_begin("cache");
	log_dec("level", k->level);
	log_str("type", types[k->type]);
	log_dec(k->type == CACHE_TRACE ? "uops" : "size", k->size);
	log_ways(k->ways);
	if (k->line) {
		log_dec("line", k->line);
		log_dec("sets", k->sets);
	}
	if (k->shared_by)
		log_dec("shared_by", k->shared_by);
	log_str("source", cpu_has_host(c) ? "hypervisor" : k->source);
	log_end();
}

static void log_tlb(const struct cpu_tlb *k)
{
	static const char *const types[] = { "none", "data", "code", "unified", "load", "store" };
	static const char *const pages[] = { "4k", "2m", "4m", "1g" };
	struct text t = { .n = 0 };

	for (unsigned i = 0; i < 4; i++)
		if (k->pages >> i & 1)
			text_add(&t, pages[i], '+');
	log_begin("tlb");
	log_dec("level", k->level);
	log_str("type", types[k->type]);
	log_strn("pages", t.s, t.n);
	log_dec("entries", k->entries);
	log_ways(k->ways);
	log_str("source", k->source);
	log_end();
}

static void log_topology(const struct cpu *c)
{
	log_begin("topology");
	log_dec("apic_id", c->apic_id);
	log_dec("logical", c->logical);
	log_dec("cores", c->cores);
	log_dec("threads_per_core", c->threads_per_core);
	log_dec("smt_shift", c->smt_shift);
	log_dec("package_shift", c->package_shift);
	if (c->core_type)
		log_hex("core_type", c->core_type);
	log_str("source", c->topology_source);
	log_end();
}

static void log_arch_pmu(const struct cpu *c)
{
	log_begin("arch_pmu");
	log_dec("version", c->arch.version);
	log_dec("counters", c->arch.counters);
	log_dec("width", c->arch.width);
	log_dec("fixed", c->arch.fixed);
	log_dec("fixed_width", c->arch.fixed_width);
	log_hex("fixed_bitmap", c->arch.fixed_bitmap);
	log_dec("events_length", c->arch.events_length);
	log_hex("missing_events", c->arch.missing_events);
	log_bool("anythread_deprecated", c->arch.any_deprecated);
	if (c->arch.leaf23) {
		log_bool("umask2", c->arch.umask2);
		log_bool("eq", c->arch.eq);
		log_hex("gp_bitmap23", c->arch.gp_bitmap23);
		log_hex("fixed_bitmap23", c->arch.fixed_bitmap23);
		log_hex("events23", c->arch.events23);
		log_bool("arch_pebs", c->arch.pebs);
	}
	log_end();
}

static void log_amd_pmu(const struct cpu *c)
{
	log_begin("amd_pmu");
	log_dec("counters", c->amd.counters);
	log_bool("core_ext", c->amd.core_ext);
	log_bool("perfmon_v2", c->amd.v2);
	log_end();
}

/* Linux, init_amd_k6(); revision guide 21266, 2.6.2. */
static void warn_of_defects(const struct cpu *c)
{
	if (c->vendor == VENDOR_AMD && c->family == 5 && c->model == 6 && c->stepping <= 1)
		log_warn("cpu", "k6",
		         "this stepping may execute code wrongly that was just written, with more "
		         "than 32 MB of memory (revision guide 21266, 2.6.2)");
}

void cpu_log(const struct cpu *c)
{
	log_cpu(c);
	if (!c->has_cpuid)
		return;
	warn_of_defects(c);
	log_features(c);
	for (unsigned i = 0; i < c->ncaches; i++)
		log_cache(c, &c->caches[i]);
	if (!c->ncaches) {
		log_begin("cache");
		log_str("source", "none");
		log_end();
	}
	for (unsigned i = 0; i < c->ntlbs; i++)
		log_tlb(&c->tlbs[i]);
	log_topology(c);
	if (c->pmu_class == PMU_CLASS_ARCH)
		log_arch_pmu(c);
	if (c->pmu_class == PMU_CLASS_AMD)
		log_amd_pmu(c);
}
