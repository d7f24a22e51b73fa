/*
 * On exit: what stays in the terminal when the full screen has gone - the last exchange, all, or nothing (the setting `leave`).
 */
#ifndef WEIR_APP_ON_EXIT_H
#define WEIR_APP_ON_EXIT_H

#include "store/settings.h"
#include "ui/pane/printout.h"

/* Prints to standard output, which is as it was found; nothing before anything was said. `look`: columns, theme and colours. */
void on_exit_print(const struct view *view, const struct printout *look, enum leave leave);

#endif
