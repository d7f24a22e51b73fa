/* Titles that a model writes: when it is asked, what it is asked, what becomes of its words, and that what it took is counted. */
#include "app/session/titling.h"

#include <string.h>

#include "lines.h"
#include "program.h"
#include "stage.h"
#include "support/check.h"

static const struct { const char *words, *title; } titles[] = {
	{ "Cycling in Tokyo", "Cycling in Tokyo" },
	{ "\n  \"Cycling in Tokyo\"\nHere is why", "Cycling in Tokyo" },
	{ "Title: **Cycling in Tokyo**", "Cycling in Tokyo" },
	{ "# Cycling in Tokyo", "Cycling in Tokyo" },
	{ "\u201CCycling\u201D", "Cycling" },
	{ "\u00ABRadfahren\u00BB ", "Radfahren" },
	{ "It's \"late\" here", "It's \"late\" here" },
	{ "a\tb\rc", "a b c" },
	{ "\"\"", "" },
	{ "  \n ", "" },
	{ "", "" },
	{ "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890",
	  "012345678901234567890123456789012345678901234567890123456789012345678901\u2026" },
};

static void titles_are_one_clean_line(void)
{
	struct buf out = { 0 };

	for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
		buf_clear(&out);
		titling_write(str_from(titles[i].words), &out);
		CHECK(!strcmp(buf_z(&out), titles[i].title), "\"%s\": \"%s\"", titles[i].words, buf_z(&out));
	}
	buf_clear(&out);
	titling_write(STR("a\x1B]0;owned\x07\u202Eb"), &out);
	CHECK(!strpbrk(buf_z(&out), "\x1B\x07") && !strstr(buf_z(&out), "\u202E"), "%s", buf_z(&out));
	buf_fini(&out);
}

#define SAME "title_model = same\n"

static void the_first_answer_is_titled_and_that_is_counted(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = SAME });
	home_write(s.home, "tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"look_up\",\"parameters\":{\"type\":\"object\"}}}]");
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(100, 20, ",\"cost\":0.25"));
	CU_ASSERT_TRUE(hand_accept(s.server));
	CU_ASSERT_TRUE(stage_sent(&s, "Write a title of at most six words") && stage_sent(&s, "User:\\nhello\\n\\nAssistant:\\nGood day."));
	CU_ASSERT_TRUE(stage_sent(&s, "\"model\":\"m-1\"") && stage_sent(&s, "\"max_tokens\":200"));
	hand_counted(s.server, "A greeting", HAND_USAGE(40, 3, ",\"cost\":0.5"));
	PTY_SEES(s.pty, "$0.75");
	CU_ASSERT_FALSE(pty_shows(s.pty, "A greeting")); /* no turn of the page */
	pty_send(s.pty, "/cost\r");
	PTY_SEES(s.pty, "m-1 \xC2\xB7 hand  in 40  out 3  $0.50");
	PTY_SEES(s.pty, "140 tokens");
	pty_send(s.pty, "\x1B");
	PTY_LOSES(s.pty, "Esc back");
	stage_turn_counted(&s, "again", "And a night.", HAND_USAGE(200, 20, ",\"cost\":0.25"));
	PTY_SEES(s.pty, "$1.00");
	CU_ASSERT_FALSE(stage_sent(&s, "Write a title") || stage_sent(&s, "A greeting"));
	pty_send(s.pty, "/tree\r");
	PTY_SEES(s.pty, "l label");
	CU_ASSERT_FALSE(pty_shows(s.pty, "A greeting"));
	stage_drop(&s);
}

/* It neither delays the next prompt nor the end of the program. */
static void nothing_waits_for_a_title(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = SAME });
	stage_turn_counted(&s, "hello", "Good day.", "data: [DONE]\n\n");
	CU_ASSERT_TRUE(hand_accept(s.server));
	CU_ASSERT_TRUE(stage_sent(&s, "Write a title"));
	PTY_SEES(s.pty, "ready");
	stage_close(&s);
}

static void another_model_or_provider_writes_it(void)
{
	static const struct { const char *setting, *model; } cases[] = {
		{ "title_model = small\n", "\"model\":\"small\"" },
		{ "title_model = maker/small\n", "\"model\":\"maker/small\"" },
		{ "title_model = hand/small\n", "\"model\":\"small\"" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .top = cases[i].setting });
		stage_turn_counted(&s, "hello", "Good day.", "data: [DONE]\n\n");
		CU_ASSERT_TRUE(hand_accept(s.server));
		CHECK(stage_sent(&s, cases[i].model), "%s: %s", cases[i].setting, hand_body(s.server));
		stage_drop(&s);
	}
}

/* Who did not choose it, or keeps nothing, sends only their own requests: the next one is the next prompt. */
static void no_title_is_asked_for(void)
{
	static const char *const settings[] = { "", "history = no\n" SAME };

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .top = settings[i] });
		stage_turn_counted(&s, "hello", "Good day.", "data: [DONE]\n\n");
		stage_turn_counted(&s, "again", "And a night.", "data: [DONE]\n\n");
		CU_ASSERT_TRUE(stage_sent(&s, "again"));
		stage_close(&s);
	}
}

static void a_refused_title_leaves_nothing(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = SAME });
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(100, 20, ",\"cost\":0.25"));
	CU_ASSERT_TRUE(hand_accept(s.server));
	hand_reply(s.server, 404, "application/json", "{\"error\":{\"message\":\"no such model\"}}");
	stage_turn_counted(&s, "again", "And a night.", HAND_USAGE(100, 20, ",\"cost\":0.25"));
	CU_ASSERT_TRUE(stage_sent(&s, "again"));
	CU_ASSERT_FALSE(pty_shows(s.pty, "no such model"));
	PTY_SEES(s.pty, "$0.50");
	stage_close(&s);
}

static void the_linear_mode_counts_it_too(void)
{
	struct lines l;

	lines_open(&l, "", LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	DIALOGUE(&l, "> /settings title_model same", "title_model: same, chosen here");
	lines_ask(&l, "hello");
	hand_counted(l.server, "Good day.", HAND_USAGE(100, 20, ",\"cost\":0.25"));
	SAYS(&l, "Status: done");
	CU_ASSERT_TRUE(hand_accept(l.server));
	hand_counted(l.server, "A greeting", HAND_USAGE(40, 3, ",\"cost\":0.5"));
	lines_ask(&l, "again");
	hand_counted(l.server, "And a night.", HAND_USAGE(100, 20, ",\"cost\":0.25"));
	SAYS(&l, "m-1: And a night.");
	DIALOGUE(&l, "Status: done", "> /cost", "prompt: 240 tokens", "money: $1.00", "title: m-1 \xC2\xB7 hand  in 40  out 3  $0.50");
	lines_close(&l);
}

const struct suite suite_titling = { "titling", (const struct test[]){
	TEST(titles_are_one_clean_line),
	TEST(the_first_answer_is_titled_and_that_is_counted),
	TEST(nothing_waits_for_a_title),
	TEST(another_model_or_provider_writes_it),
	TEST(no_title_is_asked_for),
	TEST(a_refused_title_leaves_nothing),
	TEST(the_linear_mode_counts_it_too),
	{ 0 },
} };
