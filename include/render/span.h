/*
 * Spans: styled pieces of text, what markdown and highlighting make and rows are drawn from.
 */
#ifndef WEIR_RENDER_SPAN_H
#define WEIR_RENDER_SPAN_H

#include "render/theme.h"

struct span {
	struct str text;      /* borrowed: from the source, from a layout's own memory, or static */
	uint8_t role;         /* enum role_name */
	uint8_t attributes;   /* enum style_attribute, added to the role's */
	uint16_t link;        /* number of a link of the same block + 1; 0: none */
};

#endif
