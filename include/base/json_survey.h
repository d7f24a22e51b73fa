/*
 * What a JSON text is made of, told by its brackets, quotes and commas before a tree is built: where its first value ends, how
 * large the tree gets, and what json-c would not read as it was sent. Only json.c uses it.
 *
 * Of a text that is not valid the figures mean nothing, and harm nothing.
 */
#ifndef WEIR_BASE_JSON_SURVEY_H
#define WEIR_BASE_JSON_SURVEY_H

#include "base/text.h"

struct json_survey {
	size_t len;        /* of the first value and the blanks around it; up to where no value can go on, if it does not end */
	size_t values, containers;
	size_t members;    /* of all objects; a key that comes twice counts twice */
	bool needs_mending; /* json_mend() would change it */
	bool is_inexact;    /* it has integers beyond 64 bits, -0, or halves of surrogate pairs, which json-c does not keep */
};

/* Looks at each byte of the first value once. */
struct json_survey json_survey(struct str text);

#endif
