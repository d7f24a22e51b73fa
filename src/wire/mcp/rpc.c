#include "wire/mcp/rpc.h"

#include "base/json_scan.h"

static bool rpc_is_id(const struct json *id)
{
	return json_kind(id) == JSON_NUMBER || json_kind(id) == JSON_STRING;
}

/* A whole number, of either sign. */
static bool rpc_whole(const struct json *value, int64_t *number)
{
	const double most = 9007199254740992.0; /* beyond it a double skips whole numbers */
	double real;

	if (json_kind(value) != JSON_NUMBER || !json_number(value, &real) || real > most || real < -most || real != (double)(int64_t)real)
		return false;
	*number = (int64_t)real;
	return true;
}

static bool rpc_read_call(struct rpc_message *m, struct error *err)
{
	m->kind = m->id ? RPC_REQUEST : RPC_NOTIFICATION;
	if (!m->method.len)
		return error_set(err, "its method is no name");
	if (m->params && json_kind(m->params) != JSON_OBJECT)
		return error_set(err, "its params are no object");
	return true;
}

static bool rpc_read_error(struct rpc_message *m, const struct json *error, struct error *err)
{
	m->kind = RPC_ERROR;
	m->words = json_get_text(error, "message");
	m->data = json_get(error, "data");
	return rpc_whole(json_get(error, "code"), &m->code) || error_set(err, "its error has no code");
}

bool rpc_read(const struct json *value, struct rpc_message *message, struct error *err)
{
	static const char *const keys[] = { "jsonrpc", "id", "method", "params", "result", "error" };
	const struct json *members[6];

	*message = (struct rpc_message){ 0 };
	if (json_kind(value) == JSON_ARRAY)
		return error_set(err, "it is a batch of messages");
	if (json_kind(value) != JSON_OBJECT)
		return error_set(err, "it is no object");
	json_take(value, keys, 6, members);
	if (!str_is(json_text(members[0]), "2.0"))
		return error_set(err, "its jsonrpc is not \"2.0\"");
	if (members[1] && !rpc_is_id(members[1]))
		return error_set(err, "its id is neither a number nor a string");
	message->id = members[1];
	message->method = json_text(members[2]);
	message->params = members[3];
	message->result = members[4];
	if ((members[2] != NULL) + (members[4] != NULL) + (members[5] != NULL) != 1)
		return error_set(err, "it has not exactly one of method, result and error");
	if (members[2])
		return rpc_read_call(message, err);
	if (members[5])
		return rpc_read_error(message, members[5], err);
	message->kind = RPC_RESULT;
	if (!message->id)
		return error_set(err, "its result has no id");
	return json_kind(message->result) == JSON_OBJECT || error_set(err, "its result is no object");
}

bool rpc_id_number(const struct json *id, int64_t *number)
{
	return rpc_whole(id, number);
}

void rpc_open(struct json_writer *w, struct buf *out, int64_t id, struct str method)
{
	json_writer_init(w, out);
	json_open_object(w);
	json_member_string(w, "jsonrpc", STR("2.0"));
	if (id)
		json_member_integer(w, "id", id);
	json_member_string(w, "method", method);
	json_key(w, "params");
}

void rpc_open_answer(struct json_writer *w, struct buf *out, const struct json *id, const char *member)
{
	struct buf text = { 0 };

	json_dump(id, &text);
	json_writer_init(w, out);
	json_open_object(w);
	json_member_string(w, "jsonrpc", STR("2.0"));
	json_member_verbatim(w, "id", buf_str(&text));
	json_key(w, member);
	buf_fini(&text);
}

void rpc_close(struct json_writer *w)
{
	json_close_object(w);
}

/* --- without answers --- */

void rpc_add_without_answers(struct buf *out, struct str message)
{
	static const char *const places[][3] = { { "result", "content", NULL }, { "params", "inputResponses", NULL } };
	struct str found = STR_NONE;

	for (size_t i = 0; i < 2 && !found.ptr; i++)
		found = json_scan_find(message, places[i]);
	if (!found.ptr) {
		buf_add(out, message);
		return;
	}
	buf_add(out, str_head(message, (size_t)(found.ptr - message.ptr)));
	buf_add_z(out, "\"left out\"");
	buf_add(out, str_skip(message, (size_t)(found.ptr - message.ptr) + found.len));
}
