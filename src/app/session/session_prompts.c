/* Prompts: sent, or queued while an answer is under way. */
#include "app/session/session_inside.h"

#include <string.h>

#include "base/mem.h"
#include "chat/conversation/attachments.h"
#include "chat/conversation/conversation.h"

unsigned session_queued(const struct session *s)
{
	return (unsigned)s->waiting_count;
}

struct str session_queued_at(const struct session *s, size_t index, size_t *files)
{
	*files = s->waiting[index].files.count;
	return str_from(s->waiting[index].text);
}

bool session_can_unqueue(const struct session *s, struct error *err)
{
	return s->waiting_count || error_set(err, "no prompt is queued");
}

void session_drop_queued(struct session *s)
{
	for (size_t i = 0; i < s->waiting_count; i++) {
		session_files_fini(&s->waiting[i].files);
		mem_free(s->waiting[i].text);
	}
	mem_free(s->waiting);
}

/* Removes a prompt from the queue. Its files go to the next prompt; the caller owns its text. */
static char *session_unqueue(struct session *s, size_t index)
{
	struct waiting w = s->waiting[index];

	memmove(s->waiting + index, s->waiting + index + 1, (--s->waiting_count - index) * sizeof w);
	session_files_move(&s->files, &w.files);
	return w.text;
}

char *session_take_queued(struct session *s)
{
	struct buf all = { 0 };

	while (s->waiting_count) {
		char *text = session_unqueue(s, 0);

		buf_printf(&all, "%s%s", all.len ? "\n" : "", text);
		mem_free(text);
	}
	return buf_take(&all);
}

char *session_take_last_queued(struct session *s)
{
	return session_unqueue(s, s->waiting_count - 1);
}

struct turn *session_add_question(struct session *s, struct str prompt)
{
	struct turn *question;

	session_leave_runs(s);
	s->runs.sent = 0;
	question = conversation_ask(s->conversation);
	session_add_results(s, question);
	turn_add(question, PART_TEXT, prompt, STR_NONE, STR_NONE);
	session_add_attachments(s, question);
	return question;
}

static bool session_send_now(struct session *s, struct str prompt, struct error *err)
{
	session_set_aside(s);
	session_add_question(s, prompt);
	return session_start(s, NULL, err);
}

/* Sends the oldest queued prompt. Files attached meanwhile are kept for a later prompt. */
static void session_send_first(struct session *s)
{
	struct session_files kept = s->files;
	struct error err = { "" };

	s->files = (struct session_files){ 0 };
	char *prompt = session_unqueue(s, 0);
	if (!session_send_now(s, str_from(prompt), &err))
		turn_note(conversation_last(s->conversation), STR("weir"), str_from(err.text));
	mem_free(prompt);
	session_files_fini(&s->files);
	s->files = kept;
}

void session_send_next(struct session *s, const struct turn *t)
{
	bool good = !outcome_is_trouble(t->outcome) && t->outcome != OUTCOME_TOOL_CALLS;

	if (session_is_busy(s) || !s->waiting_count || !good || !session_goes_on(s, true))
		return;
	session_send_first(s);
}

bool session_send(struct session *s, struct str prompt, struct error *err)
{
	bool takes_a_place = s->edited || s->gave_back;

	if (session_is_held(s))
		return error_set(err, "several answers are under way: /stop ends them");
	if (!session_is_busy(s) && (!session_has_model(s, err) || !session_is_whole(s, err)))
		return false;
	if (!attachments_check(session_limits(s), s->files.parts, s->files.count, err))
		return false;
	if (!session_is_busy(s) && (takes_a_place || !s->waiting_count))
		return session_send_now(s, prompt, err);
	mem_reserve(&s->waiting, &s->waiting_capacity, s->waiting_count + 1, sizeof *s->waiting);
	s->waiting[s->waiting_count++] = (struct waiting){ str_dup(prompt), s->files };
	s->files = (struct session_files){ 0 };
	if (!session_is_busy(s))
		session_send_first(s);
	return true;
}

bool session_send_waiting(struct session *s, struct error *err)
{
	if (!session_has_model(s, err) || !session_is_whole(s, err))
		return false;
	session_send_first(s);
	return true;
}
