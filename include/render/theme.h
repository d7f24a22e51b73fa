/*
 * Themes: what each role of text looks like. Cells carry roles, never colours, so a theme switches live.
 *
 * A theme is an INI file: `base = NAME` (a theme to inherit from) at the top, and `[roles]` with lines such as
 *
 *   accent = blue bold            (terminal palette: black red green yellow blue magenta cyan white, bright-*, default, 0-255)
 *   trouble = #ff5f5f on #202020 underline        (attributes: bold dim italic underline reverse strike)
 *
 * A missing role inherits from the base, else it looks like its parent: `sheet` for sheet-*, `code` for what is in code
 * (keyword to preprocessor, code-word), `hit` for hit-current, `success` for added, `trouble` for removed, `text` for all others. A colour
 * or background that a line leaves out is the parent's too, so a theme with a background of its own names it once, in `text`.
 * An unknown role or word is a warning that names file and line. The themes of the project are compiled in; the user's are
 * files in XDG config weir/themes/, where `base` may name another of them (its own name: the compiled-in one).
 */
#ifndef WEIR_RENDER_THEME_H
#define WEIR_RENDER_THEME_H

#include <stdint.h>

#include "base/text.h"

#define ROLES(X)                                                                           \
	X(TEXT, "text")              /* the answer */                                      \
	X(MUTED, "muted")            /* hints, figures, folded lines */                    \
	X(ACCENT, "accent")          /* the one accent: names, keys, the prompt sign */    \
	X(USER_TEXT, "user")         /* what the user wrote */                             \
	X(LABEL, "label")            /* who speaks */                                      \
	X(REASONING, "reasoning")    /* quieter than text */                               \
	X(TOOL, "tool")                                                                    \
	X(TROUBLE, "trouble")                                                              \
	X(SUCCESS, "success")                                                              \
	X(NOTICE, "notice")                                                                \
	X(HAIRLINE, "hairline")                                                            \
	X(STATUS, "status")                                                                \
	X(STATUS_STRONG, "status-strong")                                                  \
	X(INPUT, "input")                                                                  \
	X(SHEET, "sheet")            /* the surface of menus and sheets */                 \
	X(SHEET_TITLE, "sheet-title")                                                      \
	X(SHEET_CHOSEN, "sheet-chosen") /* the row under the cursor */                     \
	X(SHEET_MATCH, "sheet-match")   /* letters that matched the filter */               \
	X(SHEET_MUTED, "sheet-muted")   /* facts and keys on a sheet */                     \
	X(SHEET_EDGE, "sheet-edge")     /* hairlines above and below; in the surface's colour they are padding */ \
	X(HEADING, "heading")                                                              \
	X(QUOTE, "quote")                                                                  \
	X(LINK, "link")                                                                    \
	X(CODE, "code")              /* inline code and code blocks */                     \
	X(CODE_WORD, "code-word")    /* inline code, where it differs from blocks */       \
	X(CODE_LABEL, "code-label")  /* language and line count of a block */              \
	X(KEYWORD, "keyword")                                                              \
	X(TYPE, "type")                                                                    \
	X(STRING, "string")                                                                \
	X(COMMENT, "comment")                                                              \
	X(NUMBER, "number")                                                                \
	X(PREPROCESSOR, "preprocessor")                                                    \
	X(ADDED, "added")            /* of a diff */                                       \
	X(REMOVED, "removed")                                                              \
	X(MATH, "math")                                                                    \
	X(TABLE_EDGE, "table-edge")  /* lines of tables, bullets, rules */                 \
	X(HIT, "hit")                /* what a search found */                             \
	X(HIT_CURRENT, "hit-current") /* and the one of it that is shown */                \
	X(SELECTED, "selected")      /* the range to be copied */

enum role_name {
#define X(upper, name) ROLE_##upper,
	ROLES(X)
#undef X
};
#define X(upper, name) +1
enum { ROLE_COUNT = 0 ROLES(X) };
#undef X

enum style_attribute { STYLE_BOLD = 1, STYLE_DIM = 2, STYLE_ITALIC = 4, STYLE_UNDERLINE = 8, STYLE_REVERSE = 16, STYLE_STRIKE = 32 };

#define COLOUR_DEFAULT (-1)
#define COLOUR_RGB(r, g, b) (0x1000000 | (r) << 16 | (g) << 8 | (b)) /* else 0..255: the palette */

struct style {
	int32_t fg, bg;
	uint8_t attributes;
};

struct theme {
	char name[32];
	struct style styles[ROLE_COUNT];
};

/* Loads a theme by name: `folder`/NAME.ini if it is there (NULL: no folder), else the compiled-in one. Warnings go to `warn` ("" if none). */
MUST_USE bool theme_load(struct theme *theme, struct str name, const char *folder, struct error *warn, struct error *err);

/* The same from INI text, in which `base` names a theme that is compiled in. Only tests and the fuzzers have such a text. */
MUST_USE bool theme_read(struct theme *theme, struct str text, const char *name, struct error *warn, struct error *err);

/* Names of the compiled-in themes, "default" first; NULL beyond the last. */
const char *theme_name_at(size_t index);

/* "dark" or "light": the theme that suits a terminal whose background is this, 0..255 each. */
const char *theme_for_background(int r, int g, int b);

/* What a colour becomes with fewer colours: 256 and 16 give a palette index, 8 too, 0 COLOUR_DEFAULT. */
int32_t colour_reduce(int32_t colour, int colours);

/*
 * The same for a colour of text on `bg`, which itself becomes colour_reduce(bg): where they would hardly differ any more, a
 * lighter, a darker or a plain black or white one that can be read. Text in its background's colour stays so.
 */
int32_t colour_reduce_on(int32_t fg, int32_t bg, int colours);

/* How much two colours differ in lightness, 1 to 21 (WCAG 2); of the first sixteen, as xterm shows them. Not for COLOUR_DEFAULT. */
double colour_contrast(int32_t a, int32_t b);

#endif
