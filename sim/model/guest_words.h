/*
 * sim/model/guest_words.h - what a hypervisor under the simulated processors does, as --fault
 * guest= orders it (sim/README.md, "A guest of a hypervisor").
 */
#ifndef SIM_MODEL_GUEST_WORDS_H
#define SIM_MODEL_GUEST_WORDS_H

#include <stdbool.h>
#include <stdint.h>

struct model;

enum { GUEST_FILTERS = 16, GUEST_NAME = 64 };

/* Memory that the hypervisor cannot read, as CPUID tells it. */
enum guest_secret { SECRET_NONE, SECRET_SEV, SECRET_SEV_ES, SECRET_SNP, SECRET_TDX };

/* An event of the hypervisor's list: a fixed counter, or an encoding of the general ones. */
struct guest_filter {
	char name[GUEST_NAME]; /* as it was given */
	bool allows;           /* no event counts that is not allowed; false: it never counts */
	bool fixed;
	uint32_t code; /* or the number of the fixed counter */
	uint32_t umask;
};

/* Times are ticks of the TSC; 0: it does not happen. */
struct guest_words {
	bool on;             /* there were words */
	uint64_t seed;       /* of everything that is drawn */
	uint64_t exit_every; /* instructions between two exits, on average */
	bool exit_adds_set;
	uint64_t exit_adds; /* to instructions and branches at every exit */
	bool evict, evict_all;
	uint64_t rdpmc, msr, cpuid; /* what the exit of the instruction takes */
	uint64_t jitter;            /* per cent that it may take more or less */
	bool uncounted;             /* an emulated instruction is no instruction to a counter */
	struct guest_filter filter[GUEST_FILTERS];
	unsigned filters;
	uint64_t quota_of, quota; /* of so many ticks counters stand still for the last so many */
	uint64_t pause_from, pause_to;
	uint64_t pmi;      /* ticks that an overflow interrupt is late */
	uint64_t throttle; /* overflows in a millisecond before the counters stand still */
	uint64_t preempt; /* ticks that a processor stands still, about once in ten times as many */
	bool steal;       /* KVM's page that tells stolen time */
	bool kvmclock;    /* KVM's clock instead of the leaf with the rate of the TSC */
	bool wbinvd_nop, ignore_msrs;
	bool debugctl_set;
	uint64_t debugctl; /* bits that the hypervisor lets the guest set */
	bool vpmu_set;
	uint64_t vpmu; /* the version of the counters that the guest has, at most */
	bool invented; /* caches */
	bool hybrid;   /* VMware: most counters run on in the hypervisor */
	bool hv;       /* Hyper-V's signature in front of KVM's */
	enum guest_secret secret;
};

/* WORD[:NUMBER...][,WORD...]. False: not so. Words of several calls come together. */
bool guest_parse(struct guest_words *words, const char *text);

/*
 * Fits the words to the model: names of events become encodings. NULL, or what the model does not
 * have.
 */
const char *guest_fit(struct guest_words *words, const struct model *model);

#endif
