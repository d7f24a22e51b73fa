/*
 * What the fuzzers share: an input is taken apart from its front; a broken rule ends the process with its name.
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

/* 0 behind the end. */
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

/* Sizes of reads: 1 to 16 bytes, now and then up to 4 KB. */
static inline size_t fuzz_cut(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 28 ? 1 + (*seed >> 16) % 16 : 1 + (*seed >> 16) % 4096;
}

/* Widths of characters go by it. */
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
