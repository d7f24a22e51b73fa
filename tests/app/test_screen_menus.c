/* The menus: models, protocols, providers, themes. A choice takes effect; leaving changes nothing. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"

#define MODELS "{\"object\":\"list\",\"data\":[{\"id\":\"m-1\"},{\"id\":\"grand-large\"},{\"id\":\"grand-mini\"},{\"id\":\"petit\"}]}"

/* --- models --- */

static void open_models(struct stage *s)
{
	pty_send(s->pty, K_F2);
	hand_accept(s->server);
	CHECK(str_starts(str_from(hand_head(s->server)), "GET /v1/models "), "%s", hand_head(s->server));
	PTY_SEES(s->pty, "Model");
	PTY_SEES(s->pty, "hand, fetching ...");
	hand_reply(s->server, 200, "application/json", MODELS);
	PTY_SEES(s->pty, "hand, 4 models, fetched just now");
}

static void models_are_fetched_filtered_and_chosen(void)
{
	struct stage s;

	stage_open(&s, NULL);
	open_models(&s);
	PTY_SEES(s.pty, "petit");
	CHECK(strstr(pty_row(s.pty, (unsigned)pty_find_row(s.pty, "\u25CF")), "m-1"), "the present one is marked");
	pty_send(s.pty, "mini");
	PTY_LOSES(s.pty, "petit");
	PTY_SEES(s.pty, "grand-mini");
	PTY_SEES(s.pty, "use \"mini\" as typed");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "model grand-mini from the next turn on");
	PTY_SEES(s.pty, "hand \u00b7 grand-mini");
	stage_ask(&s, "hi");
	CU_ASSERT_TRUE(stage_sent(&s, "\"grand-mini\""));
	stage_close(&s);
}

static void on_exit_a_menu_changes_nothing(void)
{
	static const char *const keys[] = { K_F3, K_F4, K_F5 };
	struct stage s;

	stage_open(&s, NULL);
	open_models(&s);
	char *before = mem_dup_z(pty_row(s.pty, 23));
	pty_send(s.pty, "petit" K_DOWN);
	PTY_LOSES(s.pty, "grand-large");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "as typed");
	CHECK_STR(str_from(pty_row(s.pty, 23)), before);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		pty_send(s.pty, keys[i]);
		PTY_SEES(s.pty, "Esc back");
		pty_send(s.pty, K_DOWN);
		pty_send(s.pty, K_ESC);
		PTY_LOSES(s.pty, "Esc back");
		CHECK_STR(str_from(pty_row(s.pty, 23)), before);
	}
	PTY_REDRAWS(s.pty);
	mem_free(before);
	stage_ask(&s, "hi");
	CU_ASSERT_TRUE(stage_sent(&s, "\"m-1\""));
	stage_close(&s);
}

/* It is marked, in view and selected: while the list is fetched, if the list lacks it, and if fetching fails. */
static void the_model_in_use_is_shown_though_the_list_lacks_it(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "model = private-1\n" });
	pty_send(s.pty, K_F2);
	hand_accept(s.server);
	PTY_SEES(s.pty, " > \u25CF private-1");
	hand_reply(s.server, 200, "application/json", MODELS);
	PTY_SEES(s.pty, "not in the list");
	PTY_SEES(s.pty, " > \u25CF private-1");
	PTY_SEES(s.pty, "petit");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "model private-1 stays");
	pty_send(s.pty, K_F2 "petit\r");
	PTY_SEES(s.pty, "model petit from the next turn on");
	stage_close(&s);
	stage_open(&s, &(struct stage_options){ .settings = "model = private-1\n" });
	pty_send(s.pty, K_F2);
	hand_accept(s.server);
	hand_reply(s.server, 500, "application/json", "{\"error\":{\"message\":\"no list today, and a long sentence about why that is so\"}}");
	PTY_SEES(s.pty, "A name can be typed.");
	PTY_SEES(s.pty, " > \u25CF private-1");
	stage_close(&s);
}

/* --- protocols and providers --- */

static bool shows_answers(struct pty *p, const void *count)
{
	unsigned seen = 0;

	for (unsigned row = 0; row < pty_rows(p); row++)
		seen += strstr(pty_row(p, row), "Here is") != NULL;
	return seen == *(const unsigned *)count;
}

/* One conversation through all five. */
static void the_demo_speaks_all_five_protocols(void)
{
	static const char *const protocols[] = { "openai-chat", "openai-responses", "anthropic", "gemini", "ollama" };
	char line[64];
	struct pty *p = pty_start(&(struct pty_options){ .rows = 60 });

	PTY_WAIT(p, stage_has_state, "ready");
	for (size_t i = 0; i < 5; i++) {
		snprintf(line, sizeof line, "/protocol %s\r", protocols[i]);
		pty_send(p, line);
		snprintf(line, sizeof line, "protocol %s from the next turn on", protocols[i]);
		pty_wait(p, pty_shows, line, line, __FILE__, __LINE__);
		snprintf(line, sizeof line, "fail please, number %zu\r", i);
		pty_send(p, line);
		line[strlen(line) - 1] = 0;
		pty_wait(p, pty_shows, line, line, __FILE__, __LINE__);
		PTY_WAIT(p, shows_answers, &(unsigned){ (unsigned)i + 1 });
		pty_send(p, K_ESC);
		PTY_LOSES(p, "Esc stop");
	}
	PTY_SEES(p, "number 0");
	PTY_REDRAWS(p);
	pty_free(p);
}

/* --- themes --- */

static bool is_plain(struct pty *p, const void *ctx)
{
	(void)ctx;
	return !pty_is_coloured(p);
}

static bool is_coloured(struct pty *p, const void *ctx)
{
	return !is_plain(p, ctx);
}

static void themes_are_switched_live(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "hello", "Good day.");
	PTY_WAIT(s.pty, is_coloured, NULL);
	pty_send(s.pty, K_F5);
	PTY_SEES(s.pty, "Theme");
	PTY_SEES(s.pty, "high-contrast");
	pty_send(s.pty, "mono\r");
	PTY_LOSES(s.pty, "Theme");
	PTY_WAIT(s.pty, is_plain, NULL);
	PTY_SEES(s.pty, "Good day.");
	pty_send(s.pty, "/theme dark\r");
	PTY_WAIT(s.pty, is_coloured, NULL);
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, "/theme nonsense\r");
	PTY_SEES(s.pty, "nonsense");
	PTY_WAIT(s.pty, is_coloured, NULL);
	stage_close(&s);
}

static bool has_own_ground(struct pty *p, const void *ctx)
{
	(void)ctx;
	return pty_cell(p, 0, 0).background != -1;
}

static bool has_no_ground(struct pty *p, const void *ctx)
{
	return !has_own_ground(p, ctx);
}

static void themes_are_seen_before_they_are_chosen(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "hello", "Good day.");
	PTY_WAIT(s.pty, has_no_ground, NULL);
	pty_send(s.pty, K_F5 "fjord");
	PTY_WAIT(s.pty, has_own_ground, NULL);
	PTY_SEES(s.pty, "Esc back");
	pty_send(s.pty, "xyz");
	PTY_SEES(s.pty, "nothing matches");
	PTY_WAIT(s.pty, has_no_ground, NULL);
	pty_send(s.pty, "\x15" "fjord");
	PTY_WAIT(s.pty, has_own_ground, NULL);
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Theme");
	PTY_WAIT(s.pty, has_no_ground, NULL);
	pty_send(s.pty, K_F5 "fjord\r");
	PTY_LOSES(s.pty, "Theme");
	PTY_WAIT(s.pty, has_own_ground, NULL);
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

/* No text has the colour of its background, and a theme with a background fills every cell with it. */
static void check_cells(struct pty *p, const char *theme)
{
	bool has_ground = pty_cell(p, 10, 40).background != -1;
	unsigned bad = 0;

	for (unsigned row = 0; row < 24; row++) {
		for (unsigned column = 0; column < 80; column++) {
			struct pty_cell cell = pty_cell(p, row, column);
			bool is_line = *cell.text && strstr("\u2500\u2502\u250c\u2510\u2514\u2518", cell.text); /* edges of a sheet that has a background */

			bad += !is_line && cell.foreground >= 0 && cell.foreground == cell.background;
			bad += has_ground && cell.background == -1;
		}
	}
	CHECK(!bad, "%s: %u cells", theme, bad);
	CHECK(has_ground == (!strcmp(theme, "dark") || !strcmp(theme, "light") || !strcmp(theme, "high-contrast")), "%s", theme);
}

static void every_theme_can_be_read(void)
{
	static const char *const themes[] = { "default", "dark", "light", "high-contrast", "mono" };

	for (size_t i = 0; i < 5; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .arguments = LIST("--theme", themes[i]) });
		stage_turn(&s, "hello", "Good day.");
		PTY_SEES(s.pty, "Good day.");
		check_cells(s.pty, themes[i]);
		pty_send(s.pty, K_F5);
		PTY_SEES(s.pty, "Theme");
		check_cells(s.pty, themes[i]);
		stage_close(&s);
	}
}

const struct suite suite_screen_menus = { "screen_menus", (const struct test[]){
	TEST(models_are_fetched_filtered_and_chosen),
	TEST(on_exit_a_menu_changes_nothing),
	TEST(the_model_in_use_is_shown_though_the_list_lacks_it),
	TEST(the_demo_speaks_all_five_protocols),
	TEST(themes_are_switched_live),
	TEST(themes_are_seen_before_they_are_chosen),
	TEST(every_theme_can_be_read),
	{ 0 },
} };
