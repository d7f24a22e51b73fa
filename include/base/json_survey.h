/*
 * A pass over a JSON text before a tree is built, by brackets, quotes and commas only. It finds where the first value ends, how large its
 * tree will be, and whether json-c would misread it. Only json.c uses it.
 *
 * The figures for an invalid text are meaningless but harmless.
 */
#ifndef WEIR_BASE_JSON_SURVEY_H
#define WEIR_BASE_JSON_SURVEY_H

#include "base/text.h"

struct json_survey {
	size_t len;        /* of the first value and the blanks around it; of an incomplete one, up to where it cannot continue */
	size_t values, containers;
	size_t members;    /* of all objects; a duplicate key counts twice */
	bool needs_mending; /* json_mend() would change the text */
	bool is_inexact;    /* contains integers beyond 64 bits, -0 or lone surrogates, which json-c does not keep */
};

/* Reads the first value once, and twice if it is not ASCII. */
struct json_survey json_survey(struct str text);

#endif
