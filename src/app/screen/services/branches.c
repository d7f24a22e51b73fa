#include "app/screen/services/branches.h"

#include <stdio.h>

#include "app/session/session_tree.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"

#define TELL_LEFT_MS 12000

static void branches_show(const struct host *h, const struct turn *turn)
{
	struct view view;

	host_view(h, &view);
	transcript_show_turn(h->transcript, &view, turn);
	host_redraw(h);
}

static void branches_hold(const struct host *h)
{
	struct view view;

	host_view(h, &view);
	transcript_hold(h->transcript, &view);
}

bool branches_select(const struct host *h, struct turn *turn)
{
	struct error err = { "" };
	struct siblings siblings = conversation_siblings(session_conversation(h->session), turn);

	branches_hold(h);
	bool good = session_select(h->session, turn, &err);
	branches_show(h, turn);
	if (!good)
		host_fail(h, "%s", err.text);
	else if (siblings.count > 1)
		host_say(h, "%s %zu of %zu", turn->role == TURN_USER ? "prompt" : "answer", siblings.at + 1, siblings.count);
	return good;
}

void branches_tell_left(const struct host *h)
{
	unsigned left = session_left(h->session);
	const char *key = host_key(h, "older-version");
	char sentence[160];

	if (!left)
		return;
	snprintf(sentence, sizeof sentence, "%u later turn%s in another branch%s %s goes there", left, left == 1 ? " is" : "s are",
	         session_live(h->session) ? "; when this answer ends," : ":", *key ? key : "/tree");
	host_say_for(h, TELL_LEFT_MS, sentence);
}

/* Of the path, from its end, whether it is in view or not. */
static struct turn *branches_nearest(const struct conversation *c)
{
	size_t i = c->count;

	while (i > 0 && conversation_siblings(c, c->turns[i - 1]).count < 2)
		i--;
	return i > 0 ? c->turns[i - 1] : NULL;
}

void branches_step(const struct host *h, int step)
{
	struct view view;

	host_view(h, &view);
	struct turn *turn = transcript_branching(h->transcript, &view);
	turn = turn ? turn : branches_nearest(view.conversation);
	struct turn *to = turn ? conversation_sibling(view.conversation, turn, step) : NULL;
	if (to)
		branches_select(h, to);
	else if (turn)
		host_say(h, "there is no %s version", step < 0 ? "older" : "newer");
	else
		host_say(h, "there is one version only: retry and edit make others");
}

bool branches_remove(const struct host *h, struct turn *turn)
{
	struct error err = { "" };

	branches_hold(h);
	bool good = session_remove(h->session, turn, &err);
	branches_show(h, turn);
	if (good)
		host_say(h, "deleted; /undo brings it back");
	else
		host_fail(h, "%s", err.text);
	return good;
}

bool branches_copy(const struct host *h, const struct turn *end)
{
	struct error err = { "" };

	if (!session_copy(h->session, end, &err)) {
		host_fail(h, "%s", err.text);
		return false;
	}
	transcript_forget(h->transcript);
	unsigned turns = turn_ordinal(end);
	host_say(h, "a new conversation of %u turn%s; /undo goes back", turns, turns == 1 ? "" : "s");
	host_redraw(h);
	return true;
}

bool branches_undo(const struct host *h)
{
	struct error err = { "" };
	struct turn *back = NULL;

	branches_hold(h);
	if (!session_undo(h->session, &back, &err)) {
		branches_show(h, conversation_last(session_conversation(h->session)));
		host_fail(h, "%s", err.text);
		return false;
	}
	if (back)
		branches_show(h, back);
	else
		transcript_forget(h->transcript);
	host_say(h, back ? "what was deleted is back" : "back in the conversation that was copied");
	host_redraw(h);
	return true;
}
