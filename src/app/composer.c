#include "app/composer.h"

#include "app/chat.h"
#include "app/command.h"
#include "app/output.h"
#include "base/mem.h"

#define SEARCHED_BYTES 4096 /* of a prompt: what it begins with is what it is remembered by */
#define DRAFT_CHIP_BYTES ((size_t)64 << 10) /* a draft that comes back larger than this comes as a chip */

struct composer *composer_new(struct chat *c)
{
	struct composer *w = mem_new(sizeof *w);
	struct buf draft;

	w->prompts = prompts_new(c->setup.settings.history);
	w->list = complete_new();
	w->dismissed = SIZE_MAX;
	buf_init(&w->walk_prefix, EDIT_LIMIT);
	buf_init(&draft, EDIT_LIMIT);
	c->input.makes_chips = true;
	if (!c->tape && c->setup.settings.history && prompts_take_draft(&draft))
		(draft.len > DRAFT_CHIP_BYTES ? edit_paste : edit_set)(&c->input, buf_str(&draft));
	buf_fini(&draft);
	return w;
}

static bool is_walking(const struct chat *c)
{
	return c->composer->walking && c->composer->walk_version == c->input.version;
}

static bool is_command(struct str prompt)
{
	struct str line = str_trim(str_skip(prompt, 1)), word = line;

	for (size_t i = 0; i < word.len; i++)
		if (char_is_blank(word.ptr[i]))
			word = str_head(word, i);
	return str_starts(prompt, "/") && command_by_name(word);
}

/* --- a draft that a command is written over --- */

void composer_write(struct chat *c, struct str command)
{
	struct composer *w = c->composer;

	if (is_walking(c))
		edit_unstash(&c->input);
	w->walking = false;
	if (!edit_is_empty(&c->input) && !is_command(buf_str(&c->input.text))) {
		edit_stash(&c->input);
		w->set_aside = true;
	}
	edit_set(&c->input, command);
	c->focus = FOCUS_INPUT;
	composer_offer(c);
}

/* As if the command had never stood there. */
static void put_draft_back(struct chat *c)
{
	if (c->composer->set_aside)
		edit_unstash(&c->input);
	c->composer->set_aside = false;
}

/* Cleared like run; and what is no command, such as the draft itself after an undo, has taken its place. */
static void see_what_became_of_it(struct chat *c)
{
	if (edit_is_empty(&c->input))
		put_draft_back(c);
	else if (!str_starts(buf_str(&c->input.text), "/"))
		c->composer->set_aside = false;
}

void composer_clear(struct chat *c)
{
	edit_clear(&c->input);
	see_what_became_of_it(c);
}

/* Something else is kept in its place. */
static void stash(struct chat *c)
{
	edit_stash(&c->input);
	c->composer->set_aside = false;
}

/* --- the draft of the next run --- */

/* Prompts in line were not sent either. */
static void add_waiting(struct session *session, struct buf *draft)
{
	char *waiting = session_queued(session) ? session_take_queued(session) : NULL;

	if (waiting)
		buf_printf(draft, "%s\n", waiting);
	mem_free(waiting);
}

static void keep_draft(struct chat *c)
{
	struct error err = { "" };
	struct buf draft;

	if (!composer_leave_search(c) && is_walking(c))
		edit_unstash(&c->input);
	else if (edit_is_empty(&c->input) || is_command(buf_str(&c->input.text)))
		put_draft_back(c);
	buf_init(&draft, BUF_LIMIT_DEFAULT);
	add_waiting(c->session, &draft);
	edit_expand(&c->input, &draft);
	if (!str_is_blank(buf_str(&draft)) && !prompts_keep_draft(buf_str(&draft), &err))
		complain_leaving("%s", err.text);
	buf_fini(&draft);
}

void composer_free(struct composer *w, struct chat *c)
{
	if (!c->tape && c->setup.settings.history)
		keep_draft(c);
	composer_forget_folder(w);
	mem_free(w->names);
	complete_free(w->list);
	prompts_free(w->prompts);
	buf_fini(&w->walk_prefix);
	mem_free(w);
}

/* --- sending --- */

/* False: it stays in the input, and it was said why. */
static bool send_prompt(struct chat *c, struct str prompt)
{
	struct error err = { "" };
	bool has_model = *c->setup.target.model || session_live(c->session);

	if ((has_model && !session_attach_mentioned(c->session, buf_str(&c->input.text), &err)) || !session_send(c->session, prompt, &err)) {
		chat_say(c, "%s", err.text);
		if (!has_model)
			chat_open_menu(c, MENU_MODELS);
		return false;
	}
	if (!prompts_add(c->composer->prompts, prompt, &err) && !c->composer->told_unkept) {
		chat_say(c, "%s", err.text);
		c->composer->told_unkept = true;
	}
	transcript_to_end(c->panes[CHAT_TRANSCRIPT]);
	return true;
}

static void send_input(struct chat *c)
{
	struct buf prompt;

	buf_init(&prompt, BUF_LIMIT_DEFAULT);
	edit_expand(&c->input, &prompt);
	if (is_command(buf_str(&prompt))) {
		edit_reset(&c->input);
		put_draft_back(c);
		command_run_line(c, str_skip(buf_str(&prompt), 1));
	} else if (!str_is_blank(buf_str(&prompt)) && send_prompt(c, buf_str(&prompt))) {
		edit_reset(&c->input);
		c->composer->set_aside = false;
	}
	c->composer->walking = false;
	buf_fini(&prompt);
}

/* --- the last prompt again --- */

void composer_give_back(struct chat *c, struct str prompt)
{
	edit_set(&c->input, prompt);
	c->composer->given_back = c->input.version;
}

static bool holds_given_back(const struct chat *c)
{
	return c->composer->given_back && c->composer->given_back == c->input.version;
}

void composer_take_back(struct chat *c)
{
	if (holds_given_back(c))
		edit_clear(&c->input);
	c->composer->given_back = 0;
}

void composer_edit_last(struct chat *c)
{
	struct error err = { "" };
	struct str prompt = STR_NONE;

	if (!edit_is_empty(&c->input) && !session_is_editing(c->session) && !holds_given_back(c)) {
		chat_say(c, "the input is not empty: send it or clear it first");
		return;
	}
	if (!session_edit(c->session, &prompt, &err)) {
		chat_say(c, "%s", err.text);
		return;
	}
	composer_give_back(c, prompt);
	c->focus = FOCUS_INPUT;
}

bool composer_leave_edit(struct chat *c)
{
	if (!session_is_editing(c->session))
		return false;
	session_leave_edit(c->session);
	edit_clear(&c->input);
	chat_say(c, "nothing was changed");
	return true;
}

/* --- walking earlier prompts --- */

/* The next prompt from `at` on that begins with the prefix; the count when there is none. */
static size_t next_prompt(struct composer *w, size_t at, bool up)
{
	size_t count = prompts_count(w->prompts);

	while (up ? at > 0 : at + 1 < count) {
		struct str prompt = prompts_at(w->prompts, up ? --at : ++at);

		if (str_equal(str_head(prompt, w->walk_prefix.len), buf_str(&w->walk_prefix)))
			return at;
	}
	return count;
}

/* What stands before the cursor says which prompts are walked; all of them when none begins with that. */
static void begin_walk(struct chat *c)
{
	struct composer *w = c->composer;

	w->walk_at = prompts_count(w->prompts);
	buf_clear(&w->walk_prefix);
	buf_add(&w->walk_prefix, str_head(buf_str(&c->input.text), c->input.cursor));
	if (next_prompt(w, w->walk_at, true) == w->walk_at)
		buf_clear(&w->walk_prefix);
	w->walking = w->walk_at > 0;
	if (w->walking)
		stash(c);
}

/* Up in the first row and Down in the last walk the prompts; what was being typed is kept as the newest. */
static void walk(struct chat *c, bool up)
{
	struct composer *w = c->composer;
	size_t count = prompts_count(w->prompts), next;

	if (!is_walking(c) && !up)
		return;
	if (!is_walking(c))
		begin_walk(c);
	next = next_prompt(w, w->walk_at, up);
	if (next < count) {
		w->walk_at = next;
		edit_set(&c->input, prompts_at(w->prompts, next));
	} else if (!up) {
		edit_unstash(&c->input);
		w->walking = false;
	}
	w->walk_version = c->input.version;
}

/* --- the list --- */

static void close_list(struct composer *w)
{
	complete_close(w->list);
	composer_forget_folder(w);
	w->offers = COMPOSER_CLOSED;
}

/* Puts the choice in place of what it was found by; a folder is followed by what is in it. */
static void take_choice(struct chat *c)
{
	struct composer *w = c->composer;
	size_t id;
	struct str choice = complete_choice(w->list, &id);
	struct buf text;
	bool is_folder = w->offers == COMPOSER_PATHS && str_ends(choice, "/");

	if (w->offers == COMPOSER_PROMPTS) {
		composer_leave_search(c);
		edit_set(&c->input, prompts_at(w->prompts, id));
		return;
	}
	buf_init(&text, COMPLETE_TEXT_BYTES + 2);
	buf_add(&text, choice);
	if (!is_folder)
		buf_add_z(&text, w->suffix);
	edit_replace(&c->input, w->from, c->input.cursor, buf_str(&text));
	buf_fini(&text);
	close_list(w);
	if (is_folder)
		composer_offer(c);
}

/* --- searching earlier prompts --- */

static void find_prompts(struct chat *c)
{
	struct composer *w = c->composer;
	struct str wanted = buf_str(&c->input.text), newer = STR_NONE;

	complete_begin(w->list, STR_NONE);
	for (size_t i = prompts_count(w->prompts); i-- > 0;) {
		struct str prompt = prompts_at(w->prompts, i);

		if (!str_equal(prompt, newer) && str_has_nocase(str_head(prompt, SEARCHED_BYTES), wanted))
			complete_add(w->list, str_head(prompt, COMPLETE_TEXT_BYTES), STR_NONE, i);
		newer = prompt;
	}
	complete_end(w->list);
	w->listed = c->input.version;
}

void composer_search(struct chat *c)
{
	struct composer *w = c->composer;

	if (c->tape)
		return;
	if (w->offers == COMPOSER_PROMPTS) {
		complete_step(w->list, 1);
		return;
	}
	if (!prompts_count(w->prompts)) {
		chat_say(c, "there are no earlier prompts");
		return;
	}
	if (!is_walking(c))
		stash(c);
	w->walking = false;
	c->focus = FOCUS_INPUT;
	close_list(w);
	w->offers = COMPOSER_PROMPTS;
	edit_clear(&c->input);
	find_prompts(c);
}

bool composer_leave_search(struct chat *c)
{
	if (c->composer->offers != COMPOSER_PROMPTS)
		return false;
	close_list(c->composer);
	edit_unstash(&c->input);
	return true;
}

static bool is_control(const struct key *key, char letter)
{
	return key->code == KEY_CONTROL && key->letter == letter && !key->modifiers;
}

/* True when the key was the search's own. Any key that means nothing to it leaves it, and is then what it always is. */
static bool search_key(struct chat *c, const struct key *key)
{
	struct composer *w = c->composer;
	bool take = key->code == KEY_TAB || (key->code == KEY_ENTER && !key->modifiers);

	if (take && complete_count(w->list)) {
		take_choice(c);
	} else if (is_control(key, 'r')) {
		complete_step(w->list, 1);
	} else if (take || key->code == KEY_ESCAPE || is_control(key, 'g')) {
		composer_leave_search(c);
	} else if (complete_key(w->list, key) != COMPLETE_OPEN) {
		bool mine = !is_control(key, 'j') && edit_key(&c->input, key);

		if (!mine && (key->code != KEY_UP && key->code != KEY_DOWN)) {
			composer_leave_search(c);
			return false;
		}
		if (w->listed != c->input.version)
			find_prompts(c);
	}
	return true;
}

/* --- keys --- */

bool composer_takes(struct chat *c, const struct key *key)
{
	struct composer *w = c->composer;

	if (w->offers == COMPOSER_PROMPTS)
		return search_key(c, key);
	if (w->listed != c->input.version) /* the input was changed by others */
		close_list(w);
	switch (complete_key(w->list, key)) {
	case COMPLETE_OPEN:
		return true;
	case COMPLETE_TAKEN:
		take_choice(c);
		return true;
	case COMPLETE_LEFT:
		w->dismissed = w->from;
		close_list(w);
		return true;
	case COMPLETE_NOT_MINE:
		break;
	}
	return is_control(key, 'y') && edit_key(&c->input, key);
}

/* Keys that write: behind others, a list that opened by itself would be in the way of the arrows. */
static bool writes(const struct key *key)
{
	return key->code == KEY_TEXT || key->code == KEY_BACKSPACE || is_control(key, 'h') || is_control(key, 'w');
}

void composer_key(struct chat *c, const struct key *key)
{
	struct composer *w = c->composer;
	unsigned version = c->input.version;

	if (key->code == KEY_ENTER && !key->modifiers)
		send_input(c);
	else if (!edit_key(&c->input, key) && (key->code == KEY_UP || key->code == KEY_DOWN))
		walk(c, key->code == KEY_UP);
	see_what_became_of_it(c);
	if (w->offers == COMPOSER_PROMPTS)
		return; /* a command that was sent has opened it */
	if (writes(key) && c->input.version != version)
		composer_offer(c);
	else if (w->offers != COMPOSER_CLOSED)
		close_list(w);
}

/* --- drawing --- */

struct str composer_title(const struct chat *c)
{
	if (c->composer->offers != COMPOSER_PROMPTS)
		return STR_NONE;
	return complete_count(c->composer->list) ? STR("earlier prompts") : STR("earlier prompts: none matches");
}

void composer_draw_list(struct chat *c, struct area above)
{
	bool known = c->composer->listed == c->input.version;
	unsigned rows = known ? complete_rows(c->composer->list, above.rows) : 0;

	complete_draw(c->composer->list, c->canvas, (struct area){ above.row + above.rows - rows, above.column, rows, above.columns });
}
