#include "base/crash_handler.h"

#include <signal.h>
#include <stddef.h>

#include "base/array.h"

#define STACK_BYTES ((size_t)64 << 10) /* the handlers' stack, as the crash may be a stack overflow */

/* Crashes, and other signals that would end the program without a message: resource limits, timers, user signals. */
static const int signals[] = {
	SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGIO,
};

static struct crash_handler *first_handler;

static struct crash_handler **crash_handler_find(const struct crash_handler *handler)
{
	struct crash_handler **link = &first_handler;

	while (*link && *link != handler)
		link = &(*link)->next;
	return link;
}

void crash_handler_add(struct crash_handler *handler)
{
	handler->next = NULL;
	*crash_handler_find(NULL) = handler;
}

void crash_handler_remove(struct crash_handler *handler)
{
	struct crash_handler **link = crash_handler_find(handler);

	if (*link)
		*link = handler->next;
}

void crash_handlers_run(void)
{
	while (first_handler) {
		struct crash_handler *handler = first_handler;

		first_handler = handler->next;
		handler->run(handler->ctx);
	}
}

void crash_handlers_die(int number)
{
	crash_handlers_run();
	/* A signal sent with kill() is not repeated on return, as a fault is. */
	signal(number, SIG_DFL);
	raise(number);
}

void crash_handlers_install(void)
{
	static char stack[STACK_BYTES];
	struct sigaction action = { .sa_handler = crash_handlers_die, .sa_flags = SA_ONSTACK | SA_NODEFER }, before;

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		if (!sigaction(signals[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}
