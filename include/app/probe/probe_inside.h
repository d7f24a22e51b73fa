/* What the files of the probe share. */
#ifndef WEIR_APP_PROBE_INSIDE_H
#define WEIR_APP_PROBE_INSIDE_H

#include "app/probe/probe_cases.h"

/*
 * Adds the findings of lint in a tape of the folder to a cell. Sets `*reached` if the server has answered. False with a sentence if the tape
 * cannot be read.
 */
MUST_USE bool probe_lint_tape(const struct probe *p, const struct probe_column *column, const char *name, struct probe_cell *cell, bool *reached,
                              struct error *err);
/* Tokens and the most money that all cases of a column may take; the money is unknown without prices. */
struct probe_estimate { size_t requests; int64_t in, out; struct money most; };
struct probe_estimate probe_column_estimate(const struct probe *p, const struct probe_column *column);

#endif
