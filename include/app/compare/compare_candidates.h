/*
 * What could be compared: rows that users mark. First the marked ones, then the target in use and the other protocols of its model, the models
 * of other providers that are ready, and the model list.
 */
#ifndef WEIR_APP_COMPARE_CANDIDATES_H
#define WEIR_APP_COMPARE_CANDIDATES_H

#include "app/compare/compare_targets.h"
#include "chat/exchange/models.h"

struct compare_candidate {
	char *label; /* as in struct compare_target */
	char *fact;  /* NULL: nothing is known of it */
	bool marked;
};

struct compare_candidates { /* embedded; all zero: none */
	struct compare_candidate *of;
	size_t count, capacity;
};

void candidates_fini(struct compare_candidates *c); /* all zero again */
/* Marks the targets of the comparison before; without one, the target in use. */
void candidates_begin(struct compare_candidates *c, const struct compare_targets *earlier, const struct setup *s, const struct models *models);
/* Replaces all rows that are not marked. A model whose name has a comma or a blank is left out: a list could not name it. */
void candidates_collect(struct compare_candidates *c, const struct setup *s, const struct models *models);
size_t candidates_marked(const struct compare_candidates *c);
/* Marks a row, or takes its mark away. Fails if COMPARE_MOST are marked. */
MUST_USE bool candidates_toggle(struct compare_candidates *c, size_t index, struct error *err);
/* Marks what was typed, a target or the name of a model of the provider in use; a new row if there is none. */
MUST_USE bool candidates_mark_typed(struct compare_candidates *c, struct setup *s, struct str typed, struct error *err);
void candidates_write_list(const struct compare_candidates *c, struct buf *out); /* the marked ones, for compare_targets_read() */

#endif
