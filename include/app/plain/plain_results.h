/*
 * The results of tool calls in the linear mode: a form whose fields are the calls that wait for one. On the full screen the sheet of a call
 * takes its result, which may have several lines (app/screen/cards/sheets.h).
 */
#ifndef WEIR_APP_PLAIN_RESULTS_H
#define WEIR_APP_PLAIN_RESULTS_H

#include "app/setup/form_table.h"

extern const struct form_table result_form; /* without a card. The subject: a struct plain_host */

#endif
