/* Files of a prompt: chips, the image in the clipboard, refusals. The programs that read the clipboard are scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "stage.h"
#include "support/check.h"

#define PNG "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0"
#define GIVES_PNG "#!/bin/sh\n[ \"$*\" = '-selection clipboard -t image/png -o' ] && cat \"$HOME/shot.png\"\n"
#define GIVES_TEXT "#!/bin/sh\necho no image\n"
#define FAILS "#!/bin/sh\nexit 1\n"
#define HANGS "#!/bin/sh\nsleep 1000\n"

static char *home;
static char path[600];

static void write_file(const struct stage *s, const char *name, struct str bytes)
{
	FILE *f = fopen(home_path(s->home, name), "wb");

	CU_ASSERT_FATAL(f && fwrite(bytes.ptr, 1, bytes.len, f) == bytes.len);
	fclose(f);
}

static void begin(struct stage *s, const char *const *scripts, const char *variable)
{
	home = home_new();
	snprintf(path, sizeof path, "PATH=%s/bin:%s", home, getenv("PATH"));
	for (size_t i = 0; scripts && scripts[i]; i += 2) {
		char file[80];

		snprintf(file, sizeof file, "bin/%s", scripts[i]);
		chmod(home_write(home, file, scripts[i + 1]), 0700);
	}
	const char *environment[8] = { path, variable };
	stage_open(s, &(struct stage_options){ .environment = environment });
	write_file(s, "shot.png", STR(PNG));
	write_file(s, "scan.tiff", STR("II*\0 and more"));
	write_file(s, "long-name-of-a-text.txt", STR("some words\n"));
}

static void end(struct stage *s)
{
	stage_close(s);
	home_free(home);
}

static void files_are_chips(void)
{
	struct stage s;

	begin(&s, NULL, NULL);
	pty_type(s.pty, "/attach ~/shot.png");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "[shot.png  640x480  29 B]");
	PTY_SEES(s.pty, "1 file attached");
	pty_type(s.pty, "/attach ~/long-name-of-a-text.txt");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "[shot.png  640x480  29 B] [long-name-of-a-text.txt  11 B]");
	pty_resize(s.pty, 12, 40);
	PTY_SEES(s.pty, "[shot.png  640x480  29 B] +1");
	pty_resize(s.pty, 6, 20);
	PTY_LOSES(s.pty, "[shot.png");
	pty_resize(s.pty, 24, 80);
	pty_type(s.pty, "look");
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	hand_whole(s.server, "Seen.", "stop");
	PTY_SEES(s.pty, "attached  shot.png  640x480  29 B");
	PTY_SEES(s.pty, "attached  long-name-of-a-text.txt  11 B");
	PTY_LOSES(s.pty, "[shot.png");
	end(&s);
}

static void the_image_in_the_clipboard_is_pasted(void)
{
	struct stage s;

	begin(&s, LIST("wl-paste", FAILS, "xclip", GIVES_PNG), "DISPLAY=:0");
	pty_send(s.pty, "\x16");
	PTY_SEES(s.pty, "[pasted-1.png  640x480  29 B]");
	PTY_SEES(s.pty, "pasted-1.png, 29 B, goes with the next prompt");
	pty_type(s.pty, "/paste");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "[pasted-2.png  640x480  29 B]");
	pty_type(s.pty, "look");
	pty_send(s.pty, "\r");
	hand_accept(s.server);
	CHECK(strstr(hand_body(s.server), "data:image/png;base64,iVBORw0KGgo"), "%s", hand_body(s.server));
	hand_whole(s.server, "Seen.", "stop");
	PTY_SEES(s.pty, "attached  pasted-1.png  640x480  29 B");
	end(&s);
}

static void a_clipboard_without_image_is_said_so(void)
{
	struct stage s;

	begin(&s, LIST("xclip", GIVES_TEXT, "pngpaste", FAILS), "DISPLAY=:0");
	pty_send(s.pty, "\x16");
	PTY_SEES(s.pty, "there is no image in the clipboard");
	CHECK(pty_hides(s.pty, "attached"), "%s", pty_dump(s.pty));
	end(&s);
}

static void a_program_that_hangs_is_ended(void)
{
	struct stage s;

	begin(&s, LIST("xclip", HANGS), "DISPLAY=:0");
	pty_send(s.pty, "\x16");
	pty_type(s.pty, "typed meanwhile");
	PTY_SEES(s.pty, "> typed meanwhile");
	PTY_SEES(s.pty, "no image was pasted: xclip hung and was ended");
	end(&s);
}

/* The prompt stays in the input, and nothing is sent. */
static void a_file_beyond_a_limit_is_refused(void)
{
	struct stage s;

	begin(&s, NULL, NULL);
	pty_type(s.pty, "/attach ~/scan.tiff");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "[scan.tiff");
	pty_type(s.pty, "look");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "scan.tiff is image/tiff, and openai-chat takes images as PNG, JPEG, GIF, WEBP");
	PTY_SEES(s.pty, "> look");
	PTY_SEES(s.pty, "[scan.tiff");
	end(&s);
}

const struct suite suite_screen_attach = { "screen_attach", (const struct test[]){
	TEST(files_are_chips), TEST(the_image_in_the_clipboard_is_pasted), TEST(a_clipboard_without_image_is_said_so),
	TEST(a_program_that_hangs_is_ended), TEST(a_file_beyond_a_limit_is_refused), { 0 } } };
