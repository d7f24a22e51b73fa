/* [keys] of weir.conf: bindings, errors with file and line, and texts that name the bound keys. */
#include <stdio.h>
#include <string.h>

#include "app/command/bindings.h"
#include "app/command/command.h"
#include "app/system/environment.h"
#include "program.h"
#include "stage.h"
#include "support/check.h"
#include "typing.h"

static bool read_clashing_keys(struct bindings *b, const char *lines, struct error *clash, struct error *err)
{
	struct settings settings;
	struct providers *providers = providers_new(process_environment);
	char text[1024];

	settings_init(&settings);
	snprintf(text, sizeof text, "mouse = no\n[keys]\n%s", lines);
	bool good = settings_read(&settings, providers, folder_file("keys.conf", text), err) && bindings_take(b, &settings, clash, err);
	settings_fini(&settings);
	providers_free(providers);
	folder_remove();
	return good;
}

static bool read_keys(struct bindings *b, const char *lines, struct error *err)
{
	struct error clash;
	bool good = read_clashing_keys(b, lines, &clash, err);

	CHECK(!good || !*clash.text, "%s", clash.text);
	return good;
}

static bool runs(const struct bindings *b, const char *key, const char *command)
{
	struct key parsed;

	CHECK(key_from_name(str_from(key), &parsed), "%s", key);
	const struct command *found = bindings_find(b, &parsed);
	return found ? command && !strcmp(command_key_name(found), command) : !command;
}

/* Each row of the table needs a unique name in [keys] to be bindable. */
static void every_command_can_be_bound(void)
{
	const struct command *command;

	for (size_t i = 0; (command = command_at(COMMAND_SCREEN, i)); i++) {
		const char *name = command_key_name(command);
		struct bindings *b = bindings_new();
		struct error err = { "" };
		char line[128];

		CHECK(name && command_bound_as(str_from(name)) == command, "row %zu", i);
		CHECK(!command->key || runs(b, command->key, name), "%s has its own key", name);
		snprintf(line, sizeof line, "%s = Shift-F7, alt-9\n", name);
		CHECK(read_keys(b, line, &err) && runs(b, "Shift-F7", name) && runs(b, "Alt-9", name), "%s: %s", name, err.text);
		bool stays = command->key && !strcmp(command->key, "Esc");
		CHECK(!command->key || runs(b, command->key, stays ? name : NULL), "%s: %s", name, command->key);
		bindings_free(b);
		b = bindings_new();
		snprintf(line, sizeof line, "%s = none\n", name);
		CHECK(read_keys(b, line, &err) && (stays || !*bindings_first(b, name)), "%s: %s", name, err.text);
		bindings_free(b);
	}
}

static void keys_can_change_places(void)
{
	struct bindings *b = bindings_new();
	struct error err = { "" };
	struct buf keys = { 0 };

	CHECK(read_keys(b, "model = f3\nprotocol = F2, ctrl-x\nretry = none\nfold = Alt-r\nfold = Alt-r, alt-R, Alt-r\n", &err), "%s", err.text);
	CU_ASSERT_TRUE(runs(b, "F3", "model") && runs(b, "F2", "protocol") && runs(b, "Ctrl-X", "protocol") && runs(b, "Alt-r", "fold"));
	CU_ASSERT_TRUE(runs(b, "Ctrl-T", NULL));
	bindings_write(b, command_bound_as(STR("fold")), &keys);
	CHECK_STR(buf_str(&keys), "Alt-r, Alt-R");
	buf_fini(&keys);
	bindings_free(b);
}

static void what_cannot_be_bound_is_told_with_its_line(void)
{
	static const struct { const char *lines, *says; } cases[] = {
		{ "retyr = F10\n", "keys.conf:3: [keys] retyr: there is no such command; weir --help keys lists them" },
		{ "retry = F13\n", "keys.conf:3: retry = F13: F13 is not a key" },
		{ "retry =\n", "there is no key; none unbinds it" },
		{ "retry = F10,,F9\n", "is not a key" },
		{ "retry = x\n", "x is text" },
		{ "retry = Enter\n", "Enter keeps what it does" },
		{ "retry = esc\n", "esc keeps what it does" },
		{ "retry = Ctrl-C\n", "Ctrl-C keeps what it does" },
		{ "retry = Ctrl-I\n", "Ctrl-I arrives as Tab" },
		{ "retry = Ctrl-M\n", "Ctrl-M arrives as Enter" },
		{ "retry = ctrl-h\n", "ctrl-h arrives as Backspace" },
		{ "retry = Ctrl-[\n", "Ctrl-[ arrives as Esc" },
		{ "retry = Ctrl-J\n", "Ctrl-J arrives as the end of a line" },
		{ "retry = Ctrl-1\n", "Ctrl-1 does not arrive" },
		{ "retry = Alt-[\n", "Alt-[ arrives as the beginning of other keys" },
		{ "retry = Alt-Shift-r\n", "Alt-Shift-r does not arrive" },
		{ "retry = WheelUp\n", "WheelUp is not a key" },
		{ "retry = none, F10\n", "none is not a key" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bindings *b = bindings_new();
		struct error err = { "" };

		CHECK(!read_keys(b, cases[i].lines, &err) && strstr(err.text, cases[i].says), "%s%s", cases[i].lines, err.text);
		bindings_free(b);
	}
}

/* An update that gives a command a key must not break who had bound that key. */
static void a_key_is_taken_from_the_default_that_has_it(void)
{
	struct bindings *b = bindings_new();
	struct error err = { "" };

	CHECK(read_keys(b, "retry = alt-j, F8\nfold = F2, F3\nwrap = PgUp, ctrl-l\n", &err), "%s", err.text);
	CU_ASSERT_TRUE(runs(b, "F8", "retry") && runs(b, "Alt-j", "retry") && runs(b, "F2", "fold") && runs(b, "F3", "fold"));
	CU_ASSERT_TRUE(runs(b, "PgUp", "wrap") && runs(b, "Ctrl-L", "wrap") && runs(b, "Alt-r", NULL) && runs(b, "Ctrl-T", NULL));
	CU_ASSERT_TRUE(!*bindings_first(b, "inspect") && !*bindings_first(b, "model") && !*bindings_first(b, "redraw"));
	CU_ASSERT_TRUE(runs(b, "F4", "provider"));
	bindings_free(b);
}

static void of_two_lines_with_one_key_the_first_holds(void)
{
	static const struct { const char *lines, *says, *command, *keys; } cases[] = {
		{ "wrap = F10\nretry = f10\n", "keys.conf:4: retry = f10: f10 is bound to wrap in line 3, which holds; bind one of the two to another key", "retry", "Alt-r" },
		{ "wrap = F10\nretry = f10, F12\n", "keys.conf:4: retry = f10, F12: f10 is bound to wrap in line 3", "retry", "F12" },
		{ "wrap = Alt-r\nretry = Alt-r\n", "keys.conf:4: retry = Alt-r: Alt-r is bound to wrap in line 3", "retry", "" },
		{ "wrap = F10\nretry = F10\nedit = F10, F7\n", "keys.conf:4: retry = F10", "edit", "F7" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bindings *b = bindings_new();
		struct error err = { "" }, clash;
		struct buf keys = { 0 };

		CHECK(read_clashing_keys(b, cases[i].lines, &clash, &err) && strstr(clash.text, cases[i].says), "%s%s%s", cases[i].lines, clash.text, err.text);
		bindings_write(b, command_bound_as(str_from(cases[i].command)), &keys);
		CHECK_STR(buf_str(&keys), cases[i].keys);
		CHECK(*bindings_first(b, "wrap"), "%s", cases[i].lines);
		buf_fini(&keys);
		bindings_free(b);
	}
}

/* A weir.conf of an earlier version goes on working, and says once what of it does nothing. */
static void a_key_of_a_command_that_is_gone_is_told_and_has_no_effect(void)
{
	struct bindings *b = bindings_new();
	struct error err = { "" }, clash;
	struct buf keys = { 0 };

	CHECK(read_clashing_keys(b, "pager = F10\nbare = F11\nhistory = F12\nolder-version = F7\n", &clash, &err), "%s", err.text);
	CHECK(strstr(clash.text, "keys.conf:3: [keys] pager has no effect: this command is gone"), "%s", clash.text);
	bindings_write(b, command_bound_as(STR("prompts")), &keys);
	CHECK_STR(buf_str(&keys), "F12");
	CHECK_STR(str_from(bindings_first(b, "older-version")), "F7");
	buf_fini(&keys);
	bindings_free(b);
}

/* Like every error in weir.conf: one line, exit 2, before anything is sent. */
static void a_wrong_line_ends_every_subcommand(void)
{
	static const char *const commands[] = { "chat", "ask", "models", "providers" };
	const char *config = folder_file("weir.conf", "[keys]\nretry = Ctrl-I\n");
	struct program p;

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS(commands[i], "--config", config), NULL), 2);
		CHECK(strstr(buf_z(&p.errors), "weir.conf:2: retry = Ctrl-I: Ctrl-I arrives as Tab\n"), "%s: %s", commands[i], buf_z(&p.errors));
		program_free(&p);
	}
	folder_remove();
}

static void help_of_keys_lists_what_is_bound(void)
{
	const char *config = folder_file("weir.conf", "[keys]\nretry = F10, ctrl-x\npalette = none\nolder-hit = F7\n");
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("--config", config, "--help", "keys"), NULL), 0);
	CHECK(strstr(buf_z(&p.output), "  retry           F10, Ctrl-X  ask again: another answer beside this one\n"), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "  palette         -  "), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "  older-hit       F7, n  "), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

#define F7 "\x1B[18~"
#define F10 "\x1B[21~"

/* Keys run the commands that they are bound to, also in modes, and hints name them. */
static void the_screen_heeds_and_shows_what_is_bound(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 120, .settings = "[keys]\nhelp = ctrl-x\ndetails = f10\nretry = f7\nmodel = none\nfold = none\n"
	                                                                    "palette = ctrl-o\nquit = none\n" });
	PTY_SEES(s.pty, "/model model"); /* the welcome */
	PTY_SEES(s.pty, "/       commands");
	PTY_SEES(s.pty, " ? help");
	pty_send(s.pty, "a draft");
	PTY_SEES(s.pty, "Ctrl-X help");
	pty_send(s.pty, "\x15");
	PTY_SEES(s.pty, " ? help");
	pty_send(s.pty, "\x18");
	PTY_SEES(s.pty, "Help");
	PTY_SEES(s.pty, "Ctrl-O");
	pty_send(s.pty, "\x18"); /* the key that opened the sheet closes it */
	PTY_LOSES(s.pty, "Help");
	pty_send(s.pty, K_F1);
	pty_send(s.pty, "\x04"); /* neither key is bound any more */
	pty_settle(s.pty);
	CHECK(pty_find_row(s.pty, "Help") < 0, "F1");
	stage_ask(&s, "hello");
	hand_whole(s.server, "Cut sh", "length");
	PTY_SEES(s.pty, "F7 retry");
	PTY_SEES(s.pty, "F10 details");
	CHECK(pty_find_row(s.pty, "Alt-r") < 0 && pty_find_row(s.pty, "Ctrl-O details") < 0, "keys of the table");
	pty_send(s.pty, F10);
	PTY_SEES(s.pty, "Details of the last turn");
	pty_send(s.pty, F10);
	PTY_LOSES(s.pty, "Details of the last turn");
	pty_send(s.pty, "\x0F" "retr");
	PTY_SEES(s.pty, "/retry");
	PTY_SEES(s.pty, "F7");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Commands");
	pty_send(s.pty, F7);
	hand_accept(s.server);
	PTY_SEES(s.pty, "\u2039 2/2 \u203A");
	stage_drop(&s);
}

/* The program starts, says so, and the other lines hold. */
static void a_clash_is_told_at_the_start(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 120, .settings = "[keys]\ndetails = f10\nretry = f10\nhelp = ctrl-x\n" });
	PTY_SEES(s.pty, "retry = f10: f10 is bound to details in line");
	pty_send(s.pty, "\x18");
	PTY_SEES(s.pty, "Help");
	stage_drop(&s);
}

/* For scrolling and new lines, a bound key acts as the command's default key, also in a sheet. */
static void another_key_stands_for_one(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "[keys]\npage-down = f10\nnew-line = f7\n", .rows = 18, .columns = 80 });
	PTY_SEES(s.pty, "F7      new line");
	pty_send(s.pty, "one" F7 "two");
	PTY_SEES(s.pty, "   two");
	pty_send(s.pty, "\n");
	pty_send(s.pty, "x");
	PTY_SEES(s.pty, "   twox"); /* Ctrl-J is not bound any more */
	pty_send(s.pty, K_F1);
	PTY_SEES(s.pty, "Help");
	pty_send(s.pty, K_PGDN K_PGDN K_PGDN K_PGDN);
	pty_settle(s.pty);
	CHECK(pty_find_row(s.pty, "stop the answer and keep") > 0, "PgDn does not scroll");
	pty_send(s.pty, F10 F10 F10 F10);
	PTY_LOSES(s.pty, "stop the answer and keep");
	stage_drop(&s);
}

const struct suite suite_bindings = { "bindings", (const struct test[]){
	TEST(every_command_can_be_bound),
	TEST(keys_can_change_places),
	TEST(what_cannot_be_bound_is_told_with_its_line),
	TEST(a_key_is_taken_from_the_default_that_has_it),
	TEST(of_two_lines_with_one_key_the_first_holds),
	TEST(a_key_of_a_command_that_is_gone_is_told_and_has_no_effect),
	TEST(a_wrong_line_ends_every_subcommand),
	TEST(help_of_keys_lists_what_is_bound),
	TEST(the_screen_heeds_and_shows_what_is_bound),
	TEST(a_clash_is_told_at_the_start),
	TEST(another_key_stands_for_one),
	{ 0 },
} };
