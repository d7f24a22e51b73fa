/*
 * On exit: what remains in the terminal after the full screen is closed - the last exchange, everything, or nothing (the setting
 * `leave`).
 */
#ifndef WEIR_APP_ON_EXIT_H
#define WEIR_APP_ON_EXIT_H

#include "store/config/settings.h"
#include "ui/pane/printout.h"

/*
 * Prints to standard output, after the terminal is restored. Prints nothing for an empty conversation. `look`: columns, theme and
 * colours.
 */
void on_exit_print(const struct view *view, const struct printout *look, enum leave leave);

#endif
