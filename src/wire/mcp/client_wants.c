/* What a server asks of us: requests of older ones, inputs that a modern one needs before it answers (multi round-trip requests). */
#include "wire/mcp/client_inside.h"

#include "base/mem.h"

#define ELICIT "elicitation/create"

void mcp_write_capabilities(const struct mcp_client *c, struct json_writer *w)
{
	json_open_object(w);
	if (c->sink.want) {
		json_key(w, "elicitation");
		json_open_object(w);
		json_key(w, "form");
		json_open_object(w);
		json_close_object(w);
		if (c->options.shows_pages) {
			json_key(w, "url");
			json_open_object(w);
			json_close_object(w);
		}
		json_close_object(w);
	}
	json_close_object(w);
}

/* A form has no mode where it is the only one that the revision knows. */
static bool mode_is_offered(const struct mcp_client *c, const struct json *params)
{
	struct str mode = json_get_text(params, "mode");

	return !mode.ptr || str_is(mode, "form") || (c->options.shows_pages && str_is(mode, "url"));
}

/* --- replies that are waited for --- */

static struct mcp_kept_want *want_keep(struct mcp_client *c, int64_t ticket, bool is_input, char *key)
{
	for (size_t i = 0; i < MCP_WANTS_MOST; i++)
		if (!c->wants[i].number) {
			c->wants[i] = (struct mcp_kept_want){ c->next_want++, ticket, is_input, key };
			return &c->wants[i];
		}
	mem_free(key);
	return NULL;
}

static void want_forget(struct mcp_client *c, struct mcp_kept_want *want)
{
	int64_t number = want->number;

	mem_free(want->key);
	*want = (struct mcp_kept_want){ 0 };
	if (c->sink.unwanted)
		c->sink.unwanted(c->sink.ctx, number);
}

static void reply_to_request(struct mcp_client *c, const char *id, struct str result)
{
	buf_printf(&c->text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":", id);
	buf_add(&c->text, result);
	buf_add_byte(&c->text, '}');
	mcp_send(c, &(struct mcp_outgoing){ .id = 0 });
}

void mcp_wants_forget(struct mcp_client *c, int64_t ticket)
{
	for (size_t i = 0; i < MCP_WANTS_MOST; i++) {
		struct mcp_kept_want *want = &c->wants[i];

		if (!want->number || want->ticket != ticket)
			continue;
		if (!want->is_input)
			reply_to_request(c, want->key, STR("{\"action\":\"cancel\"}"));
		want_forget(c, want);
	}
}

bool mcp_client_is_asked(const struct mcp_client *c)
{
	for (size_t i = 0; i < MCP_WANTS_MOST; i++)
		if (c->wants[i].number)
			return true;
	return false;
}

/* --- requests of older servers --- */

static void answer_begins(struct mcp_client *c, struct json_writer *w, const struct json *id, const char *member)
{
	rpc_open_answer(w, &c->text, id, member);
	json_open_object(w);
}

static void answer_ends(struct mcp_client *c, struct json_writer *w)
{
	json_close_object(w);
	rpc_close(w);
	mcp_send(c, &(struct mcp_outgoing){ .id = 0 });
}

static void request_refuse(struct mcp_client *c, const struct rpc_message *m, int64_t code, struct str words)
{
	struct json_writer w;

	answer_begins(c, &w, m->id, "error");
	json_member_integer(&w, "code", code);
	json_member_string(&w, "message", words);
	answer_ends(c, &w);
}

/* The question that a request belongs to: that of the response which brought it, else the only one. */
static int64_t request_ticket(const struct mcp_client *c, int64_t about)
{
	int64_t ticket = mcp_client_ticket(c, about);

	return ticket || c->count != 1 ? ticket : c->pending[0].ticket;
}

/* A program that is no server may send back what it reads, as cat does. */
static bool request_is_echo(const struct mcp_client *c, const struct rpc_message *m)
{
	int64_t id;

	return c->handshake && rpc_id_number(m->id, &id) && id == c->handshake &&
	       (str_is(m->method, "initialize") || str_is(m->method, "server/discover"));
}

void mcp_wants_request(struct mcp_client *c, const struct rpc_message *m, int64_t about)
{
	struct mcp_kept_want *want = NULL;
	struct buf id = { 0 };
	struct json_writer w;

	if (request_is_echo(c, m)) {
		mcp_client_end(c, c->handshake, MCP_VIOLATION, STR("what it is asked comes back as it was, so it is no MCP server; check the command "
		               "or address: many programs serve only with a word such as mcp, serve or --stdio"));
		return;
	}
	if (c->facts.revision < MCP_REVISION_COUNT && mcp_is_modern(c->facts.revision)) {
		mcp_notice(c, MCP_MODERN_REQUEST, "the server sent a request, \"%.*s\", which revision %s does not have; it is ignored",
		           STR_ARG(str_head(m->method, 100)), mcp_revision_name(c->facts.revision));
		return;
	}
	if (str_is(m->method, "ping")) {
		answer_begins(c, &w, m->id, "result");
		answer_ends(c, &w);
		return;
	}
	if (!c->sink.want || !str_is(m->method, ELICIT)) {
		mcp_notice(c, MCP_ASKED_FOR_MORE, "the server asked for \"%.*s\", which weir does not offer; that was refused",
		           STR_ARG(str_head(m->method, 100)));
		request_refuse(c, m, RPC_METHOD_NOT_FOUND, STR("this client does not offer it"));
		return;
	}
	if (!mode_is_offered(c, m->params)) {
		request_refuse(c, m, RPC_INVALID_PARAMS, STR("this client does not offer that mode"));
		return;
	}
	json_dump(m->id, &id);
	want = want_keep(c, request_ticket(c, about), false, buf_take(&id));
	if (!want)
		request_refuse(c, m, RPC_INVALID_REQUEST, STR("too many requests wait for an answer"));
	else
		c->sink.want(c->sink.ctx, &(struct mcp_want){ want->number, want->ticket, m->method, m->params });
}

void mcp_wants_cancelled(struct mcp_client *c, const struct json *id)
{
	struct buf key = { 0 };

	if (id)
		json_dump(id, &key);
	for (size_t i = 0; id && i < MCP_WANTS_MOST; i++)
		if (c->wants[i].number && !c->wants[i].is_input && str_is(buf_str(&key), c->wants[i].key))
			want_forget(c, &c->wants[i]);
	buf_fini(&key);
}

/* --- inputs of a question --- */

/* Asks again, when nothing is missing any more. */
static void inputs_are_there(struct mcp_client *c, struct mcp_pending *p)
{
	if (p->wants)
		return;
	mcp_send_pending(c, p);
	buf_clear(&p->replies);
	str_replace(&p->state, STR_NONE);
}

static bool inputs_can_be_given(const struct mcp_client *c, const struct json *inputs, struct str *refused)
{
	struct json_member member = { 0 };

	while (json_next(inputs, &member)) {
		*refused = json_get_text(member.value, "method");
		if (!c->sink.want || !str_is(*refused, ELICIT))
			return false;
		*refused = json_get_text(json_get(member.value, "params"), "mode");
		if (!mode_is_offered(c, json_get(member.value, "params")))
			return false;
	}
	return true;
}

void mcp_wants_inputs(struct mcp_client *c, struct mcp_pending *p, const struct json *result)
{
	const struct json *inputs = json_get(result, "inputRequests"), *state = json_get(result, "requestState");
	struct json_member member = { 0 };
	int64_t ticket = p->ticket;
	struct str refused = STR_NONE;

	if (!inputs && json_kind(state) != JSON_STRING) {
		mcp_finish_with(c, p, MCP_VIOLATION, "the answer to %s says that input is required, but not which", p->method);
		return;
	}
	if (!inputs_can_be_given(c, inputs, &refused)) {
		mcp_finish_with(c, p, MCP_VIOLATION, "to answer %s, the server asks for \"%.*s\", which weir does not offer", p->method,
		                STR_ARG(str_head(refused, 100)));
		return;
	}
	if (++p->rounds > MCP_ROUNDS_MOST) {
		mcp_finish_with(c, p, MCP_VIOLATION, "the server asked for more input %u times without an answer to %s", MCP_ROUNDS_MOST, p->method);
		return;
	}
	str_replace(&p->state, json_kind(state) == JSON_STRING ? json_text(state) : STR_NONE);
	buf_clear(&p->replies);
	p->id = 0;
	p->wants = 1; /* this one, until all are asked */
	while ((p = mcp_pending_of(c, ticket)) && json_next(inputs, &member)) {
		struct mcp_kept_want *want = want_keep(c, ticket, true, str_dup(member.key));

		if (!want) {
			mcp_finish_with(c, p, MCP_VIOLATION, "the server asks for more than %u inputs at once", MCP_WANTS_MOST);
			return;
		}
		p->wants++;
		c->sink.want(c->sink.ctx, &(struct mcp_want){ want->number, ticket, json_get_text(member.value, "method"),
		                                             json_get(member.value, "params") });
	}
	if (!p)
		return;
	p->wants--;
	inputs_are_there(c, p);
}

void mcp_client_reply(struct mcp_client *c, int64_t number, struct str result)
{
	struct mcp_kept_want *want = c->wants;

	while (want < c->wants + MCP_WANTS_MOST && want->number != number)
		want++;
	if (!number || want == c->wants + MCP_WANTS_MOST)
		return;
	char *key = want->key;
	struct mcp_pending *p = want->is_input ? mcp_pending_of(c, want->ticket) : NULL;
	bool is_input = want->is_input;
	*want = (struct mcp_kept_want){ 0 };
	if (!is_input)
		reply_to_request(c, key, result);
	if (p) {
		if (p->replies.len)
			buf_add_byte(&p->replies, ',');
		json_escape(&p->replies, str_from(key));
		buf_add_byte(&p->replies, ':');
		buf_add(&p->replies, result);
		p->wants--;
		inputs_are_there(c, p);
	}
	mem_free(key);
}
