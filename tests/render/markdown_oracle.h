/*
 * What a complete text is made of, said by two: md4c, which knows CommonMark and no streams, and our inline parser.
 *
 * Each says of every byte what it is part of, and in order where links, images and addresses lead.
 */
#ifndef WEIR_TESTS_MARKDOWN_ORACLE_H
#define WEIR_TESTS_MARKDOWN_ORACLE_H

#include <stdint.h>

#include "base/text.h"

enum oracle_mark {
	ORACLE_SHOWN = 1, ORACLE_EMPHASIS = 2, ORACLE_STRONG = 4, ORACLE_STRIKE = 8, ORACLE_CODE = 16, ORACLE_LINK = 32, ORACLE_IMAGE = 64,
};

struct oracle {
	struct buf marks;        /* a byte of marks for each of the text; 0: it is not shown */
	struct buf destinations; /* one a line */
};

void oracle_init(struct oracle *o);
void oracle_fini(struct oracle *o);

/* Each replaces what is in `o`. False where md4c finds other blocks than one paragraph: then nothing is said. */
bool oracle_ask_md4c(struct oracle *o, struct str text);
void oracle_ask_ours(struct oracle *o, struct str text);

/* Kinds of texts on which the two are known to differ. */
struct oracle_excuse {
	const char *reason;
	bool (*is_one)(struct str text);
	const char *example;     /* one on which they differ */
	bool ours;               /* we mean it; else it is a fault of md4c 0.4.8, which a later one may not have */
};
extern const struct oracle_excuse oracle_excuses[]; /* ends with a zeroed one */

const struct oracle_excuse *oracle_find_excuse(struct str text); /* NULL: they have to agree */

/* Asks both. False when they differ: `said` is then what they say, for people. */
bool oracle_agrees(struct str text, struct buf *said);

#endif
