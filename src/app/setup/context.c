#include "app/setup/context.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/setup/attachment_file.h"
#include "app/setup/mention.h"
#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/regular_file.h"
#include "base/utf8.h"
#include "net/source.h"
#include "store/files/paths.h"

#define LISTED_MOST 500
#define MEASURE_MS 20     /* for a folder, while somebody types */
#define LOOKED_MOST 20000 /* names in folders */
#define DEPTH_MOST 6
#define PROBED_BYTES 1024
#define LINE_BYTES 40 /* a line of text or code, on the average */

bool context_is_address(struct str word)
{
	size_t scheme = str_starts(word, "https://") ? sizeof "https://" - 1 : str_starts(word, "http://") ? sizeof "http://" - 1 : 0;

	return scheme && word.len > scheme && word.ptr[scheme] != '/';
}

/* --- what a word names --- */

/* "10-40", "10", "10-" */
static bool context_read_range(struct str text, struct mentioned *c)
{
	size_t dash = str_find(text, STR("-"));

	if (!str_to_int(str_head(text, dash), &c->first) || c->first < 1)
		return false;
	c->last = dash == text.len ? c->first : 0;
	return dash + 1 >= text.len || (str_to_int(str_skip(text, dash + 1), &c->last) && c->last >= c->first);
}

static bool context_finds_lines(struct mentioned *c)
{
	const char *colon = strrchr(c->name, ':');
	struct stat facts;

	if (!colon || !context_read_range(str_from(colon + 1), c))
		return false;
	char *path = str_dup(str_of(c->name, (size_t)(colon - c->name)));
	bool is_file = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
	if (is_file) {
		mem_free(c->path);
		c->path = path;
		c->kind = CONTEXT_LINES;
	} else {
		mem_free(path);
	}
	return is_file;
}

/* The files that a pattern names, as glob() finds them: that has no limit, and a pattern of many stars would walk over the whole disk. */
struct pattern {
	struct buf path;      /* what stands before the rest of the pattern */
	char **found;
	size_t count, capacity;
	size_t looked;
};

static void pattern_match(struct pattern *p, struct str rest);

static void pattern_take(struct pattern *p, struct str name, struct str rest)
{
	size_t before = p->path.len;

	if (buf_add(&p->path, name))
		pattern_match(p, rest);
	buf_remove(&p->path, before, p->path.len - before);
}

static void pattern_take_all(struct pattern *p, const char *component, struct str rest)
{
	DIR *dir = opendir(p->path.len ? buf_z(&p->path) : ".");
	const struct dirent *entry;

	while (dir && p->looked <= LOOKED_MOST && (entry = readdir(dir))) {
		p->looked++;
		if (fnmatch(component, entry->d_name, FNM_PERIOD) == 0)
			pattern_take(p, str_from(entry->d_name), rest);
	}
	if (dir)
		closedir(dir);
}

/* Goes on at a component of the pattern, or at the slashes before it. */
static void pattern_match(struct pattern *p, struct str rest)
{
	struct str component = str_head(rest, str_find(rest, STR("/")));
	struct stat facts;

	if (!rest.len) {
		if (stat(buf_z(&p->path), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size) /* as in a folder: what is empty cannot be sent */
			*ARRAY_ADD(p->found, p->count, p->capacity) = mem_dup(p->path.ptr, p->path.len);
	} else if (!component.len) {
		pattern_take(p, STR("/"), str_skip(rest, 1));
	} else {
		char *pattern = str_dup(component);

		if (strpbrk(pattern, "*?[\\"))
			pattern_take_all(p, pattern, str_skip(rest, component.len));
		else
			pattern_take(p, component, str_skip(rest, component.len));
		mem_free(pattern);
	}
}

static bool context_find_files(struct mentioned *c, struct error *err)
{
	struct pattern p = { 0 };
	bool few;

	if (!strpbrk(c->name, "*?["))
		return true;
	buf_init(&p.path, PATH_MAX);
	pattern_match(&p, str_from(c->name));
	buf_fini(&p.path);
	if (p.count)
		qsort(p.found, p.count, sizeof *p.found, names_compare);
	few = p.looked <= LOOKED_MOST && p.count <= CONTEXT_FILES_MOST;
	for (size_t i = few ? p.count : 0; i < p.count; i++)
		mem_free(p.found[i]);
	c->paths = p.found;
	c->count = few ? p.count : 0;
	if (p.looked > LOOKED_MOST)
		return error_set(err, "%s stands for too many names to look at: name the folder", c->name);
	c->kind = p.count ? CONTEXT_FILES : CONTEXT_NOTHING;
	return few || error_set(err, "%s names more than %d files", c->name, CONTEXT_FILES_MOST);
}

bool context_of(struct str word, struct mentioned *c, struct error *err)
{
	struct stat facts;

	*c = (struct mentioned){ .name = context_is_address(word) ? str_dup(word) : path_expand(word) };
	if (!c->name)
		return true;
	c->path = mem_dup_z(c->name);
	if (context_is_address(word))
		c->kind = CONTEXT_ADDRESS;
	else if (stat(c->name, &facts) == 0)
		c->kind = S_ISREG(facts.st_mode) ? CONTEXT_FILE : S_ISDIR(facts.st_mode) ? CONTEXT_FOLDER : CONTEXT_NOTHING;
	else if (!context_finds_lines(c))
		return context_find_files(c, err);
	return true;
}

struct str context_word(struct str mention)
{
	struct str word = mention_path(mention), likely = mention_likely_path(mention);
	struct mentioned c = { 0 };
	struct error err;

	bool is_it = !likely.len || likely.len == word.len || !context_of(word, &c, &err) || c.kind != CONTEXT_NOTHING;
	context_fini(&c);
	return is_it ? word : likely;
}

void context_fini(struct mentioned *c)
{
	for (size_t i = 0; i < c->count; i++)
		mem_free(c->paths[i]);
	mem_free(c->paths);
	mem_free(c->path);
	mem_free(c->name);
	*c = (struct mentioned){ 0 };
}

bool context_read_lines(const struct mentioned *c, struct buf *out, struct error *err)
{
	struct buf bytes = { 0 };
	const char *media;
	long long line = 0;
	struct str text;

	buf_clear(out);
	if (!attachment_read(c->path, &bytes, &media, err) || !utf8_is_valid(buf_str(&bytes))) {
		buf_fini(&bytes);
		return error_set(err, *err->text ? "%s" : "%s is no text: it has no lines", *err->text ? err->text : c->path);
	}
	for (struct str rest = buf_str(&bytes); str_split(&rest, '\n', &text);) {
		line++;
		if (line >= c->first && (!c->last || line <= c->last))
			buf_printf(out, "%.*s\n", STR_ARG(text));
	}
	buf_fini(&bytes);
	return out->len || error_set(err, "%s has %lld line%s", c->path, line, line == 1 ? "" : "s");
}

/* --- a folder --- */

struct listing {
	struct context_file *files;
	size_t count, capacity, looked;
	size_t root;             /* length of the folder's path with its slash */
	int64_t until_ms;        /* on the clock */
	bool cut;
};

/* A name with a NUL in its first bytes, or with broken UTF-8, is that of no text. */
static bool context_is_text(const char *path)
{
	char bytes[PROBED_BYTES];
	struct stat facts;
	struct error err;
	int fd = regular_file_open(path, &facts, &err);
	ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : 0;
	size_t bad = 0, valid = n > 0 ? utf8_valid_length(str_of(bytes, (size_t)n), &bad) : 0;

	if (fd >= 0)
		close(fd);
	return n > 0 && !memchr(bytes, 0, (size_t)n) && valid + 4 > (size_t)n;
}

static void context_list_below(struct listing *l, const char *folder, unsigned depth)
{
	DIR *d = opendir(folder);
	const struct dirent *entry;
	struct stat facts;

	while (d && !l->cut && (entry = readdir(d))) {
		struct buf path = { 0 };

		l->cut = ++l->looked > LOOKED_MOST || l->count >= LISTED_MOST || clock_now_ms() > l->until_ms;
		if (l->cut || *entry->d_name == '.')
			continue;
		buf_printf(&path, "%s%s%s", folder, str_ends(str_from(folder), "/") ? "" : "/", entry->d_name);
		bool good = lstat(buf_z(&path), &facts) == 0;
		if (good && S_ISDIR(facts.st_mode) && depth < DEPTH_MOST) {
			context_list_below(l, buf_z(&path), depth + 1);
		} else if (good && S_ISREG(facts.st_mode) && facts.st_size) {
			struct context_file *file = ARRAY_ADD(l->files, l->count, l->capacity);

			*file = (struct context_file){ .path = mem_dup_z(buf_z(&path)), .name = mem_dup_z(buf_z(&path) + l->root),
			                               .bytes = (size_t)facts.st_size, .is_text = context_is_text(buf_z(&path)) };
		}
		buf_fini(&path);
	}
	if (d)
		closedir(d);
}

static int context_compare(const void *a, const void *b)
{
	return strcmp(((const struct context_file *)a)->name, ((const struct context_file *)b)->name);
}

static void context_measure_file(const char *path, uint64_t most, struct context_size *size)
{
	struct stat facts;

	if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
		return;
	size->files++;
	if (context_is_text(path))
		size->text_bytes += (uint64_t)facts.st_size < most ? (uint64_t)facts.st_size : most;
}

static struct context_file *context_list_until(const char *folder, int64_t until_ms, size_t *count, bool *cut)
{
	struct listing l = { .root = strlen(folder) + !str_ends(str_from(folder), "/"), .until_ms = until_ms };

	context_list_below(&l, folder, 0);
	if (l.count)
		qsort(l.files, l.count, sizeof *l.files, context_compare);
	*count = l.count;
	*cut = l.cut;
	return l.files;
}

static void context_measure_folder(const char *folder, struct context_size *size)
{
	size_t count;
	bool cut;
	struct context_file *files = context_list_until(folder, clock_now_ms() + MEASURE_MS, &count, &cut);

	size->folders.count++;
	size->folders.files += count;
	size->folders.cut |= cut;
	for (size_t i = 0; i < count; i++)
		size->folders.text_bytes += files[i].is_text ? files[i].bytes : 0;
	context_free_files(files, count);
}

void context_measure(const struct mentioned *c, struct context_size *size)
{
	bool ends = c->kind == CONTEXT_LINES && c->last;

	size->fetched += c->kind == CONTEXT_ADDRESS;
	if (c->kind == CONTEXT_FOLDER && str_ends(str_from(c->name), "/"))
		context_measure_folder(c->path, size);

	if (c->kind == CONTEXT_FILE || c->kind == CONTEXT_LINES)
		context_measure_file(c->path, ends ? (uint64_t)(c->last - c->first + 1) * LINE_BYTES : UINT64_MAX, size);
	for (size_t i = 0; i < c->count; i++)
		context_measure_file(c->paths[i], UINT64_MAX, size);
}

struct context_file *context_list(const char *folder, size_t *count, bool *cut)
{
	return context_list_until(folder, INT64_MAX, count, cut);
}

void context_free_files(struct context_file *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		mem_free(files[i].path);
		mem_free(files[i].name);
	}
	mem_free(files);
}
