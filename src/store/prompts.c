#include "store/prompts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "store/paths.h"

#define LINE_LIMIT (6 * PROMPTS_DRAFT_LIMIT + 8) /* an escaped byte takes six at most */
#define ATTEMPTS 3

struct prompts {
	char **entries;
	size_t count, capacity;
	bool read;
	bool keeps;
};

struct prompts *prompts_new(bool keeps)
{
	struct prompts *p = mem_new(sizeof *p);

	p->keeps = keeps;
	p->read = !keeps;
	return p;
}

void prompts_free(struct prompts *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		mem_free(p->entries[i]);
	mem_free(p->entries);
	mem_free(p);
}

static void drop_oldest(struct prompts *p, size_t many)
{
	for (size_t i = 0; i < many; i++)
		mem_free(p->entries[i]);
	memmove(p->entries, p->entries + many, (p->count - many) * sizeof *p->entries);
	p->count -= many;
}

static void remember(struct prompts *p, struct str prompt)
{
	if (p->count == PROMPTS_MOST)
		drop_oldest(p, 1);
	mem_reserve(&p->entries, &p->capacity, p->count + 1, sizeof *p->entries);
	p->entries[p->count++] = str_dup(prompt);
}

/* --- files --- */

/* Only a regular file, made the owner's alone: a pipe would make us wait for its other end. -1 and errno. */
static int open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat facts;

	if (fd < 0)
		return -1;
	if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode)) {
		close(fd);
		errno = ENOTSUP;
		return -1;
	}
	if (facts.st_uid == geteuid() && facts.st_mode & 077)
		(void)fchmod(fd, 0600);
	return fd;
}

/* Replaces a file at once: whoever reads it sees the old one or the new one. */
static bool replace_file(const char *path, struct str content)
{
	struct buf name;
	bool good = false;
	int fd;

	buf_init(&name, 64 << 10);
	buf_printf(&name, "%s.XXXXXX", path);
	fd = name.len ? mkostemp(name.ptr, O_CLOEXEC) : -1; /* 0600 */
	if (fd >= 0) {
		good = str_write(content, fd) == 0;
		close(fd);
		good = good && rename(name.ptr, path) == 0;
		if (!good)
			unlink(name.ptr);
	}
	buf_fini(&name);
	return good;
}

/* The end of a file from a line's start on; its whole size goes to `size`. */
static bool read_end(const char *path, struct buf *out, off_t *size)
{
	int fd = open_file(path, O_RDONLY);
	char block[65536];
	off_t at;
	ssize_t n;

	if (fd < 0)
		return false;
	*size = lseek(fd, 0, SEEK_END);
	at = *size > (off_t)out->limit ? *size - (off_t)out->limit : 0;
	while ((n = pread(fd, block, sizeof block, at)) > 0 && buf_add(out, str_of(block, (size_t)n)))
		at += n;
	close(fd);
	if (*size > (off_t)out->limit)
		buf_drop(out, str_find(buf_str(out), STR("\n")) + 1);
	return true;
}

/* --- reading --- */

/* Another program may have added to the file while this one made the shorter one: it stays as it is then, until next time. */
static void shorten(const struct prompts *p, const char *path, off_t size)
{
	struct stat now;
	struct buf lines;

	buf_init(&lines, 2 * PROMPTS_FILE_LIMIT);
	for (size_t i = 0; i < p->count; i++)
		if (json_escape(&lines, str_from(p->entries[i])))
			buf_add_byte(&lines, '\n');
	if (stat(path, &now) == 0 && now.st_size == size)
		(void)replace_file(path, buf_str(&lines));
	buf_fini(&lines);
}

/* Lines that are no JSON string are passed over. */
static size_t read_lines(struct prompts *p, struct str rest)
{
	struct json_parser *parser = json_parser_new();
	struct str line;
	size_t lines = 0, used;

	for (; str_split(&rest, '\n', &line); lines++) {
		struct str prompt = json_text(json_parse(parser, line, &used));

		if (prompt.len)
			remember(p, prompt);
	}
	json_parser_free(parser);
	return lines;
}

static void read_file(struct prompts *p)
{
	char *path = p->read ? NULL : path_of(PATH_STATE, "prompts");
	struct buf text;
	off_t size;

	p->read = true;
	if (!path)
		return;
	buf_init(&text, PROMPTS_FILE_LIMIT);
	if (read_end(path, &text, &size)) {
		size_t lines = read_lines(p, buf_str(&text));

		if (lines > PROMPTS_MOST || size > (off_t)PROMPTS_FILE_LIMIT)
			shorten(p, path, size);
	}
	buf_fini(&text);
	mem_free(path);
}

size_t prompts_count(struct prompts *p)
{
	read_file(p);
	return p->count;
}

struct str prompts_at(struct prompts *p, size_t index)
{
	return index < prompts_count(p) ? str_from(p->entries[index]) : STR_NONE;
}

/* --- writing --- */

/* Once more when the file was replaced between its opening and the writing: the line went into the old one. */
static bool append(const char *path, struct str line)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		struct stat written;
		int fd = open_file(path, O_WRONLY | O_APPEND | O_CREAT);
		/* What is cut off by a full disk is a line that reading passes over. */
		bool good = fd >= 0 && str_write(line, fd) == 0, replaced = good && fstat(fd, &written) == 0 && written.st_nlink == 0;

		if (fd >= 0)
			close(fd);
		if (!good || !replaced)
			return good;
	}
	return true;
}

#define UNKEPT_PROMPT "the prompt is not kept for later"
#define UNKEPT_DRAFT "the draft is lost"

typedef bool put_line(const char *path, struct str line);

/* Puts a text into a file of the state folder, as one line. */
static bool write_text(const char *name, struct str text, put_line *put, const char *unkept, struct error *err)
{
	struct error why = { "" };
	struct buf line;
	char *path;
	bool good;

	if (!path_make_folder(PATH_STATE, &why))
		return error_set(err, "%s: %s", unkept, why.text);
	path = path_of(PATH_STATE, name);
	buf_init(&line, LINE_LIMIT);
	json_escape(&line, text);
	buf_add_byte(&line, '\n');
	good = put(path, buf_str(&line)) || error_set(err, "%s: cannot write %s: %s", unkept, path, strerror(errno));
	buf_fini(&line);
	mem_free(path);
	return good;
}

bool prompts_add(struct prompts *p, struct str prompt, struct error *err)
{
	size_t count = prompts_count(p);

	if (!prompt.len || (count && str_equal(prompts_at(p, count - 1), prompt)))
		return true;
	remember(p, prompt);
	if (!p->keeps || prompt.len > PROMPTS_ENTRY_LIMIT)
		return true;
	return write_text("prompts", prompt, append, UNKEPT_PROMPT, err);
}

/* --- the draft --- */

bool prompts_keep_draft(struct str draft, struct error *err)
{
	if (draft.len == 0)
		return true;
	if (draft.len > PROMPTS_DRAFT_LIMIT)
		return error_set(err, UNKEPT_DRAFT ": it is larger than %zu bytes", PROMPTS_DRAFT_LIMIT);
	return write_text("draft", draft, replace_file, UNKEPT_DRAFT, err);
}

bool prompts_take_draft(struct buf *out)
{
	char *path = path_of(PATH_STATE, "draft");
	struct json_parser *parser = json_parser_new();
	struct buf line;
	size_t used;
	off_t size;

	buf_clear(out);
	buf_init(&line, LINE_LIMIT);
	if (path && read_end(path, &line, &size)) {
		buf_add(out, json_text(json_parse(parser, buf_str(&line), &used)));
		unlink(path);
	}
	buf_fini(&line);
	json_parser_free(parser);
	mem_free(path);
	return out->len > 0;
}
