#include "wire/mcp/mcp_lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/mcp/client.h"
#include "wire/mcp/content.h"

#define NAME_MOST 100u   /* bytes of a name in a sentence */
#define REQUESTS_MOST 4096u /* of a session that are looked at; the oldest are forgotten */
#define TOOLS_MOST 4096u /* of a list that are known; more are not compared */

/* X(ID, id, severity, promise, source), in the order in which they are listed. */
#define RULES(X) \
	X(NO_JSON, "no-json", BREAKS_CLIENTS, "A program writes nothing to its standard output that is no message", "transports, stdio") \
	X(NO_MESSAGE, "no-message", BREAKS_CLIENTS, "Each message is a request, a notification or a response of JSON-RPC 2.0", \
	  "basic, Messages") \
	X(BATCH, "batch", BREAKS_CLIENTS, "A message stands alone, except in 2025-03-26", "transports; 2025-06-18 changelog") \
	X(ANSWER_UNKNOWN, "answer-unknown", BREAKS_CLIENTS, "A response has the id of a request", "basic, Responses") \
	X(ANSWER_TWICE, "answer-twice", BREAKS_CLIENTS, "A request has one response", "basic, Responses") \
	X(ANSWER_MISSING, "answer-missing", BREAKS_CLIENTS, "A request that is not cancelled has a response", "basic, Responses") \
	X(ANSWER_CANCELLED, "answer-cancelled", UNUSUAL, "A request that was cancelled is not answered any more", \
	  "cancellation, Behavior Requirements") \
	X(BEGIN_MEMBERS, "begin-members", BREAKS_CLIENTS, "A server says its version, its capabilities and its name", \
	  "lifecycle, Initialization; server/discover") \
	X(RESULT_TYPE, "result-type", BREAKS_PROMISE, "A result of 2026-07-28 says its type", "basic, ResultType") \
	X(CACHE_HINTS, "cache-hints", BREAKS_PROMISE, "Lists and resources of 2026-07-28 have ttlMs and cacheScope", \
	  "server/utilities/caching") \
	X(LIST_MEMBER, "list-member", BREAKS_CLIENTS, "The result of a list has the list", "server/tools, resources, prompts: listing") \
	X(TOOL_SCHEMA, "tool-schema", BREAKS_CLIENTS, "A tool has a name and an inputSchema of type object", "server/tools, Tool") \
	X(TOOL_NAME, "tool-name", UNUSUAL, "Names of tools have 1 to 128 letters, digits, underscores, hyphens and dots", \
	  "server/tools, Tool Names") \
	X(TOOL_TWICE, "tool-twice", BREAKS_CLIENTS, "Names of tools are unique within a server", "server/tools, Tool Names") \
	X(TOOL_HEADERS, "tool-headers", BREAKS_CLIENTS, "x-mcp-header stands on named arguments of a plain type, with a name of its own", \
	  "server/tools, x-mcp-header") \
	X(CONTENT, "content", BREAKS_CLIENTS, "A part of a result has what its type must have", \
	  "server/tools, Tool Result; server/resources, Resource Contents") \
	X(STRUCTURED, "structured", BREAKS_CLIENTS, "A tool with an outputSchema gives structured content", "server/tools, Output Schema") \
	X(PROGRESS_TOKEN, "progress-token", BREAKS_PROMISE, "Progress is of a request that is under way", \
	  "progress, Behavior Requirements") \
	X(PROGRESS_RISES, "progress-rises", BREAKS_PROMISE, "Progress increases with each notification", "progress, Progress Flow") \
	X(REQUEST_MODERN, "request-modern", BREAKS_CLIENTS, "A server of 2026-07-28 sends no requests", "transports, Messages") \
	X(REQUEST_EARLY, "request-early", UNUSUAL, "Before notifications/initialized a server asks for nothing but ping", \
	  "lifecycle, Initialization") \
	X(REQUEST_UNOFFERED, "request-unoffered", BREAKS_PROMISE, "A server asks for nothing that the client does not offer", \
	  "lifecycle, Operation; basic, _meta") \
	X(ERROR_CODE, "error-code", BREAKS_PROMISE, "Codes from -32099 to -32020 are those of the specification, and -32002 is of older revisions", \
	  "basic, Error Codes") \
	X(LOG_UNASKED, "log-unasked", BREAKS_PROMISE, "A server of 2026-07-28 sends no log unless the request wants one", \
	  "server/utilities/logging") \
	X(CHANGE_UNDECLARED, "change-undeclared", UNUSUAL, "A server that tells changes of a list says so in its capabilities", \
	  "server/tools, Capabilities")

enum rule_id {
#define X(name, id, severity, promise, source) RULE_##name,
	RULES(X)
#undef X
	RULE_COUNT
};

static const struct mcp_rule rules[] = {
#define X(name, id, severity, promise, source) { id, LINT_##severity, promise, source },
	RULES(X)
#undef X
};

const struct mcp_rule *mcp_rule_at(size_t index)
{
	return index < RULE_COUNT ? &rules[index] : NULL;
}

/* A request of the client. */
struct asked {
	int64_t id;
	char method[40];
	bool modern, answered, cancelled, wants_log, wants_progress, is_structured;
	double progress; /* of its last notification; -1: none yet */
	size_t message;
};

/* A name may be long: its digest is compared. */
struct known_tool {
	char digest[DIGEST_HEX + 1]; /* of its name */
	bool is_structured;          /* it has an outputSchema */
};

struct mcp_lint {
	mcp_lint_sink *sink;
	void *ctx;
	bool lines;
	size_t message;          /* number of the current one */
	struct json_parser *parser;
	struct asked *asked;
	size_t count, capacity;
	bool initialized;        /* notifications/initialized was sent */
	bool is_modern;          /* a modern request was answered */
	bool batches;            /* the revision has them */
	bool elicits, samples, has_roots; /* what the client offers */
	bool has_facts;          /* the server's capabilities are known */
	bool tells[MCP_LIST_COUNT]; /* changes of a list, by its capabilities */
	struct known_tool *tools; /* of the last list */
	size_t tool_count, tool_capacity;
};

static void lint_finds(struct mcp_lint *l, enum rule_id rule, const char *format, ...) PRINTF_LIKE(3, 4);
static void lint_finds(struct mcp_lint *l, enum rule_id rule, const char *format, ...)
{
	struct error words;
	va_list args;
	size_t cut;

	va_start(args, format);
	vsnprintf(words.text, sizeof words.text, format, args);
	va_end(args);
	for (char *c = words.text; *c; c++) /* what a server writes makes no line of its own */
		*c = (unsigned char)*c < ' ' || *c == 0x7F ? ' ' : *c;
	struct str whole = str_from(words.text);
	l->sink(l->ctx, &rules[rule], l->message, str_head(whole, utf8_valid_length(whole, &cut)));
}

struct mcp_lint *mcp_lint_new(bool lines, mcp_lint_sink *sink, void *ctx)
{
	struct mcp_lint *l = mem_new(sizeof *l);

	*l = (struct mcp_lint){ .sink = sink, .ctx = ctx, .lines = lines, .parser = json_parser_new() };
	return l;
}

void mcp_lint_free(struct mcp_lint *l)
{
	if (!l)
		return;
	json_parser_free(l->parser);
	mem_free(l->asked);
	mem_free(l->tools);
	mem_free(l);
}

/* --- what the client says --- */

static struct asked *asked_with(struct mcp_lint *l, int64_t id)
{
	for (size_t i = l->count; i; i--)
		if (l->asked[i - 1].id == id)
			return &l->asked[i - 1];
	return NULL;
}

static void take_offers(struct mcp_lint *l, const struct json *capabilities)
{
	l->elicits = json_get(capabilities, "elicitation") != NULL;
	l->samples = json_get(capabilities, "sampling") != NULL;
	l->has_roots = json_get(capabilities, "roots") != NULL;
}

/* NULL: no list has told it. */
static const struct known_tool *tool_with(const struct mcp_lint *l, const char *digest)
{
	for (size_t i = 0; i < l->tool_count; i++)
		if (!strcmp(l->tools[i].digest, digest))
			return &l->tools[i];
	return NULL;
}

/* Whether the tool that is called has an outputSchema. */
static bool is_structured(const struct mcp_lint *l, const struct json *params)
{
	char digest[DIGEST_HEX + 1];
	const struct known_tool *tool;

	digest_hex(json_get_text(params, "name"), digest);
	tool = tool_with(l, digest);
	return tool && tool->is_structured;
}

static void take_asked(struct mcp_lint *l, const struct rpc_message *m)
{
	const struct json *meta = json_get(m->params, "_meta");
	struct asked *a;
	int64_t id;

	if (!rpc_id_number(m->id, &id))
		return;
	if (l->count == REQUESTS_MOST)
		memmove(l->asked, l->asked + 1, --l->count * sizeof *l->asked);
	a = ARRAY_ADD(l->asked, l->count, l->capacity);
	*a = (struct asked){ .id = id, .progress = -1, .message = l->message };
	snprintf(a->method, sizeof a->method, "%.*s", STR_ARG(m->method));
	a->modern = json_get(meta, "io.modelcontextprotocol/protocolVersion") != NULL;
	a->wants_log = json_get(meta, "io.modelcontextprotocol/logLevel") != NULL;
	a->wants_progress = json_get(meta, "progressToken") != NULL;
	a->is_structured = str_is(m->method, "tools/call") && is_structured(l, m->params);
	if (str_is(m->method, "initialize"))
		take_offers(l, json_get(m->params, "capabilities"));
	else if (a->modern)
		take_offers(l, json_get(meta, "io.modelcontextprotocol/clientCapabilities"));
	if (str_is(m->method, mcp_list_method(MCP_TOOLS)) && !json_get(m->params, "cursor"))
		l->tool_count = 0;
}

static void take_sent(struct mcp_lint *l, const struct rpc_message *m)
{
	struct asked *a;
	int64_t id;

	if (m->kind == RPC_REQUEST)
		take_asked(l, m);
	if (m->kind != RPC_NOTIFICATION)
		return;
	l->initialized |= str_is(m->method, "notifications/initialized");
	if (str_is(m->method, "notifications/cancelled") && rpc_id_number(json_get(m->params, "requestId"), &id) && (a = asked_with(l, id)))
		a->cancelled = true;
}

/* --- results --- */

static void check_begin(struct mcp_lint *l, const struct asked *a, const struct json *result)
{
	bool discovers = !strcmp(a->method, "server/discover");
	const struct json *capabilities = json_get(result, "capabilities"), *info = json_get(result, "serverInfo");

	if (!discovers && !json_has_text(json_get(result, "protocolVersion")))
		lint_finds(l, RULE_BEGIN_MEMBERS, "the result of initialize has no protocolVersion");
	if (discovers && !json_length(json_get(result, "supportedVersions")))
		lint_finds(l, RULE_BEGIN_MEMBERS, "the result of server/discover has no supportedVersions");
	if (json_kind(capabilities) != JSON_OBJECT)
		lint_finds(l, RULE_BEGIN_MEMBERS, "the result of %s has no capabilities", a->method);
	if (!discovers && (!json_has_text(json_get(info, "name")) || !json_has_text(json_get(info, "version"))))
		lint_finds(l, RULE_BEGIN_MEMBERS, "serverInfo has not both name and version");
	l->batches = str_is(json_get_text(result, "protocolVersion"), "2025-03-26");
	l->has_facts = true;
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++)
		json_flag(json_get(json_get(capabilities, mcp_list_capability(list)), "listChanged"), &l->tells[list]);
}

static bool is_tool_name(struct str name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!char_is_word(name.ptr[i]) && name.ptr[i] != '_' && name.ptr[i] != '-' && name.ptr[i] != '.')
			return false;
	return name.len && name.len <= 128;
}

static void check_name(struct mcp_lint *l, struct str name, bool is_structured_tool)
{
	struct known_tool tool = { .is_structured = is_structured_tool };

	digest_hex(name, tool.digest);
	if (!is_tool_name(name))
		lint_finds(l, RULE_TOOL_NAME, "a tool is named \"%.*s\"", STR_ARG(utf8_head(name, NAME_MOST)));
	if (tool_with(l, tool.digest))
		lint_finds(l, RULE_TOOL_TWICE, "two tools are named \"%.*s\"", STR_ARG(utf8_head(name, NAME_MOST)));
	else if (l->tool_count < TOOLS_MOST)
		*ARRAY_ADD(l->tools, l->tool_count, l->tool_capacity) = tool;
}

static void check_tool(struct mcp_lint *l, const struct json *tool)
{
	const struct json *schema = json_get(tool, "inputSchema");
	struct str name = json_get_text(tool, "name");
	struct error why = { "" };

	check_name(l, name, json_kind(json_get(tool, "outputSchema")) == JSON_OBJECT);
	if (json_kind(schema) != JSON_OBJECT || !str_is(json_get_text(schema, "type"), "object"))
		lint_finds(l, RULE_TOOL_SCHEMA, "the tool \"%.*s\" has no inputSchema of type object", STR_ARG(utf8_head(name, NAME_MOST)));
	if (!mcp_tool_headers_check(schema, &why))
		lint_finds(l, RULE_TOOL_HEADERS, "the tool \"%.*s\": %s", STR_ARG(utf8_head(name, NAME_MOST)), why.text);
}

static void check_parts(struct mcp_lint *l, const struct json *parts, bool (*read)(const struct json *value, struct mcp_content *content))
{
	for (size_t i = 0; i < json_length(parts); i++) {
		struct mcp_content content;

		if (!read(json_at(parts, i), &content))
			lint_finds(l, RULE_CONTENT, "part %zu, of type %s, lacks what it must have", i + 1, mcp_content_word(content.kind));
	}
}

static void check_call(struct mcp_lint *l, const struct asked *a, const struct json *result)
{
	bool is_error = false;

	json_flag(json_get(result, "isError"), &is_error);
	if (json_kind(json_get(result, "content")) != JSON_ARRAY && !l->is_modern)
		lint_finds(l, RULE_CONTENT, "the result of the tool has no content");
	check_parts(l, json_get(result, "content"), mcp_content_read);
	if (a->is_structured && !is_error && !json_get(result, "structuredContent"))
		lint_finds(l, RULE_STRUCTURED, "the tool has an outputSchema, and its result no structuredContent");
}

static void check_list(struct mcp_lint *l, enum mcp_list list, const struct json *result)
{
	const struct json *items = json_get(result, mcp_list_member(list));

	if (json_kind(items) != JSON_ARRAY)
		lint_finds(l, RULE_LIST_MEMBER, "the result of %s has no \"%s\"", mcp_list_method(list), mcp_list_member(list));
	for (size_t i = 0; list == MCP_TOOLS && i < json_length(items); i++)
		check_tool(l, json_at(items, i));
}

static void check_modern(struct mcp_lint *l, const struct asked *a, const struct json *result)
{
	struct str type = json_get_text(result, "resultType"), scope = json_get_text(result, "cacheScope");
	bool is_cached = strstr(a->method, "/list") || !strcmp(a->method, "resources/read") || !strcmp(a->method, "server/discover");
	int64_t ttl;

	l->is_modern = true;
	if (!type.len)
		lint_finds(l, RULE_RESULT_TYPE, "the result of %s has no resultType", a->method);
	if (!is_cached || str_is(type, "input_required"))
		return;
	if (!json_count(json_get(result, "ttlMs"), &ttl))
		lint_finds(l, RULE_CACHE_HINTS, "the result of %s has no ttlMs", a->method);
	if (!str_is(scope, "public") && !str_is(scope, "private"))
		lint_finds(l, RULE_CACHE_HINTS, "the cacheScope of %s is neither public nor private", a->method);
}

static void check_result(struct mcp_lint *l, const struct asked *a, const struct json *result)
{
	if (a->modern)
		check_modern(l, a, result);
	if (!strcmp(a->method, "initialize") || !strcmp(a->method, "server/discover"))
		check_begin(l, a, result);
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++)
		if (!strcmp(a->method, mcp_list_method(list)))
			check_list(l, list, result);
	if (str_is(json_get_text(result, "resultType"), "input_required"))
		return;
	if (!strcmp(a->method, "tools/call"))
		check_call(l, a, result);
	if (!strcmp(a->method, "resources/read"))
		check_parts(l, json_get(result, "contents"), mcp_contents_read);
}

/* --- what the server says --- */

static void check_error(struct mcp_lint *l, const struct rpc_message *m, const struct asked *a)
{
	bool reserved = m->code >= -32099 && m->code <= -32020, defined = m->code >= -32022 && m->code <= -32020;

	/* -32042 was of 2025-11-25. */
	if ((reserved && !defined && !(m->code == -32042 && !(a && a->modern))) || (m->code == -32002 && a && a->modern && l->is_modern))
		lint_finds(l, RULE_ERROR_CODE, "an error has the code %lld", (long long)m->code);
}

static void check_answer(struct mcp_lint *l, const struct rpc_message *m)
{
	struct buf shown = { 0 };
	struct asked *a;
	int64_t id;

	if (m->kind == RPC_ERROR && !m->id) {
		check_error(l, m, NULL);
		/* Which request it is about is not said: over HTTP it is the one that it answers. */
		for (size_t i = l->count; i; i--)
			if (!l->asked[i - 1].answered) {
				l->asked[i - 1].answered = true;
				break;
			}
		return;
	}
	a = rpc_id_number(m->id, &id) ? asked_with(l, id) : NULL;
	if (!a) {
		json_dump(m->id, &shown);
		lint_finds(l, RULE_ANSWER_UNKNOWN, "the response has the id %.*s, which no request had", (int)NAME_MOST, buf_z(&shown));
	} else if (a->answered) {
		lint_finds(l, RULE_ANSWER_TWICE, "request %lld is answered a second time", (long long)a->id);
	} else if (a->cancelled) {
		lint_finds(l, RULE_ANSWER_CANCELLED, "request %lld is answered, after it was cancelled", (long long)a->id);
	}
	if (m->kind == RPC_ERROR)
		check_error(l, m, a);
	else if (a && !a->answered)
		check_result(l, a, m->result);
	if (a)
		a->answered = true;
	buf_fini(&shown);
}

static void check_progress(struct mcp_lint *l, const struct json *params)
{
	struct asked *a = NULL;
	double progress = 0;
	int64_t id;

	/* The token is the id of the request in weir's own sessions. */
	if (rpc_id_number(json_get(params, "progressToken"), &id))
		a = asked_with(l, id);
	if (!a || a->answered || !a->wants_progress) {
		lint_finds(l, RULE_PROGRESS_TOKEN, "progress has a token of no request that is under way");
		return;
	}
	if (!json_number(json_get(params, "progress"), &progress) || progress <= a->progress)
		lint_finds(l, RULE_PROGRESS_RISES, "progress of request %lld goes from %g to %g", (long long)a->id, a->progress, progress);
	a->progress = progress;
}

static bool log_is_wanted(const struct mcp_lint *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->asked[i].wants_log && !l->asked[i].answered)
			return true;
	return false;
}

static void check_notification(struct mcp_lint *l, const struct rpc_message *m)
{
	if (str_is(m->method, "notifications/progress"))
		check_progress(l, m->params);
	if (str_is(m->method, "notifications/message") && l->is_modern && !log_is_wanted(l))
		lint_finds(l, RULE_LOG_UNASKED, "a message for the log came, which no request under way wants");
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++) {
		char method[60];

		snprintf(method, sizeof method, "notifications/%s/list_changed", mcp_list_member(list));
		if (str_is(m->method, method) && l->has_facts && !l->tells[list])
			lint_finds(l, RULE_CHANGE_UNDECLARED, "%s came, and the capabilities have no listChanged for it", method);
	}
}

static void check_request(struct mcp_lint *l, const struct rpc_message *m)
{
	struct str method = utf8_head(m->method, NAME_MOST);
	bool pings = str_is(m->method, "ping");
	bool offered = pings || (str_is(m->method, "elicitation/create") && l->elicits) ||
	               (str_is(m->method, "sampling/createMessage") && l->samples) || (str_is(m->method, "roots/list") && l->has_roots);

	if (l->is_modern) {
		lint_finds(l, RULE_REQUEST_MODERN, "the server sent the request %.*s", STR_ARG(method));
		return;
	}
	if (!pings && !l->initialized)
		lint_finds(l, RULE_REQUEST_EARLY, "the server sent %.*s before the session had begun", STR_ARG(method));
	if (!offered)
		lint_finds(l, RULE_REQUEST_UNOFFERED, "the server asked for %.*s", STR_ARG(method));
}

/* --- messages --- */

static void take_value(struct mcp_lint *l, bool sent, const struct json *value)
{
	struct rpc_message m;
	struct error why = { "" };

	if (!rpc_read(value, &m, &why)) {
		if (!sent)
			lint_finds(l, RULE_NO_MESSAGE, "what came is no message: %s", why.text);
		return;
	}
	if (sent) {
		take_sent(l, &m);
		return;
	}
	switch (m.kind) {
	case RPC_REQUEST:
		check_request(l, &m);
		break;
	case RPC_NOTIFICATION:
		check_notification(l, &m);
		break;
	case RPC_RESULT:
	case RPC_ERROR:
		check_answer(l, &m);
		break;
	}
}

void mcp_lint_message(struct mcp_lint *l, bool sent, struct str text)
{
	size_t used = 0;
	const struct json *value = json_parse(l->parser, text, &used);

	l->message++;
	if (!value || !str_is_blank(str_skip(text, used))) {
		if (!sent)
			lint_finds(l, l->lines ? RULE_NO_JSON : RULE_NO_MESSAGE, "what came is no JSON: \"%.*s\"",
			           STR_ARG(utf8_head(text, NAME_MOST)));
		return;
	}
	if (json_kind(value) == JSON_ARRAY && !sent) {
		if (!l->batches)
			lint_finds(l, RULE_BATCH, "a batch of %zu messages came", json_length(value));
		for (size_t i = 0; i < json_length(value); i++)
			take_value(l, sent, json_at(value, i));
		return;
	}
	take_value(l, sent, value);
}

void mcp_lint_end(struct mcp_lint *l, bool closed)
{
	for (size_t i = 0; closed && i < l->count; i++) {
		const struct asked *a = &l->asked[i];

		/* A server of an older revision may leave that one without an answer; the client goes on with initialize. */
		if (a->answered || a->cancelled || !strcmp(a->method, "server/discover"))
			continue;
		l->message = a->message;
		lint_finds(l, RULE_ANSWER_MISSING, "request %lld, %s, was never answered", (long long)a->id, a->method);
	}
}
