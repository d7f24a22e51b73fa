/* The output of the linear mode about turns, as a unit: sentences, states, elapsed time; and the conversion of typed lines to texts. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/plain/plain_input.h"
#include "app/plain/plain_tell.h"
#include "chat/conversation/conversation.h"
#include "net/source.h"
#include "support/check.h"

struct talk {
	FILE *file;
	struct plain_tell tell;
	struct conversation *all;
	struct turn *turn;
	struct buf said;
};

static void begin(struct talk *t)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	*t = (struct talk){ .file = tmpfile() };
	CU_ASSERT_PTR_NOT_NULL_FATAL(t->file);
	plain_tell_init(&t->tell, fileno(t->file));
	t->all = conversation_new();
	t->turn = conversation_answer(t->all, STR("p"), NULL, STR("m"));
}

static void end(struct talk *t)
{
	plain_tell_fini(&t->tell);
	conversation_free(t->all);
	buf_fini(&t->said);
	fclose(t->file);
}

/* The output since the last call. */
static struct str said(struct talk *t)
{
	char bytes[65536];
	ssize_t n;

	buf_clear(&t->said);
	for (off_t at = 0; (n = pread(fileno(t->file), bytes, sizeof bytes, at)) > 0; at += n)
		buf_add(&t->said, str_of(bytes, (size_t)n));
	return buf_str(&t->said);
}

static void forget(struct talk *t)
{
	CU_ASSERT_EQUAL(ftruncate(fileno(t->file), 0), 0);
	lseek(fileno(t->file), 0, SEEK_SET);
}

#define SAYS(t, text) (plain_tell_follow(&(t)->tell, (t)->all), CHECK_STR(said(t), (text)), forget(t))

static void deliver(struct talk *t, struct delta delta)
{
	meter_delta(&t->turn->meter, &delta);
	turn_delta(t->turn, &delta);
}

static void text(struct talk *t, const char *words)
{
	deliver(t, (struct delta){ .kind = DELTA_TEXT, .part = 1, .text = str_from(words) });
}

static void finish(struct talk *t, enum outcome outcome)
{
	deliver(t, (struct delta){ .kind = DELTA_END, .end = { outcome } });
}

static void text_goes_out_in_sentences_and_lines(void)
{
	struct talk t;

	begin(&t);
	text(&t, "One is wh");
	SAYS(&t, "");
	text(&t, "ole. Two is");
	SAYS(&t, "m: One is whole. ");
	text(&t, " \"not yet.");
	SAYS(&t, "");
	text(&t, "\" And 3.");
	SAYS(&t, "Two is \"not yet.\" ");
	text(&t, " Item\nnext");
	SAYS(&t, "And 3. Item\n");
	text(&t, " \u4f60\u597d\u3002\u518d");
	SAYS(&t, "next \u4f60\u597d\u3002");
	finish(&t, OUTCOME_COMPLETE);
	SAYS(&t, "\u518d\nStatus: done, about 17 tokens out.\n");
	end(&t);
}

static void findings_of_lint_are_told(void)
{
	struct talk t;

	begin(&t);
	text(&t, "One.");
	turn_note(t.turn, STR("lint"), STR("lint: 1 finding: no-done"));
	finish(&t, OUTCOME_COMPLETE);
	SAYS(&t, "m: One.\nNote: lint: 1 finding: no-done\nStatus: done, about 1 token out.\n");
	end(&t);
}

static void a_sentence_without_an_end_goes_out_in_pieces(void)
{
	struct talk t;

	begin(&t);
	for (int i = 0; i < 1000; i++)
		text(&t, "words ");
	plain_tell_follow(&t.tell, t.all);
	CU_ASSERT_EQUAL(said(&t).len, strlen("m: ") + 6000);
	for (int i = 0; i < 1000; i++)
		text(&t, "xxxxxx");
	plain_tell_follow(&t.tell, t.all);
	CU_ASSERT_EQUAL(said(&t).len, strlen("m: ") + 12000 - 1);
	end(&t);
}

/* The output does not depend on how the text is split into deltas. */
static void any_chunking_says_the_same(void)
{
	static const char whole[] = "A line. Another one! \u4f60\u597d\u3002 **Bold**: yes? (\"Quoted.\") 1. One\n2. Two e\u0301\r\n\n```\ncode\t{ }\n```\nThe end";

	for (unsigned seed = 1; seed < 200; seed++) {
		unsigned random = seed;
		struct talk t;

		begin(&t);
		for (size_t at = 0; at < sizeof whole - 1;) {
			char piece[sizeof whole];
			size_t len = 1 + check_random(&random) % 9;

			len = len > sizeof whole - 1 - at ? sizeof whole - 1 - at : len;
			while (((unsigned char)whole[at + len] & 0xC0) == 0x80)
				len++;
			snprintf(piece, len + 1, "%s", whole + at);
			text(&t, piece);
			plain_tell_follow(&t.tell, t.all);
			at += len;
		}
		finish(&t, OUTCOME_COMPLETE);
		plain_tell_follow(&t.tell, t.all);
		struct str all = said(&t);
		CHECK(str_starts(all, "m: A line. Another one! \u4f60\u597d\u3002 **Bold**: yes? (\"Quoted.\") 1. One\n2. Two e\u0301\n\n```\ncode\t{ }\n```\nThe end\nStatus: done"),
		      "seed %u: %.*s", seed, STR_ARG(all));
		end(&t);
	}
}

static void reasoning_is_announced_when_it_ends(void)
{
	struct talk t;

	begin(&t);
	deliver(&t, (struct delta){ .kind = DELTA_REASONING, .at_ms = 1000, .text = STR("So. ") });
	deliver(&t, (struct delta){ .kind = DELTA_REASONING, .at_ms = 4200, .text = STR("Thus it is.\n") });
	SAYS(&t, "");
	text(&t, "Yes. ");
	SAYS(&t, "Reasoning, 3.2 s, about 4 tokens.\nm: Yes. ");
	end(&t);
}

static void calls_are_sentences(void)
{
	struct talk t;

	begin(&t);
	text(&t, "Let me look");
	deliver(&t, (struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .index = 0, .name = STR("look") } });
	SAYS(&t, "m: Let me look");
	deliver(&t, (struct delta){ .kind = DELTA_TOOL_END, .text = STR("{ \"at\": \"it\" }"), .tool = { .index = 0, .valid = true } });
	SAYS(&t, "\nThe model calls look with {\"at\":\"it\"}.\n");
	deliver(&t, (struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .index = 1, .name = STR("nod") } });
	deliver(&t, (struct delta){ .kind = DELTA_TOOL_END, .text = STR("{}"), .tool = { .index = 1, .valid = true } });
	deliver(&t, (struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .index = 2, .name = STR("half") } });
	deliver(&t, (struct delta){ .kind = DELTA_TOOL_END, .text = STR("{\"a"), .tool = { .index = 2 } });
	SAYS(&t, "The model calls nod without arguments.\nThe model calls half, but its arguments are incomplete: {\"a.\n");
	end(&t);
}

static void long_arguments_are_cut_between_characters(void)
{
	struct talk t;
	struct buf arguments = { 0 };

	begin(&t);
	buf_add_z(&arguments, "[\"a");
	for (int i = 0; i < 1000; i++)
		buf_add_z(&arguments, "\u00e9");
	buf_add_z(&arguments, "\"]");
	deliver(&t, (struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .index = 0, .name = STR("write") } });
	deliver(&t, (struct delta){ .kind = DELTA_TOOL_END, .text = buf_str(&arguments), .tool = { .index = 0, .valid = true } });
	plain_tell_follow(&t.tell, t.all);
	CU_ASSERT_TRUE(str_ends(said(&t), "\u00e9 and so on, 2.0 KB in all; /calls reads them.\n"));
	CU_ASSERT_TRUE(said(&t).len < 800);
	buf_fini(&arguments);
	end(&t);
}

/* Blocks may overlap: late text for an earlier block is printed late, and nothing is lost. */
static void late_text_is_told_late(void)
{
	struct talk t;

	begin(&t);
	text(&t, "First");
	deliver(&t, (struct delta){ .kind = DELTA_TEXT, .part = 2, .text = STR("Second") });
	SAYS(&t, "m: First");
	text(&t, " more");
	SAYS(&t, " more");
	finish(&t, OUTCOME_COMPLETE);
	SAYS(&t, "\nSecond\nStatus: done, about 4 tokens out.\n");
	end(&t);
}

static void an_answer_that_begins_again_says_so(void)
{
	struct talk t;

	begin(&t);
	text(&t, "Half");
	deliver(&t, (struct delta){ .kind = DELTA_RESTART });
	SAYS(&t, "m: Half\nThe server restarted the answer; the text before this does not count.\n");
	text(&t, "Whole. ");
	SAYS(&t, "m: Whole. ");
	end(&t);
}

static void states_are_lines_when_they_change(void)
{
	struct talk t;

	begin(&t);
	plain_tell_state(&t.tell, "waiting");
	plain_tell_state(&t.tell, "waiting");
	plain_tell_state(&t.tell, NULL);
	plain_tell_state(&t.tell, "streaming");
	SAYS(&t, "Status: waiting.\nStatus: streaming.\n");
	end(&t);
}

static void long_work_is_told_every_30_s(void)
{
	struct talk t;

	begin(&t);
	CU_ASSERT_EQUAL(plain_tell_deadline(&t.tell), NO_DEADLINE);
	plain_tell_work(&t.tell, t.turn, (struct plain_quiet){ 0 }, 1000);
	CU_ASSERT_EQUAL(plain_tell_deadline(&t.tell), 31000);
	plain_tell_work(&t.tell, t.turn, (struct plain_quiet){ 4999, 300000 }, 30999);
	SAYS(&t, "");
	plain_tell_work(&t.tell, t.turn, (struct plain_quiet){ 29000, 120000 }, 31000);
	SAYS(&t, "Still working, 30 s, quiet for 29 s, stalled at 120 s.\n");
	text(&t, "Half a line. and");
	SAYS(&t, "m: Half a line. ");
	plain_tell_work(&t.tell, t.turn, (struct plain_quiet){ 10, 300000 }, 61010);
	SAYS(&t, "\nStill working, 60 s, about 4 tokens so far.\n");
	CU_ASSERT_EQUAL(plain_tell_deadline(&t.tell), 91000);
	text(&t, " more.\n");
	SAYS(&t, "and more.\n");
	plain_tell_work(&t.tell, NULL, (struct plain_quiet){ 0 }, 91000);
	CU_ASSERT_EQUAL(plain_tell_deadline(&t.tell), NO_DEADLINE);
	SAYS(&t, "");
	end(&t);
}

static void no_control_byte_gets_out(void)
{
	struct talk t;

	begin(&t);
	text(&t, "a\x1B[2J\b\a\x7F\xC2\x9B\xE2\x80\xAE b\tc\n");
	deliver(&t, (struct delta){ .kind = DELTA_ERROR, .error = { .message = STR("bad\x1B]0;x\a\nline") } });
	finish(&t, OUTCOME_ERROR);
	plain_tell_follow(&t.tell, t.all);
	struct str all = said(&t);
	for (size_t i = 0; i < all.len; i++)
		CHECK((unsigned char)all.ptr[i] >= 0x20 || all.ptr[i] == '\n' || all.ptr[i] == '\t', "byte %zu: %d", i, all.ptr[i]);
	CU_ASSERT_EQUAL(str_find(all, STR("\x7F")), all.len);
	CU_ASSERT_EQUAL(str_find(all, STR("\xC2\x9B")), all.len);
	CU_ASSERT_EQUAL(str_find(all, STR("\xE2\x80\xAE")), all.len);
	CU_ASSERT_TRUE(str_find(all, STR("b\tc\n")) < all.len);
	CU_ASSERT_TRUE(str_find(all, STR(" line. What arrived is kept.\n")) < all.len);
	end(&t);
}

static void typed_lines_become_texts(void)
{
	static const struct { const char *bytes, *texts; bool last; } cases[] = {
		{ "one\ntwo\n", "one|two|", false },
		{ "one\r\n", "one|", false },
		{ "half", "", false },
		{ "half", "half|", true },
		{ "one\\\ntwo\\\r\nthree\nfour", "one\ntwo\nthree|", false },
		{ "one\\\n", "", false },
		{ "one\\\n", "one\n|", true },
		{ "one\\\\\ntwo\n", "one\\|two|", false },
		{ "\n\n", "||", false },
		{ "bad \xFF\n", "bad \xEF\xBF\xBD|", false },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct plain_input in;
		struct buf texts;
		struct str text;

		plain_input_init(&in);
		buf_init(&texts, 1000);
		for (const char *c = cases[i].bytes; *c; c++) {
			plain_input_add(&in, str_of(c, 1));
			while (plain_input_take(&in, cases[i].last && !c[1], &text))
				buf_printf(&texts, "%.*s|", STR_ARG(text));
		}
		CHECK(str_is(buf_str(&texts), cases[i].texts), "case %zu: %s", i, buf_z(&texts));
		buf_fini(&texts);
		plain_input_fini(&in);
	}
}

static void too_much_input_is_noticed(void)
{
	struct plain_input in;
	struct str text;
	char *bytes = calloc(1, 1 << 20);

	plain_input_init(&in);
	memset(bytes, 'x', 1 << 20);
	for (int i = 0; i < 17; i++)
		plain_input_add(&in, str_of(bytes, 1 << 20));
	CU_ASSERT_TRUE(in.too_long);
	CU_ASSERT_TRUE(plain_input_take(&in, true, &text));
	CU_ASSERT_EQUAL(text.len, (size_t)16 << 20);
	plain_input_fini(&in);
	free(bytes);
}

const struct suite suite_plain_tell = { "plain_tell", (const struct test[]){
	TEST(text_goes_out_in_sentences_and_lines),
	TEST(a_sentence_without_an_end_goes_out_in_pieces),
	TEST(any_chunking_says_the_same),
	TEST(reasoning_is_announced_when_it_ends),
	TEST(calls_are_sentences),
	TEST(long_arguments_are_cut_between_characters),
	TEST(late_text_is_told_late),
	TEST(an_answer_that_begins_again_says_so),
	TEST(states_are_lines_when_they_change),
	TEST(long_work_is_told_every_30_s),
	TEST(no_control_byte_gets_out),
	TEST(typed_lines_become_texts),
	TEST(too_much_input_is_noticed), TEST(findings_of_lint_are_told),
	{ 0 },
} };
