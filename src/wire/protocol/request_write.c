#include "wire/protocol/request_write.h"

#include <math.h>

#include "base/json.h"
#include "base/json_scan.h"
#include "base/utf8.h"

const struct request_part *request_next_part(const struct request_message *message, size_t index)
{
	return index + 1 < message->part_count ? &message->parts[index + 1] : NULL;
}

bool request_is_of_result(const struct request_part *part)
{
	return part->id.len && (part->kind == PART_ATTACHMENT || part->kind == PART_TEXT);
}

const struct request_part *request_next_file(const struct request_message *message, size_t result, size_t *at)
{
	for (++*at; *at < message->part_count; ++*at) {
		const struct request_part *part = &message->parts[*at];

		if (request_is_of_result(part) && str_equal(part->id, message->parts[result].id))
			return part;
	}
	return NULL;
}

bool request_has_call(const struct request_message *message)
{
	for (size_t i = 0; i < message->part_count; i++)
		if (message->parts[i].kind == PART_TOOL_CALL)
			return true;
	return false;
}

bool request_is_opaque(const struct request_part *part, const char *format)
{
	return part && part->kind == PART_OPAQUE && str_is(part->name, format);
}

bool request_has_text(const struct request_message *message, enum part_kind kind)
{
	for (size_t i = 0; i < message->part_count; i++)
		if (message->parts[i].kind == kind && message->parts[i].text.len)
			return true;
	return false;
}

enum part_kind request_said(const struct request_message *message)
{
	return request_has_text(message, PART_TEXT) ? PART_TEXT : PART_REFUSAL;
}

const char *reasoning_level_name(enum reasoning_level level)
{
	static const char *const names[REASONING_LEVEL_COUNT] = {
#define X(upper, word) [REASONING_LEVEL_##upper] = word,
		REASONING_LEVELS(X)
#undef X
	};
	return names[level];
}

bool reasoning_level_find(struct str name, enum reasoning_level *level)
{
	for (int i = REASONING_LEVEL_OFF; i < REASONING_LEVEL_COUNT; i++)
		if (str_is(name, reasoning_level_name((enum reasoning_level)i))) {
			*level = (enum reasoning_level)i;
			return true;
		}
	return false;
}

const char *request_level_name(enum reasoning_level level)
{
	return level == REASONING_LEVEL_OFF ? NULL : reasoning_level_name(level);
}

/* --- tools of the server --- */

const char *server_tool_name(enum server_tool tool)
{
	static const char *const names[SERVER_CAN_COUNT] = {
#define X(upper, word) [SERVER_CAN_##upper] = word,
		SERVER_TOOLS(X)
#undef X
	};
	return names[tool];
}

const char *server_tool_name_at(const void *unused, size_t index)
{
	(void)unused;
	return index < SERVER_CAN_COUNT ? server_tool_name((enum server_tool)index) : NULL;
}

static unsigned server_tool_bit(struct str name)
{
	for (unsigned i = 0; i < SERVER_CAN_COUNT; i++)
		if (str_is(name, server_tool_name((enum server_tool)i)))
			return 1u << i;
	return 0;
}

bool server_tools_find(struct str names, unsigned *tools)
{
	unsigned found = 0, bit;
	struct str list, name;

	if (str_is(str_trim(names), "off")) {
		*tools = SERVER_TOOLS_OFF;
		return true;
	}
	while (str_split(&names, ',', &list))
		while (str_split(&list, ' ', &name)) {
			if (!(bit = server_tool_bit(name)) && name.len)
				return false;
			found |= bit;
		}
	if (found)
		*tools = found;
	return found != 0;
}

void server_tools_write(unsigned tools, const char *between, struct buf *out)
{
	bool any = false;

	if (tools & SERVER_TOOLS_OFF)
		buf_add_z(out, "off");
	for (unsigned i = 0; i < SERVER_CAN_COUNT; i++)
		if (tools & 1u << i) {
			buf_printf(out, "%s%s", any ? between : "", server_tool_name((enum server_tool)i));
			any = true;
		}
}

struct str request_added(const struct request *request, const char *key)
{
	return request->added.len ? json_scan_find(request->added, (const char *const[]){ key, NULL }) : STR_NONE;
}

void request_write_content(struct json_writer *w, struct str container)
{
	struct json_spans spans = json_spans_of(container);
	struct str key, value;

	while (container.len && json_spans_next(&spans, &key, &value))
		if (spans.is_object)
			json_member_compact(w, key, value);
		else
			json_compact(w, value);
}

void request_write_added(struct json_writer *w, const struct request *request, const char *const *woven)
{
	struct json_spans spans = json_spans_of(request->added);
	struct str key, value;

	while (request->added.len && json_spans_next(&spans, &key, &value)) {
		bool is_woven = false;

		for (size_t i = 0; woven[i]; i++)
			is_woven = is_woven || str_is(key, woven[i]);
		if (!is_woven)
			json_member_compact(w, key, value);
	}
}

/* --- tools --- */

static void visit_tool(const struct json *tool, tool_visit *visit, void *ctx)
{
	const struct json *function = json_get(tool, "function");
	struct buf parameters = { 0 };

	if (!function)
		function = tool;
	struct tool_definition definition = {
		.name = json_get_text(function, "name"),
		.description = json_get_text(function, "description"),
	};
	if (!definition.name.len)
		return;
	json_flag(json_get(function, "strict"), &definition.strict);
	if (json_kind(json_get(function, "parameters")) == JSON_OBJECT) {
		json_dump(json_get(function, "parameters"), &parameters);
		definition.parameters = buf_str(&parameters);
	}
	visit(ctx, &definition);
	buf_fini(&parameters);
}

static void each_tool(const struct request *request, tool_visit *visit, void *ctx)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *tools = json_parse(parser, request->tools, &used);

	for (size_t i = 0; i < json_length(tools); i++)
		visit_tool(json_at(tools, i), visit, ctx);
	json_parser_free(parser);
}

static void see_tool(void *any, const struct tool_definition *tool)
{
	(void)tool;
	*(bool *)any = true;
}

bool request_has_tools(const struct request *request)
{
	bool any = false;

	if (request->tools.len)
		each_tool(request, see_tool, &any);
	return any;
}

void request_write_tools(struct json_writer *w, const char *key, const struct request *request, tool_visit *write)
{
	struct str added = request_added(request, key);
	bool any = request_has_tools(request) && (write || json_scan_is_whole(request->tools));

	if (!any && !added.len)
		return;
	json_key(w, key);
	json_open_array(w);
	if (any && write)
		each_tool(request, write, w);
	else if (any)
		request_write_content(w, request->tools);
	request_write_content(w, added);
	json_close_array(w);
}

/* --- messages --- */

void request_write_messages(struct json_writer *w, const struct request *request, message_write *write)
{
	json_key(w, "messages");
	json_open_array(w);
	if (request->system.len) {
		json_open_object(w);
		json_member_string(w, "role", STR("system"));
		json_member_string(w, "content", request->system);
		json_close_object(w);
	}
	for (size_t i = 0; i < request->message_count; i++)
		write(w, request, &request->messages[i]);
	json_close_array(w);
}

static void request_close_message(struct json_writer *w)
{
	json_close_array(w);
	json_close_object(w);
}

/* What was written for a message without elements is taken back. */
void request_write_alternating(struct json_writer *w, const struct request *request, const struct alternation *form)
{
	enum turn_role role = TURN_USER;
	bool open = false;

	json_open_array(w);
	for (size_t i = 0; i < request->message_count; i++) {
		const struct request_message *message = &request->messages[i];
		bool adjoins = open && role == message->role;
		const struct json_writer before = *w;
		size_t start = w->out->len, opened;

		if (open && !adjoins)
			request_close_message(w);
		if (!adjoins) {
			json_open_object(w);
			json_member_string(w, "role", str_from(message->role == TURN_USER ? form->user : form->assistant));
			json_key(w, form->content);
			json_open_array(w);
		}
		opened = w->out->len;
		form->write(w, request, message);
		if (w->out->len == opened && !w->full) {
			buf_remove(w->out, start, opened - start);
			*w = before;
			continue;
		}
		role = message->role;
		open = true;
	}
	if (open)
		request_close_message(w);
	json_close_array(w);
}

/* --- members --- */

bool request_has_sampling(const struct request *request)
{
	return !isnan(request->temperature) || request->top_p > 0;
}

void request_write_stop(struct json_writer *w, const struct request *request, const char *key)
{
	if (!request->stop.len)
		return;
	json_key(w, key);
	json_open_array(w);
	json_string(w, request->stop);
	json_close_array(w);
}

void request_write_sampling(struct json_writer *w, const struct request *request, const char *top_p)
{
	if (!isnan(request->temperature)) {
		json_key(w, "temperature");
		json_real(w, request->temperature);
	}
	if (request->top_p > 0) {
		json_key(w, top_p);
		json_real(w, request->top_p);
	}
}

void request_write_schema(struct json_writer *w, struct str schema)
{
	json_member_string(w, "name", STR("answer"));
	json_member_boolean(w, "strict", true);
	request_write_compact(w, "schema", schema);
}

void request_write_compact(struct json_writer *w, const char *key, struct str json)
{
	if (!json_scan_is_whole(json))
		return;
	json_key(w, key);
	json_compact(w, json);
}

void request_write_joined(struct json_writer *w, const char *key, const struct request_message *message, enum part_kind kind)
{
	json_key(w, key);
	json_open_string(w);
	for (size_t i = 0; i < message->part_count; i++)
		if (message->parts[i].kind == kind)
			json_add_borrowed(w, message->parts[i].text);
	json_close_string(w);
}

void request_write_file_text(struct json_writer *w, const char *type, const struct request_part *attachment)
{
	struct buf scratch = { 0 };

	json_open_object(w);
	if (type)
		json_member_string(w, "type", str_from(type));
	json_member_string(w, "text", attachment_text(attachment, &scratch));
	json_close_object(w);
	buf_fini(&scratch);
}

void request_write_base64(struct json_writer *w, const char *key, struct str bytes)
{
	json_key(w, key);
	json_open_string(w);
	json_add_base64(w, bytes);
	json_close_string(w);
}

void request_write_data_url(struct json_writer *w, const char *key, const struct request_part *attachment)
{
	json_key(w, key);
	json_open_string(w);
	json_add_text(w, STR("data:"));
	json_add_text(w, attachment->media);
	json_add_text(w, STR(";base64,"));
	json_add_base64(w, attachment->text);
	json_close_string(w);
}

void request_write_arguments(struct json_writer *w, const char *key, struct str arguments)
{
	struct str text = str_trim(arguments);

	if (!json_scan_is_whole(text)) {
		json_member_verbatim(w, key, STR("{}"));
		return;
	}
	if (str_starts(text, "{")) {
		request_write_compact(w, key, text);
		return;
	}
	json_key(w, key);
	json_open_object(w);
	request_write_compact(w, "value", text);
	json_close_object(w);
}
