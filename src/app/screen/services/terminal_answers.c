/* Replies of the terminal to the queries of the first frame: widths of emoji, background colour, and which keys it can report. */
#include <poll.h>
#include <unistd.h>

#include "app/screen/services/terminal.h"
#include "net/source.h"

#define ANSWERS_MS 1000    /* a terminal that has not replied by then will not reply */
#define LEAVING_MS 100
#define READ_SIZE 4096

static void terminal_take_answer(struct terminal *t, struct str reply)
{
	struct handshake *h = screen_handshake(t->screen);
	bool had_background = h->has_background, drew_images = handshake_draws_images(h);
	uint32_t cell = screen_sixel_cell(t->screen).width;
	unsigned number = utf8_profile_number();

	if (!handshake_take(h, reply))
		return;
	screen_ask_more(t->screen);
	struct utf8_profile profile = handshake_profile(h);
	utf8_set_profile(&profile);
	if (number != utf8_profile_number() || drew_images != handshake_draws_images(h) || cell != screen_sixel_cell(t->screen).width)
		t->events.redraw(t->events.ctx);
	if (!had_background && h->has_background)
		t->events.background(t->events.ctx);
}

static void terminal_take_key(void *terminal, const struct key *key)
{
	struct terminal *t = terminal;

	if (key->code == KEY_REPLY)
		terminal_take_answer(t, key->text);
	else
		t->events.key(t->events.ctx, key);
}

static void terminal_take_reply(void *terminal, const struct key *key)
{
	struct terminal *t = terminal;

	if (key->code == KEY_REPLY)
		handshake_take(screen_handshake(t->screen), key->text);
}

void terminal_feed(struct terminal *t, struct str bytes, int64_t now_ms)
{
	key_decoder_feed(t->keys, bytes, now_ms, terminal_take_key, t);
	screen_use_keys(t->screen, key_decoder_protocol(t->keys));
}

void terminal_await_answers(struct terminal *t)
{
	struct handshake *h = screen_handshake(t->screen);
	struct pollfd tty = { .fd = term_fd(t->term), .events = POLLIN };
	int64_t now_ms = clock_now_ms(), end_ms = now_ms + LEAVING_MS;
	char bytes[READ_SIZE];

	if (!h->asked || now_ms - t->opened_ms > ANSWERS_MS)
		return;
	while (!h->answered && now_ms < end_ms && poll(&tty, 1, (int)(end_ms - now_ms)) > 0) {
		ssize_t n = read(tty.fd, bytes, sizeof bytes);

		if (n <= 0)
			return;
		key_decoder_feed(t->keys, str_of(bytes, (size_t)n), now_ms, terminal_take_reply, t);
		now_ms = clock_now_ms();
	}
}

const char *terminal_theme(const struct terminal *t)
{
	const struct handshake *h = t->screen ? screen_handshake(t->screen) : NULL;

	return h && h->has_background ? theme_for_background(h->r, h->g, h->b) : theme_name_at(0);
}
