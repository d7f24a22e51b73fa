/*
 * A folder of ours and the files in it: prompts, the draft, tapes.
 *
 * A name can be made to lead elsewhere at any time, so nothing is checked by name. A folder is opened once and checked on its
 * descriptor: it belongs to us, and nobody else may write to it. Its files are opened through that descriptor, never through a link,
 * and checked the same way: regular, ours, with one name, not writable by others. What does not pass is neither used nor changed; the
 * sentence says what is wrong with which one, and what to do. Folders are made 0700 and files 0600; those that others may read get
 * these modes when they are opened.
 */
#ifndef WEIR_STORE_PRIVATE_FOLDER_H
#define WEIR_STORE_PRIVATE_FOLDER_H

#include "base/text.h"

struct private_folder { /* embedded */
	int fd;
	char *path; /* for sentences, and to tell where a file in it is */
};

/* PRIVATE_REFUSED comes with a sentence, PRIVATE_MISSING with none; `err` is never NULL here. */
enum private_state { PRIVATE_OPEN, PRIVATE_MISSING, PRIVATE_REFUSED };

/*
 * Opens the folder at an absolute path; links on the way to it are followed, it may be a link itself if that is ours. With `create` it is
 * made where it is missing, and so are the folders on the way, but only in folders that are ours or root's: `sudo -E weir` leaves nothing of
 * root's in the home of another user. To be closed when PRIVATE_OPEN.
 */
MUST_USE enum private_state private_folder_open(struct private_folder *folder, const char *path, bool create, struct error *err);
/* The one for state, by the XDG conventions. */
MUST_USE enum private_state private_folder_open_state(struct private_folder *folder, bool create, struct error *err);
/* The same for a folder in it, which must not be a link. */
MUST_USE enum private_state private_folder_open_in(struct private_folder *folder, const struct private_folder *parent, const char *name, bool create,
                                                   struct error *err);
void private_folder_close(struct private_folder *folder);

/* Opens a file in it with the `flags` of open(); O_CREAT makes it where it is missing. The descriptor is the caller's. */
MUST_USE enum private_state private_file_open(const struct private_folder *folder, const char *name, int flags, int *fd, struct error *err);
/* Replaces a file, or makes it, at once: whoever reads it sees the old one or the new one. */
bool private_file_replace(const struct private_folder *folder, const char *name, struct str content, struct error *err);

#endif
