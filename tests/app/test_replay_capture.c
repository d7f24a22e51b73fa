/* weir replay --to, --text and --svg: what the screen shows of a tape, without a terminal. libvterm plays the casts. */
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#include "app/program.h"
#include "base/json.h"
#include "support/check.h"

#define TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"asked\",\"started\":\"2020-02-03T04:05:06Z\"," \
	"\"request\":{\"messages\":[{\"role\":\"user\",\"content\":\"Why <so> & \\u6c34?\"}]}}\n" \
	"{\"t\":1,\"head\":{\"status\":200}}\n" \
	"{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"**one** \\u6c34 \\\"}}]}\\n\\n\"}\n" \
	"{\"t\":5000,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"two\\\\n\\\\n```c\\\\nint x;\\\\n```\\\\n\\\"}}]}\\n\\n\"}\n" \
	"{\"t\":5001,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"three\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\n\"}\n" \
	"{\"t\":5002,\"body\":\"data: [DONE]\\n\\n\"}\n{\"t\":5003,\"end\":\"closed\"}\n"

static void run_on(struct program *p, const char *const *options, int status)
{
	const char *args[12] = { "replay", folder_file("a.tape", TAPE) };

	for (size_t i = 0; options[i]; i++)
		args[i + 2] = options[i];
	CHECK(program_run(p, STR_NONE, args, ARGS("TZ=UTC")) == status, "%s: %d, %s", options[0], p->status, buf_z(&p->errors));
}

static bool shows(const struct program *p, const char *words)
{
	return str_find(buf_str(&p->output), str_from(words)) < p->output.len;
}

static void a_frame_is_printed_as_text(void)
{
	struct program p;

	run_on(&p, ARGS("--frame", "1", "--text"), 0);
	CHECK(shows(&p, "Why <so> & \u6c34?") && shows(&p, "04:05") && shows(&p, "one \u6c34") && !shows(&p, "two"), "%s", buf_z(&p.output));
	program_free(&p);
	run_on(&p, ARGS("--text", "--size", "40x12"), 0);
	CHECK(shows(&p, "one \u6c34 two") && shows(&p, "three") && shows(&p, "int x;"), "%s", buf_z(&p.output));
	size_t lines = 0;
	for (size_t i = 0; i < p.output.len; i++)
		lines += p.output.ptr[i] == '\n';
	CU_ASSERT_EQUAL(lines, 12);
	program_free(&p);
	run_on(&p, ARGS("--frame", "0", "--text"), 0);
	CHECK(shows(&p, "Why") && !shows(&p, "one"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

#define RAN \
	"{\"t\":5010,\"run\":1,\"call\":9,\"name\":\"look\",\"arguments\":\"{}\"}\n{\"t\":5020,\"run\":1,\"from\":\"progress\",\"text\":\"1 of 2\"}\n" \
	"{\"t\":6000,\"run\":1,\"state\":\"timeout\",\"ms\":990,\"result\":\"[too long]\"}\n"

/* Runs behind the end are in the picture, also of calls that the answer has not got. */
static void what_ran_is_in_the_picture(void)
{
	const char *file = folder_file("ran.tape", TAPE RAN);
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("replay", "--text", file), ARGS("TZ=UTC")), 0);
	CHECK(shows(&p, "call 10  look") && shows(&p, "too late") && shows(&p, "[too long]") && !shows(&p, "1 of 2"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("replay", "--text", "--frame", "6", file), ARGS("TZ=UTC")), 0);
	CHECK(shows(&p, "running") && shows(&p, "1 of 2"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("replay", "--text", "--frame", "4", file), ARGS("TZ=UTC")), 0);
	CHECK(!shows(&p, "look"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

#define ODD_BODY \
	": hello\n\n" CHUNK("one ", "null") ": keep-alive\n\n" CHUNK("two ", "null") "event: ping\n\n" CHUNK("three ", "7") "data: [DONE]\n\n"
#define CHUNK(text, finish) \
	"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m\"," \
	"\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"},\"finish_reason\":" finish "}]}\n\n"

/* The number that lint names is that of decode, of tape info, and of the screen. */
static void a_frame_has_one_number(void)
{
	const char *file = folder_file("odd.sse", ODD_BODY);
	struct program p;

	program_run(&p, STR_NONE, ARGS("lint", file, "--json"), NULL);
	CHECK(shows(&p, "\"rule\":\"finish-empty\",\"severity\":\"breaks-clients\",\"frame\":3,"), "%s", buf_z(&p.output));
	program_free(&p);
	program_run(&p, STR_NONE, ARGS("decode", file, "--frames"), NULL);
	struct str rest = buf_str(&p.output), line;
	bool found = false;
	while (str_split(&rest, '\n', &line))
		found |= str_starts(line, "{\"frame\":3,") && str_find(line, STR("three ")) < line.len;
	CHECK(found, "%s", buf_z(&p.output));
	program_free(&p);
	program_run(&p, STR_NONE, ARGS("tape", "info", file, "--json"), NULL);
	CHECK(shows(&p, "\"frames\":4,"), "%s", buf_z(&p.output));
	program_free(&p);
	program_run(&p, STR_NONE, ARGS("replay", file, "--frame", "2", "--text"), NULL);
	CHECK(shows(&p, "one two") && !shows(&p, "three"), "%s", buf_z(&p.output));
	program_free(&p);
	program_run(&p, STR_NONE, ARGS("replay", file, "--frame", "3", "--text"), NULL);
	CHECK(shows(&p, "one two three"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void a_picture_is_svg(void)
{
	struct program p;

	run_on(&p, ARGS("--svg"), 0);
	CHECK(str_starts(buf_str(&p.output), "<svg ") && str_ends(buf_str(&p.output), "</svg>\n"), "%s", buf_z(&p.output));
	CHECK(shows(&p, "Why\u00a0&lt;so&gt;\u00a0&amp;\u00a0\u6c34?") && shows(&p, "font-weight=\"bold\">one</text>"), "%s", buf_z(&p.output));
	CHECK(shows(&p, "<title>a.tape, frame 4 of 4</title>"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* Control characters in the name of the file, and in what the server sent. */
static void a_picture_is_xml_whatever_it_shows(void)
{
	const char *path = folder_file("a\x1b]0;x\x07&\xff.tape", "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":"
		"{\\\"content\\\":\\\"one\\\\u0001\\\\u001b[31m\\\\uffff <two>\\\"}}]}\\n\\n\"}\n");
	struct program p;

	CHECK(program_run(&p, STR_NONE, ARGS("replay", "--svg", path), NULL) == 0, "%s", buf_z(&p.errors));
	CHECK(shows(&p, "<title>a\u241b]0;x\u2407&amp;\uFFFD.tape, frame "), "%s", buf_z(&p.output));
	CHECK(shows(&p, "one\u2401\u241b[31m") && shows(&p, "&lt;two&gt;") && !shows(&p, "\uFFFF"), "%s", buf_z(&p.output));
	for (size_t i = 0; i < p.output.len; i++)
		CHECK((unsigned char)p.output.ptr[i] >= 0x20 || p.output.ptr[i] == '\n', "byte %zu is %d", i, p.output.ptr[i]);
	program_free(&p);
	folder_remove();
}

/* Plays the lines of a cast into a terminal. Returns the time of its last screen. */
static double play_cast(struct str text, VTerm *terminal)
{
	struct json_parser *parser = json_parser_new();
	struct str line;
	double last = 0, at = -1;
	size_t used;

	for (size_t n = 0; str_split(&text, '\n', &line) && line.len; n++) {
		const struct json *value = json_parse(parser, line, &used);

		if (!n) {
			int64_t version = 0, width = 0, height = 0;

			CU_ASSERT(json_count(json_get(value, "version"), &version) && version == 2);
			CU_ASSERT(json_count(json_get(value, "width"), &width) && width == 80);
			CU_ASSERT(json_count(json_get(value, "height"), &height) && height == 24);
			continue;
		}
		struct str bytes = json_text(json_at(value, 2));
		CHECK(json_length(value) == 3 && json_number(json_at(value, 0), &at) && at >= last, "%.*s", STR_ARG(line));
		last = at;
		vterm_input_write(terminal, bytes.ptr, bytes.len);
	}
	json_parser_free(parser);
	return at;
}

/* The terminal's rows as --text prints them. */
static void read_terminal(VTerm *terminal, struct buf *out)
{
	VTermScreen *screen = vterm_obtain_screen(terminal);
	char row[4 * 80 * 4];

	for (int r = 0; r < 24; r++) {
		size_t len = vterm_screen_get_text(screen, row, sizeof row, (VTermRect){ r, r + 1, 0, 80 });

		while (len && row[len - 1] == ' ')
			len--;
		buf_add(out, str_of(row, len));
		buf_add_byte(out, '\n');
	}
}

static void check_cast(const char *const *options, double seconds)
{
	const char *path = folder_file("a.cast", NULL), *args[12] = { "--to", path };
	struct program p, text;
	struct buf cast = { 0 }, shown = { 0 };
	struct error err;

	for (size_t i = 0; options[i]; i++)
		args[i + 2] = options[i];
	run_on(&p, args, 0);
	CHECK_STR(buf_str(&p.output), "");
	CHECK(buf_read_file(&cast, path, &err), "%s", err.text);
	VTerm *terminal = vterm_new(24, 80);
	vterm_set_utf8(terminal, 1);
	vterm_screen_reset(vterm_obtain_screen(terminal), 1);
	double at = play_cast(buf_str(&cast), terminal);
	CHECK(at > seconds - 0.01 && at < seconds + 0.01, "%g s, not %g", at, seconds);
	read_terminal(terminal, &shown);
	run_on(&text, ARGS("--text"), 0);
	CHECK_STR(buf_str(&shown), buf_z(&text.output));
	vterm_free(terminal);
	buf_fini(&cast);
	buf_fini(&shown);
	program_free(&p);
	program_free(&text);
	folder_remove();
}

static void a_cast_ends_as_the_screen_does(void)
{
	check_cast(ARGS(NULL), 5.003);
	check_cast(ARGS("--speed", "2"), 2.5);
	check_cast(ARGS("--range", "4.9-"), 0.1);
	check_cast(ARGS("--idle", "1"), 1.036); /* a screen lasts a 30th of a second */
}

/* A silence has screens for its figures, but no more than a number, however long it is. */
static void a_silence_of_years_has_an_end(void)
{
	const char *tape = folder_file("long.tape", "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n"
		"{\"t\":2,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"one\\\"}}]}\\n\\n\"}\n"
		"{\"t\":900000000000,\"body\":\"data: [DONE]\\n\\n\"}\n");
	const char *cast = folder_file("long.cast", NULL);
	struct program p;
	struct buf text = { 0 };
	struct error err;

	CHECK(program_run(&p, STR_NONE, ARGS("replay", "--to", cast, tape), NULL) == 0, "%s", buf_z(&p.errors));
	CU_ASSERT(buf_read_file(&text, cast, &err) && strstr(buf_z(&text), "[900000000.000, ") != NULL);
	program_free(&p);
	buf_fini(&text);
	folder_remove();
}

static void an_existing_file_is_not_overwritten(void)
{
	const char *path = folder_file("there.svg", "mine");
	struct buf text = { 0 };
	struct error err;
	struct program p;

	run_on(&p, ARGS("--to", path), 2);
	program_free(&p);
	CU_ASSERT(buf_read_file(&text, path, &err));
	CHECK_STR(buf_str(&text), "mine");
	run_on(&p, ARGS("--to", path, "--force"), 0);
	program_free(&p);
	buf_clear(&text);
	CU_ASSERT(buf_read_file(&text, path, &err));
	CHECK(str_starts(buf_str(&text), "<svg "), "%s", buf_z(&text));
	run_on(&p, ARGS("--to", folder_file("x.gif", NULL)), 2);
	CHECK(str_find(buf_str(&p.errors), STR(".cast, .svg or .txt")) < p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	buf_fini(&text);
	folder_remove();
}

const struct suite suite_replay_capture = { "replay_capture", (const struct test[]){
	TEST(a_frame_is_printed_as_text), TEST(what_ran_is_in_the_picture), TEST(a_frame_has_one_number), TEST(a_picture_is_svg), TEST(a_picture_is_xml_whatever_it_shows), TEST(a_cast_ends_as_the_screen_does), TEST(a_silence_of_years_has_an_end), TEST(an_existing_file_is_not_overwritten),
	{ 0 } } };
