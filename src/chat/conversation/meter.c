#include "chat/conversation/meter.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "wire/request.h"

#define NARROW_END 0x2E80u
#define RATE_LEAST_S 0.05 /* a rate over less time is meaningless */
#define SLOT_LAST 1e15 /* a tape may contain any time */

/* Of the beginning that is ASCII: eight bytes at once, as long as none of them has its upper bit set. */
static size_t ascii_length(struct str text)
{
	const uint64_t upper_bits = UINT64_C(0x8080808080808080);
	size_t length = 0;
	uint64_t eight;

	for (; length + sizeof eight <= text.len; length += sizeof eight) {
		memcpy(&eight, text.ptr + length, sizeof eight);
		if (eight & upper_bits)
			break;
	}
	while (length < text.len && (unsigned char)text.ptr[length] < 0x80)
		length++;
	return length;
}

/* A stored conversation of 100 MB is measured when it is opened. */
void estimate_add(struct estimate *e, struct str text)
{
	for (struct str rest = text; rest.len;) {
		size_t ascii = ascii_length(rest);

		e->narrow += ascii;
		rest = str_skip(rest, ascii);
		if (!rest.len)
			return;
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

void meter_ask(struct meter *m, const struct request *r)
{
	const struct str beside[] = { r->system, r->tools, r->schema };
	struct estimate e = { 0 };

	for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
		estimate_add(&e, beside[i]);
	for (size_t i = 0; i < r->message_count; i++)
		for (size_t k = 0; k < r->messages[i].part_count; k++) {
			const struct request_part *part = &r->messages[i].parts[k];

			if (part->kind == PART_MEDIA || (part->kind == PART_ATTACHMENT && !str_starts(part->media, "text/")))
				return;
			if (part->kind != PART_OPAQUE)
				estimate_add(&e, part->text);
		}
	m->asked = e;
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

/* Makes `slot` the newest of the ring and clears the slots in between. */
static void move_to_slot(struct meter *m, int64_t slot)
{
	if (slot - m->slot_at >= METER_SLOTS)
		memset(m->slots, 0, sizeof m->slots);
	else
		for (int64_t s = m->slot_at + 1; s <= slot; s++)
			m->slots[s % METER_SLOTS] = 0;
	m->slot_at = slot;
}

static double profile_ms(const struct meter *m)
{
	return METER_PROFILE_MS * (double)((uint64_t)1 << m->profile_doubled); /* at most 54 doublings up to SLOT_LAST */
}

static void add_to_profile(struct meter *m, double at_ms, int64_t tokens)
{
	double end_ms = SLOT_LAST * METER_SLOT_MS, since_ms = (at_ms < end_ms ? at_ms : end_ms) - m->first_ms;

	while (since_ms >= METER_PROFILE * profile_ms(m)) {
		for (size_t i = 0; i < METER_PROFILE; i++)
			m->profile[i] = i < METER_PROFILE / 2 ? m->profile[2 * i] + m->profile[2 * i + 1] : 0;
		m->profile_doubled++;
	}
	m->profile[since_ms > 0 ? (size_t)(since_ms / profile_ms(m)) : 0] += tokens;
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
	int64_t tokens = meter_tokens(m) - before;
	m->slots[m->slot_at % METER_SLOTS] += tokens;
	add_to_profile(m, d->at_ms, tokens);
}

int64_t meter_tokens(const struct meter *m)
{
	return estimate_tokens(&m->text) + estimate_tokens(&m->reasoning) + estimate_tokens(&m->tools);
}

int64_t meter_estimate(const struct meter *m, enum usage_figure figure)
{
	int64_t asked = estimate_tokens(&m->asked);

	if (figure == USAGE_PROMPT && asked)
		return asked;
	return figure == USAGE_COMPLETION ? meter_tokens(m) : figure == USAGE_REASONING ? estimate_tokens(&m->reasoning) : -1;
}

double meter_rate(const struct meter *m, const struct usage *usage)
{
	double seconds = (m->last_ms - m->first_ms) / 1000.0;
	int64_t tokens = usage ? usage->of[USAGE_COMPLETION].number : 0; /* some servers send 0 first */

	if (!tokens)
		tokens = meter_tokens(m);
	return m->begun && seconds > RATE_LEAST_S && tokens > 1 ? (double)tokens / seconds : -1;
}

double meter_pace(const struct meter *m)
{
	return (double)m->slots[(m->slot_at + METER_SLOTS - 1) % METER_SLOTS] * 1000.0 / METER_SLOT_MS;
}

static int64_t slot_tokens(const struct meter *m, int64_t slot)
{
	return slot >= 0 && slot <= m->slot_at && slot > m->slot_at - METER_SLOTS ? m->slots[slot % METER_SLOTS] : 0;
}

void meter_recent(const struct meter *m, double at_ms, double *tokens, size_t count)
{
	int64_t end = slot_of(at_ms > 0 ? at_ms : 0) / 2 * 2;

	for (size_t i = 0; i < count; i++) {
		int64_t slot = end - 2 * (int64_t)(count - i);

		tokens[i] = (double)(slot_tokens(m, slot) + slot_tokens(m, slot + 1));
	}
}

void meter_course(const struct meter *m, double *tokens, size_t count)
{
	double width_ms = profile_ms(m), span_ms = m->last_ms > m->first_ms ? m->last_ms - m->first_ms : 0;

	memset(tokens, 0, count * sizeof *tokens);
	for (size_t i = 0; i < METER_PROFILE && count; i++) {
		double from_ms = (double)i * width_ms, to_ms = from_ms + width_ms < span_ms ? from_ms + width_ms : span_ms;
		double length_ms = to_ms - from_ms, column_ms = span_ms / (double)count;

		if (!m->profile[i])
			continue;
		for (size_t k = 0; k < count && length_ms > 0; k++) {
			double a = fmax(from_ms, (double)k * column_ms), b = fmin(to_ms, (double)(k + 1) * column_ms);

			tokens[k] += b > a ? (double)m->profile[i] * (b - a) / length_ms : 0;
		}
		if (length_ms <= 0) /* everything arrived at one moment */
			tokens[count - 1] += (double)m->profile[i];
	}
}
