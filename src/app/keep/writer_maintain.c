/* The process that maintains the history: this program, run as another process. It says what the user should know in one line. */
#include "app/keep/writer_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "app/system/output.h"
#include "base/array.h"
#include "base/crash_handler.h"
#include "base/os/descriptor.h"
#include "base/os/process.h"
#include "store/files/tapes.h"

#define LOOK_NS 5000000 /* a program that maintains lets others have their turn for MAINTAIN_GAP_MS */
#define HEARD_US 200000 /* between two looks whether somebody listens, where the kernel does not tell */
#define LOOKS_MOST 6000 /* 30 s for what another program does */

static const char *const errands[] = { [WRITER_MAINTAIN] = "tend", [WRITER_PREPARE] = "prepare", [WRITER_REPAIR] = "repair",
	[WRITER_PURGE] = "purge" };

/* --- the child's side --- */

static void maintain_drop_tape(void *ctx, const char *path)
{
	(void)ctx;
	tapes_remove(path);
}

static void maintain_say(struct str words)
{
	int ignored = str_write(words, STDOUT_FILENO); /* the other side may have ended meanwhile */

	(void)ignored;
}

static const int endings[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* The transaction under way is undone by the next program that opens the file. */
static void maintain_end(int number)
{
	crash_handlers_run();
	_exit(EXIT_BY_SIGNAL + number);
}

static void maintain_heed_endings(struct sigaction before[ARRAY_LEN(endings)])
{
	struct sigaction action = { .sa_handler = maintain_end };

	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(endings); i++)
		sigaction(endings[i], &action, &before[i]);
}

static enum history_status maintain_in_turn(enum writer_errand errand, const struct maintain_options *how, struct maintain_result *result,
                                            struct error *err)
{
	struct maintain_options options = *how;
	struct sigaction before[ARRAY_LEN(endings)];
	enum history_status status;

	options.tape = maintain_drop_tape;
	options.purge = errand == WRITER_PURGE;
	options.check = errand == WRITER_REPAIR;
	options.only_there = errand == WRITER_MAINTAIN || errand == WRITER_PURGE;
	options.briefly |= errand == WRITER_PREPARE || errand == WRITER_REPAIR;
	maintain_heed_endings(before);
	status = history_maintain(&options, result, err);
	for (int looks = 0; status == HISTORY_BUSY && errand != WRITER_MAINTAIN && looks < LOOKS_MOST; looks++) {
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
		status = history_maintain(&options, result, err);
	}
	for (size_t i = 0; i < ARRAY_LEN(endings); i++)
		sigaction(endings[i], &before[i], NULL);
	return options.only_there && status == HISTORY_ABSENT ? HISTORY_OK : status; /* there is nothing to do */
}

static void maintain_write_recovered(struct error *words, const char *damaged, int64_t turns)
{
	error_set(words, turns == 1 ? "the history was damaged: %lld turn was recovered, and the damaged file is now %s" :
	          "the history was damaged: %lld turns were recovered, and the damaged file is now %s", (long long)turns, damaged);
}

static void maintain_complain(void *ctx, const char *damaged, int64_t turns)
{
	struct error words;

	(void)ctx;
	maintain_write_recovered(&words, damaged, turns);
	complain("note: %s", words.text);
}

enum history_status writer_maintain_here(enum writer_errand errand, bool *left, struct error *err)
{
	const struct maintain_options how = { .briefly = errand == WRITER_PURGE, .recovered = maintain_complain };
	struct maintain_result result = { 0 };
	enum history_status status = maintain_in_turn(errand, &how, &result, err);

	if (left)
		*left = result.left;
	maintain_result_fini(&result);
	return status;
}

static void maintain_say_recovered(void *said, const char *damaged, int64_t turns)
{
	struct error words;

	maintain_write_recovered(&words, damaged, turns);
	maintain_say(str_from(words.text));
	*(bool *)said = true;
}

static bool maintain_has_listener(void)
{
	struct pollfd listener = { .fd = STDOUT_FILENO };

	return poll(&listener, 1, 0) == 0;
}

static void maintain_look(int number)
{
	int failure = errno;

	(void)number;
	if (!maintain_has_listener())
		maintain_end(SIGTERM);
	errno = failure;
}

/* Somebody listens, and the process ends when they do: they would not hear what was recovered. */
static bool maintain_is_heard(void *ctx)
{
	struct sigaction action = { .sa_handler = maintain_look, .sa_flags = SA_RESTART };
	struct timeval often = { .tv_usec = HEARD_US };

	(void)ctx;
	sigfillset(&action.sa_mask);
	if (!process_end_with_parent(SIGTERM) &&
	    (sigaction(SIGALRM, &action, NULL) != 0 || setitimer(ITIMER_REAL, &(struct itimerval){ often, often }, NULL) != 0))
		return false;
	return maintain_has_listener();
}

void writer_maintain_run(int argc, char **argv)
{
	enum writer_errand errand = WRITER_MAINTAIN;
	struct maintain_result result = { 0 };
	enum history_status status;
	struct error err = { "" };
	bool said = false;

	if (argc != 3 || strcmp(argv[1], WRITER_MAINTAIN_WORD) != 0)
		return;
	signal(SIGXFSZ, SIG_IGN); /* the write fails in its place */
	signal(SIGPIPE, SIG_IGN);
	while (errand <= WRITER_PURGE && strcmp(argv[2], errands[errand]) != 0)
		errand++;
	if (errand > WRITER_PURGE)
		_exit(EXIT_USAGE);
	struct maintain_options how = { .may_recover = maintain_is_heard, .recovered = maintain_say_recovered, .ctx = &said };
	status = maintain_in_turn(errand, &how, &result, &err);
	maintain_result_fini(&result);
	if (status == HISTORY_OK || status == HISTORY_BUSY /* somebody else does it */ || said /* it can be used, and the rest is done later */)
		_exit(0);
	maintain_say(str_from(err.text));
	_exit(WRITER_MAINTAIN_FAILED + (int)status);
}

/* --- our side --- */

bool writer_maintain_start(struct writer *w, enum writer_errand errand, struct error *err)
{
	const char *const words[] = { process_program(), WRITER_MAINTAIN_WORD, errands[errand], NULL };
	int ends[2], failure;

	if (!descriptor_pipe(ends) || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
		return error_set(err, "the history cannot be maintained: %s", strerror(errno));
	failure = child_start(&w->child, words, &(struct child_options){ .place = CHILD_APART, .output = ends[1] });
	close(ends[1]);
	if (failure) {
		close(ends[0]);
		return error_set(err, "the history cannot be maintained: %s", strerror(failure));
	}
	w->words = ends[0];
	return true;
}

static enum history_status maintain_status(const struct child_end *end)
{
	if (!end->signal && !end->status)
		return HISTORY_OK;
	return !end->signal && end->status > WRITER_MAINTAIN_FAILED && end->status <= WRITER_MAINTAIN_FAILED + (int)HISTORY_FAILED
	               ? (enum history_status)(end->status - WRITER_MAINTAIN_FAILED) : HISTORY_FAILED;
}

/* What it said is in the pipe, as a whole: it is shorter than one. */
static void maintain_hear(struct writer *w, struct error *words)
{
	char text[sizeof words->text];
	ssize_t n = w->words >= 0 ? read(w->words, text, sizeof text - 1) : 0;

	words->text[0] = '\0';
	if (n > 0)
		error_set(words, "%.*s", (int)n, text);
}

bool writer_maintain_has_ended(struct writer *w, enum history_status *status, struct error *err)
{
	struct child_end end;

	if (!child_has_ended(&w->child, &end))
		return false;
	maintain_hear(w, err);
	close(w->words);
	w->words = -1;
	*status = maintain_status(&end);
	if (!*err->text && *status != HISTORY_OK)
		error_set(err, "the history could not be maintained: the process that does it ended with %s %d", end.signal ? "signal" : "status",
		          end.signal ? end.signal : end.status);
	return true;
}

void writer_maintain_leave(struct writer *w)
{
	struct error words;

	maintain_hear(w, &words);
	if (*words.text)
		complain_leaving("%s", words.text);
	if (w->words >= 0)
		close(w->words);
	child_leave(&w->child);
}
