/*
 * The composer: the input and all that helps to write a prompt - earlier prompts, completion, the draft, the user's editor. It owns the
 * input's text.
 *
 * composer.c has keys and the draft, composer_send.c sending, composer_prompts.c earlier prompts, composer_words.c what the word at the cursor
 * could become, composer_files.c the files that a prompt names, composer_system.c the system prompt in the input, composer_editor.c the input in
 * $EDITOR.
 *
 * Pasted text is never a command. A slash word runs only if it was typed or chosen from a list; text pasted after it is its argument.
 * A pasted slash word is sent as part of a prompt, and the hairline says so. A burst of keys without paste brackets counts as typed (it
 * may be a slow line or a program that types), but a command that reads a file then waits for a separate Enter.
 */
#ifndef WEIR_APP_COMPOSER_H
#define WEIR_APP_COMPOSER_H

#include "app/screen/services/external.h"
#include "app/screen/services/mode.h"
#include "app/setup/context.h"
#include "app/setup/model_list.h"
#include "store/files/prompts.h"
#include "ui/edit/complete.h"
#include "ui/edit/edit.h"

struct command;

/* The contents of the list above the input. */
enum composer_list { COMPOSER_CLOSED, COMPOSER_WORDS, COMPOSER_PATHS, COMPOSER_OFFERS, COMPOSER_PROMPTS }; /* COMPOSER_OFFERS: of an MCP server */

/* Other parts that the composer uses; borrowed. */
struct composer_tools {
	const struct host *host;
	struct model_list *models;       /* model names to complete, and what is known of the model */
	struct external *external;       /* runs the editor */
};

struct composer {
	const struct host *host;
	struct composer_tools tools;
	struct edit input;
	struct prompts *prompts;
	bool walking;           /* the input shows an earlier prompt, perhaps edited; the draft is stashed */
	size_t walk_at;
	struct buf walk_prefix;
	struct buf searched;    /* what was searched for last in earlier prompts */
	bool searched_by_command; /* the search began in vi's command state, which it ends in */
	unsigned walk_version;  /* version of the input with the unchanged earlier prompt; 0: it is an edited one */

	bool writes_system;     /* the input holds the system prompt, its stash the draft */
	bool set_aside;         /* COMPOSER_ASIDE holds a draft that a command was written over */
	unsigned restored;      /* version of the input while it holds a restored prompt, unchanged; 0: it does not */
	size_t restored_files;  /* attached again with it */
	uint64_t place;         /* session_place() when it was last looked at */
	unsigned lacks_model;   /* version of the input that is sent when the open menu gives a model; 0: none */
	unsigned runs;          /* version of the input whose command runs with y; 0: none */
	unsigned collected;     /* version of the input of which what is not a file was asked for before `collected_to` */
	size_t collected_to;
	unsigned overflowed;    /* version of the input for which it was said that it may not fit; 0: none */

	enum composer_list offers;
	struct complete *list;
	unsigned listed;        /* version of the input that the list is for */
	size_t from;            /* start of the bytes that a choice replaces; they end at the cursor */
	size_t word;            /* start of the word that contains them; all of it counts as typed after a choice */
	const char *suffix;     /* the text inserted after a choice */
	bool told_unkept;       /* the message that prompts cannot be kept was shown */
	struct pane *came_from; /* a search or the system prompt took the focus from it */
	size_t dismissed;       /* Esc: no list for the word that begins there */
	char *offered;          /* the path of a mention that is text and could be attached; NULL: there is none */
	bool offered_paste;     /* it was pasted as a path, without @ */
	char *pasted, *pasted_path; /* the last pasted path, as in the input, and the regular file it names; NULL: none */
	unsigned offered_for;   /* version of the input of the last search for it, and the number of files attached then */
	size_t offered_beside;
	struct context_size named; /* files of typed mentions that are not attached yet, */
	unsigned named_for;     /* for this version of the input, */
	struct buf named_words; /* of these words */
	uint64_t offers_seen;   /* lists of MCP servers that the list was made of (mcp_hub_offers_changes()) */
	char *folder;           /* the folder that `names` lists; NULL: none */
	char **names;           /* folders end in a slash */
	size_t name_count, name_capacity;
	bool names_cut;         /* the folder has more */
};

/* Loads the draft of the last run; composer_fini() saves the current one. A replay has no draft. */
void composer_init(struct composer *w, const struct composer_tools *tools);
void composer_fini(struct composer *w);

/* Handles keys of the list and of the input that take precedence over commands. */
bool composer_takes(struct composer *w, const struct key *key);
/* Handles all other keys of the input. */
void composer_key(struct composer *w, const struct key *key);
/* Replaces the input with a command. The previous text returns after the command was run or cleared. */
void composer_write(struct composer *w, struct str command);
/* Puts a text into the input, behind what stands before the cursor. It is foreign text: no command, and it attaches no file. */
void composer_fill(struct composer *w, struct str text);
void composer_clear(struct composer *w);
void composer_set_aside(struct composer *w);    /* the draft, into the stash of the input, which is free then */
/* A slip in a command's name must not cost its words: "/line" stands where it can be corrected, unless something else does. */
void composer_keep_slip(struct composer *w, struct str line, enum edit_origin origin);
/* Puts a refused prompt back into an empty input, selected: typing replaces it. It counts as restored until it is changed. */
void composer_restore_refused(struct composer *w);
/* Before each key and frame: a restored prompt stays at the place of the conversation that it belongs to, and is offered there again. */
void composer_heed_place(struct composer *w);
void composer_take_queued(struct composer *w);   /* the same for all of them */
void composer_drop_restored(struct composer *w); /* clears the input if it holds an unchanged restored prompt */
/* Edits the prompt at or above a turn; NULL: the last one. The next prompt that is sent becomes its sibling. */
void composer_edit(struct composer *w, const struct turn *turn);
bool composer_leave_edit(struct composer *w);   /* cancels editing; false: no prompt was being edited */

/* Draws the list over the bottom rows of an area. */
void composer_draw_list(const struct composer *w, struct canvas *canvas, struct area above);
/* A hint for the hairline: text in the input that looks like a command or file but is not one, and how to make it act; "": none. */
void composer_hint(struct composer *w, char *words, size_t size);
bool composer_offers(const struct composer *w);      /* a list of completions is open and takes Tab and Esc */
bool composer_has_matches(const struct composer *w); /* the list is not empty */
struct str composer_title(const struct composer *w); /* the use of the input, for its hairline; STR_NONE: plain writing */

void composer_close_list(struct composer *w);
void composer_take_focus(struct composer *w);   /* until composer_return_focus() gives it back to the pane that had it */
void composer_return_focus(struct composer *w);
/* Stashed in the input: the draft behind an earlier prompt or a search, that behind a command, and edited earlier prompts by their index. */
#define COMPOSER_DRAFT SIZE_MAX
#define COMPOSER_ASIDE (SIZE_MAX - 1)
void composer_stash(struct composer *w);        /* the input, as COMPOSER_DRAFT */

/* A control key without further modifiers. */
static inline bool composer_is_control(const struct key *key, char letter)
{
	return key_is_control(key, letter) && !key->modifiers;
}

const struct command *composer_command(const struct composer *w); /* the command in the input; NULL: it holds a prompt */
void composer_unstash(struct composer *w);      /* restores the draft that a command replaced */

/* --- composer_send.c --- */

void composer_send_input(struct composer *w, const struct key *enter); /* sends the prompt or runs the command; what is refused stays */
/* A model was chosen with the key `enter`: a prompt whose Enter opened the menu for want of a model, and which is unchanged, is sent. */
void composer_take_model(struct composer *w, const struct key *enter);

/* --- composer_prompts.c --- */

/*
 * Up in the first row and Down in the last row walk the earlier prompts; the draft counts as the newest. As in readline, each keeps what was
 * edited in it until a prompt is sent.
 */
void composer_walk(struct composer *w, bool up);
void composer_leave_walk(struct composer *w);   /* back to the draft; what was edited in the prompt that is left stays with it */
void composer_follow_undo(struct composer *w);  /* after a key of the editor */
void composer_drop_walked(struct composer *w);  /* back to the draft, while walking; the prompt is as it was sent again */
bool composer_is_walking(const struct composer *w); /* the input shows one of them, unchanged */
void composer_search(struct composer *w);       /* starts a search in earlier prompts; if one is open, goes to the next older match */
/* The next older or newer prompt with what was searched for last. */
void composer_find_again(struct composer *w, bool older);
bool composer_leave_search(struct composer *w); /* ends the search and restores the draft; false: there was no search */
extern const struct mode composer_search_mode;

/* --- composer_words.c --- */

void composer_offer(struct composer *w);        /* fills or closes the list, for the word at the cursor */
void composer_forget_folder(struct composer *w);
size_t composer_word_start(struct str before);      /* where the word begins that ends there */
bool composer_completes(const struct composer *w); /* the cursor is behind a slash word or an argument that is completed, or in a word with @ */

/* --- composer_servers.c --- */

void composer_offer_servers(struct composer *w, const char *fact); /* adds their names to the list that is filled */
/* What the server of "NAME:typed" offers; `at`: where that word begins. False: it names none. */
bool composer_offer_server(struct composer *w, struct str word, size_t at, bool prompts);
/* The last word of the arguments of a prompt "NAME:PROMPT": a name, or a value behind a name. False: it is no such prompt. */
bool composer_offer_argument(struct composer *w, struct str word, struct str typed, size_t at);
void composer_follow_servers(struct composer *w); /* fills the list again when what a server offers has come */

/* --- composer_files.c (app/setup/mention.h) --- */

/*
 * The next address, folder or resource of a server that was mentioned by typing: it is fetched or read, or its files are listed. False: there is
 * none; what was asked for in this input is not asked for again.
 */
bool composer_collects(struct composer *w);
/* A line "!command" that was typed key by key: its command; STR_NONE: it is none. */
struct str composer_command_line(const struct composer *w);
bool composer_asks_to_run(struct composer *w, const struct key *enter); /* false: there is no such line */
bool composer_answers_run(struct composer *w, const struct key *key);   /* the key after that question; false: it is none of its answers */
bool composer_waits(struct composer *w); /* says what is under way and goes with the prompt; false: nothing is */
MUST_USE bool composer_attach_typed(struct composer *w, struct error *err); /* the files that were mentioned by typing */
const struct context_size *composer_named(struct composer *w);              /* what that will attach, by the sizes of files */
const char *composer_offer_file(struct composer *w);                        /* the path of one that was not; NULL */
void composer_note_paste(struct composer *w, struct str pasted);            /* it may be the path of a file to offer */
void composer_attach_offered(struct composer *w);
void composer_offer_words(const struct composer *w, const char *path, char *words, size_t size); /* the hint for an offered file */
void composer_tell_missing(const struct composer *w);                       /* says which file that was typed is not there, if one is */

/* --- composer_system.c --- */

/* The system prompt stands in the input until Enter keeps it or Esc leaves it as it was. */
void composer_edit_system(struct composer *w);
bool composer_leave_system(struct composer *w);        /* with the draft back; false: it did not stand there */
bool composer_writes_system(const struct composer *w);
bool composer_refuses_other(struct composer *w);       /* true, and says so: it stands there, so nothing else can */
extern const struct mode composer_system_mode;

/* --- composer_editor.c --- */

void composer_edit_outside(struct composer *w); /* does nothing in a replay */

#endif
