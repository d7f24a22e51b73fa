#include "stage.h"

#include <stdio.h>
#include <string.h>

#include "app/stored.h"

void stage_open(struct stage *s, const struct stage_options *options)
{
	static const struct stage_options none;
	const struct stage_options *o = options ? options : &none;

	s->server = hand_new();
	s->home = home_new();
	struct buf settings;
	buf_init(&settings, 1 << 16);
	buf_printf(&settings, "%s%s", o->top ? o->top : "", hand_settings(s->server, o->settings ? o->settings : ""));
	home_write(s->home, ".config/weir/weir.conf", buf_z(&settings));
	buf_fini(&settings);
	if (o->furnish)
		o->furnish(s->home);
	else if (!o->has_no_history)
		stored_prepare(s->home);
	s->pty = pty_start(&(struct pty_options){ .home = s->home, .arguments = o->arguments, .environment = o->environment, .script = o->script, .turns = o->turns,
	                                          .rows = o->rows, .columns = o->columns, .draws_images = o->draws_images,
	                                          .draws_sixels = o->draws_sixels, .tells_cell = o->tells_cell });
	STAGE_STATE(s, "ready");
}

void stage_close(struct stage *s)
{
	if (!pty_has_failed(s->pty)) {
		pty_send(s->pty, "\x03\x03\x03");
		PTY_ENDS(s->pty, 0);
		PTY_RESTORED(s->pty);
	}
	stage_drop(s);
}

void stage_restart(struct stage *s)
{
	unsigned rows = pty_rows(s->pty), columns = pty_columns(s->pty);

	pty_free(s->pty);
	s->pty = pty_start(&(struct pty_options){ .home = s->home, .rows = rows, .columns = columns });
	STAGE_STATE(s, "ready");
}

void stage_drop(struct stage *s)
{
	pty_free(s->pty);
	hand_free(s->server);
	home_free(s->home);
}

static bool is_under_way(struct pty *p, const void *unused)
{
	(void)unused;
	return !stage_has_state(p, "ready");
}

/* Waits for the screen too: else it may still show the state before, which tests wait for after the answer. */
bool stage_ask(struct stage *s, const char *prompt)
{
	if (pty_has_failed(s->pty))
		return false;
	pty_send(s->pty, prompt);
	pty_send(s->pty, "\r");
	return hand_accept(s->server) && PTY_WAIT(s->pty, is_under_way, NULL);
}

void stage_begin(struct stage *s, const char *prompt)
{
	if (stage_ask(s, prompt))
		hand_begin(s->server);
}

void stage_turn(struct stage *s, const char *prompt, const char *answer)
{
	if (!stage_ask(s, prompt))
		return;
	hand_whole(s->server, answer, "stop");
	char start[16];
	snprintf(start, sizeof start, "%.*s", (int)strcspn(answer, " \n") < 13 ? (int)strcspn(answer, " \n") : 12, answer);
	pty_wait(s->pty, pty_shows, start, answer, __FILE__, __LINE__);
	STAGE_OVER(s);
}

void stage_turn_counted(struct stage *s, const char *prompt, const char *answer, const char *end)
{
	if (!stage_ask(s, prompt))
		return;
	hand_counted(s->server, answer, end);
	PTY_SEES(s->pty, answer);
	STAGE_OVER(s);
}

void stage_open_answered(struct stage *s)
{
	stage_open(s, NULL);
	stage_turn(s, "hello", "Good day.");
}

bool stage_sent(const struct stage *s, const char *text)
{
	bool sent = strstr(hand_body(s->server), text) != NULL;

	if (!sent)
		printf("\nnot in the request: %s\n%s\n", text, hand_body(s->server));
	return sent;
}

bool stage_has_state(struct pty *p, const void *word)
{
	const char *row = pty_row(p, pty_rows(p) - 1);

	return !strncmp(row + strspn(row, " "), word, strlen(word));
}

bool stage_titles_are_its_own(struct pty *p)
{
	struct str rest = pty_output(p);
	bool own = !pty_has_written(p, "\x1B]0;") && !pty_has_written(p, "\x1B]1;");

	for (size_t at; own && (at = str_find(rest, STR("\x1B]2;"))) < rest.len;) {
		size_t length = 0;

		rest = str_skip(rest, at + 4);
		while (length < rest.len && rest.ptr[length] >= ' ' && rest.ptr[length] <= '~')
			length++;
		own = str_starts(rest, "weir: ") && str_starts(str_skip(rest, length), "\x1B\\");
	}
	return own;
}

void stage_rows(struct stage *s, unsigned first, unsigned count)
{
	char line[32];

	for (unsigned i = first; i < first + count; i++) {
		snprintf(line, sizeof line, "row %u\n", i);
		hand_text(s->server, line);
	}
}

void stage_turn_rows(struct stage *s, const char *prompt, unsigned count)
{
	char last[32];

	stage_begin(s, prompt);
	stage_rows(s, 1, count);
	hand_finish(s->server, "stop");
	snprintf(last, sizeof last, "row %u", count);
	pty_wait(s->pty, pty_shows, last, last, __FILE__, __LINE__);
	STAGE_OVER(s);
}
