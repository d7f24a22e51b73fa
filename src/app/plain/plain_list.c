/* Stored conversations in the linear mode: numbered lines, and what is done with a number (plain_commands.h). */
#include <time.h>

#include "app/command/command.h"
#include "app/plain/plain_commands.h"
#include "app/plain/plain_inside.h"
#include "app/session/session_tree.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"

#define LINES ((size_t)20) /* of a list; more come on request */

/* --- the list --- */

static void add_fact(struct buf *line, struct buf *fact, const char *after)
{
	if (fact->len)
		buf_printf(line, ", %s%s", buf_z(fact), after);
	buf_clear(fact);
}

static void write_snippet(const char *snippet, struct buf *line)
{
	for (; *snippet; snippet++)
		buf_add_byte(line, *snippet == HISTORY_HIT_BEGIN[0] ? '[' : *snippet == HISTORY_HIT_END[0] ? ']' : *snippet);
}

static void tell_row(struct plain *p, size_t index)
{
	const struct listed *row = conversation_list_at(&p->conversations, index);
	const char *snippet = conversation_list_snippet(&p->conversations, index);
	struct buf line = { 0 }, fact = { 0 };

	buf_printf(&line, "%zu. %s", index + 1, row->title);
	if (row->id == keep_current(p->host.keep))
		buf_add_z(&line, ", current");
	if (row->pinned)
		buf_add_z(&line, ", pinned");
	listed_age(row, time(NULL), &fact);
	add_fact(&line, &fact, "");
	buf_printf(&line, ", %lld turn%s", (long long)row->turns, row->turns == 1 ? "" : "s");
	buf_add_z(&fact, row->model);
	add_fact(&line, &fact, "");
	listed_tokens(row, &fact);
	add_fact(&line, &fact, " tokens");
	listed_cost(row, &fact);
	add_fact(&line, &fact, "");
	if (snippet) {
		buf_add_z(&line, ": ");
		write_snippet(snippet, &line);
	}
	plain_tell_line(&p->tell, "%s", buf_z(&line));
	buf_fini(&line);
	buf_fini(&fact);
}

static void tell_list(struct plain *p)
{
	const struct conversation_list *l = &p->conversations;
	size_t count = conversation_list_count(l), end = p->conversations_told + LINES;

	for (size_t i = p->conversations_told; i < end && i < count; i++)
		tell_row(p, i);
	p->conversations_told = end < count ? end : count;
	if (!count)
		plain_tell_line(&p->tell, l->filter.len ? "Nothing is found." : "No conversation is stored yet.");
	else if (end < count)
		plain_tell_line(&p->tell, "%zu of %zu. /resume more lists the next ones, /resume N opens one.", end, count);
	else
		plain_tell_line(&p->tell, "/resume N opens one. /resume rename N TITLE, pin N, unpin N, delete N and save N FILE work on it; "
		                          "/resume WORDS looks for words in titles and texts.");
}

static bool read_list(struct plain *p, struct str filter, struct error *err)
{
	struct conversation_list *l = &p->conversations;

	conversation_list_fini(l);
	conversation_list_init(l, p->host.keep);
	p->conversations_told = 0;
	if (!conversation_list_begin(l, err) || !conversation_list_read_all(l, err))
		return false;
	conversation_list_filter(l, filter);
	while (conversation_list_wants_search(l))
		if (!conversation_list_search(l, err))
			return false;
	return true;
}

static void list_words(struct plain *p, struct str filter)
{
	struct error err = { "" };

	if (read_list(p, filter, &err))
		tell_list(p);
	else
		plain_fail(&p->host, err.text);
}

static void list_more(struct plain *p, struct str words)
{
	(void)words;
	if (p->conversations_told && p->conversations_told < conversation_list_count(&p->conversations))
		tell_list(p);
	else
		plain_tell_line(&p->tell, "There are no more: /resume lists the conversations.");
}

/* --- what is done with a conversation --- */

/* The turn with the words that were found, in whatever branch it is. */
static void tell_found(struct plain *p, const struct history_place *place)
{
	struct conversation *c = session_conversation(p->session);
	struct turn *turn = keep_turn(p->host.keep, place->node);
	struct error err = { "" };

	if (!turn)
		return;
	if (!keep_read_all(p->host.keep, &err) || (!conversation_shows(c, turn) && !session_select(p->session, turn, &err))) {
		plain_fail(&p->host, err.text);
		return;
	}
	plain_tell_line(&p->tell, "The words are in turn %u of %u:", turn_ordinal(turn), turn_ordinal(conversation_last(c)));
	plain_tell_again(&p->tell, c, turn);
}

static void row_open(struct plain *p, const struct listed *row, struct str words)
{
	struct error err = { "" };
	struct history_place place;
	struct buf found = { 0 };
	bool is_hit = conversation_list_locate(&p->conversations, conversation_list_find(&p->conversations, row->id), &place, &found);

	(void)words;
	buf_fini(&found);
	if (row->id == keep_current(p->host.keep)) {
		plain_tell_line(&p->tell, "This conversation is open.");
	} else if (!keep_open(p->host.keep, row->id, &err)) {
		plain_fail(&p->host, err.text);
		return;
	} else {
		plain_tell_opened(p);
	}
	if (is_hit)
		tell_found(p, &place);
}

static void row_rename(struct plain *p, const struct listed *row, struct str words)
{
	struct error err = { "" };

	if (!words.len) {
		plain_tell_line(&p->tell, "A title is missing: /resume rename N TITLE.");
	} else if (!keep_rename(p->host.keep, row->id, words, &err)) {
		plain_fail(&p->host, err.text);
	} else {
		plain_tell_line(&p->tell, "The title is now: %.*s", STR_ARG(words));
		conversation_list_rename(&p->conversations, row->id, words);
	}
}

static void row_set_pin(struct plain *p, const struct listed *row, bool pinned)
{
	struct error err = { "" };

	if (keep_pin(p->host.keep, row->id, pinned, &err))
		plain_tell_line(&p->tell, pinned ? "Pinned: it is at the top of the next list." : "Not pinned any more.");
	else
		plain_fail(&p->host, err.text);
}

static void row_pin(struct plain *p, const struct listed *row, struct str words)
{
	(void)words;
	row_set_pin(p, row, true);
}

static void row_unpin(struct plain *p, const struct listed *row, struct str words)
{
	(void)words;
	row_set_pin(p, row, false);
}

static void delete_take(void *plain, struct str line)
{
	struct plain *p = plain;
	struct error err = { "" };

	plain_ask_prompt(&p->host);
	if (!str_is(str_trim(line), "yes"))
		plain_tell_kept_back(p, line);
	else if (keep_delete(p->host.keep, p->conversation_to_delete, session_removals(p->session), &err))
		plain_tell_line(&p->tell, "Deleted. /undo brings it back. /resume lists the others.");
	else
		plain_fail(&p->host, err.text);
}

static const struct plain_question delete_question = { .label = "Delete? ", .take = delete_take };

static void row_delete(struct plain *p, const struct listed *row, struct str words)
{
	(void)words;
	if (row->id == keep_current(p->host.keep)) {
		plain_tell_line(&p->tell, "This conversation is open: /new begins another one first.");
		return;
	}
	p->conversation_to_delete = row->id;
	plain_tell_line(&p->tell, "This deletes the conversation %s, %lld turn%s. Type yes to delete, or an empty line to keep it.", row->title,
	                (long long)row->turns, row->turns == 1 ? "" : "s");
	plain_ask(&p->host, &delete_question, p);
}

static void row_save(struct plain *p, const struct listed *row, struct str words)
{
	struct error err = { "" };

	if (!words.len)
		plain_tell_line(&p->tell, "A file is missing: /resume save N FILE.");
	else if (keep_save(p->host.keep, row->id, words, &err))
		plain_tell_line(&p->tell, "Saved to %.*s.", STR_ARG(words));
	else
		plain_fail(&p->host, err.text);
}

/* --- words --- */

static const struct {
	const char *word;
	void (*act)(struct plain *p, const struct listed *row, struct str words);
} verbs[] = {
	{ "open", row_open },   { "rename", row_rename }, { "pin", row_pin },
	{ "unpin", row_unpin }, { "delete", row_delete }, { "save", row_save },
};

static const struct listed *numbered(struct plain *p, struct str number)
{
	long long n;

	return str_to_int(number, &n) && n > 0 ? conversation_list_at(&p->conversations, (size_t)n - 1) : NULL;
}

static void run_verb(struct plain *p, size_t verb, struct str words)
{
	struct str rest, number = str_first_word(words, &rest);
	const struct listed *row = numbered(p, number);

	if (row)
		verbs[verb].act(p, row, rest);
	else
		plain_tell_line(&p->tell, "There is no such number: /resume lists the conversations with their numbers.");
}

void plain_resume(struct plain *p, struct str words)
{
	struct error err = { "" };
	struct str rest, first = str_first_word(words, &rest);
	long long number;

	if (!words.len) {
		list_words(p, STR_NONE);
		return;
	}
	if (!p->conversations.row_count && !read_list(p, STR_NONE, &err)) { /* numbers are meant before a list was asked for */
		plain_fail(&p->host, err.text);
		return;
	}
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
		if (str_is(first, verbs[i].word)) {
			run_verb(p, i, rest);
			return;
		}
	if (str_is(first, "more"))
		list_more(p, rest);
	else if (str_is(first, "search") && rest.len)
		list_words(p, rest);
	else if (str_is(first, "search"))
		plain_tell_line(&p->tell, "Words are missing: /resume search WORDS. \"A phrase\" is one piece, pre* the beginning of a word.");
	else if (str_to_int(first, &number))
		run_verb(p, 0, first);
	else
		list_words(p, words);
}
