#include "ui/term/frame.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "base/utf8.h"
#include "ui/picture.h"
#include "ui/term/kitty_graphics.h"

#define PENDING_LIMIT ((size_t)64 << 20)
#define DRAIN_MS 400 /* a terminal that accepts nothing for this long is considered stopped */

/* Length of the CSI sequence at `s` (ESC [ ... final), or 0. */
static size_t frame_csi_length(struct str s)
{
	size_t i = 2;

	while (i < s.len && s.ptr[i] >= ' ' && s.ptr[i] < 0x40)
		i++;
	return i < s.len ? i + 1 : 0;
}

static void frame_add_repeated(struct str count, struct buf *out)
{
	char byte = out->len ? out->ptr[out->len - 1] : ' ';
	long long number = 0;

	for (bool known = str_to_int(count, &number); known && number > 0; number--)
		buf_add_byte(out, byte);
}

/* True for a sequence that only moves the cursor, so attributes do not matter. */
static bool frame_is_motion(struct str s, size_t len)
{
	return len && strchr("ABCDGHd", s.ptr[len - 1]);
}

struct marks {
	bool strike;
	unsigned link;
	uint16_t colours[4]; /* of a picture */
	unsigned colour_count;
	unsigned part[3];    /* of an image: its number, row and column */
	unsigned part_count;
};

static int32_t frame_colour(const struct tidy *tidy, uint32_t rgb)
{
	int32_t colour = COLOUR_RGB((int32_t)(rgb >> 16 & 255), (int32_t)(rgb >> 8 & 255), (int32_t)(rgb & 255));

	return tidy->true_colour ? colour : PEN_INDEXED + colour_reduce(colour, 256);
}

/* Sets the attributes and the link for the text that follows. */
static void frame_use_marks(struct tidy *tidy, struct marks marks, struct buf *out)
{
	const char *destination = tidy->links ? links_at(tidy->links, marks.link) : NULL;
	struct pen pen = tidy->want;

	pen.attributes |= marks.strike ? 1u << 9 : 0;
	if (marks.colour_count == 4) {
		uint32_t upper, lower;

		picture_read_marks(marks.colours, &upper, &lower);
		pen = (struct pen){ .fg = frame_colour(tidy, upper), .bg = frame_colour(tidy, lower) };
	}
	if (marks.part_count == 3)
		pen = (struct pen){ .fg = kitty_colour(marks.part[0]), .bg = tidy->want.bg };
	pen_change(&tidy->have, &pen, out);
	if (!destination)
		marks.link = 0;
	if (marks.link == tidy->link)
		return;
	tidy->link = marks.link;
	if (destination)
		buf_printf(out, "\x1B]8;id=%u;%s\x1B\\", marks.link, destination);
	else
		buf_add(out, STR("\x1B]8;;\x1B\\"));
}

/* Processes the escape sequence at the start of `s` and returns its length. */
static size_t frame_tidy_sequence(struct tidy *tidy, struct str s, const struct palette *palette, struct buf *out)
{
	const char *end;
	size_t len;

	if (str_starts(s, "\x1B(B"))
		return 3;
	if (str_starts(s, "\x1B]") && (end = memchr(s.ptr, '\a', s.len)) != NULL)
		return (size_t)(end - s.ptr) + 1;
	len = str_starts(s, "\x1B[") ? frame_csi_length(s) : 0;
	if (len && s.ptr[len - 1] == 'm') {
		pen_note(&tidy->want, str_of(s.ptr + 2, len - 3), palette);
		return len + (len < s.len && s.ptr[len] == '\x0F'); /* SI: the switch to ASCII on older terminals */
	}
	if (!frame_is_motion(s, len))
		frame_use_marks(tidy, (struct marks){ 0 }, out);
	if (len && s.ptr[len - 1] == 'b') {
		frame_add_repeated(str_of(s.ptr + 2, len - 3), out);
		return len;
	}
	len = len ? len : 1;
	buf_add(out, str_head(s, len));
	return len;
}

/* By the third byte: U+E0100 to U+E01FF, and those of pictures. */
static bool frame_is_mark(struct str s)
{
	unsigned third = s.len >= 4 ? (unsigned char)s.ptr[2] : 0;

	return third && s.ptr[0] == '\xF3' && s.ptr[1] == '\xA0' && ((third >= 0x84 && third <= 0x87) || (third >= 0x90 && third <= 0xBF));
}

/* The number of bytes before the first cell with a mark. */
static size_t frame_unmarked_length(struct str text)
{
	const char *lead = text.ptr;

	while ((lead = memchr(lead, 0xF3, text.len - (size_t)(lead - text.ptr))) != NULL) {
		size_t at = (size_t)(lead - text.ptr);

		if (at && frame_is_mark(str_skip(text, at))) {
			do
				at--;
			while (at && (text.ptr[at] & 0xC0) == 0x80);
			return at;
		}
		lead++;
	}
	return text.len;
}

/* Appends text with substitutes replaced by their clusters. */
static void frame_add_text(const struct tidy *tidy, struct str text, struct buf *out)
{
	const char *lead = text.ptr;

	while (tidy->substitutes && (lead = memchr(lead, 0xF0, text.len - (size_t)(lead - text.ptr))) != NULL) {
		struct str rest = str_skip(text, (size_t)(lead - text.ptr)), behind = rest;
		struct str cluster = cell_substitute_cluster(tidy->substitutes, utf8_next(&behind));

		lead++;
		if (!cluster.len)
			continue;
		buf_add(out, str_head(text, text.len - rest.len));
		buf_add(out, cluster);
		text = behind;
		lead = text.ptr;
	}
	buf_add(out, text);
}

static void frame_add_unmarked(struct tidy *tidy, struct str text, struct buf *out)
{
	size_t moves = 0;

	while (moves < text.len && (text.ptr[moves] == '\r' || text.ptr[moves] == '\b'))
		moves++;
	if (moves < text.len)
		frame_use_marks(tidy, (struct marks){ 0 }, out);
	frame_add_text(tidy, text, out);
}

/* Processes the cell at the start of `*text`, which has marks after its base, including its combining characters. */
static void frame_add_marked(struct tidy *tidy, struct str *text, struct buf *out)
{
	struct marks marks = { 0 };
	struct str base = *text, next;

	utf8_next(text);
	base.len -= text->len;
	while (frame_is_mark(*text)) {
		uint32_t code = utf8_next(text);

		if (code >= PICTURE_MARKS_END && marks.part_count < 3)
			marks.part[marks.part_count++] = picture_read_part((uint16_t)code);
		else if (code >= PICTURE_MARKS && marks.colour_count < 4)
			marks.colours[marks.colour_count++] = (uint16_t)code;
		else if (code == MARK_STRIKE)
			marks.strike = true;
		else
			marks.link = code - MARK_LINK(0);
	}
	frame_use_marks(tidy, marks, out);
	if (marks.part_count == 3)
		kitty_add_placeholder(out, marks.part[1], marks.part[2]);
	else
		frame_add_text(tidy, base, out);
	for (next = *text; next.len && wcwidth((wchar_t)utf8_next(&next)) == 0; *text = next)
		buf_add(out, str_head(*text, text->len - next.len));
}

static void frame_add_plain(struct tidy *tidy, struct str text, struct buf *out)
{
	while (text.len) {
		size_t len = frame_unmarked_length(text);

		frame_add_unmarked(tidy, str_head(text, len), out);
		text = str_skip(text, len);
		if (text.len)
			frame_add_marked(tidy, &text, out);
	}
}

void frame_tidy(struct tidy *tidy, struct str raw, const struct palette *palette, struct buf *out)
{
	while (raw.len) {
		const char *escape = memchr(raw.ptr, 0x1B, raw.len);
		struct str plain = str_head(raw, escape ? (size_t)(escape - raw.ptr) : raw.len);

		frame_add_plain(tidy, plain, out);
		raw = str_skip(raw, plain.len);
		if (raw.len)
			raw = str_skip(raw, frame_tidy_sequence(tidy, raw, palette, out));
	}
	if (tidy->link)
		frame_use_marks(tidy, (struct marks){ 0 }, out);
}

void frame_queue_init(struct frame_queue *queue, int fd)
{
	*queue = (struct frame_queue){ .fd = fd };
	buf_init(&queue->pending, PENDING_LIMIT);
}

void frame_queue_fini(struct frame_queue *queue)
{
	buf_fini(&queue->pending);
}

bool frame_queue_is_empty(const struct frame_queue *queue)
{
	return queue->sent == queue->pending.len;
}

void frame_queue_send(struct frame_queue *queue)
{
	size_t left = queue->pending.len - queue->sent;
	ssize_t written;

	if (left == 0)
		return;
	do
		written = write(queue->fd, queue->pending.ptr + queue->sent, left);
	while (written < 0 && errno == EINTR);
	if (written < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
		written = (ssize_t)left;
	if (written > 0)
		queue->sent += (size_t)written;
	if (frame_queue_is_empty(queue)) {
		buf_clear(&queue->pending);
		queue->sent = 0;
	}
}

void frame_queue_drain(struct frame_queue *queue)
{
	struct pollfd writable = { .fd = queue->fd, .events = POLLOUT };

	frame_queue_send(queue);
	while (!frame_queue_is_empty(queue) && (poll(&writable, 1, DRAIN_MS) > 0 || errno == EINTR)) {
		if (writable.revents & (POLLERR | POLLHUP | POLLNVAL))
			return;
		frame_queue_send(queue);
	}
}
