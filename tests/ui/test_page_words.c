/* What the page says of calls, results and reasoning in one line each. */
#include "chat/conversation/conversation.h"
#include "ui/page/page_words.h"

#include "support/check.h"

static struct part *add_call(struct turn *t, unsigned index, const char *arguments, bool valid)
{
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .index = index, .id = STR("c"), .name = STR("f") } });
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_END, .text = str_from(arguments), .tool = { .index = index, .valid = valid } });
	return turn_call(t, index);
}

static void arguments_are_words(void)
{
	static const struct { const char *arguments; bool valid; const char *words; } cases[] = {
		{ "{\"city\":\"Tokyo\",\"days\":3,\"now\":true,\"where\":null}", true, "city=Tokyo  days=3  now=true  where=null" },
		{ "{\"a\":{\"b\":1},\"c\":[1,2],\"d\":{},\"e\":[ ]}", true, "a={\u2026}  c=[\u2026]  d={}  e=[]" },
		{ "{\"text\":\"two\\nlines and\\t\\ttabs\",\"q\":\"\\u00e9\\\"\"}", true, "text=two lines and tabs  q=\u00E9\"" },
		{ " { } ", true, "" },
		{ "[1, 2]", true, "[1, 2]" },
		{ "{\"city\": \"To", false, "{\"city\": \"To" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct conversation *c = conversation_new();
		struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
		struct buf words;

		buf_init(&words, 10000);
		part_words_arguments(add_call(t, 0, cases[i].arguments, cases[i].valid), &words);
		CHECK_STR(buf_str(&words), cases[i].words);
		buf_fini(&words);
		conversation_free(c);
	}
}

static void large_arguments_are_cut_between_characters(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	struct buf arguments, words;
	size_t bad;

	buf_init(&arguments, 100000);
	buf_init(&words, 10000);
	buf_add_z(&arguments, "{");
	for (int i = 0; i < 50; i++)
		buf_printf(&arguments, "%s\"key%d\":\"x\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC"
		           "\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\u6771\u4EAC\"", i ? "," : "", i);
	buf_add_z(&arguments, "}");
	part_words_arguments(add_call(t, 0, buf_z(&arguments), true), &words);
	CU_ASSERT(words.len < 700);
	CU_ASSERT_EQUAL(utf8_valid_length(buf_str(&words), &bad), words.len);
	CHECK(str_starts(str_skip(buf_str(&words), words.len - 3), "\u2026"), "%s", buf_z(&words));
	buf_fini(&arguments);
	buf_fini(&words);
	conversation_free(c);
}

static void check_state(const struct turn *t, const struct part *call, const struct turn *after, const char *wanted)
{
	struct buf words;

	buf_init(&words, 1000);
	part_words_call(t, call, after, &words);
	CHECK_STR(buf_str(&words), wanted);
	buf_fini(&words);
}

static void calls_have_a_state(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));

	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { .index = 0, .id = STR("c"), .name = STR("f") } });
	check_state(t, turn_call(t, 0), NULL, "assembling");
	turn_delta(t, &(struct delta){ .kind = DELTA_TOOL_END, .at_ms = 1000, .text = STR("{}"), .tool = { .index = 0, .valid = true } });
	check_state(t, turn_call(t, 0), NULL, "waiting  1.0 s");
	add_call(t, 1, "{", false);
	add_call(t, 2, "{}", true);
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_TOOL_CALLS } });
	check_state(t, turn_call(t, 0), NULL, "waiting  1.0 s");
	struct part broken = *turn_call(t, 1), skipped = *turn_call(t, 2);
	broken.begun_ms = skipped.begun_ms = -1;
	check_state(t, &broken, NULL, "not JSON");
	check_state(t, &skipped, NULL, "waiting");
	struct turn *after = conversation_ask(c);
	check_state(t, &skipped, after, "not run");
	turn_add(after, PART_TOOL_RESULT, STR(RESULT_SKIPPED), STR("c"), STR("f"))->call = 2;
	after->parts[0].is_error = true;
	buf_add_z(&after->parts[0].text, " The user says: not today");
	check_state(t, &skipped, after, "not run");
	turn_add(after, PART_TOOL_RESULT, STR("yes"), STR("c"), STR("f"))->call = 0;
	check_state(t, &skipped, after, "not run");
	check_state(t, turn_call(t, 0), after, "answered  1.0 s");
	after->parts[1].is_error = true;
	check_state(t, turn_call(t, 0), after, "failed  1.0 s");
	t->outcome = OUTCOME_CUT;
	check_state(t, &broken, after, "incomplete");
	check_state(t, &skipped, NULL, "not run");
	conversation_free(c);
}

static void results_have_a_first_line(void)
{
	static const struct { const char *text, *words; } cases[] = {
		{ "22 degrees", "22 degrees" }, { "\n\n  first \nsecond\n", "first \u2026" }, { "one\n\n", "one" }, { "", "(empty)" }, { " \n", "(empty)" },
		{ "a\tb  c", "a b c" }, { "[\n  {\n    \"name\": \"Ada\"\n  }\n]\n", "[ { \"name\": \"Ada\" } ]" }, { "{\n", "{" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf words;

		buf_init(&words, 1000);
		part_words_first_line(str_from(cases[i].text), &words);
		CHECK_STR(buf_str(&words), cases[i].words);
		buf_fini(&words);
	}
}

static void reasoning_has_first_words(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	struct buf words;

	buf_init(&words, 1000);
	turn_delta(t, &(struct delta){ .kind = DELTA_REASONING, .text = STR("**Weighing it**\n\nThe user ") });
	turn_delta(t, &(struct delta){ .kind = DELTA_REASONING, .at_ms = 3200, .text = STR("**asks**.") });
	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .at_ms = 3200, .text = STR("So.") });
	page_words_reasoned(&t->parts[0], &words);
	CHECK_STR(buf_str(&words), "reasoned 3.2 s  Weighing it The user **asks**.");
	buf_fini(&words);
	conversation_free(c);
}

static void check_figures(double ms, const char *figures, const char *reasoned)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	struct buf words;

	buf_init(&words, 1000);
	turn_delta(t, &(struct delta){ .kind = DELTA_REASONING, .text = STR("Hm.") });
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .at_ms = ms, .end = { OUTCOME_ERROR } });
	page_words_figures(t, &words);
	CHECK_STR(buf_str(&words), figures);
	buf_clear(&words);
	t->parts[0].ended_ms = ms;
	page_words_reasoned(&t->parts[0], &words);
	CHECK_STR(buf_str(&words), reasoned);
	buf_fini(&words);
	conversation_free(c);
}

/* A time that would be 0.0 s is not shown. */
static void a_zero_is_not_shown(void)
{
	check_figures(40, "", "reasoned  Hm.");
	check_figures(90, "0.1 s", "reasoned 0.1 s  Hm.");
}

static void versions_are_counted(void)
{
	static const struct { struct siblings siblings; bool ascii; const char *words; } cases[] = {
		{ { 0, 0 }, false, "" }, { { 0, 1 }, false, "" }, { { 1, 3 }, false, "\u2039 2/3 \u203A" }, { { 0, 2 }, true, "< 1/2 >" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf words = { 0 };

		page_words_siblings(cases[i].siblings, cases[i].ascii, &words);
		CHECK_STR(buf_str(&words), cases[i].words);
		buf_fini(&words);
	}
}

static void what_a_tool_found_is_its_first_name(void)
{
	static const struct { const char *result, *line; size_t found; } cases[] = {
		{ "[{\"url\":\"https://a.example/\",\"title\":\"A\"},{\"url\":\"https://b.example/\"}]", "https://a.example/ and 1 more", 2 },
		{ "[{\"file_id\":\"f1\",\"filename\":\"masts.pdf\",\"score\":0.9},{},{}]", "masts.pdf and 2 more", 3 },
		{ "[{\"url\":null,\"title\":\"Ships\"}]", "Ships", 1 }, { "[]", "[]", 0 },
		{ "[{\"score\":1}]", "[{\"score\":1}]", PART_NONE }, { "[\"a\"]", "[\"a\"]", PART_NONE }, { "12 km", "12 km", PART_NONE },
		{ "[{\"url\":\"https://a.example/\"}", "[{\"url\":\"https://a.example/\"}", PART_NONE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct part result = { .kind = PART_SERVER_RESULT };
		struct buf line = { 0 };

		buf_add_z(&result.text, cases[i].result);
		part_words_server_result_line(&result, &line);
		CHECK_STR(buf_str(&line), cases[i].line);
		CHECK(part_words_found(buf_str(&result.text)) == cases[i].found, "%s: %zu", cases[i].result, part_words_found(buf_str(&result.text)));
		buf_fini(&result.text);
		buf_fini(&line);
	}
}

/* Types are the server's words: no rate of them is trusted. */
static void a_sound_says_its_length(void)
{
	static const struct { const char *type, *words; } cases[] = {
		{ "audio/pcm;rate=24000", "audio 1  pcm  1.0 s  48.0 KB" }, { "audio/L16;codec=pcm;rate=48000", "audio 1  L16  0.5 s  48.0 KB" },
		{ "audio/pcm", "audio 1  pcm  1.0 s  48.0 KB" },            { "audio/pcm;rate=", "audio 1  pcm  1.0 s  48.0 KB" },
		{ "audio/pcm;rate=0", "audio 1  pcm  48.0 KB" },            { "audio/pcm;rate=-5", "audio 1  pcm  1.0 s  48.0 KB" },
		{ "audio/pcm;rate=9223372036854775807", "audio 1  pcm  1.0 s  48.0 KB" },
		{ "audio/mpeg", "audio 1  mpeg  48.0 KB" },                 { "noise", "audio 1  48.0 KB" },
	};
	static char samples[48000];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct conversation *c = conversation_new();
		struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
		struct buf words = { 0 };

		turn_delta(t, &(struct delta){ .kind = DELTA_MEDIA, .media = { .data = str_of(samples, sizeof samples), .facts = {
			.kind = MEDIA_AUDIO, .type = str_from(cases[i].type), .bytes = sizeof samples, .whole = true } } });
		part_words_media(t, &t->parts[0], "  ", &words);
		CHECK_STR(buf_str(&words), cases[i].words);
		buf_fini(&words);
		conversation_free(c);
	}
}

const struct suite suite_page_words = { "page_words", (const struct test[]){
	TEST(arguments_are_words),
	TEST(large_arguments_are_cut_between_characters),
	TEST(calls_have_a_state),
	TEST(results_have_a_first_line),
	TEST(what_a_tool_found_is_its_first_name),
	TEST(reasoning_has_first_words),
	TEST(a_zero_is_not_shown),
	TEST(versions_are_counted),
	TEST(a_sound_says_its_length),
	{ 0 },
} };
