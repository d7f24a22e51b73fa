/*
 * Exports of conversations: a walk over the turns of a conversation, written by a form. A form is a row of functions; the table of all forms
 * is in app/export/export_forms.h, because that of HTML needs the render layer.
 *
 * What is written goes to a sink in pieces, one turn at a time, so memory is bounded by the largest turn.
 */
#ifndef WEIR_STORE_EXPORT_H
#define WEIR_STORE_EXPORT_H

#include "store/history/history.h"

struct conversation;

/* Takes a piece. False, with an error, ends the export. */
typedef bool export_sink(void *ctx, struct str piece, struct error *err);

/* What writes the files that stand beside a document. `add` NULL: there are none. */
struct export_beside {
	/* Writes a file, and appends its address as the document names it. False, with an error, ends the export. */
	bool (*add)(void *ctx, struct str bytes, struct str type, struct buf *address, struct error *err);
	void *ctx;
};

/* Another version of a turn, which the document does not have: the beginning of a prompt, or the model that answered; untrusted. */
struct export_version { char *words; time_t wall; size_t turns; bool failed; }; /* turns: prompts below it */
#define EXPORT_VERSIONS_MOST 20

struct export_node {
	size_t id, parent, child; /* 1 for the first of the conversation; 0: none */
	const char *label;        /* NULL: none */
	const struct turn *turn;
	/* Only in forms without the whole tree: which of how many versions it is, from 1, and the others, the oldest first. */
	size_t version, versions;
	const struct export_version *others;
	size_t other_count;       /* EXPORT_VERSIONS_MOST at most */
	struct export *document;  /* for export_add_beside(); never NULL */
};

struct export_form {
	const char *name, *suffix; /* "markdown", ".md" */
	bool whole_tree;           /* all nodes; else those of the path that is shown */
	/* Each appends to `out`. `at` counts from 0: conversations of the document, nodes of the conversation. Any but `node` may be NULL. */
	void (*begin)(struct buf *out);
	void (*open)(struct buf *out, const struct history_conversation *facts, size_t leaf, size_t at);
	void (*node)(struct buf *out, const struct export_node *node, size_t at);
	void (*close)(struct buf *out, size_t at);
	void (*end)(struct buf *out);
};

struct export {
	const struct export_form *form;
	export_sink *sink;
	void *ctx;
	struct buf out;
	size_t conversations;
	size_t room;              /* bytes of media for which the document has room */
	struct export_beside beside;
	bool failed;              /* a file beside it could not be written; `why` */
	struct error why;
};

/* Begins a document of any number of conversations. Set `beside` afterwards. export_fini() frees it, complete or not. */
void export_init(struct export *e, const struct export_form *form, export_sink *sink, void *ctx);
void export_fini(struct export *e);

/* Each adds a conversation to the document. After a failure the document is not complete. */
MUST_USE bool export_stored(struct export *e, struct history *h, int64_t conversation, struct error *err);
/* The same for one in memory: `facts` need no id, sums or leaf. */
MUST_USE bool export_in_memory(struct export *e, const struct history_conversation *facts, const struct conversation *c, struct error *err);
/* For forms: a file beside the document, whose address is appended. False: it is only named. */
bool export_add_beside(struct export *e, struct str bytes, struct str type, struct buf *address);
MUST_USE bool export_end(struct export *e, struct error *err);

/* Forms that need this layer only. */
extern const struct export_form export_markdown, export_json, export_text;

/* The meaning of the JSON form's members, for `weir history --schema`. Borrowed, static. */
const char *export_json_schema(void);

#endif
