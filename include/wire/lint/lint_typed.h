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
	struct lint_prints ids, input_ids; /* of tools, the client's and the server's; of the server's */
	struct lint_prints result_ids; /* of input_ids, those whose result has come */
	int64_t input_index;         /* of the newest block of a server's tool; -1: none */
	struct json_scan input;      /* what came of its input */
	char input_first;            /* its first byte that is no blank; 0: none has come */
	int64_t last_index;          /* of the last block that started; -1: none */
	int64_t output_tokens;       /* -1: unknown */
	size_t tools;                /* tool_use blocks */
	struct str stop_reason;      /* of the event */
	bool stop_tool;              /* the last stop reason is tool_use */
	bool stop_end;               /* the last stop reason is end_turn or stop_sequence */
	bool has_stop;
	struct frame_place delta_place;    /* of the last message_delta */
};

/* --- OpenAI Responses --- */

struct lint_item {
	struct lint_print id, type, call_id, name; /* as it was added */
	struct lint_print part;      /* of the deltas of the part that streams */
	struct lint_print whole;     /* of the event that ended the last part; len 0: none, or it was empty */
	struct lint_print streamed;  /* of all its deltas */
	struct lint_print finished;  /* of its text when it was done */
	int64_t partials;            /* one more than the number of its newest partial picture */
	bool summary, reasoning;     /* deltas of these have come */
	struct lint_parts { struct lint_set begun, ended; } content_parts, summary_parts;
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
	bool created, ended;         /* response.created, a terminal event has come */
	int64_t last_sequence;       /* -1: none */
	struct lint_print id, model; /* of the response */
	struct lint_set added, done; /* items by output_index */
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
	bool blocked;
	bool partial;                /* a call streams in pieces and is open */
	struct frame_place partial_place;
	size_t codes;                /* codes that wait for their result */
	struct frame_place code_place; /* of the newest code */
	struct lint_print response_id, last_finish;
	int64_t candidates_tokens;   /* the most so far */
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
