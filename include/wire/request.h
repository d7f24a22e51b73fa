/*
 * A request: a borrowed view of the data to be sent. The conversation creates it (projection); protocols only read it.
 *
 * Its creator defines how long it is valid (chat/conversation/conversation.h: until the conversation changes).
 */
#ifndef WEIR_WIRE_REQUEST_H
#define WEIR_WIRE_REQUEST_H

#include "base/text.h"
#include "wire/part.h"

enum turn_role { TURN_USER, TURN_ASSISTANT };

/*
 * A part of a message. An assistant message has text, reasoning, refusal, tool calls, opaque parts and the media that its protocol lets it
 * have (protocol.h, answers_hold), in order of arrival.
 * A user message has tool results first, then text and attachments. Where a result may hold files (protocol.h, results_hold_files), these have its
 * id, and so has a text in the place of one that is left out.
 */
struct request_part {
	enum part_kind kind;
	struct str text;     /* text of every kind; tool call: the arguments (valid JSON); opaque: the data; attachment, media: raw bytes */
	struct str id;       /* tool call and result: the call's id, never absent (generated if the server sent none); attachment, text: see above */
	struct str name;     /* tool call and result: the tool's name; opaque: the format; attachment: file name */
	struct str media;    /* attachment, media: media type */
	bool is_error;       /* tool result: the call failed or was not run */
	bool id_is_ours;     /* tool call and result: the id was generated (Gemini: omit it) */
};

/* Said before files that came with tool results, in protocols whose results are text. */
#define REQUEST_FILES_OF_RESULTS "These files came with the results of the calls:"

struct request_message {
	enum turn_role role;
	const struct request_part *parts;
	size_t part_count;
};

/* The levels of reasoning effort in rising order, with their names for users. */
#define REASONING_LEVELS(X) X(OFF, "off") X(LOW, "low") X(MEDIUM, "medium") X(HIGH, "high")

enum reasoning_level {
	REASONING_LEVEL_UNSET,
#define X(upper, word) REASONING_LEVEL_##upper,
	REASONING_LEVELS(X)
#undef X
};
#define REASONING_LEVEL_COUNT (REASONING_LEVEL_HIGH + 1)

/* NULL for the unset level. */
const char *reasoning_level_name(enum reasoning_level level);
/* Parses a name. False, with `*level` unchanged, if it is unknown. */
bool reasoning_level_find(struct str name, enum reasoning_level *level);

/* What a server does itself while it answers, with the names for users: tools that it runs, and what it makes besides text. */
#define SERVER_TOOLS(X) X(WEB_SEARCH, "web_search") X(WEB_FETCH, "web_fetch") X(CODE, "code") X(IMAGE, "image") X(AUDIO, "audio") \
	X(FILE_SEARCH, "file_search") X(MCP, "mcp")

enum server_tool {
#define X(upper, word) SERVER_CAN_##upper,
	SERVER_TOOLS(X)
#undef X
	SERVER_CAN_COUNT
};

#define SERVER_TOOLS_OFF (1u << SERVER_CAN_COUNT) /* nobody wants any, in contrast to 0: nobody has said */

const char *server_tool_name(enum server_tool tool);
const char *server_tool_name_at(const void *unused, size_t index); /* as base/names.h wants it */
/*
 * Parses names parted by commas or blanks, or "off". False, with `*tools` (bits 1u << enum server_tool) unchanged, if one is unknown or there
 * is none.
 */
bool server_tools_find(struct str names, unsigned *tools);
void server_tools_write(unsigned tools, const char *between, struct buf *out); /* appends their names, "off" for SERVER_TOOLS_OFF */

/* The name of the token limit in openai-chat. */
enum max_tokens_field { MAX_TOKENS_OLD /* max_tokens */, MAX_TOKENS_COMPLETION /* max_completion_tokens */ };
/* How reasoning is requested in openai-chat. */
enum reasoning_field { REASONING_FIELD_EFFORT /* reasoning_effort */, REASONING_FIELD_OBJECT /* reasoning:{effort} */ };
enum thinking_field { THINKING_ENABLED /* budget */, THINKING_ADAPTIVE };

/*
 * Names and forms that differ between servers. Values come from the dialect's row, are overridden by the provider's settings,
 * and then by what a server has refused by name.
 */
struct sending {
	enum max_tokens_field max_tokens_field;
	bool usage_opt_in;             /* stream_options.include_usage */
	enum reasoning_field reasoning_field;
	enum thinking_field thinking;  /* anthropic */
	bool reasoning_back;           /* assistant messages include reasoning_content (DeepSeek requires it) */
};

/* Whether the last message is an answer to be continued: no; a text that broke off; a turn that the server paused. */
enum continues { CONTINUE_NOT, CONTINUE_TEXT, CONTINUE_PAUSED };

struct request {
	struct str model;
	struct str system;             /* "" for none */
	const struct request_message *messages;
	size_t message_count;
	struct str tools;              /* JSON array of definitions in the OpenAI shape, or STR_NONE */
	struct str schema;             /* a JSON Schema that the answer must follow, or STR_NONE */
	long long max_tokens;          /* 0: not sent, if the protocol allows it */
	double temperature;            /* NAN: not sent */
	double top_p;                  /* nucleus sampling, up to 1; 0: not sent */
	struct str stop;               /* a text before which the answer ends, or STR_NONE; openai-responses has none */
	enum reasoning_level reasoning;
	unsigned server_tools;         /* bits of enum server_tool that are wanted; `added` asks for them */
	struct str added;              /* a JSON object: members of the body beside the protocol's own (chat/provider/server_tools.h), or STR_NONE */
	long long thinking_budget;     /* tokens of reasoning, for anthropic and gemini; 0: that of the level */
	struct str extra;              /* a JSON object that is merged into the body at last (base/json_patch.h), or STR_NONE */
	bool stream;
	enum continues continues;      /* the chat layer has prepared the messages for it (chat/exchange/continuation.h) */
	struct sending sending;
};

#endif
