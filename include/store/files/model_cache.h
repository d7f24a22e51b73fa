/*
 * The model cache: the last model list of each provider and protocol, for what must be known before a list is fetched: context windows,
 * prices, names to complete.
 *
 * "models/PROVIDER.PROTOCOL" in the XDG cache folder holds one JSON object, readable by its owner only (0600): when the list was fetched,
 * from which base URL (without secrets), and each model's id, context, output limit and prices. A list that is too long (1 MB), older
 * than 30 days, from the future or from another base URL counts as absent; so does a file that is not understood, or a folder or file
 * that is not ours alone (store/files/private_folder.h).
 */
#ifndef WEIR_STORE_MODEL_CACHE_H
#define WEIR_STORE_MODEL_CACHE_H

#include "chat/exchange/models.h"

#define MODEL_CACHE_DAYS 30

struct model_cache_key { const char *provider; const struct protocol *protocol; struct str base_url; }; /* borrowed */

/* Replaces the list in the cache. `now`: seconds since 1970. */
MUST_USE bool model_cache_keep(const struct model_cache_key *key, const struct model *models, size_t count, int64_t now, struct error *err);
/* Calls `visit` for each model of the list; the facts have neither name nor note. False: there is no list that can be used. */
bool model_cache_read(const struct model_cache_key *key, int64_t now, model_visit *visit, void *ctx);

#endif
