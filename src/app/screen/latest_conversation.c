#include "app/screen/latest_conversation.h"

#include "app/keep/conversation_list.h"
#include "base/mem.h"

#define TITLE_MOST ((size_t)120)
#define FIRST_PAUSE_MS ((int64_t)5) /* the next ones double */
#define LOOKS_MOST 12               /* after the first: 20 s in all */

void latest_conversation_init(struct latest_conversation *n, const struct host *host)
{
	*n = (struct latest_conversation){ .host = host, .due_ms = host->replay ? NO_DEADLINE : 0 };
}

void latest_conversation_fini(struct latest_conversation *n)
{
	mem_free(n->title);
	n->title = NULL;
}

static bool latest_conversation_take(void *ctx, const struct history_conversation *c)
{
	struct latest_conversation *n = ctx;
	struct buf title = { 0 };

	listed_line(str_from(c->title), TITLE_MOST, &title);
	if (!str_is_blank(buf_str(&title)))
		n->title = str_dup(str_trim(buf_str(&title)));
	n->updated_ms = c->updated_ms;
	n->turns = c->turns;
	buf_fini(&title);
	return false;
}

static int64_t latest_conversation_deadline(void *newest)
{
	return ((const struct latest_conversation *)newest)->due_ms;
}

/* False: the history cannot be read now, but soon. Trouble is told when the list is opened, or something is to be stored. */
static bool latest_conversation_read(struct latest_conversation *n)
{
	struct keep *keep = n->host->keep;
	struct error err;
	int64_t row = 0;
	struct history *h = keep_history(keep, &err);
	enum history_status status;

	if (!h)
		return !keep_is_preparing(keep);
	status = history_find(h, STR(HISTORY_LAST_CHAT), &row, &err);
	if (status == HISTORY_OK)
		status = history_look(h, row, latest_conversation_take, n, &err);
	return keep_good(keep, status, &err) || (status != HISTORY_BUSY && !keep_is_preparing(keep));
}

static void latest_conversation_run(void *newest, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct latest_conversation *n = newest;

	(void)fds, (void)count;
	if (now_ms < n->due_ms)
		return;
	n->due_ms = NO_DEADLINE;
	if (!latest_conversation_read(n) && n->looks < LOOKS_MOST)
		n->due_ms = now_ms + (FIRST_PAUSE_MS << n->looks++);
	if (n->title)
		host_redraw(n->host);
}

struct loop_member latest_conversation_member(struct latest_conversation *n)
{
	return (struct loop_member){ .ctx = n, .deadline = latest_conversation_deadline, .run = latest_conversation_run };
}
