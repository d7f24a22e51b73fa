#include "base/descriptors.h"

#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

bool descriptors_ensure(unsigned count, struct error *err)
{
	int probes[DESCRIPTORS_MOST];
	unsigned made = 0;

	assert(count <= DESCRIPTORS_MOST);
	while (made < count && (probes[made] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO)) >= 0)
		made++;
	for (unsigned i = 0; i < made; i++)
		close(probes[i]);
	return made == count || error_set(err, "too few files may be open at once: %u are needed, %u are left (see `ulimit -n`)", count, made);
}
