/*
 * Templates: the sections [template NAME] of weir.conf. A template is a prompt with places for words.
 *
 * {1} to {9} stand for words that are given with the name, {input} for the rest of them or for piped text. {{ and }} stand for braces.
 */
#ifndef WEIR_STORE_TEMPLATES_H
#define WEIR_STORE_TEMPLATES_H

#include "base/ini.h"
#include "base/text.h"

#define TEMPLATE_WORDS_MOST 9

struct template {
	char *name, *file;
	int line;                  /* of its first setting */
	char *prompt, *prompt_file; /* NULL: not set; at most one is */
	int prompt_line;
	char *role, *model;        /* chosen when it is used; NULL: not set */
};

struct templates { struct template *items; size_t count, capacity; }; /* a zeroed one is empty; in the order of the file */

void templates_fini(struct templates *templates);
/* NULL: there is none. Borrowed, until a template is added. */
const struct template *templates_find(const struct templates *templates, struct str name);
const char *template_name_at(const void *templates, size_t index); /* of struct templates, as base/names.h wants it */

/* Takes an entry of the section [template NAME]. */
MUST_USE bool templates_set(struct templates *templates, struct str name, const struct ini_entry *entry, struct error *err);

/* What a template is filled with. Borrowed. */
struct template_words {
	struct str words[TEMPLATE_WORDS_MOST]; /* for the numbers, in order */
	size_t count;       /* at most template_word_count() */
	struct str rest;    /* the words behind them; empty: none */
	struct str piped;   /* piped text; empty: none */
};

/* How many words the numbers take: the highest number. 0 also where its file cannot be read. */
size_t template_word_count(const struct template *t);
/* Takes those words from a line, parted by blanks; double quotes group. The rest of the line stays as it is. Borrows from `line`. */
void template_split(const struct template *t, struct str line, struct template_words *with);

/*
 * Appends the prompt to `out`. {input} takes the rest of the words, then the piped text after a blank line; without {input} they follow the
 * prompt after a blank line. False: the template has no prompt, its file cannot be read, or an argument is missing, which `err` names.
 */
MUST_USE bool template_fill(const struct template *t, const struct template_words *with, struct buf *out, struct error *err);
/* Appends its places, as "{1} {input}". */
void template_write_places(const struct template *t, struct buf *out);

/* Appends the value of a row of the table, by its index; nothing where it is not set. */
void template_write_setting(const struct template *t, size_t index, struct buf *out);

struct ini_help template_setting_at(size_t index);

#endif
