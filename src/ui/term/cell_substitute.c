#include "ui/term/cell_substitute.h"

#include <string.h>

static unsigned stand_in_place_of(struct str cluster)
{
	unsigned hash = 2166136261u;

	for (size_t i = 0; i < cluster.len; i++)
		hash = (hash ^ (unsigned char)cluster.ptr[i]) * 16777619u;
	return hash % CELL_SUBSTITUTES;
}

uint32_t cell_substitute_for(struct cell_substitutes *s, struct str cluster)
{
	unsigned at = stand_in_place_of(cluster);

	for (unsigned tried = 0; tried < CELL_SUBSTITUTES; tried++, at = (at + 1) % CELL_SUBSTITUTES) {
		if (!s->clusters[at].len) {
			memcpy(s->clusters[at].text, cluster.ptr, cluster.len);
			s->clusters[at].len = (uint8_t)cluster.len;
			s->used++;
			return CELL_SUBSTITUTE_FIRST + at;
		}
		if (str_equal(str_of(s->clusters[at].text, s->clusters[at].len), cluster))
			return CELL_SUBSTITUTE_FIRST + at;
	}
	return 0;
}

struct str cell_substitute_cluster(const struct cell_substitutes *s, uint32_t code)
{
	if (code < CELL_SUBSTITUTE_FIRST || code >= CELL_SUBSTITUTE_FIRST + CELL_SUBSTITUTES)
		return STR_NONE;
	return str_of(s->clusters[code - CELL_SUBSTITUTE_FIRST].text, s->clusters[code - CELL_SUBSTITUTE_FIRST].len);
}

void cell_substitutes_forget(struct cell_substitutes *s)
{
	memset(s, 0, sizeof *s);
}
