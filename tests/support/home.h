/* Home folders for tests: created in /dev/shm or /tmp, and removed with their content. */
#ifndef WEIR_TESTS_HOME_H
#define WEIR_TESTS_HOME_H

#include <stdbool.h>

char *home_new(void);            /* heap; aborts on failure */
void home_free(char *home);      /* NULL is allowed */
/* Writes HOME/NAME (mode 0644 if new) and creates its folders (0700). Returns the path, valid until the next call. */
const char *home_write(const char *home, const char *name, const char *text);
const char *home_path(const char *home, const char *name);
bool home_has(const char *home, const char *name);

/* A home that is the value of a variable ("XDG_STATE_HOME") until home_end() restores that and frees the home. Not nested. */
char *home_begin(const char *variable);
void home_end(char *home);

#endif
