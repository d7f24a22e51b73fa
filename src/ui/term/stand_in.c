#include "ui/term/stand_in.h"

#include <string.h>

static unsigned stand_in_place_of(struct str cluster)
{
	unsigned hash = 2166136261u;

	for (size_t i = 0; i < cluster.len; i++)
		hash = (hash ^ (unsigned char)cluster.ptr[i]) * 16777619u;
	return hash % STAND_INS;
}

uint32_t stand_in_for(struct stand_ins *s, struct str cluster)
{
	unsigned at = stand_in_place_of(cluster);

	for (unsigned tried = 0; tried < STAND_INS; tried++, at = (at + 1) % STAND_INS) {
		if (!s->clusters[at].len) {
			memcpy(s->clusters[at].text, cluster.ptr, cluster.len);
			s->clusters[at].len = (uint8_t)cluster.len;
			s->used++;
			return STAND_IN_FIRST + at;
		}
		if (str_equal(str_of(s->clusters[at].text, s->clusters[at].len), cluster))
			return STAND_IN_FIRST + at;
	}
	return 0;
}

struct str stand_in_cluster(const struct stand_ins *s, uint32_t code)
{
	if (code < STAND_IN_FIRST || code >= STAND_IN_FIRST + STAND_INS)
		return STR_NONE;
	return str_of(s->clusters[code - STAND_IN_FIRST].text, s->clusters[code - STAND_IN_FIRST].len);
}

void stand_ins_forget(struct stand_ins *s)
{
	memset(s, 0, sizeof *s);
}
