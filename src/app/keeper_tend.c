/* The process that tends the history: this program, run as another process. It says what the user should know in one line. */
#include "app/keeper_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <signal.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "store/tapes.h"

#define LOOK_NS 50000000
#define LOOKS_MOST 600 /* 30 s for what another program does */

static const char *const errands[] = { [KEEPER_TEND] = "tend", [KEEPER_PREPARE] = "prepare", [KEEPER_REPAIR] = "repair",
	[KEEPER_PURGE] = "purge" };

/* --- the child's side --- */

static void tend_drop_tape(void *ctx, const char *path)
{
	(void)ctx;
	tapes_remove(path);
}

static void tend_say(struct str words)
{
	int ignored = str_write(words, STDOUT_FILENO); /* the other side may have ended meanwhile */

	(void)ignored;
}

static enum history_status tend_in_turn(enum keeper_errand errand, struct tend_result *result, struct error *err)
{
	struct tend_options options = { .tape = tend_drop_tape, .purge = errand == KEEPER_PURGE, .check = errand == KEEPER_REPAIR };
	enum history_status status = history_tend(&options, result, err);

	for (int looks = 0; status == HISTORY_BUSY && errand != KEEPER_TEND && looks < LOOKS_MOST; looks++) {
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
		status = history_tend(&options, result, err);
	}
	return status;
}

enum history_status keeper_tend_here(bool purge, struct tend_result *result, struct error *err)
{
	return tend_in_turn(purge ? KEEPER_PURGE : KEEPER_PREPARE, result, err);
}

void keeper_tend_run(int argc, char **argv)
{
	enum keeper_errand errand = KEEPER_TEND;
	struct tend_result result = { 0 };
	enum history_status status;
	struct error err = { "" };

	if (argc != 3 || strcmp(argv[1], KEEPER_TEND_WORD) != 0)
		return;
	signal(SIGXFSZ, SIG_IGN); /* the write fails in its place */
	signal(SIGXFSZ, SIG_IGN); /* the write fails in its place */
	signal(SIGXFSZ, SIG_IGN); /* the write fails in its place */
	while (errand < KEEPER_PURGE && strcmp(argv[2], errands[errand]) != 0)
		errand++;
	status = tend_in_turn(errand, &result, &err);
	if (status == HISTORY_OK && result.damaged)
		error_set(&err, "the history was damaged: %lld turns were recovered, and the damaged file is now %s", (long long)result.recovered,
		          result.damaged);
	tend_result_fini(&result);
	if (status == HISTORY_BUSY) /* somebody else does it */
		_exit(0);
	tend_say(str_from(err.text));
	_exit(status == HISTORY_OK ? 0 : KEEPER_TEND_FAILED + (int)status);
}

/* --- our side --- */

bool keeper_tend_start(struct keeper *k, enum keeper_errand errand, struct error *err)
{
	const char *const words[] = { "/proc/self/exe", KEEPER_TEND_WORD, errands[errand], NULL };
	int ends[2], failure;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return error_set(err, "the history cannot be tended: %s", strerror(errno));
	failure = child_start(&k->child, words, &(struct child_options){ .place = CHILD_APART, .output = ends[1] });
	close(ends[1]);
	if (failure) {
		close(ends[0]);
		return error_set(err, "the history cannot be tended: %s", strerror(failure));
	}
	k->words = ends[0];
	return true;
}

static enum history_status tend_status(const struct child_end *end)
{
	if (!end->signal && !end->status)
		return HISTORY_OK;
	return !end->signal && end->status > KEEPER_TEND_FAILED && end->status <= KEEPER_TEND_FAILED + (int)HISTORY_FAILED
	               ? (enum history_status)(end->status - KEEPER_TEND_FAILED) : HISTORY_FAILED;
}

/* What it said is in the pipe, as a whole: it is shorter than one. */
bool keeper_tend_has_ended(struct keeper *k, enum history_status *status, struct error *err)
{
	struct child_end end;
	char words[sizeof err->text];
	ssize_t n;

	if (!child_has_ended(&k->child, &end))
		return false;
	n = read(k->words, words, sizeof words - 1);
	close(k->words);
	k->words = -1;
	*status = tend_status(&end);
	err->text[0] = '\0';
	if (n > 0)
		error_set(err, "%.*s", (int)n, words);
	else if (*status != HISTORY_OK)
		error_set(err, "the history could not be tended: the process that does it ended with %s %d", end.signal ? "signal" : "status",
		          end.signal ? end.signal : end.status);
	return true;
}
