/*
 * The collections of saved streams: our own, tests/streams/cases.tsv, and the shared one, expected/cases.tsv below WEIR_STREAMS, else
 * ../shared/streams-2, else ../shared/streams. A line is a path, the protocol, the dialect and the status, with tabs between them; "#" begins a comment.
 */
#ifndef WEIR_TESTS_CASES_H
#define WEIR_TESTS_CASES_H

#include "base/text.h"

struct stream_case {
	const char *folder;   /* of the collection */
	const char *path;     /* of the stream, from here */
	struct str name;      /* its path in the collection */
	struct str protocol, dialect;
	int status;           /* of a plain body */
};
typedef void stream_case_test(void *ctx, const struct stream_case *c); /* what `c` points to is valid during the call */

const char *cases_shared_folder(void); /* of the shared collection, whether it is there or not */
/* Calls `test` for each. Returns how many there are. */
size_t cases_of_own(stream_case_test *test, void *ctx);
size_t cases_of_shared(stream_case_test *test, void *ctx); /* skips the running test if the collection is absent, and returns 0 */

#endif
