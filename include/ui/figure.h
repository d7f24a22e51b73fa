/*
 * Human-readable figures: "1,204", "38 B", "1.2 KB", "3.2 s", "2 min 5 s". Each function returns `out`.
 */
#ifndef WEIR_UI_FIGURE_H
#define WEIR_UI_FIGURE_H

#include <stddef.h>
#include <stdint.h>

#define FIGURE_SIZE 32
const char *figure_count(char out[FIGURE_SIZE], int64_t count);
const char *figure_bytes(char out[FIGURE_SIZE], size_t bytes);
const char *figure_seconds(char out[FIGURE_SIZE], double ms);
/* "~$0.041": money computed from list prices; "" for nothing or a negative, unknown sum. */
const char *figure_money(char out[FIGURE_SIZE], double usd);
/* "  3.2 s", "   2:05": fixed width, for a time that is updated in place. */
const char *figure_clock(char out[FIGURE_SIZE], double ms);

#endif
