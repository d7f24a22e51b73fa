/* What the description of a terminal's type says that its keys send. A header of its own: ncurses and ui/term/term.h do not go together. */
#ifndef WEIR_TESTS_TERMINFO_KEY_H
#define WEIR_TESTS_TERMINFO_KEY_H

#include <stdbool.h>
#include <stddef.h>

/* False where the type or its key is not known. */
bool terminfo_key(const char *type, const char *capability, char *bytes, size_t size);

#endif
