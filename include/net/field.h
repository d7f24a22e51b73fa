/*
 * Fields of HTTP (RFC 9110, 5): the lines of a head or a trailer section, strictly. What two programs read differently is refused here, so
 * that a request means the same to both ends of a proxy.
 */
#ifndef WEIR_NET_FIELD_H
#define WEIR_NET_FIELD_H

#include "wire/stream.h"

bool field_is_value(struct str s); /* RFC 9110, 5.5: no control character but tabs */

/*
 * Reads "Name: value", a line without its end. False for a blank before the colon, a folded line (RFC 9112, 5.1 and 5.2), a name that is no
 * token, a value with control characters.
 */
MUST_USE bool field_read(struct str line, struct response_header *field);

/* Removes the next member of a list separated by commas; empty ones are skipped. False when nothing is left. */
bool field_next_member(struct str *list, struct str *member);
bool field_has_member(struct str list, const char *member); /* ignores case */

bool field_is_for_one_hop(struct str name); /* it concerns one connection only (RFC 9110, 7.6.1) */
/* The same, or a field Connection among these lists it. */
bool field_stays_here(struct str name, const struct response_header *fields, size_t count);

/* Whether fields in a trailer section may have this name: not those that say how a message is framed, routed or authenticated (6.5.1). */
bool field_may_trail(struct str name);

/* Fields that own their text. Initialise to zero. */
struct field_list {
	struct response_header *fields;
	size_t count, capacity;
};
void field_list_add(struct field_list *list, struct str name, struct str value);
/*
 * Adds a line of a response, repaired as RFC 9112 tells recipients: a blank before the colon is removed, a folded line continues the field
 * before, control characters become blanks. A line whose name is no token is dropped.
 */
void field_list_add_line(struct field_list *list, struct str line);
void field_list_clear(struct field_list *list);

#endif
