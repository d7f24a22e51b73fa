/* Branches of the conversation: choosing, removing, copying and taking back (session_tree.h). */
#include "app/session/session_inside.h"

#include "base/mem.h"
#include "chat/conversation/conversation.h"

/* Editing a prompt refers to a place of the path, which therefore must not change. */
bool session_may_branch(const struct session *s, struct error *err)
{
	return session_is_free(s, err) && (!s->edited || error_set(err, "a prompt is being edited: send it or leave it first"));
}

bool session_select(struct session *s, struct turn *turn, struct error *err)
{
	if (!session_may_branch(s, err))
		return false;
	session_leave_place(s);
	session_note_change(s);
	conversation_select(s->conversation, turn);
	return true;
}

bool session_remove(struct session *s, struct turn *turn, struct error *err)
{
	if (!session_may_branch(s, err))
		return false;
	session_leave_place(s);
	session_note_change(s);
	conversation_remove(s->conversation, turn);
	return true;
}

bool session_copy(struct session *s, const struct turn *end, struct error *err)
{
	if (!session_may_branch(s, err) || !session_is_whole(s, err))
		return false;
	struct conversation *copy = conversation_copy(end);
	copy->is_private = s->conversation->is_private;
	session_leave_place(s);
	session_leave(s, false);
	s->former = mem_resize(s->former, s->former_count + 1, sizeof *s->former);
	s->former[s->former_count++] = (struct former){ s->conversation, copy->node_count };
	s->conversation = copy;
	s->number++;
	session_enter(s);
	return true;
}

/* Fails if something was asked in the copy: undoing deletes it. */
static bool session_leave_copy(struct session *s, struct error *err)
{
	const struct former *former = &s->former[s->former_count - 1];

	if (s->conversation->node_count != former->copied)
		return error_set(err, "the copy has gone on since: nothing is undone");
	session_leave(s, true);
	conversation_free(s->conversation);
	s->conversation = former->conversation;
	s->number++;
	s->former_count--;
	session_enter(s);
	return true;
}

size_t session_removals(const struct session *s)
{
	return s->conversation->removals + s->former_count;
}

bool session_undo(struct session *s, struct turn **back, struct error *err)
{
	if (!session_may_branch(s, err))
		return false;
	if (!s->conversation->removals && !s->former_count)
		return error_set(err, "there is nothing to undo: /edit changes a prompt, /tree shows all branches");
	session_leave_place(s);
	session_note_change(s);
	*back = conversation_restore(s->conversation);
	return *back || session_leave_copy(s, err);
}

void session_drop_former(struct session *s)
{
	for (size_t i = 0; i < s->former_count; i++)
		session_release(s, s->former[i].conversation);
	mem_free(s->former);
	s->former = NULL;
	s->former_count = 0;
}
