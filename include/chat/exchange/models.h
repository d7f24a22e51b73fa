/*
 * Model lists: fetched in the background from a provider's list endpoint, page by page, and cached.
 */
#ifndef WEIR_CHAT_MODELS_H
#define WEIR_CHAT_MODELS_H

#include <poll.h>

#include "chat/provider/known_model.h"
#include "net/http.h"

#define MODELS_MOST 20000 /* a longer list is truncated */

struct model {
	char *id, *name, *note; /* name and note may be NULL */
	long long context_tokens, output_tokens; /* -1: unknown */
	struct prices prices;
	const struct known_model *known; /* what weir knows of it besides the list; NULL: nothing */
};

enum models_state { MODELS_IDLE, MODELS_FETCHING, MODELS_READY, MODELS_FAILED };

struct models; /* heap: the list of one provider and protocol */

struct models *models_new(struct http *http, struct provider *provider, const struct protocol *protocol,
                          struct str base_url, environment *env, bool allow_http);
void models_free(struct models *m);
void models_fetch_with(struct models *m, struct str key, int64_t now_ms); /* the same with a key that is not kept; wiped at its end */
void models_move(struct models *m, struct provider *provider); /* later fetches are those of another provider; none may run */
void models_fetch(struct models *m, int64_t now_ms); /* starts a fetch; the current list stays until the new one is complete */
size_t models_fds(const struct models *m, struct pollfd *fds); /* at most 1 */
int64_t models_deadline(const struct models *m);
void models_run(struct models *m, int64_t now_ms);
enum models_state models_state(const struct models *m);
const struct error *models_error(const struct models *m); /* MODELS_FAILED */
int64_t models_fetched_ms(const struct models *m);        /* monotonic time; 0: never */
int models_status(const struct models *m);                /* HTTP status of the last page; 0: none came */
size_t models_count(const struct models *m);
bool models_are_cut(const struct models *m);              /* the server has more models than these */
const struct model *models_at(const struct models *m, size_t index);
/* Append what is known of a model; "~" stands before what its list does not say. */
#define MODEL_FACTS_BETWEEN "   "
void model_facts_text(const struct model *model, struct buf *out); /* "400 k context   $0.25 / $2.00" */
void model_facts_row(const struct model *model, struct buf *out);  /* the same with an empty place for each unknown fact, for columns */

#endif
