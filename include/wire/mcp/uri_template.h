/*
 * Templates of URIs (RFC 6570), as far as one types into them: the places `{name}` and `{+name}`. A template with another form of place counts up
 * to that only.
 */
#ifndef WEIR_WIRE_URI_TEMPLATE_H
#define WEIR_WIRE_URI_TEMPLATE_H

#include "base/text.h"

#define URI_PLACES_MOST 9u

/* Texts of the template and of what is typed: borrowed. */
struct uri_place { struct str name, value; bool is_reserved; /* {+name}: what parts a URI may stand in its value */ };

struct uri_match {
	struct uri_place places[URI_PLACES_MOST]; /* the value of the last one ends where the typed text does */
	size_t count;
	struct str rest;                          /* of the template, behind the last place */
};

/* Reads the beginning of a URI. False: it does not end in a place of the template. */
MUST_USE bool uri_template_match(struct str pattern, struct str typed, struct uri_match *m);
/* Appends the URI with that value in the last place, encoded, and the rest of the template. */
void uri_template_write(const struct uri_match *m, struct str typed, struct str value, struct buf *out);

#endif
