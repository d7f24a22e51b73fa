/* The state of the rules of the protocols other than openai-chat (lint_inside.h). */
#ifndef WEIR_WIRE_LINT_TYPED_H
#define WEIR_WIRE_LINT_TYPED_H

#include "wire/lint/lint_facts.h"

/* --- Anthropic Messages --- */

enum lint_anthropic_event {
	LINT_MESSAGE_START, LINT_BLOCK_START, LINT_BLOCK_DELTA, LINT_BLOCK_STOP, LINT_MESSAGE_DELTA, LINT_MESSAGE_STOP, LINT_PING,
	LINT_OTHER_EVENT
};
enum lint_block { LINT_NO_BLOCK, LINT_TEXT_BLOCK, LINT_THINKING_BLOCK, LINT_TOOL_BLOCK, LINT_INPUT_BLOCK, LINT_OTHER_BLOCK };

struct lint_anthropic {
	/* the event */
	enum lint_anthropic_event event;
	struct str type;             /* its type, "" if it has none */
	int64_t index;               /* of the block; -1: none was sent */
	enum lint_block block;       /* of this index: the one that starts, or the one that is open */
	const struct json *body;     /* its `message`, `content_block` or `delta` */
	/* so far, without the event */
	size_t events;               /* without pings */
	bool started, delta, stopped;
	struct lint_set open;
	enum lint_block blocks[LINT_SET_MOST]; /* the newest of each index */
	struct lint_set signed_blocks;
	int64_t last_index;          /* of the last block that started; -1: none */
	int64_t output_tokens;       /* -1: unknown */
	size_t tools;                /* tool_use blocks */
	struct str stop_reason;      /* of the event */
	bool stop_tool;              /* the last stop reason is tool_use */
	bool stop_end;               /* the last stop reason is end_turn */
	bool has_stop;
	struct frame_place delta_place;    /* of the last message_delta */
};

/* --- OpenAI Responses --- */

struct lint_item {
	struct lint_print id;
	struct lint_print text;      /* of the deltas of the part that streams */
	bool summary, reasoning;     /* deltas of these have come */
};

struct lint_responses {
	/* the event */
	struct str type;
	bool terminal;               /* response.completed, .incomplete or .failed */
	int64_t sequence, output, content; /* sequence_number, output_index, content_index or summary_index; -1: none was sent */
	struct str item_id;
	const struct json *response, *item;
	/* so far, without the event */
	size_t events;
	bool ended;                  /* a terminal event has come */
	int64_t last_sequence;       /* -1: none */
	struct lint_set added, done; /* items by output_index */
	struct lint_set parts;       /* content parts of the newest item that are open */
	struct lint_item items[LINT_SET_MOST];
	size_t item_count;
};

/* --- Gemini --- */

struct lint_gemini {
	/* the chunk */
	const struct json *candidate, *parts, *part, *call;
	struct str finish;
	bool has_content;
	/* so far, without the chunk */
	size_t chunks;
	bool finished;               /* an earlier chunk has a finish reason */
	bool usage;
	bool blocked;
	bool partial;                /* a call streams in pieces and is open */
	struct frame_place partial_place;
	struct lint_print response_id;
};

/* --- Ollama --- */

struct lint_ollama {
	/* the line */
	const struct json *message;
	bool is_done;
	/* so far, without the line */
	size_t lines;
	bool done;
};

#endif
