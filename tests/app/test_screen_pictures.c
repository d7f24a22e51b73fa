/* A picture of an answer as a terminal draws it: the bytes of kitty's protocol and of sixels, whole, and partial ones that are replaced. */
#include <string.h>

#include "stage.h"
#include "support/check.h"

/* 12 x 8 pixels of one colour. */
#define RED "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAABChommAAAAEUlEQVR42mP4z8BAEDGMKgIArIFfoWG3CiUAAAAASUVORK5CYII="
#define BLUE "iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAIAAABChommAAAAEElEQVR42mNgYPhPBBrxigDtMl+h2USpyQAAAABJRU5ErkJggg=="

#define KITTY(id, pixels) "\x1B_Ga=T,U=1,i=" id ",t=d,f=24,s=12,v=8,c=12,r=4,q=2,m=0;" pixels
#define DELETION(id) "\x1B_Ga=d,d=I,i=" id ",q=2\x1B\\"
#define PLACEHOLDER "\U0010EEEE"
#define FIRST "7824641"
#define SECOND "7824642"
#define SIXELS(colour) "\x1BP0;1q\"1;1;120;80#0;2;" colour "#0" /* twelve columns of 10 pixels, four rows of 20 */

/* Its four rows below the line of the picture, and the words below them. */
static bool stands(struct pty *p, const void *cell)
{
	int line = pty_find_row(p, " image 1  png  12x8");

	return line > 0 && pty_find_row(p, "A red sail.") == line + 6 && !strcmp(pty_cell(p, (unsigned)line + 1, 1).text, cell) &&
	       !strstr(pty_cell(p, (unsigned)line + 1, 13).text, cell);
}

static void send_event(struct stage *s, const char *type, const char *members)
{
	struct buf event = { 0 };

	buf_printf(&event, "data: {\"type\":\"response.%s\",%s}\n\n", type, members);
	hand_send(s->server, buf_z(&event));
	buf_fini(&event);
}

#define PARTIAL "\"output_index\":0,\"item_id\":\"ig\",\"output_format\":\"png\",\"partial_image_index\":"
#define MESSAGE "\"type\":\"message\",\"id\":\"m1\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"A red sail.\",\"annotations\":[]}]"

/* Words stand below the picture while it is still coming. */
static void begin_partial(struct stage *s, const struct stage_options *options)
{
	struct stage_options with = *options;

	with.settings = "protocols = openai-responses\n";
	stage_open(s, &with);
	stage_ask(s, "draw a sail");
	hand_answer(s->server, 200, "text/event-stream");
	send_event(s, "created", "\"response\":{\"id\":\"r1\",\"model\":\"m-1\",\"output\":[]}");
	send_event(s, "output_item.added", "\"output_index\":0,\"item\":{\"id\":\"ig\",\"type\":\"image_generation_call\",\"status\":\"in_progress\"}");
	send_event(s, "image_generation_call.partial_image", PARTIAL "0,\"partial_image_b64\":\"" RED "\"");
	send_event(s, "output_item.added", "\"output_index\":1,\"item\":{" MESSAGE ",\"status\":\"in_progress\"}");
	send_event(s, "output_item.done", "\"output_index\":1,\"item\":{" MESSAGE ",\"status\":\"completed\"}");
	PTY_SEES(s->pty, "A red sail.");
}

static void end_partial(struct stage *s)
{
	send_event(s, "output_item.done", "\"output_index\":0,\"item\":{\"id\":\"ig\",\"type\":\"image_generation_call\",\"status\":\"completed\","
	           "\"output_format\":\"png\",\"result\":\"" BLUE "\"}");
	send_event(s, "completed", "\"response\":{\"id\":\"r1\",\"status\":\"completed\",\"output\":[]}");
	hand_close(s->server);
	STAGE_OVER(s);
}

static void a_partial_picture_is_replaced_in_kitty(void)
{
	struct stage s;

	begin_partial(&s, &(struct stage_options){ .draws_images = "kitty(0.35.2)" });
	PTY_WAIT(s.pty, pty_has_written, KITTY(FIRST, "/wAA/wAA"));
	PTY_WAIT(s.pty, stands, PLACEHOLDER "\u0305\u0305");
	PTY_SEES(s.pty, "partial 1");
	CHECK(!pty_times_written(s.pty, DELETION(FIRST)), "it stays while it is shown");
	end_partial(&s);
	PTY_WAIT(s.pty, pty_has_written, KITTY(SECOND, "AAD/AAD/"));
	PTY_WAIT(s.pty, stands, PLACEHOLDER "\u0305\u0305");
	CHECK(pty_times_written(s.pty, "\x1B_Ga=T") == 2, "each is sent once");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	CHECK(pty_times_written(s.pty, DELETION(SECOND)) == 1 && pty_times_written(s.pty, DELETION(FIRST)) == 1, "nothing stays in the terminal");
	stage_drop(&s);
}

static void a_whole_picture_is_drawn_by_kitty(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .draws_images = "kitty(0.35.2)" });
	stage_begin(&s, "draw a sail");
	hand_delta(s.server, "{\"images\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64," RED "\"}}]}");
	hand_text(s.server, "A red sail.");
	hand_finish(s.server, "stop");
	PTY_WAIT(s.pty, pty_has_written, KITTY(FIRST, "/wAA/wAA"));
	PTY_WAIT(s.pty, stands, PLACEHOLDER "\u0305\u0305");
	CHECK(pty_times_written(s.pty, "\x1B_Ga=T") == 1, "it is sent once");
	stage_close(&s);
}

/* Over half blocks, which are below it for the diff. */
static void a_partial_picture_is_replaced_in_sixels(void)
{
	struct stage s;

	begin_partial(&s, &(struct stage_options){ .draws_sixels = true });
	PTY_WAIT(s.pty, pty_has_written, SIXELS("100;0;0"));
	PTY_WAIT(s.pty, stands, "\u2580");
	CHECK(!pty_times_written(s.pty, SIXELS("0;0;100")), "the last one has not come");
	end_partial(&s);
	PTY_WAIT(s.pty, pty_has_written, SIXELS("0;0;100"));
	PTY_WAIT(s.pty, stands, "\u2580");
	struct str behind = pty_output(s.pty);
	behind = str_skip(behind, str_find(behind, STR(SIXELS("0;0;100"))));
	CHECK(str_find(behind, STR(SIXELS("100;0;0"))) == behind.len, "the partial one does not come back");
	stage_close(&s);
}

const struct suite suite_screen_pictures = { "screen_pictures", (const struct test[]){
	TEST(a_partial_picture_is_replaced_in_kitty),
	TEST(a_whole_picture_is_drawn_by_kitty),
	TEST(a_partial_picture_is_replaced_in_sixels),
	{ 0 },
} };
