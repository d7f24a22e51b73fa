/*
 * Sparkline: a row of values as characters of rising height, scaled to the highest value. Zero is a blank; any other value is at
 * least the lowest character.
 */
#ifndef WEIR_UI_SPARK_H
#define WEIR_UI_SPARK_H

#include <stdbool.h>
#include <stddef.h>

#define SPARK_COLUMNS 8
#define SPARK_SIZE (SPARK_COLUMNS * 3 + 1)

/* The sign for a share of the highest value, 0 to 1. */
const char *spark_sign(double share, bool ascii);

/* Writes `count` columns, at most SPARK_COLUMNS. `ascii`: characters of rising weight, for fonts without block elements. */
void spark_write(char out[SPARK_SIZE], const double *values, size_t count, bool ascii);

#endif
