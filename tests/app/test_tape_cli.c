#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/program.h"
#include "app/tape/tape_verbs.h"
#include "base/json.h"
#include "base/mem.h"
#include "support/check.h"

#define FIRST "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"dialect\":\"generic\",\"provider\":\"acme\",\"model\":\"m\"," \
	"\"url\":\"https://llm.acme.example/v1/chat/completions\",\"started\":\"2026-01-02T03:04:05Z\",\"request\":{\"messages\":[{\"role\":\"user\",\"content\":\"Who am I\"}]}}\n"
#define HEAD "{\"t\":50,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"headers\":{\"x-request-id\":\"req_abc123\"}}}\n"
#define BODY(t, text) "{\"t\":" t ",\"body\":\"data: {\\\"id\\\":\\\"c1\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"" text "\\\"}}]}\\n\\n\"}\n"
#define FINISH "{\"t\":400,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\ndata: [DONE]\\n\\n\"}\n"
#define END "{\"t\":410,\"end\":\"closed\"}\n"
#define TAPE FIRST HEAD BODY("100", "My ") BODY("200", "name ") BODY("300", "is Ann") FINISH END
#define PLAIN "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]\n\n"

/* Runs `weir tape ARGUMENT...`; the caller frees `p`. */
static int run_tape(struct program *p, const char *const *args)
{
	const char *all[16] = { "tape" };

	for (size_t i = 0; args[i]; i++)
		all[i + 1] = args[i];
	return program_run(p, STR_NONE, all, NULL);
}

static const char *tape_file(void)
{
	return folder_file("a.tape", TAPE);
}

/* The summary's member `text` of a file, and its outcome. */
static void check_text(const char *path, const char *text, const char *outcome)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	size_t used;

	program_run(&p, STR_NONE, ARGS("decode", path), NULL);
	const struct json *value = json_parse(parser, buf_str(&p.output), &used);
	CHECK_STR(json_get_text(value, "text"), text);
	CHECK_STR(json_get_text(value, "outcome"), outcome);
	program_free(&p);
	json_parser_free(parser);
}

static void info_says_what_a_tape_holds(void)
{
	struct json_parser *parser = json_parser_new();
	struct program p;
	int64_t number;
	double ms;
	size_t used;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", "--json", tape_file())), 0);
	const struct json *value = json_parse(parser, buf_str(&p.output), &used);
	CHECK_STR(json_get_text(value, "kind"), "tape");
	CHECK_STR(json_get_text(value, "protocol"), "openai-chat");
	CHECK_STR(json_get_text(value, "outcome"), "complete");
	CHECK(json_count(json_get(value, "frames"), &number) && number == 5, "%s", buf_z(&p.output));
	CHECK(json_count(json_get(value, "reads"), &number) && number == 4, "%s", buf_z(&p.output));
	CHECK(json_count(json_find(value, "deltas.text"), &number) && number == 3, "%s", buf_z(&p.output));
	CHECK(json_number(json_get(value, "first_ms"), &ms) && fabs(ms - 100) < 0.001, "%s", buf_z(&p.output));
	CHECK(json_number(json_get(value, "total_ms"), &ms) && fabs(ms - 410) < 0.001, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", tape_file())), 0);
	CHECK(strstr(buf_z(&p.output), "first content after 100 ms, ended after 410 ms") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

static void cut_keeps_the_frames_of_a_time(void)
{
	const char *out = folder_file("cut.tape", NULL);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("cut", tape_file(), "--from", "150", "--to", "300", "-o", out)), 0);
	program_free(&p);
	check_text(out, "name is Ann", "cut");
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("cut", tape_file(), "--from", "150", "-o", out)), 2);
	CHECK(strstr(buf_z(&p.errors), "exists already: --force overwrites it") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("cut", tape_file(), "--from", "150", "-o", out, "--force")), 0);
	program_free(&p);
	check_text(out, "name is Ann", "complete");
	folder_remove();
}

static void convert_to(const char *form, const char *file, const char *expected)
{
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", "--to", form, file)), 0);
	CHECK(strstr(buf_z(&p.output), expected) != NULL, "%s: %s", form, buf_z(&p.output));
	program_free(&p);
}

/* How the connection came stays with the head, whatever is made of the tape. */
static void the_timings_of_the_connection_are_kept(void)
{
	static const char timings[] = "\"http\":\"2\",\"timings\":{\"name_ms\":1.5,\"connect_ms\":2.25,\"tls_ms\":30,\"sent_ms\":31,\"first_byte_ms\":400,\"reused\":false}";
	const char *in = folder_file("timed.tape", FIRST "{\"t\":50,\"head\":{\"status\":200,\"headers\":{},\"http\":\"2\",\"timings\":{\"name_ms\":1.5,\"connect_ms\":2.25,"
	                             "\"tls_ms\":30,\"sent_ms\":31,\"first_byte_ms\":400,\"reused\":false}}}\n" BODY("100", "Hi") FINISH END);
	static const char har[] = "\"timings\":{\"dns\":1.5,\"connect\":28.5,\"ssl\":27.75,\"send\":1,\"wait\":19,\"receive\":360}";
	const char *const *const calls[] = {
		ARGS("cut", in, "--from", "0"), ARGS("scrub", in), ARGS("convert", in, "--to", "tape"), ARGS("join", in, in), ARGS("info", "--json", in),
	};
	struct program p;

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		CU_ASSERT_EQUAL(run_tape(&p, calls[i]), 0);
		CHECK(strstr(buf_z(&p.output), timings) != NULL, "%s: %s %s", calls[i][0], buf_z(&p.output), buf_z(&p.errors));
		program_free(&p);
	}
	convert_to("har", in, har);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", in)), 0);
	CHECK(strstr(buf_z(&p.output), "network   HTTP/2, name 1.5 ms, connect 2.2 ms, TLS 30.0 ms, sent 31.0 ms, first byte 400.0 ms\n") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", "--json", tape_file())), 0);
	CHECK(strstr(buf_z(&p.output), "\"http\":null,\"timings\":null") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* A frame that came in two reads belongs to the time at which it was whole, and stays whole. */
static void cut_does_not_break_a_frame(void)
{
	static const char halves[] = FIRST HEAD "{\"t\":100,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"con\"}\n"
		"{\"t\":200,\"body\":\"tent\\\":\\\"whole\\\"}}]}\\n\\ndata: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\" later\"}\n"
		"{\"t\":300,\"body\":\"\\\"}}]}\\n\\n\"}\n" END;
	const char *in = folder_file("halves.tape", halves), *out = folder_file("out.tape", NULL);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("cut", in, "--from", "150", "--to", "250", "-o", out)), 0);
	program_free(&p);
	check_text(out, "whole", "cut");
	folder_remove();
}

static void join_puts_one_behind_the_other(void)
{
	const char *half = folder_file("half.tape", FIRST HEAD BODY("100", "My ") "{\"t\":120,\"end\":\"cut\"}\n"), *out = folder_file("joined.tape", NULL);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("join", half, tape_file(), "-o", out)), 0);
	program_free(&p);
	check_text(out, "My My name is Ann", "complete");
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("cut", out, "--from", "530", "-o", "-")), 0); /* 120 + 410 */
	CHECK(strstr(buf_z(&p.output), "{\"t\":530,\"end\":\"closed\"}") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void join_refuses_what_does_not_fit(void)
{
	const char *other = folder_file("other.tape", "{\"weir_tape\":1,\"protocol\":\"gemini\"}\n" END), *plain = folder_file("plain.sse", PLAIN);
	const char *out = folder_file("out.tape", NULL);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("join", tape_file(), other, "-o", out)), 2);
	CHECK(strstr(buf_z(&p.errors), "cannot be joined") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("join", plain, tape_file(), "-o", out)), 2);
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", out)), 2); /* nothing was left */
	program_free(&p);
	folder_remove();
}

static void scrub_keeps_the_shape_only(void)
{
	static const char *const secrets[] = { "acme", "Ann", "Who", "req_abc123", "name is" };
	const char *out = folder_file("scrubbed.tape", NULL);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("scrub", tape_file(), "-o", out)), 0);
	program_free(&p);
	check_text(out, "Xx xxxx xx Xxx", "complete");
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("scrub", tape_file())), 0);
	for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
		CHECK(!strstr(buf_z(&p.output), secrets[i]), "%s is left: %s", secrets[i], buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "{\"t\":300,\"body\"") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* What the first line, the head and what stands between the lines hold of the user. */
static void scrub_tells_nothing_around_the_body(void)
{
	static const char *const tapes[][2] = {
		{ "{\"weir_tape\":1,\"provider\":\"openai\",\"model\":\"ft:gpt-4o:acme\",\"url\":\"https://llm.acme.example/v1/chat/completions\"}\n",
		  "/v1/chat/completions\"" },
		{ "{\"weir_tape\":1,\"provider\":\"openai\",\"model\":\"gpt-4o\",\"url\":\"https://api.openai.com/v1/chat/completions\"}\n",
		  "\"provider\":\"openai\",\"model\":\"gpt-4o\",\"url\":\"https://api.openai.com/v1/chat/completions\"" },
		{ "{\"weir_tape\":1,\"protocol\":\"acme\",\"dialect\":\"acme\",\"provider\":\"acme-gateway\",\"model\":\"acct/acme/my-model\","
		  "\"url\":\"https://openrouter.ai/api/v1/accounts/acme/chat/completions?key=acme\",\"started\":\"2026-01-02T03:04:05Z\",\"acme\":\"acme\",\"request\":{\"x_acme\":5551234}}\n",
		  "\"started\":\"2026-01-02T03:04:05Z\"" },
		{ "{\"weir_tape\":1}\n{\"attempt\":{\"status\":429,\"headers\":{\"x-request-id\":\"acme\"},\"body\":\"acme\",\"t\":1,\"wait\":1}}\n{\"acme\":1}\n"
		  "{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream; charset=utf-8; team=acme\",\"http\":\"acme\",\"headers\":{\"x-request-id\":\"acme-req_5551234\","
		  "\"x-ratelimit-remaining-acme\":\"acme\",\"cache-control\":\"no-cache, acme\",\"x-acme\":\"acme\"}}}\n", "\"status\":200" },
		{ "{\"weir_tape\":1}\n{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream; charset=utf-8\",\"http\":\"1.1\",\"headers\":{\"x-ratelimit-remaining-tokens\":\"59000\","
		  "\"x-ratelimit-reset-requests\":\"6m0s\",\"cache-control\":\"no-cache\",\"content-encoding\":\"gzip\",\"content-length\":\"1234\",\"retry-after\":\"5\"}}}\n",
		  "{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream; charset=utf-8\",\"headers\":{\"x-ratelimit-remaining-tokens\":\"59000\","
		  "\"x-ratelimit-reset-requests\":\"6m0s\",\"cache-control\":\"no-cache\",\"content-encoding\":\"gzip\",\"content-length\":\"1234\",\"retry-after\":\"5\"},\"http\":\"1.1\"}}" },
	};

	for (size_t i = 0; i < sizeof tapes / sizeof *tapes; i++) {
		struct buf text = { 0 };
		struct program p;

		buf_printf(&text, "%s" END, tapes[i][0]);
		CU_ASSERT_EQUAL(run_tape(&p, ARGS("scrub", folder_file("own.tape", buf_z(&text)))), 0);
		CHECK(strstr(buf_z(&p.output), tapes[i][1]) != NULL, "%zu: %s", i, buf_z(&p.output));
		CHECK(!strstr(buf_z(&p.output), "acme") && !strstr(buf_z(&p.output), "5551234"), "%zu: %s", i, buf_z(&p.output));
		program_free(&p);
		buf_fini(&text);
	}
	folder_remove();
}

static void convert_gives_other_forms(void)
{
	const char *plain = folder_file("plain.sse", PLAIN);
	struct program p;

	convert_to("tape", tape_file(), TAPE);
	convert_to("tape", plain, "{\"t\":0,\"body\":\"data: [DONE]\\n\\n\"}\n{\"t\":0,\"end\":\"closed\"}\n");
	convert_to("body", plain, PLAIN);
	convert_to("events", tape_file(), "{\"t\":200,\"type\":\"text\",\"text\":\"name \"}\n");
	convert_to("cast", tape_file(), "{\"version\":2,\"width\":80,\"height\":24,\"title\":\"m\"}\n[0.1,\"o\",\"My \"]\n[0.2,\"o\",\"name \"]\n");
	convert_to("har", tape_file(), "\"startedDateTime\":\"2026-01-02T03:04:05Z\",\"time\":410,\"request\":{\"method\":\"POST\"");
	convert_to("request", tape_file(), "{\n  \"messages\": [\n    {\n      \"role\": \"user\",\n      \"content\": \"Who am I\"\n    }\n  ]\n}\n");
	convert_to("curl", tape_file(), "curl -N --http1.1 'https://llm.acme.example/v1/chat/completions' \\\n");
	convert_to("curl", tape_file(), "  -H 'authorization: Bearer '\"$API_KEY\" \\\n  --data-binary '{\"messages\":[{\"role\":\"user\",\"content\":\"Who am I\"}]}'\n");
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", "--to", "curl", plain)), 2);
	CHECK(strstr(buf_z(&p.errors), "the recording holds no request") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", "--to", "har", plain)), 2);
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", "--to", "gif", plain)), 2);
	CHECK(strstr(buf_z(&p.errors), "har, cast, request or curl, not gif") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

/* An asciicast is played in a terminal. */
static void a_cast_holds_no_control_characters_of_the_server(void)
{
	const char *file = folder_file("tool.tape", "{\"weir_tape\":1,\"protocol\":\"openai-chat\"}\n"
		"{\"t\":1,\"body\":\"data: {\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"tool_calls\\\":[{\\\"index\\\":0,"
		"\\\"function\\\":{\\\"name\\\":\\\"a\\\\u001b[2J\\\"}}]}}]}\\n\\n\"}\n" END);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", "--to", "cast", file)), 0);
	CHECK(strstr(buf_z(&p.output), "[2J") && !strstr(buf_z(&p.output), "u001b"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

/* How a server cuts its text up and when it comes makes no difference; what it says does. */
static void diff_compares_deltas(void)
{
	const char *same = folder_file("same.tape", FIRST HEAD BODY("60", "My name") BODY("70", " is Ann") FINISH END);
	const char *other = folder_file("other.tape", FIRST HEAD BODY("60", "My name") BODY("70", " is Bob") FINISH END);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("diff", tape_file(), same)), 0);
	CHECK(strstr(buf_z(&p.output), "the same deltas") != NULL, "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "first content          100 ms       60 ms") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("diff", tape_file(), other)), 1);
	CHECK(strstr(buf_z(&p.output), "- {\"type\":\"text\",\"text\":\"My name is Ann\"}\n+ {\"type\":\"text\",\"text\":\"My name is Bob\"}\n") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("diff", "--json", tape_file(), other)), 1);
	CHECK(strstr(buf_z(&p.output), "{\"same\":false,") && strstr(buf_z(&p.output), "{\"a\":{\"type\":\"text\",\"text\":\"My name is Ann\"}}"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("diff", tape_file(), "absent.tape")), 2);
	program_free(&p);
	folder_remove();
}

/* Of one verb its own words and options; without a verb those of all. */
static void each_verb_has_a_help_of_its_own(void)
{
	static const struct { const char *option; const char *verbs; } options[] = {
		{ "--from", "cut" }, { "--to", "cut convert" }, { "--ignore", "diff" }, { "--chart", "info diff stats" }, { "--json", "info diff stats" },
		{ "--output", "info cut join scrub convert diff stats" }, { "--entry", "info cut join scrub convert diff stats" },
	};
	struct tape_verb_help verb, other;
	struct program p;

	for (size_t i = 0; tape_verb_at(i, &verb); i++) {
		CU_ASSERT_EQUAL(run_tape(&p, i % 2 ? ARGS(verb.name, "--help") : ARGS("--help", verb.name)), 0);
		CHECK(strstr(buf_z(&p.output), verb.arguments) && strstr(buf_z(&p.output), verb.more), "%s: %s", verb.name, buf_z(&p.output));
		for (size_t j = 0; j < sizeof options / sizeof *options; j++)
			CHECK(!strstr(buf_z(&p.output), options[j].option) == !strstr(options[j].verbs, verb.name), "%s of %s: %s", options[j].option, verb.name, buf_z(&p.output));
		for (size_t j = 0; tape_verb_at(j, &other); j++)
			CHECK(i == j || !strstr(buf_z(&p.output), other.more), "%s: %s", verb.name, buf_z(&p.output));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("--help")), 0);
	for (size_t i = 0; tape_verb_at(i, &verb); i++)
		CHECK(strstr(buf_z(&p.output), verb.help) != NULL, "%s", buf_z(&p.output));
	program_free(&p);
}

#define CHUNK(id, text, more) "data: {\"id\":\"" id "\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\"," \
	"\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"},\"finish_reason\":null}]" more "}\n\n"
#define ANSWER(id, text, tokens) CHUNK(id, text, "") "data: {\"id\":\"" id "\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\"," \
	"\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":" tokens ",\"completion_tokens\":1,\"total_tokens\":9}}\n\n" \
	"data: [DONE]\n\n"

/* What differs from one answer to the next is left out: whole deltas, or members of them. */
static void diff_leaves_out_what_is_ignored(void)
{
	static const struct { const char *options[5]; int status; const char *says; } cases[] = {
		{ { NULL }, 1, "{\"type\":\"begin\",\"id\":\"a\"" }, { { "--ignore", "id" }, 1, "\"prompt_tokens\":3" },
		{ { "--ignore", "id,usage" }, 0, "the same deltas" }, { { "--ignore", "id", "--ignore", "prompt_tokens" }, 0, "the same deltas" },
		{ { "--ignore", "begin, usage" }, 0, "the same deltas" }, { { "--ignore", "id,usage", "--json" }, 0, "\"same\":true" },
		{ { "--ignore", "id,usge" }, 2, "not 'usge'" },
	};
	const char *a = folder_file("a.sse", ANSWER("a", "Hi", "3")), *b = folder_file("b.sse", ANSWER("b", "Hi", "4"));
	struct program p;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *const *o = cases[i].options;

		CU_ASSERT_EQUAL(run_tape(&p, ARGS("diff", a, b, o[0], o[1], o[2], o[3])), cases[i].status);
		CHECK(strstr(buf_z(&p.output), cases[i].says) || strstr(buf_z(&p.errors), cases[i].says), "%zu: %s%s", i, buf_z(&p.output), buf_z(&p.errors));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("diff", a, folder_file("c.sse", ANSWER("b", "Ho", "3")), "--ignore", "id")), 1);
	CHECK(strstr(buf_z(&p.output), "- {\"type\":\"text\",\"text\":\"Hi\"}\n+ {\"type\":\"text\",\"text\":\"Ho\"}\n") && !strstr(buf_z(&p.output), "begin"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", a, "--ignore", "id")), 2);
	program_free(&p);
	folder_remove();
}

static void stats_sum_up_a_folder(void)
{
	struct program p;

	tape_file();
	folder_file("b.tape", FIRST HEAD BODY("200", "x") BODY("900", "y") FINISH END);
	folder_file("c.tape", "{\"weir_tape\":1,\"provider\":\"<b>\",\"model\":\"other\"}\n" BODY("300", "z") END);
	folder_file("notes.txt", "no tape");
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("stats", "--json", folder_path())), 0);
	CHECK(str_starts(buf_str(&p.output), "{\"tapes\":3,\"first_ms\":{\"p50\":200,\"p90\":300,\"p99\":300},\"gap_ms\":{\"p50\":100,\"p90\":700,\"p99\":700},\"rate\":{"),
	      "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "\"skipped\":1,\"models\":[{\"provider\":\"acme\",\"model\":\"m\",\"tapes\":2,") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("stats", folder_path(), "--svg", folder_file("out.svg", NULL))), 0);
	CHECK(strstr(buf_z(&p.output), "  first content         200 ms     300 ms     300 ms") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	struct buf svg = { 0 };
	struct error err;
	CHECK(buf_read_file(&svg, folder_file("out.svg", NULL), &err), "%s", err.text);
	CHECK(str_starts(buf_str(&svg), "<svg xmlns=") && strstr(buf_z(&svg), "&lt;b&gt; other") && !strstr(buf_z(&svg), "<b>"), "%s", buf_z(&svg));
	buf_fini(&svg);
	folder_remove();
}

static const char *har_of(const char *tape, const char *name)
{
	const char *out = folder_file(name, NULL);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", tape, "--to", "har", "-o", out)), 0);
	program_free(&p);
	return out;
}

/* Bytes, times and outcome. */
static void a_tape_comes_back_from_a_har(void)
{
	static const char cut[] = FIRST HEAD "{\"t\":90,\"b64\":\"OiD/Cg==\"}\n" BODY("100", "My ") "{\"t\":120,\"end\":\"stalled\"}\n";

	convert_to("tape", har_of(tape_file(), "a.har"), TAPE);
	convert_to("tape", har_of(folder_file("cut.tape", cut), "cut.har"), cut);
	check_text(folder_file("cut.har", NULL), "My ", "stalled");
	folder_remove();
}

#define ENTRY(content) "{\"startedDateTime\":\"2026-01-31T12:00:00Z\",\"request\":{\"url\":\"https://acme.example/\",\"headers\":[{\"name\":\"x-api-key\"," \
	"\"value\":\"SECRET\"}]},\"response\":{\"status\":200,\"content\":{\"text\":\"" content "\"}}}"
#define SAID(text) "data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\"" text "\\\"}}]}\\n\\ndata: [DONE]\\n\\n"
#define HAR "{\"log\":{\"entries\":[" ENTRY("alert(1)") "," ENTRY(SAID("one")) "," ENTRY(SAID("two")) "]}}"

static void a_har_is_a_saved_stream(void)
{
	const char *har = folder_file("browser.har", HAR);
	struct program p;

	check_text(har, "one", "complete");
	program_run(&p, STR_NONE, ARGS("decode", har), NULL);
	CHECK(strstr(buf_z(&p.errors), "browser.har: entry 2 is used; --entry N takes another answer: 3\n") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	program_run(&p, STR_NONE, ARGS("decode", har, "--entry", "3"), NULL);
	CHECK(strstr(buf_z(&p.output), "\"text\":\"two\"") && !p.errors.len, "%s%s", buf_z(&p.output), buf_z(&p.errors));
	program_free(&p);
	program_run(&p, STR_NONE, ARGS("replay", har, "--entry", "3", "--text"), NULL);
	CHECK(p.status == 0 && strstr(buf_z(&p.output), "two"), "%s%s", buf_z(&p.output), buf_z(&p.errors));
	program_free(&p);
	program_run(&p, STR_NONE, ARGS("lint", har), NULL);
	CHECK(p.status != 2, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", har, "--entry", "3")), 0);
	CHECK(str_starts(buf_str(&p.output), "what      a body without times in a HAR, entry 3 of 3, openai-chat"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", har, "--to", "tape")), 0);
	CHECK(strstr(buf_z(&p.output), "\"protocol\":\"openai-chat\"") != NULL, "%s", buf_z(&p.output));
	CHECK(!strstr(buf_z(&p.output), "SECRET"), "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void events_come_back_as_a_tape(void)
{
	static const char *const protocols[] = { "openai-chat", "openai-responses", "anthropic", "gemini", "ollama" };
	const char *events = folder_file("a.jsonl", NULL);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", tape_file(), "--to", "events", "-o", events)), 0);
	program_free(&p);
	for (size_t i = 0; i < sizeof protocols / sizeof *protocols; i++) {
		const char *out = folder_file("back.tape", NULL);

		CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", events, "--to", "tape", "--protocol", protocols[i], "-o", out, "--force")), 0);
		program_free(&p);
		check_text(out, "My name is Ann", "complete");
		CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", "--json", out)), 0);
		CHECK(strstr(buf_z(&p.output), protocols[i]) && strstr(buf_z(&p.output), "\"first_ms\":100,"), "%s", buf_z(&p.output));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", events, "--to", "tape", "--protocol", "smoke")), 2);
	program_free(&p);
	folder_remove();
}

static void what_is_no_stream_says_why(void)
{
	static const char *const calls[][2] = {
		{ "{\"version\":2,\"width\":80,\"height\":24}\n[0.1,\"o\",\"hi\"]\n", "an asciicast holds what a screen showed, not the stream" },
		{ "{\"log\":{\"entries\":[", "the HTTP Archive (HAR) is not whole, or not valid JSON" },
	};
	struct program p;

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", folder_file(i ? "b" : "a", calls[i][0]))), 2);
		CHECK(strstr(buf_z(&p.errors), calls[i][1]) != NULL, "%s", buf_z(&p.errors));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", tape_file(), "--entry", "1")), 2);
	CHECK(strstr(buf_z(&p.errors), "--entry is for HTTP Archives (HAR)") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	folder_remove();
}

/* Three pieces of content a second apart. */
static const char *slow_file(void)
{
	return folder_file("slow.tape", FIRST HEAD BODY("1000", "My name is ") BODY("2000", "longer ") BODY("2500", "than ") BODY("4000", "yours is") FINISH END);
}

static void check_output(const char *const *args, const char *const *env, const char *expected, bool holds)
{
	const char *all[16] = { "tape" };
	struct program p;

	for (size_t i = 0; args[i]; i++)
		all[i + 1] = args[i];
	program_run(&p, STR_NONE, all, env);
	CHECK((strstr(buf_z(&p.output), expected) != NULL) == holds, "%s: %s%s", expected, buf_z(&p.output), buf_z(&p.errors));
	program_free(&p);
}

/* A chart is for people: it is drawn on a terminal, or when it is asked for, and never into JSON. */
static void charts_are_drawn_when_wanted(void)
{
	const char *slow = slow_file(), *rate = "estimated tokens a second\n", *axis = "┬", *text = "estimated tokens so far   ";

	check_output(ARGS("info", slow), NULL, rate, false);
	check_output(ARGS("info", slow, "--chart"), NULL, rate, true);
	check_output(ARGS("info", slow, "--chart"), NULL, "gaps between pieces of content, by length\n", true);
	check_output(ARGS("info", slow, "--chart"), NULL, axis, true);
	check_output(ARGS("info", slow, "--chart", "--json"), NULL, rate, false);
	check_output(ARGS("info", folder_file("plain.sse", PLAIN), "--chart"), NULL, rate, false);
	check_output(ARGS("diff", slow, tape_file()), NULL, text, false);
	check_output(ARGS("diff", slow, tape_file(), "--chart"), NULL, text, true);
	check_output(ARGS("stats", slow, tape_file(), "--chart"), NULL, "gaps between pieces of content, by length\n", true);
	check_output(ARGS("stats", slow, tape_file()), NULL, "by length", false);
	folder_remove();
}

static void charts_are_ascii_where_it_has_to_be(void)
{
	const char *slow = slow_file();

	check_output(ARGS("info", slow, "--chart", "--ascii"), NULL, "┬", false);
	check_output(ARGS("info", slow, "--chart", "--ascii"), NULL, "0 ++--", true);
	check_output(ARGS("info", slow, "--chart"), ARGS("LC_ALL=C"), "0 ++--", true);
	check_output(ARGS("info", slow, "--chart"), ARGS("TERM=linux"), "0 ++--", true);
	check_output(ARGS("diff", slow, tape_file(), "--chart", "--ascii"), NULL, "a: ", true);
	folder_remove();
}

static void charts_are_saved_as_svg(void)
{
	const char *slow = slow_file(), *names[] = { "info", "diff", "stats" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *out = folder_file("out.svg", NULL), *second = i ? tape_file() : "--json";
		struct buf svg = { 0 };
		struct error err;
		struct program p;

		remove(out);
		run_tape(&p, ARGS(names[i], slow, second, "--svg", out));
		program_free(&p);
		CHECK(buf_read_file(&svg, out, &err), "%s", err.text);
		CHECK(str_starts(buf_str(&svg), "<svg xmlns=") && strstr(buf_z(&svg), "<path class="), "%s: %s", names[i], buf_z(&svg));
		buf_fini(&svg);
		CU_ASSERT_EQUAL(run_tape(&p, ARGS(names[i], slow, second, "--svg", out)), 2);
		CHECK(strstr(buf_z(&p.errors), "exists already: --force overwrites it") != NULL, "%s", buf_z(&p.errors));
		program_free(&p);
	}
	folder_remove();
}

static void wrong_calls_are_usage_errors(void)
{
	static const char *const calls[][7] = {
		{ NULL }, { "melt", "x" }, { "info" }, { "cut", "x" }, { "cut", "x", "--from", "soon" }, { "diff", "x" }, { "join", "x" }, { "stats" },
		{ "info", "absent.tape" }, { "convert", "absent.tape" }, { "stats", "absent.tape" },
		{ "info", "x", "--to", "5" }, { "scrub", "x", "--json" }, { "join", "x", "y", "--svg", "z" }, { "cut", "x", "--from", "5", "--to", "1" },
	};
	struct program p;

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		CHECK(run_tape(&p, calls[i]) == 2, "%zu: %d", i, p.status);
		CHECK(p.errors.len && !p.output.len, "%zu: %s", i, buf_z(&p.errors));
		program_free(&p);
	}
	folder_remove();
}

#define RAN \
	"{\"t\":420,\"run\":1,\"call\":0,\"id\":\"call_acme\",\"name\":\"acme\",\"origin\":\"mcp acme\",\"arguments\":\"{\\\"acme\\\":\\\"Ann\\\"}\"}\n" \
	"{\"t\":430,\"mcp\":\"acme\",\"out\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":7,\\\"method\\\":\\\"tools/call\\\",\\\"acme\\\":1,\\\"params\\\":{\\\"acme\\\":\\\"Ann\\\"}}\"}\n" \
	"{\"t\":440,\"mcp\":\"acme\",\"in\":\"Ann says {\"}\n" \
	"{\"t\":450,\"mcp\":\"acme\",\"in\":\"{\\\"jsonrpc\\\":\\\"Ann\\\",\\\"id\\\":\\\"acme\\\",\\\"method\\\":\\\"acme/Ann\\\"}\"}\n" \
	"{\"t\":455,\"mcp\":\"acme\",\"in\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":{\\\"acme\\\":\\\"Ann\\\"},\\\"method\\\":\\\"ping\\\"}\"}\n" \
	"{\"t\":460,\"run\":1,\"from\":\"errors\",\"b64\":\"QW5u/w==\"}\n" \
	"{\"t\":470,\"run\":1,\"state\":\"ok\",\"ms\":50,\"result\":\"Ann is 42\"}\n"

/* What stands behind the end is scrubbed, cut and joined with the rest; other forms have not got it, and say so. */
static void what_ran_is_part_of_a_tape(void)
{
	char *ran = mem_dup_z(folder_file("ran.tape", TAPE RAN));
	const char *out = folder_file("out.tape", NULL);
	struct program p;

	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", ran)), 0);
	CHECK(strstr(buf_z(&p.output), "\nruns      1, 4 messages of MCP servers\n") && strstr(buf_z(&p.output), "ended after 410 ms"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", "--json", ran)), 0);
	CHECK(strstr(buf_z(&p.output), "\"frames\":5,") && strstr(buf_z(&p.output), "\"runs\":1,\"mcp_messages\":4}"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("scrub", ran)), 0);
	CHECK(!strstr(buf_z(&p.output), "acme") && !strstr(buf_z(&p.output), "Ann"), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":7,\\\"method\\\":\\\"tools/call\\\",\\\"params\\\":{"), "%s",
	      buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "\"in\":\"Xxx xxxx {\"") && strstr(buf_z(&p.output), "\"result\":\"Xxx xx 77\"}\n"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("cut", ran, "--from", "465", "-o", "-")), 0);
	CHECK(strstr(buf_z(&p.output), "}}\n{\"t\":410,\"end\":\"closed\"}\n{\"t\":420,\"run\":1,\"call\":0,") && !strstr(buf_z(&p.output), "\"mcp\"") &&
	      strstr(buf_z(&p.output), "\"state\":\"ok\""), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("cut", ran, "--to", "415", "-o", "-")), 0);
	CHECK(strstr(buf_z(&p.output), "\"end\"") && !strstr(buf_z(&p.output), "\"run\""), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("join", ran, ran, "-o", out)), 0);
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("info", out)), 0);
	CHECK(strstr(buf_z(&p.output), "\nruns      2, 8 messages of MCP servers\n") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", ran, "--to", "tape")), 0);
	CHECK(strstr(buf_z(&p.output), RAN) != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(run_tape(&p, ARGS("convert", ran, "--to", "body")), 0);
	CHECK(!strstr(buf_z(&p.output), "acme") && strstr(buf_z(&p.errors), "note: the tools that ran are left out: 7 lines that only a tape has"), "%s",
	      buf_z(&p.errors));
	program_free(&p);
	mem_free(ran);
	folder_remove();
}

const struct suite suite_tape_cli = { "tape_cli", (const struct test[]){
	TEST(info_says_what_a_tape_holds), TEST(cut_keeps_the_frames_of_a_time), TEST(the_timings_of_the_connection_are_kept), TEST(cut_does_not_break_a_frame), TEST(join_puts_one_behind_the_other),
	TEST(join_refuses_what_does_not_fit), TEST(scrub_keeps_the_shape_only),
	TEST(scrub_tells_nothing_around_the_body), TEST(convert_gives_other_forms), TEST(a_cast_holds_no_control_characters_of_the_server),
	TEST(diff_compares_deltas), TEST(diff_leaves_out_what_is_ignored), TEST(each_verb_has_a_help_of_its_own),
	TEST(stats_sum_up_a_folder), TEST(charts_are_drawn_when_wanted), TEST(charts_are_ascii_where_it_has_to_be), TEST(charts_are_saved_as_svg),
	TEST(a_tape_comes_back_from_a_har), TEST(a_har_is_a_saved_stream), TEST(events_come_back_as_a_tape), TEST(what_is_no_stream_says_why),
	TEST(wrong_calls_are_usage_errors), TEST(what_ran_is_part_of_a_tape), { 0 },
} };
