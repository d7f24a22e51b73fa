#include "app/system/messages.h"

#include <stdio.h>
#include <string.h>

void messages_add(struct messages *m, enum severity severity, const char *sentence)
{
	const struct logged_message *last = messages_at(m, 0);

	if (!*sentence)
		return;
	if (!last || last->severity != severity || strcmp(last->text, sentence) != 0)
		m->count++;
	struct logged_message *to = &m->kept[(m->count - 1) % MESSAGES_MOST];
	to->at = time(NULL);
	to->severity = severity;
	snprintf(to->text, sizeof to->text, "%s", sentence);
}

const struct logged_message *messages_at(const struct messages *m, size_t index)
{
	return index < m->count && index < MESSAGES_MOST ? &m->kept[(m->count - 1 - index) % MESSAGES_MOST] : NULL;
}

void message_words(const struct logged_message *message, char *words, size_t size)
{
	struct tm at;
	size_t len = strftime(words, size, "%H:%M:%S", localtime_r(&message->at, &at));

	if (message->severity == SEVERITY_ERROR)
		snprintf(words + len, size - len, " error");
}
