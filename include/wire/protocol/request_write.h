/*
 * Helpers shared by the request writers: lists of messages, tool definitions, bytes of attachments, arguments.
 */
#ifndef WEIR_WIRE_REQUEST_WRITE_H
#define WEIR_WIRE_REQUEST_WRITE_H

#include "base/json_write.h"
#include "wire/attachment.h"

/* The part after the one at `index`; NULL after the last. */
const struct request_part *request_next_part(const struct request_message *message, size_t index);

/* The files of a tool result: the next one behind part `at`, which is the result or a file of it; NULL: there is none. */
const struct request_part *request_next_file(const struct request_message *message, size_t result, size_t *at);
bool request_is_of_result(const struct request_part *part); /* it is such a file, or stands for one */

bool request_has_call(const struct request_message *message);

/* True for an opaque part of that format. `part` may be NULL. */
bool request_is_opaque(const struct request_part *part, const char *format);

bool request_has_text(const struct request_message *message, enum part_kind kind); /* of that kind */

/* The kind of what an answer says: text, or else a refusal, which servers accept as text. */
enum part_kind request_said(const struct request_message *message);

const char *request_level_name(enum reasoning_level level); /* "low", "medium", "high"; NULL for other levels */

/* A definition in `request->tools`. `parameters` is compact JSON; STR_NONE: none. Borrowed for the call. */
struct tool_definition { struct str name, description, parameters; bool strict; };
typedef void tool_visit(void *ctx, const struct tool_definition *tool);
bool request_has_tools(const struct request *request); /* at least one */
/*
 * Writes the member `key`, an array to which `write` (ctx: `w`) adds each tool; NULL: as it is. The items that `request->added` has of that
 * name follow. Writes nothing without tools.
 */
void request_write_tools(struct json_writer *w, const char *key, const struct request *request, tool_visit *write);

/* What `request->added` has: a member ("" if it is missing); the content of a container, into one that is open; all members but `woven`. */
struct str request_added(const struct request *request, const char *key);
void request_write_content(struct json_writer *w, struct str container);
void request_write_added(struct json_writer *w, const struct request *request, const char *const *woven);

typedef void message_write(struct json_writer *w, const struct request *request, const struct request_message *message);

/* Writes the member "messages": the system prompt as a message of its own, then calls `write` for each message. */
void request_write_messages(struct json_writer *w, const struct request *request, message_write *write);

/*
 * An array of messages with alternating roles: {"role":...,CONTENT:[...]}. `write` adds a message's elements to the array. A message
 * without elements is omitted; adjacent messages with the same role are merged.
 */
struct alternation {
	const char *user, *assistant, *content;
	message_write *write;
};
void request_write_alternating(struct json_writer *w, const struct request *request, const struct alternation *form);

/* A part of a message with attachment_text(). `type`: of the part; NULL: without one. */
void request_write_file_text(struct json_writer *w, const char *type, const struct request_part *attachment);

/* Each of these writes a member, key and value. */
/* Write temperature and top_p, as far as they are set. `top_p`: its name in the protocol. */
void request_write_sampling(struct json_writer *w, const struct request *request, const char *top_p);
bool request_has_sampling(const struct request *request);
void request_write_stop(struct json_writer *w, const struct request *request, const char *key); /* an array of one text; nothing without one */
void request_write_schema(struct json_writer *w, struct str schema); /* OpenAI's members name, strict and schema */
void request_write_compact(struct json_writer *w, const char *key, struct str json); /* nothing if it is not valid JSON */
/* The text of all parts of one kind, joined without a separator. */
void request_write_joined(struct json_writer *w, const char *key, const struct request_message *message, enum part_kind kind);
void request_write_base64(struct json_writer *w, const char *key, struct str bytes);
void request_write_data_url(struct json_writer *w, const char *key, const struct request_part *attachment);
/* Arguments for a protocol that requires an object: {} for none, {"value":...} for a value that is not an object. */
void request_write_arguments(struct json_writer *w, const char *key, struct str arguments);

#endif
