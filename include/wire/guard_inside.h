/*
 * Internals of the guard, for guard.c, guard_text.c and guard_tools.c only. Other files include wire/guard.h.
 */
#ifndef WEIR_WIRE_GUARD_INSIDE_H
#define WEIR_WIRE_GUARD_INSIDE_H

#include "base/json_scan.h"
#include "wire/guard.h"
#include "wire/surrogate.h"
#include "wire/think.h"

#define GUARD_PARTS_MOST 4096 /* maximum number of parts, and of calls, in an answer */
#define GUARD_NOTICES_MOST 64

struct guard_part {
	enum delta_kind kind;
	unsigned key;
	unsigned number;        /* part number of the latest text with this key; GUARD_NEW_PART until there is text */
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
	guard_watch *watch;      /* NULL: nobody */
	void *watch_ctx;
	double at_ms;

	bool begun, done, failing, failed, ended;
	struct buf id, model;
	struct buf scratch;      /* joined surrogates, notices */

	struct guard_part *parts;
	size_t part_count, part_capacity;
	size_t last_part;        /* index of the part looked up last */
	unsigned next_number;
	unsigned latest;         /* part number of the last text; GUARD_NEW_PART after a call */
	unsigned legible;        /* part number of the last text that was not blank; GUARD_NEW_PART after a call */
	struct think think;
	unsigned think_key;      /* key of the text part that is checked for <think> */
	bool has_text, has_answer, has_refusal;
	size_t answer_bytes;

	struct guard_tool *tools;
	size_t tool_count, tool_capacity;

	struct usage usage;
	struct money cost;
	struct buf finish, finish_message, blocked;
	size_t unread;           /* frames that could not be read */
	const char *notices[GUARD_NOTICES_MOST];
	size_t notice_count;
};

/* False after an end mark or an error, when all input is ignored. */
bool guard_takes(const struct guard *g);

/* Emits a delta; first emits the begin if it is missing. */
void guard_give(struct guard *g, struct delta *delta);

/* The buffer's content; STR_NONE if it is empty. */
struct str guard_known(const struct buf *buf);

/* Replaces the buffer's content unless `text` is empty or equal. True if it was replaced. */
bool guard_replace(struct buf *buf, struct str text);

/* Emits text held back by surrogates and <think> tags. */
void guard_flush_text(struct guard *g);

void guard_end_tools(struct guard *g);
void guard_drop_tools(struct guard *g);

#endif
