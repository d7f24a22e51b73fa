/*
 * The shadow of a text: what md4c reads instead of it. Byte for byte as long, so what is found in it is shown from the source.
 *
 * In the shadow: line ends are blanks (md4c sees one line), control bytes are harmless, math and marks of footnotes are letters,
 * `<br>` is blanks, a wide character between punctuation and `**` counts as punctuation (CommonMark's rule fails where no blanks
 * part the words), and in an open text the signs that nobody closed yet are closed behind its end.
 */
#ifndef WEIR_RENDER_MARKDOWN_SHADOW_H
#define WEIR_RENDER_MARKDOWN_SHADOW_H

#include "base/text.h"

struct shadow_line {
	size_t at;            /* in the shadow */
	struct str text;      /* the source's bytes, without blanks at both ends */
	size_t source;        /* their offset */
};

enum shadow_kind { SHADOW_MATH, SHADOW_BREAK, SHADOW_NOTE };

struct shadow_range {
	size_t at, length;    /* in the shadow */
	enum shadow_kind kind;
	unsigned sign;        /* bytes of each of math's signs */
};

/* `[text][label]`, `[text][]` or `[text]`: a reference, if there is a definition of that label. */
struct shadow_reference {
	size_t at, close, end;            /* of its first sign, of the `]` behind the text, and behind its last sign */
	size_t label, label_length;
};

struct shadow {
	struct buf text;
	size_t end;           /* of what is shown; closing signs follow */
	size_t address;       /* in an open text, where its last word is one that may go on; else the end */
	bool plain;           /* nothing in it needs a parser */
	size_t settled;       /* what stands before it means the same whatever follows */
	struct shadow_line *lines;
	struct shadow_range *ranges;
	struct shadow_reference *references; /* none is in another */
	size_t line_count, line_capacity, range_count, range_capacity, reference_count, reference_capacity;
};

void shadow_init(struct shadow *shadow);
void shadow_fini(struct shadow *shadow);

/* Begins anew behind `prefix`, which belongs to md4c. */
void shadow_begin(struct shadow *shadow, struct str prefix);
void shadow_add_line(struct shadow *shadow, struct str line, size_t source);

/* `open`: more text may follow. */
void shadow_end(struct shadow *shadow, bool open);

/* The line that holds an offset of the shadow. */
size_t shadow_line_of(const struct shadow *shadow, size_t at);

#endif
