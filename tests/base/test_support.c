/* The test support itself (tests/support): environment, clock, and comparison of JSON members. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "net/source.h"
#include "support/clock.h"
#include "support/environment.h"
#include "support/members.h"

extern char **environ;

/* --- environment --- */

static bool is_known(const char *variable)
{
	static const char *const known[] = { "HOME=/proc/nonexistent", "LANG=C.UTF-8", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM=xterm-256color", "TZ=UTC", "WEIR=",
		                             "ASAN_OPTIONS=", "UBSAN_OPTIONS=", "LSAN_OPTIONS=", "LD_LIBRARY_PATH=" };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strncmp(variable, known[i], strlen(known[i])))
			return true;
	return !strncmp(variable, "WEIR_", 5) && strncmp(variable, "WEIR_API_KEY", 12);
}

/* 0, or the number of the first thing that is not clean. */
static int first_unclean(void)
{
	struct sigaction interrupt;
	sigset_t blocked;
	char byte;

	for (char **variable = environ; *variable; variable++)
		if (!is_known(*variable))
			return 1;
	if (umask(0) != 022)
		return 2;
	if (sigaction(SIGINT, NULL, &interrupt) || interrupt.sa_handler != SIG_DFL)
		return 3;
	if (sigprocmask(SIG_SETMASK, NULL, &blocked) || sigismember(&blocked, SIGTERM))
		return 4;
	for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return 5;
	if (read(STDIN_FILENO, &byte, 1) != 0)
		return 6;
	return open("/dev/tty", O_RDWR) >= 0 ? 7 : 0;
}

static void become_dirty(void)
{
	static const char *const variables[] = { "https_proxy", "NO_PROXY", "PATH", "LC_ALL", "COLUMNS", "TMPDIR", "XDG_STATE_HOME", "OPENAI_API_KEY",
		                                 "WEIR_API_KEY", "EDITOR", "NO_COLOR", "SSL_CERT_FILE", "TERMINFO", "SSH_CONNECTION" };
	sigset_t term;

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		setenv(variables[i], "x", 1);
	setenv("TERM", "dumb", 1);
	umask(077);
	signal(SIGINT, SIG_IGN);
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	dup2(STDERR_FILENO, 9);
	dup2(open("/dev/zero", O_RDONLY), STDIN_FILENO);
}

static void the_environment_is_cleaned(void)
{
	int how = -1;
	pid_t pid = fork();

	if (pid == 0) {
		become_dirty();
		environment_clean();
		_exit(first_unclean());
	}
	waitpid(pid, &how, 0);
	CHECK(WIFEXITED(how) && WEXITSTATUS(how) == 0, "%d", how);
}

/* --- the clock --- */

static void the_clock_is_turned_forward_only(void)
{
	int64_t start_ms = clock_now_ms(), real_ms = check_now_ms();

	clock_turn(3600000);
	clock_turn(-7200000);
	int64_t ahead_ms = clock_now_ms() - start_ms - (check_now_ms() - real_ms);
	CHECK(ahead_ms > 3590000 && ahead_ms < 3610000, "%lld", (long long)ahead_ms);
	CU_ASSERT(clock_precise_ms() >= (double)clock_now_ms());
}

/* --- members --- */

static void check_match(const char *actual, const char *expected, const char *difference)
{
	struct json_parser *parsers[2] = { json_parser_new(), json_parser_new() };
	struct buf out = { 0 };
	size_t used;

	bool match = members_match(json_parse(parsers[0], str_from(actual), &used), json_parse(parsers[1], str_from(expected), &used), &out);
	CHECK(match == !*difference, "%s beside %s", actual, expected);
	CHECK_STR(buf_str(&out), difference);
	buf_fini(&out);
	json_parser_free(parsers[0]);
	json_parser_free(parsers[1]);
}

static void the_first_difference_is_named(void)
{
	check_match("{\"a\":1,\"b\":{\"c\":[1,\"x\"],\"new\":2},\"n\":null}", "{\"n\":null,\"b\":{\"c\":[1,\"x\"]}}", "");
	check_match("{\"b\":{\"c\":[1,\"x\"]}}", "{\"b\":{\"c\":[1,\"y\"]}}", "b.c[1] is \"x\", not \"y\"");
	check_match("{\"b\":{\"c\":[1,2]}}", "{\"b\":{\"c\":[1]}}", "b.c is an array of 2, not an array of 1");
	check_match("{\"u\":{\"t\":3}}", "{\"u\":{\"t\":4,\"v\":5}}", "u.t is 3, not 4");
	check_match("{\"u\":null}", "{\"u\":{\"t\":4}}", "u is null, not an object");
	check_match("{\"u\":{}}", "{\"u\":{\"t\":null}}", "there is no u.t");
	check_match("{\"f\":true}", "{\"f\":false}", "f is true, not false");
	check_match("[]", "{}", "the value is an array of 0, not an object");
}

const struct suite suite_support = { "support", (const struct test[]){
	TEST(the_environment_is_cleaned), TEST(the_clock_is_turned_forward_only), TEST(the_first_difference_is_named), { 0 },
} };
