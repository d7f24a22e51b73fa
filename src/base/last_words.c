#include "base/last_words.h"

#include <signal.h>
#include <stddef.h>

#include "base/array.h"

#define STACK_BYTES ((size_t)64 << 10) /* the handlers' stack, as the crash may be a stack overflow */

/* Crashes, and other signals that would end the program without a message: resource limits, timers, user signals. */
static const int signals[] = {
	SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO,
};

static struct last_words *first;

static struct last_words **last_words_find(const struct last_words *words)
{
	struct last_words **link = &first;

	while (*link && *link != words)
		link = &(*link)->next;
	return link;
}

void last_words_add(struct last_words *words)
{
	words->next = NULL;
	*last_words_find(NULL) = words;
}

void last_words_remove(struct last_words *words)
{
	struct last_words **link = last_words_find(words);

	if (*link)
		*link = words->next;
}

void last_words_say(void)
{
	while (first) {
		struct last_words *words = first;

		first = words->next;
		words->say(words->ctx);
	}
}

void last_words_die(int number)
{
	last_words_say();
	/* A signal sent with kill() is not repeated on return, as a fault is. */
	signal(number, SIG_DFL);
	raise(number);
}

void last_words_guard(void)
{
	static char stack[STACK_BYTES];
	struct sigaction action = { .sa_handler = last_words_die, .sa_flags = SA_ONSTACK | SA_NODEFER }, before;

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		if (!sigaction(signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}
