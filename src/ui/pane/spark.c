#include "ui/pane/spark.h"

#include <math.h>
#include <stdio.h>

#include "base/array.h"

static const char *const spark_blocks[] = { " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
static const char *const spark_letters[] = { " ", ".", ":", "-", "=", "+", "*", "#", "@" };

#define HIGHEST (ARRAY_LEN(spark_blocks) - 1)

const char *spark_sign(double share, bool ascii)
{
	size_t height = share > 0 ? (size_t)ceil(share * HIGHEST) : 0;

	return (ascii ? spark_letters : spark_blocks)[height < HIGHEST ? height : HIGHEST];
}

void spark_write(char out[SPARK_SIZE], const double *values, size_t count, bool ascii)
{
	double most = 0;
	size_t at = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, values[i]);
	*out = 0;
	for (size_t i = 0; i < count && i < SPARK_COLUMNS; i++)
		at += (size_t)snprintf(out + at, SPARK_SIZE - at, "%s", spark_sign(values[i] > 0 ? values[i] / most : 0, ascii));
}
