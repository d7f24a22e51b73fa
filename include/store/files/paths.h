/* Paths of configuration, state, data and cache files, by the XDG base directory specification. */
#ifndef WEIR_STORE_PATHS_H
#define WEIR_STORE_PATHS_H

#include "base/text.h"

enum path_kind { PATH_CONFIG, PATH_STATE, PATH_DATA, PATH_CACHE };

/*
 * Returns "$XDG_CONFIG_HOME/weir/NAME", by default below ~/.config; likewise for the others. Heap. NULL without a home directory. Relative
 * XDG values are ignored.
 */
char *path_of(enum path_kind kind, const char *name);
/* Expands "~/" at the start of a path typed by the user, if there is a home directory. Heap. */
char *path_expand(struct str typed);
/* The inverse, for display: replaces the home directory at the start by "~". Heap. */
char *path_shown(const char *path);

#endif
