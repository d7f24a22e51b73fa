#include "base/os/sandbox.h"

#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "base/os/descriptor.h"

const bool sandbox_is_whole = false;

/* Without the memory where the system cannot limit it. */
bool sandbox_enter(struct sandbox_limits limits)
{
	rlim_t memory = limits.memory_bytes, seconds = limits.seconds;
	bool good;

	descriptors_close(STDERR_FILENO + 1);
	good = setrlimit(RLIMIT_CPU, &(struct rlimit){ seconds, seconds }) == 0 && setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 }) == 0 &&
	       setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 0, 0 }) == 0 && setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 0, 0 }) == 0;
	(void)setrlimit(RLIMIT_AS, &(struct rlimit){ memory, memory });
	return good;
}
