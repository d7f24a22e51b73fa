/*
 * Charts of tapes: their figures as charts (render/chart.h), drawn below what people read and saved as SVG.
 */
#ifndef WEIR_APP_TAPE_CHART_H
#define WEIR_APP_TAPE_CHART_H

#include "app/tape/tape_inside.h"
#include "render/chart.h"

enum tape_figure { TAPE_FIRST, TAPE_GAP, TAPE_RATE, TAPE_FIGURES };

/* Points of a series; all zero is none. */
struct tape_points { struct chart_point *at; size_t count, capacity; };
void tape_points_fini(struct tape_points *points);

/* Each of these fills `points`, which the chart borrows. What cannot be drawn, as of a body without times, is an empty chart. */
struct chart tape_chart_rate(const struct tape_reading *r, struct tape_points *points);    /* tokens a second over time */
struct chart tape_chart_text(const struct tape_reading *r, struct tape_points *points);    /* tokens so far over time */
struct chart tape_chart_gaps(const struct tape_times *sorted, struct tape_points *points); /* how many gaps of which length */

/* A histogram as one line without LF, from the smallest value to the largest; nothing below three values. ASCII unless `blocks`. */
void tape_chart_line(const struct tape_times *sorted, bool blocks, struct buf *out);
bool tape_chart_blocks(const struct options *o); /* the terminal has more than ASCII, and the user wants it */

/* Whether charts follow the text: with --chart, or if the document is for people and goes to a terminal. */
bool tape_chart_wanted(const struct tape_document *doc, const struct options *o);
/* Appends an empty line and the chart, as wide as the terminal; nothing for an empty one. */
void tape_chart_draw(const struct chart *chart, unsigned rows, const struct options *o, struct buf *out);
/* With --svg writes the charts to that file. Returns the exit status; a failure was told on standard error. */
int tape_chart_save(const struct chart *charts, size_t count, const char *title, const struct options *o);

#endif
