/* Each setting of weir.conf has an effect: without its line a run does not show it, with the line it does. */
#include <stdio.h>
#include <string.h>

#include "stage.h"
#include "store/config/settings.h"
#include "support/check.h"

#define COLUMNS 110
#define ROLE "[role short]\nsystem = Be short.\n"
#define LINK "https://example.org/page"
#define ANSWER "Some **bold** words, and more of them, until a row is nearly full and ends here.\n\n```\n" \
	"one line of code that is longer than the window is wide, and that is therefore wrapped or clipped, as one likes, before its TAIL\n```\n\n" \
	"[A link](" LINK ") ends it.\n"

/* --- what a run shows after a turn --- */

static bool on_screen(struct stage *s, const char *text)
{
	return pty_find_row(s->pty, text) >= 0;
}

static bool in_bar(struct stage *s, const char *text)
{
	return strstr(pty_row(s->pty, pty_rows(s->pty) - 1), text) != NULL;
}

static bool sent(struct stage *s, const char *text)
{
	return strstr(hand_body(s->server), text) != NULL;
}

static bool is_groq(struct stage *s) { return in_bar(s, "\u00b7 groq"); }
static bool is_own_model(struct stage *s) { return in_bar(s, "a-model-of-mine"); }
static bool sends_role(struct stage *s) { return sent(s, "Be short."); }
static bool sends_system(struct stage *s) { return sent(s, "Be kind."); }
static bool has_background(struct stage *s) { return pty_cell(s->pty, 0, 0).background != -1; }
static bool leaves_mouse(struct stage *s) { return !pty_takes_mouse(s->pty); }
static bool is_narrow(struct stage *s) { return !strstr(pty_row(s->pty, (unsigned)pty_find_row(s->pty, "Some bold")), "ends here."); }
static bool clips_code(struct stage *s) { return !on_screen(s, "TAIL"); }
static bool hides_reasoning(struct stage *s) { return !on_screen(s, "reasoned"); }
static bool keeps_no_history(struct stage *s) { return !home_has(s->home, ".local/state/weir/prompts"); }
static bool keeps_no_tapes(struct stage *s) { return !home_has(s->home, ".local/state/weir/tapes"); }
static bool shows_source(struct stage *s) { return on_screen(s, "**bold**"); }
static bool leaves_title(struct stage *s) { return !pty_has_written(s->pty, "\x1B]2;weir: ready, m-1"); }

static bool is_copied_or_not(struct pty *p, const void *ctx)
{
	(void)ctx;
	return pty_shows(p, "sent ") || pty_shows(p, "nothing was copied");
}

static bool copies_by_program(struct stage *s)
{
	pty_send(s->pty, "/copy\r");
	PTY_WAIT(s->pty, is_copied_or_not, NULL);
	return on_screen(s, "no-such-program");
}

static bool leaves_nothing(struct stage *s)
{
	pty_send(s->pty, "\x04");
	PTY_ENDS(s->pty, 0);
	return !on_screen(s, "bold");
}

static bool remembers_nothing(struct stage *s)
{
	pty_send(s->pty, "/thoughts tail\r");
	PTY_SEES(s->pty, "reasoning: tail");
	return !home_has(s->home, ".local/state/weir/choices");
}

/* --- the table --- */

static const struct effect {
	const char *name, *value;
	bool (*acts)(struct stage *s);
	const char *with;      /* other lines of both runs */
	bool alone;            /* weir.conf has nothing else, and there is no turn */
	const char *elsewhere; /* the test of the effect, which takes more than a turn */
} effects[] = {
	{ .name = "provider", .value = "groq", .acts = is_groq, .alone = true },
	{ .name = "model", .value = "a-model-of-mine", .acts = is_own_model, .with = "provider = groq\n", .alone = true },
	{ .name = "role", .value = "short", .acts = sends_role },
	{ .name = "system", .value = "Be kind.", .acts = sends_system },
	{ .name = "title_model", .elsewhere = "titling/another_model_or_provider_writes_it" },
	{ .name = "budget", .elsewhere = "money/a_budget_is_shown_when_near_and_asked_about_when_spent" },
	{ .name = "tool_rounds", .elsewhere = "session_runs/rounds_are_held" },
	{ .name = "theme", .value = "dark", .acts = has_background },
	{ .name = "text_width", .value = "40", .acts = is_narrow },
	{ .name = "code", .value = "clip", .acts = clips_code },
	{ .name = "edit", .elsewhere = "screen_vi/the_input_has_the_keys_of_vi" },
	{ .name = "images", .elsewhere = "screen_attach/the_setting_draws_all_or_none" },
	{ .name = "thoughts", .value = "hidden", .acts = hides_reasoning },
	{ .name = "raw", .value = "yes", .acts = shows_source },
	{ .name = "lint", .elsewhere = "screen_lint/findings_are_counted_while_the_turn_runs" },
	{ .name = "mouse", .value = "no", .acts = leaves_mouse },
	{ .name = "copy", .value = "no-such-program", .acts = copies_by_program },
	{ .name = "opener", .elsewhere = "screen_media/an_item_is_opened_saved_and_copied_by_letters" },
	{ .name = "player", .elsewhere = "screen_media/a_sound_is_opened_with_the_player" },
	{ .name = "notify", .elsewhere = "screen_notice/a_long_answer_is_noticed_where_one_is_elsewhere" },
	{ .name = "title", .value = "no", .acts = leaves_title },
	{ .name = "leave", .value = "nothing", .acts = leaves_nothing },
	{ .name = "history", .value = "no", .acts = keeps_no_history },
	{ .name = "tapes", .value = "0", .acts = keeps_no_tapes },
	{ .name = "media_limit", .elsewhere = "ask/media_limit_is_a_setting" },
	{ .name = "remember", .value = "no", .acts = remembers_nothing },
};
#define EFFECTS (sizeof effects / sizeof *effects)

static void open_alone(struct stage *s, const char *lines)
{
	*s = (struct stage){ .server = hand_new(), .home = home_new() };
	home_write(s->home, ".config/weir/weir.conf", lines);
	s->pty = pty_start(&(struct pty_options){ .home = s->home, .columns = COLUMNS });
	STAGE_STATE(s, "ready");
}

static void open_and_ask(struct stage *s, const char *lines)
{
	stage_open(s, &(struct stage_options){ .top = lines, .settings = ROLE, .columns = COLUMNS });
	stage_begin(s, "hello");
	hand_reasoning(s->server, "Some thoughts.");
	hand_text(s->server, ANSWER);
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "ends it.");
	STAGE_OVER(s);
}

static bool run_shows(const struct effect *e, bool set)
{
	struct stage s;
	char lines[200];

	snprintf(lines, sizeof lines, "%s%s%s%s%s", e->with ? e->with : "", set ? e->name : "", set ? " = " : "", set ? e->value : "", set ? "\n" : "");
	(e->alone ? open_alone : open_and_ask)(&s, lines);
	bool shows = e->acts(&s);
	CHECK(!pty_has_failed(s.pty), "%s", e->name);
	stage_drop(&s);
	return shows;
}

static void each_setting_has_an_effect(void)
{
	for (size_t i = 0; i < EFFECTS; i++) {
		const struct effect *e = &effects[i];

		if (!e->elsewhere) {
			CHECK(!run_shows(e, false), "%s: its effect is there without it", e->name);
			CHECK(run_shows(e, true), "%s = %s has no effect", e->name, e->value);
		}
	}
}

static void each_setting_is_in_the_table(void)
{
	for (size_t i = 0; settings_help_at(i).name; i++)
		CHECK(i < EFFECTS && !strcmp(settings_help_at(i).name, effects[i].name), "%s: no row says its effect, or at another place", settings_help_at(i).name);
}

const struct suite suite_setting_effects = { "setting_effects", (const struct test[]){
	TEST(each_setting_has_an_effect),
	TEST(each_setting_is_in_the_table),
	{ 0 },
} };
