#include "app/screen/cards/approval_card.h"

#include <stdio.h>
#include <string.h>

#include "app/session/session_runs.h"
#include "chat/conversation/turn.h"
#include "ui/edit/edit.h"

#define QUIET_MS 300 /* without a key, before the keys of the card are shown and work, and behind one of them before it counts */

static void approval_init(void *card, const struct card_tools *tools)
{
	*(struct approval_card *)card = (struct approval_card){ .host = tools->host };
}

static void approval_close(void *card)
{
	struct approval_card *c = card;

	if (c->sheet)
		transcript_to_end(c->host->transcript);
	sheet_free(c->sheet);
	c->sheet = NULL;
	c->armed = false;
	c->letter = 0;
}

/* The call that is shown, while it asks for that. */
static const struct tool_call *approval_call(const struct approval_card *c)
{
	return session_shown(c->host->session, c->shown);
}

/* --- what it shows --- */

static void approval_tell(void *ctx, const char *name, struct str value)
{
	sheet_add_fact(ctx, str_from(name), value);
}

static void approval_begin(struct approval_card *c, enum approval_form form, const char *title, const char *label)
{
	host_close_cards(c->host);
	c->form = form;
	c->quiet_ms = clock_now_ms();
	c->letter = 0;
	c->armed = label != NULL; /* what is typed into it decides nothing before Enter */
	c->sheet = sheet_new(str_from(title), !label ? "" : form == APPROVAL_EDITS ? "Esc back   Enter take" : "Esc back   Enter not run", label);
	sheet_dock(c->sheet);
	host_redraw(c->host);
}

/* The texts are the tool's: their wrapped rows do not begin where the names of rows do. */
static void approval_add_change(struct approval_card *c, struct str change)
{
	struct str line;

	while (change.len && str_split(&change, '\n', &line))
		sheet_add_fact(c->sheet, str_head(line, 1), str_skip(line, 2));
}

static void approval_show(struct approval_card *c, const struct tool_call *call, enum approval_form form, const char *label)
{
	char title[160];

	snprintf(title, sizeof title, "Run %s? Call %u of %zu, %s", call->name, call->call + 1, call->of, tool_source_name(call->tool.source));
	c->shown = call->shown;
	approval_begin(c, form, title, label);
	if (call->asker)
		sheet_add_fact(c->sheet, STR("asked by"), str_from(call->asker));
	tool_call_tell(call, approval_tell, c->sheet);
	if (call->edited)
		sheet_add_fact(c->sheet, STR("edited"), STR("you have changed the arguments"));
	if (call->change) {
		sheet_add_heading(c->sheet, STR("It is not what was allowed before:"));
		approval_add_change(c, str_from(call->change));
	}
}

static void approval_show_rounds(struct approval_card *c)
{
	struct buf words = { 0 };

	approval_begin(c, APPROVAL_ROUNDS, "Go on?", NULL);
	session_write_hold(c->host->session, &words);
	sheet_add_text(c->sheet, buf_str(&words));
	buf_fini(&words);
}

bool approval_card_open(struct approval_card *c)
{
	const struct tool_call *asks = session_asking(c->host->session);

	if (asks)
		approval_show(c, asks, APPROVAL_ASKS, NULL);
	else if (session_holds_rounds(c->host->session))
		approval_show_rounds(c);
	return c->sheet != NULL;
}

/* The most important one is the last. Those of a line are shown where it has room. */
#define KEYS_HERE \
	"Esc later   e edit   a always in this conversation   n not run   y once\n" \
	"e edit   a always   n not run   y once\n" \
	"y once  n a e  Esc"
#define KEYS_EVER \
	"Esc later   e edit   a always from now on   n not run   y once\n" \
	"e edit   a always   n not run   y once\n" \
	"y once  n a e  Esc"
/* `y` and `a` do not act before all of it was seen. */
#define KEYS_BEFORE \
	"Esc later   e edit   n not run   PgDn to the end, then y\n" \
	"e edit   n not run   PgDn, then y\n" \
	"PgDn, then y  n e"
#define KEYS_ROUNDS "Esc later   y go on"

static void approval_arm(struct approval_card *c)
{
	const struct tool_call *asks = session_asking(c->host->session);
	bool here = asks && asks->tool.approve == TOOL_ASK;

	c->armed = true;
	sheet_set_keys(c->sheet, c->form == APPROVAL_ROUNDS ? KEYS_ROUNDS : here ? KEYS_HERE : KEYS_EVER);
	sheet_set_keys_before(c->sheet, c->form == APPROVAL_ROUNDS ? NULL : KEYS_BEFORE);
	host_redraw(c->host);
}

/* --- keys --- */

static void approval_next(struct approval_card *c)
{
	approval_close(c);
	(void)approval_card_open(c);
	host_redraw(c->host);
}

static void approval_take_all(struct approval_card *c, const char *tool)
{
	struct buf words = { 0 };
	struct error err;

	buf_printf(&words, "%s runs without a question now: /tools %s ask takes that back", tool, tool);
	if (session_approve_all(c->host->session, c->shown, &err))
		host_say(c->host, "%s", buf_z(&words));
	else
		host_fail(c->host, "it runs, but that it may is not remembered: %s", err.text);
	buf_fini(&words);
}

/* What is below was not seen: it may not be approved unseen. */
static bool approval_reads_on(struct approval_card *c)
{
	if (sheet_was_read(c->sheet))
		return false;
	sheet_key(c->sheet, &(struct key){ .code = KEY_PAGE_DOWN });
	host_say(c->host, "there is more of it: PgDn, then y");
	host_redraw(c->host);
	return true;
}

static void approval_letter(struct approval_card *c, char letter)
{
	const struct tool_call *call = approval_call(c);
	struct error err;

	if (c->form == APPROVAL_ROUNDS) {
		if (letter == 'y' && !session_go_on(c->host->session, &err))
			host_fail(c->host, "%s", err.text);
		if (letter == 'y')
			approval_close(c);
		return;
	}
	if (!call || ((letter == 'y' || letter == 'a') && approval_reads_on(c)))
		return;
	switch (letter) {
	case 'y': session_approve(c->host->session, c->shown); break;
	case 'a': approval_take_all(c, call->name); break;
	case 'n': approval_show(c, call, APPROVAL_WORD, "a word to the model about why (it may be empty)"); return;
	case 'e':
		approval_show(c, call, APPROVAL_EDITS, "arguments (JSON)");
		sheet_write(c->sheet, str_from(call->plan.arguments));
		return;
	default: return;
	}
	approval_next(c);
}

/* Enter in the input of EDITS and WORD. */
static void approval_take_words(struct approval_card *c)
{
	struct session *session = c->host->session;
	const struct tool_call *call = approval_call(c);
	struct error err;

	if (call && c->form == APPROVAL_WORD)
		session_refuse(session, c->shown, sheet_input(c->sheet));
	else if (call && !session_edit_arguments(session, c->shown, sheet_input(c->sheet), &err)) {
		host_fail(c->host, "%s", err.text);
		return;
	}
	approval_next(c);
}

static bool approval_takes_words(struct approval_card *c, const struct key *key)
{
	if (key->code == KEY_ENTER && !key->modifiers && !key->at_once)
		approval_take_words(c);
	else if (key->code == KEY_ESCAPE)
		approval_next(c);
	else
		(void)sheet_key(c->sheet, key);
	return true;
}

static const char *approval_letters(const struct approval_card *c)
{
	return c->form == APPROVAL_ROUNDS ? "y" : "yaen";
}

/* What is typed is meant for the input: it goes there, after a letter that has waited, and the card steps back. */
static bool approval_steps_back(struct approval_card *c, const struct key *key)
{
	if (!host_types(c->host, key))
		return true;
	if (c->letter)
		host_write(c->host, str_of(&c->letter, 1));
	approval_close(c);
	host_say(c->host, "a call waits for your word: %s shows it", host_key(c->host, "answer"));
	return false;
}

/* A letter that came before the keys were on the screen was not meant for them. Later it waits for QUIET_MS: it counts if it stays alone, else it
 * began a text. */
static bool approval_takes_key(struct approval_card *c, const struct key *key)
{
	bool shown = c->armed && sheet_was_drawn(c->sheet), is_text = key->code == KEY_TEXT || key->code == KEY_PASTE;
	char letter = shown && !c->letter && !key->modifiers ? key_letter(key) : 0;

	if (is_text && !(letter && strchr(approval_letters(c), letter)))
		return approval_steps_back(c, key);
	if (is_text)
		c->letter = letter;
	if (is_text || !shown)
		c->quiet_ms = clock_now_ms();
	return is_text || key->code == KEY_ENTER;
}

static bool approval_takes(void *card, const struct key *key)
{
	struct approval_card *c = card;

	if (c->form == APPROVAL_EDITS || c->form == APPROVAL_WORD)
		return approval_takes_words(c, key);
	if (key->code == KEY_ESCAPE) {
		approval_close(c);
		return true;
	}
	if (sheet_key(c->sheet, key)) {
		c->letter = 0; /* it was about what was seen before */
		return true;
	}
	return approval_takes_key(c, key);
}

static bool approval_is_open(const void *card)
{
	return ((const struct approval_card *)card)->sheet != NULL;
}

/* Pasted text decides nothing: it is for the input. */
static enum mode_paste approval_paste(const void *card)
{
	const struct approval_card *c = card;

	return c->form == APPROVAL_EDITS || c->form == APPROVAL_WORD ? PASTE_TAKEN : PASTE_PASSES;
}

static struct sheet *approval_docked(const void *card)
{
	return ((const struct approval_card *)card)->sheet;
}

static void approval_draw(void *card, struct canvas *canvas)
{
	(void)card, (void)canvas; /* it is docked */
}

/* --- the loop --- */

/* The conversation may go on without it: another program, a command. */
static bool approval_is_stale(const struct approval_card *c)
{
	return c->form == APPROVAL_ROUNDS ? !session_holds_rounds(c->host->session) : !approval_call(c);
}

static int64_t approval_deadline(void *card)
{
	const struct approval_card *c = card;

	return c->sheet && (!c->armed || c->letter) && sheet_was_drawn(c->sheet) ? c->quiet_ms + QUIET_MS : NO_DEADLINE;
}

static void approval_run(void *card, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct approval_card *c = card;
	char letter = c->letter;

	(void)fds, (void)count;
	if (!c->sheet)
		return;
	if (approval_is_stale(c)) {
		approval_close(c);
	} else if (now_ms >= c->quiet_ms + QUIET_MS && sheet_was_drawn(c->sheet)) {
		c->letter = 0;
		if (letter)
			approval_letter(c, letter);
		else if (!c->armed)
			approval_arm(c);
	}
}

static struct loop_member approval_member(void *card)
{
	return (struct loop_member){ .ctx = card, .deadline = approval_deadline, .run = approval_run };
}

const struct card_kind approval_card_kind = {
	.mode = { .is_open = approval_is_open, .takes = approval_takes, .close = approval_close, .paste = approval_paste },
	.init = approval_init, .draw = approval_draw, .docked = approval_docked, .member = approval_member,
};
