/* Files of a prompt: chips, the image in the clipboard, refusals. The programs that read the clipboard are scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/program.h"
#include "stage.h"
#include "support/check.h"

#define PNG "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02\0\0\0"
/* 12 x 8 pixels: red at the left, blue at the right. */
#define FLAG PNG_HEAD_OF_FLAG "\x00\x00\x00\x14\x49\x44\x41\x54\x78\xda\x63\xf8\xcf\xc0\x80\x86\x30\x04\xfe\x33\x8c\x2a\x02\x00\x4c\xe1\x5f\xa1" \
	"\xfc\xaa\x34\x6f\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82"
#define PNG_HEAD_OF_FLAG "\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x0c\x00\x00\x00\x08\x08\x02" \
	"\x00\x00\x00\x42\x86\x89\xa6"
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

static void begin_with(struct stage *s, const char *top, const char *const *scripts, const char *variable)
{
	home = home_new();
	snprintf(path, sizeof path, "PATH=%s/bin:%s", home, getenv("PATH"));
	for (size_t i = 0; scripts && scripts[i]; i += 2) {
		char file[80];

		snprintf(file, sizeof file, "bin/%s", scripts[i]);
		chmod(home_write(home, file, scripts[i + 1]), 0700);
	}
	const char *environment[8] = { path, variable };
	stage_open(s, &(struct stage_options){ .environment = environment, .top = top, .turns = true });
	write_file(s, "flag.png", STR(FLAG));
	write_file(s, "cut.png", str_head(STR(FLAG), 50));
	write_file(s, "shot.png", STR(PNG));
	write_file(s, "scan.tiff", STR("II*\0 and more"));
	write_file(s, "long-name-of-a-text.txt", STR("some words\n"));
}

static void begin(struct stage *s, const char *const *scripts, const char *variable)
{
	begin_with(s, NULL, scripts, variable);
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
	PTY_SEES_LATER(s.pty, "1 file attached");
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
	PTY_SEES_LATER(s.pty, "no image was pasted: xclip hung and was ended");
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

/* --- drawing --- */

static void send_file(struct stage *s, const char *name)
{
	char line[80];

	snprintf(line, sizeof line, "/attach ~/%s", name);
	pty_type(s->pty, line);
	pty_send(s->pty, "\r");
	PTY_SEES(s->pty, "goes with the next prompt");
	pty_type(s->pty, "look");
	pty_send(s->pty, "\r");
	hand_accept(s->server);
	hand_whole(s->server, "Seen.", "stop");
	PTY_SEES(s->pty, "Seen.");
	STAGE_OVER(s);
}

/* The colours of the flag's two halves, in each of its four rows. */
static bool shows_flag(struct pty *p, const void *word)
{
	int line = pty_find_row(p, "attached  ");

	(void)word;
	for (unsigned row = 0; line >= 0 && row < 4; row++) {
		struct pty_cell red = pty_cell(p, (unsigned)line + 1 + row, 4), blue = pty_cell(p, (unsigned)line + 1 + row, 15);
		struct pty_cell behind = pty_cell(p, (unsigned)line + 1 + row, 16);

		if (strcmp(red.text, "\u2580") != 0 || strcmp(blue.text, "\u2580") != 0 || strcmp(behind.text, "\u2580") == 0)
			return false;
		if (red.foreground != 196 || red.background != 196 || blue.foreground != 21 || blue.background != 21)
			return false;
	}
	return line >= 0;
}

static void an_image_is_drawn_when_it_is_unfolded(void)
{
	struct stage s;

	begin(&s, NULL, NULL);
	send_file(&s, "flag.png");
	PTY_SEES(s.pty, "+ attached  flag.png  12x8  77 B");
	CHECK(pty_hides(s.pty, "\u2580"), "%s", pty_dump(s.pty));
	pty_press(s.pty, "\t");
	PTY_SEES(s.pty, "Esc back");
	pty_press(s.pty, "[\r");
	PTY_WAIT(s.pty, shows_flag, "the flag");
	PTY_SEES(s.pty, "- attached  flag.png");
	pty_press(s.pty, "\x10"); /* the palette, over it, and away */
	PTY_SEES(s.pty, "Commands");
	pty_press(s.pty, "\x1B");
	PTY_LOSES(s.pty, "Commands");
	PTY_WAIT(s.pty, shows_flag, "the flag");
	pty_resize(s.pty, 20, 60);
	PTY_WAIT(s.pty, shows_flag, "the flag");
	pty_press(s.pty, "[\r");
	PTY_LOSES(s.pty, "\u2580");
	end(&s);
}

static void the_setting_draws_all_or_none(void)
{
	struct stage s;

	begin_with(&s, "images = yes\n", NULL, NULL);
	send_file(&s, "flag.png");
	PTY_WAIT(s.pty, shows_flag, "the flag");
	end(&s);
	begin_with(&s, "images = no\n", NULL, NULL);
	send_file(&s, "flag.png");
	pty_press(s.pty, "\t");
	PTY_SEES(s.pty, "Esc back");
	pty_press(s.pty, "[");
	PTY_SEES(s.pty, "there is no reasoning, call or item above");
	CHECK(pty_hides(s.pty, "\u2580"), "%s", pty_dump(s.pty));
	end(&s);
}

static void an_image_that_is_broken_is_said_so(void)
{
	struct stage s;

	begin_with(&s, "images = yes\n", NULL, NULL);
	send_file(&s, "cut.png");
	PTY_SEES(s.pty, "this image cannot be drawn");
	end(&s);
}

/* --- drawn by the terminal --- */

#define IMAGE_KEYS "\x1B_Ga=T,U=1,i=7824641,t=d,f=24,s=12,v=8,c=12,r=4,q=2,m=0;/wAA/wAA" /* the flag begins red */
#define DELETION "\x1B_Ga=d,d=I,i=7824641,q=2\x1B\\"
#define PLACEHOLDER "\U0010EEEE"

/* Its twelve columns and four rows, each with its own diacritics, as text below the line of the file. */
static bool shows_parts(struct pty *p, const void *word)
{
	int line = pty_find_row(p, "attached  ");

	(void)word;
	if (line < 0 || strcmp(pty_cell(p, (unsigned)line + 1, 4).text, PLACEHOLDER "\u0305\u0305") != 0)
		return false;
	return !strcmp(pty_cell(p, (unsigned)line + 1, 5).text, PLACEHOLDER "\u0305\u030D") &&
	       !strcmp(pty_cell(p, (unsigned)line + 4, 15).text, PLACEHOLDER "\u0310\u034C") && !strstr(pty_cell(p, (unsigned)line + 4, 16).text, PLACEHOLDER);
}

static void begin_drawing(struct stage *s, const char *name, const char *variable)
{
	stage_open(s, &(struct stage_options){ .top = "images = yes\n", .draws_images = name, .environment = LIST(variable) });
	write_file(s, "flag.png", STR(FLAG));
	send_file(s, "flag.png");
}

static void the_terminal_draws_an_image(void)
{
	struct stage s;

	begin_drawing(&s, "kitty(0.35.2)", "X=1");
	PTY_WAIT(s.pty, pty_has_written, IMAGE_KEYS);
	PTY_WAIT(s.pty, shows_parts, "the parts of the image");
	CHECK(pty_hides(s.pty, "\u2580"), "%s", pty_dump(s.pty));
	pty_press(s.pty, "\x10"); /* the palette, over it, and away */
	PTY_SEES(s.pty, "Commands");
	pty_press(s.pty, "\x1B");
	PTY_LOSES(s.pty, "Commands");
	PTY_WAIT(s.pty, shows_parts, "the parts of the image");
	pty_resize(s.pty, 20, 60);
	PTY_WAIT(s.pty, shows_parts, "the parts of the image");
	stage_turn_rows(&s, "more", 20);
	PTY_LOSES(s.pty, PLACEHOLDER);
	pty_press(s.pty, K_PGUP K_PGUP);
	PTY_WAIT(s.pty, shows_parts, "the parts of the image");
	CHECK(pty_times_written(s.pty, "\x1B_Ga=T") == 1 && !pty_times_written(s.pty, DELETION), "it is sent once");
	stage_close(&s);
}

static void the_image_leaves_with_the_program(void)
{
	struct stage s;

	begin_drawing(&s, "ghostty 1.1.3", "X=1");
	PTY_WAIT(s.pty, shows_parts, "the parts of the image");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	CHECK(pty_times_written(s.pty, DELETION) == 1, "at the end");
	PTY_RESTORED(s.pty);
	stage_drop(&s);
	begin_drawing(&s, "kitty(0.35.2)", "X=1");
	PTY_WAIT(s.pty, shows_parts, "the parts of the image");
	pty_signal(s.pty, 11);
	PTY_ENDS(s.pty, 128 + 11);
	CHECK(pty_times_written(s.pty, DELETION) == 1, "after a crash");
	PTY_RESTORED(s.pty);
	stage_drop(&s);
}

/* Another program may have cleared what the terminal had. */
static void the_image_is_sent_again_after_a_pause(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = "images = yes\n", .draws_images = "kitty(0.35.2)", .script = STAGE_SHELL });
	write_file(&s, "flag.png", STR(FLAG));
	send_file(&s, "flag.png");
	PTY_WAIT(s.pty, shows_parts, "the parts of the image");
	pty_send(s.pty, "\x1A");
	STAGE_STOPS(&s);
	CHECK(pty_times_written(s.pty, DELETION) == 1, "deleted");
	STAGE_GOES_ON(&s);
	PTY_WAIT(s.pty, shows_parts, "the parts of the image");
	CHECK(pty_times_written(s.pty, "\x1B_Ga=T") == 2, "sent again");
	stage_drop(&s);
}

static void other_terminals_get_half_blocks(void)
{
	static const struct { const char *name, *variable; } cases[] = {
		{ NULL, "X=1" }, { "kitty(0.26.5)", "X=1" }, { "WezTerm 20240203-110809-5046fc22", "X=1" }, { "kitty(0.35.2)", "TERM=tmux-256color" },
		{ "kitty(0.35.2)", "TMUX=/tmp/tmux,1,0" }, { "kitty(0.35.2)", "STY=1.pts" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;

		begin_drawing(&s, cases[i].name, cases[i].variable);
		PTY_WAIT(s.pty, shows_flag, "the flag");
		CHECK(pty_times_written(s.pty, "\x1B_Ga") == 0 && pty_hides(s.pty, PLACEHOLDER), "case %zu", i);
		CHECK(pty_times_written(s.pty, "\x1B_") == (i < 3), "case %zu: asked", i);
		stage_close(&s);
	}
}

/* --- drawn over half blocks --- */

#define SIXELS "\x1BP0;1q\"1;1;120;80#" /* twelve columns of 10 pixels, four rows of 20 */

static void begin_sixels(struct stage *s, bool draws_sixels)
{
	stage_open(s, &(struct stage_options){ .top = "images = yes\n", .draws_sixels = draws_sixels });
	write_file(s, "flag.png", STR(FLAG));
	send_file(s, "flag.png");
	PTY_WAIT(s->pty, shows_flag, "the flag");
}

struct wanted { const char *bytes; unsigned times; };

static bool has_written_times(struct pty *p, const void *wanted)
{
	const struct wanted *w = wanted;

	return pty_times_written(p, w->bytes) >= w->times;
}

static void sixels_are_drawn_over_an_image_that_is_still(void)
{
	struct stage s;

	begin_sixels(&s, true);
	PTY_WAIT(s.pty, pty_has_written, SIXELS);
	PTY_REDRAWS(s.pty);
	PTY_WAIT(s.pty, has_written_times, (&(struct wanted){ SIXELS, 2 }));
	PTY_WAIT(s.pty, shows_flag, "the flag, for the diff");
	pty_press(s.pty, "\x10"); /* the palette, over it, and away */
	PTY_SEES(s.pty, "Commands");
	pty_press(s.pty, "\x1B");
	PTY_LOSES(s.pty, "Commands");
	unsigned drawn = pty_times_written(s.pty, SIXELS);
	pty_press(s.pty, "x"); /* rows without a picture */
	pty_settle(s.pty);
	PTY_WAIT(s.pty, has_written_times, (&(struct wanted){ SIXELS, drawn + 1 }));
	struct str rest = pty_output(s.pty);
	rest = str_skip(rest, str_find(rest, STR(SIXELS)));
	rest = str_skip(rest, str_find(rest, STR("\x1B\\")));
	CHECK(str_starts(rest, "\x1B\\\x1B["), "the cursor returns");
	pty_press(s.pty, "\x7F");
	stage_close(&s);
}

/* Over a connection the window often has no pixels. */
static void the_terminal_tells_the_pixels_of_a_cell(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = "images = yes\n", .draws_sixels = true, .tells_cell = true });
	write_file(&s, "flag.png", STR(FLAG));
	send_file(&s, "flag.png");
	PTY_WAIT(s.pty, pty_has_written, SIXELS);
	CHECK(pty_times_written(s.pty, "\x1B[16t") == 1, "asked once");
	stage_close(&s);
}

/* Each row of the answer moves it, until it has left. */
static void an_image_that_moves_is_half_blocks(void)
{
	struct stage s;

	begin_sixels(&s, true);
	PTY_WAIT(s.pty, pty_has_written, SIXELS);
	stage_begin(&s, "more");
	stage_rows(&s, 1, 40);
	PTY_SEES(s.pty, "row 40");
	PTY_LOSES(s.pty, "\u2580");
	unsigned drawn = pty_times_written(s.pty, "\x1BP0;1q");
	stage_rows(&s, 41, 60);
	hand_finish(s.server, "stop");
	STAGE_OVER(&s);
	pty_settle(s.pty);
	CHECK(pty_times_written(s.pty, "\x1BP0;1q") == drawn, "it has left");
	pty_press(s.pty, K_HOME);
	stage_close(&s);
}

static void a_terminal_without_the_attribute_gets_no_sixels(void)
{
	struct stage s;

	begin_sixels(&s, false);
	for (unsigned i = 0; i < 3; i++)
		pty_settle(s.pty);
	CHECK(!pty_times_written(s.pty, "\x1BP") && !pty_times_written(s.pty, "\x1B[16t"), "none");
	stage_close(&s);
}

/* The helper by itself: limits and results. */
static void the_helper_gives_pixels_or_nothing(void)
{
	static const struct { const char *width; struct str input; int status; size_t bytes; } cases[] = {
		{ "20", { FLAG, sizeof FLAG - 1 }, 0, sizeof "12 8\n" - 1 + 12 * 8 * 3 }, { "6", { FLAG, sizeof FLAG - 1 }, 0, sizeof "6 4\n" - 1 + 6 * 4 * 3 },
		{ "20", { FLAG, 50 }, 1, 0 }, { "20", { "no image", 8 }, 1, 0 }, { "20", { "", 0 }, 1, 0 }, { "100000", { FLAG, sizeof FLAG - 1 }, 1, 0 },
		{ "0", { FLAG, sizeof FLAG - 1 }, 1, 0 }, { "x", { FLAG, sizeof FLAG - 1 }, 1, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct program p;
		int status = program_run(&p, cases[i].input, ARGS("--decode-image", cases[i].width, "40"), NULL);

		CHECK(status == cases[i].status, "case %zu: %d", i, status);
		CHECK(p.output.len == cases[i].bytes && !p.errors.len, "case %zu: %zu bytes, %s", i, p.output.len, buf_z(&p.errors));
		program_free(&p);
	}
}

static void attach_address(struct stage *s, const char *name)
{
	char line[100];

	snprintf(line, sizeof line, "/attach http://127.0.0.1:%u/%s", hand_port(s->server), name);
	pty_enter(s->pty, line);
	hand_accept(s->server);
}

/* As the text of its HTML. What would be left out of a request is refused when it comes. */
static void an_address_is_fetched_or_refused(void)
{
	struct stage s;

	stage_open(&s, NULL);
	attach_address(&s, "page");
	hand_reply(s.server, 200, "text/html", "<p>Some <b>bold</b> words</p>");
	PTY_SEES(s.pty, "goes with the next prompt");
	attach_address(&s, "x.bin");
	hand_hold(s.server);
	hand_send(s.server, "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 4\r\nConnection: close\r\n\r\n");
	hand_send_bytes(s.server, STR("\x7F\0\1\2"));
	hand_release(s.server);
	hand_close(s.server);
	PTY_SEES(s.pty, "x.bin is neither a text nor an image");
	CU_ASSERT_TRUE(stage_ask(&s, "what of it"));
	CU_ASSERT_TRUE(stage_sent(&s, "Some bold words") && !stage_sent(&s, "x.bin"));
	hand_whole(s.server, "Fine.", "stop");
	PTY_SEES(s.pty, "Fine.");
	stage_close(&s);
}

const struct suite suite_screen_attach = { "screen_attach", (const struct test[]){
	TEST(files_are_chips), TEST(the_image_in_the_clipboard_is_pasted), TEST(a_clipboard_without_image_is_said_so),
	TEST(a_program_that_hangs_is_ended), TEST(a_file_beyond_a_limit_is_refused), TEST(an_address_is_fetched_or_refused),
	TEST(an_image_is_drawn_when_it_is_unfolded), TEST(the_setting_draws_all_or_none), TEST(an_image_that_is_broken_is_said_so),
	TEST(the_terminal_draws_an_image), TEST(the_image_leaves_with_the_program), TEST(the_image_is_sent_again_after_a_pause),
	TEST(other_terminals_get_half_blocks), TEST(sixels_are_drawn_over_an_image_that_is_still), TEST(an_image_that_moves_is_half_blocks),
	TEST(the_terminal_tells_the_pixels_of_a_cell),
	TEST(a_terminal_without_the_attribute_gets_no_sixels),
	TEST(the_helper_gives_pixels_or_nothing), { 0 } } };
