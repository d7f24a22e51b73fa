#include "app/screen/cards/request_editor.h"

#include "app/command/actions.h"
#include "app/screen/services/branches.h"

#define AGAIN "/request edit"

void request_editor_init(struct request_editor *e, const struct host *host, struct external *external)
{
	*e = (struct request_editor){ .host = host, .external = external };
}

void request_editor_fini(struct request_editor *e)
{
	request_edit_fini(&e->edit);
}

static void request_editor_take(void *ctx, const char *path)
{
	struct request_editor *e = ctx;
	struct error err = { "" };
	struct buf words = { 0 };
	enum request_edit_end end = request_edit_take(&e->edit, e->host->session, path, &err);

	request_edit_words(end, &err, AGAIN, &words);
	if (end == REQUEST_EDIT_SENT) {
		host_close_cards(e->host); /* the sheet of the request */
		transcript_to_end(e->host->transcript);
	}
	host_say(e->host, "%s", buf_z(&words));
	if (end == REQUEST_EDIT_SENT)
		branches_tell_left(e->host);
	buf_fini(&words);
}

void request_editor_begin(struct request_editor *e, struct turn *answer)
{
	struct external_offer offer = { .command = terminal_job_editor(), .variables = "$VISUAL, $EDITOR", .kept = "the request was not sent",
		.name = "request.json", .back = request_editor_take, .ctx = e, .not_at_end = true };
	struct actor actor = host_actor(e->host);
	struct error err;

	if (!act_asks(&actor) || !act_may_spend(&actor, "request"))
		return;
	if (request_edit_begin(&e->edit, e->host->setup, e->host->session, answer, &offer.text, &err))
		external_begin(e->external, &offer);
	else
		host_fail(e->host, "%s", err.text);
}
