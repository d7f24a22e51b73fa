/*
 * Compares the structure of a complete text according to md4c, a CommonMark parser that does not stream, and to our inline parser.
 *
 * Each yields the constructs around every byte, and the destinations of links, images and addresses in order.
 */
#ifndef WEIR_TESTS_MARKDOWN_ORACLE_H
#define WEIR_TESTS_MARKDOWN_ORACLE_H

#include <stdint.h>

#include "base/text.h"

enum oracle_mark {
	ORACLE_SHOWN = 1, ORACLE_EMPHASIS = 2, ORACLE_STRONG = 4, ORACLE_STRIKE = 8, ORACLE_CODE = 16, ORACLE_LINK = 32, ORACLE_IMAGE = 64,
};

struct oracle {
	struct buf marks;        /* a byte of marks for each byte of the text; 0: not shown */
	struct buf destinations; /* one per line */
};

void oracle_init(struct oracle *o);
void oracle_fini(struct oracle *o);

/* Replaces the content of `o`. False if md4c finds anything but one paragraph: `o` is empty then. */
bool oracle_ask_md4c(struct oracle *o, struct str text);
void oracle_ask_ours(struct oracle *o, struct str text);

/* Classes of texts on which the two are known to differ. */
struct oracle_excuse {
	const char *reason;
	bool (*is_one)(struct str text);
	const char *example;     /* a text on which they differ */
	bool ours;               /* intended by us; false: a fault of md4c 0.4.8, perhaps fixed later */
};
extern const struct oracle_excuse oracle_excuses[]; /* ends with a zeroed one */

const struct oracle_excuse *oracle_find_excuse(struct str text); /* NULL: they must agree */

/* Runs both parsers. On a difference returns false and describes it in `said`. */
bool oracle_agrees(struct str text, struct buf *said);

#endif
