#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/subcommand.h"

/* A descriptor of ours must never become what others take for standard output. */
static void open_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* Keys are in our memory: no core dump, also none that the system pipes away, and no other process of the user may look. */
static void close_memory(void)
{
	prctl(PR_SET_DUMPABLE, 0);
}

/* Files are made 0600, folders 0700: no mask of the user's takes from that. What it withholds from others stays. */
static void allow_owner(void)
{
	umask(umask(0) & 077);
}

int main(int argc, char **argv)
{
	open_standard_descriptors();
	close_memory();
	allow_owner();
	/* Only characters and their widths come from the locale: numbers are always written with a point. */
	if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
	return subcommand_main(argc, argv);
}
