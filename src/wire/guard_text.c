/* The guard's text: parts and their numbers, surrogate pairs, <think>, the maximum size of an answer. */
#include <stdio.h>

#include "base/mem.h"
#include "wire/guard_inside.h"

#define THINK_KEY (~0u - 1) /* key of reasoning that comes from <think> */

/* NULL if there is none. Checks the part looked up last first, because consecutive deltas usually have the same part. */
static struct guard_part *guard_find_part(const struct guard *g, enum delta_kind kind, unsigned key)
{
	if (g->last_part < g->part_count) {
		struct guard_part *last = &g->parts[g->last_part];

		if (last->kind == kind && last->key == key)
			return last;
	}
	for (size_t i = g->part_count; i-- > 0;)
		if (g->parts[i].kind == kind && g->parts[i].key == key)
			return &g->parts[i];
	return NULL;
}

/* Finds or adds a part. NULL, with an error, if there are too many. */
static struct guard_part *guard_take_part(struct guard *g, enum delta_kind kind, unsigned key)
{
	struct guard_part *part = guard_find_part(g, kind, key);

	if (!part && g->part_count == GUARD_PARTS_MOST) {
		guard_error(g, &(struct error_report){ .message = STR("The answer has too many parts.") });
		return NULL;
	}
	if (!part) {
		mem_reserve(&g->parts, &g->part_capacity, g->part_count + 1, sizeof *g->parts);
		part = &g->parts[g->part_count++];
		*part = (struct guard_part){ .kind = kind, .key = key, .number = GUARD_NEW_PART };
	}
	g->last_part = (size_t)(part - g->parts);
	return part;
}

unsigned guard_part(const struct guard *g, enum delta_kind kind, unsigned key)
{
	const struct guard_part *part = guard_find_part(g, kind, key);

	return part ? part->number : GUARD_NEW_PART;
}

/*
 * True if unnumbered text begins a new part. Blank text in between does not count, because servers send line breaks in the middle of
 * reasoning. At the maximum number of parts it continues the old part instead of failing.
 */
static bool begins_anew(const struct guard *g, const struct guard_part *part)
{
	return part->key == GUARD_UNNUMBERED && part->number != g->latest && part->number != g->legible &&
	       g->next_number < GUARD_PARTS_MOST;
}

static void guard_emit_text(struct guard *g, struct guard_part *part, struct str text)
{
	if (part->number == GUARD_NEW_PART || begins_anew(g, part))
		part->number = g->next_number++;
	g->latest = part->number;
	if (!str_is_blank(text))
		g->legible = part->number;
	g->has_text = true;
	g->has_answer |= part->kind == DELTA_TEXT;
	g->has_refusal |= part->kind == DELTA_REFUSAL;
	guard_give(g, &(struct delta){ .kind = part->kind, .part = part->number, .text = text });
	g->answer_bytes += text.len;
}

static void guard_emit_thought_or_text(void *ctx, bool is_reasoning, struct str text)
{
	struct guard *g = ctx;
	struct guard_part *part = is_reasoning ? guard_take_part(g, DELTA_REASONING, THINK_KEY)
	                                       : guard_take_part(g, DELTA_TEXT, g->think_key);

	if (is_reasoning)
		guard_repair(g, MENDED_THINK);
	if (part)
		guard_emit_text(g, part, text);
}

static void check_answer_size(struct guard *g)
{
	if (g->answer_bytes <= GUARD_ANSWER_LIMIT || g->failing)
		return;
	char message[128];
	int len = snprintf(message, sizeof message, "The answer is longer than %zu MB; the rest was not read.",
	                   GUARD_ANSWER_LIMIT >> 20);
	guard_error(g, &(struct error_report){ .message = str_of(message, (size_t)len) });
}

void guard_count_bytes(struct guard *g, size_t bytes)
{
	g->answer_bytes += bytes;
	check_answer_size(g);
}

static void guard_add_text(struct guard *g, enum delta_kind kind, unsigned key, struct str raw)
{
	if (!raw.len || !guard_takes(g))
		return;
	struct guard_part *part = guard_take_part(g, kind, key);
	if (!part)
		return;
	struct str text = surrogate_join(&part->surrogate, raw, &g->scratch);
	if (!text.len)
		return;
	if (kind != DELTA_TEXT || g->think.state == THINK_AFTER) {
		guard_emit_text(g, part, text);
	} else {
		if (g->think.held.len && key != g->think_key)
			think_flush(&g->think, guard_emit_thought_or_text, g);
		g->think_key = key;
		think_feed(&g->think, text, guard_emit_thought_or_text, g);
	}
	check_answer_size(g);
}

void guard_text(struct guard *g, unsigned key, struct str raw)
{
	guard_add_text(g, DELTA_TEXT, key, raw);
}

void guard_reasoning(struct guard *g, unsigned key, struct str raw)
{
	guard_add_text(g, DELTA_REASONING, key, raw);
}

void guard_refusal(struct guard *g, unsigned key, struct str raw)
{
	guard_add_text(g, DELTA_REFUSAL, key, raw);
}

bool guard_has_text(const struct guard *g)
{
	return g->has_text || g->think.held.len;
}

void guard_flush_text(struct guard *g)
{
	for (size_t i = 0; i < g->part_count; i++) {
		struct str held = surrogate_flush(&g->parts[i].surrogate);

		if (!held.len)
			continue;
		if (g->parts[i].kind == DELTA_TEXT && g->parts[i].key == g->think_key)
			think_feed(&g->think, held, guard_emit_thought_or_text, g);
		else
			guard_emit_text(g, &g->parts[i], held);
	}
	think_flush(&g->think, guard_emit_thought_or_text, g);
}
