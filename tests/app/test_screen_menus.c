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

static void a_name_that_is_not_listed_can_be_typed(void)
{
	struct stage s;

	stage_open(&s, NULL);
	open_models(&s);
	pty_send(s.pty, "somebody/new-model");
	PTY_SEES(s.pty, "use \"somebody/new-model\" as typed");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "hand \u00b7 somebody/new-model");
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

static void the_list_is_kept_and_fetched_again_on_a_key(void)
{
	struct stage s;

	stage_open(&s, NULL);
	open_models(&s);
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc back");
	pty_send(s.pty, K_F2);
	PTY_SEES(s.pty, "4 models, fetched"); /* no request was sent: none would be answered */
	pty_send(s.pty, K_CTRL('r'));
	hand_accept(s.server);
	PTY_SEES(s.pty, "fetching ...");
	hand_reply(s.server, 200, "application/json", "{\"data\":[{\"id\":\"only-one\"}]}");
	PTY_SEES(s.pty, "only-one");
	PTY_LOSES(s.pty, "grand-large");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Esc back");
	stage_close(&s);
}

static void a_list_that_cannot_be_had_still_takes_a_name(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, K_F2);
	hand_accept(s.server);
	hand_reply(s.server, 500, "application/json", "{\"error\":{\"message\":\"no list today\"}}");
	PTY_SEES(s.pty, "500");
	pty_send(s.pty, "m-2\r");
	PTY_SEES(s.pty, "hand \u00b7 m-2");
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

/* Sends a prompt without a model, which opens the menu with a list. */
static void send_without_a_model(struct stage *s)
{
	stage_open(s, &(struct stage_options){ .settings = "model = \n" });
	PTY_SEES(s->pty, "no model");
	pty_send(s->pty, "hello\r");
	hand_accept(s->server);
	PTY_SEES(s->pty, "Model");
	hand_reply(s->server, 200, "application/json", MODELS);
	PTY_SEES(s->pty, "petit");
	PTY_SEES(s->pty, " > hello");
}

static void without_a_model_the_menu_opens_and_what_it_gives_sends_the_prompt(void)
{
	struct stage s;

	send_without_a_model(&s);
	pty_press(s.pty, "petit");
	PTY_SEES(s.pty, " > petit");
	pty_press(s.pty, "\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "hello"));
	CU_ASSERT_TRUE(stage_sent(&s, "\"petit\""));
	stage_close(&s);
}

/* Esc ends it: a menu that is opened by its key later only chooses. */
static void without_a_model_esc_keeps_the_prompt(void)
{
	struct stage s;

	send_without_a_model(&s);
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "petit");
	pty_press(s.pty, K_F2);
	PTY_SEES(s.pty, "petit");
	pty_press(s.pty, "petit");
	PTY_SEES(s.pty, " > petit");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "hand \u00b7 petit");
	pty_settle(s.pty);
	PTY_SEES(s.pty, " > hello");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	CU_ASSERT_TRUE(stage_sent(&s, "\"petit\""));
	stage_close(&s);
}

static void an_unknown_model_offers_the_menu(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "hello");
	hand_answer(s.server, 404, "application/json");
	hand_send(s.server, "{\"error\":{\"message\":\"The model `m-1` does not exist\",\"type\":\"invalid_request_error\",\"code\":\"model_not_found\"}}");
	hand_accept(s.server);
	CHECK(str_starts(str_from(hand_head(s.server)), "GET /v1/models "), "%s", hand_head(s.server));
	hand_reply(s.server, 200, "application/json", MODELS);
	PTY_SEES(s.pty, "grand-large");
	pty_send(s.pty, "large\r");
	PTY_SEES(s.pty, "model grand-large from the next turn on");
	PTY_SEES(s.pty, " > hello");
	PTY_SEES(s.pty, "does not exist");
	stage_close(&s);
}

/* --- protocols and providers --- */

static void the_protocol_changes_in_mid_conversation(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "first", "One.");
	pty_send(s.pty, K_F3);
	PTY_SEES(s.pty, "Protocol");
	PTY_SEES(s.pty, "its default");
	pty_send(s.pty, "anth");
	PTY_LOSES(s.pty, "its default");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "protocol anthropic from the next turn on");
	stage_ask(&s, "second");
	CHECK(str_starts(str_from(hand_head(s.server)), "POST /v1/messages "), "%s", hand_head(s.server));
	CU_ASSERT_TRUE(stage_sent(&s, "first"));
	CU_ASSERT_TRUE(stage_sent(&s, "One."));
	CU_ASSERT_TRUE(stage_sent(&s, "second"));
	hand_answer(s.server, 200, "text/event-stream");
	hand_send(s.server,
		"event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"m-1\"}}\n\n"
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Two.\"}}\n\n"
		"event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"input_tokens\":5,\"output_tokens\":2}}\n\n"
		"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
	hand_close(s.server);
	PTY_SEES(s.pty, "Two.");
	STAGE_OVER(&s);
	pty_send(s.pty, "/protocol openai-chat\r");
	PTY_SEES(s.pty, "protocol openai-chat from the next turn on");
	stage_ask(&s, "third");
	CU_ASSERT_TRUE(stage_sent(&s, "Two."));
	stage_close(&s);
}

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

static void the_provider_changes_in_mid_conversation(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "first", "One.");
	pty_send(s.pty, K_F4);
	PTY_SEES(s.pty, "Provider");
	PTY_SEES(s.pty, "needs a key");
	pty_send(s.pty, "demo");
	PTY_SEES(s.pty, "demo ");
	PTY_LOSES(s.pty, "sansa");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "provider demo from the next turn on");
	pty_send(s.pty, "hello\r");
	PTY_SEES(s.pty, "Hello! I am");
	pty_send(s.pty, K_ESC);
	STAGE_OVER(&s);
	pty_send(s.pty, "/provider hand\r");
	PTY_SEES(s.pty, "provider hand from the next turn on");
	stage_ask(&s, "back");
	CU_ASSERT_TRUE(stage_sent(&s, "Hello! I am"));
	stage_close(&s);
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
			bool is_line = !strcmp(cell.text, "\u2500"); /* a sheet with a background has an empty row as its edge */

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
	TEST(a_name_that_is_not_listed_can_be_typed),
	TEST(on_exit_a_menu_changes_nothing),
	TEST(the_list_is_kept_and_fetched_again_on_a_key),
	TEST(a_list_that_cannot_be_had_still_takes_a_name),
	TEST(the_model_in_use_is_shown_though_the_list_lacks_it),
	TEST(without_a_model_the_menu_opens_and_what_it_gives_sends_the_prompt),
	TEST(without_a_model_esc_keeps_the_prompt),
	TEST(an_unknown_model_offers_the_menu),
	TEST(the_protocol_changes_in_mid_conversation),
	TEST(the_demo_speaks_all_five_protocols),
	TEST(the_provider_changes_in_mid_conversation),
	TEST(themes_are_switched_live),
	TEST(themes_are_seen_before_they_are_chosen),
	TEST(every_theme_can_be_read),
	{ 0 },
} };
