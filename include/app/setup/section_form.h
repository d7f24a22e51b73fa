/*
 * Roles and templates as a form: a section of weir.conf is made, changed, renamed or deleted. What is written is checked before, and read again
 * after it.
 */
#ifndef WEIR_APP_SECTION_FORM_H
#define WEIR_APP_SECTION_FORM_H

#include "app/setup/form_table.h"

struct setup;

enum section_kind { SECTION_ROLE, SECTION_TEMPLATE };

#define SECTION_FIELDS 32 /* its name, and its settings */

struct section_form { /* embedded; its subject */
	struct setup *setup;
	enum section_kind kind;
	bool tried;                    /* it waits behind the card for what comes of it */
	char *was;                     /* its name in the file; NULL: a new one */
	char *values[SECTION_FIELDS];  /* as they are typed; 0 is the name */
	char *before[SECTION_FIELDS];  /* as the file has them */
};

void section_form_init(struct section_form *f, struct setup *setup);
void section_form_drop(struct section_form *f);
/*
 * "new", "new NAME", "edit NAME", "delete NAME", and "edit" for what is tried, behind /role or /template, unless a section has such a name.
 * True: it was for the form. `*opens`: the form is to be opened; else `sentence` tells what was done, or `good` is false and it tells why not.
 */
bool section_form_command(struct section_form *f, enum section_kind kind, struct str words, bool *opens, bool *good, struct error *sentence);
extern const struct form_table section_form, section_form_of_role; /* a role can be tried */

#endif
