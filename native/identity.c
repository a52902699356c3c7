/*
 * The CPU that the process takes itself to be on (native/identity.h).
 */
#include <string.h>

#include "kernel/lib/log.h"
#include "native/identity.h"

enum { WORD = 32 };

static void hide_one(struct cpu *cpu, const char *word)
{
	enum cpu_feature f;

	if (cpu_feature_find(word, &f))
		cpu->features[f / 32] &= ~((uint32_t)1 << f % 32);
	else
		log_error("CPL0_HIDE", word, "no feature has this name");
}

void native_hide(struct cpu *cpu, const char *words)
{
	static const char between[] = " ,";

	if (!words || !*words)
		return;
	log_warn("CPL0_HIDE", words, "these features are hidden as the environment asks");
	for (words += strspn(words, between); *words; words += strspn(words, between)) {
		size_t n = strcspn(words, between);
		char word[WORD] = "";

		memcpy(word, words, n < WORD ? n : WORD - 1);
		hide_one(cpu, word);
		words += n;
	}
}

void native_every(struct cpu *cpu)
{
	memset(cpu, 0, sizeof(*cpu));
	memset(cpu->features, 0xff, sizeof(cpu->features));
	cpu->has_cpuid = true;
}
