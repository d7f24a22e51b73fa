/* Folders by the XDG conventions. */
#ifndef WEIR_STORE_PATHS_H
#define WEIR_STORE_PATHS_H

#include "base/text.h"

enum path_kind { PATH_CONFIG, PATH_STATE };

/* "$XDG_CONFIG_HOME/weir/NAME", or below ~/.config and so on; heap. NULL when there is no home. Relative XDG values are ignored. */
char *path_of(enum path_kind kind, const char *name);
/* A path as a user types it: "~/" at its start is the home folder, where there is one. Heap. */
char *path_expand(struct str typed);
/* The other way round, for people: the home folder at its start is "~". Heap. */
char *path_shown(const char *path);

#endif
