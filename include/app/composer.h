/*
 * The composer: what helps to write a prompt - earlier prompts, completion, the draft, an editor of the user's own. It works on
 * the chat's input.
 *
 * composer.c has keys, sending and earlier prompts, composer_words.c what the word at the cursor could become, composer_outside.c
 * the input in $EDITOR.
 */
#ifndef WEIR_APP_COMPOSER_H
#define WEIR_APP_COMPOSER_H

#include "store/prompts.h"
#include "ui/canvas.h"
#include "ui/complete.h"
#include "ui/key.h"

struct chat;

/* What the list above the input offers. */
enum composer_list { COMPOSER_CLOSED, COMPOSER_WORDS, COMPOSER_PATHS, COMPOSER_PROMPTS };

struct composer {
	struct prompts *prompts;
	bool walking;           /* the input shows an earlier prompt, the draft is set aside */
	size_t walk_at;
	struct buf walk_prefix;
	unsigned walk_version;  /* of the input when it was put there */

	bool set_aside;         /* the input's stash holds a draft that a command was written over */
	unsigned given_back;    /* version of the input while it holds a prompt that was put back, as it was; 0: it does not */

	enum composer_list offers;
	struct complete *list;
	unsigned listed;        /* version of the input that the list is for */
	size_t from;            /* where the bytes begin that a choice replaces, up to the cursor */
	const char *suffix;     /* what a choice is followed by */
	bool told_unkept;       /* that prompts cannot be kept: once is enough */
	size_t dismissed;       /* Esc: no list for the word that begins there */
	char *folder;           /* whose names are known; NULL: none */
	char **names;           /* folders end in a slash */
	size_t name_count, name_capacity;
};

/* Begins with the draft of the last run, and keeps it at the end; neither in a replay. */
struct composer *composer_new(struct chat *c);
void composer_free(struct composer *w, struct chat *c);

/* Keys of the list and of the input that go before commands. */
bool composer_takes(struct chat *c, const struct key *key);
/* All other keys of the input. */
void composer_key(struct chat *c, const struct key *key);
/* A command takes the place of what stands in the input, until it was run or cleared away. */
void composer_write(struct chat *c, struct str command);
void composer_clear(struct chat *c);
/* A prompt that was refused, or may be edited, stands in the input again; as long as nobody changed it, it is no more than that. */
void composer_give_back(struct chat *c, struct str prompt);
void composer_take_back(struct chat *c);    /* out of the input again, if it still stands there as it was */
void composer_edit_last(struct chat *c);    /* the last prompt, which the next one takes the place of */
bool composer_leave_edit(struct chat *c);   /* nothing is changed; false: none was edited */
void composer_search(struct chat *c);       /* earlier prompts, as one types; again: the next older one */
bool composer_leave_search(struct chat *c); /* with the draft back; false: there was none */

/* The rows of the list over the bottom of an area. */
void composer_draw_list(struct chat *c, struct area above);
struct str composer_title(const struct chat *c); /* what the input is used for, for its hairline; STR_NONE: writing */

/* --- composer_words.c --- */

void composer_offer(struct chat *c);        /* fills the list for the word at the cursor, or closes it */
void composer_forget_folder(struct composer *w);
/* --- composer_outside.c --- */

void composer_edit_outside(struct chat *c); /* in a replay nothing */

#endif
