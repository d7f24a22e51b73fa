#include "net/tape_inside.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/regular_file.h"

#define TAIL_BYTES ((size_t)64 << 10) /* of one read */

struct tape_tail {
	struct tape_reader reader;
	char *path;
	int fd;
	struct buf line;      /* the one that is not complete yet */
	size_t lines;         /* complete ones that were read */
	off_t at;             /* bytes that were read */
	bool over;            /* what follows is not read */
};

/* `from`: no line ends before it. */
static bool take_lines(struct tape_tail *t, size_t from, struct error *err)
{
	size_t used = 0;
	bool good = true;

	for (const char *feed; good && (feed = memchr(buf_z(&t->line) + from, '\n', t->line.len - from));) {
		struct str line = str_of(t->line.ptr + used, (size_t)(feed - t->line.ptr) - used);

		if (!t->reader.ended)
			good = tape_read_line(&t->reader, line, ++t->lines, false, err);
		else if (!t->over)
			t->over = !tape_read_behind(&t->reader, line, ++t->lines);
		used = from = used + line.len + 1;
	}
	buf_drop(&t->line, used);
	return good;
}

/* The first line says that it is a tape. */
static bool tail_is_tape(struct tape_tail *t, struct error *err)
{
	bool is_tape;

	return tape_find_mark(&t->reader, buf_str(&t->line), &is_tape, err) &&
	       (is_tape || !t->line.len || error_set(err, "only a tape can be followed, and this is a file of another kind"));
}

/* The first line has the request, which may be large: it is parsed once, and not after each read. */
static bool tail_wants_more(const struct tape_tail *t, size_t from, ssize_t got)
{
	return !t->lines && got == (ssize_t)TAIL_BYTES && str_starts(buf_str(&t->line), "{") && !memchr(t->line.ptr + from, '\n', t->line.len - from);
}

static bool tail_fails(struct tape_tail *t, const struct error *why, struct error *err)
{
	return error_set(err, "%s: %s", t->path, why->text);
}

bool tape_tail_read(struct tape_tail *t, bool *grew, struct error *err)
{
	size_t steps = t->reader.tape->count;
	struct error why = { "" };
	struct stat facts;
	bool good = true;
	ssize_t got = 1;

	*grew = false;
	if (fstat(t->fd, &facts) == 0 && facts.st_size < t->at)
		return error_set(&why, "the tape was started over"), tail_fails(t, &why, err);
	while (good && got > 0 && !t->over) {
		size_t from = t->line.len;
		char *room = from + TAIL_BYTES < buf_limit(&t->line) ? buf_extend(&t->line, TAIL_BYTES) : NULL;

		got = room ? read(t->fd, room, TAIL_BYTES) : 0;
		t->line.len -= TAIL_BYTES - (got > 0 ? (size_t)got : 0);
		t->at += got > 0 ? got : 0;
		if (!tail_wants_more(t, from, got))
			good = (t->lines || tail_is_tape(t, &why)) && take_lines(t, from, &why);
	}
	*grew = t->reader.tape->count > steps;
	return good || tail_fails(t, &why, err);
}

bool tape_tail_open(struct tape_tail **tail, const char *path, struct error *err)
{
	struct tape_tail *t = mem_new(sizeof *t);
	bool grew;

	t->reader = (struct tape_reader){ .tape = mem_new(sizeof(struct tape)), .parser = json_parser_new() };
	t->path = mem_dup_z(path);
	buf_init(&t->reader.scratch, TAPE_LIMIT);
	buf_init(&t->line, TAPE_LIMIT);
	t->fd = regular_file_open(path, NULL, err);
	if (t->fd < 0 || !tape_tail_read(t, &grew, err)) {
		tape_tail_free(t);
		return false;
	}
	*tail = t;
	return true;
}

void tape_tail_free(struct tape_tail *t)
{
	if (!t)
		return;
	tape_free(t->reader.tape);
	json_parser_free(t->reader.parser);
	buf_fini(&t->reader.scratch);
	buf_fini(&t->line);
	if (t->fd >= 0)
		close(t->fd);
	mem_free(t->path);
	mem_free(t);
}

const struct tape *tape_tail_tape(const struct tape_tail *t)
{
	return t->reader.tape;
}

bool tape_tail_ended(const struct tape_tail *t)
{
	return t->reader.ended;
}
