/* What SQLite leaves in pages where rows were moved. */
#include "store/history/clean_pages.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "store/history/database.h"
#include "support/check.h"
#include "support/home.h"

static struct error err;

static void put16(unsigned char *page, size_t at, size_t number)
{
	page[at] = (unsigned char)(number >> 8);
	page[at + 1] = (unsigned char)number;
}

struct page { unsigned char bytes[CLEAN_PAGE]; };

/* A page with cells at its end, and bytes everywhere else. */
static struct page make_page(unsigned char type, size_t header, size_t count, size_t cells)
{
	struct page page;
	size_t offsets = header + (type == 2 || type == 5 ? 12 : 8);

	memset(page.bytes, 'x', sizeof page.bytes);
	page.bytes[header] = type;
	put16(page.bytes, header + 3, count);
	put16(page.bytes, header + 5, cells);
	for (size_t i = 0; i < count && offsets + 2 * i + 1 < CLEAN_PAGE; i++)
		put16(page.bytes, offsets + 2 * i, cells + i < CLEAN_PAGE ? cells + i : 0);
	return page;
}

/* The bytes that were changed: from, and up to. */
static void check_page(struct page page, size_t number, size_t from, size_t to)
{
	struct page clean = page;

	clean_page(clean.bytes, number);
	for (size_t i = 0; i < CLEAN_PAGE; i++)
		if (clean.bytes[i] != (i >= from && i < to ? 0 : page.bytes[i])) {
			CHECK(false, "page %zu of kind %d: byte %zu is %d", number, page.bytes[number ? 0 : 100], i, clean.bytes[i]);
			return;
		}
}

static void pages_are_clean(void)
{
	struct page odd;

	check_page(make_page(13, 0, 3, 4000), 1, 14, 4000);
	check_page(make_page(10, 0, 0, 4096), 9, 8, 4096);
	check_page(make_page(5, 0, 2, 3000), 1, 16, 3000);
	check_page(make_page(2, 0, 100, 300), 1, 212, 300);
	check_page(make_page(13, 100, 5, 1000), 0, 118, 1000);
	check_page(make_page(13, 0, 5, 18), 1, 0, 0); /* full */
	check_page(make_page(7, 0, 3, 4000), 1, 0, 0);
	check_page(make_page(0, 0, 3, 4000), 1, 0, 0);
	check_page(make_page(13, 0, 3, 5000), 1, 0, 0);
	check_page(make_page(13, 0, 3000, 4000), 1, 0, 0);
	check_page(make_page(13, 0, 0, 100), 1, 0, 0);
	odd = make_page(13, 0, 3, 4000);
	put16(odd.bytes, 10, 3999); /* a cell where none is */
	check_page(odd, 1, 0, 0);
	memset(odd.bytes, 0, sizeof odd.bytes);
	check_page(odd, 1, 0, 0);
}

#define ROWS 4000
#define MARK "ZEBRA"

static size_t count_marks(const char *path)
{
	struct buf bytes = { 0 };
	size_t count = 0;

	CU_ASSERT(buf_read_file(&bytes, path, &err));
	for (struct str rest = buf_str(&bytes); str_find(rest, STR(MARK)) < rest.len; count++)
		rest = str_skip(rest, str_find(rest, STR(MARK)) + 1);
	buf_fini(&bytes);
	return count;
}

static void write_row(struct buf *text, bool marked, unsigned *seed)
{
	buf_clear(text);
	for (unsigned n = 1 + check_random(seed) % 150; n--;)
		buf_add_z(text, marked ? MARK " " : "other ");
}

/* Rows that come in any order move others; some of them go. Without the layer some hundred marks would stay. */
static void nothing_that_was_deleted_stays(void)
{
	enum database_status status;
	char *home = home_new();
	char *path = mem_dup_z(home_path(home, "a.db"));
	struct database *db = database_open(path, DATABASE_CREATE, 0, &status, &err);
	struct buf text = { 0 };
	unsigned seed = 1;

	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	database_script(db, "CREATE TABLE t (id INTEGER PRIMARY KEY, words TEXT); CREATE INDEX i ON t (words)");
	for (unsigned i = 0; i < ROWS; i++) {
		unsigned id = i * 1597 % ROWS;

		if (i % 50 == 0)
			database_script(db, i ? "COMMIT; BEGIN" : "BEGIN");
		write_row(&text, id % 7 == 0, &seed);
		database_do(db, "INSERT INTO t VALUES (?, ?)", VALUES(INTEGER(id), TEXT(buf_str(&text))));
	}
	database_script(db, "COMMIT");
	CU_ASSERT(database_checkpoint(db, true));
	CU_ASSERT(count_marks(path) > ROWS / 7);
	database_script(db, "BEGIN");
	for (unsigned i = 0; i < ROWS; i += 7) {
		unsigned id = i * 1597 % ROWS / 7 * 7;

		write_row(&text, false, &seed);
		database_do(db, i % 2 ? "DELETE FROM t WHERE id = ?1 AND ?2" : "UPDATE t SET words = ?2 WHERE id = ?1", VALUES(INTEGER(id), TEXT(buf_str(&text))));
	}
	database_script(db, "COMMIT");
	database_do(db, "DELETE FROM t WHERE words LIKE '" MARK "%'", NO_VALUES);
	CU_ASSERT(database_checkpoint(db, true));
	CHECK(database_is_sound(db), "%s", database_message(db));
	CU_ASSERT(database_integer(db, "SELECT count(*) FROM t", NO_VALUES, 0) > ROWS / 2);
	CU_ASSERT_EQUAL(count_marks(path), 0);
	database_close(db);
	mem_free(path);
	buf_fini(&text);
	home_free(home);
}

const struct suite suite_clean_pages = { "clean_pages", (const struct test[]){
	TEST(pages_are_clean),
	TEST(nothing_that_was_deleted_stays),
	{ 0 },
} };
