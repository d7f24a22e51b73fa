/*
 * Themes: the look of each role of text. Cells hold roles, not colours, so that the theme can change while running.
 *
 * A theme is an INI file: `base = NAME` (a theme to inherit from) at the top, and `[roles]` with lines such as
 *
 *   accent = blue bold            (terminal palette: black red green yellow blue magenta cyan white, bright-*, default, 0-255)
 *   trouble = #ff5f5f on #202020 underline        (attributes: bold dim italic underline reverse strike)
 *   success = #9ccc8b | green                     (behind the bar: the whole look on a terminal with 16 colours or fewer)
 *
 * A line without a bar has the same look everywhere; colour_reduce() finds the nearest colours for terminals that have fewer.
 *
 * A missing role inherits from the base. Without a base it inherits from its parent role: `sheet` for sheet-*, `user` for prompt, `prompt`
 * for prompt-*, `code` for roles in code (keyword to preprocessor, code-word, code-label), `hit` for hit-current, `success` for added,
 * `trouble` for removed and sheet-trouble, `text` for all others. So does a colour or background omitted in a line: a theme with its own
 * background specifies it once, in `text`. Some backgrounds are inherited from another role: that of code-word from `text`, that of added
 * and removed from `code`, that of sheet-trouble from `sheet`. An unknown role or word causes a warning that names file and line. The
 * project's themes are compiled in. The user's are files in weir/themes/ of the XDG configuration folder; their `base` may name another of
 * them, or the compiled-in theme of their own name.
 */
#ifndef WEIR_RENDER_THEME_H
#define WEIR_RENDER_THEME_H

#include <stdint.h>

#include "base/text.h"

#define ROLES(X)                                                                           \
	X(TEXT, "text")              /* the answer */                                      \
	X(MUTED, "muted")            /* hints, figures, folded lines */                    \
	X(ACCENT, "accent")          /* names, keys, the prompt sign */                    \
	X(USER_TEXT, "user")         /* what the user wrote */                             \
	X(PROMPT, "prompt")          /* the same as a band in the page */                  \
	X(PROMPT_BAR, "prompt-bar")  /* the bar at its left */                             \
	X(PROMPT_MUTED, "prompt-muted") /* the time at its right, attached files */        \
	X(LABEL, "label")            /* head of an answer: the model */                    \
	X(REASONING, "reasoning")    /* quieter than text */                               \
	X(TOOL, "tool")                                                                    \
	X(TROUBLE, "trouble")                                                              \
	X(SUCCESS, "success")                                                              \
	X(NOTICE, "notice")                                                                \
	X(HAIRLINE, "hairline")                                                            \
	X(STATUS, "status")                                                                \
	X(STATUS_STRONG, "status-strong")                                                  \
	X(INPUT, "input")                                                                  \
	X(SHEET, "sheet")            /* the background of menus and sheets */              \
	X(SHEET_TITLE, "sheet-title")                                                      \
	X(SHEET_CHOSEN, "sheet-chosen") /* the row under the cursor */                     \
	X(SHEET_MATCH, "sheet-match")   /* letters that matched the filter */               \
	X(SHEET_MUTED, "sheet-muted")   /* facts and keys on a sheet */                     \
	X(SHEET_TROUBLE, "sheet-trouble") /* an error in a band of that background */         \
	X(SHEET_EDGE, "sheet-edge")     /* lines above and below; invisible in the background's colour */ \
	X(HEADING, "heading")                                                              \
	X(QUOTE, "quote")                                                                  \
	X(LINK, "link")                                                                    \
	X(CODE, "code")              /* code blocks; its background makes them bands */    \
	X(CODE_WORD, "code-word")    /* inline code */                                     \
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
	X(HIT, "hit")                /* a search result */                                 \
	X(HIT_CURRENT, "hit-current") /* the current search result */                      \
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
#define COLOUR_RGB(r, g, b) (0x1000000 | (r) << 16 | (g) << 8 | (b)) /* other values, 0..255, index the palette */

struct style {
	int32_t fg, bg;
	uint8_t attributes;
};

struct theme {
	char name[32];
	struct style styles[ROLE_COUNT];
	struct style sixteen[ROLE_COUNT]; /* with 16 colours or fewer; may need colour_reduce() too */
};

/*
 * Loads a theme by name from `folder`/NAME.ini if that exists (NULL: no folder), else the compiled-in one. `warn` receives the first
 * warning, or "".
 */
MUST_USE bool theme_load(struct theme *theme, struct str name, const char *folder, struct error *warn, struct error *err);

/* The same from INI text, whose `base` must be a compiled-in theme. For tests and fuzzers. */
MUST_USE bool theme_read(struct theme *theme, struct str text, const char *name, struct error *warn, struct error *err);

/* Names of the compiled-in themes, "default" first; NULL after the last. */
const char *theme_name_at(size_t index);

/* The built-in theme NAME-light, which is the light form of NAME; NULL: there is none. NAME-dark is a name of NAME then. */
const char *theme_light_form(struct str name);
/* The theme for a terminal with this background (0..255 each): "dark" or "light". */
const char *theme_for_background(int r, int g, int b);

/* The looks for a terminal with this many colours: ROLE_COUNT styles, of the theme. */
const struct style *theme_styles(const struct theme *theme, int colours);

/* True if the background of a role differs from that of the page, with `colours` as in colour_reduce(). */
bool theme_has_band(const struct theme *theme, enum role_name role, int colours);

/* Maps a colour to a palette of `colours`: 256, 16 and 8 give a palette index; 0 gives COLOUR_DEFAULT. */
int32_t colour_reduce(int32_t colour, int colours);

/*
 * The same for a text colour on `bg`, which is reduced with colour_reduce(). If the contrast would be lost, chooses a lighter or darker
 * colour, black or white that is readable. Text in the colour of its background stays invisible.
 */
int32_t colour_reduce_on(int32_t fg, int32_t bg, int colours);

/* Contrast ratio of two colours, 1 to 21 (WCAG 2); the first sixteen as xterm shows them. Not for COLOUR_DEFAULT. */
double colour_contrast(int32_t a, int32_t b);

#endif
