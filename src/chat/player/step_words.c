#include "chat/player/step_words.h"

#define NAME_BYTES 100u

static struct str step_cut(struct str text)
{
	return str_head(text, NAME_BYTES);
}

static void step_write_run(const struct tape_step *step, struct buf *out)
{
	static const char *const what[] = {
		[TAPE_RUN_OUTPUT] = "output", [TAPE_RUN_ERRORS] = "standard error", [TAPE_RUN_PROGRESS] = "progress",
	};
	const struct tape_run *run = step->run;
	struct error words; /* error_set() makes one line of UTF-8 without control bytes */

	if (run->kind == TAPE_RUN_BEGUN)
		error_set(&words, "%u begins: %.*s (%.*s)", run->number, STR_ARG(step_cut(run->name)), STR_ARG(step_cut(run->origin)));
	else if (run->kind == TAPE_RUN_ENDED)
		error_set(&words, "%u ends: %.*s after %.0f ms", run->number, STR_ARG(step_cut(run->state)), run->ms);
	else
		error_set(&words, "%u %s: %.*s", run->number, what[run->kind], STR_ARG(step_cut(step->bytes)));
	buf_add_z(out, words.text);
}

void step_write_words(const struct tape_step *step, struct said *said, struct buf *out)
{
	struct error server;

	if (step->kind == TAPE_RUN) {
		step_write_run(step, out);
		return;
	}
	if (step->run) {
		error_set(&server, "%.*s: ", STR_ARG(step_cut(step->run->name)));
		buf_add_z(out, server.text);
	}
	(void)said_read(said, step->kind == TAPE_SENT, step->bytes, false, out);
}
