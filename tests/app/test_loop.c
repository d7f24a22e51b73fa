#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/system/loop.h"
#include "app/system/signals.h"
#include "base/crash_handler.h"
#include "support/check.h"

/* A member that waits for a descriptor or a deadline and counts its runs. */
struct waiting {
	int fd;
	int64_t deadline_ms;
	int runs;
	short seen;
	struct loop *loop;
	struct waiting *removes; /* member that it removes when it runs; NULL: none */
	const struct loop_member *adds;
};

static size_t waiting_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct waiting *w = ctx;

	if (w->fd < 0 || !room)
		return 0;
	fds[0] = (struct pollfd){ .fd = w->fd, .events = POLLIN };
	return 1;
}

static int64_t waiting_deadline(void *ctx)
{
	return ((struct waiting *)ctx)->deadline_ms;
}

static void waiting_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct waiting *w = ctx;

	(void)now_ms;
	w->runs++;
	w->seen = count ? fds[0].revents : 0;
	if (w->removes)
		loop_remove(w->loop, w->removes);
	if (w->adds)
		loop_add(w->loop, w->adds);
	w->adds = NULL;
}

static struct loop_member member_of(struct waiting *w)
{
	return (struct loop_member){ w, waiting_fds, waiting_deadline, waiting_run };
}

static struct waiting waiting_until(int64_t deadline_ms)
{
	return (struct waiting){ .fd = -1, .deadline_ms = deadline_ms };
}

static void each_member_gets_its_own_descriptors(void)
{
	struct http *http = http_new();
	struct loop *loop = loop_new(http);
	int quiet[2], ready[2];
	struct waiting a = waiting_until(NO_DEADLINE), b = waiting_until(NO_DEADLINE), c = waiting_until(0);

	CU_ASSERT_FATAL(pipe(quiet) == 0 && pipe(ready) == 0);
	CU_ASSERT_EQUAL(write(ready[1], "x", 1), 1);
	a.fd = quiet[0];
	b.fd = ready[0];
	loop_add(loop, &(struct loop_member){ &c, NULL, waiting_deadline, waiting_run });
	loop_add(loop, &(struct loop_member){ &a, waiting_fds, NULL, waiting_run });
	loop_add(loop, &(struct loop_member){ &b, waiting_fds, waiting_deadline, waiting_run });
	loop_turn(loop);
	CU_ASSERT_EQUAL(a.runs, 1);
	CU_ASSERT_EQUAL(a.seen, 0);
	CU_ASSERT_EQUAL(b.seen & POLLIN, POLLIN);
	CU_ASSERT_EQUAL(c.runs, 1);
	for (int i = 0; i < 2; i++) {
		close(quiet[i]);
		close(ready[i]);
	}
	loop_free(loop);
	http_free(http);
}

static void it_sleeps_until_the_first_deadline(void)
{
	struct http *http = http_new();
	struct loop *loop = loop_new(http);
	int64_t start_ms = clock_now_ms();
	struct waiting late = waiting_until(start_ms + 3600000), soon = waiting_until(start_ms + 30);
	struct loop_member members[2] = { member_of(&late), member_of(&soon) };

	loop_add(loop, &members[0]);
	loop_add(loop, &members[1]);
	while (clock_now_ms() < start_ms + 30)
		loop_turn(loop);
	CU_ASSERT(soon.runs >= 1);
	CHECK(soon.runs < 10, "it turned %d times in 30 ms: it did not sleep", soon.runs);
	loop_free(loop);
	http_free(http);
}

static void members_may_come_and_go_while_they_run(void)
{
	struct http *http = http_new();
	struct loop *loop = loop_new(http);
	struct waiting gone = waiting_until(0), added = waiting_until(0);
	struct waiting first = waiting_until(0);
	struct loop_member members[3] = { member_of(&first), member_of(&gone), member_of(&added) };

	first.loop = loop;
	first.removes = &gone;
	first.adds = &members[2];
	loop_add(loop, &members[0]);
	loop_add(loop, &members[1]);
	loop_turn(loop);
	CU_ASSERT_EQUAL(gone.runs, 0);
	CU_ASSERT_EQUAL(added.runs, 0);
	loop_turn(loop);
	CU_ASSERT_EQUAL(first.runs, 2);
	CU_ASSERT_EQUAL(gone.runs, 0);
	CU_ASSERT_EQUAL(added.runs, 1);
	/* Entries of removed members are reused. */
	for (int i = 0; i < 3 * LOOP_MEMBERS; i++) {
		loop_remove(loop, &added);
		loop_turn(loop);
		loop_add(loop, &members[2]);
	}
	loop_free(loop);
	http_free(http);
}

static void signals_wake_and_are_told_once(void)
{
	int fd = signals_open();
	struct pollfd waiting = { .fd = fd, .events = POLLIN };
	struct signals came;

	CU_ASSERT(fd >= 0);
	CU_ASSERT_EQUAL(poll(&waiting, 1, 0), 0);
	raise(SIGINT);
	raise(SIGWINCH);
	CU_ASSERT(signals_want_stop());
	CU_ASSERT_EQUAL(poll(&waiting, 1, 0), 1);
	came = signals_take();
	CU_ASSERT(came.interrupt && came.window && !came.terminate && !came.resumed);
	CU_ASSERT_FALSE(signals_want_stop());
	CU_ASSERT_EQUAL(poll(&waiting, 1, 0), 0);
	raise(SIGTERM);
	raise(SIGCONT);
	came = signals_take();
	CU_ASSERT(came.terminate && came.resumed && !came.interrupt && !came.window);
	signals_close();
	CU_ASSERT(signals_open() >= 0);
	signals_close();
}

static void say_so(void *fd)
{
	ssize_t written = write(*(int *)fd, "said", 4);

	(void)written;
}

/* The first QUIT is not taken, so the program hangs; the second one ends it. */
static void a_second_quit_ends_what_hangs(void)
{
	char words[8] = "";
	int ends[2], how = 0;
	pid_t pid;

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		struct crash_handler last = { say_so, &ends[1], NULL };

		setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
		crash_handler_add(&last);
		signals_open();
		raise(SIGQUIT);
		if (signals_take().terminate != SIGQUIT)
			_exit(1);
		raise(SIGQUIT); /* the previous one was taken, so this counts as a first one */
		raise(SIGQUIT);
		_exit(2);
	}
	close(ends[1]);
	waitpid(pid, &how, 0);
	CHECK(WIFSIGNALED(how) && WTERMSIG(how) == SIGQUIT, "it ended with %d", how);
	CU_ASSERT_EQUAL(read(ends[0], words, sizeof words - 1), 4);
	close(ends[0]);
}

const struct suite suite_loop = { "loop", (const struct test[]){
	TEST(each_member_gets_its_own_descriptors), TEST(it_sleeps_until_the_first_deadline), TEST(members_may_come_and_go_while_they_run),
	TEST(signals_wake_and_are_told_once),
	TEST(a_second_quit_ends_what_hangs), { 0 } } };
