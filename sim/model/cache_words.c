/*
 * sim/model/cache_words.c - --cache: size, ways, lines and replacement policy of a cache.
 */
#include "sim/model/cache_words.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS_MOST = 64, LINE_LEAST = 16, LINE_MOST = 256, KB_MOST = 64 << 10, NAME = 32 };

static bool power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

/* SIZE: so many KiB, or MiB. */
static bool parse_size(const char **text, struct geometry *g)
{
	char *end;
	unsigned long n = strtoul(*text, &end, 10);

	if (**text < '1' || **text > '9' || n > KB_MOST || (*end != 'K' && *end != 'M'))
		return false;
	g->kb = (uint32_t)(*end == 'M' ? n << 10 : n);
	*text = end + 1;
	return g->kb <= KB_MOST && *(*text)++ == ':';
}

static bool parse_number(const char **text, unsigned long most, uint16_t *to)
{
	char *end;
	unsigned long n = strtoul(*text, &end, 10);

	if (**text < '1' || **text > '9' || n > most || *end != ':')
		return false;
	*to = (uint16_t)n;
	*text = end + 1;
	return true;
}

/* SIZE:WAYS:LINE: */
static const char *parse_geometry(const char **text, struct geometry *g)
{
	if (!parse_size(text, g))
		return "--cache: no size of 1K to 64M with a colon behind it";
	if (!parse_number(text, WAYS_MOST, &g->ways))
		return "--cache: no number of 1 to 64 ways with a colon behind it";
	if (!parse_number(text, LINE_MOST, &g->line) || !power_of_2(g->line) ||
	    g->line < LINE_LEAST)
		return "--cache: no line of 16, 32, 64, 128 or 256 bytes with a colon behind it";
	if (g->kb * 1024 % (g->ways * g->line))
		return "--cache: the size is no multiple of ways and lines";
	return NULL;
}

/* POLICY[/POLICY] */
static const char *parse_replacement(const char *text, struct replacement *r)
{
	const char *slash = strchr(text, '/');
	size_t n = slash ? (size_t)(slash - text) : strlen(text);
	char name[NAME];

	if (n >= sizeof(name))
		return "--cache: no such policy (see sim/README.md)";
	memcpy(name, text, n);
	name[n] = 0;
	r->duels = slash;
	if (!policy_parse(name, &r->policy) || (slash && !policy_parse(slash + 1, &r->second)))
		return "--cache: no such policy (see sim/README.md)";
	if (slash && (r->policy.kind != POLICY_QLRU || r->second.kind != POLICY_QLRU))
		return "--cache: two policies duel if both are SRRIP, BRRIP or QLRU_*";
	return NULL;
}

const char *cache_words_parse(struct cache_words words[CACHE_WORDS], const char *text)
{
	static const char *const levels[CACHE_WORDS] = { "l1d=", "l2=", "llc=" };

	for (unsigned i = 0; i < CACHE_WORDS; i++) {
		struct cache_words *w = &words[i];
		const char *why = NULL;

		if (strncmp(text, levels[i], strlen(levels[i])) != 0)
			continue;
		text += strlen(levels[i]);
		w->set = true;
		w->sized = strchr(text, ':');
		if (w->sized)
			why = parse_geometry(&text, &w->geometry);
		return why ? why : parse_replacement(text, &w->replacement);
	}
	return "--cache: no level l1d=, l2= or llc=";
}

const char *cache_words_apply(const struct cache_words *w, struct geometry *g,
                              struct replacement *r)
{
	if (!w->set)
		return NULL;
	if (!g->kb)
		return "--cache: the model has no such level";
	if (w->sized) {
		g->kb = w->geometry.kb;
		g->ways = w->geometry.ways;
		g->line = w->geometry.line;
	}
	*r = w->replacement;
	return policy_fits(&r->policy, g->ways) ? NULL
	                                        : "--cache: so many ways cannot have this policy";
}
