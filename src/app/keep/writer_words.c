/* What the writer says about trouble: what failed, where, and what to try. */
#include "app/keep/writer_inside.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/files/paths.h"

/* Where the words are NULL, those of the history say it best: they name the file or folder that is wrong. */
static const struct { const char *what, *advice; } troubles[] = {
	[HISTORY_BUSY] = { "another program keeps the history locked", "End that program" },
	[HISTORY_OLDER] = { NULL, NULL },
	[HISTORY_NEWER] = { "the history was written by a newer weir", "Start that version, or move the file away" },
	[HISTORY_READ_ONLY] = { "the history cannot be written to", "Make the file and its folder writable" },
	[HISTORY_FULL] = { "the disk is full", "Free some space" },
	[HISTORY_DAMAGED] = { "the history is damaged and could not be recovered", "Move the file away" },
	[HISTORY_STOPPED] = { NULL, NULL },
	[HISTORY_FAILED] = { NULL, NULL },
};

void writer_shorten_paths(struct error *sentence)
{
	const char *home = getenv("HOME");
	size_t length = home ? strlen(home) : 0;
	char *at = sentence->text;

	if (length < 2 || home[0] != '/')
		return;
	while ((at = strstr(at, home))) {
		bool begins = at == sentence->text || strchr(" '\"(", at[-1]);

		if (begins && at[length] == '/') {
			memmove(at + 1, at + length, strlen(at + length) + 1);
			*at = '~';
		}
		at++;
	}
}

void writer_reason(enum history_status status, const struct error *err, struct error *reason)
{
	const char *what = troubles[status].what;
	char *path = history_path();

	if (what && path)
		error_set(reason, "%s (%s)", what, path);
	else
		error_set(reason, "%s", what ? what : err->text);
	mem_free(path);
	writer_shorten_paths(reason);
}

const char *writer_work_of_child(enum history_status status)
{
	return status == HISTORY_DAMAGED ? "the history is still being recovered" :
	       status == HISTORY_OLDER ? "the history is still being brought to this version" :
	                                 "the history is still being created, and the disk takes long";
}

const char *writer_advice(enum history_status status)
{
	return troubles[status].advice;
}
