/* The verbs of `weir history`, for the man page. */
#ifndef WEIR_APP_HISTORY_VERBS_H
#define WEIR_APP_HISTORY_VERBS_H

#include <stdbool.h>
#include <stddef.h>

struct history_verb_help { const char *name, *arguments, *help; };
bool history_verb_at(size_t index, struct history_verb_help *help); /* false behind the last one */

#endif
