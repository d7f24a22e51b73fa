/* What the files of the probe share. */
#ifndef WEIR_APP_PROBE_INSIDE_H
#define WEIR_APP_PROBE_INSIDE_H

#include "app/probe/probe_cases.h"

#define PROBE_NAME_WIDTH 11 /* cells of the name of a case, in lines */

/*
 * Adds the findings of lint in a tape of the folder to a cell. Sets `*reached` if the server has answered. False with a sentence if the tape
 * cannot be read.
 */
MUST_USE bool probe_lint_tape(const struct probe *p, const struct probe_column *column, const char *name, struct probe_cell *cell, bool *reached,
                              struct error *err);

#endif
