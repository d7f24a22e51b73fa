/*
 * HTML as text: what a page says, for a model to read. No scripts, styles or attributes; headings, items of lists and preformatted text keep
 * their shape. Any bytes are taken; the work is linear in them.
 */
#ifndef WEIR_RENDER_MARKDOWN_HTML_TEXT_H
#define WEIR_RENDER_MARKDOWN_HTML_TEXT_H

#include "base/text.h"

/* Appends the text of a page, within the limit of `out`: what exceeds it is left out. */
void html_text(struct str html, struct buf *out);

#endif
