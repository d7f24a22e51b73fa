/*
 * The bytes that a terminal sends for keys, given by name as in the table of commands: "Ctrl-T", "Alt-Left", "F5", "Shift-Tab".
 */
#ifndef WEIR_TESTS_TYPING_H
#define WEIR_TESTS_TYPING_H

#include <stddef.h>

#define TYPING_BYTES 256

/* Key names separated by spaces; a word that is not the name of a key is literal text. Returns `out`, which has TYPING_BYTES. */
const char *typing(const char *keys, char *out);

#endif
