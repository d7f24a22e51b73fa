#include "wire/summary.h"

#include "base/array.h"
#include "base/mem.h"
#include "wire/delta_write.h"

struct summary_call {
	struct buf id, name, arguments;
	bool has_id, valid;
};

struct summary_media {
	struct media_facts facts;   /* borrows from the texts */
	struct buf id, type, url, sha256, text;
	bool has_text;
};

struct summary_server_tool {
	struct buf id, name, input, output;
	bool has_output;
	enum server_tool_state state;
};

struct summary_notice {
	char *rule, *text;
};

struct summary {
	enum outcome outcome;
	struct buf id, model, text, reasoning, refusal, finish;
	struct summary_call *calls;
	size_t call_count, call_capacity;
	struct summary_media *media;
	size_t media_count, media_capacity;
	struct summary_server_tool *server_tools;
	size_t server_tool_count, server_tool_capacity;
	struct summary_notice *notices;
	size_t notice_count, notice_capacity;
	bool has_usage, has_route, has_error;
	struct usage usage;
	struct route route;          /* borrows from routed_model */
	struct buf routed_model;
	struct error_report error;   /* borrows from message, type and code */
	struct buf message, type, code;
};

struct summary *summary_new(void)
{
	struct summary *s = mem_new(sizeof *s);
	struct buf *const bufs[] = { &s->id, &s->model, &s->text, &s->reasoning, &s->refusal, &s->finish, &s->routed_model,
	                             &s->message, &s->type, &s->code };

	for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
		buf_init(bufs[i], BUF_LIMIT_DEFAULT + (1 << 20));
	return s;
}

static void summary_drop_calls(struct summary *s)
{
	for (size_t i = 0; i < s->call_count; i++) {
		buf_fini(&s->calls[i].id);
		buf_fini(&s->calls[i].name);
		buf_fini(&s->calls[i].arguments);
	}
	s->call_count = 0;
}

static void summary_drop_media(struct summary *s)
{
	for (size_t i = 0; i < s->media_count; i++) {
		struct summary_media *m = &s->media[i];
		struct buf *const bufs[] = { &m->id, &m->type, &m->url, &m->sha256, &m->text };

		for (size_t b = 0; b < ARRAY_LEN(bufs); b++)
			buf_fini(bufs[b]);
	}
	s->media_count = 0;
}

static void summary_drop_server_tools(struct summary *s)
{
	for (size_t i = 0; i < s->server_tool_count; i++) {
		struct summary_server_tool *tool = &s->server_tools[i];
		struct buf *const bufs[] = { &tool->id, &tool->name, &tool->input, &tool->output };

		for (size_t b = 0; b < ARRAY_LEN(bufs); b++)
			buf_fini(bufs[b]);
	}
	s->server_tool_count = 0;
}

void summary_free(struct summary *s)
{
	if (!s)
		return;
	struct buf *const bufs[] = { &s->id, &s->model, &s->text, &s->reasoning, &s->refusal, &s->finish, &s->routed_model,
	                             &s->message, &s->type, &s->code };
	for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
		buf_fini(bufs[i]);
	summary_drop_calls(s);
	summary_drop_media(s);
	summary_drop_server_tools(s);
	mem_free(s->calls);
	mem_free(s->media);
	mem_free(s->server_tools);
	for (size_t i = 0; i < s->notice_count; i++) {
		mem_free(s->notices[i].rule);
		mem_free(s->notices[i].text);
	}
	mem_free(s->notices);
	mem_free(s);
}

static void summary_set(struct buf *buf, struct str text)
{
	buf_clear(buf);
	buf_add(buf, text);
}

/* Copies a text into a buffer and returns a view of the copy. STR_NONE stays STR_NONE. */
static struct str summary_copy(struct buf *buf, struct str text)
{
	summary_set(buf, text);
	return text.ptr ? (text.len ? buf_str(buf) : STR("")) : STR_NONE;
}

static void summary_restart(struct summary *s)
{
	summary_drop_calls(s);
	summary_drop_media(s);
	summary_drop_server_tools(s);
	buf_clear(&s->id);
	buf_clear(&s->model);
	buf_clear(&s->text);
	buf_clear(&s->reasoning);
	buf_clear(&s->refusal);
	s->has_usage = s->has_route = false;
}

static struct summary_call *summary_call_at(struct summary *s, unsigned index)
{
	while (index >= s->call_count) {
		mem_reserve(&s->calls, &s->call_capacity, s->call_count + 1, sizeof *s->calls);
		struct summary_call *call = &s->calls[s->call_count++];
		*call = (struct summary_call){ 0 };
	}
	return &s->calls[index];
}

static void summary_take_call(struct summary *s, const struct delta *d)
{
	struct summary_call *call = summary_call_at(s, d->tool.index);

	call->has_id = d->tool.id.ptr;
	call->valid = d->tool.valid;
	summary_set(&call->id, d->tool.id);
	summary_set(&call->name, d->tool.name);
	summary_set(&call->arguments, d->text);
}

static struct summary_media *summary_media_at(struct summary *s, unsigned index)
{
	while (index >= s->media_count) {
		mem_reserve(&s->media, &s->media_capacity, s->media_count + 1, sizeof *s->media);
		s->media[s->media_count++] = (struct summary_media){ .has_text = false };
	}
	return &s->media[index];
}

static void summary_take_media(struct summary *s, const struct delta *d)
{
	struct summary_media *m = summary_media_at(s, d->media.index);
	const struct media_facts *facts = &d->media.facts;

	m->facts = *facts;
	m->facts.id = summary_copy(&m->id, facts->id);
	m->facts.type = summary_copy(&m->type, facts->type);
	m->facts.url = summary_copy(&m->url, facts->url);
	m->facts.sha256 = summary_copy(&m->sha256, facts->sha256);
	m->has_text = d->text.ptr;
	summary_set(&m->text, d->text);
}

static struct summary_server_tool *summary_server_tool_at(struct summary *s, unsigned index)
{
	while (index >= s->server_tool_count) {
		mem_reserve(&s->server_tools, &s->server_tool_capacity, s->server_tool_count + 1, sizeof *s->server_tools);
		s->server_tools[s->server_tool_count++] = (struct summary_server_tool){ .has_output = false };
	}
	return &s->server_tools[index];
}

static void summary_take_server_tool(struct summary *s, const struct delta *d)
{
	struct summary_server_tool *tool = summary_server_tool_at(s, d->server_tool.index);

	tool->state = d->server_tool.state;
	tool->has_output = d->server_tool.output.ptr;
	summary_set(&tool->id, d->server_tool.id);
	summary_set(&tool->name, d->server_tool.name);
	summary_set(&tool->input, d->text);
	summary_set(&tool->output, d->server_tool.output);
}

/* The notice "stalled" names the limit that was exceeded. It is omitted, because decoding a tape of the stream cannot reproduce it. */
static void summary_take_notice(struct summary *s, const struct delta *d)
{
	if (str_is(d->notice.rule, "stalled"))
		return;
	mem_reserve(&s->notices, &s->notice_capacity, s->notice_count + 1, sizeof *s->notices);
	s->notices[s->notice_count++] = (struct summary_notice){ str_dup(d->notice.rule), str_dup(d->notice.text) };
}

static void summary_take_route(struct summary *s, const struct delta *d)
{
	s->has_route = true;
	s->route = d->route;
	s->route.routed_model = summary_copy(&s->routed_model, d->route.routed_model);
}

static void summary_take_error(struct summary *s, const struct delta *d)
{
	s->has_error = true;
	s->error = (struct error_report){
		.message = summary_copy(&s->message, d->error.message),
		.type = summary_copy(&s->type, d->error.type),
		.code = summary_copy(&s->code, d->error.code),
		.status = d->error.status,
	};
}

void summary_delta(void *summary, const struct delta *d)
{
	struct summary *s = summary;

	switch (d->kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		summary_set(&s->id, d->meta.id);
		summary_set(&s->model, d->meta.model);
		break;
	case DELTA_TEXT:
		buf_add(&s->text, d->text);
		break;
	case DELTA_REASONING:
		buf_add(&s->reasoning, d->text);
		break;
	case DELTA_REFUSAL:
		buf_add(&s->refusal, d->text);
		break;
	case DELTA_TOOL_END:
		summary_take_call(s, d);
		break;
	case DELTA_MEDIA_END:
		summary_take_media(s, d);
		break;
	case DELTA_SERVER_TOOL_END:
		summary_take_server_tool(s, d);
		break;
	case DELTA_USAGE:
		s->has_usage = true;
		s->usage = d->usage;
		break;
	case DELTA_ROUTE:
		summary_take_route(s, d);
		break;
	case DELTA_NOTICE:
		summary_take_notice(s, d);
		break;
	case DELTA_RESTART:
		summary_restart(s);
		break;
	case DELTA_FINISH:
		summary_set(&s->finish, d->finish.reason);
		break;
	case DELTA_ERROR:
		summary_take_error(s, d);
		break;
	case DELTA_END:
		s->outcome = d->end.outcome;
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_OPAQUE:
	case DELTA_CITATION:
		break;
	}
}

enum outcome summary_outcome(const struct summary *s)
{
	return s->outcome;
}

struct str summary_text(const struct summary *s)
{
	return buf_str(&s->text);
}

struct str summary_finish(const struct summary *s)
{
	return s->finish.len ? buf_str(&s->finish) : STR_NONE;
}

const struct media_facts *summary_media(const struct summary *s, size_t index)
{
	return index < s->media_count ? &s->media[index].facts : NULL;
}

const struct error_report *summary_error(const struct summary *s)
{
	return s->has_error ? &s->error : NULL;
}

static struct str or_null(const struct buf *buf)
{
	return buf->len ? buf_str(buf) : STR_NONE;
}

static void summary_write_calls(struct json_writer *w, const struct summary *s)
{
	json_key(w, "tool_calls");
	json_open_array(w);
	for (size_t i = 0; i < s->call_count; i++) {
		const struct summary_call *call = &s->calls[i];

		json_open_object(w);
		json_member_string_or_null(w, "id", call->has_id ? buf_str(&call->id) : STR_NONE);
		json_member_string(w, "name", buf_str(&call->name));
		json_member_string(w, "arguments", buf_str(&call->arguments));
		json_member_boolean(w, "valid", call->valid);
		json_close_object(w);
	}
	json_close_array(w);
}

static void summary_write_media(struct json_writer *w, const struct summary *s)
{
	json_key(w, "media");
	json_open_array(w);
	for (size_t i = 0; i < s->media_count; i++) {
		json_open_object(w);
		delta_write_media(w, &s->media[i].facts, s->media[i].has_text ? buf_str(&s->media[i].text) : STR_NONE);
		json_close_object(w);
	}
	json_close_array(w);
}

static void summary_write_server_tools(struct json_writer *w, const struct summary *s)
{
	json_key(w, "server_tools");
	json_open_array(w);
	for (size_t i = 0; i < s->server_tool_count; i++) {
		const struct summary_server_tool *tool = &s->server_tools[i];
		struct str output = tool->output.len ? buf_str(&tool->output) : STR("");

		json_open_object(w);
		json_member_string_or_null(w, "id", or_null(&tool->id));
		json_member_string(w, "name", buf_str(&tool->name));
		json_member_string(w, "input", buf_str(&tool->input));
		delta_write_server_tool_result(w, tool->state, tool->has_output ? output : STR_NONE);
		json_close_object(w);
	}
	json_close_array(w);
}

static void summary_write_notices(struct json_writer *w, const struct summary *s)
{
	json_key(w, "notices");
	json_open_array(w);
	for (size_t i = 0; i < s->notice_count; i++) {
		json_open_object(w);
		json_member_string(w, "rule", str_from(s->notices[i].rule));
		json_member_string(w, "text", str_from(s->notices[i].text));
		json_close_object(w);
	}
	json_close_array(w);
}

/* Writes a member that is an object or null. True if the object was opened. */
static bool open_or_null(struct json_writer *w, const char *key, bool present)
{
	json_key(w, key);
	if (present)
		json_open_object(w);
	else
		json_null(w);
	return present;
}

void summary_write(const struct summary *s, struct str protocol, struct str dialect, struct buf *out)
{
	struct json_writer writer, *w = &writer;

	json_writer_init(w, out);
	json_open_object(w);
	json_member_string_or_null(w, "protocol", protocol.len ? protocol : STR_NONE);
	json_member_string(w, "dialect", dialect);
	json_member_string(w, "outcome", str_from(outcome_name(s->outcome)));
	json_member_string_or_null(w, "finish_reason", or_null(&s->finish));
	json_member_string_or_null(w, "id", or_null(&s->id));
	json_member_string_or_null(w, "model", or_null(&s->model));
	json_member_string(w, "text", buf_str(&s->text));
	json_member_string(w, "reasoning", buf_str(&s->reasoning));
	json_member_string(w, "refusal", buf_str(&s->refusal));
	summary_write_calls(w, s);
	if (open_or_null(w, "usage", s->has_usage)) {
		delta_write_usage(w, &s->usage);
		json_close_object(w);
	}
	if (open_or_null(w, "route", s->has_route)) {
		delta_write_route(w, &s->route);
		json_close_object(w);
	}
	summary_write_media(w, s);
	summary_write_server_tools(w, s);
	if (open_or_null(w, "error", s->has_error)) {
		delta_write_error(w, "type", &s->error);
		json_close_object(w);
	}
	summary_write_notices(w, s);
	json_close_object(w);
}
