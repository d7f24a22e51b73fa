/*
 * Parameters of the conversation as the user sees and changes them: value, where it comes from, why it may not be sent. The form of the
 * full screen, the questions of the linear mode and /parameters use it. A change is for this run.
 */
#ifndef WEIR_APP_PARAMETER_CHANGE_H
#define WEIR_APP_PARAMETER_CHANGE_H

#include "app/setup/form_table.h"
#include "chat/provider/parameters.h"

struct setup;

/* Appends the value in use and its origin: "0.7, [role coder]"; "not sent"; and why a request would not carry it. */
void parameter_words(const struct setup *s, enum parameter which, struct buf *out);

/*
 * Sets a parameter for the following requests. "default" or an empty value leave it to the role, the option or the provider again; so
 * does "off", but for reasoning, whose level it is. On false nothing changed, and `err` names the range of the target's protocol.
 */
MUST_USE bool parameter_change(struct setup *s, enum parameter which, struct str value, struct error *err);

/* Beside each field stand the value in use, where it comes from, and its range. An empty one is not set here. The subject: a struct setup. */
extern const struct form_table parameter_form;

#endif
