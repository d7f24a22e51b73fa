/*
 * Large JSON files, one value at a time: the outer array or object is walked by its brackets, and each value in it is given as text. Memory
 * is bounded by the largest value.
 *
 * The values are not validated here.
 */
#ifndef WEIR_STORE_JSON_FILE_H
#define WEIR_STORE_JSON_FILE_H

#include <stdint.h>

#include "base/text.h"

#define JSON_FILE_VALUE_MOST ((size_t)256 << 20)

struct json_file {
	int fd;            /* not owned */
	struct buf window; /* what has been read and not been used */
	size_t at;         /* of the next byte in the window */
	uint64_t before;   /* bytes of the file before the window */
	bool ended;
	bool failed;       /* `err` says why; nothing more is read */
	struct error err;
};

void json_file_init(struct json_file *f, int fd);
void json_file_fini(struct json_file *f);
void json_file_rewind(struct json_file *f); /* to the start of a regular file */

/* The next byte that is not blank, which stays; -1 at the end or after a failure. Skips a BOM at the start. */
int json_file_peek(struct json_file *f);
/* Takes the next byte that is not blank if it is `byte`. */
bool json_file_take(struct json_file *f, char byte);
/* Takes the next value: an object, an array, a string or a word. Borrowed until the next call. False at the end or after a failure. */
bool json_file_value(struct json_file *f, struct str *value);
/* The first bytes of the file. Only before anything was taken. */
struct str json_file_head(struct json_file *f, size_t count);
uint64_t json_file_offset(const struct json_file *f);

#endif
