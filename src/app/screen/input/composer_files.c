/* The files that a prompt mentions: attached if the mention was typed, else offered. */
#include <stdio.h>
#include <unistd.h>

#include "app/command/collecting.h"
#include "app/screen/input/composer.h"
#include "app/session/session_prompts.h"
#include "app/setup/context.h"
#include "app/setup/mention.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "store/files/paths.h"

#define LOOKED_BYTES ((size_t)64 << 10) /* how many bytes of the input, and of each chip in it, are searched for mentions */

bool composer_attach_typed(struct composer *w, struct error *err)
{
	struct str text = buf_str(&w->input.text), mention;
	bool good = true;

	for (size_t at = 0, seen = 0; good && seen < MENTIONS_MOST && mention_next(text, &at, &mention); seen++)
		if (edit_origin(&w->input, at - mention.len, at) == EDIT_TYPED)
			good = session_attach_mentioned(w->host->session, context_word(mention), err);
	return good;
}

static void composer_leave_out_attached(const struct composer *w, struct mentioned *c)
{
	for (size_t i = 0; i < c->count;)
		if (session_has_attached(w->host->session, c->paths[i])) {
			mem_free(c->paths[i]);
			c->paths[i] = c->paths[--c->count];
		} else {
			i++;
		}
}

static void composer_measure(struct composer *w, struct str words)
{
	struct str mention;

	w->named = (struct context_size){ 0 };
	while (str_split(&words, '\n', &mention)) {
		struct error err;
		struct mentioned c;

		if (context_of(context_word(mention), &c, &err) && !session_has_attached(w->host->session, c.name)) {
			composer_leave_out_attached(w, &c);
			context_measure(&c, &w->named);
		}
		context_fini(&c);
	}
}

/* Files are looked at when the words change that name them, not with each key. */
const struct context_size *composer_named(struct composer *w)
{
	struct str text = str_head(buf_str(&w->input.text), LOOKED_BYTES), mention;
	struct buf words = { 0 };

	if (w->named_for == w->input.version)
		return &w->named;
	w->named_for = w->input.version;
	for (size_t at = 0, seen = 0; seen < MENTIONS_MOST && mention_next(text, &at, &mention); seen++)
		if (edit_origin(&w->input, at - mention.len, at) == EDIT_TYPED)
			buf_printf(&words, "%.*s\n", STR_ARG(mention));
	if (!str_equal(buf_str(&words), buf_str(&w->named_words)))
		composer_measure(w, buf_str(&words));
	buf_clear(&w->named_words);
	buf_add(&w->named_words, buf_str(&words));
	buf_fini(&words);
	return &w->named;
}

static bool collects(struct composer *w, struct str word)
{
	struct error err = { "" };
	struct mentioned c;
	struct buf line = { 0 };
	struct str uri;
	size_t server;
	bool is = context_of(word, &c, &err) &&
	          (c.kind == CONTEXT_ADDRESS || (c.kind == CONTEXT_FOLDER && str_ends(word, "/")) ||
	           (c.kind == CONTEXT_NOTHING && setup_find_server(w->host->setup, word, &server, &uri) && uri.len)) &&
	          !session_has_attached(w->host->session, c.name);

	if (is) {
		buf_printf(&line, "attach %.*s", STR_ARG(word));
		host_run(w->host, buf_str(&line));
	}
	buf_fini(&line);
	context_fini(&c);
	return is;
}

bool composer_collects(struct composer *w)
{
	struct str text = buf_str(&w->input.text), mention;
	size_t at = w->collected == w->input.version ? w->collected_to : 0;

	for (size_t seen = 0; seen < MENTIONS_MOST && mention_next(text, &at, &mention); seen++)
		if (edit_origin(&w->input, at - mention.len, at) == EDIT_TYPED && collects(w, context_word(mention))) {
			w->collected = w->input.version;
			w->collected_to = at;
			return true;
		}
	return false;
}

struct str composer_command_line(const struct composer *w)
{
	struct str text = buf_str(&w->input.text);
	bool is = str_starts(text, "!") && str_find(text, STR("\n")) == text.len && !str_is_blank(str_skip(text, 1)) && !w->writes_system &&
	          edit_origin(&w->input, 0, text.len) == EDIT_TYPED;

	return is ? str_skip(text, 1) : STR_NONE;
}

/* --- a command --- */

/* What is under way goes with this prompt: it waits. */
bool composer_waits(struct composer *w)
{
	const char *name = w->host->collecting ? collecting_name(w->host->collecting) : NULL;

	if (name)
		host_say(w->host, "%s is still under way; Esc stops it", name);
	return name != NULL;
}

#define CONFIRM_MS 60000

bool composer_asks_to_run(struct composer *w, const struct key *enter)
{
	struct str command = composer_command_line(w);

	if (!command.len || !w->host->collecting || enter->at_once)
		return false;
	host_say_for(w->host, CONFIRM_MS, "y runs it with sh; any other key does not; a blank before the ! sends it");
	w->runs = w->input.version;
	return true;
}

/* The key after that question. True: it was the answer. */
bool composer_answers_run(struct composer *w, const struct key *key)
{
	bool asked = w->runs && w->runs == w->input.version, yes = key->code == KEY_TEXT && str_is(key->text, "y") && !key->at_once;
	struct actor actor = host_actor(w->host);

	w->runs = 0;
	if (!asked)
		return false;
	host_say_for(w->host, 0, "");
	if (yes) {
		collecting_run(w->host->collecting, &actor, composer_command_line(w));
		edit_reset(&w->input);
		composer_close_list(w);
	}
	return yes || key->code == KEY_ESCAPE;
}

/* --- offered files --- */

static bool is_attached(const struct composer *w, struct str path)
{
	char *name = path_expand(path);
	bool is = session_has_attached(w->host->session, name);

	mem_free(name);
	return is;
}

/* Finds a mention to offer. `of`: the editor that holds the text; NULL: the text is that of a chip, which was not typed. */
static bool find_offer(struct composer *w, struct str text, const struct edit *of)
{
	struct str mention;

	for (size_t at = 0, seen = 0; seen < MENTIONS_MOST && mention_next(text, &at, &mention); seen++) {
		bool typed = of && edit_origin(of, at - mention.len, at) == EDIT_TYPED;
		struct str path = mention_likely_path(mention);

		if (typed || !path.len || is_attached(w, path))
			continue;
		w->offered = str_dup(path);
		return true;
	}
	return false;
}

void composer_note_paste(struct composer *w, struct str pasted)
{
	struct buf path = { 0 };
	bool is_file = mention_of_paste(pasted, &path) && mention_is_file(buf_str(&path));

	if (is_file) {
		str_replace(&w->pasted, str_trim(pasted));
		str_replace(&w->pasted_path, buf_str(&path));
	}
	buf_fini(&path);
}

/* While it stands in the input. */
static void find_pasted(struct composer *w)
{
	struct str text = str_head(buf_str(&w->input.text), LOOKED_BYTES);

	w->offered_paste = w->pasted && str_find(text, str_from(w->pasted)) < text.len && !is_attached(w, str_from(w->pasted_path));
	if (w->offered_paste)
		w->offered = mem_dup_z(w->pasted_path);
}

const char *composer_offer_file(struct composer *w)
{
	struct str chip;

	if (w->offered_for == w->input.version && w->offered_beside == session_attached(w->host->session))
		return w->offered;
	w->offered_for = w->input.version;
	w->offered_beside = session_attached(w->host->session);
	mem_free(w->offered);
	w->offered = NULL;
	w->offered_paste = false;
	if (find_offer(w, str_head(buf_str(&w->input.text), LOOKED_BYTES), &w->input))
		return w->offered;
	for (size_t at = 0; !w->offered && (chip = edit_next_chip(&w->input, &at)).len;)
		find_offer(w, str_head(chip, LOOKED_BYTES), NULL);
	if (!w->offered)
		find_pasted(w);
	return w->offered;
}

#define OFFERED_COLUMNS 34u /* how many columns of a path's end are shown */
#define OFFERED_BYTES 120u

void composer_offer_words(const struct composer *w, const char *path, char *words, size_t size)
{
	const char *key = host_key(w->host, "attach-mention");
	struct str text = str_from(path);
	size_t start = text.len;

	while (start > 0) {
		size_t at = utf8_cluster_before(text, start);

		if (text.len - at > OFFERED_BYTES || utf8_width(str_skip(text, at)) > OFFERED_COLUMNS)
			break;
		start = at;
	}
	snprintf(words, size, "%s%s%s goes as a name%s%s%s", w->offered_paste ? "" : "@", start ? "\u2026" : "", path + start,
	         *key ? ", " : "", key, *key ? " attaches it" : "");
}

void composer_attach_offered(struct composer *w)
{
	struct actor actor = host_actor(w->host);
	const char *path = composer_offer_file(w);

	if (path)
		act_attach(&actor, str_from(path));
	else if (composer_named(w)->files)
		host_say(w->host, "what the prompt names goes with it: Enter sends both");
	else
		host_say(w->host, "no file to attach is named: /attach FILE attaches one");
}

/* --- what is not there --- */

void composer_tell_missing(const struct composer *w)
{
	struct str text = buf_str(&w->input.text), mention;

	for (size_t at = 0, seen = 0; seen < MENTIONS_MOST && mention_next(text, &at, &mention); seen++) {
		struct str path = mention_likely_path(mention);
		struct mentioned c = { 0 };
		struct error err;
		struct str uri;
		size_t server;

		if (!path.len || edit_origin(&w->input, at - mention.len, at) == EDIT_FOREIGN)
			continue;
		bool is_missing = context_of(path, &c, &err) && c.kind == CONTEXT_NOTHING && access(c.path, F_OK) != 0 &&
		                  !setup_find_server(w->host->setup, path, &server, &uri);
		context_fini(&c);
		if (is_missing) {
			host_fail(w->host, "@%.*s went as text: there is no such file", STR_ARG(utf8_head(path, OFFERED_BYTES)));
			return;
		}
	}
}
