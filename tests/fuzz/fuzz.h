/*
 * Shared by the fuzzers: reading values from the front of the input, and reporting a violated rule, which ends the process.
 */
#ifndef WEIR_TESTS_FUZZ_H
#define WEIR_TESTS_FUZZ_H

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz_input { struct str rest; };

/* Takes a byte; 0 after the end. */
static inline unsigned fuzz_byte(struct fuzz_input *in)
{
	unsigned byte = in->rest.len ? (unsigned char)in->rest.ptr[0] : 0;
	in->rest = str_skip(in->rest, 1);
	return byte;
}

static inline struct str fuzz_bytes(struct fuzz_input *in, size_t count)
{
	struct str bytes = str_head(in->rest, count);
	in->rest = str_skip(in->rest, count);
	return bytes;
}

/* A random read size: 1 to 16 bytes, occasionally up to 4 KB. */
static inline size_t fuzz_cut(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 28 ? 1 + (*seed >> 16) % 16 : 1 + (*seed >> 16) % 4096;
}

/* Sets the locale, which character widths depend on. */
static inline void fuzz_locale(void)
{
	static bool ready;

	if (!ready)
		ready = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
}

#define FUZZ_CHECK(condition, what)                                        \
	do {                                                               \
		if (!(condition)) {                                        \
			fprintf(stderr, "broken rule: %s\n", (what));      \
			abort();                                           \
		}                                                          \
	} while (0)

#endif
