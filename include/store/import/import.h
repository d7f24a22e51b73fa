/*
 * Imports of conversations from files: weir's own JSON, the exports of ChatGPT and of Claude (`conversations.json`), the `logs.db` of llm.
 * What a file is, is judged by its content. Nothing in it is believed: sizes, depths and counts are bounded, and nothing of it acts.
 *
 * Every conversation has a stable key, made from the id that its source gave it. One that is stored already receives the turns that it does
 * not have yet, as branches where they belong, and shows the last of them; nothing else is changed or removed. So importing a file twice
 * adds nothing. A turn is the same if its role and the kinds, texts and names of its parts are, and results answer the same calls.
 *
 * Each conversation is kept in one transaction. Memory is bounded by the largest one, and so is the WAL: it is moved into the file between
 * them, which waits for the disk. So imports are not for the event loop.
 */
#ifndef WEIR_STORE_IMPORT_H
#define WEIR_STORE_IMPORT_H

#include "store/history/history.h"

/* What of the conversations is left out, X(UPPER, words): * is the s of the plural, a second one what the file calls it. */
#define IMPORT_LEFT_KINDS(X) \
	X(INSTRUCTION, "custom instruction*") X(MEMORY, "memory note*") X(SUMMARY, "summary text*") \
	X(SYSTEM, "further system prompt*") X(HIDDEN, "hidden message*") \
	X(FILE, "file*") X(PICTURE, "picture*") X(VOICE, "voice note*") X(VIDEO, "video*") X(REDACTED, "redacted thought*") \
	X(OPTION, "option*") X(SCHEMA, "schema*") X(TOOL, "tool definition*") X(TURN, "damaged turn*") \
	X(ROLE, "message* of the unknown role *") X(TYPE, "item* of the unknown type *") \
	X(TYPE_BUT_TEXT, "item* of the unknown type * (all but the text)") X(OTHER, "item* of other types")

#define IMPORT_LEFT_UPPER(upper, words) IMPORT_LEFT_##upper,
enum import_left_kind { IMPORT_LEFT_KINDS(IMPORT_LEFT_UPPER) IMPORT_LEFT_KIND_COUNT };
#undef IMPORT_LEFT_UPPER

/* One kind of it, and how often: "" as name where the kind has none, else letters that are safe to show. In the order in which they were found. */
struct import_left { enum import_left_kind kind; char name[41]; size_t count; };
#define IMPORT_LEFT_MOST 32 /* what does not fit is of other types */
struct import_lefts { struct import_left at[IMPORT_LEFT_MOST]; size_t count; };

void import_leave(struct import_lefts *lefts, enum import_left_kind kind, struct str name);
void import_leave_all(struct import_lefts *lefts, const struct import_lefts *more);
/* Appends "3 custom instructions, 2 voice notes"; nothing if nothing is left out. */
void import_lefts_write(const struct import_lefts *lefts, struct buf *out);

struct import_counts {
	size_t added;   /* conversations that are new */
	size_t grown;   /* were there, and received turns */
	size_t known;   /* were there, with all turns */
	size_t skipped; /* empty, damaged, too large, or not conversations */
	struct import_lefts left; /* of all but the skipped ones */
};

struct import_options {
	/* Called after each conversation, when nothing is locked. False ends the import. NULL: nobody. */
	bool (*between)(void *ctx, const struct import_counts *counts);
	void *ctx;
};

enum import_status {
	IMPORT_DONE,
	IMPORT_OTHER_KIND, /* not a file that can be imported; the sentence says what it is */
	IMPORT_FAILED,     /* what was kept before stays: importing again goes on */
};

enum import_status import_file(struct history *h, const char *path, const struct import_options *options, struct import_counts *counts,
                               struct error *err);

#endif
