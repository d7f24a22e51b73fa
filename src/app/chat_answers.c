/* What the terminal answers to the questions of the first frame: how it draws emoji, its background, the keys it can report. */
#include <poll.h>
#include <unistd.h>

#include "app/chat.h"
#include "ui/term.h"

#define ANSWERS_MS 1000    /* who has said nothing by then will not */
#define LEAVING_MS 100
#define READ_SIZE 4096

static void take_answer(struct chat *c, struct str reply)
{
	struct handshake *h = screen_handshake(c->screen);
	bool had_background = h->has_background;
	unsigned number = utf8_profile_number();

	if (!handshake_take(h, reply))
		return;
	struct utf8_profile profile = handshake_profile(h);
	utf8_set_profile(&profile);
	c->dirty |= number != utf8_profile_number();
	if (c->theme_by_background && !had_background && h->has_background)
		chat_use_theme(c, STR(THEME_BY_BACKGROUND));
}

static void take_key(void *chat, const struct key *key)
{
	if (key->code == KEY_REPLY)
		take_answer(chat, key->text);
	else
		chat_key(chat, key);
}

static void take_reply(void *chat, const struct key *key)
{
	struct chat *c = chat;

	if (key->code == KEY_REPLY)
		handshake_take(screen_handshake(c->screen), key->text);
}

void chat_feed_keys(struct chat *c, struct str bytes, int64_t now_ms)
{
	key_decoder_feed(c->keys, bytes, now_ms, take_key, c);
	screen_use_keys(c->screen, key_decoder_protocol(c->keys));
}

/* What is still under way would be typed into the shell. */
void chat_await_answers(struct chat *c)
{
	struct handshake *h = screen_handshake(c->screen);
	struct pollfd tty = { .fd = term_fd(c->term), .events = POLLIN };
	int64_t now_ms = clock_now_ms(), end_ms = now_ms + LEAVING_MS;
	char bytes[READ_SIZE];

	if (!h->asked || now_ms - c->opened_ms > ANSWERS_MS)
		return;
	while (!h->answered && now_ms < end_ms && poll(&tty, 1, (int)(end_ms - now_ms)) > 0) {
		ssize_t n = read(tty.fd, bytes, sizeof bytes);

		if (n <= 0)
			return;
		key_decoder_feed(c->keys, str_of(bytes, (size_t)n), now_ms, take_reply, c);
		now_ms = clock_now_ms();
	}
}

const char *chat_theme_for_background(const struct chat *c)
{
	const struct handshake *h = c->screen ? screen_handshake(c->screen) : NULL;

	return h && h->has_background ? theme_for_background(h->r, h->g, h->b) : theme_name_at(0);
}
