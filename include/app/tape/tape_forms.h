/* The forms of `weir tape convert`. */
#ifndef WEIR_APP_TAPE_FORMS_H
#define WEIR_APP_TAPE_FORMS_H

#include <stddef.h>

const char *tape_form_at(size_t index); /* NULL behind the last one */

#endif
