#include "app/system/output_file.h"

#include <string.h>
#include <unistd.h>

bool output_file_open(struct output_file *d, const char *path, bool overwrite, bool paged, struct error *err)
{
	*d = (struct output_file){ .is_file = path && strcmp(path, "-") != 0 };
	if (d->is_file)
		return save_file_open(&d->file, path, overwrite, err);
	if (paged)
		pager_open(&d->pager);
	else
		output_init(&d->pager.out, STDOUT_FILENO);
	return true;
}

bool output_file_take(void *destination, struct str piece, struct error *err)
{
	struct output_file *d = destination;

	if (d->is_file) {
		save_file_add(&d->file, piece);
		return !d->file.failure || error_set(err, "cannot write %s: %s", d->file.path, strerror(d->file.failure));
	}
	output_text(&d->pager.out, piece);
	return !d->pager.out.closed || error_set(err, "standard output is closed");
}

static int output_file_fail(const struct error *failure)
{
	complain("%s", failure->text);
	return EXIT_LOCAL;
}

int output_file_close(struct output_file *d, bool whole, const struct error *failure)
{
	struct error err = *failure;

	if (!d->is_file && (whole || d->pager.out.closed))
		return pager_close(&d->pager, EXIT_DONE);
	if (!d->is_file)
		return pager_close(&d->pager, output_file_fail(failure));
	if (!whole)
		save_file_drop(&d->file);
	return whole && save_file_close(&d->file, &err) ? EXIT_DONE : output_file_fail(&err);
}
