/* What the files of the import share: a conversation being read, and the readers of each kind of file. */
#ifndef WEIR_STORE_IMPORT_INSIDE_H
#define WEIR_STORE_IMPORT_INSIDE_H

#include "base/json.h"
#include "store/import/import.h"

#define IMPORT_TURNS_MOST ((size_t)100000)
#define IMPORT_PARTS_MOST ((size_t)20000)
#define IMPORT_LABEL_MOST ((size_t)200)
#define IMPORT_BYTES_MOST ((size_t)256 << 20) /* text of one conversation: as of a value of JSON (store/files/json_file.h) */

struct imported_turn {
	size_t parent;      /* place of its parent, from 1; 0: none. Less than its own */
	size_t *calls;      /* of the answer: its parts that are calls; heap */
	size_t call_count, call_capacity;
	bool *answered;     /* by call of the answer above it: this turn has the result; heap */
	size_t answered_count;
	size_t child;       /* place of the child shown last; 0: the newest */
	char *label;        /* heap; NULL: none */
	struct conversation *holder;
	struct turn *turn;  /* owned by the holder */
};

/* A conversation as a tree of turns; zero it before the first use. */
struct imported {
	struct history_conversation facts; /* its texts are on the heap: import_set() */
	struct imported_turn *turns;
	size_t count, capacity;
	size_t leaf;        /* place of the turn shown last; 0: the newest */
	size_t bytes;       /* text of the parts that import_add_part() added */
	size_t looks;       /* at calls, for the ones that results answer: bounded, whatever a file holds */
	struct import_lefts left; /* what is not taken */
	bool is_too_large;  /* it has more than IMPORT_BYTES_MOST: it is skipped */
};

void imported_fini(struct imported *im); /* leaves it empty */

/* Replaces a text of the facts. An absent or empty one makes it NULL. */
void import_set(const char **text, struct str value);
/* Sets the key from the kind of the file and the id in it. */
void import_set_key(struct imported *im, const char *kind, struct str id);

/* Adds a turn below a place (0: as a root) and returns its place; 0 when there are too many. */
size_t import_add_turn(struct imported *im, size_t parent, enum turn_role role);
struct turn *import_turn(const struct imported *im, size_t place);

/* Where the parts of a message go. Adding one changes `place` and sets `join`. */
struct import_target {
	struct imported *im;
	size_t place;       /* of the turn that was added to last, at first of the one above; 0: none */
	bool join;          /* a part of that turn's role goes into it, else into a new turn below it */
	int64_t wall_ms;    /* dates new turns; 0: unknown */
};

/* Counts a text. False if that is too much for the conversation, which is skipped then. */
bool import_has_room(struct imported *im, struct str text);
/* Adds a part. NULL when there are too many, or too many bytes. */
struct part *import_add_part(struct import_target *to, enum turn_role role, enum part_kind kind, struct str text, struct str id, struct str name);
/* The same for a call. Text that is not a JSON object becomes one: {"input": text}. */
struct part *import_add_call(struct import_target *to, struct str arguments, struct str id, struct str name);
/*
 * The same for the result of a call. It answers the call with its id, else the first call in the nearest turn above that has its name and no
 * result yet, else, where no call of this exchange has its name, the first one without a result. It stands in the turn below that call, where
 * requests look for it; `to` goes there only if that turn is the last one. A further result without an id, right behind one of that name, makes
 * that one longer. A result that answers no call is kept, and never sent.
 */
struct part *import_add_result(struct import_target *to, struct str text, bool is_error, struct str id, struct str name);
/* Whether a call of the turn that was added to last has no result yet. */
bool import_awaits_result(const struct import_target *to);
/* The same for words that say which file or picture was there, where its bytes are not; it counts as left out. "": a file, a picture. */
void import_add_missing(struct import_target *to, enum turn_role role, enum import_left_kind kind, struct str name);
/* Ends the answer that was added to last, else a new one, with an error. What follows is another turn. */
void import_add_error(struct import_target *to, struct str message);
/* Names who gave the answers from a place on. */
void import_set_origin(struct imported *im, size_t from, struct str provider, struct str model);

/* Completes what another program's conversation lacks: a title, the path to its leaf. */
void import_complete(struct imported *im);

/* What becomes of a conversation that was read. False ends the reading. */
typedef bool import_visit(void *ctx, struct imported *im);

/* --- the kinds of files --- */

/* A kind of JSON: an element of the outer array, or the outer object. */
struct import_form {
	const char *name;      /* "ChatGPT" */
	const char *member;    /* an object with this member is one */
	/* Reads a conversation. `text` is the valid JSON of `value`, or `value` is NULL if `reads_text`. False: it is none. */
	bool (*read)(struct json_parser *parser, const struct json *value, struct str text, struct imported *im);
	bool reads_text;
};
extern const struct import_form import_weir, import_chatgpt, import_claude;

/* Reads an open JSON file. `skipped` counts what is not a conversation. */
enum import_status import_read_json(int fd, import_visit *visit, void *ctx, size_t *skipped, struct error *err);

/* Reads a SQLite database of llm. */
enum import_status import_read_llm(const char *path, import_visit *visit, void *ctx, struct error *err);

/* --- trees given by the ids of parents --- */

struct import_link {
	struct str id, parent;  /* borrowed */
	const void *item;       /* the reader's */
	size_t up;              /* place of the parent, from 1; 0: none. Set by import_link() */
	size_t first, last, next; /* children: places, from 1 */
	size_t children;        /* how many */
	bool visited;
};
struct import_links { struct import_link *at; size_t count, capacity; };

void import_links_add(struct import_links *links, struct str id, struct str parent, const void *item);
size_t import_links_find(const struct import_links *links, const size_t *order, struct str id);
/* Finds parents by their ids. Siblings are in the order in which they were added. Returns the places by id; free it. */
size_t *import_link(struct import_links *links);
/* Visits each link once, after its parent. `turn` is what the visit returned for the parent, 0 at a root. */
typedef size_t import_link_visit(void *ctx, const struct import_links *links, size_t place, size_t turn);
void import_links_walk(struct import_links *links, import_link_visit *visit, void *ctx, size_t *turns);

#endif
