#include "app/system/destination.h"

#include <string.h>
#include <unistd.h>

bool destination_open(struct destination *d, const char *path, bool overwrite, bool paged, struct error *err)
{
	*d = (struct destination){ .is_file = path && strcmp(path, "-") != 0 };
	if (d->is_file)
		return save_file_open(&d->file, path, overwrite, err);
	if (paged)
		pager_open(&d->pager);
	else
		output_init(&d->pager.out, STDOUT_FILENO);
	return true;
}

bool destination_take(void *destination, struct str piece, struct error *err)
{
	struct destination *d = destination;

	if (d->is_file) {
		save_file_add(&d->file, piece);
		return !d->file.failure || error_set(err, "cannot write %s: %s", d->file.path, strerror(d->file.failure));
	}
	output_text(&d->pager.out, piece);
	return !d->pager.out.closed || error_set(err, "standard output is closed");
}

static int destination_fail(const struct error *failure)
{
	complain("%s", failure->text);
	return EXIT_LOCAL;
}

int destination_close(struct destination *d, bool whole, const struct error *failure)
{
	struct error err = *failure;

	if (!d->is_file && (whole || d->pager.out.closed))
		return pager_close(&d->pager, EXIT_DONE);
	if (!d->is_file)
		return pager_close(&d->pager, destination_fail(failure));
	if (!whole)
		save_file_drop(&d->file);
	return whole && save_file_close(&d->file, &err) ? EXIT_DONE : destination_fail(&err);
}
