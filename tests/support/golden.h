/*
 * Golden screens: compares what a test drew with the expected screen in tests/golden.
 *
 * WEIR_GOLDEN_WRITE=1 (make golden) rewrites the files. Review the difference before committing it.
 */
#ifndef WEIR_TESTS_GOLDEN_H
#define WEIR_TESTS_GOLDEN_H

#include "base/text.h"

/* Fails the running test unless tests/golden/NAME.txt contains `text`; prints the first row that differs, and the whole screen. */
void golden_check(const char *name, struct str text);

#endif
