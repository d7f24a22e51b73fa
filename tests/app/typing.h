/*
 * What a terminal sends for keys by their names, as the table of commands has them: "Ctrl-T", "Alt-Left", "F5", "Shift-Tab".
 */
#ifndef WEIR_TESTS_TYPING_H
#define WEIR_TESTS_TYPING_H

#include <stddef.h>

#define TYPING_BYTES 256

/* Names with blanks between; a word that is no key's name is text as it stands. Returns `out`, of TYPING_BYTES. */
const char *typing(const char *keys, char *out);

#endif
