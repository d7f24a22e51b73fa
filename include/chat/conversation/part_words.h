/*
 * Calls, tools of the server and media in one line of words each: the page, the linear mode and exports say the same. Text of the server in
 * them is untrusted.
 */
#ifndef WEIR_CHAT_PART_WORDS_H
#define WEIR_CHAT_PART_WORDS_H

#include "base/text.h"

struct part;
struct turn;

#define PART_NONE ((size_t)-1)
#define PART_WORDS_BRIEF ((size_t)400) /* bytes of a text that is shown as one line: more than any row holds */

/* The first line of a text, with an ellipsis if there is more; of JSON in several lines, as much as is brief. */
void part_words_first_line(struct str text, struct buf *out);
/* Appends at most `most` bytes as one line: runs of blanks become one blank. */
void part_words_flat(struct str text, size_t most, struct buf *out);
/* "image 1  png  16x12  88 B  A small red boat": what a media part is, numbered within its kind. `between` parts the figures. */
void part_words_media(const struct turn *t, const struct part *media, const char *between, struct buf *out);
/* Whether that line has all that is said of it: not of a sound, whose transcript is text of the answer. */
bool part_words_media_is_whole(const struct part *media);
/* "city=Tokyo  days={...}": the arguments of a closed call, or the input of a server's tool, as one line. */
void part_words_arguments(const struct part *call, struct buf *out);
/* "answered  1.0 s": the state of a call or of a server's tool. `after` is the turn after `t`, or NULL. */
void part_words_call(const struct turn *t, const struct part *call, const struct turn *after, struct buf *out);
/* The same of a server's tool that found so many pages or files: "3 results  1.2 s". PART_NONE: they cannot be counted. */
void part_words_server_tool(const struct turn *t, const struct part *tool, size_t found, struct buf *out);
size_t part_words_found(struct str result);        /* how many a result is a list of; PART_NONE: it is none */
bool part_words_lasted(const struct part *part); /* whether the time that a part took is known and shown */
/* Returns the index of the part of `after` that contains the result of a call, or PART_NONE. */
size_t part_words_result(const struct part *call, const struct turn *after);
/* The same of a server's tool, whose result is in its own turn; and that result as one line. */
size_t part_words_server_result(const struct turn *t, const struct part *tool);
void part_words_server_result_line(const struct part *result, struct buf *out);

#endif
