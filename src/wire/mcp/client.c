#include "wire/mcp/client_inside.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "base/mem.h"

#define NAME_MOST 200u /* bytes of what a server calls itself or a method, in sentences */

static const struct { const char *method, *member, *capability; } lists[MCP_LIST_COUNT] = {
	[MCP_TOOLS] = { "tools/list", "tools", "tools" },
	[MCP_RESOURCES] = { "resources/list", "resources", "resources" },
	[MCP_TEMPLATES] = { "resources/templates/list", "resourceTemplates", "resources" },
	[MCP_PROMPTS] = { "prompts/list", "prompts", "prompts" },
};

const char *mcp_list_method(enum mcp_list list)
{
	return lists[list].method;
}

const char *mcp_list_member(enum mcp_list list)
{
	return lists[list].member;
}

const char *mcp_list_capability(enum mcp_list list)
{
	return lists[list].capability;
}

/* --- client --- */

struct mcp_client *mcp_client_new(const struct mcp_client_options *options, const struct mcp_client_sink *sink)
{
	struct mcp_client *c = mem_new(sizeof *c);

	c->options = *options;
	c->sink = *sink;
	c->facts.revision = MCP_REVISION_COUNT;
	c->next_id = c->next_want = 1;
	c->parser = json_parser_new();
	return c;
}

static void pending_fini(struct mcp_pending *p)
{
	char *const texts[] = { p->method, p->name, p->params, p->headers, p->cursor, p->state };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		mem_free(texts[i]);
	buf_fini(&p->replies);
}

static void facts_fini(struct mcp_facts *f)
{
	mem_free(f->name);
	mem_free(f->version);
}

void mcp_client_free(struct mcp_client *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++)
		pending_fini(&c->pending[i]);
	for (size_t i = 0; i < MCP_WANTS_MOST; i++)
		mem_free(c->wants[i].key);
	facts_fini(&c->facts);
	json_parser_free(c->parser);
	buf_fini(&c->text);
	mem_free(c);
}

bool mcp_client_is_ready(const struct mcp_client *c)
{
	return c->step == MCP_READY;
}

bool mcp_client_is_discovering(const struct mcp_client *c)
{
	return c->step == MCP_DISCOVERING;
}

const struct mcp_facts *mcp_client_facts(const struct mcp_client *c)
{
	return &c->facts;
}

void mcp_notice(struct mcp_client *c, enum mcp_notice which, const char *format, ...)
{
	char words[600];
	va_list args;

	if (c->told & 1u << which)
		return;
	c->told |= 1u << which;
	va_start(args, format);
	vsnprintf(words, sizeof words, format, args);
	va_end(args);
	c->sink.notice(c->sink.ctx, str_from(words));
}

/* --- sending --- */

void mcp_send(struct mcp_client *c, const struct mcp_outgoing *message)
{
	struct mcp_outgoing m = *message;
	struct buf text = c->text;

	c->text = (struct buf){ 0 };
	m.text = buf_str(&text);
	m.revision = c->step == MCP_DISCOVERING ? c->asked : c->facts.revision;
	c->sink.send(c->sink.ctx, &m);
	buf_fini(&text);
}

void mcp_write_meta(const struct mcp_client *c, struct json_writer *w, int64_t progress)
{
	enum mcp_revision revision = c->step == MCP_DISCOVERING ? c->asked : c->facts.revision;
	bool modern = revision < MCP_REVISION_COUNT && mcp_is_modern(revision);

	if (!modern && !progress)
		return;
	json_key(w, "_meta");
	json_open_object(w);
	if (modern) {
		json_member_string(w, "io.modelcontextprotocol/protocolVersion", str_from(mcp_revision_name(revision)));
		json_key(w, "io.modelcontextprotocol/clientInfo");
		json_open_object(w);
		json_member_string(w, "name", STR("weir"));
		json_member_string(w, "version", str_from(c->options.version));
		json_close_object(w);
		json_key(w, "io.modelcontextprotocol/clientCapabilities");
		mcp_write_capabilities(c, w);
	}
	if (progress)
		json_member_integer(w, "progressToken", progress);
	json_close_object(w);
}

void mcp_send_pending(struct mcp_client *c, struct mcp_pending *p)
{
	struct json_spans members = json_spans_of(str_from(p->params));
	struct str key, item;
	struct json_writer w;

	p->id = c->next_id++;
	rpc_open(&w, &c->text, p->id, str_from(p->method));
	json_open_object(&w);
	while (json_spans_next(&members, &key, &item)) {
		json_key_text(&w, key);
		json_compact(&w, item);
	}
	if (p->cursor)
		json_member_string(&w, "cursor", str_from(p->cursor));
	if (p->replies.len) {
		json_key(&w, "inputResponses");
		buf_printf(&c->text, "{%s}", buf_z(&p->replies));
		w.comma = true;
		w.keyed = false;
	}
	if (p->state)
		json_member_string(&w, "requestState", str_from(p->state));
	mcp_write_meta(c, &w, p->progress ? p->id : 0);
	json_close_object(&w);
	rpc_close(&w);
	mcp_send(c, &(struct mcp_outgoing){ .id = p->id, .method = str_from(p->method), .name = str_from(p->name), .headers = str_from(p->headers) });
}

/* --- questions --- */

struct mcp_pending *mcp_pending_of(struct mcp_client *c, int64_t ticket)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->pending[i].ticket == ticket)
			return &c->pending[i];
	return NULL;
}

static struct mcp_pending *pending_with_id(struct mcp_client *c, int64_t id)
{
	for (size_t i = 0; id && i < c->count; i++)
		if (c->pending[i].id == id)
			return &c->pending[i];
	return NULL;
}

bool mcp_client_waits_for(const struct mcp_client *c, int64_t id)
{
	bool waits = id && c->handshake == id;

	for (size_t i = 0; id && i < c->count; i++)
		waits |= c->pending[i].id == id;
	return waits;
}

int64_t mcp_client_ticket(const struct mcp_client *c, int64_t id)
{
	for (size_t i = 0; id && i < c->count; i++)
		if (c->pending[i].id == id)
			return c->pending[i].ticket;
	return 0;
}

static enum mcp_list list_of(const char *method)
{
	enum mcp_list list = 0;

	while (list < MCP_LIST_COUNT && strcmp(lists[list].method, method) != 0)
		list++;
	return list;
}

void mcp_write_call(struct str name, struct str arguments, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_string(&w, "name", name);
	if (arguments.ptr)
		json_member_verbatim(&w, "arguments", arguments);
	json_close_object(&w);
}

int64_t mcp_client_ask(struct mcp_client *c, const struct mcp_question *question)
{
	struct mcp_pending *p = &c->pending[c->count];
	int64_t ticket;

	assert(c->step == MCP_READY);
	if (c->count == MCP_QUESTIONS_MOST)
		return 0;
	c->count++;
	*p = (struct mcp_pending){
		.ticket = c->next_id, .method = mem_dup_z(question->method), .progress = question->progress, .list = list_of(question->method),
		.params = question->params.ptr ? str_dup(question->params) : mem_dup_z("{}"),
		.name = question->name.ptr ? str_dup(question->name) : NULL,
		.headers = question->headers.ptr ? str_dup(question->headers) : NULL,
	};
	ticket = p->ticket;
	mcp_send_pending(c, p);
	return ticket;
}

void mcp_note_gone(struct mcp_client *c, int64_t id)
{
	c->gone[c->gone_at++ % MCP_GONE] = id;
}

static bool is_gone(const struct mcp_client *c, int64_t id)
{
	size_t i = 0;

	while (i < MCP_GONE && c->gone[i] != id)
		i++;
	return i < MCP_GONE;
}

static void pending_remove(struct mcp_client *c, struct mcp_pending *p)
{
	mcp_wants_forget(c, p->ticket);
	pending_fini(p);
	*p = c->pending[--c->count];
}

void mcp_finish(struct mcp_client *c, struct mcp_pending *p, const struct mcp_answer *answer)
{
	int64_t ticket = p->ticket;

	pending_remove(c, p);
	c->sink.answer(c->sink.ctx, ticket, answer);
}

void mcp_finish_with(struct mcp_client *c, struct mcp_pending *p, enum mcp_ending ending, const char *format, ...)
{
	struct error words;
	va_list args;

	va_start(args, format);
	vsnprintf(words.text, sizeof words.text, format, args);
	va_end(args);
	mcp_finish(c, p, &(struct mcp_answer){ .ending = ending, .words = str_from(words.text) });
}

/* What stands for "nothing more": the server of a session ignores it, if it does not come in time. */
static void tell_cancelled(struct mcp_client *c, int64_t id, struct str why)
{
	struct json_writer w;

	if (!id)
		return;
	mcp_note_gone(c, id);
	if (!mcp_is_modern(c->facts.revision) || c->options.tells_cancelled) {
		rpc_open(&w, &c->text, 0, STR("notifications/cancelled"));
		json_open_object(&w);
		json_member_integer(&w, "requestId", id);
		if (why.len)
			json_member_string(&w, "reason", why);
		json_close_object(&w);
		rpc_close(&w);
		mcp_send(c, &(struct mcp_outgoing){ .method = STR("notifications/cancelled") });
	}
	c->sink.dropped(c->sink.ctx, id);
}

void mcp_client_cancel(struct mcp_client *c, int64_t ticket, struct str why)
{
	struct mcp_pending *p = mcp_pending_of(c, ticket);

	if (!p)
		return;
	int64_t id = p->id;
	pending_remove(c, p);
	tell_cancelled(c, id, why);
}

void mcp_client_end(struct mcp_client *c, int64_t id, enum mcp_ending ending, struct str words)
{
	struct mcp_pending *p = pending_with_id(c, id);

	if (id && id == c->handshake)
		mcp_begin_failed(c, ending, words);
	else if (p)
		mcp_finish(c, p, &(struct mcp_answer){ .ending = ending, .words = words });
}

void mcp_client_end_all(struct mcp_client *c, enum mcp_ending ending, struct str words)
{
	if (c->handshake)
		mcp_begin_failed(c, ending, words);
	while (c->count)
		mcp_finish(c, &c->pending[0], &(struct mcp_answer){ .ending = ending, .words = words });
}

/* --- answers --- */

/* The next page, unless the list does not end. Returns whether it was asked for. */
static bool ask_next_page(struct mcp_client *c, struct mcp_pending *p, struct str cursor)
{
	if (p->cursor && str_is(cursor, p->cursor)) {
		mcp_notice(c, MCP_LIST_ENDLESS, "%s: the server names the page that it has just given as the next one; the list ends here",
		           p->method);
		return false;
	}
	if (++p->pages == MCP_PAGES_MOST) {
		mcp_notice(c, MCP_LIST_ENDLESS, "%s: the list has more than %u pages; these are the first", p->method, MCP_PAGES_MOST);
		return false;
	}
	str_replace(&p->cursor, cursor);
	mcp_send_pending(c, p);
	return true;
}

static void take_page(struct mcp_client *c, struct mcp_pending *p, const struct json *result)
{
	const struct json *cursor = json_get(result, "nextCursor");
	struct mcp_answer answer = { .ending = MCP_COMPLETE, .result = result };

	if (json_kind(json_get(result, lists[p->list].member)) != JSON_ARRAY) {
		mcp_finish_with(c, p, MCP_VIOLATION, "the answer to %s has no list \"%s\"", p->method, lists[p->list].member);
		return;
	}
	if (json_kind(cursor) == JSON_STRING && ask_next_page(c, p, json_text(cursor))) {
		answer.ending = MCP_PAGE;
		c->sink.answer(c->sink.ctx, p->ticket, &answer);
	} else {
		mcp_finish(c, p, &answer);
	}
}

static void take_result(struct mcp_client *c, struct mcp_pending *p, const struct json *result)
{
	struct str type = json_get_text(result, "resultType");

	if (!mcp_is_modern(c->facts.revision) || !type.ptr || str_is(type, "complete")) {
		if (p->list < MCP_LIST_COUNT)
			take_page(c, p, result);
		else
			mcp_finish(c, p, &(struct mcp_answer){ .ending = MCP_COMPLETE, .result = result });
	} else if (str_is(type, "input_required")) {
		mcp_wants_inputs(c, p, result);
	} else {
		mcp_finish_with(c, p, MCP_VIOLATION, "the answer to %s is of a type that is not known: \"%.*s\"", p->method,
		                STR_ARG(str_head(type, NAME_MOST)));
	}
}

static void take_answer(struct mcp_client *c, const struct rpc_message *m, int64_t about)
{
	int64_t id = about;
	struct mcp_pending *p;
	struct buf shown = { 0 };

	/* An error that could not be told which request it is about: on a response it is that one. */
	if (!m->id && !about && c->handshake)
		id = c->handshake;
	else if (!m->id && !about && c->count == 1)
		id = c->pending[0].id;
	if (m->id && !rpc_id_number(m->id, &id))
		id = 0;
	p = pending_with_id(c, id);
	if (id && id == c->handshake) {
		mcp_begin_take(c, m);
	} else if (p && m->kind == RPC_RESULT) {
		take_result(c, p, m->result);
	} else if (p) {
		mcp_finish(c, p, &(struct mcp_answer){ .ending = MCP_ERROR, .code = m->code, .data = m->data, .words = m->words });
	} else if (id > 0 && id < c->next_id) {
		if (!mcp_begin_take_late(c, id, m) && !is_gone(c, id))
			mcp_notice(c, MCP_ANSWERED_TWICE, "the server answered request %lld a second time; that is ignored", (long long)id);
	} else {
		json_dump(m->id, &shown);
		mcp_notice(c, MCP_NOT_ASKED, "the server answered what was not asked, request %.*s; that is ignored", (int)NAME_MOST, buf_z(&shown));
	}
	buf_fini(&shown);
}

/* --- notifications --- */

static void take_progress(struct mcp_client *c, const struct json *params)
{
	struct mcp_progress progress = { .total = -1, .words = json_get_text(params, "message") };
	const struct mcp_pending *p;
	int64_t id;

	if (!rpc_id_number(json_get(params, "progressToken"), &id) || !json_number(json_get(params, "progress"), &progress.done))
		return;
	p = pending_with_id(c, id);
	if (!p || !p->progress)
		return;
	json_number(json_get(params, "total"), &progress.total);
	c->sink.progress(c->sink.ctx, p->ticket, &progress);
}

/* Messages for the log are for the tape, which has all messages. */
static void take_notification(struct mcp_client *c, const struct rpc_message *m)
{
	struct str what = str_skip(m->method, sizeof "notifications/" - 1);

	if (!str_starts(m->method, "notifications/"))
		return;
	if (str_is(what, "progress"))
		take_progress(c, m->params);
	if (str_is(what, "cancelled"))
		mcp_wants_cancelled(c, json_get(m->params, "requestId"));
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++)
		if (str_starts(what, lists[list].member) && str_is(str_skip(what, strlen(lists[list].member)), "/list_changed"))
			c->sink.changed(c->sink.ctx, list);
}

/* --- messages --- */

static void take_value(struct mcp_client *c, const struct json *value, int64_t about)
{
	struct rpc_message m;
	struct error why = { "" };
	struct str words;

	if (!rpc_read(value, &m, &why)) {
		char text[sizeof why.text];

		snprintf(text, sizeof text, "what the server sent is no message of JSON-RPC: %.900s", why.text);
		words = str_from(text);
		if (about && mcp_client_waits_for(c, about))
			mcp_client_end(c, about, MCP_VIOLATION, words);
		else
			mcp_notice(c, MCP_NO_MESSAGE, "%s; it is ignored", text);
		return;
	}
	switch (m.kind) {
	case RPC_REQUEST:
		mcp_wants_request(c, &m, about);
		break;
	case RPC_NOTIFICATION:
		take_notification(c, &m);
		break;
	case RPC_RESULT:
	case RPC_ERROR:
		take_answer(c, &m, about);
		break;
	}
}

/* The id of an answer that cannot be parsed, so that its request need not wait for the end of its time; 0: it is no answer, or has none. */
static int64_t large_answer_id(struct str text)
{
	long long id = 0;

	if (!json_scan_find(text, (const char *const[]){ "method", NULL }).len)
		(void)str_to_int(json_scan_find(text, (const char *const[]){ "id", NULL }), &id);
	return id;
}

void mcp_client_take(struct mcp_client *c, struct str text, int64_t about)
{
	struct json_parser *parser = c->parser;
	size_t used = 0;
	const struct json *value;

	c->parser = NULL; /* callbacks may ask, but what is parsed stays */
	value = json_parse(parser, text, &used);
	if (!value || !str_is_blank(str_skip(text, used))) {
		struct error words;

		if (json_was_too_large(parser) || json_scan_is_too_deep(text)) {
			about = about ? about : large_answer_id(text);
			error_set(&words, "what the server sent is too large, or nested too deeply");
		} else {
			error_set(&words, "what the server sent is no JSON: \"%.*s\"", STR_ARG(str_head(text, NAME_MOST)));
		}
		if (about && mcp_client_waits_for(c, about))
			mcp_client_end(c, about, MCP_VIOLATION, str_from(words.text));
		else
			mcp_notice(c, MCP_NO_JSON, "%s; it is ignored", words.text);
	} else if (json_kind(value) == JSON_ARRAY && c->facts.revision == MCP_2025_03_26) {
		/* The only revision with batches. */
		for (size_t i = 0; i < json_length(value); i++)
			take_value(c, json_at(value, i), about);
	} else {
		take_value(c, value, about);
	}
	c->parser = parser;
}
