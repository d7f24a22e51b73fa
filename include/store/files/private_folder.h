/*
 * Private folders and their files: prompts, the draft, tapes, the history.
 *
 * What a path names can change at any time, so checks are never made by path. A folder is opened once and checked on its descriptor: it
 * must be owned by us, and not writable by others. Its files are opened relative to that descriptor, never through a link, and checked in
 * the same way: regular, owned by us, a single hard link, not writable by others. What fails the check is neither used nor changed; the
 * error says which one is wrong and what to do. Folders are created with mode 0700 and files with 0600; existing ones that others may read
 * get these modes when opened.
 */
#ifndef WEIR_STORE_PRIVATE_FOLDER_H
#define WEIR_STORE_PRIVATE_FOLDER_H

#include <sys/stat.h>

#include "base/text.h"

struct private_folder { /* embedded by its owner */
	int fd;
	char *path; /* for error messages and for the paths of files in it */
};

/* PRIVATE_REFUSED sets an error, PRIVATE_MISSING does not. `err` must not be NULL in these functions. */
enum private_state { PRIVATE_OPEN, PRIVATE_MISSING, PRIVATE_REFUSED };

/*
 * Opens the folder at an absolute path. Links in the path are followed; the folder itself may be a link owned by us or root. With
 * `create`, missing folders of the path are created, but only in folders owned by us or root: `sudo -E weir` creates nothing owned by root
 * in another user's home. Close the folder after PRIVATE_OPEN.
 */
MUST_USE enum private_state private_folder_open(struct private_folder *folder, const char *path, bool create, struct error *err);
/* Opens the XDG state folder of weir, or its data folder. */
MUST_USE enum private_state private_folder_open_state(struct private_folder *folder, bool create, struct error *err);
MUST_USE enum private_state private_folder_open_data(struct private_folder *folder, bool create, struct error *err);
/* Opens a folder in another one. It must not be a link. */
MUST_USE enum private_state private_folder_open_in(struct private_folder *folder, const struct private_folder *parent, const char *name, bool create,
                                                   struct error *err);
void private_folder_close(struct private_folder *folder);

/* Opens a file of the folder with `flags` as in open(); O_CREAT creates it. The caller closes the descriptor. */
MUST_USE enum private_state private_file_open(const struct private_folder *folder, const char *name, int flags, int *fd, struct error *err);
/*
 * Checks a file without opening it: closing any descriptor of a file releases its locks, also those of a database that is open. Its folder
 * is private, so nobody else replaces it afterwards.
 */
MUST_USE enum private_state private_file_check(const struct private_folder *folder, const char *name, struct stat *facts, struct error *err);
/*
 * Locks a file of the folder, which is created and holds nothing (flock): for who reads another file, and replaces it by what came of that. It ends
 * with the program. Returns a descriptor; PRIVATE_LOCK_HELD: somebody else has it; PRIVATE_LOCK_NONE: it cannot be locked.
 */
#define PRIVATE_LOCK_HELD (-1)
#define PRIVATE_LOCK_NONE (-2)
int private_file_lock(const struct private_folder *folder, const char *name);
void private_file_unlock(int lock); /* legal without one */
/* Replaces or creates a file atomically: readers see the old content or the new one. */
bool private_file_replace(const struct private_folder *folder, const char *name, struct str content, struct error *err);
/* The same in any open folder, with the mode of the file; `stem` begins the name of the new file until it is whole. Returns 0 or an errno value. */
int folder_replace(int folder, const char *name, const char *stem, struct str content, mode_t mode, bool synced);

#endif
