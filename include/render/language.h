/*
 * What the lexer knows of a language: constant tables, made from themes/languages/NAME.ini when the program is built
 * (src/render/languages.awk). Only highlighting reads them; everybody else goes through render/highlight.h.
 *
 * A definition, roles being those of themes:
 *
 *   [language]  aliases = h        other names, divided by blanks
 *               ignore_case = yes  of words
 *               letters = -        further signs within words, beside letters, digits, _ and everything beyond ASCII
 *               capitals = type    role of words that begin with a capital and are not capitals only
 *               separator = '      sign allowed between digits
 *               numbers = no       digits are text
 *               escape = \         takes the sign behind it out of the reckoning, outside of regions
 *               expand = $ type    role of $name and ${...} in regions with `expand`; "${ type" only the latter
 *               tags = yes         markup: text with <tags attribute="value"> and &entities; (its regions are all `lines`)
 *               embed = script javascript    tag and language of what is in it, in pairs
 *   [words]     ROLE = ...         words divided by blanks; a line that begins with a blank continues the value
 *   [regions]   ROLE = OPEN CLOSE  from a sign to a sign; CLOSE may be EOL (the rest of the line) or ONLY (nothing behind it);
 *                                  of several that fit the longest OPEN wins. Behind CLOSE may stand, as needed, the escape sign, and
 *                 lines            goes on over line ends          nested  counts its own OPEN within
 *                 start            first in its line, after blanks column  at the very start of its line
 *                 apart            not right behind a word         short   one character or one escape within
 *                 regex            where a value may begin         expand  as above
 *   [sigils]    ROLE = @           this sign and the word behind it; `start` as above
 *   [keys]      ROLE = : line      what stands before this sign: `line` at the start of a line, `string`, `word`;
 *                                  `blank`: only with a blank behind the sign, `column`: only without blanks before the key
 */
#ifndef WEIR_RENDER_LANGUAGE_H
#define WEIR_RENDER_LANGUAGE_H

#include "render/highlight.h"

enum { WORD_BUCKETS = 128, REGIONS_CARRIED_MOST = 12 };

enum byte_class {
	CLASS_WORD = 1,     /* within a word */
	CLASS_LETTER = 2,   /* may begin one */
	CLASS_DIGIT = 4,
	CLASS_REGION = 8,   /* begins the opening of a region */
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
	uint8_t carried;            /* its number in the state at a line end; 0: ends with the line */
	uint16_t flags;
	char escape;                /* 0: none */
};

struct word {
	const char *text;
	uint8_t len, role;
};

struct sigil {
	char byte;                  /* 0 behind the last */
	uint8_t role;
	bool start;
};

enum key_flag { KEY_LINE = 1, KEY_STRING = 2, KEY_WORD = 4, KEY_BLANK = 8, KEY_COLUMN = 16 };

struct key {
	char byte;                  /* 0 behind the last */
	uint8_t role, flags;
};

struct embed {
	const char *tag, *language; /* NULL behind the last */
};

struct language {
	const char *name, *aliases;
	const struct region *regions;                     /* by first byte, the longer opening first; ends with a NULL `open` */
	const struct word *words;                         /* by bucket, in small letters when the case is ignored */
	const struct sigil *sigils;
	const struct key *keys;
	const struct embed *embeds;
	uint16_t buckets[WORD_BUCKETS + 1];               /* where the words of a bucket begin */
	uint8_t carried[REGIONS_CARRIED_MOST + 1];        /* region of a number in the state */
	uint8_t first[128];                               /* first region of an opening byte */
	uint8_t classes[256];                             /* enum byte_class */
	uint8_t capitals;                                 /* a role; 0: none */
	uint8_t key_flags;                                /* of all keys */
	bool ignore_case, tags, expand_words;
	char separator, expand;                           /* 0: none */
	uint8_t expand_role;
};

/* The role of a word that is in the language's lists, else ROLE_CODE. */
uint8_t language_word_role(const struct language *language, struct str word);

/*
 * Lines of a language with tags; `state` as everywhere. Of its low four bits, numbers beyond those of regions mean "in a
 * tag"; the high four are then, or else in embedded text, one more than the index of the embedded language.
 */
highlight_state markup_line(const struct language *language, highlight_state state, struct str line, highlight_sink *sink, void *ctx);

#endif
