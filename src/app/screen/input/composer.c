#include "app/screen/input/composer.h"

#include <stdio.h>

#include "app/command/command.h"
#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "base/mem.h"

#define DRAFT_CHIP_BYTES ((size_t)64 << 10) /* a restored draft larger than this becomes a chip */

void composer_init(struct composer *w, const struct composer_tools *tools)
{
	struct error err = { "" };
	struct buf draft;

	*w = (struct composer){ .host = tools->host, .tools = *tools };
	edit_init(&w->input, false);
	w->prompts = prompts_new(setup_keeps(w->host->setup));
	w->list = complete_new();
	w->dismissed = SIZE_MAX;
	buf_init(&w->walk_prefix, EDIT_LIMIT);
	buf_init(&w->searched, EDIT_LIMIT);
	buf_init(&draft, EDIT_LIMIT);
	w->input.makes_chips = true;
	if (!w->host->replay && setup_keeps(w->host->setup) && prompts_take_draft(&draft, &err))
		(draft.len > DRAFT_CHIP_BYTES ? edit_paste : edit_set)(&w->input, buf_str(&draft));
	if (*err.text)
		host_fail(w->host, "%s", err.text);
	buf_fini(&draft);
}

void composer_close_list(struct composer *w)
{
	complete_close(w->list);
	composer_forget_folder(w);
	w->offers = COMPOSER_CLOSED;
}

void composer_take_focus(struct composer *w)
{
	w->came_from = w->host->stack->focus;
	stack_focus(w->host->stack, w->host->stack->home);
}

void composer_return_focus(struct composer *w)
{
	if (w->came_from)
		stack_focus(w->host->stack, w->came_from);
	w->came_from = NULL;
}

const struct command *composer_command(const struct composer *w)
{
	enum edit_origin origin;
	const struct command *command = command_in(&w->input, &origin);

	return command_has_slash(buf_str(&w->input.text)) && origin != EDIT_FOREIGN ? command : NULL;
}

/* --- the stashed draft --- */

void composer_write(struct composer *w, struct str command)
{
	if (composer_refuses_other(w))
		return;
	composer_leave_walk(w);
	if (!edit_is_empty(&w->input) && !composer_command(w)) {
		edit_stash(&w->input, COMPOSER_ASIDE);
		w->set_aside = true;
	}
	edit_replace(&w->input, 0, w->input.text.len, command, EDIT_TYPED);
	stack_focus(w->host->stack, w->host->stack->home);
	composer_offer(w);
}

void composer_fill(struct composer *w, struct str text)
{
	if (composer_refuses_other(w))
		return;
	if (edit_is_empty(&w->input))
		edit_set(&w->input, text);
	else
		edit_insert(&w->input, text);
	stack_focus(w->host->stack, w->host->stack->home);
	host_redraw(w->host);
}

void composer_unstash(struct composer *w)
{
	if (w->set_aside)
		edit_unstash(&w->input, COMPOSER_ASIDE);
	w->set_aside = false;
}

/* Detaches the files that were attached with a restored prompt, but no others. */
static void composer_drop_files(struct composer *w)
{
	if (w->restored_files && session_attached(w->host->session) == w->restored_files)
		session_detach(w->host->session);
	w->restored_files = 0;
}

/* Restores the draft if the input was cleared, as after a command was run. Text that is not a command replaces the draft. */
static void composer_after_edit(struct composer *w)
{
	if (w->writes_system || w->walking)
		return;
	if (edit_is_empty(&w->input) && !w->set_aside) {
		composer_drop_files(w);
		session_leave_refused(w->host->session);
	}
	if (edit_is_empty(&w->input))
		composer_unstash(w);
	else if (!command_has_slash(buf_str(&w->input.text)))
		w->set_aside = false;
}

void composer_clear(struct composer *w)
{
	if (w->walking) {
		composer_drop_walked(w);
		return;
	}
	edit_clear(&w->input);
	composer_after_edit(w);
}

void composer_keep_slip(struct composer *w, struct str line, enum edit_origin origin)
{
	struct buf text = { 0 };

	if (!edit_is_empty(&w->input))
		return;
	buf_add_z(&text, "/");
	buf_add(&text, line);
	edit_replace(&w->input, 0, 0, buf_str(&text), origin);
	buf_fini(&text);
}

void composer_stash(struct composer *w)
{
	edit_stash(&w->input, COMPOSER_DRAFT);
}

void composer_set_aside(struct composer *w)
{
	composer_close_list(w);
	composer_leave_walk(w);
	if (edit_is_empty(&w->input) || composer_command(w))
		composer_unstash(w);
	composer_stash(w);
}

/* --- the draft of the next run --- */

static bool holds_given_back(const struct composer *w)
{
	return w->restored && w->restored == w->input.version;
}

/* A prompt that was sent in vain and not changed is no draft: Up has it in the next run, too. */
static bool is_given_back_again(const struct composer *w)
{
	size_t count = prompts_count(w->prompts);

	return holds_given_back(w) && count && str_equal(prompts_at(w->prompts, count - 1), buf_str(&w->input.text));
}

/* Adds queued prompts to the draft: they were not sent either. */
static void add_waiting(struct session *session, struct buf *draft)
{
	char *waiting = session_queued(session) ? session_take_queued(session) : NULL;

	if (waiting)
		buf_printf(draft, "%s\n", waiting);
	mem_free(waiting);
}

static void keep_draft(struct composer *w)
{
	struct error err = { "" };
	struct buf draft = { 0 };

	composer_leave_system(w);
	(void)composer_leave_search(w);
	if (w->walking && !composer_is_walking(w)) { /* what was edited there is unsent, too */
		edit_expand(&w->input, &draft);
		buf_add_z(&draft, "\n");
	}
	composer_leave_walk(w);
	if (is_given_back_again(w))
		edit_clear(&w->input);
	if (edit_is_empty(&w->input) || composer_command(w))
		composer_unstash(w);
	add_waiting(w->host->session, &draft);
	edit_expand(&w->input, &draft);
	if (!str_is_blank(buf_str(&draft)) && !prompts_keep_draft(buf_str(&draft), &err))
		complain_leaving("%s", err.text);
	buf_fini(&draft);
}

void composer_fini(struct composer *w)
{
	if (!w->host->replay && setup_keeps(w->host->setup))
		keep_draft(w);
	composer_forget_folder(w);
	mem_free(w->offered);
	mem_free(w->pasted);
	mem_free(w->pasted_path);
	mem_free(w->names);
	complete_free(w->list);
	prompts_free(w->prompts);
	buf_fini(&w->walk_prefix);
	buf_fini(&w->searched);
	buf_fini(&w->named_words);
	edit_fini(&w->input);
}

/* --- queued prompts --- */

/* Puts what was queued before what the input holds: it was typed earlier. Frees it. */
static void composer_put_back(struct composer *w, char *prompts)
{
	struct buf text = { 0 };

	if (composer_is_walking(w))
		composer_leave_walk(w);
	buf_printf(&text, "%s\n", prompts);
	if (edit_is_empty(&w->input))
		edit_set(&w->input, str_from(prompts));
	else
		edit_replace(&w->input, 0, 0, buf_str(&text), EDIT_FOREIGN); /* a slash in it is no command */
	w->input.cursor = w->input.text.len;
	buf_fini(&text);
	mem_free(prompts);
}

/* Moves the newest queued prompt into the input, before what it holds. There must be one. */
static void composer_take_last_queued(struct composer *w)
{
	if (!composer_refuses_other(w))
		composer_put_back(w, session_take_last_queued(w->host->session));
}

void composer_take_queued(struct composer *w)
{
	composer_put_back(w, session_take_queued(w->host->session));
}

/* --- editing the last prompt --- */

/* Puts a prompt back into the input. It counts as restored until it is changed. */
static void composer_restore(struct composer *w, struct str prompt)
{
	edit_set(&w->input, prompt);
	w->restored = w->input.version;
	w->restored_files = session_attached(w->host->session);
}

void composer_restore_refused(struct composer *w)
{
	struct str prompt = edit_is_empty(&w->input) && !w->writes_system ? session_take_refused(w->host->session) : STR_NONE;

	if (!prompt.len)
		return;
	composer_restore(w, prompt);
	edit_mark_all(&w->input);
}

void composer_drop_restored(struct composer *w)
{
	if (holds_given_back(w)) {
		edit_clear(&w->input);
		composer_drop_files(w);
	}
	w->restored = 0;
}

void composer_heed_place(struct composer *w)
{
	uint64_t place = session_place(w->host->session);

	if (w->host->replay || place == w->place)
		return;
	w->place = place;
	composer_drop_restored(w);
	session_find_refused(w->host->session);
	composer_restore_refused(w);
}

void composer_edit(struct composer *w, const struct turn *turn)
{
	struct error err = { "" };
	struct str prompt = STR_NONE;

	if (composer_refuses_other(w))
		return;
	if (!edit_is_empty(&w->input) && !session_is_editing(w->host->session) && !holds_given_back(w)) {
		host_say(w->host, "the input is not empty: send it or clear it first");
		return;
	}
	if (!session_edit(w->host->session, turn, &prompt, &err)) {
		host_fail(w->host, "%s", err.text);
		return;
	}
	composer_restore(w, prompt);
	stack_focus(w->host->stack, w->host->stack->home);
}

bool composer_leave_edit(struct composer *w)
{
	if (!session_is_editing(w->host->session))
		return false;
	session_leave_edit(w->host->session);
	w->walking = false;
	edit_clear(&w->input);
	host_say(w->host, "nothing was changed");
	return true;
}

/* --- the list --- */

/*
 * Puts the choice in place of what it was found by. A folder is followed by what is in it, the name of an argument by its values, and a template of
 * URIs, of which the part before its place is taken, by those of the place.
 */
static void take_choice(struct composer *w)
{
	size_t id;
	struct str choice = complete_choice(w->list, &id);
	struct buf text;
	struct str before = str_head(str_skip(buf_str(&w->input.text), w->word), w->from - w->word);
	struct str rest;
	size_t server;
	bool is_server = str_ends(choice, ":") && setup_find_server(w->host->setup, choice, &server, &rest);
	size_t place = w->offers == COMPOSER_OFFERS ? str_find(choice, STR("{")) : choice.len;
	bool goes_on = (w->offers == COMPOSER_PATHS && str_ends(choice, "/")) || is_server || place < choice.len;

	buf_init(&text, EDIT_LIMIT);
	buf_add(&text, before);
	buf_add(&text, str_head(choice, place));
	if (!goes_on)
		buf_add_z(&text, w->suffix);
	edit_replace(&w->input, w->word, w->input.cursor, buf_str(&text), EDIT_TYPED);
	buf_fini(&text);
	composer_close_list(w);
	if (goes_on || str_is(STR("="), w->suffix))
		composer_offer(w);
}

/* --- keys --- */

bool composer_takes(struct composer *w, const struct key *key)
{
	if (composer_answers_run(w, key))
		return true;
	if (key->code == KEY_TAB && key->at_once) { /* part of a burst of text: does not choose from the list */
		composer_key(w, &(struct key){ .code = KEY_TEXT, .text = STR("\t"), .at_once = true });
		return true;
	}
	if (w->listed != w->input.version) /* another module changed the input */
		composer_close_list(w);
	switch (complete_key(w->list, key)) {
	case COMPLETE_OPEN:
		return true;
	case COMPLETE_TAKEN:
		take_choice(w);
		return true;
	case COMPLETE_LEFT:
		w->dismissed = w->from;
		composer_close_list(w);
		(void)edit_escape(&w->input);
		return true;
	case COMPLETE_NOT_MINE:
		break;
	}
	if (key->code == KEY_ESCAPE && edit_escape(&w->input))
		return true;
	if (key->code == KEY_TAB && !key->modifiers && w->dismissed == SIZE_MAX && (w->offers != COMPOSER_CLOSED || composer_completes(w))) {
		composer_offer(w); /* where it adds nothing, or nothing yet, Tab is no reason to leave the input either */
		return true;
	}
	return composer_is_control(key, 'y') && !edit_is_marked(&w->input) && host_key_is(w->host, key, "copy") && edit_key(&w->input, key);
}

/* Keys that write. The list opens only after these: after other keys it would be in the way of the arrow keys. */
static bool composer_key_writes(const struct key *key)
{
	return key->code == KEY_TEXT || key->code == KEY_BACKSPACE || composer_is_control(key, 'h') || composer_is_control(key, 'w');
}

/* What the editor leaves to others. */
static void composer_grant(struct composer *w)
{
	unsigned times;
	enum edit_wish wish = edit_wish(&w->input, &times);

	if (wish == EDIT_SEARCH)
		composer_search(w);
	else if (wish == EDIT_FIND_OLDER || wish == EDIT_FIND_NEWER)
		composer_find_again(w, wish == EDIT_FIND_OLDER);
	else if (wish == EDIT_OUTSIDE)
		composer_edit_outside(w);
	for (; wish == EDIT_OLDER || wish == EDIT_NEWER ? times : 0; times--)
		composer_walk(w, wish == EDIT_OLDER);
}

/* Servers whose tools go with it are begun while it is typed. A command has no use for them. */
static void composer_expect_prompt(const struct composer *w)
{
	char first = *buf_z(&w->input.text);

	if (first != '/' && first != '!' && !w->host->replay)
		setup_want_servers(w->host->setup);
}

void composer_key(struct composer *w, const struct key *key)
{
	unsigned version = w->input.version;
	bool was_marked = edit_is_marked(&w->input), was_empty = edit_is_empty(&w->input);

	if (key->code == KEY_PASTE)
		composer_note_paste(w, key->text);
	if (key->code == KEY_ENTER && !key->modifiers)
		composer_send_input(w, key);
	else if (key->code == KEY_UP && !key->modifiers && edit_is_empty(&w->input) && session_queued(w->host->session))
		composer_take_last_queued(w);
	else if (!edit_key(&w->input, key))
		composer_grant(w);
	composer_follow_undo(w);
	if (was_marked && key->code != KEY_ENTER && w->input.version != version)
		composer_drop_files(w);
	composer_after_edit(w);
	if (was_empty && !edit_is_empty(&w->input))
		composer_expect_prompt(w);
	if (w->offers == COMPOSER_PROMPTS)
		return; /* opened by a command that was sent */
	if (composer_key_writes(key) && w->input.version != version && !edit_takes_commands(&w->input))
		composer_offer(w);
	else if (w->offers != COMPOSER_CLOSED)
		composer_close_list(w);
}

/* --- drawing --- */

void composer_hint(struct composer *w, char *words, size_t size)
{
	enum edit_origin origin;
	const struct command *command = command_in(&w->input, &origin);
	const char *path;

	*words = 0;
	if (w->writes_system)
		return;
	if (command && origin == EDIT_FOREIGN && command_has_slash(buf_str(&w->input.text)))
		snprintf(words, size, "/%s is text, it was not typed", command->name);
	else if (edit_is_marked(&w->input) && holds_given_back(w))
		snprintf(words, size, "Enter sends it again   typing replaces it   Left keeps it");
	else if (edit_is_marked(&w->input) && edit_takes_commands(&w->input))
		snprintf(words, size, "d deletes   c changes   y keeps for p");
	else if (edit_is_marked(&w->input))
		snprintf(words, size, "%s copies   Ctrl-W cuts   typing replaces it", host_key(w->host, "copy"));
	else if (str_starts(buf_str(&w->input.text), "!") && edit_origin(&w->input, 0, w->input.text.len) != EDIT_TYPED)
		snprintf(words, size, "! is text, it was not typed");
	else if (composer_command_line(w).len)
		snprintf(words, size, "Enter asks whether to run it");
	else if ((path = composer_offer_file(w)))
		composer_offer_words(w, path, words, size);
}

bool composer_has_matches(const struct composer *w)
{
	return complete_count(w->list) > 0;
}

bool composer_offers(const struct composer *w)
{
	bool is_completion = w->offers == COMPOSER_WORDS || w->offers == COMPOSER_PATHS || w->offers == COMPOSER_OFFERS;

	return is_completion && w->listed == w->input.version && composer_has_matches(w);
}

struct str composer_title(const struct composer *w)
{
	if (w->writes_system)
		return STR("system prompt");
	if (w->offers != COMPOSER_PROMPTS)
		return STR_NONE;
	return complete_count(w->list) ? STR("earlier prompts") : STR("earlier prompts: none matches");
}

void composer_draw_list(const struct composer *w, struct canvas *canvas, struct area above)
{
	bool known = w->listed == w->input.version;
	unsigned rows = known ? complete_rows(w->list, above.rows) : 0;

	complete_draw(w->list, canvas, (struct area){ above.row + above.rows - rows, above.column, rows, above.columns });
}
