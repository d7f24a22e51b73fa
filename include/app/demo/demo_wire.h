/*
 * How the demo tells a script in a protocol's own wire form, as the text of a tape (CONTRACT.md, "The tape").
 *
 *   script --> demo_tell (pieces and their times) --> struct demo_wire (one a protocol: bytes) --> tape lines
 */
#ifndef WEIR_APP_DEMO_WIRE_H
#define WEIR_APP_DEMO_WIRE_H

#include "app/demo/demo_script.h"

#define DEMO_CALLS 8 /* calls of one answer, at most */
#define DEMO_CREATED 1767225600 /* every recording was made at the start of 2026 */

/* An answer under way in one protocol. */
struct demo_turn {
	const struct demo_wire *wire;
	const struct demo_script *script;
	const char *name;             /* of the answer; ids are made of it */
	const char *model;
	struct buf bytes;             /* of the next read */
	enum demo_step_kind open;     /* the kind of the block under way ... */
	bool is_open;                 /* ... if there is one */
	unsigned block;               /* number of the open block, or of the next */
	unsigned sequence;            /* events so far (Responses) */
	struct buf said[3];           /* all of text, reasoning and refusal so far, by kind */
	struct buf item;              /* of the open block */
	struct buf items;             /* finished ones (Responses) */
	const struct demo_step *calls[DEMO_CALLS];
	unsigned call_count;
};

struct demo_wire {
	const char *protocol;
	const char *content_type;     /* of a stream */
	const char *finish[DEMO_FINISH_COUNT];
	void (*begin)(struct demo_turn *t);
	void (*open)(struct demo_turn *t);                /* a block of kind t->open; a call is t->calls[t->call_count - 1] */
	void (*piece)(struct demo_turn *t, struct str piece);
	void (*close)(struct demo_turn *t);
	void (*finished)(struct demo_turn *t);
	void (*error)(struct demo_turn *t, const struct demo_step *error);
	void (*whole)(struct demo_turn *t);               /* the answer as one JSON body, from said and calls */
	void (*error_body)(struct demo_turn *t, const struct demo_step *error); /* of an answer that is not 200 */
	const char *models;                               /* the body of the model list, ' for " */
};

extern const struct demo_wire demo_wire_chat, demo_wire_ollama, demo_wire_gemini, demo_wire_anthropic, demo_wire_responses;

/* Appends the text of a tape of the answer `name`. */
void demo_tell(const struct demo_wire *wire, const struct demo_script *script, const char *name, const char *model, bool stream,
               struct buf *tape);
/* The same for the model list. */
void demo_tell_models(const struct demo_wire *wire, struct buf *tape);

/* For the protocols: appends to t->bytes, with ' in the format standing for ". Texts with %s must need no escapes. */
void demo_say(struct demo_turn *t, const char *format, ...) PRINTF_LIKE(2, 3);
void demo_say_text(struct demo_turn *t, struct str text); /* as a JSON string */
/* `,"key":` and what was said of a kind; nothing when nothing was said. */
void demo_say_member(struct demo_turn *t, const char *key, enum demo_step_kind kind);
void demo_say_nothing(struct demo_turn *t); /* for operations that a protocol has no bytes for */
const char *demo_finish_word(const struct demo_turn *t);

#endif
