/* Folders of tests: a home for a program, made anew in /tmp and removed with all that is in it. */
#ifndef WEIR_TESTS_HOME_H
#define WEIR_TESTS_HOME_H

#include <stdbool.h>

char *home_new(void);            /* heap; aborts when there is none to be had */
void home_free(char *home);      /* NULL is legal */
/* Writes HOME/NAME (0644 if it is new), with the folders on its way (0700); returns the path, valid until the next call. */
const char *home_write(const char *home, const char *name, const char *text);
const char *home_path(const char *home, const char *name);
bool home_has(const char *home, const char *name);

#endif
