/* What a process can do that has entered the sandbox. Each test is a child that writes what went wrong to its standard output. */
#include "base/os/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "support/check.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

#define LIMITS (struct sandbox_limits){ .memory_bytes = (size_t)256 << 20, .seconds = 5 }
#define CALLS_MOST 1024 /* more than any architecture has */
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_UNLINKS 1   /* the versions that deny it */
#define LANDLOCK_SIGNALS 6

static char victim[] = "/tmp/weir-sandbox-XXXXXX";

static void say(const char *word, long number)
{
	char line[100];
	int len = snprintf(line, sizeof line, "%s %ld\n", word, number);

	if (write(STDOUT_FILENO, line, (size_t)len) != len)
		_exit(2);
}

/* Runs it in a child. Returns what it wrote, and how it ended. */
static const char *said_by(void (*inside)(void), int *status)
{
	static char words[4000];
	ssize_t count, len = 0;
	int ends[2];

	if (pipe(ends))
		return "no pipe";
	pid_t child = fork();
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		inside();
		_exit(0);
	}
	close(ends[1]);
	while ((count = read(ends[0], words + len, sizeof words - 1 - (size_t)len)) > 0)
		len += count;
	words[len] = '\0';
	close(ends[0]);
	waitpid(child, status, 0);
	return words;
}

/* The kernel looks for the filter only where it has filters. POSIX's form sets none. */
static bool has_filters(void)
{
	return sandbox_is_whole && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) < 0 && errno == EFAULT;
}

static bool is_allowed(long number)
{
	static const long allowed[] = { SYS_read, SYS_write, SYS_brk, SYS_mprotect, SYS_mremap, SYS_munmap, SYS_madvise, SYS_exit, SYS_exit_group,
#ifdef SYS_mmap2
		SYS_mmap2,
#else
		SYS_mmap,
#endif
#ifdef SANITIZED
		SYS_sigaltstack,
#endif
#ifdef __x86_64__
		335, 336, /* uretprobe and uprobe: the kernel filters neither, and kills who is not in a probe */
#endif
	};

	for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
		if (allowed[i] == number)
			return true;
	return false;
}

static void try_every_call(void)
{
	if (!sandbox_enter(LIMITS))
		say("not entered", errno);
	if (syscall(SYS_getppid) >= 0) /* a call without a filter may do anything */
		say("no filter", 0);
	else
		for (long number = 0; number < CALLS_MOST; number++)
			if (!is_allowed(number) && (syscall(number, 0L, 0L, 0L, 0L, 0L, 0L) != -1 || errno != EPERM))
				say("allowed", number);
}

static void other_calls_fail(void)
{
	int status = 0;

	if (!has_filters()) {
		check_skip("this kernel, or POSIX's form of the sandbox, has no filters of system calls");
		return;
	}
	CU_ASSERT_STRING_EQUAL(said_by(try_every_call, &status), "");
	CHECK(status == 0, "%d", status);
}

static void use_what_is_left(void)
{
	char byte = 'x';

	if (!sandbox_enter(LIMITS))
		say("not entered", errno);
	if (read(3, &byte, 1) >= 0 || read(STDOUT_FILENO, &byte, 1) >= 0 || write(STDIN_FILENO, &byte, 1) >= 0)
		say("another descriptor", 0);
#ifndef __s390x__ /* there the filter does not see what is asked for */
	if (mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		say("code", 0);
#endif
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED || mprotect(page, 4096, PROT_READ) != 0 || mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0)
		say("a page", errno);
	char *small = malloc(1000), *large = malloc((size_t)32 << 20);
	if (!small || !large)
		say("no memory", errno);
	else
		memset(large, *small = 1, (size_t)32 << 20);
	free(large);
	say("left", 0);
}

static void what_computing_needs_is_left(void)
{
	int status = 0;

	if (!has_filters()) {
		check_skip("this kernel, or POSIX's form of the sandbox, has no filters of system calls");
		return;
	}
	CU_ASSERT_STRING_EQUAL(said_by(use_what_is_left, &status), "left 0\n");
	CHECK(status == 0, "%d", status);
}

#ifdef __x86_64__
static void call_by_old_numbers(void)
{
	int result = 20; /* getpid */

	if (!sandbox_enter(LIMITS))
		say("not entered", errno);
	__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "cc");
	say("answered", result);
}
#endif

/* The numbers of a 32-bit program are those of other calls. */
static void another_architecture_ends_the_process(void)
{
#ifdef __x86_64__
	int status = 0;

	if (has_filters()) {
		CU_ASSERT_STRING_EQUAL(said_by(call_by_old_numbers, &status), "");
		CHECK(WIFSIGNALED(status), "%d", status);
		return;
	}
#endif
	check_skip("this kernel has one architecture, or no filters of system calls");
}

/* --- without a filter --- */

/* As a kernel without filters: it answers EINVAL to who sets one. */
static bool refuse_filters(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){ ARRAY_LEN(code), code }) == 0;
}

static void try_without_a_filter(void)
{
	long version = syscall(LANDLOCK_CREATE_RULESET, NULL, (size_t)0, 1u);

	if (!refuse_filters() || !sandbox_enter(LIMITS))
		say("not entered", errno);
	if (syscall(SYS_getppid) < 0)
		say("a filter", 0);
	if (open("/dev/null", O_RDONLY) >= 0)
		say("opened", 0);
	if (version >= LANDLOCK_UNLINKS && unlink(victim) == 0)
		say("removed", version);
	if (version >= LANDLOCK_SIGNALS && kill(getppid(), 0) == 0)
		say("signalled", version);
}

static void without_filters_the_rest_holds(void)
{
	int status = 0, fd;

	if (!has_filters()) {
		check_skip("the test stands in for a kernel without filters by a filter, and this kernel, or POSIX's form of the sandbox, has none");
		return;
	}
	fd = mkstemp(victim);
	CU_ASSERT(fd >= 0);
	close(fd);
	CU_ASSERT_STRING_EQUAL(said_by(try_without_a_filter, &status), "");
	CHECK(status == 0, "%d", status);
	unlink(victim);
}

const struct suite suite_sandbox = { "sandbox", (const struct test[]){
	TEST(other_calls_fail), TEST(what_computing_needs_is_left), TEST(another_architecture_ends_the_process), TEST(without_filters_the_rest_holds), { 0 } } };
