#include "app/screen/latest_conversation.h"

#include "app/keep/conversation_list.h"
#include "base/mem.h"

#define TITLE_MOST ((size_t)120)

void latest_conversation_init(struct latest_conversation *n, const struct host *host)
{
	*n = (struct latest_conversation){ .host = host, .was_read = host->replay };
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
	return ((const struct latest_conversation *)newest)->was_read ? NO_DEADLINE : 0;
}

/* Trouble is told when the list is opened, or something is to be stored. */
static void latest_conversation_run(void *newest, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct latest_conversation *n = newest;
	struct error err;
	int64_t row = 0;

	(void)fds, (void)count, (void)now_ms;
	if (n->was_read)
		return;
	n->was_read = true;
	struct history *h = keep_history(n->host->keep, &err);
	if (h && keep_good(n->host->keep, history_find(h, STR(HISTORY_LAST_CHAT), &row, &err), &err) &&
	    keep_good(n->host->keep, history_look(h, row, latest_conversation_take, n, &err), &err) && n->title)
		host_redraw(n->host);
}

struct loop_member latest_conversation_member(struct latest_conversation *n)
{
	return (struct loop_member){ .ctx = n, .deadline = latest_conversation_deadline, .run = latest_conversation_run };
}
