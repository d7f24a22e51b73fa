/* The terminfo strings of keys. A separate header, because <term.h> conflicts with ui/term/term.h. */
#ifndef WEIR_TESTS_TERMINFO_KEY_H
#define WEIR_TESTS_TERMINFO_KEY_H

#include <stdbool.h>
#include <stddef.h>

/* False if the type or the key is unknown. */
bool terminfo_key(const char *type, const char *capability, char *bytes, size_t size);

#endif
