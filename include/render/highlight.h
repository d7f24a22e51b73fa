/*
 * Highlighting: a table-driven lexer for lines. It maps a state and a line to spans and a new state. So a streaming text costs one line
 * per update, and any line can be highlighted when the state at its start is known.
 *
 * Languages are INI files in themes/languages/ (keywords, types, comments, strings, numbers ...), compiled in.
 */
#ifndef WEIR_RENDER_HIGHLIGHT_H
#define WEIR_RENDER_HIGHLIGHT_H

#include "render/span.h"

struct language;

/* Finds a language by name or alias ("c++", "py", "sh"), ignoring case. NULL if there is none. */
const struct language *language_find(struct str name);
const char *language_name_at(size_t index); /* NULL after the last */

typedef uint8_t highlight_state; /* 0 at the start of a text */

typedef void highlight_sink(void *ctx, const struct span *span);

/* Emits the spans of one line (without its line end) in order; together they cover the line. Returns the state for the next line. */
highlight_state highlight_line(const struct language *language, highlight_state state, struct str line, highlight_sink *sink, void *ctx);

#endif
