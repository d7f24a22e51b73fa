/*
 * Leaving: what stays in the terminal when the full screen has gone - the last exchange, all, or nothing (the setting `leave`).
 */
#ifndef WEIR_APP_LEAVING_H
#define WEIR_APP_LEAVING_H

#include "store/settings.h"
#include "ui/page/printout.h"

/* Prints to standard output, which is as it was found; nothing before anything was said. `look`: columns, theme and colours. */
void leaving_print(const struct view *view, const struct printout *look, enum leave leave);

#endif
