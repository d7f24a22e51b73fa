/* A history in a home folder, for tests of the program: conversations of fixed texts, some hours old. */
#ifndef WEIR_TESTS_STORED_H
#define WEIR_TESTS_STORED_H

#include <stdbool.h>
#include <stddef.h>

struct stored {
	const char *title, *model, *prompt, *answer;
	unsigned hours;      /* since it was written last */
	long long tokens;    /* of the answer */
	bool pinned;
	bool asked;          /* by weir ask */
};

/* Writes HOME/.local/share/weir/history.db, with what is searched. */
void stored_write(const char *home, const struct stored *conversations, size_t count);

/* An empty history, unless there is one: the program would create it with another process, which takes longer than most tests. */
void stored_prepare(const char *home);

#endif
