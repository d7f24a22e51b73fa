/*
 * A request: a borrowed view of what is to be sent. The conversation projects itself into one; protocols only read it.
 *
 * Everything is valid as long as whoever made it says (chat/conversation.h: until the conversation changes).
 */
#ifndef WEIR_WIRE_REQUEST_H
#define WEIR_WIRE_REQUEST_H

#include "base/text.h"
#include "wire/part.h"

enum turn_role { TURN_USER, TURN_ASSISTANT };

/*
 * One part of a message. An assistant message holds text, reasoning, refusal, tool calls and opaque parts, in order of arrival;
 * a user message tool results first, then text and attachments.
 */
struct request_part {
	enum part_kind kind;
	struct str text;     /* of all; tool call: its arguments (valid JSON); opaque: its data; attachment: raw bytes */
	struct str id;       /* tool call and result: the call's id, never absent (made up where the server sent none) */
	struct str name;     /* tool call and result: the tool's name; opaque: the format; attachment: file name */
	struct str media;    /* attachment: media type */
	bool is_error;       /* tool result: the call failed or was not run */
	bool id_is_ours;     /* tool call and result: the server sent no id (Gemini: leave it out) */
};

struct request_message {
	enum turn_role role;
	const struct request_part *parts;
	size_t part_count;
};

/* The levels in rising order, with what people write for one. */
#define REASONING_WORDS(X) X(OFF, "off") X(LOW, "low") X(MEDIUM, "medium") X(HIGH, "high")

enum reasoning_level {
	REASONING_UNSET,
#define X(upper, word) REASONING_##upper,
	REASONING_WORDS(X)
#undef X
};
#define REASONING_LEVELS (REASONING_HIGH + 1)

/* NULL for the unset one. */
const char *reasoning_level_name(enum reasoning_level level);
/* False, and nothing set, for what is none of them. */
bool reasoning_level_find(struct str name, enum reasoning_level *level);

/* How a maximum of tokens is named in openai-chat. */
enum max_tokens_field { MAX_TOKENS_OLD /* max_tokens */, MAX_TOKENS_COMPLETION /* max_completion_tokens */ };
/* How reasoning is asked for in openai-chat. */
enum reasoning_field { REASONING_EFFORT /* reasoning_effort */, REASONING_OBJECT /* reasoning:{effort} */ };
enum thinking_field { THINKING_ENABLED /* budget */, THINKING_ADAPTIVE };

/* The cells of CONTRACT.md's table "What is sent": dialect row, then provider settings, then what a server refused by name. */
struct sending {
	enum max_tokens_field max_tokens_field;
	bool usage_opt_in;             /* stream_options.include_usage */
	enum reasoning_field reasoning_field;
	enum thinking_field thinking;  /* anthropic */
	bool reasoning_back;           /* assistant messages carry reasoning_content (DeepSeek wants it) */
};

/* The last message is an answer that is to go on: a text that broke off, or a turn that the server paused. */
enum continues { CONTINUE_NOT, CONTINUE_TEXT, CONTINUE_PAUSED };

struct request {
	struct str model;
	struct str system;             /* "" for none */
	const struct request_message *messages;
	size_t message_count;
	struct str tools;              /* JSON array of definitions in the OpenAI shape, or STR_NONE */
	struct str schema;             /* a JSON Schema that the answer must follow, or STR_NONE */
	long long max_tokens;          /* 0: none is sent, where the protocol allows it */
	double temperature;            /* NAN: none is sent */
	enum reasoning_level reasoning;
	bool stream;
	enum continues continues;   /* the chat layer has made the messages fit (chat/continuation.h) */
	struct sending sending;
};

#endif
