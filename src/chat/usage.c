#include "chat/usage.h"

#include <string.h>

#include "base/utf8.h"

#define NARROW_END 0x2E80u
#define SLOT_LAST 1e15 /* a tape may tell any time */

void estimate_add(struct estimate *e, struct str text)
{
	for (struct str rest = text; rest.len;) {
		if (utf8_next(&rest) < NARROW_END)
			e->narrow++;
		else
			e->wide++;
	}
}

int64_t estimate_tokens(const struct estimate *e)
{
	return (int64_t)((e->narrow + 3) / 4 + e->wide);
}

static struct estimate *estimate_of(struct meter *m, enum delta_kind kind)
{
	if (kind == DELTA_TEXT || kind == DELTA_REFUSAL)
		return &m->text;
	if (kind == DELTA_REASONING)
		return &m->reasoning;
	return kind == DELTA_TOOL_ARGUMENTS ? &m->tools : NULL;
}

static int64_t slot_of(double at_ms)
{
	double slot = at_ms / METER_SLOT_MS;
	return (int64_t)(slot < SLOT_LAST ? slot : SLOT_LAST);
}

/* Makes `slot` the newest of the ring; the quarter seconds that were silent hold nothing. */
static void move_to_slot(struct meter *m, int64_t slot)
{
	if (slot - m->slot_at >= METER_SLOTS)
		memset(m->slots, 0, sizeof m->slots);
	else
		for (int64_t s = m->slot_at + 1; s <= slot; s++)
			m->slots[s % METER_SLOTS] = 0;
	m->slot_at = slot;
}

void meter_delta(struct meter *m, const struct delta *d)
{
	struct estimate *e = estimate_of(m, d->kind);
	if (!e || !d->text.len)
		return;
	int64_t before = meter_tokens(m);
	estimate_add(e, d->text);
	if (d->at_ms < 0)
		return;
	if (!m->begun) {
		m->begun = true;
		m->first_ms = d->at_ms;
	}
	m->last_ms = d->at_ms;
	int64_t slot = slot_of(d->at_ms);
	if (slot > m->slot_at)
		move_to_slot(m, slot);
	m->slots[m->slot_at % METER_SLOTS] += meter_tokens(m) - before;
}

int64_t meter_tokens(const struct meter *m)
{
	return estimate_tokens(&m->text) + estimate_tokens(&m->reasoning) + estimate_tokens(&m->tools);
}

double meter_rate(const struct meter *m, const struct usage *usage)
{
	double seconds = (m->last_ms - m->first_ms) / 1000.0;
	int64_t tokens = usage && usage->completion_tokens > 0 ? usage->completion_tokens : meter_tokens(m);
	return m->begun && seconds > 0.05 && tokens > 1 ? (double)tokens / seconds : -1;
}

double meter_pace(const struct meter *m)
{
	return (double)m->slots[(m->slot_at + METER_SLOTS - 1) % METER_SLOTS] * 1000.0 / METER_SLOT_MS;
}
