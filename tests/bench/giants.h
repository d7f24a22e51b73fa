/*
 * Giant answers: documents that grow without bound in one way each, and what a server would send of them.
 */
#ifndef WEIR_TESTS_BENCH_GIANTS_H
#define WEIR_TESTS_BENCH_GIANTS_H

#include "base/text.h"

enum giant_kind {
	GIANT_NONE,
	GIANT_PROSE,   /* what models write: paragraphs, lists, code, tables */
	GIANT_CODE,    /* one block of C */
	GIANT_TABLE,   /* one table; a row is about 50 bytes */
	GIANT_LINE,    /* one line without blanks */
	GIANT_STARS,   /* `**` that nobody closes, one for 7 bytes */
	GIANT_LISTS,   /* lists in lists, each line one deeper */
	GIANT_QUOTES,  /* the same with quotes */
	GIANT_JSON,    /* small values */
	GIANT_STRING,  /* one value */
};

enum giant_place { GIANT_ANSWER, GIANT_REASONING, GIANT_ARGUMENTS };

/* A document in pieces of a size; behind it the answer is a sentence. */
struct giant {
	enum giant_kind kind;
	enum giant_place place;
	size_t bytes;          /* of the document, about */
	size_t piece_bytes;    /* of text in a delta, about */
	unsigned rate;         /* pieces a second; 0: as fast as they go out */
	unsigned number;       /* no two sentences are the same */
};

#define GIANT_END_BYTES 40
void giant_end(unsigned number, char end[GIANT_END_BYTES]);

void giant_write(const struct giant *giant, struct buf *text);

/* Its deltas as the openai-chat protocol sends them, `starts` apart. */
struct giant_wire {
	struct buf bytes;
	size_t *starts;
	size_t count, capacity;
};

void giant_wire_make(struct giant_wire *wire, const struct giant *giant);
void giant_wire_fini(struct giant_wire *wire);

#endif
