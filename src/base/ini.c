#include "base/ini.h"

#include <ini.h>
#include <string.h>

#include "base/regular_file.h"
#include "base/utf8.h"

#define FILE_LIMIT ((size_t)1 << 20)
#define VALUE_LIMIT ((size_t)64 << 10)
#define SECTION_LIMIT 49 /* inih truncates longer ones */

/* State of the reader that feeds inih line by line. An entry is held back until it is clear that no line continues it. */
struct reading {
	struct str rest;
	const char *file;
	bool (*may_be_block)(const char *name); /* NULL: no value may */
	ini_visit *visit;
	void *ctx;
	struct error *err;
	int line;
	bool indented; /* the line passed to inih last is indented */
	bool waiting;
	bool is_block;   /* the entry is a text of lines */
	bool block_begins;
	bool line_open;  /* the next line of the block goes on where the last one stopped */
	bool failed;
	int entry_line;
	struct buf section, name, value;
};

static bool ini_fail(struct reading *r, int line, const char *what)
{
	r->failed = true;
	return error_set(r->err, "%s:%d: %s", r->file, line, what);
}

/* Passes the pending entry to the visitor. */
static bool ini_flush(struct reading *r)
{
	struct ini_entry entry = {
		.file = r->file,
		.section = buf_z(&r->section),
		.name = buf_z(&r->name),
		.value = buf_z(&r->value),
		.line = r->entry_line,
	};
	struct error why = { "" };

	if (!r->waiting)
		return true;
	r->waiting = false;
	if (r->visit(r->ctx, &entry, &why))
		return true;
	return ini_fail(r, r->entry_line, why.text);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool has_inline_comment(struct str line)
{
	for (size_t i = 1; i < line.len; i++)
		if (line.ptr[i] == ';' && is_blank(line.ptr[i - 1]))
			return true;
	return false;
}

/* Rejects what inih would silently truncate. */
static bool check_line(struct reading *r, struct str line, size_t room)
{
	struct str text = str_trim(line);

	if (!utf8_is_valid(line) || (line.len && memchr(line.ptr, '\0', line.len)))
		return ini_fail(r, r->line, "this is not text in UTF-8");
	if (str_starts(text, ";") || str_starts(text, "#"))
		return true;
	if (line.len >= room) {
		r->failed = true;
		return error_set(r->err, "%s:%d: the line is longer than %zu bytes; continue it in a next line that begins with a blank",
				 r->file, r->line, room - 1);
	}
	if (str_starts(line, "[") && str_find(line, STR("]")) > SECTION_LIMIT + 1)
		return ini_fail(r, r->line, "a section looks like [name], the name no longer than 49 bytes");
	if (!str_starts(line, "[") && has_inline_comment(text))
		return ini_fail(r, r->line, "a value cannot contain \" ;\"; put comments on lines of their own");
	return true;
}

/*
 * fgets() for inih: returns a line without its line end. It counts the lines, because not every build of inih passes the line number to
 * the handler.
 */
static char *next_line(char *out, int room, void *stream)
{
	struct reading *r = stream;
	struct str line, text;

	if (r->failed || r->rest.len == 0)
		return NULL;
	r->line++;
	str_split(&r->rest, '\n', &line);
	if (!check_line(r, line, (size_t)room))
		return NULL;
	text = str_trim(line);
	if (str_starts(line, "[") && !ini_flush(r))
		return NULL;
	if (str_starts(text, ";") || str_starts(text, "#"))
		line = STR_NONE; /* may be too long for inih */
	r->indented = line.len && is_blank(line.ptr[0]);
	if (line.len)
		memcpy(out, line.ptr, line.len);
	out[line.len] = '\0';
	return out;
}

/* One line of a block: "|" in front keeps blanks, a backslash at the end takes the line end away. */
static bool add_block_line(struct reading *r, const char *line)
{
	struct str text = str_from(line);
	bool good = r->line_open || buf_add_z(&r->value, "\n");

	if (str_starts(text, "|"))
		text = str_skip(text, 1);
	r->line_open = str_ends(text, "\\");
	return good && buf_add(&r->value, str_head(text, text.len - r->line_open));
}

/* The first line of a block takes the place of the mark. */
static bool continue_entry(struct reading *r, const char *value)
{
	if (!r->is_block)
		return buf_add_z(&r->value, " ") && buf_add_z(&r->value, value);
	if (r->block_begins) {
		buf_clear(&r->value);
		r->line_open = true;
	}
	r->block_begins = false;
	return add_block_line(r, value);
}

/* Handler of inih, which calls it again with the same name for a continuation line. */
static int take_entry(void *user, const char *section, const char *name, const char *value)
{
	struct reading *r = user;
	bool continues = r->waiting && r->indented;

	if (r->failed)
		return 0;
	if (!continues && !ini_flush(r))
		return 0;
	if (!*name)
		return ini_fail(r, r->line, "there is no name before the \"=\"");
	if (!continues) {
		buf_clear(&r->section);
		buf_clear(&r->name);
		buf_clear(&r->value);
		r->waiting = true;
		r->entry_line = r->line;
		r->is_block = r->may_be_block && r->may_be_block(name) && !strcmp(value, INI_BLOCK);
		r->block_begins = true;
	}
	if (continues ? continue_entry(r, value)
		      : buf_add_z(&r->section, section) && buf_add_z(&r->name, name) && buf_add_z(&r->value, value))
		return 1;
	return ini_fail(r, r->line, "the value is too long");
}

bool ini_read_blocks(struct str text, const char *name, bool (*may_be_block)(const char *name), ini_visit *visit, void *ctx,
                     struct error *err)
{
	struct reading r = { .rest = text, .file = name, .may_be_block = may_be_block, .visit = visit, .ctx = ctx, .err = err };
	int bad_line;

	if (str_starts(text, "\xEF\xBB\xBF"))
		r.rest = str_skip(text, 3);
	buf_init(&r.section, VALUE_LIMIT);
	buf_init(&r.name, VALUE_LIMIT);
	buf_init(&r.value, VALUE_LIMIT);
	bad_line = ini_parse_stream(next_line, &r, take_entry, &r);
	if (!r.failed && bad_line)
		ini_fail(&r, bad_line, "expected \"name = value\" or \"[section]\"");
	if (!r.failed)
		ini_flush(&r);
	buf_fini(&r.section);
	buf_fini(&r.name);
	buf_fini(&r.value);
	return !r.failed;
}

bool ini_read_text(struct str text, const char *name, ini_visit *visit, void *ctx, struct error *err)
{
	return ini_read_blocks(text, name, NULL, visit, ctx, err);
}

bool ini_read_file(const char *path, ini_visit *visit, void *ctx, struct error *err)
{
	struct buf text;
	bool done;

	buf_init(&text, FILE_LIMIT);
	done = regular_file_read(&text, path, err) && ini_read_text(buf_str(&text), path, visit, ctx, err);
	buf_fini(&text);
	return done;
}
