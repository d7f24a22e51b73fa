/* Branches in the linear mode: the tree as numbered lines, and what is done with a number (plain_commands.h). */
#include <time.h>

#include "app/command/command.h"
#include "app/keep/tree_rows.h"
#include "app/plain/plain_commands.h"
#include "app/plain/plain_inside.h"
#include "app/session/session_prompts.h"
#include "app/session/session_tree.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"

#define WORDS_MOST 80u  /* bytes of a turn's first words */

/* --- versions --- */

static void tell_version(struct plain *p, struct turn *turn)
{
	const struct conversation *c = session_conversation(p->session);
	struct siblings siblings = conversation_siblings(c, turn);
	size_t below = c->count - 1 - turn->depth;

	plain_tell_line(&p->tell, "%s %zu of %zu.", turn->role == TURN_USER ? "Prompt" : "Answer", siblings.at + 1, siblings.count);
	plain_tell_again(&p->tell, c, turn);
	if (below)
		plain_tell_line(&p->tell, "%zu turn%s below it: /tree lists them.", below, below == 1 ? " is" : "s are");
}

static void plain_open_turn(struct plain *p, struct turn *turn)
{
	struct error err = { "" };

	if (session_select(p->session, turn, &err))
		tell_version(p, turn);
	else
		plain_fail(&p->host, err.text);
}

void plain_undo(struct plain *p)
{
	struct error err = { "" };
	struct turn *back = NULL;

	if (keep_undoes(p->host.keep, session_removals(p->session))) {
		if (keep_undo(p->host.keep, &err))
			plain_tell_line(&p->tell, "The conversation that was deleted is back.");
		else
			plain_fail(&p->host, err.text);
		return;
	}
	if (!session_undo(p->session, &back, &err)) {
		plain_fail(&p->host, err.text);
	} else if (back) {
		plain_tell_line(&p->tell, "What was deleted is back.");
		plain_tell_again(&p->tell, session_conversation(p->session), back);
	} else {
		plain_tell_line(&p->tell, "You are back in the conversation that was copied.");
		p->tell.nodes = session_conversation(p->session)->node_count;
	}
}

/* --- the list --- */

/* Where the turn above it is not the one before it. */
static void tell_parent(const struct tree_rows *rows, size_t index, struct buf *out)
{
	const struct turn *t = rows->rows[index].turn;

	if (t->parent && (!index || rows->rows[index - 1].turn != t->parent))
		buf_printf(out, ", below %zu", tree_rows_find(rows, t->parent) + 1);
}

static void tell_row(struct plain *p, const struct tree_rows *rows, size_t index)
{
	const struct conversation *c = session_conversation(p->session);
	const struct turn *t = rows->rows[index].turn;
	struct siblings siblings = conversation_siblings(c, t);
	struct buf line = { 0 };

	buf_printf(&line, "%zu. %s", index + 1, t->role == TURN_USER ? "Prompt" : "Answer");
	if (*tree_model(t))
		buf_printf(&line, " of %s, %s", tree_model(t), tree_outcome(t));
	if (siblings.count > 1)
		buf_printf(&line, ", version %zu of %zu", siblings.at + 1, siblings.count);
	tell_parent(rows, index, &line);
	if (t->label)
		buf_printf(&line, ", label %s", t->label);
	if (t->wall) {
		buf_add_z(&line, ", ");
		tree_when(t, time(NULL), &line);
	}
	buf_printf(&line, "%s: ", tree_row_is_current(&rows->rows[index], c) ? ", current" : conversation_shows(c, t) ? ", shown" : "");
	tree_first_words(t, WORDS_MOST, &line);
	plain_tell_line(&p->tell, "%s", buf_z(&line));
	buf_fini(&line);
}

static void tell_tree(struct plain *p, const struct tree_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		tell_row(p, rows, i);
	if (rows->count)
		plain_tell_line(&p->tell, "/tree N opens that branch. /tree retry N, edit N TEXT, label N WORD, copy N and delete N work on it.");
	else
		plain_tell_line(&p->tell, "There are no turns yet.");
}

/* --- what is done with a turn --- */

static void tree_open(struct plain *p, struct turn *turn, struct str words)
{
	(void)words;
	plain_open_turn(p, turn);
}

static void tree_retry(struct plain *p, struct turn *turn, struct str words)
{
	struct actor actor = plain_actor(&p->host);

	(void)words;
	actor.turn = turn;
	if (act_retry(&actor))
		act_tell_left(&actor);
}

static void tree_edit(struct plain *p, struct turn *turn, struct str words)
{
	struct actor actor = plain_actor(&p->host);
	struct error err = { "" };
	struct str prompt;

	if (words.len && !act_may_spend(&actor, "edit"))
		return;
	if (!session_edit(p->session, turn, &prompt, &err)) {
		plain_fail(&p->host, err.text);
	} else if (!words.len) {
		plain_tell_line(&p->tell, "The prompt is: %.*s", STR_ARG(prompt));
		session_leave_edit(p->session);
	} else if (session_send(p->session, words, &err)) {
		act_tell_left(&actor);
	} else {
		plain_fail(&p->host, err.text);
	}
}

static void tree_label(struct plain *p, struct turn *turn, struct str words)
{
	session_label(p->session, turn, words);
	plain_tell_line(&p->tell, turn->label ? "Label: %s." : "It has no label.", turn->label);
}

static void tree_copy(struct plain *p, struct turn *turn, struct str words)
{
	struct error err = { "" };

	(void)words;
	if (!session_copy(p->session, turn, &err)) {
		plain_fail(&p->host, err.text);
		return;
	}
	const struct conversation *c = session_conversation(p->session);
	plain_tell_forget(&p->tell);
	p->tell.nodes = c->node_count;
	unsigned turns = turn_ordinal(conversation_last(c));
	plain_tell_line(&p->tell, "A new conversation of %u turn%s. /undo goes back.", turns, turns == 1 ? "" : "s");
}

/* --- deleting --- */

/* A command is no answer: it runs. */
void plain_tell_kept_back(struct plain *p, struct str line)
{
	plain_tell_line(&p->tell, "Nothing was deleted.");
	if (str_starts(str_trim(line), "/"))
		(void)plain_run(p, line);
}

static void delete_take(void *plain, struct str line)
{
	struct plain *p = plain;
	struct error err = { "" };
	struct turn *turn = p->to_delete;

	plain_ask_prompt(&p->host);
	p->to_delete = NULL;
	if (!str_is(str_trim(line), "yes"))
		plain_tell_kept_back(p, line);
	else if (session_remove(p->session, turn, &err))
		plain_tell_line(&p->tell, "Deleted. /undo brings it back.");
	else
		plain_fail(&p->host, err.text);
	p->tell.nodes = session_conversation(p->session)->node_count;
}

static const struct plain_question delete_question = { .label = "Delete? ", .take = delete_take };

static void tree_delete(struct plain *p, struct turn *turn, struct str words)
{
	struct buf whole = { 0 };

	(void)words;
	if (session_is_busy(p->session)) {
		plain_tell_line(&p->tell, "An answer is under way: /stop ends it first.");
		return;
	}
	p->to_delete = turn;
	tree_write_whole(session_conversation(p->session), turn, &whole);
	plain_tell_line(&p->tell, "This deletes the %s. Type yes to delete, or an empty line to keep.", buf_z(&whole));
	buf_fini(&whole);
	plain_ask(&p->host, &delete_question, p);
}

/* --- words --- */

static const struct {
	const char *word;
	void (*act)(struct plain *p, struct turn *turn, struct str words);
} verbs[] = {
	{ "", tree_open },       { "open", tree_open },   { "retry", tree_retry },   { "edit", tree_edit },
	{ "label", tree_label }, { "copy", tree_copy },   { "delete", tree_delete },
};

static bool plain_run_verb(struct plain *p, const struct tree_rows *rows, struct str words)
{
	struct str rest, verb = str_first_word(words, &rest), number, more;
	long long n;
	bool bare = str_to_int(verb, &n); /* "/tree 3" */

	number = bare ? verb : str_first_word(rest, &more);
	more = bare ? rest : more;
	if (!str_to_int(number, &n) || n < 1 || (size_t)n > rows->count)
		return false;
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
		if (str_is(bare ? STR("") : verb, verbs[i].word)) {
			verbs[i].act(p, rows->rows[n - 1].turn, more);
			return true;
		}
	return false;
}

void plain_tree(struct plain *p, struct str words)
{
	struct tree_rows rows = { 0 };

	tree_rows_fill(&rows, session_conversation(p->session));
	if (!words.len)
		tell_tree(p, &rows);
	else if (!plain_run_verb(p, &rows, words))
		plain_tell_line(&p->tell, "/tree lists the turns with their numbers. It takes a number, or open, retry, edit, label, copy or delete "
		                          "with a number.");
	tree_rows_fini(&rows);
}
