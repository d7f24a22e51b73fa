#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/program.h"
#include "base/json.h"
#include "support/check.h"

#define ANSWER "data: {\"id\":\"c1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n" \
	"data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
#define RUNTIME_TAPE "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"dialect\":\"runtime\"}\n" \
	"{\"t\":5,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"headers\":{}}}\n" \
	"{\"t\":12.5,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"Hi\\\"}}]}\\n\\n\"}\n{\"t\":13,\"end\":\"closed\"}\n"
#define ANTHROPIC_ERROR "{\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"invalid key\"}}"

/* Decodes a stream and checks some members of the summary. */
struct expected { const char *protocol, *dialect, *outcome, *text; int status; };

static void check_summary(const char *stream, const char *const *options, struct expected expected)
{
	struct json_parser *parser = json_parser_new();
	const char *args[8] = { "decode", folder_file("stream", stream) };
	const struct json *value;
	struct program p;
	size_t used;

	for (size_t i = 0; options[i]; i++)
		args[i + 2] = options[i];
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, args, NULL), expected.status);
	value = json_parse(parser, buf_str(&p.output), &used);
	CHECK_STR(json_get_text(value, "protocol"), expected.protocol);
	CHECK_STR(json_get_text(value, "dialect"), expected.dialect);
	CHECK_STR(json_get_text(value, "outcome"), expected.outcome);
	CHECK_STR(json_get_text(value, "text"), expected.text);
	CHECK(str_find(buf_str(&p.output), STR("\n")) + 1 == p.output.len, "one line: %s", buf_z(&p.output));
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

static void a_summary_is_what_it_gives(void)
{
	check_summary(ANSWER, ARGS(NULL), (struct expected){ "openai-chat", "generic", "complete", "Hi", 0 });
	check_summary(ANSWER, ARGS("--summary"), (struct expected){ "openai-chat", "generic", "complete", "Hi", 0 });
	check_summary("data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n", ARGS(NULL),
	              (struct expected){ "openai-chat", "generic", "cut", "Hi", 3 });
}

static void the_command_line_comes_before_the_tape(void)
{
	check_summary(RUNTIME_TAPE, ARGS(NULL), (struct expected){ "openai-chat", "runtime", "complete", "Hi", 0 });
	check_summary(RUNTIME_TAPE, ARGS("--dialect", "generic"), (struct expected){ "openai-chat", "generic", "cut", "Hi", 3 });
	check_summary(ANSWER, ARGS("--dialect", "sansa"), (struct expected){ "openai-chat", "sansa", "complete", "Hi", 0 });
	check_summary(RUNTIME_TAPE, ARGS("--protocol", "anthropic"), (struct expected){ "anthropic", "runtime", "error", "", 4 });
}

static void a_status_makes_an_error_of_a_body(void)
{
	struct program p;

	program_run(&p, STR(ANTHROPIC_ERROR), ARGS("decode", "-", "--protocol", "anthropic", "--status", "401"), NULL);
	CU_ASSERT_EQUAL(p.status, 4);
	CHECK(strstr(buf_z(&p.output), "\"error\":{\"message\":\"invalid key\",\"type\":\"authentication_error\",\"code\":null,\"status\":401}") != NULL,
	      "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void check_events(const char *stream, bool timed)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	struct str rest, line;
	size_t used, ends = 0, lines = 0;
	double t;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("decode", "--events", folder_file("stream", stream)), NULL), 0);
	rest = buf_str(&p.output);
	for (; str_split(&rest, '\n', &line); lines++) {
		const struct json *value = json_parse(parser, line, &used);

		CHECK(json_number(json_get(value, "t"), &t) == timed, "%.*s", STR_ARG(line));
		CHECK(!lines == str_is(json_get_text(value, "type"), "begin"), "%.*s", STR_ARG(line));
		ends += str_is(json_get_text(value, "type"), "end");
	}
	CU_ASSERT_EQUAL(ends, 1);
	CU_ASSERT(str_ends(buf_str(&p.output), "\"type\":\"end\",\"outcome\":\"complete\"}\n"));
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

static void events_carry_the_time_of_a_tape(void)
{
	check_events(RUNTIME_TAPE, true);
}

static void events_of_a_plain_file_have_no_time(void)
{
	struct program p;

	program_run(&p, STR(ANSWER), ARGS("decode", "--events", "-"), NULL);
	CHECK_STR(buf_str(&p.output), "{\"type\":\"begin\",\"id\":\"c1\",\"model\":\"m\"}\n{\"type\":\"text\",\"text\":\"Hi\"}\n"
	                              "{\"type\":\"finish\",\"reason\":\"stop\"}\n{\"type\":\"end\",\"outcome\":\"complete\"}\n");
	program_free(&p);
	folder_remove();
}

/* The bytes of a frame are text, or base64 where they are not. */
static void frames_stand_beside_what_they_became(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n: \xff\n\n"), ARGS("decode", "--frames", "-"), NULL), 3);
	CHECK_STR(buf_str(&p.output),
	          "{\"frame\":1,\"offset\":0,\"length\":58,\"kind\":\"event\",\"marks\":[],\"became\":[{\"type\":\"begin\",\"id\":null,\"model\":null},"
	          "{\"type\":\"text\",\"text\":\"Hi\",\"part\":0,\"from\":0,\"to\":2}],"
	          "\"data\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"Hi\\\"}}]}\\n\\n\"}\n"
	          "{\"frame\":null,\"offset\":58,\"length\":5,\"kind\":\"comment\",\"marks\":[\"comment\"],\"became\":[],\"b64\":\"OiD/Cgo=\"}\n"
	          "{\"frame\":null,\"offset\":63,\"length\":0,\"kind\":\"end\",\"marks\":[],\"became\":[{\"type\":\"end\",\"outcome\":\"cut\"}],\"data\":\"\"}\n");
	program_free(&p);
	program_run(&p, STR(RUNTIME_TAPE), ARGS("decode", "--frames", "-"), NULL);
	CHECK(strstr(buf_z(&p.output), "{\"frame\":1,\"t\":12.5,\"gap\":7.5,\"offset\":0,") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void wrong_use_is_exit_2(void)
{
	static const struct { const char *args[6]; const char *named; } cases[] = {
		{ { "decode" }, "FILE" },
		{ { "decode", "/nowhere/x.sse" }, "/nowhere/x.sse" },
		{ { "decode", "a", "b" }, "FILE" },
		{ { "decode", "--protocol", "smoke", "-" }, "smoke" },
		{ { "decode", "--dialect", "slang", "-" }, "slang" },
		{ { "decode", "--port", "1", "-" }, "--port" },
		{ { "decode", "--frames", "--events", "-" }, "--events" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program p;

		program_run(&p, STR(ANSWER), cases[i].args, NULL);
		CHECK(p.status == 2, "case %zu: %d", i, p.status);
		CHECK(strstr(buf_z(&p.errors), cases[i].named) != NULL, "case %zu: %s", i, buf_z(&p.errors));
		CHECK(p.output.len == 0, "case %zu", i);
		program_free(&p);
	}
	folder_remove();
}

/* --- media --- */

#define GIF "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
#define PICTURES "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\",\"images\":[{\"b64_json\":\"" GIF "\"},{\"url\":\"https://a/b\"}," \
	"{\"url\":\"data:application/json;base64,e30=\"}]}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

static void check_file(const char *folder, const char *name, off_t size)
{
	char path[700];
	struct stat facts = { .st_size = -1 };

	snprintf(path, sizeof path, "%s/%s", folder, name);
	CHECK(lstat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size == size && (facts.st_mode & 0777) == 0600, "%s: %lld bytes, mode %o", path,
	      (long long)facts.st_size, (unsigned)facts.st_mode);
}

/* A number is an item's place in the list, counted on from what is there. */
static void media_become_files(void)
{
	const char *folder = folder_file("media", NULL);
	char name[700];
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR(PICTURES), ARGS("decode", "-", "--media", folder), NULL), 0);
	CHECK(str_starts(buf_str(&p.output), "{\"protocol\"") && !p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	check_file(folder, "01.gif", 43);
	check_file(folder, "03.json", 2);
	snprintf(name, sizeof name, "%s/07-mine", folder);
	CU_ASSERT_EQUAL(symlink("/nowhere", name), 0);
	CU_ASSERT_EQUAL(program_run(&p, STR(PICTURES), ARGS("decode", "-", "--events", "--media", folder), NULL), 0);
	program_free(&p);
	check_file(folder, "08.gif", 43);
	check_file(folder, "10.json", 2);
	folder_remove();
}

/* Of 1.1 MB nothing is left where the limit is 1 MB. */
static void the_limit_of_media_is_a_setting(void)
{
	const char *config = folder_file("weir.conf", "[provider x]\nmodel = m\n");
	struct buf stream = { 0 };
	struct program p;

	buf_add_z(&stream, "data: {\"choices\":[{\"index\":0,\"delta\":{\"images\":[{\"b64_json\":\"");
	for (size_t i = 0; i < 1100000 / 3; i++)
		buf_add_z(&stream, "QUFB");
	buf_add_z(&stream, "\"}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n");
	for (int limited = 0; limited < 2; limited++) {
		if (limited)
			(void)folder_file("weir.conf", "media_limit = 1\n");
		CU_ASSERT_EQUAL(program_run(&p, buf_str(&stream), ARGS("decode", "-", "--config", config), NULL), 0);
		CHECK(!strstr(buf_z(&p.output), "does not fit in 1 MB") == !limited, "%s", buf_z(&p.output));
		CHECK(strstr(buf_z(&p.output), limited ? "\"bytes\":0," : "\"bytes\":1099998,"), "%s", buf_z(&p.output));
		program_free(&p);
	}
	buf_fini(&stream);
	folder_remove();
}

static void a_folder_that_cannot_be_used_is_exit_2(void)
{
	char path[700];
	struct program p;

	snprintf(path, sizeof path, "%s/no/folder", folder_path());
	for (int i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(program_run(&p, STR(PICTURES), ARGS("decode", "-", "--media", i ? folder_file("file", "x") : path), NULL), 2);
		CHECK(!p.output.len && strstr(buf_z(&p.errors), "the folder "), "%s", buf_z(&p.errors));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(program_run(&p, STR(PICTURES), ARGS("decode", "-", "--frames", "--media", folder_path()), NULL), 2);
	program_free(&p);
	folder_remove();
}

const struct suite suite_decode_cli = { "decode_cli", (const struct test[]){
	TEST(a_summary_is_what_it_gives), TEST(the_command_line_comes_before_the_tape), TEST(a_status_makes_an_error_of_a_body),
	TEST(events_carry_the_time_of_a_tape), TEST(events_of_a_plain_file_have_no_time), TEST(frames_stand_beside_what_they_became), TEST(wrong_use_is_exit_2),
	TEST(media_become_files), TEST(the_limit_of_media_is_a_setting), TEST(a_folder_that_cannot_be_used_is_exit_2), { 0 } } };
