/*
 * What the request bodies of several protocols have in common: lists of messages, tool definitions, attachments, arguments.
 */
#ifndef WEIR_WIRE_REQUEST_WRITE_H
#define WEIR_WIRE_REQUEST_WRITE_H

#include "base/json_write.h"
#include "wire/request.h"

/* A message's part after `index`, NULL behind the last. */
const struct request_part *request_next_part(const struct request_message *message, size_t index);

bool request_has_call(const struct request_message *message);

/* True for an opaque part of that format; NULL is none. */
bool request_is_opaque(const struct request_part *part, const char *format);

/* All the text of a message's parts of one kind, joined without a separator. Replaces what is in `out`. */
struct str request_join_text(const struct request_message *message, enum part_kind kind, struct buf *out);

/* What an answer says where it must be one text: its text, or a refusal, which every server takes as text. Replaces `out`. */
struct str request_join_said(const struct request_message *message, struct buf *out);

const char *request_level_name(enum reasoning_level level); /* "low", "medium", "high"; NULL for the rest */

/* One definition of `request->tools`; parameters are compact JSON, STR_NONE when there are none. Borrowed for the call. */
struct tool_definition { struct str name, description, parameters; bool strict; };
typedef void tool_visit(void *ctx, const struct tool_definition *tool);
bool request_has_tools(const struct request *request); /* at least one */
/* The member `key`: an array to which `write` adds each tool; its ctx is `w`. Nothing without tools. */
void request_write_tools(struct json_writer *w, const char *key, const struct request *request, tool_visit *write);

/* What can become of an attachment. */
enum attachment { ATTACHMENT_IMAGE, ATTACHMENT_PDF, ATTACHMENT_AUDIO, ATTACHMENT_VIDEO, ATTACHMENT_TEXT, ATTACHMENT_OTHER };
enum attachment attachment_kind(const struct request_part *part);
/* A text file with its name; for everything else a sentence that says what could not be sent. Replaces what is in `scratch`. */
struct str attachment_text(const struct request_part *part, struct buf *scratch);

typedef void message_write(struct json_writer *w, const struct request *request, const struct request_message *message);

/* The member "messages": the system prompt as a message of its own, then those that `write` makes of each. */
void request_write_messages(struct json_writer *w, const struct request *request, message_write *write);

/*
 * An array of messages whose roles alternate: {"role":...,CONTENT:[...]}. `write` adds a message's elements to the array;
 * one that adds none is left out, and what are then neighbours of one role is one message.
 */
struct alternation {
	const char *user, *assistant, *content;
	message_write *write;
};
void request_write_alternating(struct json_writer *w, const struct request *request, const struct alternation *form);

/* Members: key and value. */
void request_write_temperature(struct json_writer *w, const struct request *request); /* nothing if none is to be sent */
void request_write_schema(struct json_writer *w, struct str schema); /* name, strict and schema, as OpenAI has them */
void request_write_compact(struct json_writer *w, const char *key, struct str json); /* nothing if it is no valid JSON */
void request_write_base64(struct json_writer *w, const char *key, struct str bytes);
void request_write_data_url(struct json_writer *w, const char *key, const struct request_part *attachment);
/* Arguments where the protocol wants an object: {} for none, {"value":...} around what is no object. */
void request_write_arguments(struct json_writer *w, const char *key, struct str arguments);

#endif
