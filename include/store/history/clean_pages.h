/*
 * Where SQLite moves rows from one page to another, it leaves their bytes behind in the part of the page that it does not use any more, even
 * with PRAGMA secure_delete: what is deleted later would stay there. This layer below SQLite (a VFS) writes zeros there instead, whenever a
 * page goes into the file of a database: at each checkpoint.
 *
 * The format of pages is fixed: https://www.sqlite.org/fileformat.html, 1.6. What is not such a page is written as it is.
 */
#ifndef WEIR_STORE_CLEAN_PAGES_H
#define WEIR_STORE_CLEAN_PAGES_H

#include <stddef.h>

#define CLEAN_PAGE 4096u /* pages of other sizes are written as they are */
/* With more pages the first byte of a page number could be taken for that of a page: 128 GiB. */
#define CLEAN_PAGES_MOST "33554431"

/* The name of the VFS for sqlite3_open_v2(). NULL: SQLite's own. */
const char *clean_pages_vfs(void);

/* Overwrites what is not used. `number` counts from 0: the first page begins with the header of the file. */
void clean_page(unsigned char page[CLEAN_PAGE], size_t number);

#endif
