/*
 * Human-readable figures: "1,204", "31.2k", "38 B", "1.2 KB", "3.2 s", "2 min 5 s". Each function returns `out`.
 */
#ifndef WEIR_CHAT_FIGURE_H
#define WEIR_CHAT_FIGURE_H

#include <stddef.h>
#include <stdint.h>

#include "chat/conversation/cost.h"

#define FIGURE_SIZE 32
const char *figure_count(char out[FIGURE_SIZE], int64_t count);
const char *figure_of(char out[FIGURE_SIZE], int64_t count, const char *noun); /* "1 token", "1,204 tokens"; `noun` is short, and takes an s */
/* Below `exact_below` all digits, then thousands and millions: "31k", with tenths "9.9k" below `tenths_below`; "1.2M", "120M". */
const char *figure_short(char out[FIGURE_SIZE], int64_t count, int64_t exact_below, int64_t tenths_below);
const char *figure_bytes(char out[FIGURE_SIZE], size_t bytes);
#define FIGURE_SHORT_MS 50 /* a shorter time would be 0.0 s: it says nothing and is not shown */
const char *figure_seconds(char out[FIGURE_SIZE], double ms);
/* "$0.041" as reported, "~$0.041" with estimates in it, ">$0.041" if a part is unknown; "" for nothing and for an unknown cost. */
const char *figure_cost(char out[FIGURE_SIZE], struct cost cost);
/* " 3.2 s", "  2:05": fixed width, for a time that is updated in place. */
const char *figure_clock(char out[FIGURE_SIZE], double ms);

#endif
