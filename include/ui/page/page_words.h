/*
 * The texts that the page generates about a turn: header, fold lines, how it ended, which keys apply. Sentences, not codes.
 */
#ifndef WEIR_UI_PAGE_WORDS_H
#define WEIR_UI_PAGE_WORDS_H

#include "chat/conversation/part_words.h"
#include "ui/view.h"

#define PAGE_NO_PART PART_NONE

struct part;
struct siblings;

void page_words_header(const struct turn *t, struct buf *out);  /* "You", or "asked -> routed": for copies and the linear mode */
void page_words_head(const struct turn *t, struct buf *out);    /* the head of an answer: the same with an arrow */
void page_words_figures(const struct turn *t, struct buf *out); /* "812 tokens  3.1 s"; nothing before the answer ended */
/* "‹ 2/3 ›", or with < and > in ASCII; nothing for a turn without siblings. */
void page_words_siblings(struct siblings siblings, bool ascii, struct buf *out);
void page_words_time(const struct turn *t, struct buf *out);    /* "12:04" */
/* "reasoned 2.6 s, ~43 tokens": kind and size of reasoning, a result or an attachment. */
void page_words_fold(const struct turn *t, const struct part *part, struct buf *out);
/* "photo.png  640x480  12 KB": an attachment without its folder; pixels if it is an image. `between` parts the figures. */
void page_words_file(const struct part *file, const char *between, struct buf *out);
/* "reasoned 2.6 s  The user asks about ...": with the first words. */
void page_words_reasoned(const struct part *part, struct buf *out);
void page_words_first(struct str text, struct buf *out); /* the first words of a markdown text, as one line */
/* "3.2 s  ~412 tokens", for reasoning that is still streaming. */
void page_words_live(const struct part *part, double at_ms, char *out, size_t size);

/* Keys are named only where they work: all on the last turn, in a replay only those that send no request, none on earlier turns. */
enum page_offer { PAGE_OFFERS_NOTHING, PAGE_OFFERS_DETAILS, PAGE_OFFERS_ALL };

/*
 * Calls `say` with every sentence about the ending and every notice for the reader, in order; `after` is the turn after it, or NULL.
 * Notices of repeated requests are not included: page_words_again() says those that came when the turn had `from` to `to` parts.
 */
typedef void page_sentence(void *ctx, enum role_name role, struct str text);
void page_words_ending(const struct turn *t, const struct turn *after, enum page_offer offer, const struct view_keys *keys,
                       page_sentence *say, void *ctx);
void page_words_again(const struct turn *t, size_t from, size_t to, page_sentence *say, void *ctx);

/* The sign that such a sentence begins with: "!" for an error, a middle dot for something the user did; else empty. */
struct str page_words_sign(struct str sentence);

/* If `part` continues the answer after a request in words, appends the sentence that is shown before it; else false. */
bool page_words_joint(const struct turn *t, size_t part, struct buf *out);

/* True while a part has a pane of its own: reasoning that is still streaming, calls whose arguments are incomplete. */
bool page_part_is_live(const struct turn *t, size_t part);

/* Appends the error as one line: status, message, type or code. */
void page_words_error(const struct turn *t, struct buf *out);

#endif
