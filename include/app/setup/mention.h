/*
 * Mentions: the words @PATH of a prompt. A mention attaches its file only if it was typed key by key or chosen from the completion.
 * Otherwise it is text, and weir says how the file can be attached:
 *
 *   origin                                                          | effect
 *   typed, chosen from the list, and both after killing and yanking,| the file is attached when the prompt is sent
 *   undoing, setting aside, editing around it outside               |
 *   pasted: in brackets, several lines at once, a collapsed paste   | text; the hairline names it, Alt-i attaches it
 *   a burst of keys: perhaps a paste without brackets               | text; the same
 *   earlier prompts, drafts, what $EDITOR wrote                     | text; the same
 *   a prompt put back, or edited again                              | text; its files are attached again as they were
 *   lines of --plain, from a terminal or a pipe                     | text; a line says how to attach it
 *   words and standard input of `weir ask`                          | text; --file attaches
 *
 *   a pasted path and nothing else, as of a file that was dropped   | text; where it is a regular file, the hairline offers it
 *
 * A mention that is text touches no file: that the prompt names one must not make a disk, a mount or another host answer. Of a paste that
 * is nothing but a path it is looked up once whether that is a regular file.
 */
#ifndef WEIR_APP_MENTION_H
#define WEIR_APP_MENTION_H

#include "base/text.h"

#define MENTIONS_MOST 64 /* per prompt; further ones are ignored */

/* Finds the next mention at or after `*at`, "@" included, and sets `*at` after it. It starts a line or follows a space. False: none. */
bool mention_next(struct str text, size_t *at, struct str *mention);
struct str mention_path(struct str mention);
/*
 * The path that a mention in arbitrary text probably names, without the punctuation of the sentence. STR_NONE if it has neither a slash
 * nor a full stop inside: it is then rather a name in code or mail.
 */
struct str mention_likely_path(struct str mention);

/*
 * Replaces the content of `path` with the one path that a paste is, as terminals write that of a dropped file: as it stands, in quotes, with
 * backslashes, or as a file:// URL. False where it is anything else. It begins with a slash or "~/"; nothing is looked up.
 */
bool mention_of_paste(struct str pasted, struct buf *path);
/*
 * The path that the argument of a command names, heap: as it stands if there is such a file, else without what a shell would take away or a
 * terminal adds to a dropped file: quotes, backslashes, file://. "~/" is the home folder.
 */
char *mention_argument(struct str typed);
struct str mention_unquoted(struct str typed); /* without the quotes around it, if it has both; borrowed */
bool mention_is_file(struct str path); /* there is a regular file; "~/" is the home folder */

#endif
