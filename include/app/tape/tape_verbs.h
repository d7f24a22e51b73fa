/* The verbs of `weir tape`, for its help and the man page. */
#ifndef WEIR_APP_TAPE_VERBS_H
#define WEIR_APP_TAPE_VERBS_H

#include <stdbool.h>
#include <stddef.h>

struct tape_verb_help {
	const char *name, *arguments, *help;
	const char *more; /* sentences */
};
bool tape_verb_at(size_t index, struct tape_verb_help *help); /* false behind the last one */
bool tape_verb_takes(const char *verb, const char *option);   /* of the options of weir tape; names without their dashes */

#endif
