#include "lines.h"

#include <string.h>

#include "app/stored.h"
#include "support/check.h"

void lines_open(struct lines *l, const char *settings, const char *const *arguments, const char *const *environment)
{
	*l = (struct lines){ .server = hand_new(), .home = home_new() };
	home_write(l->home, ".config/weir/weir.conf", hand_settings(l->server, settings));
	stored_prepare(l->home);
	l->pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = l->home, .arguments = arguments, .environment = environment,
	                                            .turns = true });
}

struct expected { struct lines *lines; const char *text; };

static bool has_said(struct pty *p, const void *ctx)
{
	const struct expected *e = ctx;
	struct str rest = str_skip(pty_output(p), e->lines->at);
	size_t found = str_find(rest, str_from(e->text));

	if (found == rest.len)
		return false;
	e->lines->at += found + strlen(e->text);
	return true;
}

bool lines_say(struct lines *l, const char *words, const char *file, int line)
{
	return pty_wait(l->pty, has_said, &(struct expected){ l, words }, words, file, line);
}

bool lines_say_later(struct lines *l, const char *words, const char *file, int line)
{
	return pty_wait_turning(l->pty, has_said, &(struct expected){ l, words }, words, file, line);
}

void lines_dialogue(struct lines *l, const char *const *dialogue, const char *file, int line)
{
	for (; *dialogue && !pty_has_failed(l->pty); dialogue++) {
		if (strncmp(*dialogue, "> ", 2)) {
			lines_say(l, *dialogue, file, line);
			continue;
		}
		pty_send(l->pty, *dialogue + 2);
		pty_send(l->pty, "\n");
	}
}

void lines_check_plain(struct str bytes, const char *file, int line)
{
	for (size_t i = 0; i < bytes.len; i++) {
		unsigned char c = (unsigned char)bytes.ptr[i];
		bool bad = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F || (c == 0xC2 && i + 1 < bytes.len && (unsigned char)bytes.ptr[i + 1] < 0xA0);

		if (bad && c == '\r' && i + 1 < bytes.len && bytes.ptr[i + 1] == '\n')
			bad = false; /* written by the terminal's line discipline */
		check_that(!bad, "plain", file, line, "byte %zu is %d", i, c);
	}
	static const char *const signs[] = { "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\x8F" };
	for (size_t i = 0; i < 3; i++)
		check_that(str_find(bytes, str_from(signs[i])) == bytes.len, "plain", file, line, "sign %zu", i);
}

void lines_close(struct lines *l)
{
	if (!pty_has_failed(l->pty)) {
		pty_send(l->pty, "\x04");
		PTY_ENDS(l->pty, 0);
		PTY_RESTORED(l->pty);
		CHECK_PLAIN(pty_output(l->pty));
	}
	lines_drop(l);
}

void lines_drop(struct lines *l)
{
	pty_free(l->pty);
	hand_free(l->server);
	home_free(l->home);
}

void lines_begin(struct lines *l)
{
	lines_open(l, "", LIST("--plain"), NULL);
	SAYS(l, "weir, linear mode. Provider hand, model m-1, protocol openai-chat.");
	SAYS(l, "You: ");
}

void lines_restart(struct lines *l)
{
	pty_free(l->pty);
	l->pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = l->home, .arguments = LIST("--plain"), .turns = true });
	l->at = 0;
	SAYS(l, "You: ");
}

bool lines_ask(struct lines *l, const char *prompt)
{
	if (pty_has_failed(l->pty))
		return false;
	pty_send(l->pty, prompt);
	pty_send(l->pty, "\n");
	return hand_accept(l->server);
}

void lines_stream(struct lines *l, const char *prompt, const char *text)
{
	if (!lines_ask(l, prompt))
		return;
	hand_begin(l->server);
	hand_text(l->server, text);
}

bool lines_sent(const struct lines *l, const char *text)
{
	return strstr(hand_body(l->server), text) != NULL;
}
