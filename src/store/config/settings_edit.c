#include "store/config/settings_edit.h"

#include <string.h>

#include "base/ini.h"
#include "base/mem.h"
#include "base/regular_file.h"
#include "store/config/settings_file.h"

#define FILE_LIMIT ((size_t)1 << 20)
#define LINE_BYTES 190   /* ini.h reads no longer ones */
#define PROVIDER "provider "
#define BOM "\xEF\xBB\xBF"

/* --- finding --- */

static bool is_same_section(struct str a, struct str b)
{
	if (str_starts(a, PROVIDER) && str_starts(b, PROVIDER))
		return str_equal(str_trim(str_skip(a, sizeof PROVIDER - 1)), str_trim(str_skip(b, sizeof PROVIDER - 1)));
	return str_equal(a, b);
}

/* What a text says of an entry. Lines count from 1; 0: there is none. */
struct finding {
	const struct settings_change *wanted;
	int entry_line;      /* of the last entry of that name */
	int behind_line;     /* of the last entry of its section */
	bool equal;          /* the entry has the wanted value */
};

static bool find_entry(void *ctx, const struct ini_entry *entry, struct error *err)
{
	struct finding *f = ctx;

	(void)err;
	if (!is_same_section(str_from(entry->section), str_from(f->wanted->section)))
		return true;
	f->behind_line = entry->line;
	if (str_is(str_from(entry->name), f->wanted->name)) {
		f->entry_line = entry->line;
		f->equal = str_is(f->wanted->value, entry->value);
	}
	return true;
}

static bool find(struct str text, const struct settings_change *wanted, struct finding *f, struct error *err)
{
	*f = (struct finding){ .wanted = wanted };
	return settings_file_visit(text, "weir.conf", find_entry, f, err);
}

/* The offset at which a line begins; the text's length behind the last one. */
static size_t line_start(struct str text, int line)
{
	size_t at = 0;

	while (--line > 0 && at < text.len)
		at += str_find(str_skip(text, at), STR("\n")) + 1;
	return at < text.len ? at : text.len;
}

static struct str line_at(struct str text, size_t at)
{
	return str_head(str_skip(text, at), str_find(str_skip(text, at), STR("\n")));
}

static bool continues(struct str line)
{
	struct str words = str_trim(line);

	return line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t') && words.len && words.ptr[0] != ';' && words.ptr[0] != '#';
}

/* Behind the line that begins at `at` and the lines that continue it. */
static size_t entry_end(struct str text, size_t at)
{
	do {
		at += line_at(text, at).len + 1;
	} while (at < text.len && continues(line_at(text, at)));
	return at < text.len ? at : text.len;
}

/* Behind the header of a section; 0: there is none. */
static size_t section_start(struct str text, const char *section)
{
	size_t found = 0;

	for (size_t at = 0; at < text.len; at += line_at(text, at).len + 1) {
		struct str line = line_at(text, at);
		struct str name = str_head(str_skip(line, 1), str_find(str_skip(line, 1), STR("]")));

		if (str_starts(line, "[") && is_same_section(name, str_from(section)))
			found = at + line.len + 1;
	}
	return found < text.len ? found : text.len;
}

/* A new entry above the sections stands below the comment that the file begins with, if a blank row parts it from what follows. */
static size_t top_start(struct str text)
{
	size_t begin = str_starts(text, BOM) ? sizeof BOM - 1 : 0, at = begin;

	while (at < text.len && (str_starts(line_at(text, at), "#") || str_starts(line_at(text, at), ";")))
		at += line_at(text, at).len + 1;
	return at > begin && at < text.len && str_is_blank(line_at(text, at)) ? at + line_at(text, at).len + 1 : begin;
}

/* --- writing --- */

/* A long value goes on in further lines, which begin with a blank. */
static void add_entry(struct buf *out, const char *name, struct str value, const char *line_end)
{
	size_t used = out->len;
	struct str word;

	buf_printf(out, "%s =", name);
	while (str_split(&value, ' ', &word)) {
		if (out->len - used + word.len + 1 > LINE_BYTES) {
			buf_add_z(out, line_end);
			used = out->len;
		}
		buf_printf(out, " %.*s", STR_ARG(word));
	}
	buf_add_z(out, line_end);
}

static size_t piece_length(struct str text)
{
	size_t most = text.len < LINE_BYTES - 4 ? text.len : LINE_BYTES - 4, n = 0;

	while (n < most && !(n && text.ptr[n] == ';' && (text.ptr[n - 1] == ' ' || text.ptr[n - 1] == '\t')))
		n++;
	while (n && n < text.len && ((unsigned char)text.ptr[n] & 0xC0) == 0x80)
		n--;
	return n;
}

/* A text as a block (base/ini.h). What the reader would take away from the end of a line stands before a backslash. */
static void add_block(struct buf *out, const char *name, struct str value, const char *line_end)
{
	struct str rest = value;

	buf_printf(out, "%s = " INI_BLOCK "%s", name, line_end);
	for (bool more = true; more;) {
		size_t end = str_find(rest, STR("\n"));
		struct str line = str_head(rest, end);
		bool open;

		more = end < rest.len;
		rest = str_skip(rest, more ? end + 1 : end);
		do {
			struct str piece = str_head(line, piece_length(line));

			line = str_skip(line, piece.len);
			open = line.len || (piece.len && strchr(" \t\r\v\f\\", piece.ptr[piece.len - 1]));
			buf_printf(out, "  |%.*s%s%s", STR_ARG(piece), open ? "\\" : "", line_end);
		} while (open);
	}
}

static void splice(struct buf *out, struct str text, size_t from, size_t to, struct str between)
{
	buf_clear(out);
	buf_add(out, str_head(text, from));
	buf_add(out, between);
	buf_add(out, str_skip(text, to));
}

static void set_entry(struct str text, const struct finding *f, bool as_block, struct buf *out)
{
	const char *end = str_find(text, STR("\r\n")) < text.len ? "\r\n" : "\n";
	bool is_top = !*f->wanted->section;
	size_t from, to;
	struct buf entry;

	buf_init(&entry, FILE_LIMIT);
	if (f->entry_line) {
		from = line_start(text, f->entry_line);
		to = entry_end(text, from);
	} else {
		from = f->behind_line ? entry_end(text, line_start(text, f->behind_line)) : is_top ? top_start(text)
		                      : section_start(text, f->wanted->section);
		to = from;
	}
	if (from && from == text.len && text.ptr[from - 1] != '\n')
		buf_add_z(&entry, end);
	if (!f->behind_line && !is_top && !from) {
		from = to = text.len;
		if (text.len)
			buf_printf(&entry, "%s%s", str_ends(text, "\n") ? "" : end, end);
		buf_printf(&entry, "[%s]%s", f->wanted->section, end);
	}
	(as_block ? add_block : add_entry)(&entry, f->wanted->name, f->wanted->value, end);
	if (is_top && !f->behind_line && str_starts(str_skip(text, to), "["))
		buf_add_z(&entry, end);
	splice(out, text, from, to, buf_str(&entry));
	buf_fini(&entry);
}

static void remove_header(struct buf *text, const char *section)
{
	size_t behind;

	while ((behind = section_start(buf_str(text), section))) {
		size_t from = behind - 1;

		while (from && text->ptr[from - 1] != '\n')
			from--;
		buf_remove(text, from, behind - from);
	}
}

static bool gives_back(struct str text, const struct settings_change *change)
{
	struct finding f;
	struct error why;

	return find(text, change, &f, &why) && f.equal;
}

/* A text is a block where one value of words would not give it back. */
static void set_value(struct str text, const struct settings_change *change, const struct finding *f, struct buf *out)
{
	bool has_lines = str_find(change->value, STR("\n")) < change->value.len;

	set_entry(text, f, settings_file_is_text(change->name) && has_lines, out);
	if (settings_file_is_text(change->name) && !has_lines && !gives_back(buf_str(out), change))
		set_entry(text, f, true, out);
}

/* What was written is read again: the file gives back what was meant, or is not changed. */
static bool change_text(struct buf *text, const struct settings_change *change, struct buf *out, struct error *err)
{
	struct finding f;

	for (;;) {
		struct str now = buf_str(text);

		if (!find(now, change, &f, err))
			return false;
		if (change->value.ptr ? f.equal : !f.entry_line)
			return true;
		if (change->value.ptr) {
			set_value(now, change, &f, out);
		} else {
			size_t from = line_start(now, f.entry_line);

			splice(out, now, from, entry_end(now, from), STR_NONE);
		}
		buf_clear(text);
		buf_add(text, buf_str(out));
		if (change->value.ptr && !gives_back(buf_str(text), change))
			return error_set(err, "%s cannot be written into the settings: a value there is one line without \" ;\" in it", change->name);
	}
}

bool settings_edit_text(struct str text, const struct settings_change *changes, size_t count, struct buf *out, struct error *err)
{
	struct buf now;
	bool good = true;

	buf_init(&now, FILE_LIMIT);
	buf_add(&now, text);
	for (size_t i = 0; good && i < count; i++)
		if (changes[i].name)
			good = change_text(&now, &changes[i], out, err);
		else
			remove_header(&now, changes[i].section);
	buf_clear(out);
	buf_add(out, buf_str(&now));
	buf_fini(&now);
	return good;
}

static bool read_settings(struct buf *text, const char *path, struct error *err)
{
	char *shown = NULL;
	bool good = path ? regular_file_read(text, path, err) : settings_file_read(text, &shown, err);

	mem_free(shown);
	return good;
}

bool settings_edit(const char *path, const struct settings_change *changes, size_t count, struct error *err)
{
	struct buf text, changed;
	bool good;

	buf_init(&text, FILE_LIMIT);
	buf_init(&changed, FILE_LIMIT);
	good = read_settings(&text, path, err) && settings_edit_text(buf_str(&text), changes, count, &changed, err);
	if (good && !str_equal(buf_str(&text), buf_str(&changed)))
		good = settings_file_write(buf_str(&changed), path, err);
	buf_fini(&text);
	buf_fini(&changed);
	return good;
}

bool settings_edit_top(const char *path, const char *name, struct str value, int *line, struct error *err)
{
	const struct settings_change change = { "", name, value };
	struct finding f = { 0 };
	struct buf text;
	bool good = settings_edit(path, &change, 1, err);

	buf_init(&text, FILE_LIMIT);
	good = good && read_settings(&text, path, err) && find(buf_str(&text), &change, &f, err);
	*line = f.entry_line;
	buf_fini(&text);
	return good;
}
