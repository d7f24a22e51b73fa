#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "wire/grammar.h"
#include "wire/guard.h"

#define TEXT_LIMIT ((size_t)1 << 20)

struct seen {
	struct grammar grammar;
	struct buf lines;
	struct guard *guard;
};

/* Writes one or two words per delta, to check the order. */
static void see(void *ctx, const struct delta *d)
{
	struct buf *out = ctx;

	buf_add_z(out, delta_kind_name(d->kind));
	if (d->kind == DELTA_TEXT || d->kind == DELTA_REASONING || d->kind == DELTA_REFUSAL)
		buf_printf(out, " %u %.*s", d->part, STR_ARG(d->text));
	if (d->kind == DELTA_BEGIN || d->kind == DELTA_META)
		buf_printf(out, " %.*s %.*s", STR_ARG(d->meta.id), STR_ARG(d->meta.model));
	if (d->kind == DELTA_TOOL_BEGIN || d->kind == DELTA_TOOL_NAME)
		buf_printf(out, " %u %.*s %.*s", d->tool.index, STR_ARG(d->tool.id), STR_ARG(d->tool.name));
	if (d->kind == DELTA_TOOL_END)
		buf_printf(out, " %u %s %.*s", d->tool.index, d->tool.valid ? "valid" : "invalid", STR_ARG(d->text));
	if (d->kind == DELTA_USAGE)
		buf_printf(out, " %d", (int)d->usage.of[USAGE_PROMPT].number);
	if (d->kind == DELTA_NOTICE)
		buf_printf(out, " %.*s", STR_ARG(d->notice.rule));
	if (d->kind == DELTA_FINISH)
		buf_printf(out, " %.*s", STR_ARG(d->finish.reason));
	if (d->kind == DELTA_ERROR)
		buf_printf(out, " %.*s", STR_ARG(d->error.message));
	if (d->kind == DELTA_END)
		buf_printf(out, " %s", outcome_name(d->end.outcome));
	buf_add(out, STR("\n"));
}

static struct guard *begin(struct seen *seen)
{
	buf_init(&seen->lines, TEXT_LIMIT);
	seen->grammar = (struct grammar){ .next = see, .ctx = &seen->lines };
	seen->guard = guard_new(grammar_delta, &seen->grammar);
	return seen->guard;
}

static const struct guard_ending closing = { .finish_is_end = true, .finish_outlives_break = true, .understood = true };

static void check_end(struct seen *seen, enum end_how how, const struct guard_ending *ending, const char *expected)
{
	guard_end(seen->guard, how, ending);
	guard_end(seen->guard, END_CUT, ending);
	CHECK_STR(buf_str(&seen->lines), expected);
	const char *fault = grammar_fault(&seen->grammar);
	CHECK(!fault, "%s", fault);
	guard_free(seen->guard);
	buf_fini(&seen->lines);
}

static void an_empty_turn(void)
{
	struct seen seen;

	begin(&seen);
	check_end(&seen, END_CLOSED, &closing, "begin  \nend cut\n");
}

static void keeps_the_first_id_and_model(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);

	guard_identity(g, STR(""), STR_NONE);
	guard_identity(g, STR("a"), STR(""));
	guard_identity(g, STR("b"), STR("m"));
	guard_identity(g, STR("c"), STR("n"));
	check_end(&seen, END_CUT, &closing, "begin a \nmeta a m\nend cut\n");
}

static void numbers_parts(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);

	guard_reasoning(g, 7, STR("r"));
	guard_text(g, 7, STR("t"));
	guard_text(g, 3, STR("u"));
	guard_reasoning(g, 7, STR("s"));
	guard_refusal(g, 0, STR("no"));
	guard_text(g, 9, STR(""));
	CU_ASSERT_EQUAL(guard_part(g, DELTA_REASONING, 7), 0);
	CU_ASSERT_EQUAL(guard_part(g, DELTA_TEXT, 3), 2);
	CU_ASSERT_EQUAL(guard_part(g, DELTA_TEXT, 9), GUARD_NEW_PART);
	guard_finish(g, STR("stop"));
	check_end(&seen, END_CLOSED, &closing,
	          "begin  \nreasoning 0 r\ntext 1 t\ntext 2 u\nreasoning 0 s\nrefusal 3 no\nfinish stop\nend filtered\n");
}

/* Text after another kind of text, or after a call, is a new part. Blank text does not separate parts. */
static void unnumbered_text_keeps_its_order(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);

	guard_text(g, GUARD_UNNUMBERED, STR("a"));
	guard_reasoning(g, GUARD_UNNUMBERED, STR("r"));
	guard_text(g, GUARD_UNNUMBERED, STR("\n"));
	guard_reasoning(g, GUARD_UNNUMBERED, STR("s"));
	guard_text(g, GUARD_UNNUMBERED, STR("b"));
	guard_text(g, GUARD_UNNUMBERED, STR("c"));
	CU_ASSERT_EQUAL(guard_part(g, DELTA_TEXT, GUARD_UNNUMBERED), 3);
	guard_tool_end(g, guard_tool_begin(g, STR("i"), STR("f")));
	guard_text(g, GUARD_UNNUMBERED, STR("d"));
	guard_finish(g, STR("stop"));
	check_end(&seen, END_CLOSED, &closing,
	          "begin  \ntext 0 a\nreasoning 1 r\ntext 2 \n\nreasoning 1 s\ntext 3 b\ntext 3 c\ntool_begin 0 i f\ntool_end 0 valid {}\n"
	          "text 4 d\nfinish stop\nend tool_calls\n");
}

/* A split surrogate pair is joined across other text. Alternating kinds of text never exceed the maximum number of parts. */
static void unnumbered_text_never_exceeds_the_parts(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);

	seen.grammar.next = NULL;
	for (int i = 0; i < 20000; i++) {
		guard_text(g, GUARD_UNNUMBERED, i % 2 ? STR("\xed\xb8\x80") : STR("\xed\xa0\xbd"));
		guard_reasoning(g, GUARD_UNNUMBERED, STR("r"));
	}
	guard_finish(g, STR("stop"));
	CU_ASSERT_FALSE(guard_failed(g));
	guard_end(g, END_CLOSED, &closing);
	CU_ASSERT_PTR_NULL(grammar_fault(&seen.grammar));
	guard_free(g);
	buf_fini(&seen.lines);
}

static void ends_open_calls(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);
	unsigned first = guard_tool_begin(g, STR_NONE, STR("f")), second = guard_tool_begin(g, STR("b"), STR(""));

	guard_tool_arguments(g, first, STR("{\"a\":"));
	guard_tool_name(g, second, STR(""), STR("g"));
	guard_tool_name(g, second, STR("b"), STR("g"));
	guard_tool_end(g, second);
	guard_tool_arguments(g, second, STR("late"));
	guard_tool_arguments(g, 99, STR("nowhere"));
	CU_ASSERT_TRUE(guard_tool_open(g, first));
	CU_ASSERT_FALSE(guard_tool_open(g, second));
	CU_ASSERT_FALSE(guard_tool_whole(g, first));
	check_end(&seen, END_CUT, &closing,
	          "begin  \ntool_begin 0  f\ntool_begin 1 b \ntool_arguments\ntool_name 1 b g\ntool_end 1 valid {}\n"
	          "notice late-arguments\ntool_end 0 invalid {\"a\":\nend cut\n");
}

static void keeps_the_relevant_usage(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);
	struct usage none = { 0 }, some = { .of = { [USAGE_PROMPT] = COUNT_SENT(5) } }, zero = none;

	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		zero.of[i].sent = true;
	guard_usage(g, &none, MONEY_UNKNOWN);
	guard_usage(g, &zero, MONEY_UNKNOWN);
	guard_usage(g, &some, MONEY_UNKNOWN);
	guard_usage(g, &some, MONEY_UNKNOWN);
	guard_usage(g, &zero, MONEY_UNKNOWN);
	guard_usage(g, &none, MONEY_UNKNOWN);
	check_end(&seen, END_CUT, &closing, "begin  \nusage 0\nusage 5\nend cut\n");
}

static void reports_a_rule_once(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);

	guard_notice(g, "x", "%d", 1);
	guard_notice(g, "x", "%d", 2);
	guard_notice(g, "y", "%d", 3);
	check_end(&seen, END_CUT, &closing, "begin  \nnotice x\nnotice y\nend cut\n");
}

static void restarts(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);

	guard_identity(g, STR("a"), STR("m"));
	guard_text(g, 0, STR("<think>lost"));
	guard_tool_begin(g, STR("c"), STR("f"));
	guard_finish(g, STR("length"));
	guard_usage(g, &(struct usage){ .of = { [USAGE_PROMPT] = COUNT_SENT(9) } }, MONEY_UNKNOWN);
	guard_restart(g);
	CU_ASSERT_FALSE(guard_has_text(g));
	CU_ASSERT_EQUAL(guard_tool_count(g), 0);
	guard_identity(g, STR("b"), STR("n"));
	guard_text(g, 0, STR("<think>r</think>t"));
	guard_tool_begin(g, STR("d"), STR("h"));
	check_end(&seen, END_CUT, &closing,
	          "begin a m\nreasoning 0 lost\ntool_begin 0 c f\nusage 9\nrestart\nmeta b n\nreasoning 0 r\ntext 1 t\n"
	          "tool_begin 0 d h\ntool_end 0 valid {}\nend cut\n");
}

static void ignores_everything_after_an_error(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);

	guard_text(g, 0, STR(" <thi"));
	guard_tool_begin(g, STR("c"), STR("f"));
	guard_finish(g, STR("stop"));
	guard_error(g, &(struct error_report){ 0 });
	CU_ASSERT_TRUE(guard_failed(g));
	guard_error(g, &(struct error_report){ .message = STR("second") });
	guard_text(g, 0, STR("x"));
	guard_notice(g, "x", "y");
	guard_finish(g, STR("length"));
	guard_done(g);
	guard_tool_begin(g, STR("d"), STR("g"));
	check_end(&seen, END_CANCELLED, &closing,
	          "begin  \ntool_begin 0 c f\ntext 0  <thi\ntool_end 0 valid {}\nfinish stop\n"
	          "error The server reported an error without an explanation.\nend error\n");
}

static void ignores_everything_after_the_end_mark(void)
{
	struct seen seen;
	struct guard *g = begin(&seen);

	guard_text(g, 0, STR("a"));
	guard_done(g);
	guard_text(g, 0, STR("b"));
	guard_restart(g);
	guard_blocked(g, STR("SAFETY"));
	guard_error(g, &(struct error_report){ .message = STR("late") });
	guard_finish(g, STR("stop"));
	check_end(&seen, END_STALLED, &closing, "begin  \ntext 0 a\nnotice no-finish\nend complete\n");
}

struct ending_case {
	const char *finish;       /* "": none */
	enum end_how how;
	bool finish_is_end, outlives, close_is_end, understood;
	const char *strange;
	enum outcome outcome;
};

static const struct ending_case endings[] = {
	{ "stop", END_CLOSED, true, true, false, true, "x", OUTCOME_COMPLETE },
	{ "stop", END_CLOSED, false, false, false, true, "x", OUTCOME_CUT },
	{ "stop", END_CUT, true, true, false, true, "x", OUTCOME_COMPLETE },
	{ "stop", END_CUT, true, false, false, true, "x", OUTCOME_CUT },
	{ "stop", END_STALLED, true, true, false, true, "x", OUTCOME_COMPLETE },
	{ "stop", END_STALLED, true, false, false, true, "x", OUTCOME_STALLED },
	{ "stop", END_CANCELLED, true, true, true, true, "x", OUTCOME_CANCELLED },
	{ "MAX_TOKENS", END_CLOSED, true, false, false, true, "x", OUTCOME_LENGTH },
	{ "pause_turn", END_CLOSED, true, false, false, true, "x", OUTCOME_PAUSED },
	{ "SPII", END_CLOSED, true, false, false, true, "x", OUTCOME_FILTERED },
	{ "LANGUAGE", END_CLOSED, true, false, false, true, "x", OUTCOME_ERROR },
	{ "", END_CLOSED, true, true, false, true, "x", OUTCOME_CUT },
	{ "", END_CLOSED, true, true, true, true, "x", OUTCOME_COMPLETE },
	{ "", END_CUT, true, true, true, true, "x", OUTCOME_CUT },
	{ "", END_STALLED, true, true, true, true, "x", OUTCOME_STALLED },
	{ "", END_CLOSED, true, true, false, false, "what?", OUTCOME_ERROR },
	{ "", END_CLOSED, true, true, false, false, "", OUTCOME_CUT },
};

static void decides_the_outcome(void)
{
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		const struct ending_case *e = &endings[i];
		struct grammar grammar = { 0 };
		struct buf lines;

		buf_init(&lines, TEXT_LIMIT);
		grammar.next = see;
		grammar.ctx = &lines;
		struct guard *g = guard_new(grammar_delta, &grammar);
		guard_text(g, 0, STR("t"));
		guard_finish(g, str_from(e->finish));
		guard_end(g, e->how, &(struct guard_ending){ e->finish_is_end, e->outlives, e->close_is_end, e->understood,
		                                             str_from(e->strange), false });
		char end[64];
		snprintf(end, sizeof end, "end %s\n", outcome_name(e->outcome));
		CHECK(str_ends(buf_str(&lines), end), "%zu: %s", i, buf_z(&lines));
		CHECK(!grammar_fault(&grammar), "%zu: %s", i, grammar_fault(&grammar));
		guard_free(g);
		buf_fini(&lines);
	}
}

static void finish_words_are_sorted(void)
{
	static const struct { const char *word; enum outcome outcome; } words[] = {
		{ "stop", OUTCOME_COMPLETE }, { "", OUTCOME_COMPLETE }, { "stop_sequence", OUTCOME_COMPLETE }, { "length", OUTCOME_LENGTH },
		{ "max_tokens", OUTCOME_LENGTH }, { "model_length", OUTCOME_LENGTH }, { "max_output_tokens", OUTCOME_LENGTH },
		{ "model_context_window_exceeded", OUTCOME_LENGTH }, { "content_filter", OUTCOME_FILTERED }, { "refusal", OUTCOME_FILTERED },
		{ "SAFETY", OUTCOME_FILTERED }, { "RECITATION", OUTCOME_FILTERED }, { "BLOCKLIST", OUTCOME_FILTERED },
		{ "PROHIBITED_CONTENT", OUTCOME_FILTERED }, { "SPII", OUTCOME_FILTERED }, { "MODEL_ARMOR", OUTCOME_FILTERED },
		{ "IMAGE_SAFETY", OUTCOME_FILTERED }, { "IMAGE_PROHIBITED_CONTENT", OUTCOME_FILTERED },
		{ "IMAGE_RECITATION", OUTCOME_FILTERED }, { "sensitive", OUTCOME_FILTERED }, { "pause_turn", OUTCOME_PAUSED },
		{ "error", OUTCOME_ERROR }, { "network_error", OUTCOME_ERROR }, { "insufficient_system_resource", OUTCOME_ERROR },
		{ "MALFORMED_FUNCTION_CALL", OUTCOME_ERROR }, { "MALFORMED_RESPONSE", OUTCOME_ERROR },
		{ "UNEXPECTED_TOOL_CALL", OUTCOME_ERROR }, { "TOO_MANY_TOOL_CALLS", OUTCOME_ERROR },
		{ "MISSING_THOUGHT_SIGNATURE", OUTCOME_ERROR }, { "LANGUAGE", OUTCOME_ERROR }, { "IMAGE_OTHER", OUTCOME_ERROR },
		{ "NO_IMAGE", OUTCOME_ERROR }, { "OTHER", OUTCOME_ERROR }, { "failed", OUTCOME_ERROR }, { "incomplete", OUTCOME_ERROR },
		{ "length_", OUTCOME_COMPLETE }, { "lengt", OUTCOME_COMPLETE }, { "Stop", OUTCOME_COMPLETE },
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		CHECK(outcome_of_finish(str_from(words[i].word)) == words[i].outcome, "%s", words[i].word);
}

static void names_are_complete(void)
{
	enum end_how how = END_CUT;

	CU_ASSERT_TRUE(end_how_from(STR("stalled"), &how));
	CU_ASSERT_EQUAL(how, END_STALLED);
	CU_ASSERT_FALSE(end_how_from(STR("gone"), &how));
	CHECK_STR(str_from(end_how_name(END_CANCELLED)), "cancelled");
	CHECK_STR(str_from(outcome_name(OUTCOME_TOOL_CALLS)), "tool_calls");
	CU_ASSERT_EQUAL(outcome_exit_status(OUTCOME_CANCELLED), 130);
	for (size_t i = 0; i < DELTA_KIND_COUNT; i++)
		CHECK(delta_kind_name((enum delta_kind)i)[0], "%zu", i);
}

static void arguments_have_a_limit(void)
{
	struct seen seen;
	static char block[1 << 20];

	memset(block, '1', sizeof block);
	struct guard *g = begin(&seen);
	seen.grammar.next = NULL;
	guard_text(g, 0, STR("kept"));
	unsigned call = guard_tool_begin(g, STR("c"), STR("f"));
	for (size_t i = 0; i < 9 && !guard_failed(g); i++)
		guard_tool_arguments(g, call, str_of(block, sizeof block));
	CU_ASSERT_TRUE(guard_failed(g));
	guard_end(g, END_CLOSED, &closing);
	const char *fault = grammar_fault(&seen.grammar);
	CHECK(!fault, "%s", fault);
	guard_free(g);
	buf_fini(&seen.lines);
}

static void answers_have_a_limit(void)
{
	struct seen seen;
	static char block[1 << 20];

	memset(block, 'x', sizeof block);
	struct guard *g = begin(&seen);
	seen.grammar.next = NULL;
	for (size_t i = 0; i < 257 && !guard_failed(g); i++)
		guard_text(g, 0, str_of(block, sizeof block));
	CU_ASSERT_TRUE(guard_failed(g));
	guard_end(g, END_CLOSED, &closing);
	const char *fault = grammar_fault(&seen.grammar);
	CHECK(!fault, "%s", fault);
	guard_free(g);
	buf_fini(&seen.lines);
}

static void parts_and_calls_have_a_limit(void)
{
	for (int calls = 0; calls < 2; calls++) {
		struct seen seen;
		struct guard *g = begin(&seen);

		seen.grammar.next = NULL;
		for (unsigned i = 0; i < 20000; i++) {
			if (calls)
				guard_tool_begin(g, STR_NONE, STR("f"));
			else
				guard_text(g, i, STR("t"));
		}
		CU_ASSERT_TRUE(guard_failed(g));
		guard_end(g, END_CLOSED, &closing);
		CU_ASSERT_PTR_NULL(grammar_fault(&seen.grammar));
		guard_free(g);
		buf_fini(&seen.lines);
	}
}

const struct suite suite_guard = { "guard", (const struct test[]){
	TEST(an_empty_turn), TEST(keeps_the_first_id_and_model), TEST(numbers_parts), TEST(unnumbered_text_keeps_its_order),
	TEST(unnumbered_text_never_exceeds_the_parts), TEST(ends_open_calls), TEST(keeps_the_relevant_usage),
	TEST(reports_a_rule_once), TEST(restarts), TEST(ignores_everything_after_an_error), TEST(ignores_everything_after_the_end_mark),
	TEST(decides_the_outcome), TEST(finish_words_are_sorted), TEST(names_are_complete), TEST(arguments_have_a_limit),
	TEST(answers_have_a_limit), TEST(parts_and_calls_have_a_limit), { 0 },
} };
