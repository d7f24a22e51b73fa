/* Earlier prompts in the input: walking and searching them. */
#include "app/screen/input/composer.h"

#define SEARCHED_BYTES 4096 /* how many bytes of a prompt's beginning are searched */
#define SAID_BYTES 40       /* how many bytes of what was searched for are said */

/* --- walking --- */

bool composer_is_walking(const struct composer *w)
{
	return w->walking && w->walk_version == w->input.version;
}

/* The index of the next prompt from `at` on that starts with the prefix; the number of prompts if there is none. */
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

/* The text before the cursor selects the prompts that start with it; if there are none, all prompts are walked. */
static void take_prefix(struct composer *w, bool up)
{
	buf_clear(&w->walk_prefix);
	buf_add(&w->walk_prefix, str_head(buf_str(&w->input.text), w->input.cursor));
	if (next_prompt(w, w->walk_at, up) == prompts_count(w->prompts))
		buf_clear(&w->walk_prefix);
}

/* Leaves the prompt that is shown. */
static void stash_edited(struct composer *w)
{
	if (w->walking && !composer_is_walking(w))
		edit_stash(&w->input, w->walk_at);
}

static void show_prompt(struct composer *w, size_t at)
{
	bool edited = edit_has_stashed(&w->input, at);

	w->walk_at = at;
	if (edited)
		edit_unstash(&w->input, at);
	else
		edit_set(&w->input, prompts_at(w->prompts, at));
	w->walk_version = edited ? 0 : w->input.version;
}

void composer_drop_walked(struct composer *w)
{
	edit_unstash(&w->input, COMPOSER_DRAFT);
	w->walking = false;
}

void composer_leave_walk(struct composer *w)
{
	if (!w->walking)
		return;
	stash_edited(w);
	composer_drop_walked(w);
}

void composer_walk(struct composer *w, bool up)
{
	size_t count = prompts_count(w->prompts), next;

	if (!w->walking && (!up || !count))
		return;
	if (!w->walking)
		w->walk_at = count;
	if (!composer_is_walking(w))
		take_prefix(w, up);
	next = next_prompt(w, w->walk_at, up);
	if (next == count && up)
		return;
	if (!w->walking)
		composer_stash(w);
	if (next == count) {
		composer_leave_walk(w);
		return;
	}
	stash_edited(w);
	w->walking = true;
	show_prompt(w, next);
}

/* Undoing goes back over a walk, too: what stands in the input then is the draft, or another prompt. */
void composer_follow_undo(struct composer *w)
{
	struct str text = buf_str(&w->input.text);

	if (!w->walking || composer_is_walking(w))
		return;
	if (edit_is_stashed(&w->input, COMPOSER_DRAFT)) {
		edit_forget_stash(&w->input, COMPOSER_DRAFT);
		w->walking = false;
		return;
	}
	for (size_t i = 0; i < prompts_count(w->prompts); i++) {
		bool edited = edit_is_stashed(&w->input, i);

		if (edited || str_equal(prompts_at(w->prompts, i), text)) {
			w->walk_at = i;
			w->walk_version = edited ? 0 : w->input.version;
			edit_forget_stash(&w->input, i);
		}
	}
}

/* --- searching --- */

/* Whether the same prompt was sent again later; it is listed only at its last position. */
static bool composer_is_sent_again(const struct composer *w, size_t at, struct str prompt)
{
	for (size_t i = at + 1; i < prompts_count(w->prompts); i++)
		if (str_equal(prompts_at(w->prompts, i), prompt))
			return true;
	return false;
}

static void find_prompts(struct composer *w)
{
	struct str wanted = buf_str(&w->input.text);

	complete_begin(w->list, STR_NONE);
	for (size_t i = prompts_count(w->prompts); i-- > 0;) {
		struct str prompt = prompts_at(w->prompts, i);

		if (str_has_nocase(str_head(prompt, SEARCHED_BYTES), wanted) && !composer_is_sent_again(w, i, prompt))
			complete_add(w->list, str_head(prompt, COMPLETE_TEXT_BYTES), STR_NONE, i);
	}
	complete_end(w->list);
	w->listed = w->input.version;
}

void composer_search(struct composer *w)
{
	if (w->host->replay || composer_refuses_other(w))
		return;
	if (w->offers == COMPOSER_PROMPTS) {
		complete_step(w->list, 1);
		return;
	}
	if (!prompts_count(w->prompts)) {
		host_say(w->host, "there are no earlier prompts");
		return;
	}
	composer_leave_walk(w);
	composer_stash(w);
	composer_take_focus(w);
	composer_close_list(w);
	w->offers = COMPOSER_PROMPTS;
	w->searched_by_command = edit_takes_commands(&w->input);
	edit_clear(&w->input);
	find_prompts(w);
}

bool composer_leave_search(struct composer *w)
{
	if (w->offers != COMPOSER_PROMPTS)
		return false;
	composer_close_list(w);
	if (!edit_is_empty(&w->input)) {
		buf_clear(&w->searched);
		buf_add(&w->searched, buf_str(&w->input.text));
	}
	if (w->searched_by_command)
		(void)edit_escape(&w->input);
	edit_unstash(&w->input, COMPOSER_DRAFT);
	composer_return_focus(w);
	return true;
}

/* From there Up and Down go on; the draft is below. */
static void walk_to(struct composer *w, size_t at)
{
	if (!w->walking)
		composer_stash(w);
	stash_edited(w);
	buf_clear(&w->walk_prefix);
	w->walking = true;
	show_prompt(w, at);
}

static void search_take_prompt(struct composer *w)
{
	size_t id;

	complete_choice(w->list, &id);
	w->came_from = NULL; /* it is edited in the input */
	composer_leave_search(w);
	walk_to(w, id);
}

void composer_find_again(struct composer *w, bool older)
{
	size_t count = prompts_count(w->prompts), at = w->walking ? w->walk_at : count;
	struct str wanted = buf_str(&w->searched), text = buf_str(&w->input.text);

	while (wanted.len && (older ? at > 0 : at + 1 < count)) {
		struct str prompt = prompts_at(w->prompts, older ? --at : ++at);

		if (str_has_nocase(str_head(prompt, SEARCHED_BYTES), wanted) && !str_equal(prompt, text)) {
			walk_to(w, at);
			return;
		}
	}
	host_say(w->host, wanted.len ? "no %s prompt has \"%.*s\"" : "nothing was searched for yet: / searches", older ? "older" : "newer",
	         STR_ARG(utf8_head(wanted, SAID_BYTES)));
}

/* True if the search handled the key. Any other key ends the search and then does its usual work. */
static bool search_takes(void *part, const struct key *key)
{
	struct composer *w = part;
	bool take = key->code == KEY_TAB || (key->code == KEY_ENTER && !key->modifiers);

	if (key_is_wheel(key) || key_is_mouse(key))
		return false;
	if (key->code == KEY_ENTER && host_runs_line(w->host, &w->input, false, key, &composer_search_mode, w))
		return true;
	if (take && complete_count(w->list)) {
		search_take_prompt(w);
	} else if (host_key_is(w->host, key, "prompts")) {
		complete_step(w->list, 1);
	} else if (take || key->code == KEY_ESCAPE || composer_is_control(key, 'g') || (composer_is_control(key, 'd') && edit_is_empty(&w->input))) {
		composer_leave_search(w);
	} else if (complete_key(w->list, key) != COMPLETE_OPEN) {
		bool mine = !composer_is_control(key, 'j') && edit_key(&w->input, key);

		if (!mine && (key->code != KEY_UP && key->code != KEY_DOWN)) {
			composer_leave_search(w);
			return false;
		}
		if (w->listed != w->input.version)
			find_prompts(w);
	}
	return true;
}

static bool search_is_open(const void *part)
{
	return ((const struct composer *)part)->offers == COMPOSER_PROMPTS;
}

static bool search_leave(void *part)
{
	return composer_leave_search(part);
}

const struct mode composer_search_mode = { .is_open = search_is_open, .takes = search_takes, .leave = search_leave };
