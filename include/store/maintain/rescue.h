/*
 * Reads rows from the pages of a SQLite file that SQLite itself refuses, by the file format (sqlite.org/fileformat2.html). Every leaf page of
 * a table is read, wherever it is, so a lost inner page loses nothing. Pages that are only in the WAL are read from there. Deleted rows are
 * not found: their pages were overwritten (secure_delete).
 *
 * The file is not changed. Nothing in it is believed: every length and page number is bounded. A page is read once for its rows, and at most
 * twice as the rest of a longer row, so pages that refer to one another make neither the reading nor what is read larger.
 */
#ifndef WEIR_STORE_RESCUE_H
#define WEIR_STORE_RESCUE_H

#include "store/history/database.h"

#define RESCUE_COLUMNS_MOST 128
#define RESCUE_ROW_MOST ((size_t)300 << 20) /* bytes; a longer row is damage */

/* A row of some table. The values are borrowed for the call. A text may lack its end. */
typedef void rescue_row(void *ctx, int64_t row, const struct value *values, size_t count);

/* Reads all rows of a file and its WAL (-1: none). False if the file cannot be read at all. */
bool rescue_read(int file, int wal, rescue_row *visit, void *ctx);

#endif
