/* How a session begins: which revision the server speaks (versioning, "Backward Compatibility"), and the handshake of older ones. */
#include "wire/mcp/client_inside.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

#define FACT_MOST 200u /* bytes of a name or version of the server */

/* Errors by which a modern server says that it is one. */
enum { HEADER_MISMATCH = -32020, MISSING_CAPABILITY = -32021, UNSUPPORTED_VERSION = -32022 };
#define INVALID_PARAMS (-32602) /* by which an older server refuses a revision */

static void PRINTF_LIKE(3, 4) begin_fails(struct mcp_client *c, enum mcp_ending ending, const char *format, ...)
{
	struct error words;
	va_list args;

	va_start(args, format);
	vsnprintf(words.text, sizeof words.text, format, args);
	va_end(args);
	c->step = MCP_FAILED;
	c->handshake = 0;
	c->sink.failed(c->sink.ctx, ending, str_from(words.text));
}

/* --- asking --- */

static void discover(struct mcp_client *c, enum mcp_revision revision)
{
	struct json_writer w;

	c->step = MCP_DISCOVERING;
	c->asked = revision;
	c->handshake = c->next_id++;
	rpc_open(&w, &c->text, c->handshake, STR("server/discover"));
	json_open_object(&w);
	mcp_write_meta(c, &w, 0);
	json_close_object(&w);
	rpc_close(&w);
	mcp_send(c, &(struct mcp_outgoing){ .id = c->handshake, .method = STR("server/discover") });
}

static void initialize(struct mcp_client *c, enum mcp_revision revision)
{
	struct json_writer w;

	c->step = MCP_INITIALIZING;
	c->asked = revision;
	c->facts.revision = MCP_REVISION_COUNT;
	c->handshake = c->next_id++;
	rpc_open(&w, &c->text, c->handshake, STR("initialize"));
	json_open_object(&w);
	json_member_string(&w, "protocolVersion", str_from(mcp_revision_name(revision)));
	json_key(&w, "capabilities");
	mcp_write_capabilities(c, &w);
	json_key(&w, "clientInfo");
	json_open_object(&w);
	json_member_string(&w, "name", STR("weir"));
	json_member_string(&w, "version", str_from(c->options.version));
	json_close_object(&w);
	json_close_object(&w);
	rpc_close(&w);
	mcp_send(c, &(struct mcp_outgoing){ .id = c->handshake, .method = STR("initialize") });
}

void mcp_client_start(struct mcp_client *c)
{
	enum mcp_revision only = c->options.revision;

	if (only < MCP_REVISION_COUNT && !mcp_is_modern(only))
		initialize(c, only);
	else
		discover(c, only < MCP_REVISION_COUNT ? only : MCP_2026_07_28);
}

static void discovery_has_failed(struct mcp_client *c, enum mcp_ending ending, struct str words)
{
	if (c->options.revision < MCP_REVISION_COUNT)
		begin_fails(c, ending, "the server does not speak %s: %.*s", mcp_revision_name(c->options.revision),
		            STR_ARG(words.len ? words : STR("it does not answer server/discover")));
	else
		initialize(c, MCP_2025_11_25);
}

void mcp_client_skip_discovery(struct mcp_client *c)
{
	int64_t id = c->handshake;

	if (c->step != MCP_DISCOVERING)
		return;
	mcp_note_gone(c, id);
	c->skipped = id;
	discovery_has_failed(c, MCP_STALLED, STR_NONE);
	c->sink.dropped(c->sink.ctx, id);
}

void mcp_client_begin_anew(struct mcp_client *c)
{
	for (size_t i = 0; i < c->count; i++)
		c->pending[i].id = 0;
	c->asked_again = false;
	if (c->facts.revision < MCP_REVISION_COUNT && mcp_is_modern(c->facts.revision))
		discover(c, c->facts.revision);
	else
		initialize(c, c->facts.revision < MCP_REVISION_COUNT ? c->facts.revision : MCP_2025_11_25);
}

/* --- what the server says of itself --- */

static void take_fact(char **fact, const struct json *object, const char *name)
{
	struct str text = json_get_text(object, name);

	if (text.len)
		str_replace(fact, utf8_head(text, FACT_MOST));
}

static void take_facts(struct mcp_client *c, const struct json *result, const struct json *info)
{
	const struct json *offered = json_get(result, "capabilities");

	take_fact(&c->facts.name, info, "name");
	take_fact(&c->facts.version, info, "version");
	c->facts.completes = json_kind(json_get(offered, "completions")) == JSON_OBJECT;
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++) {
		const struct json *capability = json_get(offered, mcp_list_capability(list));

		c->facts.offers[list] = json_kind(capability) == JSON_OBJECT;
		c->facts.tells[list] = false;
		(void)json_flag(json_get(capability, "listChanged"), &c->facts.tells[list]);
	}
}

bool mcp_write_listen(const struct mcp_facts *facts, struct buf *out)
{
	static const char *const filters[MCP_LIST_COUNT] = {
		[MCP_TOOLS] = "toolsListChanged", [MCP_RESOURCES] = "resourcesListChanged", [MCP_PROMPTS] = "promptsListChanged",
	};
	bool any = false;
	struct json_writer w;

	if (!mcp_is_modern(facts->revision))
		return false;
	json_writer_init(&w, out);
	json_open_object(&w);
	json_key(&w, "notifications");
	json_open_object(&w);
	for (enum mcp_list list = 0; list < MCP_LIST_COUNT; list++)
		if (filters[list] && facts->tells[list]) {
			json_member_boolean(&w, filters[list], true);
			any = true;
		}
	json_close_object(&w);
	json_close_object(&w);
	return any;
}

static void begin_is_done(struct mcp_client *c, enum mcp_revision revision)
{
	struct json_writer w;

	c->handshake = 0;
	c->facts.revision = revision;
	c->step = MCP_READY;
	if (!mcp_is_modern(revision)) {
		rpc_open(&w, &c->text, 0, STR("notifications/initialized"));
		json_open_object(&w);
		json_close_object(&w);
		rpc_close(&w);
		mcp_send(c, &(struct mcp_outgoing){ .method = STR("notifications/initialized") });
	}
	c->sink.ready(c->sink.ctx);
	/* What was asked before the session was begun anew. */
	for (size_t i = 0; i < c->count; i++)
		if (!c->pending[i].id && !c->pending[i].wants)
			mcp_send_pending(c, &c->pending[i]);
}

/* --- answers --- */

/* The newest revision of a list of the server that may be spoken; MCP_REVISION_COUNT: none. */
static enum mcp_revision newest_of(const struct mcp_client *c, const struct json *supported)
{
	enum mcp_revision newest = MCP_REVISION_COUNT;

	for (size_t i = 0; i < json_length(supported); i++) {
		enum mcp_revision one = mcp_revision_find(json_text(json_at(supported, i)));

		if (one < newest && (c->options.revision == MCP_REVISION_COUNT || one == c->options.revision))
			newest = one;
	}
	return newest;
}

/* Goes on with a revision that a modern server has named. */
static void go_on_with(struct mcp_client *c, const struct json *supported, const struct json *result)
{
	enum mcp_revision revision = newest_of(c, supported);
	struct buf named = { 0 };

	if (revision == MCP_REVISION_COUNT) {
		json_dump(supported, &named);
		begin_fails(c, MCP_VIOLATION, "no revision of the protocol is common: the server speaks %.200s", named.len ? buf_z(&named) : "none");
	} else if (!mcp_is_modern(revision)) {
		initialize(c, revision);
	} else if (result) {
		take_facts(c, result, json_get(json_get(result, "_meta"), "io.modelcontextprotocol/serverInfo"));
		begin_is_done(c, revision);
	} else if (c->asked_again) {
		begin_fails(c, MCP_VIOLATION, "the server refuses the revision %s, which it names as its own", mcp_revision_name(revision));
	} else {
		c->asked_again = true;
		discover(c, revision);
	}
	buf_fini(&named);
}

static void take_discovery(struct mcp_client *c, const struct rpc_message *m)
{
	const struct json *supported = json_get(m->data, "supported");

	if (m->kind == RPC_RESULT && json_kind(json_get(m->result, "supportedVersions")) == JSON_ARRAY)
		go_on_with(c, json_get(m->result, "supportedVersions"), m->result);
	else if (m->kind == RPC_ERROR && m->code == UNSUPPORTED_VERSION && json_kind(supported) == JSON_ARRAY)
		go_on_with(c, supported, NULL);
	else if (m->kind == RPC_ERROR && (m->code == HEADER_MISMATCH || m->code == MISSING_CAPABILITY || m->code == UNSUPPORTED_VERSION))
		begin_fails(c, MCP_ERROR, "the server refuses server/discover: %.*s (%lld)", STR_ARG(str_head(m->words, 400)), (long long)m->code);
	else
		discovery_has_failed(c, MCP_ERROR, m->words);
}

/* The revision to ask for when one was refused: an older one that the server names, else the next; MCP_REVISION_COUNT: none. */
static enum mcp_revision older_one(const struct mcp_client *c, const struct rpc_message *m)
{
	enum mcp_revision named = newest_of(c, json_get(m->data, "supported"));

	if (m->code != INVALID_PARAMS || c->options.revision < MCP_REVISION_COUNT)
		return MCP_REVISION_COUNT;
	return named == MCP_REVISION_COUNT ? c->asked + 1 : named > c->asked ? named : MCP_REVISION_COUNT;
}

static void take_initialized(struct mcp_client *c, const struct rpc_message *m)
{
	struct str version = json_get_text(m->result, "protocolVersion");
	enum mcp_revision revision = mcp_revision_find(version), only = c->options.revision;

	if (m->kind == RPC_ERROR && older_one(c, m) < MCP_REVISION_COUNT)
		initialize(c, older_one(c, m));
	else if (m->kind == RPC_ERROR)
		begin_fails(c, MCP_ERROR, "the server refuses initialize: %.*s (%lld)", STR_ARG(str_head(m->words, 600)), (long long)m->code);
	else if (revision == MCP_REVISION_COUNT || mcp_is_modern(revision))
		begin_fails(c, MCP_VIOLATION, "the server speaks a revision of the protocol that weir does not: \"%.*s\"",
		            STR_ARG(str_head(version, FACT_MOST)));
	else if (only < MCP_REVISION_COUNT && revision != only)
		begin_fails(c, MCP_VIOLATION, "the server does not speak %s: it answers with %s", mcp_revision_name(only),
		            mcp_revision_name(revision));
	else {
		take_facts(c, m->result, json_get(m->result, "serverInfo"));
		begin_is_done(c, revision);
	}
}

/* A modern server that was slow to start: it does not know what was asked meanwhile. */
bool mcp_begin_take_late(struct mcp_client *c, int64_t id, const struct rpc_message *m)
{
	const struct json *supported = json_get(m->result, "supportedVersions");
	enum mcp_revision newest = newest_of(c, supported);

	if (id != c->skipped || c->step != MCP_INITIALIZING || newest == MCP_REVISION_COUNT || !mcp_is_modern(newest))
		return false;
	mcp_note_gone(c, c->handshake);
	go_on_with(c, supported, m->result);
	return true;
}

void mcp_begin_take(struct mcp_client *c, const struct rpc_message *m)
{
	if (c->step == MCP_DISCOVERING)
		take_discovery(c, m);
	else
		take_initialized(c, m);
}

void mcp_begin_failed(struct mcp_client *c, enum mcp_ending ending, struct str words)
{
	c->handshake = 0;
	if (c->step == MCP_DISCOVERING && ending == MCP_VIOLATION)
		discovery_has_failed(c, ending, words);
	else
		begin_fails(c, ending, "%.*s", STR_ARG(words));
}
