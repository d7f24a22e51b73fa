/*
 * Golden screens: what a test drew, beside the file in tests/golden that says how it has to look.
 *
 * With WEIR_GOLDEN_WRITE=1 (make golden) the files are written anew; look at the difference before you commit it.
 */
#ifndef WEIR_TESTS_GOLDEN_H
#define WEIR_TESTS_GOLDEN_H

#include "base/text.h"

/* Fails the running test unless tests/golden/NAME.txt holds `text`; prints the first row that differs, and the whole. */
void golden_check(const char *name, struct str text);

#endif
