/*
 * Which form of our tables a file has. The text of each object in its schema is compared with ours. Builds differ in one thing: the columns of
 * USAGE_FIGURES and USAGE_PRICES, each of which stands on a line of its own, or behind all others if it was added later.
 */
#include "store/history/history_inside.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "store/history/index.h"

#define NOT_READ "the history cannot be read"
#define NAME_BYTES_MOST ((size_t)40)

static bool char_is_name(char c)
{
	return char_is_word(c) || c == '_';
}

/* --- our objects: the statements of history_schema() --- */

struct object { struct str type, name, text; }; /* as in sqlite_schema, of which the text is normalized by SQLite as ours is written */

/* How long the first statement of the schema is. Its length: there is none. One byte is looked for: that is much faster, and each start does it. */
static size_t statement_length(struct str schema)
{
	size_t length = str_find(schema, STR(";"));

	while (length < schema.len && !str_starts(str_skip(schema, length), ";\n"))
		length += 1 + str_find(str_skip(schema, length + 1), STR(";"));
	return length;
}

/* Takes the next statement of the schema. */
static bool object_next(struct str *schema, struct object *object)
{
	struct str words, comment;
	size_t length;

	while (str_starts(*schema, "--"))
		if (!str_split(schema, '\n', &comment))
			return false;
	length = statement_length(*schema);
	if (length == schema->len)
		return false;
	object->text = str_head(*schema, length);
	*schema = str_skip(*schema, length + 2);
	words = str_skip(object->text, sizeof "CREATE " - 1);
	(void)str_split(&words, ' ', &object->type);
	(void)str_split(&words, ' ', &object->name);
	return true;
}

static bool object_find(struct str name, struct object *object)
{
	struct str schema = str_from(history_schema());

	while (object_next(&schema, object))
		if (str_equal(object->name, name))
			return true;
	return false;
}

/* --- columns --- */

struct figure { struct str name; const char *type; };

/*
 * A figure on a line of its own, "  prompt_tokens INTEGER,\n", or a price, "  price_input REAL, -- a comment\n". Returns its length with the
 * line's end; 0: it is none.
 */
static size_t figure_line(struct str text, struct figure *figure)
{
	size_t at = 2, end = str_find(text, STR("\n")) + 1;

	if (!str_starts(text, "  ") || end > text.len)
		return 0;
	while (at < text.len && char_is_name(text.ptr[at]))
		at++;
	figure->name = str_skip(str_head(text, at), 2);
	if (str_starts(figure->name, "price_") && str_starts(str_skip(text, at), " REAL,")) {
		figure->type = "REAL";
		return end;
	}
	figure->type = "INTEGER";
	return figure->name.len && str_starts(str_skip(text, at), " INTEGER,\n") ? end : 0;
}

/* Also one that was added later. */
static bool has_figure(struct str table, const struct figure *figure)
{
	struct buf line = { 0 };
	bool found;

	buf_printf(&line, " %.*s %s", STR_ARG(figure->name), figure->type);
	found = str_find(table, buf_str(&line)) < table.len;
	buf_fini(&line);
	return found;
}

/* The text of a table without its figures. */
static void leave_out_figures(struct str text, struct buf *out)
{
	struct figure figure;
	struct str line;

	while (text.len) {
		size_t length = figure_line(text, &figure);

		if (!length) {
			(void)str_split(&text, '\n', &line);
			buf_add(out, line);
			buf_add_byte(out, '\n');
		}
		text = str_skip(text, length);
	}
}

/* --- what others added --- */

/* A word that is not part of a longer one. */
static bool has_word(struct str text, const char *word)
{
	size_t end;

	for (; text.len; text = str_skip(text, end + 1)) {
		for (end = 0; end < text.len && char_is_name(text.ptr[end]); end++)
			;
		if (str_is_nocase(str_head(text, end), word))
			return true;
	}
	return false;
}

static bool has_any_word(struct str text, const char *const *words, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++)
		found |= has_word(text, words[i]);
	return found;
}

/* Names of columns, each with a type or without: without brackets there is no expression, and two words are no constraint that we could break. */
static bool is_list_of_columns(struct str text)
{
	struct str column;

	for (size_t i = 0; i < text.len; i++)
		if (!char_is_name(text.ptr[i]) && text.ptr[i] != ' ' && text.ptr[i] != ',' && text.ptr[i] != '"')
			return false;
	while (str_split(&text, ',', &column)) {
		struct str trimmed = str_trim(column);
		size_t words = trimmed.len > 0;

		for (size_t i = 0; i < trimmed.len; i++)
			words += trimmed.ptr[i] == ' ';
		if (words > 2)
			return false;
	}
	return true;
}

/* A table without expressions that holds back no row of ours. An index of columns that refuses nothing. */
static bool is_inert(struct str type, struct str text)
{
	static const char *const acting[] = { "AS", "CHECK", "REFERENCES" };
	size_t open = str_find(text, STR("(")), close = str_find(text, STR(")"));

	if (str_is(type, "table"))
		return str_starts(text, "CREATE TABLE ") && !has_any_word(text, acting, ARRAY_LEN(acting));
	if (!str_is(type, "index"))
		return false;
	return !text.len /* of a constraint */ || (str_starts(text, "CREATE INDEX ") && open < close && close + 1 == text.len &&
	                                           is_list_of_columns(str_skip(str_head(text, close), open + 1)));
}

/* --- comparing --- */

enum form { FORM_OURS, FORM_LACKS_COLUMNS, FORM_DAMAGED, FORM_CHANGED };

static bool lacks_figures(struct str ours, struct str theirs)
{
	struct str line = ours, ignored;
	struct figure figure;
	bool lacks = false;

	do {
		if (figure_line(line, &figure))
			lacks |= !has_figure(theirs, &figure);
	} while (str_split(&line, '\n', &ignored));
	return lacks;
}

/* Whether a text is ours with nothing but columns between two halves of it. */
static bool is_ours_with_columns(struct str ours, struct str theirs)
{
	size_t before = 0, after = 0;

	while (before < ours.len && before < theirs.len && ours.ptr[before] == theirs.ptr[before])
		before++;
	while (after < ours.len - before && after < theirs.len - before && ours.ptr[ours.len - 1 - after] == theirs.ptr[theirs.len - 1 - after])
		after++;
	return before + after == ours.len && is_list_of_columns(str_skip(str_head(theirs, theirs.len - after), before));
}

/* Damage changes bytes of a text; who changes the table changes its length. */
static enum form compare(struct str ours, struct str theirs)
{
	struct buf mine = { 0 }, other = { 0 };
	bool same = str_equal(ours, theirs);

	if (!same && str_starts(ours, "CREATE TABLE ")) {
		leave_out_figures(ours, &mine);
		leave_out_figures(theirs, &other);
		same = is_ours_with_columns(buf_str(&mine), buf_str(&other));
	}
	buf_fini(&mine);
	buf_fini(&other);
	if (!same)
		return ours.len == theirs.len ? FORM_DAMAGED : FORM_CHANGED;
	return lacks_figures(ours, theirs) ? FORM_LACKS_COLUMNS : FORM_OURS;
}

/* What is found in a schema. */
struct survey {
	size_t objects, tables; /* tables: ours */
	bool has_form, lacks_columns, damaged;
	bool runs;              /* a view or a trigger that is not ours */
	char *refused;          /* heap: what is not ours, as words; NULL: all is */
};

static void survey_refuse(struct survey *s, struct str type, struct str name, const char *what)
{
	struct buf words = { 0 };

	if (s->refused)
		return;
	buf_printf(&words, "%s the %.*s \"%.*s\"", what, STR_ARG(str_head(type, NAME_BYTES_MOST)), STR_ARG(str_head(name, NAME_BYTES_MOST)));
	s->refused = buf_take(&words);
}

static void survey_add(struct survey *s, struct str type, struct str name, struct str text)
{
	struct object ours;
	bool is_ours = object_find(name, &ours) && str_is_nocase(ours.type, "table") == str_is(type, "table");

	s->objects++;
	if (!is_ours) {
		s->runs |= str_is(type, "view") || str_is(type, "trigger");
		if (!is_inert(type, text))
			survey_refuse(s, type, name, "it has");
		return;
	}
	s->tables += str_is(type, "table");
	s->has_form |= str_is(name, "form");
	switch (compare(ours.text, text)) {
	case FORM_OURS: break;
	case FORM_LACKS_COLUMNS: s->lacks_columns = true; break;
	case FORM_DAMAGED: s->damaged = true; break;
	case FORM_CHANGED: survey_refuse(s, type, name, "somebody changed"); break;
	}
}

static size_t count_our_tables(void)
{
	struct str schema = str_from(history_schema());
	struct object object;
	size_t count = 0;

	while (object_next(&schema, &object))
		count += str_is(object.type, "TABLE");
	return count;
}

static struct survey survey_make(struct database *db)
{
	struct rows *r = database_rows(db, "SELECT type, name, sql FROM sqlite_schema", NO_VALUES);
	struct survey s = { .objects = 0 };

	while (rows_next(r))
		survey_add(&s, row_text(r, 0), row_text(r, 1), row_text(r, 2));
	rows_end(r);
	return s;
}

/* --- the form --- */

static enum history_status not_ours(const char *why, struct error *err)
{
	char *path = history_path();

	error_set(err, "the history is not used: %s. Move %s away, or repair it", why, path ? path : HISTORY_FILE);
	mem_free(path);
	return HISTORY_FAILED;
}

static enum history_status is_damaged(struct database *db, struct error *err)
{
	database_clear(db);
	database_fail(db, DATABASE_DAMAGED, "it is damaged");
	return history_status_from(db, NOT_READ, err);
}

/* The header's number and the row say the same, so a damaged header is not mistaken for a later version, which would never be recovered. */
static enum history_status check_version(struct database *db, const struct survey *s, int64_t version, struct error *err)
{
	int64_t number = s->has_form ? database_integer(db, "SELECT number FROM form WHERE id = 1", NO_VALUES, -1) : -1;

	if (database_status(db) != DATABASE_OK)
		return history_status_from(db, NOT_READ, err);
	if (number != version)
		return is_damaged(db, err);
	if (version > HISTORY_FORM) {
		error_set(err, "the history was written by a later version of weir: install that version, or move the file away");
		return HISTORY_NEWER;
	}
	return version < HISTORY_FORM ? HISTORY_OLDER : HISTORY_OK;
}

static enum history_status check_tables(struct database *db, const struct survey *s, struct error *err)
{
	if (!s->runs && (s->damaged || s->tables < count_our_tables()))
		return is_damaged(db, err);
	if (s->refused)
		return not_ours(s->refused, err);
	return s->lacks_columns ? HISTORY_OLDER : HISTORY_OK;
}

static enum history_status check_survey(struct database *db, const struct survey *s, struct error *err)
{
	int64_t application = database_integer(db, "PRAGMA application_id", NO_VALUES, 0);
	int64_t version = database_integer(db, "PRAGMA user_version", NO_VALUES, 0);
	enum history_status status;

	if (database_status(db) != DATABASE_OK)
		return history_status_from(db, NOT_READ, err);
	if (!s->objects && !application && !version)
		return HISTORY_ABSENT; /* an empty file: its creation was interrupted */
	if (s->tables < count_our_tables() && application != HISTORY_APPLICATION)
		return not_ours("it is another program's database", err);
	if (application != HISTORY_APPLICATION)
		return is_damaged(db, err);
	/* The tables of another version are not known here. */
	status = version == HISTORY_FORM ? check_tables(db, s, err) : HISTORY_OK;
	return status == HISTORY_OK ? check_version(db, s, version, err) : status;
}

enum history_status history_check_form(struct database *db, struct error *err)
{
	struct survey s = survey_make(db);
	enum history_status status = check_survey(db, &s, err);

	mem_free(s.refused);
	return status;
}

/* --- what is missing --- */

#define FORMER_FORM 206 /* searched by a virtual table, FTS5's, beside a table of what that did not know yet */

static void add_columns(struct database *db, const struct object *table, struct str theirs)
{
	struct str line = table->text, ignored;
	struct figure figure;

	do {
		char sql[200];

		if (!figure_line(line, &figure) || has_figure(theirs, &figure))
			continue;
		snprintf(sql, sizeof sql, "ALTER TABLE %.*s ADD COLUMN %.*s %s", STR_ARG(table->name), STR_ARG(figure.name), figure.type);
		database_script(db, sql);
	} while (str_split(&line, '\n', &ignored));
}

/* An index follows its table, so its columns are there. */
static void add_missing(struct database *db, const struct object *ours)
{
	struct rows *r = database_rows(db, "SELECT sql FROM sqlite_schema WHERE name = ?", VALUES(TEXT(ours->name)));
	bool is_there = rows_next(r);
	char *sql = is_there ? row_copy(r, 0) : str_dup(ours->text);

	rows_end(r);
	if (!is_there)
		database_script(db, sql);
	else if (str_is(ours->type, "TABLE"))
		add_columns(db, ours, str_from(sql));
	mem_free(sql);
}

static void add_all_missing(struct database *db)
{
	struct str schema = str_from(history_schema());
	struct object object;

	while (object_next(&schema, &object))
		add_missing(db, &object);
}

/* What that version was searched by is gone for everybody else; its rows go when the file is maintained. */
static void upgrade_former(struct database *db)
{
	int64_t maintained = database_integer(db, "SELECT tended FROM form", NO_VALUES, 0);
	int64_t unclean = database_integer(db, "SELECT unclean FROM form", NO_VALUES, 0);
	char numbers[160];

	database_forget_virtual(db, "search");
	database_script(db, "DROP TABLE form; DROP TABLE unindexed");
	add_all_missing(db);
	snprintf(numbers, sizeof numbers, "PRAGMA user_version = %d; INSERT INTO form (id, number, tended, unclean) VALUES (1, %d, %lld, %lld)",
	         HISTORY_FORM, HISTORY_FORM, (long long)maintained, (long long)unclean);
	database_script(db, numbers);
	index_begin_anew(db);
}

bool history_upgrade(struct database *db)
{
	int64_t version = database_integer(db, "PRAGMA user_version", NO_VALUES, 0);
	struct error why;

	if (version != HISTORY_FORM && version != FORMER_FORM)
		return false;
	database_begin(db);
	if (version == FORMER_FORM)
		upgrade_former(db);
	else
		add_all_missing(db);
	if (history_check_form(db, &why) != HISTORY_OK)
		database_fail(db, DATABASE_FAILED, why.text);
	return database_end(db) == DATABASE_OK;
}
