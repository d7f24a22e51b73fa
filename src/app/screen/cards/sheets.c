#include "app/screen/cards/sheets.h"

#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "app/session/cost_report.h"
#include "app/session/details.h"
#include "app/session/session_prompts.h"
#include "app/session/session_runs.h"
#include "app/session/turn_request.h"
#include "app/setup/setup.h"
#include "base/array.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "ui/page/page_words.h"

#define CALL_KEYS "Alt-s skip, not run   Esc later   Enter gives this result" /* a narrow sheet shows only the last ones */
#define EMPTY_KEYS "Alt-s skip, not run   Esc later   Enter again gives an empty result"

static void sheets_init(void *sheets, const struct card_tools *tools)
{
	*(struct sheets *)sheets = (struct sheets){ .host = tools->host };
}

static void sheets_close(void *sheets)
{
	struct sheets *s = sheets;

	if (s->sheet && s->kind == SHEET_CALL)
		transcript_to_end(s->host->transcript); /* it may have been scrolled to the call */
	sheet_free(s->sheet);
	s->sheet = NULL;
	s->turn = NULL;
	s->empty_asked = false;
}

static void sheets_open(struct sheets *s, enum sheet_kind kind, struct str title, const char *keys)
{
	host_close_cards(s->host);
	s->kind = kind;
	s->sheet = sheet_new(title, keys, kind == SHEET_CALL ? "result" : NULL);
	host_redraw(s->host);
}

/* --- details --- */

static void add_detail(void *ctx, const char *name, struct str value)
{
	struct sheet *sheet = ctx;

	if (!value.ptr)
		sheet_add_heading(sheet, str_from(name));
	else if (name)
		sheet_add_fact(sheet, str_from(name), value);
	else
		sheet_add_text(sheet, value);
}

/* Shows the reasoning even if the page hides it. */
static void add_reasoning(struct sheet *sheet, const struct turn *t)
{
	for (size_t i = 0; i < t->part_count; i++)
		if (t->parts[i].kind == PART_REASONING && t->parts[i].text.len) {
			struct buf heading = { 0 };

			page_words_fold(t, &t->parts[i], &heading);
			sheet_add_heading(sheet, buf_str(&heading));
			sheet_add_text(sheet, buf_str(&t->parts[i].text));
			buf_fini(&heading);
		}
}

static void add_chart(struct sheets *s, const struct turn *t)
{
	struct buf chart = { 0 };
	struct view view;

	host_view(s->host, &view);
	details_chart(t, view.look->ascii, &chart);
	if (chart.len)
		sheet_add_drawing(s->sheet, STR("Rate"), str_trim(buf_str(&chart)));
	buf_fini(&chart);
}

static const char *details_keys(const struct turn *t)
{
	if (t->tape)
		return t->id ? "o request   p copy the tape's path   y copy the response id   Esc back"
		             : "o request   p copy the tape's path   Esc back";
	return t->id ? "y copy the response id   Esc back" : "Esc back";
}

struct turn *sheets_turn(const struct sheets *s)
{
	return s->turn;
}

/* Which turn is meant, where it is not the last one. */
static void details_title(const struct sheets *s, const struct turn *t, const char *what, char *title, size_t size)
{
	if (t == session_last_answer(s->host->session))
		snprintf(title, size, "%s of the last turn", what);
	else
		snprintf(title, size, "%s of turn %u of %u", what, turn_ordinal(t),
		         turn_ordinal(conversation_last(session_conversation(s->host->session))));
}

void sheets_open_details(struct sheets *s)
{
	struct turn *t = host_answer(s->host);
	char title[80];

	if (!t) {
		host_say(s->host, "there is no answer yet");
		return;
	}
	details_title(s, t, "Details", title, sizeof title);
	sheets_open(s, SHEET_DETAILS, str_from(title), details_keys(t));
	s->turn = t;
	details_tell(t, add_detail, s->sheet);
	add_chart(s, t);
	add_reasoning(s->sheet, t);
}

#define REQUEST_KEYS "e edit and send   c copy curl   y copy JSON   Esc back" /* a narrow sheet shows only the last ones */

void sheets_open_request(struct sheets *s, struct turn *t)
{
	struct sent_request request;
	struct error err;
	char title[80];

	if (!turn_request_find(&request, s->host->setup, s->host->session, t, &err)) {
		host_fail(s->host, "%s", err.text);
		return;
	}
	details_title(s, t, "Request", title, sizeof title);
	sheets_open(s, SHEET_REQUEST, str_from(title), REQUEST_KEYS);
	s->turn = t;
	turn_request_tell(&request, s->host->session, t, add_detail, s->sheet);
	sent_request_fini(&request);
}

void sheets_open_cost(struct sheets *s, struct model_list *models)
{
	if (!session_last_answer(s->host->session)) {
		host_say(s->host, "no turn yet");
		return;
	}
	sheets_open(s, SHEET_COST, STR("Tokens and money"), "Esc back");
	cost_report_tell(s->host->session, models, add_detail, s->sheet);
}

#define SHOWN_BYTES ((size_t)256 << 10) /* of the text of one file */

void sheets_open_attached(struct sheets *s, struct model_list *models)
{
	const struct session *session = s->host->session;
	struct buf words = { 0 };

	sheets_open(s, SHEET_ATTACHED, STR("Attached"), "Esc back");
	cost_report_attached(session, models, NULL, &words);
	sheet_add_fact(s->sheet, STR("sum"), buf_str(&words));
	for (size_t i = 0; i < session_attached(session); i++) {
		const struct part *part = session_attached_at(session, i);
		struct str text = buf_str(&part->text);

		buf_clear(&words);
		page_words_file(part, "  ", &words);
		sheet_add_heading(s->sheet, buf_str(&words));
		if (part_is_text_file(part))
			sheet_add_text(s->sheet, utf8_head(text, SHOWN_BYTES));
	}
	buf_fini(&words);
}

/* The newest first. */
void sheets_open_messages(struct sheets *s, const struct messages *messages)
{
	const struct logged_message *message;
	char words[40];

	if (!messages->count) {
		host_say(s->host, "there was no message yet");
		return;
	}
	sheets_open(s, SHEET_MESSAGES, STR("Messages"), "Esc back");
	host_say_for(s->host, 0, ""); /* it is the first row */
	for (size_t i = 0; (message = messages_at(messages, i)); i++) {
		message_words(message, words, sizeof words);
		sheet_add_fact(s->sheet, str_from(words), str_from(message->text));
	}
}

/* --- answering calls --- */

bool sheets_open_call(struct sheets *s, unsigned call)
{
	const struct part *part = session_waiting_call(s->host->session, &call);

	if (!part)
		return false;
	char title[200];
	snprintf(title, sizeof title, "Tool call %u of %zu: %s%s", call + 1, turn_call_count(session_last_answer(s->host->session)),
	         part->name ? part->name : "", part->run == CALL_RUN_UNKNOWN ? " (no such tool here)" : "");
	sheets_open(s, SHEET_CALL, str_from(title), CALL_KEYS);
	sheet_add_members(s->sheet, buf_str(&part->text));
	s->call = call;
	return true;
}

/* Opens the next call, or sends all results in one request. */
static void call_done(struct sheets *s)
{
	struct error err = { "" };
	unsigned next = s->call + 1;

	sheets_close(s);
	if (sheets_open_call(s, next))
		return;
	if (!session_send_results(s->host->session, &err))
		host_fail(s->host, "%s", err.text);
	if (session_asking(s->host->session)) /* those of the others go with what comes of it */
		host_run(s->host, STR("answer"));
	transcript_to_end(s->host->transcript);
}

/* An empty result may be a mistake, so it must be confirmed once. */
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
	if (enter && host_runs_line(s->host, sheet_line(s->sheet), false, key, &sheets_kind.mode, s))
		return true;
	if (enter && key->at_once) {
		host_say(s->host, "the result arrived at once, like a paste: Enter gives it");
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

/* The command whose key opens and closes a sheet. */
static const char *const openers[SHEET_CALL + 1] = { [SHEET_DETAILS] = "details", [SHEET_REQUEST] = "request" };

/* Letters that run a command on what a sheet shows. */
static const struct { enum sheet_kind kind; char letter; const char *command; } letters[] = {
	{ SHEET_DETAILS, 'y', "id" },           { SHEET_DETAILS, 'p', "copy tape" }, { SHEET_DETAILS, 'o', "request" },
	{ SHEET_REQUEST, 'y', "copy request" }, { SHEET_REQUEST, 'c', "copy curl" }, { SHEET_REQUEST, 'e', "request edit" },
};

static bool sheets_letter(struct sheets *s, char letter)
{
	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		if (letters[i].kind == s->kind && letters[i].letter == letter)
			return host_run(s->host, str_from(letters[i].command));
	return false;
}

static bool is_closed_by(const struct sheets *s, const struct key *key)
{
	const char *opener = openers[s->kind];
	char letter = key_letter(key);

	return key->code == KEY_ESCAPE || letter == 'q' || letter == '?' || (opener && host_key_is(s->host, key, opener));
}

static bool sheets_are_open(const void *part)
{
	return ((const struct sheets *)part)->sheet != NULL;
}

static bool sheets_take(void *part, const struct key *key)
{
	struct sheets *s = part;

	if (s->kind == SHEET_CALL ? call_key(s, key) : sheets_letter(s, key_letter(key)))
		return true;
	else if (sheet_key(s->sheet, key))
		asks_about_empty(s, false);
	else if (is_closed_by(s, key))
		sheets_close(s);
	else if (host_types(s->host, key)) {
		sheets_close(s);
		return false;
	}
	return true;
}

/* Pasted text is written into the result of a call, else into the input, as typed text is. */
static enum mode_paste sheets_paste(const void *part)
{
	return ((const struct sheets *)part)->kind == SHEET_CALL ? PASTE_TAKEN : PASTE_PASSES;
}

static struct sheet *sheets_docked(const void *sheets)
{
	const struct sheets *s = sheets;

	return s->kind == SHEET_CALL ? s->sheet : NULL;
}

static void sheets_draw(void *sheets, struct canvas *canvas)
{
	sheet_draw(((struct sheets *)sheets)->sheet, canvas);
}

const struct card_kind sheets_kind = {
	.mode = { .is_open = sheets_are_open, .takes = sheets_take, .close = sheets_close, .paste = sheets_paste },
	.init = sheets_init, .draw = sheets_draw, .docked = sheets_docked,
};
