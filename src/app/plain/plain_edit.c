#include "app/plain/plain_edit.h"

#include "app/command/actions.h"
#include "app/system/loop.h"

static void plain_edit_drop(struct plain_edit *e)
{
	terminal_job_free(e->job);
	e->job = NULL;
	temp_file_drop(&e->file);
}

void plain_edit_fini(struct plain_edit *e)
{
	plain_edit_drop(e);
	request_edit_fini(&e->edit);
}

bool plain_edit_runs(const struct plain_edit *e)
{
	return e->job != NULL;
}

static bool plain_edit_start(struct plain_edit *e, struct turn *answer, struct error *err)
{
	struct str text;

	return request_edit_begin(&e->edit, e->host->setup, e->host->session, answer, &text, err) &&
	       temp_file_write(&e->file, "request.json", text, err) && terminal_job_start(&e->job, terminal_job_editor(), e->file.path, err);
}

void plain_edit_begin(struct plain_edit *e, struct turn *answer)
{
	struct actor actor = plain_actor(e->host);
	struct error err;

	if (!act_asks(&actor) || !act_may_spend(&actor, "request") || plain_edit_start(e, answer, &err))
		return;
	plain_fail(e->host, err.text);
	plain_edit_drop(e);
}

static void plain_edit_end(struct plain_edit *e, int status)
{
	struct error err = { "" };
	struct buf words = { 0 };

	if (status)
		buf_printf(&words, "the editor failed (status %d): the request was not sent ($VISUAL, $EDITOR)", status);
	else
		request_edit_words(request_edit_take(&e->edit, e->host->session, e->file.path, &err), &err, "/request edit", &words);
	plain_say(e->host, buf_z(&words));
	buf_fini(&words);
}

/* --- the loop's member --- */

static size_t plain_edit_fds(void *edit, struct pollfd *fds, size_t room)
{
	const struct plain_edit *e = edit;

	return e->job && room ? terminal_job_fds(e->job, fds) : 0;
}

static int64_t plain_edit_deadline(void *edit)
{
	const struct plain_edit *e = edit;

	return e->job ? terminal_job_deadline(e->job, clock_now_ms()) : NO_DEADLINE;
}

static void plain_edit_run(void *edit, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct plain_edit *e = edit;
	int status;

	(void)fds, (void)count, (void)now_ms;
	if (!e->job || !terminal_job_has_ended(e->job, &status))
		return;
	terminal_job_free(e->job);
	e->job = NULL;
	plain_edit_end(e, status);
	plain_edit_drop(e);
}

struct loop_member plain_edit_member(struct plain_edit *e)
{
	return (struct loop_member){ .ctx = e, .fds = plain_edit_fds, .deadline = plain_edit_deadline, .run = plain_edit_run };
}
