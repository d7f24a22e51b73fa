#include "app/mcp/shell/mcp_return.h"

#include "base/mem.h"

#define PLACE "/callback"

struct returning { struct mcp_return *r; struct visit *visit; enum oauth_return how; };

static void *return_begin(void *ctx, struct visit *v, const struct request_head *head)
{
	struct mcp_return *r = ctx;
	struct str path = str_head(head->path, str_find(head->path, STR("?")));
	enum oauth_return how;

	if (!str_is(head->method, "GET") || !str_is(path, PLACE) || !r->attempt) {
		visit_refuse(v, 404, "nothing is here");
		return NULL;
	}
	how = r->is_there ? OAUTH_STRAY : oauth_return_read(r->attempt, head->path, &r->code, &r->why);
	if (how == OAUTH_STRAY) {
		visit_refuse(v, 400, "this does not belong to the login that weir waits for");
		return NULL;
	}
	r->is_there = true;
	r->how = how;
	struct returning *it = mem_new(sizeof *it);
	*it = (struct returning){ r, v, how };
	return it;
}

static void return_body(void *answer, struct str bytes)
{
	(void)answer, (void)bytes;
}

static void return_whole(void *answer, struct str trailers)
{
	const struct returning *it = answer;
	struct str text = it->how == OAUTH_CODE ? STR("weir has what it needs. You can close this page.\n")
	                                        : STR("weir cannot use this answer; it says why in the terminal. You can close this page.\n");
	const struct response_header fields[] = {
		{ STR("Content-Type"), STR("text/plain; charset=utf-8") }, { STR("Cache-Control"), STR("no-store") },
		{ STR("Referrer-Policy"), STR("no-referrer") }, /* the address holds the code */
	};

	(void)trailers;
	visit_send_head(it->visit, &(struct visit_head){ .status = 200, .fields = fields, .field_count = 3, .length = (int64_t)text.len });
	visit_send(it->visit, text);
	visit_end(it->visit, NULL, 0);
	visit_flush(it->visit);
}

static void return_room(void *answer)
{
	(void)answer;
}

static void return_free(void *answer)
{
	mem_free(answer);
}

static const struct httpd_ops return_ops = {
	.begin = return_begin, .body = return_body, .whole = return_whole, .room = return_room, .free = return_free, .visitable = true,
};

bool mcp_return_open(struct mcp_return *r, struct error *err)
{
	struct buf redirect = { 0 };

	*r = (struct mcp_return){ 0 };
	if (!httpd_open(&r->httpd, 0, &return_ops, r, err))
		return false;
	buf_printf(&redirect, "http://127.0.0.1:%u" PLACE, httpd_port(r->httpd));
	r->redirect = buf_take(&redirect);
	return true;
}

void mcp_return_close(struct mcp_return *r)
{
	httpd_free(r->httpd);
	oauth_wipe(&r->code);
	mem_free(r->redirect);
	*r = (struct mcp_return){ 0 };
}

/* --- the loop --- */

static size_t return_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct mcp_return *r = ctx;

	return r->httpd ? httpd_fds(r->httpd, fds, room) : 0;
}

static int64_t return_deadline(void *ctx)
{
	const struct mcp_return *r = ctx;

	return r->httpd ? httpd_deadline(r->httpd) : NO_DEADLINE;
}

static void return_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct mcp_return *r = ctx;

	(void)fds, (void)count;
	if (r->httpd)
		httpd_run(r->httpd, now_ms);
}

struct loop_member mcp_return_member(struct mcp_return *r)
{
	return (struct loop_member){ .ctx = r, .fds = return_fds, .deadline = return_deadline, .run = return_run };
}
