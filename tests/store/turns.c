#include "store/turns.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/totals.h"
#include "support/check.h"

static const char *const texts[] = {
	"word ", "two words", "", "\n\n", "Grüße aus Köln", "日本語のテキスト", "\xf0\x9f\x98\x80", "a\"b'c;--", "x", "{\"a\":1}", "tab\tand line\n",
};

/* Some text, now and then a long one, and with `raw` any bytes. */
static void add_random(struct buf *out, unsigned *seed, bool raw)
{
	unsigned kind = check_random(seed) % 40;
	size_t many = kind == 0 ? 9000 : kind < 4 ? 300 : 1 + kind % 5;

	for (size_t i = 0; i < many; i++) {
		if (raw && check_random(seed) % 3 == 0)
			buf_add_byte(out, (char)check_random(seed));
		else
			buf_add_z(out, texts[check_random(seed) % ARRAY_LEN(texts)]);
	}
}

static struct str random_text(struct buf *out, unsigned *seed, bool raw)
{
	buf_clear(out);
	add_random(out, seed, raw);
	return buf_str(out);
}

static struct str random_word(unsigned *seed)
{
	static const char *const words[] = { "", "a", "name", "call_1", "long-name-of-something", "ü" };
	unsigned n = check_random(seed) % (ARRAY_LEN(words) + 1);

	return n < ARRAY_LEN(words) ? str_from(words[n]) : STR_NONE;
}

void turns_random_prompt(struct turn *t, unsigned *seed)
{
	static const enum part_kind kinds[] = { PART_TEXT, PART_TEXT, PART_ATTACHMENT, PART_TOOL_RESULT };
	struct buf text = { 0 };

	for (unsigned i = check_random(seed) % 5 + 1; i; i--) {
		enum part_kind kind = kinds[check_random(seed) % ARRAY_LEN(kinds)];
		struct part *p = turn_add(t, kind, random_text(&text, seed, kind == PART_ATTACHMENT), random_word(seed), random_word(seed));

		if (kind == PART_ATTACHMENT)
			p->media = mem_dup_z("image/png");
		if (kind == PART_TOOL_RESULT) {
			p->call = (int)(check_random(seed) % 4);
			p->is_error = check_random(seed) % 2;
		}
	}
	t->wall = 1700000000 + (time_t)(check_random(seed) % 1000000);
	buf_fini(&text);
}

static void random_usage(struct delta *d, unsigned *seed)
{
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (check_random(seed) % 3)
			d->usage.of[i] = (struct count)COUNT_SENT((int64_t)(check_random(seed) % 100000));
	if (!(check_random(seed) % 4))
		d->cost = MONEY((double)(check_random(seed) % 1000) / 7);
}

static void random_prices(struct turn *t, unsigned *seed)
{
	struct prices prices = { .prompt_below = check_random(seed) % 3 ? 0 : 50000 };

	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		if (check_random(seed) % 4 && usage_price((enum usage_figure)i)->name)
			prices.of[i] = MONEY((double)(check_random(seed) % 1000) / 7);
	turn_set_prices(t, &prices, prices_are_known(&prices) ? "the test" : NULL);
}

/* Of the request under way: the guard ends an item once. */
static bool has_ended(const struct turn *t, enum part_kind kind, unsigned index)
{
	for (size_t i = t->open_from; i < t->part_count; i++)
		if (t->parts[i].kind == kind && t->parts[i].call == (int)index && !t->parts[i].open)
			return true;
	return false;
}

static void random_media(const struct turn *t, struct delta *d, unsigned *seed, struct buf *data)
{
	struct delta_media media = { .index = check_random(seed) % 3 };

	if (has_ended(t, PART_MEDIA, media.index)) {
		d->kind = DELTA_TEXT;
		return;
	}
	media.facts = (struct media_facts){ .kind = (enum media_kind)(check_random(seed) % (MEDIA_FILE + 1)), .id = random_word(seed),
	                                    .type = random_word(seed), .url = random_word(seed), .partials = check_random(seed) % 4,
	                                    .whole = check_random(seed) % 2, .thought = check_random(seed) % 2 };
	if (d->kind == DELTA_MEDIA)
		media.data = random_text(data, seed, true);
	media.facts.bytes = media.data.len + check_random(seed) % 2;
	if (d->kind == DELTA_MEDIA_BEGIN || d->kind == DELTA_MEDIA)
		d->text = STR_NONE;
	d->media = media;
}

static void random_server_tool(const struct turn *t, struct delta *d, unsigned *seed, struct buf *output)
{
	struct delta_server_tool tool = { .index = check_random(seed) % 3, .id = random_word(seed), .name = random_word(seed) };

	if (has_ended(t, PART_SERVER_TOOL, tool.index)) {
		d->kind = DELTA_TEXT;
		return;
	}
	if (d->kind == DELTA_SERVER_TOOL_BEGIN)
		d->text = STR_NONE;
	if (d->kind == DELTA_SERVER_TOOL_END) {
		tool.state = (enum server_tool_state)(check_random(seed) % (SERVER_TOOL_FAILED + 1));
		tool.output = check_random(seed) % 3 ? random_text(output, seed, false) : STR_NONE;
	}
	d->server_tool = tool;
}

void turns_random_event(struct turn *t, unsigned *seed, double at_ms)
{
	static const enum delta_kind kinds[] = {
		DELTA_BEGIN, DELTA_META, DELTA_TEXT, DELTA_TEXT, DELTA_TEXT, DELTA_TEXT, DELTA_REASONING, DELTA_REASONING, DELTA_REFUSAL,
		DELTA_TOOL_BEGIN, DELTA_TOOL_ARGUMENTS, DELTA_TOOL_ARGUMENTS, DELTA_TOOL_END, DELTA_TOOL_NAME, DELTA_OPAQUE, DELTA_CITATION,
		DELTA_USAGE, DELTA_ROUTE, DELTA_NOTICE, DELTA_FINISH, DELTA_ERROR, DELTA_MEDIA_BEGIN, DELTA_MEDIA, DELTA_MEDIA, DELTA_MEDIA_TEXT,
		DELTA_MEDIA_END, DELTA_SERVER_TOOL_BEGIN, DELTA_SERVER_TOOL_INPUT, DELTA_SERVER_TOOL_END,
	};
	struct delta d = { .kind = kinds[check_random(seed) % ARRAY_LEN(kinds)], .at_ms = at_ms, .part = check_random(seed) % 3 };
	struct buf text = { 0 }, other = { 0 };

	if (check_random(seed) % 60 == 0)
		d.kind = DELTA_RESTART;
	d.text = random_text(&text, seed, false);
	switch (d.kind) {
	case DELTA_BEGIN: case DELTA_META:
		d.meta.id = random_word(seed);
		d.meta.model = random_word(seed);
		break;
	case DELTA_TOOL_BEGIN: case DELTA_TOOL_NAME: case DELTA_TOOL_ARGUMENTS: case DELTA_TOOL_END:
		d.tool.index = check_random(seed) % 3;
		if (turn_call(t, d.tool.index) && !turn_call(t, d.tool.index)->open) /* the guard ends a call once */
			d.kind = DELTA_REASONING;
		if (d.kind == DELTA_REASONING)
			break;
		d.tool.id = random_word(seed);
		d.tool.name = random_word(seed);
		d.tool.valid = check_random(seed) % 2;
		break;
	case DELTA_OPAQUE:
		d.opaque.format = STR(OPAQUE_GEMINI_PART);
		d.opaque.data = random_text(&other, seed, true);
		d.opaque.tool_index = (int)(check_random(seed) % 3) - 1;
		break;
	case DELTA_CITATION:
		d.citation.url = random_word(seed);
		d.citation.title = random_word(seed);
		d.citation.text = d.text;
		d.citation.unit = (enum citation_unit)(check_random(seed) % 4);
		d.citation.end = (int64_t)(check_random(seed) % 500);
		break;
	case DELTA_USAGE:
		random_usage(&d, seed);
		random_prices(t, seed);
		break;
	case DELTA_ROUTE:
		d.route.routed = (int)(check_random(seed) % 3) - 1;
		d.route.routed_model = random_word(seed);
		d.route.routing_latency_ms = (double)(check_random(seed) % 1000) / 7;
		break;
	case DELTA_NOTICE:
		d.notice.rule = STR("hint");
		d.notice.text = d.text;
		break;
	case DELTA_FINISH: d.finish.reason = random_word(seed); break;
	case DELTA_ERROR:
		d.error.message = d.text;
		d.error.type = random_word(seed);
		d.error.code = random_word(seed);
		d.error.status = (int)(check_random(seed) % 600);
		break;
	case DELTA_MEDIA_BEGIN: case DELTA_MEDIA: case DELTA_MEDIA_TEXT: case DELTA_MEDIA_END:
		random_media(t, &d, seed, &other);
		break;
	case DELTA_SERVER_TOOL_BEGIN: case DELTA_SERVER_TOOL_INPUT: case DELTA_SERVER_TOOL_END:
		random_server_tool(t, &d, seed, &other);
		break;
	case DELTA_TEXT: case DELTA_REASONING: case DELTA_REFUSAL: case DELTA_RESTART: case DELTA_END: break;
	}
	meter_delta(&t->meter, &d);
	turn_delta(t, &d);
	buf_fini(&text);
	buf_fini(&other);
}

void turns_end(struct turn *t, enum outcome outcome, double at_ms)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .at_ms = at_ms, .end = { .outcome = outcome } });
}

/* --- equality --- */

static void same_z(const char *what, const char *read, const char *written)
{
	CHECK((!read && !written) || (read && written && !strcmp(read, written)), "%s: %s, not %s", what, read ? read : "NULL",
	      written ? written : "NULL");
}

static void same_number(const char *what, double read, double written)
{
	CHECK(read == written, "%s: %g, not %g", what, read, written);
}

static void check_part(const struct part *read, const struct part *written, size_t at)
{
	CHECK(read->kind == written->kind && read->number == written->number && read->call == written->call, "part %zu", at);
	CHECK(str_equal(buf_str(&read->text), buf_str(&written->text)), "text of part %zu: %zu bytes, not %zu", at, read->text.len, written->text.len);
	same_z("id", read->id, written->id);
	same_z("name", read->name, written->name);
	same_z("media", read->media, written->media);
	CHECK(str_equal(blob_str(read->data), blob_str(written->data)), "data of part %zu: %zu bytes, not %zu", at, blob_str(read->data).len, blob_str(written->data).len);
	CHECK(read->media_kind == written->media_kind && read->partials == written->partials && read->thought == written->thought, "media of part %zu", at);
	CHECK(!read->open && read->valid == written->valid && read->is_error == written->is_error, "flags of part %zu", at);
	if (written->kind == PART_TEXT || written->kind == PART_REASONING || written->kind == PART_REFUSAL)
		same_number("size", (double)estimate_tokens(&read->size), (double)estimate_tokens(&written->size));
	same_number("begun", read->begun_ms, written->begun_ms);
	same_number("ended", read->ended_ms, written->ended_ms);
}

static void check_usage(const char *what, const struct usage *read, const struct usage *written)
{
	CHECK(usage_equal(read, written), "%s", what);
}

static void check_facts(const struct turn *read, const struct turn *written)
{
	same_z("provider", read->scope.provider, written->scope.provider);
	same_z("requested model", read->scope.model, written->scope.model);
	same_z("protocol's name", read->scope.protocol_name, written->scope.protocol_name);
	CU_ASSERT_PTR_EQUAL(read->scope.protocol, written->scope.protocol);
	same_z("id", read->id, written->id);
	same_z("model", read->model, written->model);
	same_z("routed model", read->routed_model, written->routed_model);
	CU_ASSERT(str_equal(read->route.routed_model, written->route.routed_model));
	same_number("routed", read->route.routed, written->route.routed);
	same_number("routing", read->route.routing_latency_ms, written->route.routing_latency_ms);
	CU_ASSERT_EQUAL(read->routed_known, written->routed_known);
	same_z("finish reason", read->finish_reason, written->finish_reason);
	same_z("error", read->error_message, written->error_message);
	same_z("error's type", read->error_type, written->error_type);
	same_z("error's code", read->error_code, written->error_code);
	same_number("error's status", read->error_status, written->error_status);
	CU_ASSERT_EQUAL(read->has_error, written->has_error);
	same_z("tape", read->tape, written->tape);
	same_z("details", read->details, written->details);
	same_z("earlier", read->earlier, written->earlier);
	check_usage("usage", &read->usage, &written->usage);
	check_usage("spent", &read->spent, &written->spent);
	CU_ASSERT_EQUAL(read->spent_roughly, written->spent_roughly);
	CU_ASSERT(read->copied == written->copied && read->context == written->context && read->context_is_rough == written->context_is_rough);
	CU_ASSERT_EQUAL(read->model_unknown, written->model_unknown);
	struct cost read_cost = turn_spending(read).cost, written_cost = turn_spending(written).cost;
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		CHECK(read->prices.of[i].known == written->prices.of[i].known && read->prices.of[i].usd == written->prices.of[i].usd, "price %d", i);
	CHECK(read->prices.prompt_below == written->prices.prompt_below && !read->prices_from == !prices_are_known(&written->prices), "prices");
	CHECK(read_cost.usd == written_cost.usd && read_cost.is_reported == written_cost.is_reported &&
	      read_cost.is_estimated == written_cost.is_estimated && read_cost.is_unknown == written_cost.is_unknown, "cost");
}

static void check_meter(const struct meter *read, const struct meter *written)
{
	double course[2][8];

	meter_course(read, course[0], 8);
	meter_course(written, course[1], 8);
	for (int i = 0; i < 8; i++)
		same_number("course", course[0][i], course[1][i]);
	same_number("tokens", (double)meter_tokens(read), (double)meter_tokens(written));
	same_number("rate", meter_rate(read, NULL), meter_rate(written, NULL));
	same_number("first", read->first_ms, written->first_ms);
	CU_ASSERT_EQUAL(read->begun, written->begun);
}

static void check_lists(const struct turn *read, const struct turn *written)
{
	CU_ASSERT_EQUAL_FATAL(read->note_count, written->note_count);
	for (size_t i = 0; i < read->note_count; i++) {
		same_z("rule", read->notes[i].rule, written->notes[i].rule);
		same_z("note", read->notes[i].text, written->notes[i].text);
		CU_ASSERT_EQUAL(read->notes[i].part, written->notes[i].part);
	}
	CU_ASSERT_EQUAL_FATAL(read->joint_count, written->joint_count);
	for (size_t i = 0; i < read->joint_count; i++) {
		CHECK(read->joints[i].part == written->joints[i].part && read->joints[i].by_words == written->joints[i].by_words &&
		      read->joints[i].outcome == written->joints[i].outcome, "joint %zu", i);
	}
}

static void check_citations(const struct citations *read, const struct citations *written)
{
	CU_ASSERT_EQUAL_FATAL(read->source_count, written->source_count);
	for (size_t i = 0; i < read->source_count; i++) {
		same_z("url", read->sources[i].url, written->sources[i].url);
		same_z("title", read->sources[i].title, written->sources[i].title);
		same_z("quote", read->sources[i].text, written->sources[i].text);
	}
	CU_ASSERT_EQUAL_FATAL(read->place_count, written->place_count);
	for (size_t i = 0; i < read->place_count; i++) {
		const struct citation_place *a = &read->places[i], *b = &written->places[i];

		CHECK(a->source == b->source && a->part == b->part && a->from == b->from && a->unit == b->unit && a->end == b->end, "place %zu", i);
	}
}

void turns_check_equal(const struct turn *read, const struct turn *written)
{
	CU_ASSERT_EQUAL(read->role, written->role);
	CU_ASSERT_EQUAL(read->wall, written->wall);
	CU_ASSERT_EQUAL_FATAL(read->part_count, written->part_count);
	for (size_t i = 0; i < read->part_count; i++)
		check_part(&read->parts[i], &written->parts[i], i);
	check_facts(read, written);
	check_meter(&read->meter, &written->meter);
	check_lists(read, written);
	check_citations(&read->citations, &written->citations);
	CU_ASSERT_EQUAL(read->open_from, written->open_from);
	CU_ASSERT_EQUAL(read->restarted_at, written->restarted_at);
	CU_ASSERT_TRUE(read->ended);
	CU_ASSERT_EQUAL(read->outcome, written->ended ? written->outcome : written->role == TURN_USER ? written->outcome : OUTCOME_CUT);
	same_number("ended at", read->ended_ms, written->ended_ms);
}
