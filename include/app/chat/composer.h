/*
 * The composer: what helps to write a prompt - earlier prompts, completion, the draft, an editor of the user's own. It owns the
 * input.
 *
 * composer.c has keys, sending and earlier prompts, composer_words.c what the word at the cursor could become, composer_files.c the files
 * that a prompt names, composer_system.c the system prompt in the input, composer_editor.c the input in $EDITOR.
 *
 * Pasted text is never a command: a slash word runs only where it was typed or chosen from a list; what is pasted behind it is its
 * argument. Else it is a prompt that begins with a slash, and the hairline says so. What came all at once without brackets counts as
 * typed (a slow line, a program that types), but a command that reads a file then waits for an Enter of its own.
 */
#ifndef WEIR_APP_COMPOSER_H
#define WEIR_APP_COMPOSER_H

#include "app/chat/external.h"
#include "app/chat/mode.h"
#include "app/model_list.h"
#include "store/prompts.h"
#include "ui/edit/complete.h"
#include "ui/edit/edit.h"

struct command;

/* What the list above the input offers. */
enum composer_list { COMPOSER_CLOSED, COMPOSER_WORDS, COMPOSER_PATHS, COMPOSER_PROMPTS };

/* What it works with, borrowed. */
struct composer_tools {
	const struct host *host;
	const struct model_list *models; /* to complete names from */
	struct external *external;         /* for an editor */
};

struct composer {
	const struct host *host;
	struct composer_tools tools;
	struct edit input;
	struct prompts *prompts;
	bool walking;           /* the input shows an earlier prompt, the draft is set aside */
	size_t walk_at;
	struct buf walk_prefix;
	unsigned walk_version;  /* of the input when it was put there */

	bool writes_system;     /* the input holds the system prompt, and its stash what stood there */
	bool set_aside;         /* the input's stash holds a draft that a command was written over */
	unsigned restored;      /* version of the input while it holds a restored prompt, unchanged; 0: it does not */
	size_t restored_files;  /* attached again with it */

	enum composer_list offers;
	struct complete *list;
	unsigned listed;        /* version of the input that the list is for */
	size_t from;            /* where the bytes begin that a choice replaces, up to the cursor */
	size_t word;            /* where the word begins that they are the end of; it counts as chosen with them */
	const char *suffix;     /* what a choice is followed by */
	bool told_unkept;       /* that prompts cannot be kept: once is enough */
	size_t dismissed;       /* Esc: no list for the word that begins there */
	char *offered;          /* the path of a mention that is text and could be attached; NULL: there is none */
	bool offered_paste;     /* it was pasted as a path and nothing else, not mentioned */
	char *pasted, *pasted_path; /* what was pasted last as a path, as it stands in the input, and the regular file; NULL: none */
	unsigned offered_for;   /* version of the input that it was looked for in, and how many files were attached then */
	size_t offered_beside;
	char *folder;           /* whose names are known; NULL: none */
	char **names;           /* folders end in a slash */
	size_t name_count, name_capacity;
};

/* Begins with the draft of the last run, and keeps it at the end; neither in a replay. */
void composer_init(struct composer *w, const struct composer_tools *tools);
void composer_fini(struct composer *w);

extern const struct mode composer_search_mode;

/* Keys of the list and of the input that go before commands. */
bool composer_takes(struct composer *w, const struct key *key);
/* All other keys of the input. */
void composer_key(struct composer *w, const struct key *key);
/* False, and says so: Enter came with the rest of the line, and the command reads a file. */
bool composer_may_run(struct composer *w, const struct command *command, const struct key *enter);
/* A command takes the place of what stands in the input, until it was run or cleared away. */
void composer_write(struct composer *w, struct str command);
void composer_clear(struct composer *w);
void composer_set_aside(struct composer *w);    /* the draft, into the stash of the input, which is free then */
/* A slip in a command's name must not cost its words: "/line" stands where it can be corrected, unless something else does. */
void composer_keep_slip(struct composer *w, struct str line, enum edit_origin origin);
/* Puts a prompt that was refused, or may be edited, into the input again. It counts as restored until it is changed. */
void composer_restore(struct composer *w, struct str prompt);
void composer_restore_refused(struct composer *w, struct str prompt); /* the same, marked: typing replaces it */
void composer_take_last_queued(struct composer *w); /* the newest prompt in line, out of it, into the empty input; there is one */
void composer_take_queued(struct composer *w);   /* all of them */
void composer_drop_restored(struct composer *w); /* out of the input again, if it is unchanged */
void composer_edit_last(struct composer *w);    /* the last prompt, which the next one takes the place of */
bool composer_leave_edit(struct composer *w);   /* nothing is changed; false: none was edited */
void composer_search(struct composer *w);       /* earlier prompts, as one types; again: the next older one */
bool composer_leave_search(struct composer *w); /* with the draft back; false: there was none */

/* The rows of the list over the bottom of an area. */
void composer_draw_list(const struct composer *w, struct canvas *canvas, struct area above);
/* What the input holds that does not act, and what would make it: a hint for the hairline; "" for nothing. */
void composer_hint(struct composer *w, char *words, size_t size);
bool composer_offers(const struct composer *w);      /* a list of completions is open: Tab and Esc are its own */
bool composer_has_matches(const struct composer *w); /* the list has a row to take */
struct str composer_title(const struct composer *w); /* what the input is used for, for its hairline; STR_NONE: writing */

/* --- composer_words.c --- */

void composer_offer(struct composer *w);        /* fills the list for the word at the cursor, or closes it */
void composer_forget_folder(struct composer *w);

/* --- composer_files.c (app/mention.h) --- */

MUST_USE bool composer_attach_typed(struct composer *w, struct error *err); /* the files that were mentioned by typing */
const char *composer_offer_file(struct composer *w);                        /* the path of one that was not; NULL */
void composer_note_paste(struct composer *w, struct str pasted);            /* it may be the path of a file to offer */
void composer_attach_offered(struct composer *w);

/* --- composer_system.c --- */

/* The system prompt stands in the input until Enter keeps it or Esc leaves it as it was. */
void composer_edit_system(struct composer *w);
bool composer_leave_system(struct composer *w);        /* with the draft back; false: it did not stand there */
bool composer_writes_system(const struct composer *w);
bool composer_refuses_other(struct composer *w);       /* true, and says so: it stands there, so nothing else can */
extern const struct mode composer_system_mode;

/* --- composer_editor.c --- */

void composer_edit_outside(struct composer *w); /* in a replay nothing */

#endif
