#include "base/os/sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif

#include "base/array.h"
#include "base/os/descriptor.h"

const bool sandbox_is_whole = true;

/* The shadow of AddressSanitizer takes terabytes of addresses. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW 1
#endif
#endif
#ifndef HAS_SHADOW
#define HAS_SHADOW 0
#endif

/* Limits and filters would be those of valgrind too, which cannot work with them. */
static bool is_under_valgrind(void)
{
#if __has_include(<valgrind/valgrind.h>)
	return RUNNING_ON_VALGRIND != 0;
#else
	return false;
#endif
}

#ifdef __GLIBC__
#define LIMIT(number) ((__rlimit_resource_t)(number))
#else
#define LIMIT(number) (number)
#endif

static bool limit_resources(struct sandbox_limits limits)
{
	const struct { int what; rlim_t most; bool wanted; } all[] = {
		{ RLIMIT_AS, limits.memory_bytes, !HAS_SHADOW }, { RLIMIT_CPU, limits.seconds, true }, { RLIMIT_CORE, 0, true },
		{ RLIMIT_FSIZE, 0, true }, { RLIMIT_NOFILE, 0, true }, { RLIMIT_NPROC, 0, true },
	};
	bool good = true;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i].wanted)
			good &= setrlimit(LIMIT(all[i].what), &(struct rlimit){ all[i].most, all[i].most }) == 0;
	return good;
}

/* --- Landlock --- */

/* As in <linux/landlock.h>, whose older versions lack the later members. The numbers of the calls are the same on all architectures. */
struct landlock_rights { uint64_t files, network, scopes; };
#define LANDLOCK_CREATE 444
#define LANDLOCK_RESTRICT 446
#define LANDLOCK_VERSION 1u /* a flag: asks for the version */

/* Denies every right that the kernel's Landlock knows: no rule allows one. True where there is no Landlock. */
static bool deny_files(void)
{
	static const struct landlock_rights by_version[] = { /* each version has the rights of those before it */
		{ 0x1FFF, 0, 0 }, { 0x3FFF, 0, 0 }, { 0x7FFF, 0, 0 }, { 0x7FFF, 3, 0 }, { 0xFFFF, 3, 0 }, { 0xFFFF, 3, 3 },
	};
	long version = syscall(LANDLOCK_CREATE, NULL, (size_t)0, LANDLOCK_VERSION);

	if (version < 1)
		return true;
	size_t known = (size_t)version < ARRAY_LEN(by_version) ? (size_t)version : ARRAY_LEN(by_version);
	const struct landlock_rights *denied = &by_version[known - 1];
	size_t size = denied->scopes ? sizeof *denied : denied->network ? offsetof(struct landlock_rights, scopes) : sizeof denied->files;
	int rules = (int)syscall(LANDLOCK_CREATE, denied, size, 0);
	bool good = rules >= 0 && syscall(LANDLOCK_RESTRICT, rules, 0) == 0;
	if (rules >= 0)
		close(rules);
	return good;
}

/* --- the filter of system calls --- */

#if defined(__x86_64__)
#define SANDBOX_ARCH AUDIT_ARCH_X86_64 /* the numbers of x32 have a bit of their own, so that none of them is in the list */
#elif defined(__i386__)
#define SANDBOX_ARCH AUDIT_ARCH_I386
#elif defined(__aarch64__) && defined(__LP64__)
#define SANDBOX_ARCH AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARM_EABI__)
#define SANDBOX_ARCH AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define SANDBOX_ARCH AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SANDBOX_ARCH AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define SANDBOX_ARCH AUDIT_ARCH_S390X
#endif

#ifdef SANDBOX_ARCH

/* Jumps count the instructions that they skip. */
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(member))
#define SKIP_UNLESS_EQUAL(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, (count))
#define SKIP_IF_SET(bits, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), (count), 0)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define DENY BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
/* The lower half of an argument: descriptors and protections have 32 bits. */
#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + (n) * sizeof(uint64_t) + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0))

#define ALLOW_CALL(number) SKIP_UNLESS_EQUAL(number, 1), ALLOW
#define ALLOW_DESCRIPTOR(number, fd) SKIP_UNLESS_EQUAL(number, 4), LOAD(ARGUMENT(0)), SKIP_UNLESS_EQUAL(fd, 1), ALLOW, DENY
#define ALLOW_NO_CODE(number) SKIP_UNLESS_EQUAL(number, 4), LOAD(ARGUMENT(2)), SKIP_IF_SET(PROT_EXEC, 1), ALLOW, DENY

static const struct sock_filter allowed_calls[] = {
	LOAD(offsetof(struct seccomp_data, arch)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCH, 1, 0), KILL, /* numbers of another architecture are other calls */
	LOAD(offsetof(struct seccomp_data, nr)),
	ALLOW_DESCRIPTOR(__NR_read, STDIN_FILENO),
	ALLOW_DESCRIPTOR(__NR_write, STDOUT_FILENO),
	ALLOW_CALL(__NR_brk),
#if defined(__NR_mmap2)
	ALLOW_NO_CODE(__NR_mmap2),
#elif defined(__s390x__)
	ALLOW_CALL(__NR_mmap), /* its arguments are in memory, where the filter cannot look */
#else
	ALLOW_NO_CODE(__NR_mmap),
#endif
	ALLOW_NO_CODE(__NR_mprotect),
	ALLOW_CALL(__NR_mremap),
	ALLOW_CALL(__NR_munmap),
	ALLOW_CALL(__NR_madvise),
	ALLOW_CALL(__NR_exit),
	ALLOW_CALL(__NR_exit_group),
#if HAS_SHADOW
	ALLOW_CALL(__NR_sigaltstack), /* AddressSanitizer looks for stacks at a call that does not return, such as _exit() */
#endif
	DENY,
};

/* True where the kernel has no filters: the program is right, so it is for no other reason that it is not valid. */
static bool filter_calls(void)
{
	const struct sock_fprog program = { ARRAY_LEN(allowed_calls), (struct sock_filter *)(uintptr_t)allowed_calls };

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 || errno == EINVAL;
}

#else

static bool filter_calls(void)
{
	return true;
}

#endif

bool sandbox_enter(struct sandbox_limits limits)
{
	descriptors_close(STDERR_FILENO + 1);
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_DUMPABLE, 0) == 0 &&
	       (is_under_valgrind() || (deny_files() && limit_resources(limits) && filter_calls()));
}
