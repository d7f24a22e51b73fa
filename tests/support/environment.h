/*
 * The environment of tests: the same whoever starts them, and from wherever.
 */
#ifndef WEIR_TESTS_ENVIRONMENT_H
#define WEIR_TESTS_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Every runner calls this first. Afterwards, in the runner and its children:
 *
 *   - the environment has fixed values of HOME (which does not exist), LANG, PATH (the standard folders), TERM and TZ, and the variables
 *     that control tests and sanitizers. It has no proxy, key, XDG folder, TMPDIR, editor or window size;
 *   - the umask is 022, no signal is ignored or blocked, no core is dumped, and 1024 files may be open;
 *   - standard input is empty, only the three standard descriptors are open, and there is no controlling terminal.
 */
void environment_clean(void);

/*
 * For a child, before exec: that environment without the variables that control tests, with this HOME, and `more` ("NAME=value",
 * NULL-terminated; NULL: none).
 */
void environment_of_child(const char *home, const char *const *more);
/* The same as a list, NULL-terminated and valid until the next call. False: it has no room, or a variable is for the loading of a program. */
bool environment_list_of_child(const char *home, const char *const *more, const char **list, size_t most);

/* Appends a list (NULL: none) to one of arguments or variables, both NULL-terminated, as far as `most` have room. Returns the new count. */
size_t environment_append(const char **list, size_t count, size_t most, const char *const *more);

#endif
