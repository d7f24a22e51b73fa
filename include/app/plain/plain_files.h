/*
 * What the linear mode asks about context: which files of a folder go with the next prompt, and whether a command that was typed is run.
 */
#ifndef WEIR_APP_PLAIN_FILES_H
#define WEIR_APP_PLAIN_FILES_H

#include "app/plain/plain_host.h"
#include "app/setup/context.h"

struct plain_files {
	struct plain_host *host;
	struct context_file *files;
	size_t count;
	char *command;
};

void plain_files_fini(struct plain_files *f);
void plain_files_mark(struct plain_files *f, const char *folder); /* lists the files and asks for their numbers */
void plain_files_confirm(struct plain_files *f, struct str command); /* asks whether to run it. It was typed, in a line that came alone */

#endif
