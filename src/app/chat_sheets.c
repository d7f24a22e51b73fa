/* The sheets: help, the details of a turn, and the answering of a tool call by hand. */
#include <stdio.h>
#include <string.h>

#include "app/chat.h"
#include "app/command.h"
#include "app/demo.h"
#include "app/details.h"
#include "base/json_scan.h"
#include "ui/page_words.h"

#define SHEET_LIMIT ((size_t)32 << 20)
#define CALL_KEYS "Alt-s skip, not run   Esc later   Enter gives this result" /* a narrow sheet keeps the last ones */
#define EMPTY_KEYS "Alt-s skip, not run   Esc later   Enter again gives an empty result"

void chat_close_sheet(struct chat *c)
{
	sheet_free(c->sheet);
	c->sheet = NULL;
	c->sheet_kind = SHEET_NONE;
	c->empty_asked = false;
}

static void open_sheet(struct chat *c, enum chat_sheet kind, struct str title, const char *keys, const char *label, struct str text)
{
	chat_close_menu(c);
	chat_close_sheet(c);
	c->sheet_kind = kind;
	c->sheet = sheet_new(title, keys, label);
	sheet_set_text(c->sheet, text);
	chat_touch(c);
}

/* --- help --- */

static void help_commands(struct buf *out)
{
	char word[64], keys[48];

	for (size_t i = 0; command_at(i); i++) {
		const struct command *command = command_at(i);
		const char *name = command->name ? command->name : "", *argument = command->argument ? command->argument : "";

		snprintf(word, sizeof word, "%s%s %s", *name ? "/" : "", name, argument);
		snprintf(keys, sizeof keys, "%s%s%s", command->key ? command->key : "", command->key && command->letter ? ", " : "",
		         command->letter == ' ' ? "space" : (char[]){ command->letter, 0 });
		buf_printf(out, "%-10s %-18s %s\n", keys, command->name ? word : "", command->help);
	}
}

static void help_writing(struct buf *out)
{
	buf_add_z(out, "\nIn the input, beside the keys of a shell's line:\n\n"
	               "Ctrl-_     undo (Ctrl-/ too); Alt-_ or Alt-/ does it again\n"
	               "Ctrl-W     cut the word before, Alt-d the one behind; Ctrl-U, Ctrl-K of the line\n"
	               "Ctrl-Y     put in what was cut last; then Alt-y what was cut before\n"
	               "Up         of the prompts, those that begin with what is before the cursor\n"
	               "Tab        take what the list offers: slash words, models, files (@NAME)\n"
	               "Alt-Home   to the start of the text, Alt-End to its end\n"
	               "Alt-e      make a [pasted ...] chip text that can be edited\n"
	               "Shift-Enter  new line, where the terminal tells it from Enter\n");
}

void chat_open_help(struct chat *c)
{
	struct buf text;

	buf_init(&text, SHEET_LIMIT);
	buf_add_z(&text, "Enter      send\n"
	                 "Ctrl-J     new line (Alt-Enter too)\n"
	                 "PgUp PgDn  scroll, as the wheel does; dragging selects (with Shift: the terminal does)\n"
	                 "Alt-Up     scroll by half a page, Alt-Down back\n"
	                 "Home End   to the start, to the end (empty input)\n"
	                 "Up Down    earlier prompts\n"
	                 "Ctrl-C     stop, else clear; twice: quit\n"
	                 "Ctrl-D     quit (empty input)\n\n");
	help_commands(&text);
	buf_add_z(&text, "\nLetters alone are commands while another pane than the input has the focus (Tab).\n");
	help_writing(&text);
	if (provider_is_demo(c->setup.target.provider)) {
		buf_add_z(&text, "\nThe demo answers to words in your prompt:\n\n");
		for (size_t i = 0; demo_help_at(i); i++)
			buf_printf(&text, "%-24s %s\n", demo_help_at(i)->words, demo_help_at(i)->help);
	}
	open_sheet(c, SHEET_HELP, STR("Help"), "Up Down PgUp PgDn scroll   Esc back", NULL, buf_str(&text));
	buf_fini(&text);
}

/* --- details --- */

static void add_detail(void *ctx, const char *name, struct str value)
{
	struct buf *out = ctx;

	if (name)
		buf_printf(out, "%-12s %.*s\n", name, STR_ARG(value));
	else if (value.len)
		buf_add(out, value);
	else
		buf_add_byte(out, '\n');
}

/* Also when the page hides it. */
static void add_reasoning(const struct turn *t, struct buf *out)
{
	for (size_t i = 0; i < t->part_count; i++)
		if (t->parts[i].kind == PART_REASONING && t->parts[i].text.len) {
			buf_add_z(out, "\n");
			page_words_fold(t, &t->parts[i], out);
			buf_add_z(out, "\n");
			buf_add(out, buf_str(&t->parts[i].text));
			buf_add_z(out, "\n");
		}
}

void chat_open_details(struct chat *c)
{
	const struct turn *t = session_last_answer(c->session);
	struct buf text;

	if (!t) {
		chat_say(c, "no turn yet");
		return;
	}
	buf_init(&text, SHEET_LIMIT);
	details_tell(t, add_detail, &text);
	add_reasoning(t, &text);
	open_sheet(c, SHEET_DETAILS, STR("Details of the last turn"), t->id ? "y copy the response id   Esc back" : "Esc back", NULL,
	           buf_str(&text));
	buf_fini(&text);
}

/* --- answering calls --- */

bool chat_open_call(struct chat *c, unsigned call)
{
	const struct part *part = session_waiting_call(c->session, &call);

	if (!part)
		return false;
	char title[200];
	struct buf text;
	buf_init(&text, SHEET_LIMIT);
	snprintf(title, sizeof title, "Tool call %u of %zu: %s", call + 1, turn_call_count(session_last_answer(c->session)),
	         part->name ? part->name : "");
	json_scan_pretty(buf_str(&part->text), &text);
	c->call = call;
	open_sheet(c, SHEET_CALL, str_from(title), CALL_KEYS, "result", buf_str(&text));
	buf_fini(&text);
	return true;
}

/* The next call, or all results back in one request. */
static void call_done(struct chat *c)
{
	struct error err = { "" };
	unsigned next = c->call + 1;

	chat_close_sheet(c);
	if (chat_open_call(c, next))
		return;
	chat_try_answer(c, session_send_results(c->session, &err), &err);
	transcript_to_end(c->panes[CHAT_TRANSCRIPT]);
}

/* A result of nothing may be meant, but Enter is also pressed by mistake: it is asked once. */
static bool asks_about_empty(struct chat *c, bool enter)
{
	bool asks = enter && !c->empty_asked && !sheet_input(c->sheet).len;

	if (asks != c->empty_asked)
		sheet_set_keys(c->sheet, asks ? EMPTY_KEYS : CALL_KEYS);
	c->empty_asked = asks;
	return asks;
}

static void call_key(struct chat *c, const struct key *key)
{
	if (key->code == KEY_ENTER && !key->modifiers) {
		if (asks_about_empty(c, true))
			return;
		session_answer_call(c->session, c->call, sheet_input(c->sheet), false);
		call_done(c);
	} else if (key->code == KEY_ALT && str_is(key->text, "s")) {
		session_skip_call(c->session, c->call);
		call_done(c);
	}
}

/* --- keys --- */

void chat_sheet_key(struct chat *c, const struct key *key)
{
	if (key->code == KEY_ESCAPE) {
		chat_close_sheet(c);
		return;
	}
	if (c->sheet_kind == SHEET_CALL && key->code == KEY_ALT && str_is(key->text, "s")) {
		call_key(c, key);
		return;
	}
	if (sheet_key(c->sheet, key)) {
		asks_about_empty(c, false);
		return;
	}
	const struct command *command = command_by_key(key);
	if (c->sheet_kind == SHEET_CALL)
		call_key(c, key);
	else if (c->sheet_kind == SHEET_DETAILS && key->code == KEY_TEXT && str_is(key->text, "y"))
		command_run_line(c, STR("id"));
	else if (command && command->name && !strcmp(command->name, c->sheet_kind == SHEET_HELP ? "help" : "details"))
		chat_close_sheet(c); /* the key that opened it */
	else if (key->code == KEY_TEXT && (str_is(key->text, "q") || str_is(key->text, "?")))
		chat_close_sheet(c);
}
