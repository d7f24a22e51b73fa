#include "app/session/notice.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "chat/conversation/turn.h"

#define PROGRAM_MS 10000

void notice_init(struct notice *n, const struct settings *settings, const struct notice_ways *ways)
{
	*n = (struct notice){ .settings = settings, .ways = *ways, .child.fd = -1 };
}

void notice_fini(struct notice *n)
{
	child_kill(&n->child);
}

/* Runs the command of the setting with the sentence as its last argument. */
static void notice_start(struct notice *n, struct str command, const char *sentence)
{
	struct error err = { "" };

	child_kill(&n->child);
	int failure = child_start_line(&n->child, command, sentence, &(struct child_options){ .place = CHILD_APART });
	if (failure) {
		error_set(&err, "notify: %.*s could not be started: %s", STR_ARG(command), strerror(failure));
		n->ways.say(n->ways.ctx, err.text);
	}
	n->deadline_ms = clock_now_ms() + PROGRAM_MS;
}

void notice_ended(struct notice *n, const struct turn *turn)
{
	struct str how = str_from(n->settings->notify);
	char sentence[100];

	if (!n->away || turn->ended_ms <= NOTICE_AFTER_MS || turn->outcome == OUTCOME_CANCELLED || str_is(how, "no"))
		return;
	snprintf(sentence, sizeof sentence, "The answer has ended after %.0f s: %s", turn->ended_ms / 1000, outcome_name(turn->outcome));
	if (str_starts(how, NOTIFY_COMMAND))
		notice_start(n, str_skip(how, sizeof NOTIFY_COMMAND - 1), sentence);
	else
		n->ways.ring(n->ways.ctx, sentence);
}

static size_t notice_fds(void *notice, struct pollfd *fds, size_t room)
{
	const struct notice *n = notice;

	return room ? child_fds(&n->child, fds) : 0;
}

static int64_t notice_deadline(void *notice)
{
	const struct notice *n = notice;
	int64_t look = child_deadline(&n->child, clock_now_ms());

	return !n->child.pid ? NO_DEADLINE : look < n->deadline_ms ? look : n->deadline_ms;
}

static void notice_run(void *notice, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct notice *n = notice;
	struct child_end end;

	(void)fds, (void)count;
	if (n->child.pid && !child_has_ended(&n->child, &end) && now_ms >= n->deadline_ms)
		child_kill(&n->child);
}

struct loop_member notice_member(struct notice *n)
{
	return (struct loop_member){ .ctx = n, .fds = notice_fds, .deadline = notice_deadline, .run = notice_run };
}
