/* The card of the settings: where values come from, changes that act at once, and writing them into weir.conf. */
#include <stdio.h>
#include <string.h>

#include "app/setup/setting_change.h"
#include "base/regular_file.h"
#include "lines.h"
#include "stage.h"
#include "store/config/settings.h"
#include "support/check.h"
#include "support/golden.h"

#define CONF ".config/weir/weir.conf"
#define K_F9 "\x1B[20~"

static bool conf_has(const char *home, const char *text)
{
	struct buf conf = { 0 };
	struct error err;
	bool has = regular_file_read(&conf, home_path(home, CONF), &err) && str_find(buf_str(&conf), str_from(text)) < conf.len;

	buf_fini(&conf);
	return has;
}

/* The row of a setting has these words behind its name. */
static bool row_says(struct pty *p, const void *ctx)
{
	const char *const *words = ctx;
	int row = pty_find_row(p, words[0]);
	const char *name = row < 0 ? NULL : strstr(pty_row(p, (unsigned)row), words[0]);

	return name && (!words[1] || strstr(name, words[1])) && (!words[2] || strstr(name, words[2]));
}
#define ROW_SAYS(s, name, value, origin) \
	pty_wait((s)->pty, row_says, ((const char *const[]){ name, value, origin }), name " " value " " origin, __FILE__, __LINE__)

static void mark(struct stage *s, const char *name)
{
	char row[60];

	snprintf(row, sizeof row, "> %s ", name);
	pty_press(s->pty, "\x1B[H");
	for (size_t i = 0; settings_help_at(i).name && strcmp(settings_help_at(i).name, name) != 0; i++)
		pty_press(s->pty, K_DOWN);
	pty_wait(s->pty, pty_shows, row, row, __FILE__, __LINE__);
}

static void open_card(struct stage *s)
{
	pty_press(s->pty, K_F9);
	PTY_SEES(s->pty, "\u2500 Settings \u2500");
}

static void values_say_where_they_come_from(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = "# mine\ntext_width = 72\n", .rows = 40, .columns = 100, .arguments = LIST("--theme", "dark") });
	open_card(&s);
	ROW_SAYS(&s, "text_width", "72", "weir.conf:2");
	ROW_SAYS(&s, "provider", "hand", "weir.conf:3");
	ROW_SAYS(&s, "theme", "dark", "option");
	ROW_SAYS(&s, "code", "wrap", "long lines of code");
	CHECK(pty_find_row(s.pty, "default") < 0, "a default needs no word");
	ROW_SAYS(&s, "model", "m-1", "[provider hand]");
	mark(&s, "code");
	PTY_SEES(s.pty, "long lines of code: wrap, or clip");
	PTY_SEES(s.pty, "It takes: wrap \u00b7 clip");
	pty_press(s.pty, K_F9);
	PTY_LOSES(s.pty, "\u2500 Settings \u2500");
	stage_close(&s);
}

static struct pty_cell cell_of(struct stage *s, const char *row, const char *value)
{
	int at = pty_find_row(s->pty, row);
	unsigned column = 0;

	for (; at >= 0 && column + strlen(value) < pty_columns(s->pty); column++) {
		size_t same = 0;

		while (value[same] && pty_cell(s->pty, (unsigned)at, column + (unsigned)same).text[0] == value[same])
			same++;
		if (!value[same])
			break;
	}
	return pty_cell(s->pty, at < 0 ? 0 : (unsigned)at, column);
}

static void only_what_differs_is_bright(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = "text_width = 72\ncode = wrap\ntheme = dark\n", .rows = 40, .columns = 100 });
	open_card(&s);
	ROW_SAYS(&s, "text_width", "72", "weir.conf:1");
	PTY_SEES(s.pty, "Esc back"); /* the last row: all of them are there */
	struct pty_cell own = cell_of(&s, "text_width", "72"), same = cell_of(&s, "code  ", "wrap"), words = cell_of(&s, "code  ", "long lines");
	CHECK(own.text[0] == '7' && same.text[0] == 'w' && words.text[0] == 'l', "the rows");
	CHECK(own.foreground != same.foreground && same.foreground == words.foreground, "%d, %d, %d", own.foreground, same.foreground, words.foreground);
	CHECK(pty_find_row(s.pty, "weir.conf:2") < 0, "what is written but the same as the default does not differ");
	stage_close(&s);
}

static void what_is_one_of_several_words_is_chosen_from_a_list(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 24, .columns = 80 });
	open_card(&s);
	mark(&s, "images");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "\u2500 images \u2500");
	CHECK(pty_find_row(s.pty, "> \u25CF ask") >= 0 && pty_find_row(s.pty, "yes") > 0, "its words, the current one is marked");
	golden_check("settings-words-80x24", str_from(pty_dump(s.pty)));
	pty_press(s.pty, K_ESC);
	PTY_LOSES(s.pty, "\u2500 images \u2500");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "\u2500 images \u2500");
	pty_press(s.pty, K_DOWN);
	pty_press(s.pty, "\r");
	ROW_SAYS(&s, "images", "yes", "chosen here");
	mark(&s, "copy");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "osc52");
	pty_paste(s.pty, "wl-copy");
	PTY_SEES(s.pty, "use \"wl-copy\" as typed");
	pty_press(s.pty, "\r");
	ROW_SAYS(&s, "copy", "wl-copy", "chosen here");
	mark(&s, "raw");
	pty_press(s.pty, "\r");
	ROW_SAYS(&s, "> raw", "yes", "chosen here");
	stage_close(&s);
}

static void a_change_acts_at_once_and_is_written(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = "# mine\ntext_width = 72\n", .rows = 40, .columns = 100 });
	stage_turn(&s, "hi", "Some **bold** words.");
	PTY_SEES(s.pty, "Some bold words.");
	open_card(&s);
	mark(&s, "raw");
	pty_press(s.pty, "\r");
	ROW_SAYS(&s, "raw ", "yes", "chosen here");
	mark(&s, "text_width");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "Enter set");
	pty_press(s.pty, "x");
	PTY_SEES(s.pty, "> value   x "); /* typing replaces what was there, */
	pty_press(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Enter set");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "Enter set");
	pty_press(s.pty, K_RIGHT);
	pty_press(s.pty, "x");
	PTY_SEES(s.pty, "> value   72x"); /* an arrow keeps it */
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "it must be a number of columns");
	pty_press(s.pty, K_CTRL('u'));
	pty_press(s.pty, "64");
	pty_press(s.pty, "\r");
	ROW_SAYS(&s, "text_width", "64", "chosen here");
	CHECK(conf_has(s.home, "text_width = 72\n"), "nothing is written without the key");
	pty_press(s.pty, K_CTRL('s'));
	ROW_SAYS(&s, "text_width", "64", "weir.conf:2");
	CHECK(conf_has(s.home, "# mine\ntext_width = 64\nprovider = hand\n[provider hand]\n"), "in its place");
	mark(&s, "leave");
	pty_press(s.pty, K_LEFT);
	ROW_SAYS(&s, "leave", "nothing", "chosen here");
	pty_press(s.pty, K_CTRL('s'));
	ROW_SAYS(&s, "leave", "nothing", "weir.conf:4");
	CHECK(conf_has(s.home, "provider = hand\nleave = nothing\n[provider hand]\n"), "behind the others");
	pty_press(s.pty, K_ESC);
	PTY_LOSES(s.pty, "\u2500 Settings \u2500");
	PTY_SEES(s.pty, "Some **bold** words.");
	stage_close(&s);
}

static void what_has_a_menu_opens_it(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 40, .columns = 100 });
	open_card(&s);
	mark(&s, "theme");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "Theme \u2500");
	PTY_LOSES(s.pty, "\u2500 Settings \u2500");
	pty_press(s.pty, K_ESC);
	PTY_SEES(s.pty, "\u2500 Settings \u2500");
	CHECK(pty_find_row(s.pty, "> theme") > 0 && pty_find_row(s.pty, "Theme \u2500") < 0, "the card is back where it was");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "Theme \u2500");
	pty_press(s.pty, "mono");
	pty_press(s.pty, "\r");
	ROW_SAYS(&s, "> theme", "mono", "chosen here");
	mark(&s, "title_model");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "\u2500 title_model \u2500");
	hand_accept(s.server);
	hand_reply(s.server, 200, "application/json", "{\"object\":\"list\",\"data\":[{\"id\":\"m-1\"},{\"id\":\"listed-2\"}]}");
	PTY_SEES(s.pty, "listed-2");
	pty_press(s.pty, "listed-2");
	pty_press(s.pty, "\r");
	ROW_SAYS(&s, "> title_model", "listed-2", "chosen here");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "\u2500 title_model \u2500");
	pty_press(s.pty, "none");
	pty_press(s.pty, "\r");
	PTY_LOSES(s.pty, "listed-2");
	ROW_SAYS(&s, "> title_model", "the model that writes", "");
	pty_type(s.pty, "budg");
	PTY_LOSES(s.pty, "text_width"); /* what is typed filters the rows, */
	PTY_SEES(s.pty, "> budget  ");
	pty_press(s.pty, K_CTRL('u'));
	PTY_SEES(s.pty, "text_width");
	pty_paste(s.pty, "colour theme"); /* by what they are, too; and so does what is pasted */
	PTY_SEES(s.pty, "> theme  ");
	PTY_LOSES(s.pty, "text_width");
	pty_type(s.pty, "s of mine");
	PTY_SEES(s.pty, "nothing matches");
	pty_press(s.pty, "\r");
	PTY_SEES(s.pty, "nothing matches");
	pty_press(s.pty, K_CTRL('c'));
	PTY_LOSES(s.pty, "\u2500 Settings \u2500");
	stage_close(&s);
}

/* --- all rows --- */

/* Values for the settings that take any text or number. A new one of them needs a row here. */
static const struct { const char *name, *value; } typed[] = {
	{ "text_width", "64" }, { "status", "state model out" }, { "tapes", "3" }, { "media_limit", "8" }, { "budget", "2.00 a day" }, { "tool_rounds", "2" },
	{ "opener", "feh" }, { "player", "mpv" },
};

/* The value in a row of the card: the words between the name and the origin. */
static void value_of_row(struct stage *s, const char *name, char *value, size_t size)
{
	char row[60];

	snprintf(row, sizeof row, "> %s ", name);
	int at = pty_find_row(s->pty, row);
	const char *words = at < 0 ? "" : strstr(pty_row(s->pty, (unsigned)at), row) + strlen(row);
	words += strspn(words, " ");
	const char *end = strstr(words, "  ");
	snprintf(value, size, "%.*s", (int)(end ? end - words : 0), words);
}

/* Right takes the next word of those that the setting can be. */
static void step_row(struct stage *s, const char *name)
{
	char value[60], row[60];
	const char *next = setting_word_at(name, 0);

	snprintf(row, sizeof row, "> %s ", name);
	value_of_row(s, name, value, sizeof value);
	for (size_t i = 0; setting_word_at(name, i); i++)
		if (!strcmp(setting_word_at(name, i), value) && setting_word_at(name, i + 1))
			next = setting_word_at(name, i + 1);
	CHECK(*value && strcmp(value, next) != 0, "%s is %s", name, value);
	pty_press(s->pty, K_RIGHT);
	pty_wait(s->pty, row_says, ((const char *const[]){ row, next, "chosen here" }), name, __FILE__, __LINE__);
}

static void type_row(struct stage *s, const char *name)
{
	size_t i = 0;

	while (i < sizeof typed / sizeof *typed && strcmp(typed[i].name, name) != 0)
		i++;
	CHECK(i < sizeof typed / sizeof *typed, "%s: no value to try", name);
	if (i == sizeof typed / sizeof *typed)
		return;
	pty_press(s->pty, "\r");
	PTY_SEES(s->pty, "Enter set");
	pty_press(s->pty, K_CTRL('u'));
	pty_press(s->pty, typed[i].value);
	pty_press(s->pty, "\r");
	pty_wait(s->pty, row_says, ((const char *const[]){ name, typed[i].value, "chosen here" }), name, __FILE__, __LINE__);
}

/* Enter opens the menu or the input of the setting in place of the card. */
static void open_row(struct stage *s, const char *name)
{
	pty_press(s->pty, "\r");
	pty_wait(s->pty, pty_hides, "It takes", name, __FILE__, __LINE__);
	PTY_LOSES(s->pty, "\u2500 Settings \u2500");
	PTY_SEES(s->pty, "Esc");
	pty_press(s->pty, K_ESC);
	if (!strcmp(name, "system")) { /* it was written in the input */
		PTY_LOSES(s->pty, "Esc");
		open_card(s);
	}
	PTY_SEES(s->pty, "Enter change   Esc back"); /* the whole card is back */
}

static void every_row_can_be_changed(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .rows = 40, .columns = 100, .settings = "[role short]\nsystem = Be short.\n" });
	stage_turn(&s, "hi", "Some **bold** words.");
	open_card(&s);
	for (size_t i = 0; settings_help_at(i).name && !pty_has_failed(s.pty); i++) {
		const char *name = settings_help_at(i).name;

		mark(&s, name);
		(setting_command(name) ? open_row : setting_word_at(name, 0) ? step_row : type_row)(&s, name);
		PTY_REDRAWS(s.pty);
	}
	pty_press(s.pty, K_ESC);
	PTY_LOSES(s.pty, "\u2500 Settings \u2500");
	PTY_SEES(s.pty, "Some **bold** words."); /* `raw` was changed, too */
	stage_close(&s);
}

static void small_screens_show_the_marked_one(void)
{
	static const struct { unsigned rows, columns; } sizes[] = { { 12, 40 }, { 6, 20 } };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct stage s = { .server = hand_new(), .home = home_new() };

		home_write(s.home, CONF, hand_settings(s.server, ""));
		s.pty = pty_start(&(struct pty_options){ .home = s.home, .rows = sizes[i].rows, .columns = sizes[i].columns });
		PTY_SEES(s.pty, "ready");
		pty_press(s.pty, K_F9);
		PTY_SEES(s.pty, "> provider");
		pty_press(s.pty, "\x1B[F");
		PTY_SEES(s.pty, "> remember");
		stage_drop(&s);
	}
}

static void a_theme_that_there_is_not_is_told_with_its_line(void)
{
	char *home = home_new();

	home_write(home, CONF, "\ntheme = paper\n");
	struct pty *p = pty_start(&(struct pty_options){ .home = home, .columns = 150, .arguments = LIST("--provider", "demo") });
	PTY_ENDS(p, 2);
	CHECK(pty_shows(p, "weir.conf:2: theme: there is no theme 'paper'"), "%s", pty_dump(p));
	pty_free(p);
	home_free(home);
}

/* --- the linear mode --- */

static void lines_read_change_and_write_them(void)
{
	struct lines l;

	lines_begin(&l);
	DIALOGUE(&l,
	         "> /settings", "Model:", "provider: hand, weir.conf:1. the provider to start with.", "Page:", "code: wrap, default. long lines of code.",
	         "/settings NAME says more about one.",
	         "> /settings code", "code: wrap, default. long lines of code: wrap, or clip, where",
	         "> /settings code clip", "code: clip, chosen here.",
	         "> /settings code bend", "code = bend: it must be wrap or clip.",
	         "> /settings thoughts loud", "loud",
	         "> /settings nothing", "There is no such setting.",
	         "> /settings write code", "code: clip, weir.conf:2.",
	         "> /settings model m-7", "model m-7 from the next turn on.");
	CHECK(conf_has(l.home, "provider = hand\ncode = clip\n[provider hand]\n"), "it is written");
	lines_close(&l);
}

const struct suite suite_screen_settings = { "screen_settings", (const struct test[]){
	TEST(values_say_where_they_come_from), TEST(only_what_differs_is_bright), TEST(what_is_one_of_several_words_is_chosen_from_a_list),
	TEST(a_change_acts_at_once_and_is_written), TEST(what_has_a_menu_opens_it), TEST(every_row_can_be_changed),
	TEST(small_screens_show_the_marked_one), TEST(a_theme_that_there_is_not_is_told_with_its_line),
	TEST(lines_read_change_and_write_them), { 0 } } };
