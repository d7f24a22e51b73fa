/*
 * The words that the page says about a turn: who speaks, what is folded, how it ended and what can be done. Sentences over codes.
 */
#ifndef WEIR_UI_PAGE_WORDS_H
#define WEIR_UI_PAGE_WORDS_H

#include "ui/view.h"

void page_words_header(const struct turn *t, struct buf *out); /* "You", or "asked -> routed" */
void page_words_time(const struct turn *t, struct buf *out);   /* "12:04", before it how long the routing took */
void page_words_fold(const struct turn *t, const struct part *part, struct buf *out);
/* "3.2 s  ~412 tokens", of reasoning that has come so far. */
void page_words_live(const struct part *part, double at_ms, char *out, size_t size);

/* Keys are named only where they work: all on the last turn, in a replay those that ask nobody, none on turns before. */
enum page_offer { PAGE_OFFERS_NOTHING, PAGE_OFFERS_DETAILS, PAGE_OFFERS_ALL };

/* Every sentence about the ending and every notice that matters while reading, in order. */
typedef void page_sentence(void *ctx, enum role_name role, struct str text);
void page_words_ending(const struct turn *t, enum page_offer offer, page_sentence *say, void *ctx);

/* What such a sentence begins with, before a blank: "!" where something went wrong, a dot at what the user wanted; else empty. */
struct str page_words_sign(struct str sentence);

/* Where an answer goes on in words that were asked for: the sentence that stands before `part`; false: there is no such place. */
bool page_words_joint(const struct turn *t, size_t part, struct buf *out);

/* True while a part is shown in a pane of its own: reasoning at the end of what came, calls that assemble. */
bool page_part_is_live(const struct turn *t, size_t part);

/* The error as one readable line: status, type or code, message. */
void page_words_error(const struct turn *t, struct buf *out);

#endif
