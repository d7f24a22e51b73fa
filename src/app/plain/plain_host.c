#include "app/plain/plain_host.h"

#include <string.h>
#include <termios.h>
#include <unistd.h>

void plain_say(const struct plain_host *h, const char *sentence)
{
	size_t len = strlen(sentence);

	plain_tell_line(h->tell, len && strchr(".!?", sentence[len - 1]) ? "%s" : "%s.", sentence);
}

static void plain_host_say(void *host, const char *sentence)
{
	plain_say(host, sentence);
}

struct actor plain_actor(const struct plain_host *h)
{
	return (struct actor){ .setup = h->setup, .session = h->session, .replay = h->replay, .say = plain_host_say, .ctx = (void *)h };
}

/* Without it only line ends are echoed. */
static void set_echo(bool on)
{
	struct termios modes;

	if (tcgetattr(STDIN_FILENO, &modes) != 0)
		return;
	modes.c_lflag = on ? (modes.c_lflag | ECHO) & ~(tcflag_t)ECHONL : (modes.c_lflag & ~(tcflag_t)ECHO) | ECHONL;
	(void)tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

void plain_ask(struct plain_host *h, const struct plain_question *question, void *part)
{
	bool was_hidden = h->question && h->question->hidden, hidden = question && question->hidden;

	if (hidden != was_hidden && h->types)
		set_echo(!hidden);
	h->question = question;
	h->asks = part;
}

void plain_ask_prompt(struct plain_host *h)
{
	plain_ask(h, NULL, NULL);
}
