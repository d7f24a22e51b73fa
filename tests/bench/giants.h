/*
 * Giant answers: documents that consist of one repeated construct, and the bytes a server would send for them.
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
	GIANT_STARS,   /* unclosed `**`, one every 7 bytes */
	GIANT_LISTS,   /* nested lists, one level deeper in each line */
	GIANT_QUOTES,  /* nested quotes, one level deeper in each line */
	GIANT_JSON,    /* JSON with many small values */
	GIANT_STRING,  /* JSON with one large value */
	GIANT_PICTURE, /* no text: a picture of noise, in one delta, in `images` */
};

enum giant_place { GIANT_ANSWER, GIANT_REASONING, GIANT_ARGUMENTS };

/* A document that is sent in pieces, followed by a sentence. */
struct giant {
	enum giant_kind kind;
	enum giant_place place;
	size_t bytes;          /* approximate size of the document */
	size_t piece_bytes;    /* approximate size of the text in a delta */
	unsigned rate;         /* pieces per second; 0: as fast as possible */
	unsigned number;       /* makes the sentence unique */
};

#define GIANT_END_BYTES 40
void giant_end(unsigned number, char end[GIANT_END_BYTES]);


/* A PNG of noise, about as large. */
void giant_picture(size_t bytes, struct buf *out);
void giant_write(const struct giant *giant, struct buf *text);

/* The deltas in the openai-chat protocol; `starts` are their offsets. */
struct giant_wire {
	struct buf bytes;
	size_t *starts;
	size_t count, capacity;
};

void giant_wire_make(struct giant_wire *wire, const struct giant *giant);
void giant_wire_fini(struct giant_wire *wire);

#endif
