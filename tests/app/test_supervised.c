/* Programs that run beside us: what goes in and comes out, and that no process is left, however they end. */
#include "app/system/supervised.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/os/process.h"
#include "program.h"
#include "support/check.h"

struct run {
	struct supervised program;
	struct buf output, errors;
	size_t pieces;          /* of its output */
	bool closed, over;
	int failure;
	struct child_end end;
};

static void take_output(void *ctx, struct str bytes)
{
	struct run *r = ctx;

	CU_ASSERT(bytes.len <= SUPERVISED_PASS);
	r->closed |= !bytes.len;
	r->pieces++;
	if (r->output.len < 4096)
		buf_add(&r->output, bytes);
}

static void take_errors(void *ctx, struct str bytes)
{
	buf_add(&((struct run *)ctx)->errors, bytes);
}

static void take_end(void *ctx, int failure, struct child_end end)
{
	struct run *r = ctx;

	CU_ASSERT(!r->over);
	r->over = true;
	r->failure = failure;
	r->end = end;
}

static void run_start(struct run *r, const char *script, const struct supervised_options *more)
{
	const char *const words[] = { "sh", "-c", script, NULL };
	struct supervised_options options = *more;
	struct error err = { "" };

	*r = (struct run){ 0 };
	if (!options.argv)
		options.argv = words;
	CHECK(supervised_start(&r->program, &options, &(struct supervised_sink){ r, take_output, take_errors, take_end }, &err), "%s", err.text);
}

static void run_turn(struct run *r)
{
	struct pollfd fds[SUPERVISED_FDS];
	size_t count = supervised_fds(&r->program, fds, SUPERVISED_FDS);

	poll(fds, count, 100);
	supervised_run(&r->program, fds, count, 0);
}

static bool run_until(struct run *r, const bool *what)
{
	int64_t end = check_now_ms() + CHECK_PATIENCE_MS;

	while (!*what && check_now_ms() < end)
		run_turn(r);
	CHECK(*what, "still waiting; \"%s\"", buf_z(&r->output));
	return *what;
}

static void run_until_it_says(struct run *r, const char *text)
{
	int64_t end = check_now_ms() + CHECK_PATIENCE_MS;

	while (str_find(buf_str(&r->output), str_from(text)) == r->output.len && check_now_ms() < end)
		run_turn(r);
	CHECK(str_find(buf_str(&r->output), str_from(text)) < r->output.len, "\"%s\" is not in \"%s\"", text, buf_z(&r->output));
}

static void run_free(struct run *r)
{
	supervised_fini(&r->program);
	buf_fini(&r->output);
	buf_fini(&r->errors);
}

#define RUN(script, ...) run_start(&r, script, &(struct supervised_options){ __VA_ARGS__ })

static void gets_input_and_gives_output(void)
{
	struct run r;

	RUN("read a; echo \"<$a>\"; read b || echo end; echo bad >&2; exit 3", 0);
	CU_ASSERT(supervised_write(&r.program, STR("one\n")));
	run_until_it_says(&r, "<one>\n");
	supervised_end_input(&r.program);
	CU_ASSERT(!supervised_write(&r.program, STR("late")));
	run_until(&r, &r.over);
	CHECK_STR(buf_str(&r.output), "<one>\nend\n");
	CHECK_STR(buf_str(&r.errors), "bad\n");
	CU_ASSERT(r.failure == 0 && r.end.status == 3 && r.end.signal == 0 && r.closed);
	run_free(&r);
	RUN("kill -9 $$", 0);
	run_until(&r, &r.over);
	CU_ASSERT(r.end.signal == SIGKILL);
	run_free(&r);
}

static void says_why_it_was_not_started(void)
{
	struct run r;

	RUN(NULL, .argv = ARGS("no-such-program-here"));
	run_until(&r, &r.over);
	CU_ASSERT_EQUAL(r.failure, ENOENT);
	run_free(&r);
	RUN("true", .folder = "/no/such/folder");
	run_until(&r, &r.over);
	CU_ASSERT_EQUAL(r.failure, ENOENT);
	run_free(&r);
}

/* The words of a command are arguments as they are: nothing in them reaches a shell. */
static void runs_without_a_shell(void)
{
	struct run r;

	RUN(NULL, .argv = ARGS("printf", "<%s>", "$(id) ; `id`", "a  b\n*"));
	run_until(&r, &r.over);
	CHECK_STR(buf_str(&r.output), "<$(id) ; `id`><a  b\n*>");
	run_free(&r);
}

static void gets_a_short_list_of_variables(void)
{
	struct run r;

	setenv("SECRET_KEY", "k", 1);
	setenv("WANTED", "w", 1);
	RUN("env | cut -d = -f 1 | grep -v -x -e _ -e PWD -e SHLVL -e OLDPWD | sort | tr '\\n' ' '", .variables = ARGS("WANTED", "UNSET"), .folder = "/");
	run_until(&r, &r.over);
	CHECK(str_find(buf_str(&r.output), STR("WANTED ")) < r.output.len && str_find(buf_str(&r.output), STR("PATH ")) < r.output.len, "%s",
	      buf_z(&r.output));
	CHECK(str_find(buf_str(&r.output), STR("SECRET")) == r.output.len && str_find(buf_str(&r.output), STR("WEIR")) == r.output.len, "%s",
	      buf_z(&r.output));
	unsetenv("SECRET_KEY");
	unsetenv("WANTED");
	run_free(&r);
}

/* No terminal, no descriptor of ours, its own session; the folder is the one that was asked for. A shell that makes a pipe has it open for a moment. */
static void is_kept_apart(void)
{
	struct run r;

	RUN("ls /proc/$$/fd; [ \"$(cut -d ' ' -f 6 /proc/$$/stat)\" = $$ ] && pwd; : </dev/tty && echo terminal", .folder = "/usr");
	run_until(&r, &r.over);
	CHECK_STR(buf_str(&r.output), "0\n1\n2\n/usr\n");
	run_free(&r);
}

/* --- no process is left --- */

static bool is_there(long pid)
{
	return kill((pid_t)pid, 0) == 0;
}

/* The number behind `word` in what it wrote. */
static long number_behind(struct run *r, const char *word)
{
	struct str text = buf_str(&r->output);

	text = str_skip(text, str_find(text, str_from(word)) + strlen(word));
	return text.len ? strtol(text.ptr, NULL, 10) : 0;
}

#define STRAYS "setsid sh -c 'trap \"\" TERM HUP; echo far=$$; while :; do sleep 1000; done' & sleep 1000 & echo near=$! ; "

static void what_a_program_leaves_is_ended(void)
{
	struct run r;

	if (!process_adopts) {
		check_skip("POSIX does not know what a child leaves behind");
		return;
	}
	RUN(STRAYS "read go; exit 0", 0);
	run_until_it_says(&r, "far=");
	run_until_it_says(&r, "near=");
	CU_ASSERT(is_there(number_behind(&r, "far=")) && is_there(number_behind(&r, "near=")));
	supervised_end_input(&r.program);
	run_until(&r, &r.over);
	CU_ASSERT(r.end.status == 0 && !r.end.signal);
	CU_ASSERT(!is_there(number_behind(&r, "far=")) && !is_there(number_behind(&r, "near=")));
	run_free(&r);
}

static void stop_asks_first_and_kills_then(void)
{
	struct run r;

	RUN("trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.02; done", 0);
	run_until_it_says(&r, "ready");
	supervised_stop(&r.program);
	run_until(&r, &r.over);
	CHECK_STR(buf_str(&r.output), "ready\nbye\n");
	CU_ASSERT_EQUAL(r.end.status, 5);
	run_free(&r);
	RUN("trap '' TERM; " STRAYS "echo ready; while :; do sleep 0.02; done", .grace_ms = 50);
	run_until_it_says(&r, "ready");
	run_until_it_says(&r, "far=");
	supervised_stop(&r.program);
	run_until(&r, &r.over);
	CU_ASSERT_EQUAL(r.end.signal, SIGKILL);
	if (process_adopts)
		CU_ASSERT(!is_there(number_behind(&r, "far=")))
	else
		kill((pid_t)number_behind(&r, "far="), SIGKILL);
	run_free(&r);
	/* Called again it does not wait for the grace. */
	RUN("trap '' TERM; echo ready; while :; do sleep 0.02; done", .grace_ms = 1000000);
	run_until_it_says(&r, "ready");
	supervised_stop(&r.program);
	supervised_stop(&r.program);
	run_until(&r, &r.over);
	CU_ASSERT_EQUAL(r.end.signal, SIGKILL);
	run_free(&r);
}

static void a_stopped_program_ends_too(void)
{
	struct run r;

	RUN("echo ready; kill -STOP $$; echo on", 0);
	run_until_it_says(&r, "ready");
	supervised_stop(&r.program);
	run_until(&r, &r.over);
	CU_ASSERT_EQUAL(r.end.signal, SIGTERM);
	run_free(&r);
}

static void freeing_leaves_none(void)
{
	struct run r;

	if (!process_adopts) {
		check_skip("POSIX does not know what a child leaves behind");
		return;
	}
	RUN("trap '' TERM HUP; " STRAYS "echo me=$$; while :; do sleep 0.02; done", .grace_ms = 1000000);
	run_until_it_says(&r, "far=");
	run_until_it_says(&r, "me=");
	long pids[] = { number_behind(&r, "far="), number_behind(&r, "near="), number_behind(&r, "me=") };
	supervised_fini(&r.program);
	for (int i = 0; i < 3; i++)
		CU_ASSERT(pids[i] > 1 && !is_there(pids[i]));
	run_free(&r);
}

/* The supervisor ends when who started it is gone; what it is for, too, if it is killed itself. */
static void a_crash_leaves_none(void)
{
	if (!process_adopts) {
		check_skip("POSIX does not know what a child leaves behind");
		return;
	}
	const char *folder = folder_path();
	struct run r;
	pid_t pid = fork();

	if (pid == 0) {
		RUN(STRAYS "echo $$ > pid; mv pid left; while :; do sleep 0.02; done", .folder = folder, .grace_ms = 50);
		while (access(folder_file("left", NULL), F_OK) != 0)
			poll(NULL, 0, 5);
		_exit(0);
	}
	int64_t patience = check_now_ms() + CHECK_PATIENCE_MS;
	struct buf text = { 0 };
	while (!(buf_read_file(&text, folder_file("left", NULL), NULL) && text.len) && check_now_ms() < patience)
		poll(NULL, 0, 5);
	long left = strtol(buf_z(&text), NULL, 10);
	while (is_there(left) && check_now_ms() < patience)
		poll(NULL, 0, 5);
	CHECK(left > 1 && !is_there(left), "%ld", left);
	waitpid(pid, NULL, 0);
	buf_fini(&text);
	RUN("echo me=$$; while :; do sleep 0.02; done", 0);
	run_until_it_says(&r, "me=");
	left = number_behind(&r, "me=");
	kill(r.program.child.pid, SIGKILL);
	run_until(&r, &r.over);
	while (is_there(left) && check_now_ms() < patience)
		poll(NULL, 0, 5);
	CU_ASSERT(!is_there(left));
	run_free(&r);
	folder_remove();
}

/* --- limits --- */

static void much_output_comes_in_pieces(void)
{
	struct run r;

	RUN("head -c 20000000 /dev/zero", 0);
	run_until(&r, &r.over);
	CU_ASSERT(r.pieces >= 20000000 / SUPERVISED_PASS && r.end.status == 0);
	run_free(&r);
}

static void input_that_is_not_read_is_bounded(void)
{
	static char block[1 << 20];
	struct run r;
	size_t taken = 0;

	RUN("echo ready; sleep 1000", 0);
	run_until_it_says(&r, "ready");
	while (supervised_write(&r.program, str_of(block, sizeof block)) && taken < 2 * SUPERVISED_INPUT_MOST)
		taken += sizeof block;
	CHECK(taken <= SUPERVISED_INPUT_MOST + sizeof block, "%zu", taken);
	run_free(&r);
	/* A program that reads nothing and ends: the bytes are dropped. */
	signal(SIGPIPE, SIG_IGN);
	RUN("exec <&-; echo ready; sleep 0.01; exit 0", 0);
	run_until_it_says(&r, "ready");
	(void)!supervised_write(&r.program, str_of(block, sizeof block));
	run_until(&r, &r.over);
	CU_ASSERT(r.end.status == 0 && !r.end.signal);
	run_free(&r);
}

const struct suite suite_supervised = { "supervised", (const struct test[]){
	TEST(gets_input_and_gives_output), TEST(says_why_it_was_not_started), TEST(runs_without_a_shell), TEST(gets_a_short_list_of_variables),
	TEST(is_kept_apart), TEST(what_a_program_leaves_is_ended), TEST(stop_asks_first_and_kills_then), TEST(a_stopped_program_ends_too),
	TEST(freeing_leaves_none), TEST(a_crash_leaves_none), TEST(much_output_comes_in_pieces), TEST(input_that_is_not_read_is_bounded), { 0 } } };
