#include "app/session/played_runs.h"

#include "base/array.h"
#include "base/mem.h"

static const struct { const char *name, *word; enum call_run state; } outcomes[] = {
	{ "ok", "ok", CALL_RUN_RAN }, { "error", "failed", CALL_RUN_FAILED }, { "refused", "not run", CALL_RUN_REFUSED },
	{ "timeout", "too late", CALL_RUN_LATE }, { "cut", "stopped", CALL_RUN_STOPPED },
};

static const char *run_word(const struct played_run *run)
{
	for (size_t i = 0; run->ended && i < ARRAY_LEN(outcomes); i++)
		if (outcomes[i].state == run->state)
			return outcomes[i].word;
	return "running";
}

void played_runs_fini(struct played_runs *r)
{
	for (size_t i = 0; i < r->count; i++) {
		mem_free(r->items[i].name);
		buf_fini(&r->items[i].output);
	}
	mem_free(r->items);
	*r = (struct played_runs){ 0 };
}

static struct played_run *runs_find(struct played_runs *r, uint32_t number)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->items[i].number == number)
			return &r->items[i];
	return NULL;
}

static void runs_begin(struct played_runs *r, const struct tape_step *step)
{
	struct played_run *run = runs_find(r, step->run->number);
	struct error name; /* error_set() makes one line of UTF-8 without control bytes */

	if (!run && r->count == PLAYED_RUNS_MOST)
		return;
	if (!run) {
		run = ARRAY_ADD(r->items, r->count, r->capacity);
		*run = (struct played_run){ .number = step->run->number };
	}
	error_set(&name, "%.*s", STR_ARG(step->run->name));
	mem_free(run->name);
	buf_fini(&run->output);
	*run = (struct played_run){ .number = step->run->number, .call = step->run->call, .name = mem_dup_z(name.text), .begun_ms = step->at_ms,
	                            .state = CALL_RUN_RUNS };
}

/* What it writes is added to what it wrote; progress and the result replace it. */
static void run_write(struct played_run *run, struct str bytes, bool replaces)
{
	if (replaces)
		buf_clear(&run->output);
	if (bytes.len > PLAYED_OUTPUT_BYTES)
		bytes = str_skip(bytes, bytes.len - PLAYED_OUTPUT_BYTES);
	if (run->output.len + bytes.len > PLAYED_OUTPUT_BYTES)
		buf_drop(&run->output, run->output.len + bytes.len - PLAYED_OUTPUT_BYTES);
	buf_add(&run->output, bytes);
}

static void run_end(struct played_run *run, const struct tape_run *end)
{
	run->ended = true;
	run->ms = end->ms;
	run->state = CALL_RUN_FAILED;
	for (size_t i = 0; i < ARRAY_LEN(outcomes); i++)
		if (str_is(end->state, outcomes[i].name))
			run->state = outcomes[i].state;
}

static void runs_take(struct played_runs *r, const struct tape_step *step)
{
	struct played_run *run;

	if (step->kind != TAPE_RUN)
		return;
	if (step->run->kind == TAPE_RUN_BEGUN) {
		runs_begin(r, step);
		return;
	}
	run = runs_find(r, step->run->number);
	if (!run || run->ended)
		return;
	run_write(run, step->bytes, step->run->kind == TAPE_RUN_PROGRESS || step->run->kind == TAPE_RUN_ENDED);
	if (step->run->kind == TAPE_RUN_ENDED)
		run_end(run, step->run);
}

static void runs_mark(const struct played_runs *r, struct turn *answer)
{
	for (unsigned i = 0; i < turn_call_count(answer); i++)
		turn_call(answer, i)->run = CALL_RUN_NONE;
	for (size_t i = 0; i < r->count; i++) {
		struct part *call = turn_call(answer, r->items[i].call);

		if (!call)
			continue;
		call->run = r->items[i].state;
		call->run_ms = r->items[i].ms;
	}
	answer->revision++;
}

bool played_runs_go(struct played_runs *r, const struct tape *tape, size_t steps, struct turn *answer)
{
	size_t end = tape_length(tape);

	if (steps == r->steps)
		return false;
	if (steps < r->steps)
		played_runs_fini(r);
	for (; r->steps < steps; r->steps++) {
		struct tape_step step = tape_at(tape, end + r->steps);

		runs_take(r, &step);
	}
	runs_mark(r, answer);
	return true;
}

void played_runs_show(const struct played_runs *r, double at_ms, struct view *view)
{
	for (size_t i = r->count > VIEW_RUNS_SHOWN ? r->count - VIEW_RUNS_SHOWN : 0; i < r->count; i++) {
		const struct played_run *run = &r->items[i];

		view->runs[view->run_count++] = (struct view_run){
			.call = run->call, .name = run->name, .state = run_word(run), .output = buf_str(&run->output),
			.ms = run->ended ? run->ms : at_ms > run->begun_ms ? at_ms - run->begun_ms : 0,
		};
	}
}
