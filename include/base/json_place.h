/*
 * Where a text is not JSON, in words for those who wrote it.
 */
#ifndef WEIR_BASE_JSON_PLACE_H
#define WEIR_BASE_JSON_PLACE_H

#include "base/text.h"

/* Whether the text is one JSON value in valid UTF-8. On false, a sentence with line and column (in characters), both from 1. */
MUST_USE bool json_place_check(struct str text, struct error *err);

#endif
