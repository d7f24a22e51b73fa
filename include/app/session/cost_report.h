/*
 * Spending: what the last answer and the conversation took in tokens and money, and how full the context window is, as rows for /cost of
 * both modes; and whether the next prompt fits into the window.
 */
#ifndef WEIR_APP_COST_REPORT_H
#define WEIR_APP_COST_REPORT_H

#include "app/session/details.h"
#include "app/setup/context.h"
#include "app/setup/model_list.h"

struct session;

/* The session must have an answer. */
void cost_report_tell(struct session *s, struct model_list *models, details_row *row, void *ctx);

/*
 * True if the conversation as the server counted it last, the prompt and its text files by estimate, and the maximum of the answer, where
 * servers count it, are more than the model's window. Then a sentence says so, and what can be done. False where any of it is unknown.
 */
bool cost_report_overflows(struct session *s, struct model_list *models, struct str prompt, struct buf *sentence);

/*
 * Appends what goes with the next prompt: "2 files  ~1,204 tokens  ~$0.0012". Pictures and the like are not counted in tokens. `named`: files
 * that will be attached when it is sent, and what is chosen or fetched then; NULL: none.
 */
void cost_report_attached(const struct session *s, struct model_list *models, const struct context_size *named, struct buf *out);

/* How full the model's window is, in percent, if it is nearly full and /compact would make room (app/session/session.h); else 0. */
unsigned cost_report_percent_to_compact(struct session *s, struct model_list *models);

#endif
