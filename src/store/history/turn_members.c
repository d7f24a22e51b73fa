#include "store/history/turn_members.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/turn.h"

#define AT(member) offsetof(struct turn, member)
#define X_COLUMN(upper, member, part_of, label, word, rank) { member, MEMBER_COUNT, AT(usage.of[USAGE_##upper]) },
#define X_SPENT(upper, member, part_of, label, word, rank) { "spent_" member, MEMBER_COUNT, AT(spent.of[USAGE_##upper]) },
#define X_PRICE(upper, name, help) { "price_" name, MEMBER_MONEY, AT(prices.of[USAGE_##upper]) },

const struct turn_member turn_members[] = {
	{ "started", MEMBER_TIME, AT(wall) },
	{ "provider", MEMBER_TEXT, AT(scope.provider) },
	{ "model", MEMBER_TEXT, AT(scope.model) },
	{ "answered_model", MEMBER_TEXT, AT(model) },
	{ "answered_id", MEMBER_TEXT, AT(id) },
	USAGE_FIGURES(X_COLUMN)
	USAGE_FIGURES(X_SPENT)
	{ "spent_roughly", MEMBER_BOOL, AT(spent_roughly) },
	{ "reported_cost", MEMBER_MONEY, AT(reported) },
	USAGE_PRICES(X_PRICE)
	{ "price_below", MEMBER_INT64, AT(prices.prompt_below) },
	{ "spent_cost", MEMBER_REAL, AT(spent_cost.usd) },
	{ "spent_is_reported", MEMBER_BOOL, AT(spent_cost.is_reported) },
	{ "spent_is_estimated", MEMBER_BOOL, AT(spent_cost.is_estimated) },
	{ "spent_is_unknown", MEMBER_BOOL, AT(spent_cost.is_unknown) },
	{ "copied", MEMBER_BOOL, AT(copied) },
	{ "context", MEMBER_INT64, AT(context) },
	{ "context_is_rough", MEMBER_BOOL, AT(context_is_rough) },
	{ "routed_known", MEMBER_BOOL, AT(routed_known) },
	{ "routed", MEMBER_INT, AT(route.routed) },
	{ "routed_model", MEMBER_TEXT, AT(routed_model) },
	{ "routing_latency_ms", MEMBER_REAL, AT(route.routing_latency_ms) },
	{ "finish_reason", MEMBER_TEXT, AT(finish_reason) },
	{ "has_error", MEMBER_BOOL, AT(has_error) },
	{ "error_message", MEMBER_TEXT, AT(error_message) },
	{ "error_type", MEMBER_TEXT, AT(error_type) },
	{ "error_code", MEMBER_TEXT, AT(error_code) },
	{ "error_status", MEMBER_INT, AT(error_status) },
	{ "ended_ms", MEMBER_REAL, AT(ended_ms) },
	{ "open_from", MEMBER_SIZE, AT(open_from) },
	{ "restarted_at", MEMBER_SIZE, AT(restarted_at) },
	{ "model_unknown", MEMBER_BOOL, AT(model_unknown) },
	{ "tape", MEMBER_PATH, AT(tape) },
	{ "details", MEMBER_TEXT, AT(details) },
	{ "earlier", MEMBER_TEXT, AT(earlier) },
};
const size_t turn_member_count = ARRAY_LEN(turn_members);
_Static_assert(ARRAY_LEN(turn_members) <= TURN_MEMBERS_MOST, "the writer of nodes has room for all");

/* --- the meter: what pages and details show of a turn that is over --- */

void turn_meter_write(const struct meter *m, struct buf *out)
{
	const struct estimate *estimates[] = { &m->text, &m->reasoning, &m->tools };

	if (!m->begun)
		return;
	buf_printf(out, "%.17g %.17g %u", m->first_ms, m->last_ms, m->profile_doubled);
	for (size_t i = 0; i < ARRAY_LEN(estimates); i++)
		buf_printf(out, " %" PRIu64 " %" PRIu64, estimates[i]->narrow, estimates[i]->wide);
	for (size_t i = 0; i < METER_PROFILE; i++)
		buf_printf(out, " %" PRId64, m->profile[i]);
	if (estimate_tokens(&m->asked)) /* last: rows of before lack it */
		buf_printf(out, " %" PRIu64 " %" PRIu64, m->asked.narrow, m->asked.wide);
}

/* Numbers that are missing are 0. */
static double next_real(struct str *rest)
{
	struct str word;
	char *copy;
	double number;

	if (!str_split(rest, ' ', &word))
		return 0;
	copy = str_dup(word);
	number = strtod(copy, NULL);
	mem_free(copy);
	return number;
}

static int64_t next_integer(struct str *rest)
{
	struct str word;
	long long number;

	return str_split(rest, ' ', &word) && str_to_int(word, &number) ? number : 0;
}

void turn_meter_read(struct meter *m, struct str text)
{
	struct estimate *estimates[] = { &m->text, &m->reasoning, &m->tools };
	int64_t doubled;

	*m = (struct meter){ .begun = text.len > 0 };
	m->first_ms = next_real(&text);
	m->last_ms = next_real(&text);
	doubled = next_integer(&text);
	m->profile_doubled = doubled < 60 ? (unsigned)doubled : 0;
	for (size_t i = 0; i < ARRAY_LEN(estimates); i++) {
		estimates[i]->narrow = (uint64_t)next_integer(&text);
		estimates[i]->wide = (uint64_t)next_integer(&text);
	}
	for (size_t i = 0; i < METER_PROFILE; i++)
		m->profile[i] = next_integer(&text);
	m->asked.narrow = (uint64_t)next_integer(&text);
	m->asked.wide = (uint64_t)next_integer(&text);
}

/* --- words of enums --- */

static const char *const kind_names[] = {
	[PART_TEXT] = "text", [PART_REASONING] = "reasoning", [PART_REFUSAL] = "refusal", [PART_TOOL_CALL] = "tool_call",
	[PART_TOOL_RESULT] = "tool_result", [PART_ATTACHMENT] = "attachment", [PART_OPAQUE] = "opaque",
	[PART_MEDIA] = "media", [PART_SERVER_TOOL] = "server_tool", [PART_SERVER_RESULT] = "server_result",
};

const char *turn_part_name(enum part_kind kind)
{
	return kind_names[kind];
}

bool turn_part_find(struct str name, enum part_kind *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(kind_names); i++)
		if (str_is(name, kind_names[i])) {
			*kind = (enum part_kind)i;
			return true;
		}
	return false;
}

bool turn_outcome_find(struct str name, enum outcome *outcome)
{
	for (int i = 0; i <= OUTCOME_CANCELLED; i++)
		if (str_is(name, outcome_name((enum outcome)i))) {
			*outcome = (enum outcome)i;
			return true;
		}
	return false;
}

/* --- places --- */

static void at_most(size_t *value, size_t most)
{
	if (*value > most)
		*value = most;
}

/* A file that another program wrote, or a damaged one, names no part that is not there. */
void turn_bound_places(struct turn *t)
{
	at_most(&t->open_from, t->part_count);
	at_most(&t->restarted_at, t->part_count);
	for (size_t i = 0; i < t->joint_count; i++)
		at_most(&t->joints[i].part, t->part_count);
	for (size_t i = 0; i < t->note_count; i++)
		at_most(&t->notes[i].part, t->part_count);
	for (size_t i = 0; i < t->citations.place_count; i++)
		at_most(&t->citations.places[i].from, t->part_count);
}
