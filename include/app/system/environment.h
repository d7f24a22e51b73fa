/*
 * The environment of the process, without the API keys.
 *
 * A variable that holds a key is moved out of the environment as soon as the providers are known. So no child inherits it and
 * /proc/PID/environ does not show it; only process_environment() still returns it. Like the environment, the store is global to the
 * process.
 */
#ifndef WEIR_APP_ENVIRONMENT_H
#define WEIR_APP_ENVIRONMENT_H

#include "base/text.h"

/* The value of a variable, including taken ones; NULL if it is not set. Valid until the variable is taken again. */
const char *process_environment(const char *name);

/* Moves a variable out of the environment and overwrites its old memory. Does nothing if it is not set. */
void environment_take(const char *name);

/* Whether it was moved out, or put there. */
bool environment_has_taken(struct str name);

/* Sets the value of a variable in the store only: neither the environment nor a file gets it. */
void environment_put(const char *name, const char *value);

/* Overwrites and frees all values in the store. */
void environment_forget(void);

#endif
