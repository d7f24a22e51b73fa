#include "app/plain/plain_host.h"

#include <string.h>
#include <unistd.h>

#include "app/command/actions.h"
#include "base/array.h"
#include "base/names.h"

/* Words of the language that messages begin with. Other first words may be names, of settings or models, which keep their letters. */
static bool plain_is_word(struct str word)
{
	static const char *const words[] = {
		"a", "an", "another", "cannot", "each", "in", "it", "its", "name", "neither", "no", "none", "not", "nothing", "only", "private",
		"several", "system", "that", "the", "there", "this", "too", "with",
	};

	return str_is_among(word, words, ARRAY_LEN(words));
}

/* Messages are made to follow a name and a colon; here they stand alone. */
static void plain_host_say(void *host, enum severity severity, const char *sentence)
{
	const struct plain_host *h = host;
	size_t len = strlen(sentence);

	messages_add(h->messages, severity, sentence);
	if (!len)
		return;
	bool is_word = plain_is_word(str_head(str_from(sentence), strcspn(sentence, " ,")));

	plain_tell_line(h->tell, strchr(".!?", sentence[len - 1]) ? "%c%s" : "%c%s.", is_word ? *sentence - 'a' + 'A' : *sentence, sentence + 1);
}

void plain_say(const struct plain_host *h, const char *sentence)
{
	plain_host_say((void *)h, SEVERITY_INFORMATION, sentence);
}

void plain_fail(const struct plain_host *h, const char *sentence)
{
	plain_host_say((void *)h, SEVERITY_ERROR, sentence);
}

static void plain_host_mark(void *host, const char *folder)
{
	const struct plain_host *h = host;

	h->mark(h->ctx, folder);
}

static void plain_host_fill(void *host, struct str text, bool is_line)
{
	const struct plain_host *h = host;

	if (!is_line) /* a line that was typed stands above */
		h->fill(h->ctx, text);
}

struct actor plain_actor(const struct plain_host *h)
{
	return (struct actor){ .setup = h->setup, .session = h->session, .keep = h->keep, .collecting = h->collecting, .replay = h->replay,
	                       .unattended = !h->types, .mark = plain_host_mark, .fill = plain_host_fill, .say = plain_host_say, .ctx = (void *)h };
}

static tcflag_t echo_flags(tcflag_t flags, bool on)
{
	return on ? (flags | ECHO) & ~(tcflag_t)ECHONL : (flags & ~(tcflag_t)ECHO) | ECHONL;
}

/* Async-signal-safe. TCSANOW, because waiting for output would never end on a stopped terminal. */
static void echo_on_crash(void *host)
{
	const struct plain_host *h = host;

	if (tcgetpgrp(STDIN_FILENO) == getpgrp()) /* else the call would stop the program */
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &h->echoing);
}

/* Without it only line ends are echoed. A crash turns it on again. */
static void set_echo(struct plain_host *h, bool on)
{
	struct termios modes;

	if (tcgetattr(STDIN_FILENO, &modes) != 0)
		return;
	h->echoing = modes;
	h->echoing.c_lflag = echo_flags(modes.c_lflag, true);
	modes.c_lflag = echo_flags(modes.c_lflag, on);
	crash_handler_remove(&h->on_crash);
	if (!on) {
		h->on_crash = (struct crash_handler){ .run = echo_on_crash, .ctx = h };
		crash_handler_add(&h->on_crash);
	}
	(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

void plain_ask(struct plain_host *h, const struct plain_question *question, void *part)
{
	bool was_hidden = h->question && h->question->hidden, hidden = question && question->hidden;

	if (hidden != was_hidden && h->types)
		set_echo(h, !hidden);
	h->question = question;
	h->asks = part;
	h->asked_ms = INT64_MIN;
}

void plain_ask_prompt(struct plain_host *h)
{
	plain_ask(h, NULL, NULL);
}
