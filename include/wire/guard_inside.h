/*
 * Internals of the guard, for the files guard*.c only. Other files include wire/guard.h.
 */
#ifndef WEIR_WIRE_GUARD_INSIDE_H
#define WEIR_WIRE_GUARD_INSIDE_H

#include "base/array.h"
#include "base/digest.h"
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

struct guard_media {
	enum media_kind place;   /* the kind that its place says */
	unsigned number;         /* its part number */
	struct buf id, type, url, text;
	struct surrogate surrogate;
	size_t bytes;
	char sha256[DIGEST_HEX + 1]; /* of `bytes` bytes */
	struct digest *digest;   /* of data in pieces; NULL: none came */
	char head[MEDIA_HEAD];   /* the first bytes */
	size_t head_len;
	int64_t *seen, best;     /* the numbers of partial pictures in rising order; that of the one that is kept, -1: none */
	size_t seen_count, seen_capacity;
	unsigned partials;
	bool open, thought;
	bool is_named;           /* its id is all there is to come */
	bool complete;           /* its end came */
	bool failed;             /* the server says so, or data was left out */
	bool refused;            /* the server says so */
};

struct guard_server_tool {
	struct buf id, name, input, output;
	struct surrogate surrogate;
	enum server_tool_state state;
	bool open, has_output;
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
	struct guard_media *media;
	size_t media_count, media_capacity;
	size_t media_bytes, media_limit; /* of decoded data that is kept of all items */
	struct guard_server_tool *server_tools;
	size_t server_tool_count, server_tool_capacity;

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

/* Counts bytes of the answer that are kept. Emits an error if they are too many. */
void guard_count_bytes(struct guard *g, size_t bytes);

void guard_end_tools(struct guard *g);
void guard_drop_tools(struct guard *g);
void guard_end_media(struct guard *g);
void guard_drop_media(struct guard *g);
void guard_end_server_tools(struct guard *g);
void guard_drop_server_tools(struct guard *g);

#endif
