/*
 * The table of the forms that conversations are exported in. A new form is a row here, and a file with its functions.
 */
#ifndef WEIR_APP_HISTORY_EXPORT_FORMS_H
#define WEIR_APP_HISTORY_EXPORT_FORMS_H

#include "store/export/export.h"

/* One file of HTML without scripts, in light and dark colours. */
extern const struct export_form export_html;

const struct export_form *export_form_at(size_t index);       /* "markdown" is 0; NULL after the last */
const struct export_form *export_form_find(struct str name);  /* by name; NULL if there is none */
void export_forms_write_suffixes(struct buf *out);            /* ".md, .json or .html" */
const struct export_form *export_form_for(struct str path);   /* by the suffix of a file's name, in any case; NULL if there is none */

#endif
