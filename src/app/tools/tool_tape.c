#include "app/tools/tool_tape.h"

#include "app/tools/tool_calls.h"
#include "base/mem.h"
#include "wire/mcp/rpc.h"

/* What the tape has of a call. */
struct told_run {
	bool begun, ended;
	size_t output, errors; /* bytes */
	char *progress;        /* NULL: none */
};

void tool_tape_init(struct tool_tape *t, const char *path, double begun_ms, size_t calls)
{
	*t = (struct tool_tape){ .begun_ms = begun_ms > 0 ? begun_ms : 0, .since_ms = clock_precise_ms() };
	if (!path)
		return;
	t->path = mem_dup_z(path);
	t->told = mem_new((calls + 1) * sizeof *t->told);
	t->count = calls;
}

static void tape_close(struct tool_tape *t)
{
	mcp_watch_end(&t->watch);
	(void)!tape_writer_close(t->writer, &t->trouble);
	t->writer = NULL;
}

void tool_tape_fini(struct tool_tape *t)
{
	tape_close(t);
	for (size_t i = 0; i < t->count; i++)
		mem_free(t->told[i].progress);
	mem_free(t->told);
	mem_free(t->path);
	*t = (struct tool_tape){ 0 };
}

/* --- lines --- */

static void tape_give_up(struct tool_tape *t)
{
	tape_close(t);
	mem_free(t->path);
	t->path = NULL;
}

static void tape_add(struct tool_tape *t, struct tape_step *step)
{
	if (t->path && !t->writer && !tape_writer_resume(&t->writer, t->path, TOOL_TAPE_BYTES, &t->trouble))
		tape_give_up(t);
	if (!t->writer)
		return;
	step->at_ms = t->begun_ms + clock_precise_ms() - t->since_ms;
	if (tape_add_behind(t->writer, step))
		return;
	error_set(&t->trouble, "the tape is full: what ran after this is not recorded");
	tape_give_up(t);
}

static void tape_add_run(struct tool_tape *t, struct tape_run *run, struct str bytes)
{
	struct tape_step step = { .kind = TAPE_RUN, .bytes = bytes, .run = run };

	tape_add(t, &step);
}

static bool tape_is_of_others(const struct tool_tape *t, const struct mcp_call *call)
{
	size_t i = 0;

	while (i < t->count && &t->calls[i].run.call != call)
		i++;
	return call && i == t->count;
}

static void tape_message_of_server(void *ctx, const char *server, const struct mcp_call *call, bool sent, struct str text)
{
	if (tape_is_of_others(ctx, call))
		return;
	const struct tape_run run = { .name = str_from(server) };
	struct tape_step step = { .kind = sent ? TAPE_SENT : TAPE_CAME, .bytes = text, .run = &run };
	struct buf plain;

	buf_init(&plain, text.len + 100);
	if (sent) {
		rpc_add_without_answers(&plain, text);
		step.bytes = buf_str(&plain);
	}
	tape_add(ctx, &step);
	buf_fini(&plain);
}

void tool_tape_watch(struct tool_tape *t, struct mcp_hub *hub, const struct tool_call *calls)
{
	if (!t->path)
		return;
	t->calls = calls;
	t->watch.ctx = t;
	t->watch.message = tape_message_of_server;
	mcp_watch_begin(&t->watch, hub);
}

/* --- what is new --- */

static void tape_begin_run(struct tool_tape *t, const struct tool_call *call, unsigned number)
{
	static const char *const origins[] = { [TOOL_OF_SETTINGS] = "settings", [TOOL_BUILT_IN] = "built-in", [TOOL_OF_SERVER] = "mcp " };
	struct buf origin = { 0 };

	buf_printf(&origin, "%s%s", origins[call->tool.source], call->tool.source == TOOL_OF_SERVER && call->plan.server ? call->plan.server : "");
	tape_add_run(t, &(struct tape_run){
		.kind = TAPE_RUN_BEGUN, .number = number, .call = call->call, .name = str_from(call->name), .id = str_from(call->id),
		.origin = str_trim(buf_str(&origin)),
	}, str_from(call->plan.arguments ? call->plan.arguments : call->arguments));
	buf_fini(&origin);
}

static void tape_add_output(struct tool_tape *t, enum tape_run_kind kind, unsigned number, const struct buf *output, size_t *told)
{
	struct str news = str_skip(buf_str(output), *told);

	if (news.len)
		tape_add_run(t, &(struct tape_run){ .kind = kind, .number = number }, news);
	*told += news.len;
}

static void tape_add_progress(struct tool_tape *t, unsigned number, const struct buf *progress, char **told)
{
	if (!progress->len || str_is(buf_str(progress), *told ? *told : ""))
		return;
	str_replace(told, buf_str(progress));
	tape_add_run(t, &(struct tape_run){ .kind = TAPE_RUN_PROGRESS, .number = number }, buf_str(progress));
}

static void tape_note_call(struct tool_tape *t, const struct tool_call *call, struct told_run *told, unsigned number)
{
	if (call->state == TOOL_CALL_ASKS || call->state == TOOL_CALL_WAITS || told->ended)
		return;
	if (!told->begun)
		tape_begin_run(t, call, number);
	told->begun = true;
	if (call->plan.hub) {
		tape_add_progress(t, number, &call->run.output, &told->progress);
	} else {
		tape_add_output(t, TAPE_RUN_OUTPUT, number, &call->run.output, &told->output);
		tape_add_output(t, TAPE_RUN_ERRORS, number, &call->run.errors, &told->errors);
	}
	if (call->state != TOOL_CALL_DONE)
		return;
	told->ended = true;
	tape_add_run(t, &(struct tape_run){
		.kind = TAPE_RUN_ENDED, .number = number, .state = str_from(tool_outcome_name(call->outcome)),
		.ms = tool_run_ms(&call->run, clock_now_ms()),
	}, buf_str(&call->result));
}

void tool_tape_note(struct tool_tape *t, const struct tool_call *calls, size_t count)
{
	bool runs = false;

	for (size_t i = 0; t->path && i < count && i < t->count; i++) {
		tape_note_call(t, &calls[i], &t->told[i], (unsigned)i + 1);
		runs |= calls[i].state == TOOL_CALL_RUNS || calls[i].state == TOOL_CALL_WAITS;
	}
	if (t->writer && runs)
		tape_flush(t->writer);
	else if (t->writer)
		tape_close(t);
}

bool tool_tape_tell(struct tool_tape *t, struct error *trouble)
{
	bool any = *t->trouble.text;

	*trouble = t->trouble;
	*t->trouble.text = '\0';
	return any;
}
