#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/history/history_inside.h"
#include "store/maintain/maintain.h"
#include "store/maintain/rescue.h"
#include "store/turns.h"
#include "support/check.h"
#include "support/home.h"
#include "wire/protocol/protocol.h"

#define FILE_NAME "data/weir/history.db"
#define CONVERSATIONS 12
#define ANSWERS 12
#define PAGE 4096

static char *home;
static struct error err;
static struct buf sound, sound_wal; /* the file before it is damaged */

/* --- a history whose texts all differ --- */

static void add_text(struct turn *t, unsigned *seed, unsigned *number)
{
	struct buf text = { 0 };
	size_t words = check_random(seed) % 12 ? check_random(seed) % 60 : 6000;

	buf_printf(&text, "text %u:", (*number)++);
	for (size_t i = 0; i < words; i++)
		buf_printf(&text, " w%u", check_random(seed) % 5000);
	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = buf_str(&text), .at_ms = 5 });
	buf_fini(&text);
}

static void fill(struct history *h, unsigned *seed, unsigned *number, int conversations)
{
	for (int i = 0; i < conversations; i++) {
		int64_t conversation = 0, parent = 0;

		CU_ASSERT(history_begin(h, &(struct history_conversation){ .title = "title" }, &conversation, &err) == HISTORY_OK);
		for (int j = 0; j < ANSWERS; j++) {
			struct conversation *c = conversation_new();
			struct turn *t = conversation_answer(c, STR("p"), protocol_at(0), STR("m"));
			int64_t node = 0;

			add_text(t, seed, number);
			turn_add(t, PART_OPAQUE, STR("\xff\0 data"), STR_NONE, STR("format"));
			turns_end(t, OUTCOME_COMPLETE, 10);
			CU_ASSERT(history_put_turn(h, conversation, parent, t, &node, &err) == HISTORY_OK);
			parent = j % 3 ? node : parent;
			conversation_free(c);
		}
	}
}

static enum history_status maintain(bool check, struct maintain_result *result)
{
	return history_maintain(&(struct maintain_options){ .check = check }, result, &err);
}

static void read_file(struct buf *out, const char *name)
{
	buf_clear(out);
	CHECK(buf_read_file(out, home_path(home, name), &err), "%s", err.text);
}

/* Most of it in the file, the last conversations in the WAL. */
static void begin(void)
{
	struct maintain_result result;
	unsigned seed = 7, number = 0;

	home = home_new();
	setenv("XDG_DATA_HOME", home_path(home, "data"), 1);
	for (int i = 0; i < 2; i++) {
		enum history_status status;

		CHECK(maintain(false, &result) == HISTORY_OK, "%s", err.text);
		struct history *h = history_open(0, &status, &err);
		fill(h, &seed, &number, i ? 2 : CONVERSATIONS);
		history_close(h);
	}
	read_file(&sound, FILE_NAME);
	read_file(&sound_wal, FILE_NAME "-wal");
}

static void end(void)
{
	unsetenv("XDG_DATA_HOME");
	home_free(home);
	buf_fini(&sound);
	buf_fini(&sound_wal);
}

static void remove_all(void)
{
	char command[300];

	snprintf(command, sizeof command, "rm -rf '%s'/data/weir/*", home);
	CU_ASSERT(system(command) == 0);
}

static void write_file(const char *name, struct str bytes)
{
	int fd = open(home_path(home, name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT(str_write(bytes, fd) == 0);
	close(fd);
}

/* --- damages --- */

static void fill_random(char *bytes, size_t count, unsigned *seed)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = (char)check_random(seed);
}

/* Damages the bytes, and returns how many are left of them. */
static size_t damage(char *bytes, size_t length, unsigned *seed)
{
	size_t page = check_random(seed) % (length / PAGE) * PAGE, at = check_random(seed) % length;
	size_t most = length - at < 200 ? length - at : 200;

	switch (check_random(seed) % 7) {
	case 0: memset(bytes + page, 0, PAGE); break;
	case 1: fill_random(bytes + page, PAGE, seed); break;
	case 2: bytes[at] = (char)(bytes[at] ^ (1 << check_random(seed) % 8)); break;
	case 3: fill_random(bytes + at, most, seed); break;
	case 4: fill_random(bytes + page, 12, seed); break; /* a page's header, and its first cells */
	case 5: fill_random(bytes, 100, seed); break;
	case 6: return check_random(seed) % 3 ? length : at;
	}
	return length;
}

/* --- what is left --- */

static unsigned damage_number; /* of the damage that was done last */

static bool see_conversation(void *ctx, const struct history_conversation *c)
{
	int64_t *ids = ctx;

	if (ids[0] < 99)
		ids[++ids[0]] = c->id;
	return true;
}

struct nodes { int64_t ids[2000]; enum turn_role roles[2000]; size_t count; };

static bool see_node(void *ctx, const struct history_node *node)
{
	struct nodes *nodes = ctx;

	if (nodes->count == 2000)
		return false;
	nodes->ids[nodes->count] = node->id;
	nodes->roles[nodes->count++] = node->role;
	return true;
}

static bool see_hit(void *ctx, const struct history_hit *hit)
{
	(void)hit;
	++*(unsigned *)ctx;
	return true;
}

/* Counts the texts that are whole, by their number. */
static void count_texts(const struct turn *t, bool *seen, unsigned *count)
{
	for (size_t i = 0; i < t->part_count; i++) {
		unsigned number;

		if (t->parts[i].kind != PART_TEXT || sscanf(buf_z(&t->parts[i].text), "text %u:", &number) != 1 || number >= 1000 || seen[number])
			continue;
		seen[number] = true;
		++*count;
	}
}

static unsigned count_left(struct history *h)
{
	int64_t ids[100] = { 0 };
	bool seen[1000] = { false };
	unsigned count = 0, hits = 0;

	CHECK(history_list(h, NULL, 90, see_conversation, ids, &err) == HISTORY_OK, "damage %u: %s", damage_number, err.text);
	for (int64_t i = 1; i <= ids[0]; i++) {
		struct nodes nodes = { .count = 0 };

		CHECK(history_nodes(h, ids[i], see_node, &nodes, &err) == HISTORY_OK, "damage %u: %s", damage_number, err.text);
		for (size_t j = 0; j < nodes.count; j++) {
			struct conversation *c = conversation_new();
			struct turn *t = nodes.roles[j] == TURN_USER ? conversation_ask(c) : conversation_answer(c, STR(""), NULL, STR(""));

			CHECK(history_read_turn(h, nodes.ids[j], t, &err) == HISTORY_OK, "damage %u: %s", damage_number, err.text);
			count_texts(t, seen, &count);
			conversation_free(c);
		}
	}
	CHECK(history_search(h, STR("tex*"), 50, NULL, see_hit, &hits, &err) == HISTORY_OK, "damage %u: %s", damage_number, err.text);
	CHECK(hits > 0 || !count, "damage %u: nothing is found", damage_number);
	return count;
}

/* --- what sqlite3 brings back --- */

/* Debian's sqlite3 is built without what .recover needs; that in fossil has it, and keeps settings in HOME. */
static const char *const shells[] = { "sqlite3", "fossil sqlite3 --no-repository" };
static const char *shell;

/* The number of pieces that the other program recovers; and that we do not, if so asked. */
static int count_theirs(const char *recovered_table, bool and_not_ours)
{
	char command[2000], line[100] = "0";
	FILE *out;

	snprintf(command, sizeof command, "cd '%s' && HOME=. %s before.db \"ATTACH 'theirs.db' AS t; ATTACH '" FILE_NAME "' AS o; SELECT count(*) FROM piece "
	         "WHERE content IN (SELECT %s)%s\" 2>/dev/null", home, shell, recovered_table,
	         and_not_ours ? " AND content NOT IN (SELECT content FROM o.piece)" : "");
	out = popen(command, "r");
	if (!out || !fgets(line, sizeof line, out))
		strcpy(line, "0");
	if (out)
		pclose(out);
	return atoi(line);
}

static void recover_with_sqlite3(void)
{
	char command[1000];

	/* The first of them creates the settings: two at once would fail. */
	snprintf(command, sizeof command, "cd '%s' && export HOME=. && rm -f theirs.db && %s before.db .quit >/dev/null 2>&1 && "
	         "timeout 20 %s damaged.db .recover 2>/dev/null | %s theirs.db >/dev/null 2>&1", home, shell, shell, shell);
	(void)!system(command);
}

/* The first program that brings back what is in a sound file. */
static bool find_shell(void)
{
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		shell = shells[i];
		recover_with_sqlite3();
		if (count_theirs("content FROM t.piece", false))
			return true;
	}
	return false;
}

static void check_sqlite3_has_no_more(unsigned number)
{
	int missing = count_theirs("content FROM t.piece", true) + count_theirs("c3 FROM t.lost_and_found WHERE nfield = 4", true);

	CHECK(!missing, "damage %u: sqlite3 recovers %d texts more", number, missing);
}

/* --- tests --- */

static unsigned damages(unsigned few)
{
	const char *many = getenv("WEIR_DAMAGES");

	if (many && atoi(many) > 0)
		return (unsigned)atoi(many);
	return check_depth() == CHECK_SOME ? few : 2 * few;
}

static bool truncated; /* by the last damage */

/* Damages the file (or its WAL) in one place. Returns the number of texts that are left. */
static unsigned damage_once(unsigned seed, bool in_wal, struct maintain_result *result)
{
	struct buf bytes = { 0 };
	enum history_status status;
	unsigned left = 0;
	struct history *h;

	damage_number = seed;
	remove_all();
	buf_add(&bytes, buf_str(in_wal ? &sound_wal : &sound));
	bytes.len = damage(bytes.ptr, bytes.len, &seed);
	truncated = bytes.len < (in_wal ? sound_wal.len : sound.len);
	write_file(FILE_NAME, in_wal ? buf_str(&sound) : buf_str(&bytes));
	if (in_wal)
		write_file(FILE_NAME "-wal", buf_str(&bytes));
	write_file("damaged.db", buf_str(&bytes));
	status = maintain(true, result);
	CHECK(status == HISTORY_OK, "damage %u: %s", damage_number, err.text);
	h = history_open(0, &status, &err);
	CHECK(h, "damage %u: %s", damage_number, err.text);
	if (h)
		left = count_left(h);
	history_close(h);
	buf_fini(&bytes);
	return left;
}

static void a_damaged_file_loses_one_page(void)
{
	begin();
	for (unsigned i = 0, many = damages(14); i < many; i++) {
		struct maintain_result result;
		unsigned left = damage_once(i, false, &result);

		/* A leaf with the rows of texts; texts whose parts or nodes were in it stay, in other conversations. */
		CHECK(left >= CONVERSATIONS * ANSWERS - 60 || truncated, "damage %u: %u texts are left", i, left);
		CU_ASSERT(!result.damaged || access(result.damaged, F_OK) == 0);
		maintain_result_fini(&result);
	}
	end();
}

static void what_sqlite3_recovers_is_recovered(void)
{
	struct maintain_result none;

	begin();
	write_file("before.db", buf_str(&sound));
	write_file("damaged.db", buf_str(&sound));
	remove_all();
	CU_ASSERT(maintain(false, &none) == HISTORY_OK);
	if (!find_shell()) {
		check_skip("there is no program sqlite3 that has .recover, and no fossil");
		end();
		return;
	}
	for (unsigned i = 0, many = damages(6); i < many; i++) {
		struct maintain_result result;

		damage_once(i, false, &result);
		recover_with_sqlite3();
		check_sqlite3_has_no_more(i);
		maintain_result_fini(&result);
	}
	end();
}

static void a_damaged_wal_loses_no_more_than_itself(void)
{
	begin();
	for (unsigned i = 0, many = damages(8); i < many; i++) {
		struct maintain_result result;
		unsigned left = damage_once(i, true, &result);

		CHECK(left >= CONVERSATIONS * ANSWERS, "damage %u: %u texts are left", i, left);
		maintain_result_fini(&result);
	}
	end();
}

/* An index of prefixes: the check of FTS5 does not see it. */
static void a_damaged_search_is_indexed_anew(void)
{
	struct maintain_result result;
	unsigned left;

	begin();
	left = damage_once(3113, false, &result);
	CU_ASSERT_PTR_NULL(result.damaged);
	CHECK(left == CONVERSATIONS * ANSWERS, "%u texts are left", left);
	maintain_result_fini(&result);
	end();
}

/* A leaf of a table with few rows, which are long, so that few texts are lost with it. */
static size_t find_leaf(size_t after)
{
	for (size_t at = after + PAGE; at < sound.len; at += PAGE)
		if (sound.ptr[at] == 0x0D && !sound.ptr[at + 3] && sound.ptr[at + 4] >= 1 && sound.ptr[at + 4] <= 4)
			return at;
	return 0;
}

static void pages_that_only_the_wal_has_are_recovered(void)
{
	struct maintain_result result = { 0 };
	enum history_status status;
	unsigned left;

	begin();
	for (size_t at = find_leaf(0); at && !result.damaged; at = find_leaf(at)) {
		struct buf bytes = { 0 };

		remove_all();
		buf_add(&bytes, buf_str(&sound));
		memset(bytes.ptr + at, 0, PAGE);
		write_file(FILE_NAME, buf_str(&bytes));
		write_file(FILE_NAME "-wal", buf_str(&sound_wal));
		CHECK(maintain(true, &result) == HISTORY_OK, "%s", err.text);
		buf_fini(&bytes);
	}
	CU_ASSERT_PTR_NOT_NULL(result.damaged);
	maintain_result_fini(&result);
	struct history *h = history_open(0, &status, &err);
	left = count_left(h);
	CHECK(left > (CONVERSATIONS + 1) * ANSWERS && left <= (CONVERSATIONS + 2) * ANSWERS, "%u texts are left", left);
	history_close(h);
	end();
}

/* SQLite tells it as an error of the statement, if at all. */
static void check_text_of_table(const char *word, bool check)
{
	struct maintain_result result;
	enum history_status status;
	struct buf bytes = { 0 };
	size_t at = str_find(buf_str(&sound), str_from(word));

	CU_ASSERT_FATAL(at < sound.len);
	remove_all();
	buf_add(&bytes, buf_str(&sound));
	bytes.ptr[at] = 'x';
	write_file(FILE_NAME, buf_str(&bytes));
	CHECK(maintain(check, &result) == HISTORY_OK, "%s: %s", word, err.text);
	CHECK(result.damaged, "%s: nothing is noticed", word);
	maintain_result_fini(&result);
	struct history *h = history_open(0, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	CU_ASSERT_EQUAL(count_left(h), CONVERSATIONS * ANSWERS);
	history_close(h);
	buf_fini(&bytes);
}

static void a_table_with_a_damaged_text_is_recovered(void)
{
	begin();
	check_text_of_table("span INTEGER", false);
	check_text_of_table("model_unknown", true);
	end();
}

static void count_row(void *ctx, int64_t row, const struct value *values, size_t count)
{
	unsigned *rows = ctx;

	(void)row, (void)values, (void)count;
	++*rows;
}

/* A file may claim a terabyte: its rows are found before and behind the hole, but not beyond the limit. */
static void a_hole_is_not_read(void)
{
	static const struct { off_t at; unsigned times; } copies[] = { { (off_t)1 << 30, 2 }, { (off_t)1 << 39, 2 } };
	unsigned rows, once = 0;

	begin();
	write_file(FILE_NAME, buf_str(&sound));
	int fd = open(home_path(home, FILE_NAME), O_RDWR);
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT(rescue_read(fd, -1, count_row, &once) && once > 0);
	for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
		CU_ASSERT_EQUAL_FATAL(pwrite(fd, sound.ptr, sound.len, copies[i].at), (ssize_t)sound.len);
		rows = 0;
		CU_ASSERT(rescue_read(fd, -1, count_row, &rows));
		CHECK(rows == once * copies[i].times, "copy %zu: %u rows, %u each time", i, rows, once);
	}
	close(fd);
	end();
}

/* --- pages that refer to one another --- */

static void put_big(char *at, size_t bytes, uint32_t number)
{
	for (size_t i = 0; i < bytes; i++)
		at[i] = (char)(number >> 8 * (bytes - 1 - i));
}

static void add_length(void *ctx, int64_t row, const struct value *values, size_t count)
{
	size_t *bytes = ctx;

	(void)row;
	for (size_t i = 0; i < count; i++)
		*bytes += values[i].text.len;
}

/* Three pages: a leaf of many rows, each of which says that it has a quarter of a gigabyte, in a page that is its own next one. */
static void a_ring_of_pages_is_read_once(void)
{
	/* The payload's length, the row, and a record of one text. */
	static const char cell[] = "\xff\xff\xff\x7f\x01\x05\xff\xff\xff\x60";
	struct buf bytes = { 0 };
	size_t read = 0;
	char *leaf;

	home = home_new();
	leaf = buf_extend(&bytes, 3 * PAGE);
	memset(leaf, 0, 3 * PAGE);
	for (unsigned i = 0; i < 500; i++) {
		put_big(leaf + PAGE + 8 + 2 * i, 2, 1100 + i * 5);
		memcpy(leaf + PAGE + 1100 + i * 5, cell, sizeof cell - 1);
	}
	for (size_t at = PAGE + 3700; at < 2 * PAGE; at += 4)
		put_big(leaf + at, 4, 3);
	leaf[PAGE] = 0x0D;
	put_big(leaf + PAGE + 3, 2, 500);
	put_big(leaf + 2 * PAGE, 4, 3);
	write_file("ring.db", buf_str(&bytes));
	int fd = open(home_path(home, "ring.db"), O_RDONLY);
	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_TRUE(rescue_read(fd, -1, add_length, &read));
	CHECK(read <= 8 * bytes.len, "%zu bytes are read from %zu", read, bytes.len);
	close(fd);
	buf_fini(&bytes);
	home_free(home);
}

/*
 * A page, and pages behind `after` that were leaves, have each the next one as their child, 400 times. Reading the table of that page would take
 * for ever. Returns how many follow.
 */
static size_t make_endless(struct buf *bytes, size_t page, size_t after)
{
	size_t levels = 0;


	for (size_t at = find_leaf(after); at && levels < 8; at = find_leaf(at), levels++) {
		char *p = bytes->ptr + (page - 1) * PAGE;

		memset(p, 0, PAGE);
		p[0] = 0x05;
		put_big(p + 3, 2, 400);
		put_big(p + 5, 2, 3000);
		put_big(p + 8, 4, (uint32_t)(at / PAGE + 1));
		for (unsigned i = 0; i < 400; i++) {
			put_big(p + 12 + 2 * i, 2, 3000 + i % 100 * 10);
			put_big(p + 3000 + i % 100 * 10, 4, (uint32_t)(at / PAGE + 1));
			p[3004 + i % 100 * 10] = 1;
		}
		page = at / PAGE + 1;
	}
	return levels;
}

static size_t root_of(const char *table)
{
	enum database_status status;
	struct database *db = database_open(home_path(home, FILE_NAME), DATABASE_WRITE, 0, &status, &err);
	size_t page = (size_t)database_integer(db, "SELECT rootpage FROM sqlite_schema WHERE name = ?", VALUES(TEXT(str_from(table))), 0);

	database_close(db);
	return page;
}

static enum database_status read_all(const char *table)
{
	enum database_status status;
	struct database *db = database_open(home_path(home, FILE_NAME), DATABASE_WRITE, 0, &status, &err);
	char sql[100];

	snprintf(sql, sizeof sql, "SELECT sum(length(text)) FROM %s", table);
	if (!db)
		return status;
	database_integer(db, sql, NO_VALUES, 0);
	status = database_status(db);
	CU_ASSERT_EQUAL(database_was_damaged(db), status == DATABASE_DAMAGED);
	database_close(db);
	return status;
}

/* Also the table of the tables, which SQLite reads before the first statement. */
static void a_table_without_end_is_damage(void)
{
	static const char *const tables[] = { "note", NULL };

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		struct maintain_result result;
		struct buf bytes = { 0 };

		begin();
		buf_add(&bytes, buf_str(&sound));
		write_file(FILE_NAME, buf_str(&sound));
		CU_ASSERT_EQUAL(make_endless(&bytes, tables[i] ? root_of(tables[i]) : root_of("form"), tables[i] ? 60 * PAGE : 0), 8);
		remove_all();
		write_file(FILE_NAME, buf_str(&bytes));
		CU_ASSERT_EQUAL(read_all("note"), DATABASE_DAMAGED);
		CHECK(maintain(true, &result) == HISTORY_OK && result.damaged, "%s", err.text);
		maintain_result_fini(&result);
		buf_fini(&bytes);
		end();
	}
}

static unsigned looks;

static bool wants_stop(void)
{
	return ++looks > 3;
}

static void a_statement_is_stopped(void)
{
	enum database_status status;

	begin();
	struct database *db = database_open(home_path(home, FILE_NAME), DATABASE_WRITE, 0, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(db);
	looks = 0;
	database_stop_when(db, wants_stop);
	database_integer(db, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n", NO_VALUES, 0);
	CU_ASSERT(database_status(db) == DATABASE_STOPPED && looks == 4);
	database_close(db);
	end();
}

/* A power failure can leave a file empty. SQLite would remove its WAL. */
static void a_wal_without_its_file_is_recovered(void)
{
	struct maintain_result result;
	enum history_status status;

	begin();
	CU_ASSERT_EQUAL(truncate(home_path(home, FILE_NAME), 0), 0);
	CU_ASSERT(!history_open(0, &status, &err) && status == HISTORY_DAMAGED);
	CHECK(maintain(false, &result) == HISTORY_OK && result.damaged && result.recovered > 0, "%s", err.text);
	maintain_result_fini(&result);
	struct history *h = history_open(0, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	CU_ASSERT(count_left(h) > ANSWERS);
	history_close(h);
	end();
}

const struct suite suite_history_damage = { "history_damage", (const struct test[]){
	TEST(a_damaged_file_loses_one_page), TEST(what_sqlite3_recovers_is_recovered), TEST(a_damaged_wal_loses_no_more_than_itself),
	TEST(a_damaged_search_is_indexed_anew), TEST(pages_that_only_the_wal_has_are_recovered), TEST(a_table_with_a_damaged_text_is_recovered),
	TEST(a_hole_is_not_read), TEST(a_ring_of_pages_is_read_once), TEST(a_table_without_end_is_damage), TEST(a_statement_is_stopped),
	TEST(a_wal_without_its_file_is_recovered), { 0 } } };
