#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/keep/writer.h"
#include "app/options/subcommand.h"
#include "app/system/picture_helper.h"
#include "base/digest.h"
#include "base/os/process.h"

/* Opens closed standard descriptors, so that no file opened later becomes standard output. */
static void main_open_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	main_open_descriptors();
	process_started_as(argv[0]);
	/* Memory holds API keys: prevents core dumps, including piped ones, and access by the user's other processes. */
	process_hide();
	/* Files are created with 0600, folders with 0700. Clears the owner's bits of the umask, which would restrict that. */
	umask(umask(0) & 077);
	digest_set_up();
	/* Only character types and widths come from the locale: numbers always have a decimal point. */
	if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
	picture_helper_run(argc, argv);
	writer_maintain_run(argc, argv);
	return subcommand_main(argc, argv);
}
