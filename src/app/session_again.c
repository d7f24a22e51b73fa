/* Retrying, continuing, and editing the last prompt. Nothing that was shown is removed: replaced turns are marked as superseded. */
#include "app/session_inside.h"

#include <string.h>

struct turn *session_counted_answer(const struct session *s)
{
	for (size_t i = s->conversation->count; i > 0; i--)
		if (s->conversation->turns[i - 1]->role == TURN_ASSISTANT && !s->conversation->turns[i - 1]->superseded)
			return s->conversation->turns[i - 1];
	return NULL;
}

bool session_was_refused(const struct turn *t)
{
	return t->ended && t->outcome == OUTCOME_ERROR && turn_is_empty(t);
}

/* Keeps the tool results of a superseded question for the next one, unless the calls were answered again. */
static void session_keep_results(struct session *s, const struct turn *question)
{
	for (size_t i = 0; i < question->part_count; i++) {
		const struct part *p = &question->parts[i];
		bool answered = false;

		for (size_t r = 0; r < s->result_count; r++)
			answered = answered || (int)s->results[r].call == p->call;
		if (p->kind == PART_TOOL_RESULT && !answered)
			session_answer_call(s, (unsigned)p->call, buf_str(&p->text), p->is_error);
	}
}

static void session_supersede(struct session *s, size_t question)
{
	struct conversation *c = s->conversation;

	session_keep_results(s, c->turns[question]);
	for (size_t i = question; i < c->count; i++) {
		c->turns[i]->superseded = true;
		c->turns[i]->edited = true;
		c->turns[i]->revision++;
	}
}

/* The index of the last question that is not superseded and, if `with_words`, has a text; the number of turns if there is none. */
static size_t session_last_question(const struct session *s, bool with_words)
{
	const struct conversation *c = s->conversation;

	for (size_t i = c->count; i > 0; i--) {
		const struct turn *t = c->turns[i - 1];
		bool words = !with_words;

		for (size_t p = 0; p < t->part_count; p++)
			words |= t->parts[p].kind == PART_TEXT;
		if (t->role == TURN_USER && !t->superseded && words)
			return i - 1;
	}
	return c->count;
}

void session_set_aside(struct session *s)
{
	const struct turn *answer = conversation_last(s->conversation);
	size_t question = session_last_question(s, s->edited != NULL);
	bool refused = answer && answer->role == TURN_ASSISTANT && !answer->superseded && session_was_refused(answer);

	if ((s->edited || refused) && question < s->conversation->count)
		session_supersede(s, question);
}

static bool session_is_free(const struct session *s, struct error *err)
{
	return !s->live || error_set(err, "an answer is under way: /stop ends it first");
}

bool session_can_retry(const struct session *s, struct error *err)
{
	const struct turn *answer = session_counted_answer(s);

	if (!session_is_free(s, err))
		return false;
	return (answer && conversation_last(s->conversation) == answer) || error_set(err, "there is nothing to retry yet");
}

bool session_retry(struct session *s, struct error *err)
{
	struct turn *answer = session_counted_answer(s);

	if (!session_can_retry(s, err))
		return false;
	answer->superseded = true;
	answer->revision++;
	session_drop_results(s);
	return session_start(s, NULL, err);
}

/* --- continuing --- */

/* An answer can be continued only by the model that began it. */
static bool session_is_of_target(const struct turn *answer, const struct target *target, struct error *err)
{
	if (!strcmp(answer->scope.provider, target->provider->name) && !strcmp(answer->scope.model, target->model) &&
	    answer->scope.protocol == target->protocol)
		return true;
	return error_set(err, "the answer came from %s (%s): choose it again to continue it, or /retry asks %s", answer->scope.model,
	                 answer->scope.provider, target->model);
}

bool session_can_continue(const struct session *s, struct error *err)
{
	const struct turn *answer = session_counted_answer(s);

	if (!session_is_free(s, err))
		return false;
	return (answer && conversation_last(s->conversation) == answer && turn_can_continue(answer)) ||
	       error_set(err, "there is no broken answer to continue; /retry asks again");
}

bool session_continue(struct session *s, struct error *err)
{
	struct turn *answer = session_counted_answer(s);

	if (!session_can_continue(s, err))
		return false;
	return session_is_of_target(answer, &s->setup->target, err) && session_start(s, answer, err);
}

/* --- editing the last prompt --- */

void session_attach_again(struct session *s, const struct turn *question)
{
	for (size_t i = 0; i < question->part_count; i++) {
		const struct part *p = &question->parts[i];

		if (p->kind == PART_ATTACHMENT)
			session_attach_bytes(s, buf_str(&p->text), p->name, p->media);
	}
}

bool session_can_edit(const struct session *s, struct error *err)
{
	if (!session_is_free(s, err))
		return false;
	return session_last_question(s, true) < s->conversation->count || error_set(err, "there is no prompt to edit yet");
}

bool session_edit(struct session *s, struct str *prompt, struct error *err)
{
	if (!session_can_edit(s, err))
		return false;
	s->edited = s->conversation->turns[session_last_question(s, true)];
	for (size_t i = 0; i < s->edited->part_count; i++)
		if (s->edited->parts[i].kind == PART_TEXT)
			*prompt = buf_str(&s->edited->parts[i].text);
	session_detach(s);
	session_attach_again(s, s->edited);
	return true;
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
