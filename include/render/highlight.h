/*
 * Highlighting: a table-driven lexer of lines. State in, spans and state out, so that streaming costs a line and any line
 * can be highlighted when the state at its start is known.
 *
 * Languages are INI files in themes/languages/ (keywords, types, comments, strings, numbers ...), compiled in.
 */
#ifndef WEIR_RENDER_HIGHLIGHT_H
#define WEIR_RENDER_HIGHLIGHT_H

#include "render/span.h"

struct language;

/* By name or alias ("c++", "py", "sh"), ignoring case; NULL for none. */
const struct language *language_find(struct str name);
const char *language_name_at(size_t index); /* NULL beyond the last */

typedef uint8_t highlight_state; /* 0 at the start of a text */

typedef void highlight_sink(void *ctx, const struct span *span);

/* Gives the spans of one line (without its line end) in order, together all of it; returns the state at the next line. */
highlight_state highlight_line(const struct language *language, highlight_state state, struct str line, highlight_sink *sink, void *ctx);

#endif
