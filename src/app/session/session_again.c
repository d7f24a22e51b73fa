/* Retrying, continuing, and editing a prompt. Nothing is overwritten: what is asked again becomes a sibling (chat/conversation/conversation.h). */
#include "app/session/session_inside.h"
#include "app/setup/setup.h"

#include "chat/conversation/conversation.h"
#include "chat/conversation/summary.h"
#include "chat/conversation/totals.h"

bool session_is_free(const struct session *s, struct error *err)
{
	return !session_is_busy(s) || error_set(err, "an answer is under way: /stop ends it first");
}

/* --- refused answers --- */

bool session_was_refused(const struct turn *t)
{
	return t->ended && t->outcome == OUTCOME_ERROR && turn_is_empty(t);
}

/* The question of the last answer, if that was refused: it is to be asked again. NULL: it was not refused. */
static const struct turn *session_refused_question(const struct session *s)
{
	const struct turn *last = conversation_last(s->conversation);

	return last && last->role == TURN_ASSISTANT && session_was_refused(last) ? last->parent : NULL;
}

struct str session_take_refused(struct session *s)
{
	const struct turn *question = s->refused ? s->refused->parent : NULL;

	s->refused = NULL;
	for (size_t i = 0; question && i < question->part_count; i++)
		if (question->parts[i].kind == PART_TEXT) {
			session_attach_again(s, question);
			s->gave_back = true;
			return buf_str(&question->parts[i].text);
		}
	return STR_NONE;
}

void session_find_refused(struct session *s)
{
	const struct turn *question = session_is_busy(s) ? NULL : session_refused_question(s), *last = conversation_last(s->conversation);

	s->refused = question && !turn_is_summary(last) ? last : NULL;
}

void session_leave_refused(struct session *s)
{
	s->gave_back = false;
}

void session_note_left(struct session *s, const struct turn *question)
{
	const struct turn *last = conversation_last(s->conversation);
	unsigned from = question ? turn_ordinal(question) : 0, to = last ? turn_ordinal(last) : 0;

	s->left = from && to > from ? to - from : 0;
}

unsigned session_left(const struct session *s)
{
	return s->left;
}

void session_set_aside(struct session *s)
{
	const struct turn *question = s->edited ? s->edited : session_refused_question(s);

	session_note_left(s, question);
	if (!question)
		return;
	if (s->edited) /* results that were recorded belong to later calls */
		session_drop_results(s);
	session_keep_results(s, question);
	conversation_branch(s->conversation, question->parent);
}

/* --- asking again --- */

bool session_can_retry(const struct session *s, struct error *err)
{
	return session_is_free(s, err) && (conversation_last(s->conversation) || error_set(err, "there is nothing to retry yet"));
}

bool session_retry(struct session *s, struct turn *turn, struct error *err)
{
	struct turn *last = conversation_last(s->conversation);
	struct turn *again = turn ? turn : last, *question = again && again->role == TURN_ASSISTANT ? again->parent : again;

	if (!session_can_retry(s, err) || !session_is_whole(s, err) || !session_has_its_own_path(question, err))
		return false;
	session_note_left(s, question);
	conversation_branch(s->conversation, question);
	if (!session_start(s, NULL, err)) {
		conversation_branch(s->conversation, last);
		return false;
	}
	session_drop_results(s);
	return true;
}

/* --- continuing --- */

/* An answer can be continued only by the model that began it. */
static bool session_is_of_target(const struct turn *answer, const struct target *target, struct error *err)
{
	struct str provider = str_from(answer->scope.provider), model = str_from(answer->scope.model);

	if (str_is(provider, target->provider->name) && str_is(model, target->model) && answer->scope.protocol == target->protocol)
		return true;
	if (!provider.len || !model.len) /* imported */
		return error_set(err, "it is not known which model gave the answer, so it cannot be continued; /retry asks %s", target->model);
	return error_set(err, "the answer came from %.*s (%.*s): choose it again to continue it, or /retry asks %s", STR_ARG(model),
	                 STR_ARG(provider), target->model);
}

bool session_can_continue(const struct session *s, struct error *err)
{
	const struct turn *last = conversation_last(s->conversation);

	if (!session_is_free(s, err))
		return false;
	return (last && turn_can_continue(last)) ||
	       error_set(err, "there is no broken answer to continue; /retry asks again");
}

bool session_continue(struct session *s, struct error *err)
{
	struct turn *answer = conversation_last(s->conversation);

	return session_can_continue(s, err) && session_is_whole(s, err) && session_has_its_own_path(answer, err) &&
	       session_is_of_target(answer, &s->setup->target, err) && session_start(s, answer, err);
}

/* --- editing a prompt --- */

const struct part *session_words_of(const struct turn *t)
{
	for (size_t i = 0; t->role == TURN_USER && i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT)
			return &t->parts[i];
	return NULL;
}

/* The question with words at or above a turn: results of tools have none. NULL: there is none. */
static const struct turn *session_question_at(const struct turn *t)
{
	while (t && !session_words_of(t))
		t = t->parent;
	return t;
}

bool session_can_edit(const struct session *s, struct error *err)
{
	return session_is_free(s, err) &&
	       (session_question_at(conversation_last(s->conversation)) || error_set(err, "there is no prompt to edit yet"));
}

bool session_edit(struct session *s, const struct turn *turn, struct str *prompt, struct error *err)
{
	const struct turn *question;

	if (!session_is_whole(s, err) || !session_can_edit(s, err))
		return false;
	question = session_question_at(turn ? turn : conversation_last(s->conversation));
	if (!question)
		return error_set(err, "there is no prompt to edit yet");
	if (!session_has_its_own_path(question, err))
		return false;
	s->edited = question;
	*prompt = buf_str(&session_words_of(question)->text);
	session_detach(s);
	session_attach_again(s, question);
	return true;
}

const struct turn *session_edited(const struct session *s)
{
	return s->edited;
}

bool session_is_editing(const struct session *s)
{
	return s->edited != NULL;
}

void session_leave_edit(struct session *s)
{
	if (s->edited)
		session_detach(s);
	s->edited = NULL;
}
