/* Golden screens of the whole program: the first page, menus and sheets. Nothing on them depends on time. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/json_write.h"
#include "program.h"
#include "stage.h"
#include "support/check.h"
#include "support/golden.h"

struct screen { const char *name, *keys, *sees; };

static size_t count(struct str text, struct str needle)
{
	size_t times = 0;

	for (size_t at; (at = str_find(text, needle)) < text.len; text = str_skip(text, at + needle.len))
		times++;
	return times;
}

/* Frames of several rows are bracketed: balanced brackets mean that no frame is half drawn. */
static bool is_drawn(struct pty *p, const void *ctx)
{
	struct str all = pty_output(p);

	return pty_shows(p, ctx) && count(all, STR("\x1B[?2026h")) == count(all, STR("\x1B[?2026l"));
}

static void check_screen(const struct screen *screen, unsigned rows, unsigned columns)
{
	char name[64];

	snprintf(name, sizeof name, "%s-%ux%u", screen->name, columns, rows);
	char *home = home_new();
	home_write(home, ".local/state/weir/prompts", "\"where is the river\"\n\"a poem\\nof two lines on rivers\"\n\"hello\"\n");
	struct pty *p = pty_start(&(struct pty_options){ .home = home, .rows = rows, .columns = columns });
	PTY_WAIT(p, stage_has_state, "ready");
	pty_send(p, screen->keys);
	PTY_WAIT(p, is_drawn, screen->sees);
	golden_check(name, str_from(pty_dump(p)));
	pty_free(p);
	home_free(home);
}

static void screens_look_as_they_did(void)
{
	static const struct screen screens[] = {
		{ "welcome", "", "ready" },             { "typing", "one\ntwo \u6771\u4eac", "\u4eac" }, { "palette", "\x10", "Esc back" },
		{ "palette-filtered", "\x10" "re", "> re" }, { "help", "?", "Help \u2500" },          { "themes", K_F5, "Esc back" },
		{ "protocols", K_F3, "Esc back" },  { "providers", K_F4 "open", "> open" },
		{ "setup", "/provider openai\r", "Set up openai" }, { "settings", "\x1B[20~", "> provider" },
		{ "completion", "x\x01/re\x1B[B", "> resume" }, { "prompts", "\x12" "ri", "? ri" },
		{ "chip", "see \x1B[200~1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n\x1B[201~ ok", "ok" },
	};
	static const unsigned sizes[][2] = { { 24, 80 }, { 12, 40 }, { 6, 20 }, { 40, 120 } };

	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
			check_screen(&screens[i], sizes[k][0], sizes[k][1]);
}

/* --- answers, with their styles --- */

#define STYLES_MOST 50

struct styles {
	struct pty_cell seen[STYLES_MOST];
	unsigned count;
};

static bool same_style(const struct pty_cell *a, const struct pty_cell *b)
{
	return a->foreground == b->foreground && a->background == b->background && a->bold == b->bold && a->underline == b->underline &&
	       a->reverse == b->reverse && a->italic == b->italic;
}

/* A letter for each style, in order of appearance. */
static char letter_of(struct styles *styles, const struct pty_cell *cell)
{
	unsigned i = 0;

	while (i < styles->count && !same_style(&styles->seen[i], cell))
		i++;
	if (i == STYLES_MOST)
		return '?';
	if (i == styles->count)
		styles->seen[styles->count++] = *cell;
	return (char)(i < 26 ? 'a' + i : 'A' + i - 26);
}

static void add_styles(struct pty *p, struct buf *out)
{
	struct styles styles = { .count = 0 };

	for (unsigned row = 0; row < pty_rows(p); row++) {
		size_t end = out->len;

		for (unsigned column = 0; column < pty_columns(p); column++) {
			struct pty_cell cell = pty_cell(p, row, column);
			bool blank = !*cell.text || !strcmp(cell.text, " ");

			buf_add_byte(out, blank ? ' ' : letter_of(&styles, &cell));
			end = blank ? end : out->len;
		}
		buf_remove(out, end, out->len - end);
		buf_add_byte(out, '\n');
	}
	for (unsigned i = 0; i < styles.count; i++) {
		const struct pty_cell *style = &styles.seen[i];

		buf_printf(out, "%c = %d on %d%s%s%s%s\n", i < 26 ? 'a' + i : 'A' + i - 26, style->foreground, style->background, style->bold ? " bold" : "",
		           style->italic ? " italic" : "", style->underline ? " underline" : "", style->reverse ? " reverse" : "");
	}
}

static const char *answer_file(const char *document)
{
	struct buf text = { 0 }, body = { 0 };
	struct json_writer json;
	struct error err = { "" };

	CHECK(buf_read_file(&text, document, &err), "%s", err.text);
	buf_add_z(&body, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":");
	json_writer_init(&json, &body);
	json_string(&json, buf_str(&text));
	buf_add_z(&body, "}}]}\n\ndata: [DONE]\n\n");
	const char *path = folder_file("answer.sse", buf_z(&body));
	buf_fini(&text);
	buf_fini(&body);
	return path;
}

static void check_answer(const char *document, const char *look, const char *const *environment, unsigned rows, unsigned columns)
{
	char name[96], path[96];
	struct buf out = { 0 };

	snprintf(path, sizeof path, "tests/markdown/%s.md", document);
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--speed", "max", "--theme", "dark", answer_file(path)),
	                                                 .environment = environment, .rows = rows, .columns = columns });
	PTY_WAIT(p, is_drawn, "at the end");
	pty_send(p, K_HOME);
	PTY_WAIT(p, is_drawn, "answer");
	pty_settle(p);
	buf_add_z(&out, pty_dump(p));
	add_styles(p, &out);
	snprintf(name, sizeof name, "answer-%s-%s-%ux%u", document, look, columns, rows);
	golden_check(name, buf_str(&out));
	buf_fini(&out);
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	pty_free(p);
	folder_remove();
}

/* Compares the cells of the terminal, with 256 colours and without colours. */
static void answers_look_as_they_did(void)
{
	static const char *const documents[] = { "answer", "code", "tables" };

	for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
		check_answer(documents[i], "colour", NULL, 24, 80);
		check_answer(documents[i], "colour", NULL, 12, 40);
		check_answer(documents[i], "mono", LIST("NO_COLOR=1"), 24, 80);
		check_answer(documents[i], "mono", LIST("NO_COLOR=1"), 12, 40);
	}
}

#define FRAME(t, delta) "{\"t\":" #t ",\"body\":\"data: {\\\"id\\\":\\\"c1\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":" delta "}]}\\n\\n\"}\n"
#define FRAMES \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"}\n" \
	"{\"t\":120,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n{\"t\":300.5,\"body\":\": warming up\\n\\n\"}\n" \
	FRAME(420, "{\\\"reasoning_content\\\":\\\"A question about rain.\\\"}") FRAME(900, "{\\\"content\\\":\\\"Rain begins **when**\\\"}") \
	FRAME(917.25, "{\\\"content\\\":\\\" you leave.\\\"}") "{\"t\":930,\"b64\":\"ZGF0YTogewD/fQoK\"}\n" \
	"{\"t\":940,\"body\":\"data: [DONE]\\n\\n\"}\n{\"t\":941,\"end\":\"closed\"}\n"

static void check_frames(const char *look, const char *const *environment, unsigned rows, unsigned columns)
{
	char name[96];
	struct buf out = { 0 };
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--speed", "max", "--theme", "dark", folder_file("a.tape", FRAMES)),
	                                                 .environment = environment, .rows = rows, .columns = columns });
	PTY_WAIT(p, is_drawn, "at the end");
	pty_send(p, "\x1B[19~");
	PTY_WAIT(p, is_drawn, "Esc close");
	pty_send(p, "/");
	PTY_WAIT(p, is_drawn, "Esc back");
	pty_send(p, "you\r");
	PTY_WAIT(p, is_drawn, "3 of");
	pty_settle(p);
	buf_add_z(&out, pty_dump(p));
	add_styles(p, &out);
	snprintf(name, sizeof name, "frames-%s-%ux%u", look, columns, rows);
	golden_check(name, buf_str(&out));
	buf_fini(&out);
	pty_free(p);
	folder_remove();
}

/* The inspector, its list beside the frame or above it, and what the frame wrote on the page. */
static void frames_look_as_they_did(void)
{
	check_frames("colour", LIST("TZ=UTC"), 24, 80);
	check_frames("mono", LIST("TZ=UTC", "NO_COLOR=1"), 24, 80);
	check_frames("colour", LIST("TZ=UTC"), 12, 40);
	check_frames("colour", LIST("TZ=UTC"), 40, 160);
}

/* --- pictures, sounds, and tools of the server --- */

/* 16 x 12 pixels in four colours: a boat, and the same in squares of four pixels. */
#define SKETCH "iVBORw0KGgoAAAANSUhEUgAAABAAAAAMAgMAAAAWidUSAAAADFBMVEWHzvrAOSsfYY39/v4eP/9ZAAAAFklEQVR42mNgYPjPwIBBYIJVQIBGAAAvxQ6dBk2CRQAAAABJRU5ErkJggg=="
#define BOAT "iVBORw0KGgoAAAANSUhEUgAAABAAAAAMAgMAAAAWidUSAAAADFBMVEWHzvrAOSsfYY39/v4eP/9ZAAAAKklEQVR42mNgYHBgAIICEFEDIurBxAEQ8YEBLM" \
	"sYGgokQ0MZGFYBAYIAAA2cDicj8oiLAAAAAElFTkSuQmCC"

struct sent { int at_ms; const char *json; }; /* with ' for " */

#define PART(part) "{'candidates':[{'content':{'role':'model','parts':[" part "]}}],'modelVersion':'gemini-3-pro-image','responseId':'g1'}"
#define INLINE(type, data) "{'inlineData':{'mimeType':'" type "','data':'" data "'}}"
static const struct sent media[] = {
	{ 500, PART("{'text':'A boat at noon?','thought':true},{'inlineData':{'mimeType':'image/png','data':'" SKETCH "'},'thought':true}") },
	{ 1500, PART("{'text':'Here it is:'}") }, { 2500, PART(INLINE("image/png", BOAT)) },
	{ 3500, PART("{'text':'This is how it sounds:'}," INLINE("audio/L16;rate=1", "AAAAAAAA")) },
	{ 5500, PART("{'fileData':{'mimeType':'video/mp4','fileUri':'https://files.example/boat.mp4'}}") },
	{ 10000, "{'candidates':[{'content':{'parts':[{'text':''}]},'finishReason':'STOP'}]}" },
	{ 0, NULL },
};

#define ITEM(name, index, item) "{'type':'response.output_item." name "','output_index':" #index ",'item':{" item "}}"
#define STEP(name, index, more) "{'type':'response." name "','output_index':" #index more "}"
#define CODE "'type':'code_interpreter_call','container_id':'c1','id':'ci"
#define SCRIPT "heights = [38, 44, 51]\\nprint(max(heights))\\n"
static const struct sent server_tools[] = {
	{ 500, "{'type':'response.created','response':{'id':'r1','model':'gpt-5.4-mini'}}" },
	{ 600, ITEM("added", 0, "'id':'ws1','type':'web_search_call','status':'in_progress'") }, { 700, STEP("web_search_call.searching", 0, "") },
	{ 1800, ITEM("done", 0, "'id':'ws1','type':'web_search_call','status':'completed','action':{'type':'search','query':'tallest masts',"
	 "'sources':[{'type':'url','url':'https://ships.example/masts'},{'type':'url','url':'https://b.example/list'}]}") },
	{ 2500, ITEM("added", 1, CODE "2','status':'in_progress','code':'','outputs':null") },
	{ 2700, STEP("code_interpreter_call_code.delta", 1, ",'delta':'" SCRIPT "'") }, { 3800, STEP("code_interpreter_call.interpreting", 1, "") },
	{ 4200, ITEM("done", 1, CODE "2','status':'completed','code':'" SCRIPT "','outputs':[{'type':'logs','logs':'51\\nmetres'}]") },
	{ 4500, ITEM("added", 2, CODE "3','status':'in_progress','code':'','outputs':null") },
	{ 4800, ITEM("done", 2, CODE "3','status':'failed','code':'1 / 0','outputs':[{'type':'logs','logs':'ZeroDivisionError'}]") },
	{ 5500, ITEM("added", 3, "'id':'ig1','type':'image_generation_call','status':'in_progress'") },
	{ 5900, STEP("image_generation_call.partial_image", 3, ",'partial_image_index':0,'partial_image_b64':'" SKETCH "','output_format':'png'") },
	{ 7500, ITEM("done", 3, "'id':'ig1','type':'image_generation_call','status':'completed','output_format':'png','revised_prompt':"
	 "'A small red boat on a blue sea','result':'" BOAT "'") },
	{ 10000, "{'type':'response.completed','response':{'id':'r1','status':'completed','output':[]}}" },
	{ 0, NULL },
};

/* A tape of events, in the current folder of the tests. */
static const char *tape_file(const char *protocol, const struct sent *sent)
{
	struct buf tape = { 0 }, body = { 0 };
	struct json_writer w;

	buf_printf(&tape, "{\"weir_tape\":1,\"protocol\":\"%s\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"}\n"
	           "{\"t\":120,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n", protocol);
	for (; sent->json; sent++) {
		buf_clear(&body);
		buf_printf(&body, "data: %s\n\n", sent->json);
		for (size_t i = 0; i < body.len; i++)
			body.ptr[i] = body.ptr[i] == '\'' ? '"' : body.ptr[i];
		buf_printf(&tape, "{\"t\":%d,\"body\":", sent->at_ms);
		json_writer_init(&w, &tape);
		json_string(&w, buf_str(&body));
		buf_add_z(&tape, "}\n");
	}
	buf_add_z(&tape, "{\"t\":10000,\"end\":\"closed\"}\n");
	const char *path = folder_file("media.tape", buf_z(&tape));
	buf_fini(&tape);
	buf_fini(&body);
	return path;
}

/* A picture is decoded by a process, and drawn whole: there is one, or there is none to come. */
static bool has_pictures(struct pty *p, const void *wanted)
{
	return pty_find_row(p, "\u2580") >= 0 || !*(const bool *)wanted;
}

/*
 * A digit goes to a tenth of the tape. `range`: what is played, until it `stops` so: where a later form of a picture was played, that one stands
 * for it until it is decoded.
 */
#define WHOLE "0-10", "at the end"
static const struct {
	const char *name, *protocol, *range, *stops;
	const struct sent *sent;
	const char *keys, *sees;
	bool pictures;
} media_screens[] = {
	{ "media-begin", "gemini", WHOLE, media, K_HOME, "boat at noon", true },
	{ "media-end", "gemini", WHOLE, media, "", "video", true },
	{ "tool-searches", "openai-responses", WHOLE, server_tools, "1", " 3 of 14", false },
	{ "tool-writes-code", "openai-responses", WHOLE, server_tools, "3", " 6 of 14", false },
	{ "picture-partial", "openai-responses", "0-6", "paused", server_tools, "", " 12 of 14", true },
	{ "tools-and-picture", "openai-responses", WHOLE, server_tools, "", "A small r", true },
};

static void check_media(size_t which, unsigned rows, unsigned columns)
{
	char name[96];
	struct buf out = { 0 };
	const char *file = tape_file(media_screens[which].protocol, media_screens[which].sent);
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("replay", "--speed", "max", "--range", media_screens[which].range, "--theme",
	                                                 "dark", file), .environment = LIST("TZ=UTC"), .rows = rows, .columns = columns });

	PTY_WAIT(p, is_drawn, media_screens[which].stops);
	pty_send(p, media_screens[which].keys);
	PTY_WAIT(p, is_drawn, media_screens[which].sees);
	PTY_WAIT(p, has_pictures, &media_screens[which].pictures);
	pty_settle(p);
	buf_add_z(&out, pty_dump(p));
	add_styles(p, &out);
	snprintf(name, sizeof name, "%s-%ux%u", media_screens[which].name, columns, rows);
	golden_check(name, buf_str(&out));
	buf_fini(&out);
	pty_free(p);
	folder_remove();
}

static void media_look_as_they_did(void)
{
	static const unsigned sizes[][2] = { { 24, 80 }, { 12, 40 }, { 40, 160 } };

	for (size_t i = 0; i < ARRAY_LEN(media_screens); i++)
		for (size_t k = 0; k < ARRAY_LEN(sizes); k++)
			check_media(i, sizes[k][0], sizes[k][1]);
}

const struct suite suite_screen_golden = { "screen_golden", (const struct test[]){
	TEST(screens_look_as_they_did),
	TEST(answers_look_as_they_did),
	TEST(frames_look_as_they_did),
	TEST(media_look_as_they_did),
	{ 0 },
} };
