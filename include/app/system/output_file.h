/*
 * Where a document of a subcommand goes: to the file that `-o FILE` names, else to standard output, through the pager or not. `-` is
 * standard output too. A document that is not whole leaves no file.
 */
#ifndef WEIR_APP_OUTPUT_FILE_H
#define WEIR_APP_OUTPUT_FILE_H

#include "app/system/pager.h"
#include "app/system/save_file.h"

struct output_file { /* embedded */
	struct pager pager;
	struct save_file file;
	bool is_file;
};

/* `path`: NULL is standard output. `overwrite`: an existing file may be replaced. */
MUST_USE bool output_file_open(struct output_file *d, const char *path, bool overwrite, bool paged, struct error *err);
/* Writes a piece. False once nothing more is taken: nobody reads, or a write failed. */
MUST_USE bool output_file_take(void *destination, struct str piece, struct error *err);
/* Returns the exit status. With `whole` false it is EXIT_LOCAL, after the line `failure` on standard error unless nobody reads. */
int output_file_close(struct output_file *d, bool whole, const struct error *failure);

#endif
