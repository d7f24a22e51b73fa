/*
 * Links: destinations, addresses in text, and link texts that misrepresent the destination. Pure functions.
 */
#ifndef WEIR_RENDER_MARKDOWN_LINK_H
#define WEIR_RENDER_MARKDOWN_LINK_H

#include "base/text.h"

/*
 * Returns the length of `(destination "title")` at the start of `rest`, and the destination as written; 0: none. Sets `*partial` if `rest`
 * ends before that is known.
 */
size_t link_destination(struct str rest, struct str *destination, bool *partial);

/*
 * Returns the length of `<scheme:...>` or `<name@host>` at the start of `rest`, and its content; 0: none. `open`: one that reaches to the
 * end counts if its scheme is a common one.
 */
size_t link_pointed(struct str rest, bool open, struct str *address);

/*
 * Returns the bare address that contains the `:`, `.` or `@` at `at`, within `text` from `floor` on; empty: none. `open`: more may follow.
 */
struct str link_bare(struct str text, size_t floor, size_t at, bool open);

/* Whether all of the text after an address may still become part of it. */
bool link_may_continue(struct str behind);

/* The part that an address omits: "http://" of www.example.org, "mailto:" of name@host. */
const char *link_prefix(struct str address);

/* Appends a destination with escapes and entities resolved. */
void link_decode(struct str raw, struct buf *out);

/* Whether the destination may be passed to the terminal as a hyperlink. */
bool link_is_address(struct str destination);

/* Whether the text looks like an address other than the destination. */
bool link_deceives(struct str text, struct str destination);

#endif
