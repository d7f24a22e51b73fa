/*
 * What encode.c and the forms of the protocols share. For src/wire/encode only.
 */
#ifndef WEIR_WIRE_ENCODE_INSIDE_H
#define WEIR_WIRE_ENCODE_INSIDE_H

#include "wire/encode/encode.h"
#include "wire/part.h"

/* A piece of the answer. Blocks follow one another; only calls may overlap. */
struct encode_block {
	enum part_kind kind;  /* PART_TEXT, _REASONING, _REFUSAL, _TOOL_CALL, _OPAQUE, _MEDIA, _SERVER_TOOL, _SERVER_RESULT */
	unsigned number;      /* among all blocks */
	unsigned part;        /* of its text, as in deltas; GUARD_NEW_PART while it has none */
	unsigned call;        /* PART_TOOL_CALL: among the calls; media, server tools: the index of the deltas */
	bool opened, closed;  /* opened: its beginning is written */
	enum media_kind media;
	bool thought, is_whole; /* of media */
	unsigned partials;    /* partial pictures so far */
	size_t written;       /* of a sound: bytes so far */
	unsigned ran;         /* a server tool: among all of the answer */
	enum server_tool_state state;
	struct buf said;      /* the text of media, the output of a server tool */
	struct buf text;      /* so far; of a closed call its arguments in their final form; of media its bytes */
	struct buf id, name;  /* of a call; the name of an opaque block is its format, that of media its type */
	struct buf data;      /* opaque: of the block, or the block itself */
	struct buf citations; /* as JSON, a comma between two */
};

struct encoder {
	const struct encode_form *form;
	struct encode_options options;
	struct buf *out;
	struct buf id, model, finish, routed_model;
	struct buf held;      /* text held for a signature */
	enum delta_kind held_kind;
	unsigned held_part;
	struct encode_block *blocks;
	size_t count, capacity;
	size_t open;          /* the current text block; SIZE_MAX: none */
	unsigned calls, calls_before_restart, calls_written, ran;
	struct usage usage;
	struct route route;
	bool usage_due, route_due, head_due; /* known and not yet written */
	bool reasoning_content;              /* chat: the name of the member */
	bool refused, failed;
	unsigned sequence;    /* events so far (Responses) */
	double at_ms;         /* of the delta; negative: the source has no times */
	enum outcome outcome;
	struct buf scratch;
};

/* A member is NULL if the protocol has no bytes for it. A word is absent if none is known. */
struct encode_form {
	const struct protocol *protocol;
	const char *content_type;
	const struct usage_member *usage_members;
	const char *words[OUTCOME_ERROR]; /* finish words by outcome; NULL: as for complete */
	bool signs_pictures;              /* a picture waits for its signature, which comes next */
	bool tools_are_opaque;            /* opaque data of this protocol hold its server tools */
	bool result_apart;                /* the result of a server tool is a block of its own */
	const char *citation;             /* format for url, title, text */
	void (*head)(struct encoder *e);
	void (*open)(struct encoder *e, struct encode_block *b);
	void (*piece)(struct encoder *e, struct encode_block *b, struct str piece);
	void (*close)(struct encoder *e, struct encode_block *b); /* without ENCODE_PIECES: all of a call */
	void (*data)(struct encoder *e, struct encode_block *b, struct str bytes); /* a partial picture, a piece of a sound */
	void (*said)(struct encoder *e, struct encode_block *b, struct str text);  /* a piece of the text of media */
	void (*named)(struct encoder *e, struct encode_block *b, struct str id, struct str rest_of_name);
	void (*call_data)(struct encoder *e, struct encode_block *b);
	void (*cited)(struct encoder *e, struct encode_block *b, struct str citation);
	void (*route)(struct encoder *e);
	void (*usage)(struct encoder *e);                         /* in a frame of its own */
	void (*finish)(struct encoder *e, struct str word);       /* with the usage, if it is due; NULL: `done` writes the word */
	void (*done)(struct encoder *e, struct str word);         /* the end mark; NULL: the finish word is one */
	void (*error)(struct encoder *e, const struct error_report *report);
	void (*whole)(struct encoder *e, struct str word);
};

extern const struct encode_form encode_chat, encode_responses, encode_anthropic, encode_gemini, encode_ollama;

/* The opaque data that a protocol can carry; NULL: none. */
struct encode_opaque {
	const char *name;
	const struct protocol *protocol;
	bool is_json;
};
const struct encode_opaque *encode_opaque_format(const struct protocol *protocol, struct str name);
bool encoder_carries(const struct encoder *e, enum encode_feature feature);

/* --- encode_blocks.c: deltas become blocks --- */

void encode_set(struct buf *buf, struct str text);
void encode_words(struct encoder *e, const struct delta *d);
void encode_begin_call(struct encoder *e, const struct delta *d);
void encode_name_call(struct encoder *e, const struct delta *d);
void encode_add_arguments(struct encoder *e, const struct delta *d);
void encode_end_call(struct encoder *e, const struct delta *d);
void encode_take_opaque(struct encoder *e, const struct delta *d);
void encode_citation(struct encoder *e, const struct delta *d);
void encode_close_text(struct encoder *e);
void encode_close_calls(struct encoder *e); /* all open ones, with what arrived of them */
void encode_drop_blocks(struct encoder *e);
struct encode_block *encode_add_block(struct encoder *e, enum part_kind kind);
struct encode_block *encode_find_block(struct encoder *e, enum part_kind kind, unsigned call); /* the latest; NULL: none */
void encode_open_block(struct encoder *e, struct encode_block *b);
void encode_close_block(struct encoder *e, struct encode_block *b);

/* --- encode_items.c: media and tools of the server --- */

void encode_begin_media(struct encoder *e, const struct delta *d);
void encode_media_data(struct encoder *e, const struct delta *d);
void encode_media_text(struct encoder *e, const struct delta *d);
void encode_end_media(struct encoder *e, const struct delta *d);
struct encode_block *encode_held_picture(struct encoder *e); /* the last block, if it is one that waits for a signature; NULL: none */
void encode_begin_server_tool(struct encoder *e, const struct delta *d);
void encode_server_tool_input(struct encoder *e, const struct delta *d);
void encode_end_server_tool(struct encoder *e, const struct delta *d);
void encode_open_server_tool(struct encoder *e, struct encode_block *b); /* if it is one with an input that is whole */
void encode_close_server_tools(struct encoder *e);                       /* all open ones, without a result */
void encode_tool_object(const struct encode_block *b, struct buf *out);  /* appends the input as an object; nothing if it is empty */
bool encode_is_list(struct str output);                                  /* of objects, none of which is a text */

/* --- encode_write.c: for the forms --- */

/*
 * Appends to the output. In the format ' stands for ", and:
 *   %t  a struct str as a JSON string     %s  the same, null when it is absent     %j  a struct str as it is
 *   %b  a struct str as base64, no quotes
 *   %z  a C string as it is               %u  an unsigned number                   %n  an int64_t
 */
void encode_put(struct encoder *e, const char *format, ...);
struct str encode_known(const struct buf *buf); /* absent when it is empty */
/* Appends a usage object that the decoder with that table reads as this usage. */
void encode_usage_object(const struct usage_member *table, const struct usage *usage, struct buf *out);
struct str encode_usage(struct encoder *e);     /* the protocol's usage object; no longer due. Borrowed until the next call */
/* All text of a kind, absent if there is none. Borrowed until the next call. */
struct str encode_said(struct encoder *e, enum part_kind kind);
struct str encode_citations(struct encoder *e); /* the same for citations, as JSON */
/* The arguments of a call as a value: an object unchanged, anything else as a string. */
void encode_put_arguments(struct encoder *e, const struct encode_block *b);

#endif
