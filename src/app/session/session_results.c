/* Results of the tool calls of the last answer. */
#include "app/session/session_inside.h"

#include "base/mem.h"
#include "chat/conversation/conversation.h"

void session_drop_results(struct session *s)
{
	for (size_t i = 0; i < s->result_count; i++) {
		mem_free(s->results[i].text);
		media_keeper_fini(&s->results[i].media);
	}
	s->result_count = 0;
}

const struct part *session_waiting_call(const struct session *s, unsigned *call)
{
	const struct turn *t = conversation_last(s->conversation);
	bool waits = t && t->role == TURN_ASSISTANT && t->ended && t->outcome == OUTCOME_TOOL_CALLS;
	size_t count = waits ? turn_call_count(t) : 0;

	while (*call < count && (!turn_call(t, *call)->valid || tool_calls_find(session_runs(s), *call)))
		++*call;
	return *call < count ? turn_call(t, *call) : NULL;
}

bool session_can_answer(const struct session *s, struct error *err)
{
	unsigned call = 0;

	return session_waiting_call(s, &call) || session_asking(s) || (session_runs(s)->count && s->result_count && !session_is_busy(s)) ||
	       error_set(err, "no tool call waits for an answer");
}

/* In place of the one that it has. */
static struct result *session_result(struct session *s, unsigned call)
{
	size_t i = 0;

	while (i < s->result_count && s->results[i].call != call)
		i++;
	if (i == s->result_count) {
		mem_reserve(&s->results, &s->result_capacity, s->result_count + 1, sizeof *s->results);
		s->results[s->result_count++] = (struct result){ .call = call };
	}
	mem_free(s->results[i].text);
	media_keeper_fini(&s->results[i].media);
	s->results[i] = (struct result){ .call = call };
	return &s->results[i];
}

void session_answer_call(struct session *s, unsigned call, struct str result, bool is_error)
{
	struct result *r = session_result(s, call);

	r->text = str_dup(result);
	r->is_error = is_error;
}

void session_answer_by_run(struct session *s, const struct tool_call *call)
{
	struct result *r = session_result(s, call->call);

	r->text = str_dup(buf_str(&call->result));
	r->is_error = call->outcome != TOOL_RUN_OK;
	for (size_t i = 0; i < call->run.media.count; i++)
		media_keeper_hold(&r->media, call->run.media.items[i].data, buf_str(&call->run.media.items[i].type));
}

void session_skip_call(struct session *s, unsigned call)
{
	const struct part *part = turn_call(conversation_last(s->conversation), call);

	session_answer_call(s, call, part->run == CALL_RUN_UNKNOWN ? STR(RESULT_UNKNOWN) : STR(RESULT_SKIPPED), true);
}

void session_keep_results(struct session *s, const struct turn *question)
{
	for (size_t i = 0; i < question->part_count; i++) {
		const struct part *p = &question->parts[i];
		bool answered = false;

		for (size_t r = 0; r < s->result_count; r++)
			answered = answered || (int)s->results[r].call == p->call;
		if (p->kind != PART_TOOL_RESULT || answered)
			continue;
		session_answer_call(s, (unsigned)p->call, buf_str(&p->text), p->is_error);
		for (size_t k = 0; k < question->part_count; k++)
			if (question->parts[k].kind == PART_MEDIA && question->parts[k].call == p->call)
				media_keeper_hold(&s->results[s->result_count - 1].media, question->parts[k].data,
				                  str_from(question->parts[k].media));
	}
}

void session_add_results(struct session *s, struct turn *question)
{
	const struct turn *answer = conversation_last_answer(s->conversation);

	for (size_t i = 0; i < s->result_count; i++) {
		struct result *r = &s->results[i];
		const struct part *call = answer ? turn_call(answer, r->call) : NULL;
		struct str id = str_from(call ? call->id : NULL), name = str_from(call ? call->name : NULL);
		struct part *p = turn_add(question, PART_TOOL_RESULT, str_from(r->text), id, name);

		p->call = (int)r->call;
		p->is_error = r->is_error;
		for (size_t k = 0; k < r->media.count; k++)
			turn_add_media(question, (int)r->call, r->media.items[k].data, buf_str(&r->media.items[k].type));
	}
	session_drop_results(s);
}

bool session_send_results(struct session *s, struct error *err)
{
	if (s->live || !s->result_count)
		return error_set(err, "there is no result to send");
	if (!tool_calls_are_over(session_runs(s))) /* they are sent with those of the others */
		return true;
	if (!session_is_whole(s, err))
		return false;
	session_add_results(s, conversation_ask(s->conversation));
	return session_start(s, NULL, err);
}
