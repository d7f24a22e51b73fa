/* The state of the rules of openai-chat (lint_inside.h). */
#ifndef WEIR_WIRE_LINT_CHAT_H
#define WEIR_WIRE_LINT_CHAT_H

#include "wire/lint/lint_facts.h"

enum lint_chunk_key {
	LINT_CHUNK_ID, LINT_CHUNK_OBJECT, LINT_CHUNK_CREATED, LINT_CHUNK_MODEL, LINT_CHUNK_CHOICES, LINT_CHUNK_USAGE, LINT_CHUNK_ERROR,
	LINT_CHUNK_ROUTE, LINT_CHUNK_KEYS
};
enum lint_choice_key {
	LINT_CHOICE_INDEX, LINT_CHOICE_DELTA, LINT_CHOICE_FINISH, LINT_CHOICE_MESSAGE, LINT_CHOICE_USAGE, LINT_CHOICE_KEYS
};
enum lint_delta_key {
	LINT_DELTA_ROLE, LINT_DELTA_CONTENT, LINT_DELTA_REFUSAL, LINT_DELTA_REASONING_CONTENT, LINT_DELTA_REASONING,
	LINT_DELTA_REASONING_DETAILS, LINT_DELTA_THINKING, LINT_DELTA_REASONING_TEXT, LINT_DELTA_BLOCKS, LINT_DELTA_TOOL_CALLS,
	LINT_DELTA_FUNCTION_CALL, LINT_DELTA_KEYS
};
enum lint_call_key { LINT_CALL_INDEX, LINT_CALL_ID, LINT_CALL_TYPE, LINT_CALL_FUNCTION, LINT_CALL_KEYS };
enum lint_function_key { LINT_FUNCTION_NAME, LINT_FUNCTION_ARGUMENTS, LINT_FUNCTION_KEYS };

/* A call that streams. The newest are kept. */
#define LINT_CALLS_MOST 64
struct lint_call {
	int64_t index;           /* -1: none was sent */
	struct lint_print id, name; /* len 0: none */
	size_t bytes;            /* of its arguments, without blank pieces */
	struct json_scan scan;   /* of its arguments */
	struct frame_place place;      /* of its first fragment */
};

struct lint_chat {
	/* the chunk */
	struct lint_member chunk[LINT_CHUNK_KEYS];
	size_t other_members;    /* of the chunk */
	size_t choices;          /* elements of `choices` */

	/* the choice */
	struct lint_member choice[LINT_CHOICE_KEYS];
	struct lint_member delta[LINT_DELTA_KEYS];
	size_t other_delta_members;
	struct str finish;       /* "": none */
	bool has_text, has_reasoning, has_call; /* non-empty */

	/* the call */
	struct lint_member call[LINT_CALL_KEYS], function[LINT_FUNCTION_KEYS];
	struct str call_id;      /* "": none */
	struct str call_name;    /* "": none */
	struct lint_call *of;    /* the call that the fragment continues; NULL: it begins one */
	struct lint_call *taken; /* the call of the same index when the fragment begins another one; NULL: none */

	/* so far, without the current chunk */
	size_t chunks;           /* chunks of an answer */
	struct lint_print id;
	bool created;            /* a chunk has a time that is not 0 */
	struct frame_place created_zero; /* of the first chunk with the time 0; frame 0: none */
	struct lint_set roles;   /* choices of which a role has come */
	size_t finishes;         /* chunks with a finish word of the answer that is shown */
	struct frame_place finish_place;
	bool finish_calls;       /* the finish word is tool_calls or function_call */
	bool text, reasoning;
	size_t think_matched;    /* bytes of <think> that the text so far is */
	bool opener;             /* <think> stands somewhere in the text */
	bool think, think_told;  /* the text begins with <think>; an earlier chunk has shown it */
	bool answer;             /* a whole answer has come, and no chunk */
	struct frame_place last_place; /* of the last chunk */
	struct lint_call calls[LINT_CALLS_MOST];
	size_t call_count;       /* calls begun */
	int marks[LINT_DIALECT_COUNT];
	unsigned marked;         /* bits of the marks that have been counted */
};

#endif
