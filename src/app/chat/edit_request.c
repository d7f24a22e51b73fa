#include "app/chat/edit_request.h"

#define AGAIN "/request edit"

void edit_request_init(struct edit_request *e, const struct host *host, struct external *external, struct sheets *sheets)
{
	*e = (struct edit_request){ .host = host, .external = external, .sheets = sheets };
}

void edit_request_fini(struct edit_request *e)
{
	request_edit_fini(&e->edit);
}

static void edit_request_take(void *ctx, const char *path)
{
	struct edit_request *e = ctx;
	struct error err = { "" };
	struct buf words = { 0 };
	enum request_edit_end end = request_edit_take(&e->edit, e->host->session, path, &err);

	request_edit_words(end, &err, AGAIN, &words);
	if (end == REQUEST_EDIT_SENT) {
		sheets_close(e->sheets);
		transcript_to_end(e->host->transcript);
	}
	host_say(e->host, "%s", buf_z(&words));
	buf_fini(&words);
}

void edit_request_begin(struct edit_request *e, struct turn *answer)
{
	struct external_offer offer = { .command = job_editor(), .variables = "$VISUAL, $EDITOR", .kept = "the request was not sent", .name = "request.json",
	                               .back = edit_request_take, .ctx = e, .not_at_end = true };
	struct actor actor = host_actor(e->host);
	struct error err;

	if (!act_asks(&actor))
		return;
	if (request_edit_begin(&e->edit, e->host->setup, e->host->session, answer, &offer.text, &err))
		external_begin(e->external, &offer, false);
	else
		host_say(e->host, "%s", err.text);
}
