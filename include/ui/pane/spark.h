/*
 * Sparkline: a row of values as signs of rising height, scaled to the highest. No value is the blank; any other shows at
 * least a little.
 */
#ifndef WEIR_UI_SPARK_H
#define WEIR_UI_SPARK_H

#include <stdbool.h>
#include <stddef.h>

#define SPARK_COLUMNS 8
#define SPARK_SIZE (SPARK_COLUMNS * 3 + 1)

/* Always `count` columns wide, at most SPARK_COLUMNS. `ascii`: signs of rising weight, for fonts without block elements. */
void spark_write(char out[SPARK_SIZE], const double *values, size_t count, bool ascii);

#endif
