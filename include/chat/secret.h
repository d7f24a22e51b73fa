/*
 * Secrets: finding a provider's key in the environment, a file, or the output of a command.
 *
 * A command is split at blanks, double quotes group, there is no shell; it runs as a child of the loop (its pipe is in the
 * poll set) for 10 s at most, and its first line is the key. A key never goes into an error, a log or a tape. Its memory is
 * wiped when it is freed.
 */
#ifndef WEIR_CHAT_SECRET_H
#define WEIR_CHAT_SECRET_H

#include <poll.h>

#include "chat/provider.h"

struct secret; /* heap: one lookup */

enum secret_state { SECRET_WAITING, SECRET_FOUND, SECRET_ABSENT /* none is set and none is needed */, SECRET_FAILED };

struct secret *secret_new(const struct provider *p, environment *env, int64_t now_ms);
void secret_free(struct secret *s); /* ends the child, wipes the key */
enum secret_state secret_state(const struct secret *s);
bool secret_fd(const struct secret *s, struct pollfd *fd); /* false: nothing to wait for */
int64_t secret_deadline(const struct secret *s);
void secret_run(struct secret *s, int64_t now_ms);
struct str secret_value(const struct secret *s);          /* SECRET_FOUND */
const struct error *secret_error(const struct secret *s); /* SECRET_FAILED: names the variable, file or command, never the key */

#endif
