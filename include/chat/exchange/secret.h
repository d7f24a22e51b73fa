/*
 * Secrets: finds a provider's key in the environment, a file, or the output of a command.
 *
 * A command is split at blanks, and double quotes group; no shell is used. It runs as a child whose pipe is in the loop's poll set, for at
 * most 10 s. Its first line is the key. The key is never written to an error, a log or a tape, and its memory is wiped when it is freed.
 */
#ifndef WEIR_CHAT_SECRET_H
#define WEIR_CHAT_SECRET_H

#include <poll.h>

#include "chat/provider/provider.h"

struct secret; /* heap: one lookup */

enum secret_state { SECRET_WAITING, SECRET_FOUND, SECRET_ABSENT /* no key is set, and none is needed */, SECRET_FAILED };

struct secret *secret_new(const struct provider *p, environment *env, int64_t now_ms);
struct secret *secret_given(const struct provider *p, struct str key); /* one that the user has typed, not kept yet; copied */
void secret_free(struct secret *s); /* kills the child and wipes the key */
enum secret_state secret_state(const struct secret *s);
bool secret_fd(const struct secret *s, struct pollfd *fd); /* false: nothing to wait for */
int64_t secret_deadline(const struct secret *s);
void secret_run(struct secret *s, int64_t now_ms);
struct str secret_value(const struct secret *s);          /* SECRET_FOUND */
const struct error *secret_error(const struct secret *s); /* SECRET_FAILED: names the variable, file or command, never the key */

#endif
