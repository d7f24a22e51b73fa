#include "store/history/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os/random.h"
#include "store/files/paths.h"
#include "store/files/private_folder.h"
#include "store/history/history_inside.h"
#include "store/history/index.h"

#define WAL_PAGES_WANT_MAINTENANCE 4096 /* 16 MiB */
#define STALE_MOST 5000    /* pieces that a search has to read */
#define STALE_AT_LAST 200
#define LOOK_NS 10000000
#define LOOKS_MOST 200 /* 2 s for another program that moves the WAL */

int64_t history_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

char *history_path(void)
{
	return path_of(PATH_DATA, HISTORY_FILE);
}

/* --- statuses --- */

enum history_status history_status_of(enum database_status status)
{
	static const enum history_status statuses[] = {
		[DATABASE_OK] = HISTORY_OK,
		[DATABASE_BUSY] = HISTORY_BUSY,
		[DATABASE_ABSENT] = HISTORY_GONE,
		[DATABASE_READ_ONLY] = HISTORY_READ_ONLY,
		[DATABASE_FULL] = HISTORY_FULL,
		[DATABASE_STOPPED] = HISTORY_STOPPED,
		[DATABASE_DAMAGED] = HISTORY_DAMAGED,
		[DATABASE_FAILED] = HISTORY_FAILED,
	};

	return statuses[status];
}

enum history_status history_status_from(struct database *db, const char *what, struct error *err)
{
	enum database_status status = database_status(db);

	err->text[0] = '\0';
	if (status != DATABASE_OK)
		error_set(err, "%s: %s", what, database_message(db));
	return history_status_of(status);
}

enum history_status history_look_at_files(struct history *h, struct error *err)
{
	h->wrong = h->batch ? NULL : history_files_wrong(h);
	if (!h->wrong)
		return HISTORY_OK;
	error_set(err, "%s", h->wrong);
	return HISTORY_REPLACED;
}

void history_open_transaction(struct history *h)
{
	struct error ignored;

	if (h->batch++)
		return;
	h->batch = 0;
	(void)history_look_at_files(h, &ignored);
	h->batch = 1;
	database_clear(h->db);
	if (h->wrong)
		database_fail(h->db, DATABASE_FAILED, h->wrong);
	database_begin(h->db);
}

enum history_status history_close_transaction(struct history *h, const char *what, struct error *err)
{
	enum history_status status;

	if (--h->batch)
		return history_status_from(h->db, what, err);
	if (h->unsummed)
		history_sum_up(h, h->unsummed);
	h->unsummed = 0;
	database_end(h->db);
	status = history_status_from(h->db, what, err);
	database_clear(h->db);
	if (status == HISTORY_OK)
		history_files_note(h);
	else if (history_look_at_files(h, err) != HISTORY_OK)
		status = HISTORY_REPLACED;
	return status;
}

enum history_status history_batch(struct history *h, struct error *err)
{
	history_open_transaction(h);
	if (!h->wrong)
		return history_status_from(h->db, "the history is not changed", err);
	error_set(err, "%s", h->wrong);
	return HISTORY_REPLACED;
}

enum history_status history_commit(struct history *h, struct error *err)
{
	return history_close_transaction(h, "the history is not changed", err);
}

/* Also ends an operation in a batch, whose failure is kept for history_commit(). */
enum history_status history_end_reading(struct history *h, const char *what, struct error *err)
{
	enum history_status status = history_status_from(h->db, what, err);

	if (!h->batch)
		database_clear(h->db);
	return status;
}

void history_require_row(struct history *h, int64_t count)
{
	if (!count)
		database_fail(h->db, DATABASE_ABSENT, "it has been deleted");
}

bool history_wants_maintenance(const struct history *h)
{
	return database_wal_pages(h->db) > WAL_PAGES_WANT_MAINTENANCE || h->has_backlog;
}

void history_is_maintained(struct history *h)
{
	h->has_backlog = false;
}

/* --- the index --- */

#define FRESH_BYTES_MOST ((size_t)4 << 20)

/* One transaction, where it is worth one: for programs that store little, and are run often. */
static void index_some_at_last(struct history *h)
{
	if (!database_integer(h->db, "SELECT EXISTS (SELECT 1 FROM stale LIMIT 1 OFFSET ?)", VALUES(INTEGER(STALE_AT_LAST)), 0))
		return;
	database_begin(h->db);
	(void)index_some(h->db, INDEX_STALE);
	database_end(h->db);
}

enum history_status history_index_fresh(struct history *h, struct error *err)
{
	enum history_status status = HISTORY_OK;
	bool more = h->fresh_bytes >= FRESH_BYTES_MOST;

	if (more)
		h->fresh_bytes = 0;
	while (more && status == HISTORY_OK) {
		history_open_transaction(h);
		more = index_some(h->db, INDEX_STALE);
		status = history_close_transaction(h, "the history is not indexed", err);
	}
	return status;
}

void history_checkpoint(struct history *h)
{
	database_clear(h->db);
	database_checkpoint(h->db, false);
	database_clear(h->db);
}

void history_move_wal(struct database *db)
{
	if (database_checkpoint(db, false))
		database_do(db, "UPDATE form SET tended = ?", VALUES(INTEGER(history_now_ms())));
}

/* Whoever ends last finds nobody else who moves it: so nothing stays there. */
void history_finish(struct history *h)
{
	bool writes = h && database_wal_pages(h->db);

	if (h)
		database_clear(h->db);
	if (writes)
		index_some_at_last(h);
	for (int looks = 0; h && looks < LOOKS_MOST && database_status(h->db) == DATABASE_OK && !database_checkpoint(h->db, false); looks++)
		nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
	if (writes && database_status(h->db) == DATABASE_OK)
		history_move_wal(h->db);
	history_close(h);
}

/* --- opening --- */

enum history_status history_not_opened(struct error *err)
{
	const struct error why = *err;

	error_set(err, "the history cannot be opened: %s", why.text);
	return HISTORY_FAILED;
}

/* Translates what a private folder says. PRIVATE_REFUSED has set the error. */
static enum history_status status_of_private(enum private_state state, struct error *err)
{
	if (state == PRIVATE_MISSING)
		error_set(err, "there is no history yet");
	if (state == PRIVATE_REFUSED)
		return history_not_opened(err);
	return state == PRIVATE_OPEN ? HISTORY_OK : HISTORY_ABSENT;
}

bool history_is_emptied(int folder)
{
	struct stat file, wal;

	return fstatat(folder, HISTORY_FILE, &file, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstatat(folder, HISTORY_FILE "-wal", &wal, AT_SYMLINK_NOFOLLOW) == 0 &&
	       !file.st_size && wal.st_size;
}

/* The path of the file without links, because SQLite follows none. NULL with a status if there is no private file. */
static char *find_file(struct stat *facts, enum history_status *status, struct error *err)
{
	struct private_folder folder;
	char *real = NULL;
	struct buf path = { 0 };

	*status = status_of_private(private_folder_open_data(&folder, false, err), err);
	if (*status != HISTORY_OK)
		return NULL;
	*status = status_of_private(private_file_check(&folder, HISTORY_FILE, facts, err), err);
	if (*status == HISTORY_OK && history_is_emptied(folder.fd)) {
		*status = HISTORY_DAMAGED;
		error_set(err, "the history cannot be read: it is damaged");
	}
	if (*status == HISTORY_OK && !(real = realpath(folder.path, NULL))) {
		*status = HISTORY_FAILED;
		error_set(err, "the history cannot be opened: %s", strerror(errno));
	}
	if (real)
		buf_printf(&path, "%s/" HISTORY_FILE, real);
	free(real);
	private_folder_close(&folder);
	return *status == HISTORY_OK ? buf_take(&path) : NULL;
}

/* Nobody can write into its folder, and it holds all: SQLite, which makes an index of the WAL there, must take it as it is. */
static bool is_at_rest(const char *path)
{
	struct buf folder = { 0 }, wal = { 0 };
	struct stat facts;
	bool rests;

	buf_printf(&folder, "%.*s", (int)(strlen(path) - strlen("/" HISTORY_FILE)), path);
	buf_printf(&wal, "%s-wal", path);
	rests = faccessat(AT_FDCWD, buf_z(&folder), W_OK, AT_EACCESS) != 0 && (lstat(buf_z(&wal), &facts) != 0 || !facts.st_size);
	buf_fini(&folder);
	buf_fini(&wal);
	return rests;
}

static enum history_status open_checked(struct history *h, int patience_ms, struct error *err)
{
	enum database_status opened;
	struct error why = { "" };
	enum history_status status;

	h->db = database_open(h->path, DATABASE_WRITE, patience_ms, &opened, &why);
	if (!h->db && is_at_rest(h->path))
		h->db = database_open(h->path, DATABASE_AT_REST, patience_ms, &opened, &why);
	if (!h->db) {
		error_set(err, "the history cannot be opened: %s", why.text);
		return history_status_of(opened);
	}
	status = history_check_form(h->db, err);
	h->has_backlog = status == HISTORY_OK &&
	                 database_integer(h->db, "SELECT backlog > 0 OR EXISTS (SELECT 1 FROM stale LIMIT 1 OFFSET ?) FROM form",
	                                                          VALUES(INTEGER(STALE_MOST)), 0);
	database_clear(h->db);
	return status == HISTORY_OK && !database_has_wal(h->db) ? HISTORY_OLDER /* a backup: history_maintain() opens it as ours */ : status;
}

struct history *history_open(int patience_ms, enum history_status *status, struct error *err)
{
	struct history *h = mem_new(sizeof *h);
	struct stat facts;

	h->path = find_file(&facts, status, err);
	if (h->path) {
		h->files[0].device = facts.st_dev;
		h->files[0].inode = facts.st_ino;
		*status = open_checked(h, patience_ms, err);
	}
	if (*status != HISTORY_OK) {
		history_close(h);
		return NULL;
	}
	history_files_note(h);
	history_turn_init(h);
	return h;
}

void history_stop_when(struct history *h, bool (*wants_stop)(void))
{
	database_stop_when(h->db, wants_stop);
}

bool history_was_damaged(const struct history *h)
{
	return database_was_damaged(h->db);
}

void history_close(struct history *h)
{
	if (!h)
		return;
	if (h->path)
		history_files_close(h);
	history_turn_fini(h);
	mem_free(h->path);
	mem_free(h);
}

/* --- conversations --- */

#define NOT_CHANGED "the history is not changed"

static void make_key(char key[17])
{
	uint64_t number = 0;

	if (!random_fill(&number, sizeof number))
		number = (uint64_t)history_now_ms() * 0x9E3779B97F4A7C15u ^ (uint64_t)getpid();
	snprintf(key, 17, "%016llx", (unsigned long long)number);
}

enum history_status history_begin(struct history *h, const struct history_conversation *facts, int64_t *conversation, struct error *err)
{
	int64_t now = history_now_ms(), created = facts->created_ms ? facts->created_ms : now;
	enum history_status status;
	char key[17];

	make_key(key);
	history_open_transaction(h);
	if (facts->key)
		database_do(h->db, "UPDATE conversation SET key = key || '-' || id WHERE key = ? AND deleted IS NOT NULL",
		            VALUES(TEXT(str_from(facts->key))));
	database_do(h->db, "INSERT INTO conversation (key, title, titled_by, created, updated, pinned, provider, model, protocol, system_prompt, "
	            "parameters, tools, schema, asked) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	            VALUES(TEXT(str_from(facts->key ? facts->key : key)), TEXT_OR_NOTHING(facts->title), TEXT_OR_NOTHING(facts->titled_by),
	                   INTEGER(created), INTEGER(facts->updated_ms ? facts->updated_ms : created), INTEGER(facts->pinned),
	                   TEXT_OR_NOTHING(facts->provider), TEXT_OR_NOTHING(facts->model), TEXT_OR_NOTHING(facts->protocol),
	                   TEXT_OR_NOTHING(facts->system_prompt), TEXT_OR_NOTHING(facts->parameters), TEXT_OR_NOTHING(facts->tools),
	                   TEXT_OR_NOTHING(facts->schema), facts->held == HISTORY_HELD_BY_ASK ? INTEGER(1) : NOTHING));
	created = database_last_row(h->db);
	status = history_close_transaction(h, "the conversation is not kept", err);
	if (status == HISTORY_OK)
		*conversation = created;
	return status;
}

enum history_status history_change(struct history *h, int64_t conversation, const struct history_conversation *facts, struct error *err)
{
	history_open_transaction(h);
	history_require_row(h, database_do(h->db, "UPDATE conversation SET title = ifnull(?2, title), titled_by = ifnull(?3, titled_by), "
	            "provider = ifnull(?4, provider), model = ifnull(?5, model), protocol = ifnull(?6, protocol), "
	            "system_prompt = ifnull(?7, system_prompt), parameters = ifnull(?8, parameters), tools = ifnull(?9, tools), "
	            "schema = ifnull(?10, schema), asked = CASE WHEN ?11 THEN NULL ELSE asked END WHERE id = ?1",
	            VALUES(INTEGER(conversation), TEXT_OR_NOTHING(facts->title), TEXT_OR_NOTHING(facts->titled_by), TEXT_OR_NOTHING(facts->provider),
	                   TEXT_OR_NOTHING(facts->model), TEXT_OR_NOTHING(facts->protocol), TEXT_OR_NOTHING(facts->system_prompt),
	                   TEXT_OR_NOTHING(facts->parameters), TEXT_OR_NOTHING(facts->tools), TEXT_OR_NOTHING(facts->schema),
	                   INTEGER(facts->held == HISTORY_HELD_BY_CHAT))));
	return history_close_transaction(h, NOT_CHANGED, err);
}

enum history_status history_date(struct history *h, int64_t conversation, int64_t updated_ms, struct error *err)
{
	history_open_transaction(h);
	history_require_row(h, database_do(h->db, "UPDATE conversation SET updated = ? WHERE id = ?",
	                                   VALUES(INTEGER(updated_ms), INTEGER(conversation))));
	return history_close_transaction(h, NOT_CHANGED, err);
}

enum history_status history_pin(struct history *h, int64_t conversation, bool pinned, struct error *err)
{
	history_open_transaction(h);
	history_require_row(h, database_do(h->db, "UPDATE conversation SET pinned = ? WHERE id = ?", VALUES(INTEGER(pinned), INTEGER(conversation))));
	return history_close_transaction(h, NOT_CHANGED, err);
}

enum history_status history_set_leaf(struct history *h, int64_t conversation, int64_t leaf, struct error *err)
{
	history_open_transaction(h);
	history_require_row(h, database_do(h->db, "UPDATE conversation SET leaf = ?2 WHERE id = ?1 AND EXISTS "
	                           "(SELECT 1 FROM node WHERE id = ?2 AND conversation = ?1)", VALUES(INTEGER(conversation), INTEGER(leaf))));
	database_do(h->db, "WITH RECURSIVE way (id, parent) AS (SELECT id, parent FROM node WHERE id = ?1 UNION "
	            "SELECT node.id, node.parent FROM node JOIN way ON node.id = way.parent) "
	            "UPDATE node SET child = way.id FROM way WHERE node.id = way.parent AND node.child IS NOT way.id", VALUES(INTEGER(leaf)));
	return history_close_transaction(h, NOT_CHANGED, err);
}

enum history_status history_choose(struct history *h, int64_t conversation, int64_t node, int64_t child, struct error *err)
{
	history_open_transaction(h);
	if (node)
		history_require_row(h, database_do(h->db,
		                                   "UPDATE node SET child = ?2 WHERE id = ?1 AND EXISTS (SELECT 1 FROM node WHERE id = ?2 AND parent "
		                                   "= ?1)",
		                           VALUES(INTEGER(node), INTEGER(child))));
	else
		history_require_row(h, database_do(h->db, "UPDATE conversation SET leaf = ?2 WHERE id = ?1 AND EXISTS "
		                           "(SELECT 1 FROM node WHERE id = ?2 AND conversation = ?1)",
		                           VALUES(INTEGER(conversation), INTEGER(child))));
	return history_close_transaction(h, NOT_CHANGED, err);
}

enum history_status history_label(struct history *h, int64_t node, const char *label, struct error *err)
{
	history_open_transaction(h);
	history_require_row(h, database_do(h->db, "UPDATE node SET label = ? WHERE id = ?", VALUES(TEXT_OR_NOTHING(label), INTEGER(node))));
	return history_close_transaction(h, NOT_CHANGED, err);
}

/* --- sums --- */

#define X_NAME(upper, member, part_of, label, word, rank) ", " member
#define X_SUM(upper, member, part_of, label, word, rank) ", " HISTORY_SUM_OF(member, "spent_" member)

/*
 * Prompts count as turns, results of calls do not: so does conversation_totals(). A cost is known if that of each answer with tokens is, in one
 * currency.
 */
static const char sum_up[] =
	"UPDATE conversation SET (turns, cost, currency, cost_source" USAGE_FIGURES(X_NAME) ") = (SELECT count(*) FILTER (WHERE role = 'user' "
	"AND EXISTS (SELECT 1 FROM part WHERE part.node = node.id AND part.kind = 'text')), "
	"CASE WHEN count(*) FILTER (WHERE cost IS NULL AND role = 'assistant' AND outcome IS NOT NULL) = 0 AND count(DISTINCT currency) = 1 "
	"THEN sum(cost) END, min(currency), "
	"CASE WHEN count(*) FILTER (WHERE cost_source = 'estimated') THEN 'estimated' ELSE min(cost_source) END"
	USAGE_FIGURES(X_SUM) " FROM node WHERE conversation = ?1 AND deleted IS NULL) WHERE id = ?1";

void history_sum_up(struct history *h, int64_t conversation)
{
	database_do(h->db, sum_up, VALUES(INTEGER(conversation)));
}

void history_sum_up_later(struct history *h, int64_t conversation)
{
	if (h->unsummed && h->unsummed != conversation)
		history_sum_up(h, h->unsummed);
	h->unsummed = conversation;
}
