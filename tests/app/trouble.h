/*
 * A stored conversation of one exchange, and what goes wrong with its file, from outside of the program.
 */
#ifndef WEIR_TESTS_TROUBLE_H
#define WEIR_TESTS_TROUBLE_H

#include <stdbool.h>

#define TROUBLE_DATA ".local/share/weir"
#define TROUBLE_FILE TROUBLE_DATA "/history.db"
#define TROUBLE_SHOWN "(~/" TROUBLE_FILE ")"
#define TROUBLE_NOT_SAVED "his conversation is not saved: "
#define TROUBLE_SAVED "his conversation is saved now"

void trouble_furnish(const char *home);            /* "How?", "Soda and buttermilk.", titled "Bread without yeast" */
const char *trouble_stored(const char *home);      /* every turn of every conversation, a line each */
#define STORED(home, text) CHECK(strstr(trouble_stored(home), text) != NULL, "%s is not stored:\n%s", text, trouble_stored(home))
void trouble_await(const char *home, const char *text); /* until that is stored */
bool trouble_any_file_has(const char *home, const char *words); /* a file below the home, as grep finds them */
void trouble_sql(const char *home, const char *sql);
void trouble_zero_page(const char *home, const char *table); /* zeros in the place of the first page of a table or an index */

/* As another program keeps it locked. `pid` is not used: it is that of the program, for tables of trouble. */
void trouble_lock(const char *home);
void trouble_unlock(const char *home, int pid);
void trouble_set_newer(const char *home);          /* furnishes, with a file of a later version */
void trouble_unset_newer(const char *home, int pid);

/*
 * A disk whose syncs take as long as trouble_disk_waits() says. Environment of the program, for one test at a time: NULL where a library cannot
 * be preloaded.
 */
const char *const *trouble_slow_disk(const char *home);
void trouble_disk_waits(const char *home, bool waits);

#endif
