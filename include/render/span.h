/*
 * Spans: styled pieces of text. Markdown and highlighting produce them, and rows are drawn from them.
 */
#ifndef WEIR_RENDER_SPAN_H
#define WEIR_RENDER_SPAN_H

#include "render/theme.h"

struct span {
	struct str text;      /* borrowed from the source or a layout's memory, or static */
	uint8_t role;         /* enum role_name */
	uint8_t attributes;   /* enum style_attribute, added to the role's */
	uint16_t link;        /* number of a link of the block plus one; 0: none */
};

#endif
