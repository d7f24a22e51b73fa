#include "app/session/session_inside.h"
#include "app/setup/setup.h"
#include "app/system/loop.h"

#include "base/mem.h"
#include "chat/conversation/conversation.h"

static void session_changed(void *session)
{
	session_note_change(session);
}

/* Once on a page is enough. */
static void session_note_once(void *session, struct str sentence)
{
	struct session *s = session;

	for (size_t i = 0; i < s->conversation->count; i++) {
		const struct turn *t = s->conversation->turns[i];

		for (size_t n = 0; n < t->note_count; n++)
			if (str_is(sentence, t->notes[n].text))
				return;
	}
	turn_note(s->live, STR("weir"), sentence);
}

struct session *session_new(struct setup *setup, session_ended *ended, void *ctx)
{
	struct session *s = mem_new(sizeof *s);

	s->setup = setup;
	awaited_init(&s->awaited, setup, &(struct awaited_owner){ .by_frame = true, .changed = session_changed, .note = session_note_once,
	                                                          .ctx = s });
	s->ended = ended;
	s->ctx = ctx;
	s->conversation = conversation_new();
	return s;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	awaited_fini(&s->awaited);
	player_free(s->player);
	played_runs_fini(&s->played_runs);
	session_leave_runs(s);
	session_drop_results(s);
	mem_free(s->results);
	session_files_fini(&s->files);
	session_drop_queued(s);
	conversation_free(s->conversation);
	session_drop_former(s);
	mem_free(s);
}

/* --- who keeps the conversation --- */

void session_watch(struct session *s, const struct session_watch *watch)
{
	s->watch = *watch;
}

uint64_t session_changes(const struct session *s)
{
	return s->changes;
}

void session_note_change(struct session *s)
{
	s->changes++;
}

void session_label(struct session *s, struct turn *turn, struct str label)
{
	turn_label(turn, label);
	session_note_change(s);
}

bool session_is_partly(const struct session *s)
{
	return s->partly;
}

void session_is_read(struct session *s)
{
	s->partly = false;
}

bool session_is_whole(struct session *s, struct error *err)
{
	return !s->watch.complete || s->watch.complete(s->watch.ctx, err);
}

bool session_goes_on(struct session *s, bool queued)
{
	return !s->watch.go_on || s->watch.go_on(s->watch.ctx, queued);
}

void session_leave(struct session *s, bool drop)
{
	if (s->watch.leave)
		s->watch.leave(s->watch.ctx, drop);
	s->partly = false;
}

void session_release(struct session *s, struct conversation *c)
{
	if (!s->watch.release || s->watch.release(s->watch.ctx, c))
		conversation_free(c);
}

void session_enter(struct session *s)
{
	if (s->setup) {
		tool_set_forget(&s->setup->tool_set);
		approvals_forget(&s->setup->approvals);
		mcp_hub_forget_declined(s->setup->servers);
	}
	session_note_change(s);
	if (s->watch.enter)
		s->watch.enter(s->watch.ctx);
}

/* --- what there is --- */

struct conversation *session_conversation(struct session *s)
{
	return s->conversation;
}

uint64_t session_number(const struct session *s)
{
	return s->number;
}

uint64_t session_place(const struct session *s)
{
	return s->place;
}

struct turn *session_live(const struct session *s)
{
	return s->live;
}

struct exchange *session_exchange(const struct session *s)
{
	return s->awaited.exchange;
}

struct turn *session_last_answer(const struct session *s)
{
	return conversation_last_answer(s->conversation);
}

bool session_has_answer(const struct session *s, struct error *err)
{
	return session_last_answer(s) || error_set(err, "there is no answer yet");
}

bool session_has_turns(const struct session *s, struct error *err)
{
	return s->conversation->count || error_set(err, "the conversation is empty");
}

bool session_can_stop(const struct session *s, struct error *err)
{
	return session_is_busy(s) || s->waiting_count || s->edited || error_set(err, "no answer is under way");
}

/* --- another conversation --- */

/* session_undo() cannot return from a copy any more: the originals are released. */
static void session_replace(struct session *s, struct conversation *c)
{
	session_halt(s);
	session_leave(s, false);
	player_free(s->player);
	played_runs_fini(&s->played_runs);
	s->player = NULL;
	s->played = NULL;
	session_release(s, s->conversation);
	session_drop_former(s);
	s->summary = NULL;
	s->conversation = c;
	s->number++;
	session_leave_place(s);
	session_enter(s);
}

void session_forget(struct session *s)
{
	session_replace(s, conversation_new());
}

bool session_take(struct session *s, struct conversation *c, bool partly, struct error *err)
{
	if (!session_is_free(s, err))
		return false;
	session_replace(s, c);
	s->partly = partly;
	return true;
}

void session_leave_place(struct session *s)
{
	s->place++;
	s->refused = NULL;
	s->gave_back = false;
	s->edited = NULL;
	session_leave_runs(s);
	session_drop_results(s);
}

/* --- the loop's member --- */

static size_t session_fds(void *ctx, struct pollfd *fds, size_t room)
{
	struct session *s = ctx;
	size_t count = awaited_fds(&s->awaited, fds, room);

	return count + tool_calls_fds(session_runs(s), fds + count, room - count);
}

static int64_t session_deadline(void *ctx)
{
	struct session *s = ctx;

	if (s->player)
		return player_deadline(s->player);
	int64_t answer_ms = awaited_deadline(&s->awaited), runs_ms = tool_calls_deadline(session_runs(s), clock_now_ms());
	return runs_ms < answer_ms ? runs_ms : answer_ms;
}

static void session_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct session *s = ctx;

	if (s->player)
		player_run(s->player, now_ms);
	else
		awaited_run(&s->awaited, fds, count, now_ms);
	tool_calls_turn(&s->runs.calls, fds, count, now_ms);
}

struct loop_member session_member(struct session *s)
{
	return (struct loop_member){ .ctx = s, .fds = session_fds, .deadline = session_deadline, .run = session_run };
}
