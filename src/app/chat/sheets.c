#include "app/chat/sheets.h"

#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/demo/demo.h"
#include "app/details.h"
#include "base/json_scan.h"
#include "ui/page/page_words.h"

#define SHEET_LIMIT ((size_t)32 << 20)
#define CALL_KEYS "Alt-s skip, not run   Esc later   Enter gives this result" /* a narrow sheet keeps the last ones */
#define EMPTY_KEYS "Alt-s skip, not run   Esc later   Enter again gives an empty result"

void sheets_init(struct sheets *s, const struct host *host)
{
	*s = (struct sheets){ .host = host };
}

void sheets_close(struct sheets *s)
{
	sheet_free(s->sheet);
	s->sheet = NULL;
	s->empty_asked = false;
}

static void sheets_open(struct sheets *s, enum sheet_kind kind, struct str title, const char *keys, struct str text)
{
	sheets_close(s);
	s->kind = kind;
	s->sheet = sheet_new(title, keys, kind == SHEET_CALL ? "result" : NULL);
	sheet_set_text(s->sheet, text);
	host_redraw(s->host);
}

/* --- help --- */

static void help_commands(struct buf *out)
{
	char word[64], keys[48];

	for (size_t i = 0; command_at(COMMAND_SCREEN, i); i++) {
		const struct command *command = command_at(COMMAND_SCREEN, i);
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

void sheets_open_help(struct sheets *s)
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
	if (provider_is_demo(s->host->setup->target.provider)) {
		buf_add_z(&text, "\nThe demo answers to words in your prompt:\n\n");
		for (size_t i = 0; demo_help_at(i); i++)
			buf_printf(&text, "%-24s %s\n", demo_help_at(i)->words, demo_help_at(i)->help);
	}
	sheets_open(s, SHEET_HELP, STR("Help"), "Up Down PgUp PgDn scroll   Esc back", buf_str(&text));
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

void sheets_open_details(struct sheets *s)
{
	const struct turn *t = session_last_answer(s->host->session);
	struct buf text;

	if (!t) {
		host_say(s->host, "no turn yet");
		return;
	}
	buf_init(&text, SHEET_LIMIT);
	details_tell(t, add_detail, &text);
	add_reasoning(t, &text);
	sheets_open(s, SHEET_DETAILS, STR("Details of the last turn"), t->id ? "y copy the response id   Esc back" : "Esc back", buf_str(&text));
	buf_fini(&text);
}

/* --- answering calls --- */

bool sheets_open_call(struct sheets *s, unsigned call)
{
	const struct part *part = session_waiting_call(s->host->session, &call);

	if (!part)
		return false;
	char title[200];
	struct buf text;
	buf_init(&text, SHEET_LIMIT);
	snprintf(title, sizeof title, "Tool call %u of %zu: %s", call + 1, turn_call_count(session_last_answer(s->host->session)),
	         part->name ? part->name : "");
	json_scan_pretty(buf_str(&part->text), &text);
	sheets_open(s, SHEET_CALL, str_from(title), CALL_KEYS, buf_str(&text));
	s->call = call;
	buf_fini(&text);
	return true;
}

/* The next call, or all results back in one request. */
static void call_done(struct sheets *s)
{
	struct error err = { "" };
	unsigned next = s->call + 1;

	sheets_close(s);
	if (sheets_open_call(s, next))
		return;
	if (!session_send_results(s->host->session, &err))
		host_say(s->host, "%s", err.text);
	transcript_to_end(s->host->transcript);
}

/* A result of nothing may be meant, but Enter is also pressed by mistake: it is asked once. */
static bool asks_about_empty(struct sheets *s, bool enter)
{
	bool asks = enter && !s->empty_asked && !sheet_input(s->sheet).len;

	if (asks != s->empty_asked)
		sheet_set_keys(s->sheet, asks ? EMPTY_KEYS : CALL_KEYS);
	s->empty_asked = asks;
	return asks;
}

static bool call_key(struct sheets *s, const struct key *key)
{
	bool enter = key->code == KEY_ENTER && !key->modifiers, skip = key->code == KEY_ALT && str_is(key->text, "s");

	if (!enter && !skip)
		return false;
	if (enter && key->at_once) {
		host_say(s->host, "the result came all at once, as a paste does: Enter gives it");
		return true;
	}
	if (enter && asks_about_empty(s, true))
		return true;
	if (enter)
		session_answer_call(s->host->session, s->call, sheet_input(s->sheet), false);
	else
		session_skip_call(s->host->session, s->call);
	call_done(s);
	return true;
}

/* --- keys --- */

static bool details_key(struct sheets *s, const struct key *key)
{
	return key->code == KEY_TEXT && str_is(key->text, "y") && host_run(s->host, STR("id"));
}

static const struct {
	const char *command;             /* whose key opened it, and closes it; NULL: none does */
	bool (*key)(struct sheets *s, const struct key *key); /* its own; NULL: none */
} kinds[] = {
	[SHEET_HELP] = { "help", NULL }, [SHEET_DETAILS] = { "details", details_key }, [SHEET_CALL] = { NULL, call_key },
};

static bool is_closed_by(const struct sheets *s, const struct key *key)
{
	const struct command *command = command_by_key(key);

	return key->code == KEY_ESCAPE || (key->code == KEY_TEXT && (str_is(key->text, "q") || str_is(key->text, "?"))) ||
	       (kinds[s->kind].command && command == command_by_name(COMMAND_SCREEN, str_from(kinds[s->kind].command)));
}

static void sheets_wheel(struct sheets *s, const struct key *key)
{
	const struct key step = { .code = key->code == KEY_WHEEL_UP ? KEY_UP : KEY_DOWN };

	for (int i = 0; i < WHEEL_ROWS; i++)
		sheet_key(s->sheet, &step);
}

static bool sheets_are_open(const void *part)
{
	return ((const struct sheets *)part)->sheet != NULL;
}

static bool sheets_take(void *part, const struct key *key)
{
	struct sheets *s = part;

	if (key->code == KEY_WHEEL_UP || key->code == KEY_WHEEL_DOWN)
		sheets_wheel(s, key);
	else if (kinds[s->kind].key && kinds[s->kind].key(s, key))
		return true;
	else if (sheet_key(s->sheet, key))
		asks_about_empty(s, false);
	else if (is_closed_by(s, key))
		sheets_close(s);
	return true;
}

static bool sheets_leave(void *part)
{
	sheets_close(part);
	return false;
}

const struct mode sheets_mode = { sheets_are_open, sheets_take, sheets_leave };
