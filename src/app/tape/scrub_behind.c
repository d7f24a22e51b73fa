/* Scrubs what stands behind the end of a tape: runs of tools, and messages of MCP servers (tape_inside.h). */
#include "app/tape/tape_inside.h"

#include "base/array.h"
#include "base/json_scan.h"
#include "base/utf8.h"
#include "net/tape_lines.h"

/* Text as valid UTF-8. */
static void behind_text(struct str text, struct buf *out)
{
	struct buf repaired;

	buf_init(&repaired, 3 * text.len + 1);
	(void)utf8_repair(text, &repaired);
	scrub_text(buf_str(&repaired), out);
	buf_fini(&repaired);
}

#define OF_USER "{\"arguments\":"

/* JSON that is the user's, down to its keys and numbers, as in the arguments of a call. */
static void behind_value(const struct scrub *s, struct str json, struct buf *out)
{
	struct buf whole, scrubbed;

	buf_init(&whole, TAPE_LIMIT);
	buf_init(&scrubbed, TAPE_LIMIT);
	if (json_scan_is_whole(json)) {
		buf_printf(&whole, OF_USER "%.*s}", STR_ARG(json));
		scrub_json(s, buf_str(&whole), &scrubbed);
		buf_add(out, str_skip(str_head(buf_str(&scrubbed), scrubbed.len - 1), sizeof OF_USER - 1));
	} else {
		behind_text(json, out);
	}
	buf_fini(&whole);
	buf_fini(&scrubbed);
}

static bool is_of(struct str text, const char *const *names)
{
	while (*names && !str_is(text, *names))
		names++;
	return *names;
}

static const char *const members[] = { "jsonrpc", "id", "method", "params", "result", "error", NULL };
static const char *const states[] = { "ok", "error", "refused", "timeout", "cut", NULL };
static const char *const methods[] = {
	"server/discover", "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
	"resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel",
	"elicitation/create", "sampling/createMessage", "roots/list", "subscriptions/listen", "notifications/initialized",
	"notifications/cancelled", "notifications/progress", "notifications/message", "notifications/tools/list_changed",
	"notifications/resources/list_changed", "notifications/resources/updated", "notifications/prompts/list_changed",
	"notifications/roots/list_changed", NULL,
};

/* Whether a member of a message is the specification's alone. */
static bool member_stays(struct str key, struct str value)
{
	bool is_string = str_starts(value, "\"") && value.len > 1;
	struct str inside = is_string ? str_head(str_skip(value, 1), value.len - 2) : value;

	if (str_is(key, "jsonrpc"))
		return str_is(inside, "2.0");
	if (str_is(key, "method"))
		return is_of(inside, methods);
	return str_is(key, "id") && value.len && (*value.ptr == '-' || (*value.ptr >= '0' && *value.ptr <= '9')); /* an object can hold anything */
}

/* What JSON-RPC and the specification say stays, the rest is the user's. */
static void behind_message(const struct scrub *s, struct str text, struct buf *out)
{
	struct json_spans spans;
	struct str key, value;
	const char *comma = "{";

	text = str_trim_start(text);
	if (!json_scan_is_whole(text) || !str_starts(text, "{")) {
		behind_text(text, out);
		return;
	}
	spans = json_spans_of(text);
	while (json_spans_next(&spans, &key, &value)) {
		if (!is_of(key, members))
			continue; /* nothing of the specification */
		buf_printf(out, "%s\"%.*s\":", comma, STR_ARG(key));
		comma = ",";
		if (member_stays(key, value))
			buf_add(out, value);
		else
			behind_value(s, value, out);
	}
	buf_add_z(out, *comma == '{' ? "{}" : "}");
}

static void behind_origin(const struct scrub *s, struct str origin, struct buf *out)
{
	if (str_starts(origin, "mcp ")) {
		buf_add(out, str_head(origin, 4));
		scrub_name(s, str_skip(origin, 4), out);
	} else if (str_is(origin, "settings") || str_is(origin, "built-in")) {
		buf_add(out, origin);
	} else {
		scrub_name(s, origin, out);
	}
}

void tape_scrub_behind(const struct scrub *s, const struct tape_step *step, struct buf *out)
{
	struct buf name, id, origin, state, bytes, *const all[] = { &name, &id, &origin, &state, &bytes };
	struct tape_run run = *step->run;
	struct tape_step scrubbed = *step;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		buf_init(all[i], TAPE_LIMIT);
	scrub_name(s, run.name, &name);
	scrub_id(s, run.id, &id);
	behind_origin(s, run.origin, &origin);
	if (is_of(run.state, states))
		buf_add(&state, run.state);
	else
		scrub_text(run.state, &state);
	if (step->kind != TAPE_RUN)
		behind_message(s, step->bytes, &bytes);
	else if (run.kind == TAPE_RUN_BEGUN)
		behind_value(s, step->bytes, &bytes);
	else
		behind_text(step->bytes, &bytes);
	run.name = buf_str(&name);
	run.id = buf_str(&id);
	run.origin = buf_str(&origin);
	run.state = buf_str(&state);
	scrubbed.run = &run;
	scrubbed.bytes = buf_str(&bytes);
	tape_line_behind(out, &scrubbed);
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		buf_fini(all[i]);
}
