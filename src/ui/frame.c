#include "ui/frame.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define PENDING_LIMIT ((size_t)64 << 20)
#define DRAIN_MS 1000

/* Length of the CSI sequence at `s` (ESC [ ... final), or 0. */
static size_t csi_length(struct str s)
{
	size_t i = 2;

	while (i < s.len && s.ptr[i] >= ' ' && s.ptr[i] < 0x40)
		i++;
	return i < s.len ? i + 1 : 0;
}

static void add_repeated(struct str count, struct buf *out)
{
	char byte = out->len ? out->ptr[out->len - 1] : ' ';
	long long number = 0;

	for (bool known = str_to_int(count, &number); known && number > 0; number--)
		buf_add_byte(out, byte);
}

/* Moving the cursor draws nothing. */
static bool is_motion(struct str s, size_t len)
{
	return len && strchr("ABCDGHd", s.ptr[len - 1]);
}

/* Takes the sequence at the start of `s` (an ESC) and returns its length. */
static size_t tidy_sequence(struct tidy *tidy, struct str s, const struct palette *palette, struct buf *out)
{
	const char *end;
	size_t len;

	if (str_starts(s, "\x1B(B"))
		return 3;
	if (str_starts(s, "\x1B]") && (end = memchr(s.ptr, '\a', s.len)) != NULL)
		return (size_t)(end - s.ptr) + 1;
	len = str_starts(s, "\x1B[") ? csi_length(s) : 0;
	if (len && s.ptr[len - 1] == 'm') {
		pen_note(&tidy->want, str_of(s.ptr + 2, len - 3), palette);
		return len + (len < s.len && s.ptr[len] == '\x0F'); /* the same switch, of older terminals */
	}
	if (!is_motion(s, len))
		pen_change(&tidy->have, &tidy->want, out);
	if (len && s.ptr[len - 1] == 'b') {
		add_repeated(str_of(s.ptr + 2, len - 3), out);
		return len;
	}
	len = len ? len : 1;
	buf_add(out, str_head(s, len));
	return len;
}

void frame_tidy(struct tidy *tidy, struct str raw, const struct palette *palette, struct buf *out)
{
	while (raw.len) {
		const char *escape = memchr(raw.ptr, 0x1B, raw.len);
		struct str plain = str_head(raw, escape ? (size_t)(escape - raw.ptr) : raw.len);
		size_t moves = 0;

		while (moves < plain.len && (plain.ptr[moves] == '\r' || plain.ptr[moves] == '\b'))
			moves++;
		if (moves < plain.len)
			pen_change(&tidy->have, &tidy->want, out);
		buf_add(out, plain);
		raw = str_skip(raw, plain.len);
		if (raw.len)
			raw = str_skip(raw, tidy_sequence(tidy, raw, palette, out));
	}
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
	else if (written > 0)
		queue->bytes += (size_t)written;
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
