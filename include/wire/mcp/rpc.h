/*
 * JSON-RPC 2.0 as the Model Context Protocol has it: single messages, named parameters, ids that are numbers or strings. Pure: no descriptor,
 * no clock.
 *
 * The reader is strict about what a message is, not about how its JSON is written (base/json.h). Members that it does not know are ignored.
 */
#ifndef WEIR_WIRE_RPC_H
#define WEIR_WIRE_RPC_H

#include "base/json.h"
#include "base/json_write.h"

#define RPC_MESSAGE_MOST ((size_t)32 << 20) /* bytes of a message that is received */

/* Codes of errors that a client sends. */
#define RPC_INVALID_REQUEST (-32600)
#define RPC_METHOD_NOT_FOUND (-32601)
#define RPC_INVALID_PARAMS (-32602)
#define RPC_PAGES_FIRST (-32042) /* URLElicitationRequiredError, of 2025-11-25: its data name pages that the user has to open before */

enum rpc_kind { RPC_REQUEST, RPC_NOTIFICATION, RPC_RESULT, RPC_ERROR };

/* Borrowed from the parsed value. */
struct rpc_message {
	enum rpc_kind kind;
	const struct json *id;     /* of a request or an answer, a number or a string. NULL: none; an RPC_ERROR may lack it */
	struct str method;         /* of a request or a notification; not empty */
	const struct json *params; /* the same: an object; NULL: none */
	const struct json *result; /* of RPC_RESULT: an object */
	int64_t code;              /* of RPC_ERROR */
	struct str words;          /* the same: its message, perhaps empty */
	const struct json *data;   /* the same; NULL: none */
};

/* Reads a value. False: it is no message; `err` says why. */
MUST_USE bool rpc_read(const struct json *value, struct rpc_message *message, struct error *err);

/* The id as a whole number; false if it is none, as for one that is a string. */
bool rpc_id_number(const struct json *id, int64_t *number);

/*
 * Appends a message of ours without what the user has filled in for the server: the content of an answer to a form, also where it goes with a
 * request. There may be a secret in it, which nothing but the server is to get.
 */
void rpc_add_without_answers(struct buf *out, struct str message);

/* --- writing --- */

/* Begins a request, or with id 0 a notification, up to the value of `params`, which follows; rpc_close() ends it. */
void rpc_open(struct json_writer *w, struct buf *out, int64_t id, struct str method);
/* Begins an answer to a request of the other side, up to the value of `result` or `error`. */
void rpc_open_answer(struct json_writer *w, struct buf *out, const struct json *id, const char *member);
void rpc_close(struct json_writer *w);

#endif
