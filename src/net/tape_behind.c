/* Reads the lines behind the end of a tape: what ran (tape.h, tape_inside.h). */
#include "net/tape_inside.h"

#include "base/base64.h"
#include "base/mem.h"

/* What a run said, as text or coded. False: neither. */
static bool behind_text(struct tape_reader *r, const struct json *value, struct str *text)
{
	struct str coded = json_get_text(value, "b64");

	*text = json_get_text(value, "text");
	if (text->ptr)
		return true;
	buf_clear(&r->scratch);
	*text = coded.ptr && base64_decode(coded, &r->scratch) ? buf_str(&r->scratch) : STR_NONE;
	return coded.ptr && (text->ptr || !coded.len);
}

static bool behind_output(struct tape_reader *r, const struct json *value, struct tape_step *step, struct tape_run *run)
{
	static const char *const from[] = { [TAPE_RUN_OUTPUT] = "output", [TAPE_RUN_ERRORS] = "errors", [TAPE_RUN_PROGRESS] = "progress" };

	for (run->kind = TAPE_RUN_OUTPUT; run->kind <= TAPE_RUN_PROGRESS; run->kind++)
		if (str_is(json_get_text(value, "from"), from[run->kind]))
			return behind_text(r, value, &step->bytes);
	return false;
}

static bool behind_run(struct tape_reader *r, const struct json *value, struct tape_step *step, struct tape_run *run)
{
	int64_t call, number;
	double ms;

	step->kind = TAPE_RUN;
	if (!json_count(json_get(value, "run"), &number) || !number || number > TAPE_RUNS_MOST)
		return false;
	run->number = (uint32_t)number;
	if (json_get_text(value, "from").ptr)
		return behind_output(r, value, step, run);
	run->state = tape_keep(r->tape, json_get_text(value, "state"));
	if (run->state.ptr) {
		run->kind = TAPE_RUN_ENDED;
		run->ms = json_number(json_get(value, "ms"), &ms) && ms > 0 && ms < TAPE_LATEST_MS ? ms : 0;
		step->bytes = json_get_text(value, "result");
		return true;
	}
	if (!json_count(json_get(value, "call"), &call) || call > UINT32_MAX)
		return false;
	run->call = (uint32_t)call;
	run->name = tape_keep(r->tape, json_get_text(value, "name"));
	run->id = tape_keep(r->tape, json_get_text(value, "id"));
	run->origin = tape_keep(r->tape, json_get_text(value, "origin"));
	step->bytes = json_get_text(value, "arguments");
	return run->name.ptr != NULL;
}

static bool behind_message(struct tape_reader *r, const struct json *value, struct tape_step *step, struct tape_run *run)
{
	struct str out = json_get_text(value, "out"), in = json_get_text(value, "in");

	run->name = tape_keep(r->tape, json_get_text(value, "mcp"));
	step->kind = out.ptr ? TAPE_SENT : TAPE_CAME;
	step->bytes = out.ptr ? out : in;
	return run->name.ptr && step->bytes.ptr;
}

/* A session with an MCP server is over at its end. */
bool tape_read_behind(struct tape_reader *r, struct str line, size_t number)
{
	size_t used = 0;
	const struct json *value = str_is_blank(line) ? NULL : json_parse(r->parser, line, &used);
	struct tape_step step = { .at_ms = r->at_ms, .line = r->tape->archived ? 0 : number };
	struct tape_run run = { 0 };
	double t;

	if (str_is_blank(line))
		return true;
	if (str_is(r->tape->facts.protocol, "mcp") || json_kind(value) != JSON_OBJECT || !str_is_blank(str_skip(line, used)))
		return false;
	if (json_number(json_get(value, "t"), &t) && t > step.at_ms)
		step.at_ms = t < TAPE_LATEST_MS ? t : TAPE_LATEST_MS;
	if (!(json_get(value, "run") ? behind_run : behind_message)(r, value, &step, &run))
		return false;
	step.bytes = tape_keep(r->tape, step.bytes);
	struct tape_run *kept = mem_new(sizeof *kept);
	*kept = run;
	step.run = kept;
	if (!tape_add_step(r->tape, &step)) {
		mem_free(kept);
		return false;
	}
	r->at_ms = step.at_ms;
	r->tape->behind++;
	return true;
}
