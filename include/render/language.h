/*
 * Tables of the lexer for each language, generated from themes/languages/NAME.ini at build time (src/render/languages.awk). Only the
 * highlighter reads them; other code uses render/highlight.h.
 *
 * A definition; its roles are those of themes:
 *
 *   [language]  aliases = h        other names, separated by blanks
 *               ignore_case = yes  for words
 *               letters = -        more characters of words, besides letters, digits, _ and all non-ASCII characters
 *               capitals = type    role of words that begin with a capital and are not all capitals
 *               separator = '      character allowed between digits
 *               numbers = no       digits are text
 *               escape = \         makes the next character plain text, outside of regions
 *               expand = $ type    role of $name and ${...} in regions with `expand`; "${ type" for the latter only
 *               tags = yes         markup: text with <tags attribute="value"> and &entities; (all its regions are `lines`)
 *               embed = script javascript    pairs of a tag and the language of its content
 *   [words]     ROLE = ...         words separated by blanks; a line that begins with a blank continues the value
 *   [regions]   ROLE = OPEN CLOSE  from one string to another; CLOSE may be EOL (the rest of the line) or ONLY (OPEN alone is
 *                                  the region). Of several matches the longest OPEN wins. CLOSE may be followed by an escape character and
 *                 lines            continues over line ends        nested  counts its own OPEN within
 *                 start            first non-blank of its line     column  in the first column
 *                 apart            not directly after a word       short   contains one character or one escape
 *                 regex            only where a value may begin    expand  as above
 *   [sigils]    ROLE = @           this character and the word after it; `start` as above
 *   [keys]      ROLE = : line      what precedes this character: `line` at the start of a line, `string`, `word`;
 *                                  `blank`: only with a blank after the character, `column`: only without blanks before the key
 */
#ifndef WEIR_RENDER_LANGUAGE_H
#define WEIR_RENDER_LANGUAGE_H

#include "render/highlight.h"

enum { WORD_BUCKETS = 128, REGIONS_CARRIED_MOST = 12 };

enum byte_class {
	CLASS_WORD = 1,     /* part of a word */
	CLASS_LETTER = 2,   /* may begin a word */
	CLASS_DIGIT = 4,
	CLASS_REGION = 8,   /* may begin a region's opening */
	CLASS_SIGIL = 16,
	CLASS_ESCAPE = 32,
};

enum region_flag {
	REGION_LINES = 1, REGION_NESTED = 2, REGION_START = 4, REGION_COLUMN = 8, REGION_APART = 16,
	REGION_SHORT = 32, REGION_REGEX = 64, REGION_EXPAND = 128, REGION_EOL = 256, REGION_ONLY = 512,
};

struct region {
	const char *open, *close;
	uint8_t open_len, close_len;
	uint8_t role;
	uint8_t carried;            /* number in the state at a line end; 0: ends with the line */
	uint16_t flags;
	char escape;                /* 0: none */
};

struct word {
	const char *text;
	uint8_t len, role;
};

struct sigil {
	char byte;                  /* 0 ends the list */
	uint8_t role;
	bool start;
};

enum key_flag { KEY_LINE = 1, KEY_STRING = 2, KEY_WORD = 4, KEY_BLANK = 8, KEY_COLUMN = 16 };

struct key {
	char byte;                  /* 0 ends the list */
	uint8_t role, flags;
};

struct embed {
	const char *tag, *language; /* NULL ends the list */
};

struct language {
	const char *name, *aliases;
	const struct region *regions;                     /* sorted by first byte, the longer opening first; a NULL `open` ends the list */
	const struct word *words;                         /* by bucket; in lower case if the case is ignored */
	const struct sigil *sigils;
	const struct key *keys;
	const struct embed *embeds;
	uint16_t buckets[WORD_BUCKETS + 1];               /* index of the first word of each bucket */
	uint8_t carried[REGIONS_CARRIED_MOST + 1];        /* region index by number in the state */
	uint8_t first[128];                               /* first region by opening byte */
	uint8_t classes[256];                             /* enum byte_class */
	uint8_t capitals;                                 /* a role; 0: none */
	uint8_t key_flags;                                /* flags of all keys together */
	bool ignore_case, tags, expand_words;
	char separator, expand;                           /* 0: none */
	uint8_t expand_role;
};

/* The role of a word that is in the language's lists, else ROLE_CODE. */
uint8_t language_word_role(const struct language *language, struct str word);

/*
 * Highlights a line of a language with tags; `state` as above. In its low four bits, numbers above those of regions mean "in a tag". Its
 * high four bits are the index of the embedded language plus one, in embedded text and in the tag before it.
 */
highlight_state markup_line(const struct language *language, highlight_state state, struct str line, highlight_sink *sink, void *ctx);

#endif
