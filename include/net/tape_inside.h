/*
 * What tape.c and tape_tail.c share: a tape, and the state of reading its lines. For these files only.
 */
#ifndef WEIR_NET_TAPE_INSIDE_H
#define WEIR_NET_TAPE_INSIDE_H

#include "base/json.h"
#include "net/tape.h"

struct tape {
	bool plain;
	struct asked_for asked;
	struct tape_info facts;
	bool archived;
	struct tape_archive archive;
	struct buf body;         /* a plain body; empty otherwise */
	struct block *blocks;
	struct tape_step *steps;
	size_t count, capacity;
	size_t behind;           /* of `count`: behind the end */
};

/* State of reading a file. The parser and the scratch buffer belong to whoever reads. */
struct tape_reader {
	struct tape *tape;
	struct json_parser *parser;
	struct buf scratch;
	double at_ms;
	bool ended;
};

/* Adds the step of one line. `last`: the file ends with it, so it may have been cut off. False: it is no line of a tape, or one too many. */
MUST_USE bool tape_read_line(struct tape_reader *r, struct str line, size_t number, bool last, struct error *err);
/* Adds the step of a line behind the end. False: it is none; what follows is not read. */
MUST_USE bool tape_read_behind(struct tape_reader *r, struct str line, size_t number);
struct str tape_keep(struct tape *tape, struct str text); /* a copy that lives as long as the tape */
bool tape_add_step(struct tape *tape, const struct tape_step *step); /* false: there are too many */
/* Whether the first line of a text says that it is a tape. False: it is one, of a version that is not known. */
MUST_USE bool tape_find_mark(struct tape_reader *r, struct str text, bool *is_tape, struct error *err);

#endif
