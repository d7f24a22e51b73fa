/*
 * Charts of distributions: a line of blocks in the terminal, and an SVG. Both have a logarithmic scale, because times differ by
 * orders of magnitude.
 */
#ifndef WEIR_APP_TAPE_CHART_H
#define WEIR_APP_TAPE_CHART_H

#include "app/tape/tape_inside.h"

enum tape_figure { TAPE_FIRST, TAPE_GAP, TAPE_RATE, TAPE_FIGURES };

/* Appends a histogram as one line without LF, from the smallest value to the largest; nothing below three values. ASCII unless `blocks`. */
void tape_chart_line(const struct tape_times *sorted, bool blocks, struct buf *out);

/* A provider and model with its sorted values, TAPE_FIGURES of them. */
struct tape_chart_row { const char *provider, *model; const struct tape_times *of; };
/* Appends an SVG document: for each figure the range from p50 to p99 by row. Names are escaped. */
void tape_chart_svg(const struct tape_chart_row *rows, size_t count, struct buf *out);

#endif
