#include "app/tools/tool_run.h"

#include <assert.h>
#include <string.h>

#include "app/tools/tool_remote.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "store/config/tool_words.h"

#define RESULT_SPARE 1024 /* for the words around the output */

const char *tool_outcome_name(enum tool_outcome outcome)
{
	static const char *const names[] = {
		[TOOL_RUN_OK] = "ok", [TOOL_RUN_ERROR] = "error", [TOOL_RUN_REFUSED] = "refused",
		[TOOL_RUN_TIMEOUT] = "timeout", [TOOL_RUN_CUT] = "cut",
	};

	return names[outcome];
}

/* --- what it writes --- */

static void run_take(struct tool_run *run, struct buf *into, struct str bytes)
{
	size_t room = buf_limit(&run->output) - run->output.len - run->errors.len;
	struct str kept = str_head(bytes, room);

	buf_add(into, kept);
	run->left_out += bytes.len - kept.len;
	run->news |= bytes.len > 0;
}

static void run_output(void *ctx, struct str bytes)
{
	struct tool_run *run = ctx;

	run_take(run, &run->output, bytes);
}

static void run_errors(void *ctx, struct str bytes)
{
	struct tool_run *run = ctx;

	run_take(run, &run->errors, bytes);
}

/* --- its end --- */

static void run_end_line(struct buf *out)
{
	if (out->len && out->ptr[out->len - 1] != '\n')
		buf_add_byte(out, '\n');
}

static void run_write_result(struct tool_run *run, struct child_end end)
{
	struct buf *out = &run->result;

	buf_init(out, 4 * buf_limit(&run->output) + RESULT_SPARE);
	(void)utf8_repair(buf_str(&run->output), out);
	if (run->errors.len) {
		run_end_line(out);
		buf_add_z(out, "[standard error]\n");
		(void)utf8_repair(buf_str(&run->errors), out);
	}
	if (run->left_out || run->late || run->stopped || end.signal || end.status)
		run_end_line(out);
	if (run->left_out)
		buf_printf(out, "[%zu bytes left out]\n", run->left_out);
	if (run->stopped)
		buf_add_z(out, "[stopped by the user]\n");
	else if (run->late)
		buf_printf(out, "[ended after %lld s, its limit]\n", (long long)run->timeout_ms / 1000);
	else if (end.signal)
		buf_printf(out, "[ended by signal %d]\n", end.signal);
	else if (end.status)
		buf_printf(out, "[exit status %d]\n", end.status);
	run->outcome = run->stopped ? TOOL_RUN_CUT : run->late ? TOOL_RUN_TIMEOUT : end.signal || end.status ? TOOL_RUN_ERROR : TOOL_RUN_OK;
}

static void run_over(struct tool_run *run)
{
	run->runs = false;
	run->ended_ms = clock_now_ms();
	run->news = true;
}

static void run_fail(struct tool_run *run, const char *why)
{
	buf_init(&run->result, RESULT_SPARE);
	buf_printf(&run->result, "It could not be run: %s.", why);
	run->outcome = TOOL_RUN_ERROR;
	run_over(run);
}

static void run_ended(void *ctx, int failure, struct child_end end)
{
	struct tool_run *run = ctx;

	if (failure) {
		struct error err;

		(void)!error_set(&err, "%s: %s", run->what, strerror(failure));
		run_fail(run, err.text);
		return;
	}
	run_write_result(run, end);
	run_over(run);
}

/* --- its life --- */

static void run_answer(struct tool_run *run, const struct tool_plan *plan)
{
	buf_init(&run->result, plan->output_bytes ? plan->output_bytes : TOOL_OUTPUT_BYTES);
	run->outcome = plan->answer(str_from(plan->arguments), &run->result) ? TOOL_RUN_OK : TOOL_RUN_ERROR;
	run_over(run);
}

/* --- a tool of an MCP server --- */

static void run_progress(void *ctx, const struct mcp_progress *progress)
{
	struct tool_run *run = ctx;

	tool_remote_write_progress(progress, &run->output);
	tool_remote_write_share(progress, run->share, sizeof run->share);
	run->news = true;
}

static void run_answered(void *ctx, const struct mcp_answer *answer)
{
	struct tool_run *run = ctx;

	buf_init(&run->result, 4 * buf_limit(&run->output) + RESULT_SPARE);
	run->outcome = tool_remote_write_result(answer, &(struct tool_remote_limits){
		.output_schema = str_from(run->output_schema), .text_bytes = buf_limit(&run->output), .media_bytes = run->media_bytes,
	}, &run->media, &run->result);
	run_over(run);
}

static void run_call(struct tool_run *run, const struct tool_plan *plan)
{
	const struct mcp_call_sink sink = { .ctx = run, .progress = run_progress, .ended = run_answered };
	struct error err;

	buf_init(&run->output, plan->output_bytes);
	run->deadline_ms = NO_DEADLINE; /* progress extends the time of a call */
	run->output_schema = mem_dup_z(plan->output_schema);
	run->media_bytes = plan->media_bytes;
	if (!mcp_call_start(&run->call, plan->hub, plan->server, plan->remote, plan->shown, plan->arguments, &sink, &err))
		run_fail(run, err.text);
}

static void run_cancel(struct tool_run *run)
{
	mcp_call_cancel(&run->call, STR("the user stopped it"));
	buf_init(&run->result, RESULT_SPARE);
	buf_add_z(&run->result, "[stopped by the user]\n");
	run->outcome = TOOL_RUN_CUT;
	run_over(run);
}

/* --- start and end --- */

void tool_run_start(struct tool_run *run, const struct tool_plan *plan)
{
	const struct supervised_sink sink = { .ctx = run, .output = run_output, .errors = run_errors, .ended = run_ended };
	struct error err;
	struct buf what = { 0 };

	assert(!run->runs && !run->ended_ms);
	run->begun_ms = clock_now_ms();
	run->timeout_ms = plan->timeout_ms;
	run->deadline_ms = run->begun_ms + plan->timeout_ms;
	run->runs = true;
	if (plan->answer) {
		run_answer(run, plan);
		return;
	}
	if (plan->hub) {
		run_call(run, plan);
		return;
	}
	buf_printf(&what, plan->folder ? "%s in %s" : "%s", plan->words[0], plan->folder);
	run->what = buf_take(&what);
	buf_init(&run->output, plan->output_bytes);
	buf_init(&run->errors, plan->output_bytes);
	const struct supervised_options options = {
		.argv = (const char *const *)plan->words, .folder = plan->folder, .variables = (const char *const *)plan->variables,
	};
	const char *moved = tool_words_moved(plan->paths);
	if (moved) { /* since it was shown: a link in its place could lead anywhere */
		error_set(&err, "%s is no longer the file that was shown", moved);
		run_fail(run, err.text);
		return;
	}
	if (!supervised_start(&run->process, &options, &sink, &err)) {
		run_fail(run, err.text);
		return;
	}
	if (plan->input)
		(void)!supervised_write(&run->process, str_from(plan->input)); /* one that reads nothing goes without */
	supervised_end_input(&run->process);
}

void tool_run_stop(struct tool_run *run)
{
	if (!run->runs)
		return;
	run->stopped = true;
	if (run->call.on) {
		run_cancel(run);
		return;
	}
	supervised_stop(&run->process);
}

void tool_run_fini(struct tool_run *run)
{
	mcp_call_cancel(&run->call, STR("the user went on"));
	supervised_fini(&run->process);
	mem_free(run->output_schema);
	mem_free(run->what);
	buf_fini(&run->output);
	buf_fini(&run->errors);
	buf_fini(&run->result);
	media_keeper_fini(&run->media);
	*run = (struct tool_run){ 0 };
}

double tool_run_ms(const struct tool_run *run, int64_t now_ms)
{
	return run->begun_ms ? (double)((run->ended_ms ? run->ended_ms : now_ms) - run->begun_ms) : 0;
}

/* --- the loop --- */

size_t tool_run_fds(const struct tool_run *run, struct pollfd *fds, size_t room)
{
	return run->runs && !run->call.on ? supervised_fds(&run->process, fds, room) : 0;
}

int64_t tool_run_deadline(const struct tool_run *run, int64_t now_ms)
{
	if (run->news && !run->process.runs) /* of a call: the hub ran after whoever asks */
		return now_ms;
	int64_t process_ms = run->runs && !run->call.on ? supervised_deadline(&run->process, now_ms) : NO_DEADLINE;

	return run->runs && !run->late && run->deadline_ms < process_ms ? run->deadline_ms : process_ms;
}

void tool_run_turn(struct tool_run *run, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	if (!run->runs || run->call.on)
		return;
	if (!run->late && now_ms >= run->deadline_ms) {
		run->late = true;
		supervised_stop(&run->process);
	}
	supervised_run(&run->process, fds, count, now_ms);
}
