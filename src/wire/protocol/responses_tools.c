#include "wire/protocol/responses_tools.h"

#include "wire/decode.h"
#include "wire/decode_media.h"

/* --- what they are --- */

#define CALL_SUFFIX "_call"
#define XAI_CALL "xs_" /* begins the call_id of custom_tool_call items that xAI's server ran */

/* Types that are not simply tools of the server. With a member that has another value than `value`, a call is the client's. */
static const struct item_type {
	const char *type;
	enum responses_role role;
	const char *member, *value;
} item_types[] = {
	{ "function_call", RESPONSES_NO_TOOL, NULL, NULL },
	{ "custom_tool_call", RESPONSES_NO_TOOL, NULL, NULL },
	{ "image_generation_call", RESPONSES_PICTURE, NULL, NULL },
	{ "shell_call", RESPONSES_RAN, "environment.type", "container_reference" },
	{ "shell_call_output", RESPONSES_RESULT, NULL, NULL },
	{ "tool_search_call", RESPONSES_RAN, "execution", "server" },
	{ "tool_search_output", RESPONSES_RESULT, "execution", "server" },
	{ "computer_call", RESPONSES_CLIENTS, NULL, NULL },
	{ "local_shell_call", RESPONSES_CLIENTS, NULL, NULL },
	{ "apply_patch_call", RESPONSES_CLIENTS, NULL, NULL },
	{ "mcp_approval_request", RESPONSES_CLIENTS, NULL, NULL },
};

enum responses_role responses_role_by_type(struct str type)
{
	const struct item_type *row = DECODE_ROW(item_types, type);

	if (row)
		return row->member ? RESPONSES_NO_TOOL : row->role;
	return str_ends(type, CALL_SUFFIX) ? RESPONSES_RAN : RESPONSES_NO_TOOL;
}

enum responses_role responses_role_of(const struct json *item)
{
	struct str type = json_get_text(item, "type");
	const struct item_type *row = DECODE_ROW(item_types, type);

	if (str_is(type, "custom_tool_call") && str_starts(json_get_text(item, "call_id"), XAI_CALL))
		return RESPONSES_RAN;
	if (!row || !row->member)
		return responses_role_by_type(type);
	return str_is(json_text(json_find(item, row->member)), row->value) ? row->role : RESPONSES_CLIENTS;
}

struct str responses_tool_name(struct str type, const struct json *item)
{
	static const char *const named[] = { "mcp_call", "custom_tool_call" };

	for (size_t i = 0; i < ARRAY_LEN(named); i++)
		if (str_is(type, named[i]))
			return json_get_text(item, "name");
	return str_head(type, type.len - (str_ends(type, CALL_SUFFIX) ? sizeof CALL_SUFFIX - 1 : 0));
}

/* --- input --- */

/* The commands of a shell, one a line. */
static void add_commands(const struct json *commands, struct buf *out)
{
	for (size_t i = 0; i < json_length(commands); i++) {
		if (i)
			buf_add_byte(out, '\n');
		buf_add(out, json_text(json_at(commands, i)));
	}
}

static bool has_members(const struct json *object)
{
	return json_next(object, &(struct json_member){ 0 });
}

/* Text, or anything else as JSON. Not what is empty. */
static void add_input(const struct json *value, struct buf *out)
{
	if (json_kind(value) == JSON_STRING)
		buf_add(out, json_raw_text(value));
	else if (has_members(value) || json_length(value))
		json_dump(value, out);
}

void responses_tool_input(const struct json *item, struct buf *out)
{
	static const char *const members[] = { "code", "arguments", "input" };
	const struct json *action = json_get(item, "action"), *queries = json_get(item, "queries");

	if (json_get(action, "commands")) {
		add_commands(json_get(action, "commands"), out);
	} else if (has_members(action)) {
		decode_dump_without(action, "sources", out);
	} else if (json_length(queries)) {
		buf_add_z(out, "{\"queries\":");
		json_dump(queries, out);
		buf_add_byte(out, '}');
	}
	for (size_t i = 0; i < ARRAY_LEN(members) && !out->len && !str_is(json_get_text(item, "type"), "shell_call"); i++)
		add_input(json_get(item, members[i]), out);
}

/* --- output --- */

static void add_printed(struct buf *out, struct str text, bool is_first)
{
	if (!is_first)
		buf_add_byte(out, '\n');
	buf_add(out, text);
}

/* The logs of a code interpreter, and the pictures that its code made. */
static void take_outputs(struct guard *g, unsigned tool, const struct json *outputs)
{
	struct buf logs = { 0 };
	bool any = false;

	for (size_t i = 0; i < json_length(outputs); i++) {
		const struct json *output = json_at(outputs, i);
		struct media_reference reference = media_reference_of(json_get(output, "url"));

		if (json_kind(json_get(output, "logs")) == JSON_STRING) {
			add_printed(&logs, json_get_text(output, "logs"), !any);
			any = true;
		} else if (str_is(json_get_text(output, "type"), "image") && json_has_text(json_get(output, "url"))) {
			decode_media_item(g, &(struct media_facts){ .kind = MEDIA_IMAGE }, &reference);
		}
	}
	if (any)
		guard_server_tool_output(g, tool, logs.len ? buf_str(&logs) : STR(""));
	buf_fini(&logs);
}

static void take_error(struct guard *g, unsigned tool, const struct json *error)
{
	static const char *const members[] = { "message", "content" };
	const struct json *words = json_kind(error) == JSON_STRING ? error : NULL;

	for (size_t i = 0; i < ARRAY_LEN(members) && !words; i++)
		words = json_get(error, members[i]);
	if (!guard_server_tool_has_output(g, tool))
		decode_output(g, tool, words ? words : error);
	guard_server_tool_state(g, tool, SERVER_TOOL_FAILED);
}

static enum server_tool_state state_of(const struct json *item)
{
	enum server_tool_state state = SERVER_TOOL_COMPLETED;

	(void)server_tool_state_find(json_get_text(item, "status"), &state);
	return state;
}

bool responses_tool_finish(struct guard *g, unsigned tool, const struct json *item)
{
	static const char *const members[] = { "output", "results", "action.sources" };
	struct buf input = { 0 };
	bool came = false;

	responses_tool_input(item, &input);
	guard_server_tool_whole_input(g, tool, buf_str(&input));
	buf_fini(&input);
	take_outputs(g, tool, json_get(item, "outputs"));
	for (size_t i = 0; i < ARRAY_LEN(members) && !came && !guard_server_tool_has_output(g, tool); i++)
		came = decode_output(g, tool, json_find(item, members[i]));
	guard_server_tool_state(g, tool, state_of(item));
	if (json_get(item, "error"))
		take_error(g, tool, json_get(item, "error"));
	struct str type = json_get_text(item, "type");
	return !str_is(type, "shell_call") && !str_is(type, "tool_search_call");
}

/* What each command of a shell printed. True if one failed. */
static bool add_shell_output(const struct json *output, struct buf *out)
{
	bool failed = false;

	for (size_t i = 0; i < json_length(output); i++) {
		const struct json *command = json_at(output, i), *outcome = json_get(command, "outcome");
		double code = 0;

		buf_add(out, json_get_text(command, "stdout"));
		buf_add(out, json_get_text(command, "stderr"));
		failed |= str_is(json_get_text(outcome, "type"), "timeout");
		failed |= json_number(json_get(outcome, "exit_code"), &code) && (code < 0 || code > 0);
	}
	return failed;
}

void responses_tool_result(struct guard *g, unsigned tool, const struct json *item)
{
	struct buf printed = { 0 };
	bool failed = false;

	if (json_get(item, "tools")) {
		decode_output(g, tool, json_get(item, "tools"));
	} else {
		failed = add_shell_output(json_get(item, "output"), &printed);
		guard_server_tool_output(g, tool, printed.len ? buf_str(&printed) : STR(""));
	}
	if (failed)
		guard_server_tool_state(g, tool, SERVER_TOOL_FAILED);
	guard_server_tool_end(g, tool);
	buf_fini(&printed);
}

/* --- pictures --- */

/* `jpg` is image/jpeg. */
void responses_picture_format(struct guard *g, unsigned media, const struct json *value)
{
	struct str format = json_get_text(value, "output_format");
	struct buf type = { 0 };

	buf_add_z(&type, "image/");
	for (size_t i = 0; i < format.len; i++)
		buf_add_byte(&type, char_lower(format.ptr[i]));
	if (format.len)
		guard_media_learn(g, media, &(struct media_facts){ .type = str_is(buf_str(&type), "image/jpg") ? STR("image/jpeg")
		                                                                                               : buf_str(&type) });
	buf_fini(&type);
}

void responses_picture_finish(struct guard *g, unsigned media, const struct json *item)
{
	struct str prompt = json_raw_text(json_get(item, "revised_prompt"));
	struct media_reference reference = media_reference_of(json_get(item, "result"));

	responses_picture_format(g, media, item);
	if (str_is(json_get_text(item, "status"), "failed"))
		guard_media_fail(g, media);
	else if (json_has_text(json_get(item, "result")))
		decode_media_picture(g, media, &reference);
	guard_media_text(g, media, prompt.len ? prompt : json_raw_text(json_get(item, "prompt")));
	guard_media_end(g, media);
}
