/*
 * The inside of the guard, for guard.c, guard_text.c and guard_tools.c only. Everybody else includes wire/guard.h.
 */
#ifndef WEIR_WIRE_GUARD_INSIDE_H
#define WEIR_WIRE_GUARD_INSIDE_H

#include "base/json_scan.h"
#include "wire/guard.h"
#include "wire/surrogate.h"
#include "wire/think.h"

#define GUARD_PARTS_MOST 4096 /* parts, and calls, of one answer: more are no answer */
#define GUARD_NOTICES_MOST 64

struct guard_part {
	enum delta_kind kind;
	unsigned key;
	unsigned number;        /* of what came last under this key; GUARD_NEW_PART until its first text */
	struct surrogate surrogate;
};

struct guard_tool {
	struct buf id, name, arguments;
	struct json_scan scan;
	struct surrogate surrogate;
	bool open;
};

struct guard {
	delta_sink *sink;
	void *ctx;
	double at_ms;

	bool begun, done, failing, failed, ended;
	struct buf id, model;
	struct buf scratch;      /* joined surrogates, notices */

	struct guard_part *parts;
	size_t part_count, part_capacity;
	size_t last_part;        /* the one that was asked for last */
	unsigned next_number;
	unsigned latest, legible; /* numbers of the text given last, and of the last that was not blank; GUARD_NEW_PART behind a call */
	struct think think;
	unsigned think_key;      /* of the text part whose beginning is looked at for <think> */
	bool has_text, has_answer, has_refusal;
	size_t answer_bytes;

	struct guard_tool *tools;
	size_t tool_count, tool_capacity;

	struct usage usage;
	struct buf finish, finish_message, blocked;
	const char *notices[GUARD_NOTICES_MOST];
	size_t notice_count;
};

/* False after an end mark or an error: nothing counts any more. */
bool guard_takes(const struct guard *g);

/* Gives a delta, after the begin where that is missing. */
void guard_give(struct guard *g, struct delta *delta);

/* STR_NONE while it is empty. */
struct str guard_known(const struct buf *buf);

/* True when the text is not empty and was another one. */
bool guard_replace(struct buf *buf, struct str text);

/* Gives what surrogates and tags held back. */
void guard_flush_text(struct guard *g);

void guard_end_tools(struct guard *g);
void guard_drop_tools(struct guard *g);

#endif
