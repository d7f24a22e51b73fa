/*
 * The last messages of the program to its user, with their severity: in both modes of the chat they are gone after a while, and /messages
 * lists them. They are kept in memory only.
 */
#ifndef WEIR_APP_MESSAGES_H
#define WEIR_APP_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "base/error.h"

/* An error: what was to be done, by the program or by the user, did not succeed. Anything else is information: what was done, or how to go on. */
enum severity { SEVERITY_INFORMATION, SEVERITY_ERROR };

#define MESSAGES_MOST 50u /* older ones are forgotten */

struct logged_message {
	time_t at;
	enum severity severity;
	char text[sizeof(struct error)];
};

struct messages { /* zeroed: none */
	struct logged_message kept[MESSAGES_MOST]; /* a ring */
	size_t count;                       /* all that were added, forgotten ones too */
};

/* Copies a sentence; "" is none. One that equals the last message only renews its time. */
void messages_add(struct messages *m, enum severity severity, const char *sentence);
/* The newest message is at 0; NULL beyond the oldest that is kept. */
const struct logged_message *messages_at(const struct messages *m, size_t index);
/* "12:04:05", and "error" behind it where it is one. */
void message_words(const struct logged_message *message, char *words, size_t size);

#endif
