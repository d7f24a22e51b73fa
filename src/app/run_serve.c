#include "app/subcommand.h"

#include <unistd.h>

#include "app/options.h"
#include "app/output.h"
#include "app/signals.h"
#include "base/mem.h"
#include "net/serve.h"

struct serving {
	struct tape **tapes;
	size_t count;
	size_t next;
	struct serve *serve;
	bool over;
};

/* Returns the files in turn, independent of the request. */
static const struct tape *serving_choose_next(void *serving, const struct serve_request *request)
{
	struct serving *s = serving;

	(void)request;
	return s->tapes[s->next++ % s->count];
}

static size_t serving_fds(void *serving, struct pollfd *fds, size_t room)
{
	const struct serving *s = serving;

	if (!room)
		return 0;
	fds[0] = (struct pollfd){ .fd = serve_fd(s->serve), .events = POLLIN };
	return 1;
}

static int64_t serving_deadline(void *serving)
{
	return serve_deadline(((struct serving *)serving)->serve);
}

static void serving_run(void *serving, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct serving *s = serving;

	(void)fds;
	(void)count;
	if (!s->over)
		serve_run(s->serve, now_ms);
}

static void serving_take_signals(void *serving, struct signals came)
{
	struct serving *s = serving;

	s->over |= came.terminate || came.interrupt;
}

static int serving_until_stopped(struct serving *s)
{
	struct http *http = http_new();
	struct loop *loop = loop_new(http);
	struct signals_listener listener = { serving_take_signals, s };
	struct loop_member signals = signals_member(&listener);
	struct output out;

	output_init(&out, STDOUT_FILENO);
	output_printf(&out, "http://127.0.0.1:%u\n", serve_port(s->serve));
	loop_add(loop, &signals);
	loop_add(loop, &(struct loop_member){ s, serving_fds, serving_deadline, serving_run });
	while (!s->over)
		loop_turn(loop);
	loop_free(loop);
	http_free(http);
	return EXIT_DONE;
}

static bool serving_open_tapes(struct serving *s, const struct options *o, struct error *err)
{
	s->tapes = mem_new(o->argument_count * sizeof *s->tapes);
	for (; s->count < o->argument_count; s->count++)
		if (!tape_open(&s->tapes[s->count], o->arguments[s->count], err))
			return false;
	return true;
}

int run_serve(const struct options *o)
{
	struct serving s = { 0 };
	struct fault fault;
	struct error err;
	int status;

	fault_init(&fault);
	if (!o->argument_count)
		return usage_error("serve needs at least one FILE, a saved stream");
	if (!fault_read(&fault, str_from(o->fault), &err))
		return usage_error("%s", err.text);
	if (!serving_open_tapes(&s, o, &err)) {
		status = usage_error("%s", err.text);
		goto out;
	}
	/* Opened only now, so that a signal ends the reading of large files, but before the first line is printed: its reader may send a
	 * signal immediately. */
	signals_open();
	if (!serve_open(&s.serve, o->port, o->speed, serving_choose_next, &s, &err)) {
		complain("%s", err.text);
		status = EXIT_LOCAL;
	} else {
		serve_set_fault(s.serve, &fault);
		status = serving_until_stopped(&s);
	}
out:
	serve_free(s.serve);
	for (size_t i = 0; i < s.count; i++)
		tape_free(s.tapes[i]);
	mem_free(s.tapes);
	signals_close();
	return status;
}
