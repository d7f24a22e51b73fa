/*
 * Folders by the XDG conventions. Each is created (0700) when it is asked for to be written; the one for state becomes 0700, if it
 * is ours and was more.
 */
#ifndef WEIR_STORE_PATHS_H
#define WEIR_STORE_PATHS_H

#include "base/text.h"

enum path_kind { PATH_CONFIG, PATH_STATE };

/* "$XDG_CONFIG_HOME/weir/NAME", or below ~/.config and so on; heap. NULL when there is no home. Relative XDG values are ignored. */
char *path_of(enum path_kind kind, const char *name);
/* A path as a user types it: "~/" at its start is the home folder, where there is one. Heap. */
char *path_expand(struct str typed);
bool path_make_folder(enum path_kind kind, struct error *err);

#endif
