/*
 * A history in a home of its own, filled and looked at by tests.
 */
#ifndef WEIR_TESTS_STORE_SHELF_H
#define WEIR_TESTS_STORE_SHELF_H

#include "store/history/history_inside.h"
#include "store/maintain/maintain.h"

#define SHELF_FILE "data/weir/history.db"

void shelf_begin(void); /* a home without a history */
void shelf_end(void);
const char *shelf_home(void);
const char *shelf_path(const char *name); /* home_path() */

void shelf_maintain(void);
struct history *shelf_open(void);
void shelf_sql(const char *words);        /* runs SQL on the file while nobody has it open */
int64_t shelf_conversation(struct history *h, const char *title); /* a new one */
void shelf_put(struct history *h, int64_t conversation, int64_t parent, const struct turn *t, int64_t *node);
/* A prompt and its answer. Returns the answer's node. */
int64_t shelf_exchange(struct history *h, int64_t conversation, int64_t parent, const char *question, const char *words);
void shelf_check_read(struct history *h, int64_t node, const struct turn *written);

struct shelf_seen { char titles[200]; struct history_conversation last; };
bool shelf_see(void *seen, const struct history_conversation *c);
void shelf_check_list(struct history *h, const struct history_conversation *after, size_t limit, const char *titles, struct shelf_seen *seen);
void shelf_check_find(struct history *h, const char *name, int64_t expected);
struct shelf_tree { size_t count; struct history_node nodes[20]; char labels[20][20]; };
struct shelf_tree shelf_tree(struct history *h, int64_t conversation);
/* Hits as "TITLE: SNIPPET\n", found at once and step by step. */
bool shelf_see_hit(void *buf, const struct history_hit *hit); /* appends it so */
void shelf_check_search(struct history *h, const char *words, const char *expected);

bool shelf_any_file_has(const char *words);              /* a file below the home holds the words */
struct maintain_result shelf_purge(struct buf *tapes);       /* `tapes`: gets the names of those that go; may be NULL */

#endif
