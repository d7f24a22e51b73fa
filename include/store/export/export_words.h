/*
 * What the forms for people say alike: names, times, and text without characters that act.
 */
#ifndef WEIR_STORE_EXPORT_WORDS_H
#define WEIR_STORE_EXPORT_WORDS_H

#include "store/export/export.h"

struct part;

/*
 * Appends untrusted text: valid UTF-8, lines ended by LF, and each control character but tab and LF, and each that changes the direction of
 * text, as U+FFFD.
 */
void export_clean(struct str text, struct buf *out);
/* The same in one line: line ends and tabs become blanks. */
void export_clean_line(struct str text, struct buf *out);

const char *export_title(const struct history_conversation *facts);
/* Appends "2026-01-31 12:00 UTC"; nothing for a time that is not known. */
void export_when(time_t wall, struct buf *out);
/* The model that answered, or "Assistant". Borrowed; untrusted. */
struct str export_speaker(const struct turn *t);
/* Appends how the answer ended and why, if not well: "the answer failed: HTTP 500: overloaded (server_error)". Untrusted. */
void export_outcome(const struct turn *t, struct buf *out);
/* Appends which version of a turn it is, and what the others are: "version 2 of 3; ...". Nothing if it is the only one. Untrusted. */
void export_versions(const struct export_node *node, struct buf *out);

/* Whether a part is left out: withdrawn by the server, opaque, or empty. */
bool export_is_silent(const struct turn *t, size_t part);
/* Whether an attachment is short text, to be shown as it is. */
bool export_is_readable(const struct part *p);
/* Whether an address may be a link: http, https or mailto, of harmless characters. */
bool export_is_link(struct str address);
/*
 * The word before a part: "Reasoning", "Call of NAME"; of media and of tools of the server the line that the page has. Appends cleaned text in
 * one line.
 */
void export_part_title(const struct turn *t, const struct part *p, struct buf *out);
struct str export_bytes(const struct part *p); /* of an attachment or a medium */

#endif
