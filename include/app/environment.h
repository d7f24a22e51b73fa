/*
 * The process's environment, and the keys that are taken out of it.
 *
 * A variable that holds a key is moved out of the environment when the providers are known: no child inherits it, and
 * /proc/PID/environ does not show it. Only process_environment() still answers for it. One place for the whole process,
 * as the environment itself is.
 */
#ifndef WEIR_APP_ENVIRONMENT_H
#define WEIR_APP_ENVIRONMENT_H

/* The value of a variable, of one that was taken too; NULL when it is not set. Valid until the variable is taken again. */
const char *process_environment(const char *name);

/* Moves a variable out of the environment: its old place is overwritten. Nothing where it is not set. */
void environment_take(const char *name);

/* From now on it has this value, for this process alone: a key that is kept nowhere. */
void environment_put(const char *name, const char *value);

/* Wipes what was taken and forgets it. */
void environment_forget(void);

#endif
