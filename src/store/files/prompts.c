#include "store/files/prompts.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/names.h"
#include "store/files/private_folder.h"

#define LINE_LIMIT (6 * PROMPTS_DRAFT_LIMIT + 8) /* an escaped byte takes at most six */
#define ATTEMPTS 3
#define PROMPTS "prompts"
#define DRAFT "draft"

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

void prompts_set_keeps(struct prompts *p, bool keeps)
{
	p->keeps = keeps;
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

static void remember(struct prompts *p, struct str prompt)
{
	if (p->count == PROMPTS_MOST) {
		mem_free(p->entries[0]);
		memmove(p->entries, p->entries + 1, --p->count * sizeof *p->entries);
	}
	*ARRAY_ADD(p->entries, p->count, p->capacity) = str_dup(prompt);
}

/* --- files --- */

/* Reads the end of a file of the state folder, from the start of a line. `*size` receives the size of the file. */
static enum private_state read_end(const struct private_folder *folder, const char *name, struct buf *out, off_t *size, struct error *err)
{
	enum private_state state;
	char block[65536];
	off_t at;
	ssize_t n;
	int fd;

	state = private_file_open(folder, name, O_RDONLY, &fd, err);
	if (state != PRIVATE_OPEN)
		return state;
	*size = lseek(fd, 0, SEEK_END);
	at = *size > (off_t)buf_limit(out) ? *size - (off_t)buf_limit(out) : 0;
	while ((n = pread(fd, block, sizeof block, at)) > 0 && buf_add(out, str_of(block, (size_t)n)))
		at += n;
	close(fd);
	if (*size > (off_t)buf_limit(out))
		buf_drop(out, str_find(buf_str(out), STR("\n")) + 1);
	return PRIVATE_OPEN;
}

/* --- reading --- */

/* Replaces the file by a shorter one, unless another program has added to it meanwhile: then it stays until next time. */
static void shorten(const struct prompts *p, const struct private_folder *folder, off_t size)
{
	struct error ignored;
	struct stat now;
	struct buf lines;

	buf_init(&lines, 2 * PROMPTS_FILE_LIMIT);
	for (size_t i = 0; i < p->count; i++)
		if (json_escape(&lines, str_from(p->entries[i])))
			buf_add_byte(&lines, '\n');
	if (fstatat(folder->fd, PROMPTS, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_size == size)
		private_file_replace(folder, PROMPTS, buf_str(&lines), &ignored);
	buf_fini(&lines);
}

/* Skips lines that are not JSON strings. */
static size_t read_prompt_lines(struct prompts *p, struct str rest)
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

/* Errors of the folder or the file are reported when a prompt cannot be written. */
static void read_prompts(struct prompts *p)
{
	struct private_folder folder;
	struct error ignored;
	struct buf text;
	off_t size;

	if (p->read)
		return;
	p->read = true;
	if (private_folder_open_state(&folder, false, &ignored) != PRIVATE_OPEN)
		return;
	buf_init(&text, PROMPTS_FILE_LIMIT);
	if (read_end(&folder, PROMPTS, &text, &size, &ignored) == PRIVATE_OPEN) {
		size_t lines = read_prompt_lines(p, buf_str(&text));

		if (lines > PROMPTS_MOST || size > (off_t)PROMPTS_FILE_LIMIT)
			shorten(p, &folder, size);
	}
	buf_fini(&text);
	private_folder_close(&folder);
}

size_t prompts_count(struct prompts *p)
{
	read_prompts(p);
	return p->count;
}

struct str prompts_at(struct prompts *p, size_t index)
{
	return index < prompts_count(p) ? str_from(p->entries[index]) : STR_NONE;
}

/* --- writing --- */

/* Appends a line. Tries again if the file was replaced between opening and writing, because the line is in the old file then. */
static bool append(const struct private_folder *folder, const char *name, struct str line, struct error *err)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		struct stat written;
		bool replaced;
		int fd, failure;

		if (private_file_open(folder, name, O_WRONLY | O_APPEND | O_CREAT, &fd, err) != PRIVATE_OPEN)
			return false;
		failure = str_write(line, fd); /* a line truncated by a full disk is skipped by the reader */
		replaced = fstat(fd, &written) == 0 && written.st_nlink == 0;
		close(fd);
		if (failure)
			return error_set(err, "cannot write %s/%s: %s", folder->path, name, strerror(failure));
		if (!replaced)
			return true;
	}
	return true;
}

#define UNKEPT_PROMPT "prompts stay in memory"
#define UNKEPT_DRAFT "the draft is lost"

typedef bool put_line(const struct private_folder *folder, const char *name, struct str line, struct error *err);

/* Writes a text as one line to a file of the state folder. */
static bool write_prompts_file(const char *name, struct str text, put_line *put, const char *unkept, struct error *err)
{
	struct private_folder folder;
	struct error why = { "" };
	struct buf line;
	bool good;

	if (private_folder_open_state(&folder, true, &why) != PRIVATE_OPEN)
		return error_set(err, "%s: %s", unkept, why.text);
	buf_init(&line, LINE_LIMIT);
	json_escape(&line, text);
	buf_add_byte(&line, '\n');
	good = put(&folder, name, buf_str(&line), &why) || error_set(err, "%s: %s", unkept, why.text);
	buf_fini(&line);
	private_folder_close(&folder);
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
	return write_prompts_file(PROMPTS, prompt, append, UNKEPT_PROMPT, err);
}

/* --- removing --- */

/* Adds the lines that stay to `kept`. False: all stay. */
static bool removal_keep_lines(const struct prompts_removal *removal, struct str rest, struct buf *kept)
{
	struct json_parser *parser = json_parser_new();
	bool removes = false;
	struct str line;
	size_t used;

	while (str_split(&rest, '\n', &line)) {
		if (str_is_among(json_text(json_parse(parser, line, &used)), (const char *const *)removal->texts, removal->count)) {
			removes = true;
			continue;
		}
		buf_add(kept, line);
		buf_add_byte(kept, '\n');
	}
	json_parser_free(parser);
	return removes;
}

/* The start of a file that is too long goes too. True: nothing is left to be removed. False: another program has added to the file meanwhile. */
static bool removal_write(const struct prompts_removal *removal, const struct private_folder *folder)
{
	struct error ignored;
	struct buf text, kept;
	struct stat now;
	off_t size;
	bool done;

	buf_init(&text, PROMPTS_FILE_LIMIT);
	buf_init(&kept, PROMPTS_FILE_LIMIT + 1);
	done = read_end(folder, PROMPTS, &text, &size, &ignored) != PRIVATE_OPEN ||
	       (!removal_keep_lines(removal, buf_str(&text), &kept) && size <= (off_t)PROMPTS_FILE_LIMIT);
	if (!done && fstatat(folder->fd, PROMPTS, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_size == size) {
		(void)!private_file_replace(folder, PROMPTS, buf_str(&kept), &ignored);
		done = true;
	}
	buf_fini(&kept);
	buf_fini(&text);
	return done;
}

static void removal_run(struct prompts_removal *removal)
{
	struct private_folder folder;
	struct error ignored;

	if (removal->count && private_folder_open_state(&folder, false, &ignored) == PRIVATE_OPEN) {
		for (int i = 0; i < ATTEMPTS && !removal_write(removal, &folder); i++)
			;
		private_folder_close(&folder);
	}
	while (removal->count)
		mem_free(removal->texts[--removal->count]);
	removal->bytes = 0;
}

void prompts_removal_add(struct prompts_removal *removal, struct str prompt)
{
	if (!prompt.len || prompt.len > PROMPTS_ENTRY_LIMIT)
		return;
	if (removal->bytes + prompt.len > PROMPTS_FILE_LIMIT)
		removal_run(removal);
	*ARRAY_ADD(removal->texts, removal->count, removal->capacity) = str_dup(prompt);
	removal->bytes += prompt.len;
}

void prompts_removal_fini(struct prompts_removal *removal)
{
	removal_run(removal);
	mem_free(removal->texts);
	*removal = (struct prompts_removal){ 0 };
}

/* --- the draft --- */

bool prompts_keep_draft(struct str draft, struct error *err)
{
	if (draft.len == 0)
		return true;
	if (draft.len > PROMPTS_DRAFT_LIMIT)
		return error_set(err, UNKEPT_DRAFT ": it is larger than %zu bytes", PROMPTS_DRAFT_LIMIT);
	return write_prompts_file(DRAFT, draft, private_file_replace, UNKEPT_DRAFT, err);
}

static void read_draft(struct str line, struct buf *out)
{
	struct json_parser *parser = json_parser_new();
	size_t used;

	buf_add(out, json_text(json_parse(parser, line, &used)));
	json_parser_free(parser);
}

bool prompts_take_draft(struct buf *out, struct error *err)
{
	struct private_folder folder;
	struct error why = { "" };
	struct buf line;
	off_t size;

	err->text[0] = '\0';
	buf_clear(out);
	if (private_folder_open_state(&folder, false, &why) != PRIVATE_OPEN)
		return false;
	buf_init(&line, LINE_LIMIT);
	switch (read_end(&folder, DRAFT, &line, &size, &why)) {
	case PRIVATE_OPEN:
		read_draft(buf_str(&line), out);
		unlinkat(folder.fd, DRAFT, 0);
		break;
	case PRIVATE_REFUSED:
		error_set(err, "the draft is not restored: %s", why.text);
		break;
	case PRIVATE_MISSING:
		break;
	}
	buf_fini(&line);
	private_folder_close(&folder);
	return out->len > 0;
}
