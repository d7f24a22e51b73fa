/*
 * The official SDKs of OpenAI, Anthropic, Google and Ollama read what `weir serve` sends as `weir decode` reads the tape. They are run by
 * the scripts of tests/sdk. Skipped without node or the packages, which `make sdk` installs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/program.h"
#include "base/array.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "support/check.h"
#include "support/members.h"

#define NOT_INSTALLED 77
#define NO_NODE 127

static const struct sdk {
	const char *protocol, *script, *kind;
	const char *folder;          /* of the tapes of that protocol; NULL: ours are too short for the SDK, which reads all of the last event */
	const char *refusal;         /* one of tests/streams/errors, and its status */
	int status;
} sdks[] = {
	{ "openai-chat", "openai", "chat", "openai-chat", "openai-400.json", 400 },
	{ "openai-responses", "openai", "responses", NULL, "responses-400.json", 400 },
	{ "anthropic", "anthropic", "messages", "anthropic", "anthropic-529.json", 529 },
	{ "gemini", "google", "generate", "gemini", "gemini-400.json", 400 },
	{ "ollama", "ollama", "chat", "ollama", "ollama-404.json", 404 },
};

/* Text, reasoning, calls, parallel calls, a call without arguments, usage, an answer at its limit, an error. */
static const char *const streams[] = {
	"openai-chat/aivene-lifecycle.sse", "openai-chat/aivene-reasoning-content.sse", "openai-chat/sansa-tool.sse",
	"openai-chat/chuizi-usage-last-chunk.sse", "openai-chat/opentoken-usage.sse", "openai-chat/sansa-length.sse",
	"openai-chat/sansa-error.sse", "openai-responses/text.sse", "openai-responses/reasoning-summary.sse",
	"openai-responses/calls-parallel.sse", "openai-responses/incomplete-max-output-tokens.sse", "openai-responses/failed.sse",
	"anthropic/text-ping.sse", "anthropic/thinking-signature.sse", "anthropic/tool-two.sse", "anthropic/tool-no-args.sse",
	"anthropic/usage-cache.sse", "anthropic/finish-max-tokens.sse", "anthropic/error-overloaded.sse", "gemini/text.sse",
	"gemini/thoughts.sse", "gemini/calls-parallel.sse", "gemini/finish-length.sse", "gemini/error-data.sse", "ollama/text.ndjson",
	"ollama/thinking.ndjson", "ollama/tools-two-lines.ndjson", "ollama/length.ndjson", "ollama/error-line.ndjson",
};

/* Paths below tests/streams, ended by NULL; `folder` NULL: of all. */
struct chosen { const char *names[ARRAY_LEN(streams) + 1]; size_t count; };

static struct chosen choose(const char *folder)
{
	struct chosen chosen = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(streams); i++)
		if (!folder || (str_starts(str_from(streams[i]), folder) && streams[i][strlen(folder)] == '/'))
			chosen.names[chosen.count++] = streams[i];
	return chosen;
}

static void write_calls(struct json_writer *w, const struct json *calls)
{
	json_key(w, "tool_calls");
	json_open_array(w);
	for (size_t i = 0; i < json_length(calls); i++) {
		struct buf arguments = { 0 };

		json_scan_compact(json_get_text(json_at(calls, i), "arguments"), &arguments);
		json_open_object(w);
		json_member_string(w, "name", json_get_text(json_at(calls, i), "name"));
		json_member_string(w, "arguments", buf_str(&arguments));
		json_close_object(w);
		buf_fini(&arguments);
	}
	json_close_array(w);
}

static void write_usage(struct json_writer *w, const struct json *usage)
{
	static const char *const figures[] = { "prompt_tokens", "completion_tokens" };

	if (json_kind(usage) != JSON_OBJECT)
		return;
	json_key(w, "usage");
	json_open_object(w);
	for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
		int64_t number;

		if (json_count(json_get(usage, figures[i]), &number))
			json_member_integer(w, figures[i], number);
	}
	json_close_object(w);
}

/* The members that an SDK must give, of a summary. With `whole` an error is all that it gets. */
static void write_expected(struct buf *out, struct str summary, bool whole)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *value = json_parse(parser, summary, &used);
	bool failed = str_is(json_get_text(value, "outcome"), "error");
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_string(&w, "text", failed && whole ? STR("") : json_get_text(value, "text"));
	json_key(&w, "error");
	if (failed) {
		json_open_object(&w);
		json_close_object(&w);
	} else {
		json_null(&w);
		json_member_string(&w, "reasoning", json_get_text(value, "reasoning"));
		write_calls(&w, json_get(value, "tool_calls"));
		write_usage(&w, json_get(value, "usage"));
	}
	json_close_object(&w);
	json_parser_free(parser);
}

/* What decode makes of a stream must be what the SDK made of it. */
static void check_answer(const struct sdk *sdk, const char *name, bool whole, struct str line)
{
	struct buf expected = { 0 };
	struct program decode;
	char path[200];

	snprintf(path, sizeof path, "tests/streams/%s", name);
	program_run(&decode, STR_NONE, ARGS("decode", "--summary", path), NULL);
	write_expected(&expected, buf_str(&decode.output), whole);
	CHECK_MEMBERS(line, buf_str(&expected), "%s %s%s", sdk->protocol, name, whole ? " whole" : "");
	buf_fini(&expected);
	program_free(&decode);
}

/* Runs a script; false if node or the package is not there, which is reported. */
static bool run_script(struct program *node, const struct sdk *sdk, const char *url, const char *kind, size_t count, bool whole)
{
	char script[64], number[24], folder[600];
	const char *packages = getenv("WEIR_SDK");

	snprintf(script, sizeof script, "tests/sdk/%s.mjs", sdk->script);
	snprintf(number, sizeof number, "%zu", count);
	snprintf(folder, sizeof folder, "WEIR_SDK=%s", packages ? packages : "");
	program_start_script(node, "exec node \"$@\"", ARGS(script, url, kind, number, whole ? "whole" : "stream"), ARGS(folder));
	program_end_input(node);
	int status = program_wait(node);
	if (status == NO_NODE || status == NOT_INSTALLED) {
		check_skip(status == NO_NODE ? "node is not installed" : "the SDKs are not installed (make sdk)");
		return false;
	}
	CHECK(status == 0, "%s: %s", script, buf_z(&node->errors));
	return true;
}

/* Serves the streams to the SDK, one after the other; `as` NULL: as they are. False: skipped. */
static bool check_sdk(const struct sdk *sdk, const struct chosen *chosen, const char *as, bool whole)
{
	const char *args[ARRAY_LEN(streams) + 8] = { "--speed", "max" };
	char paths[ARRAY_LEN(streams)][120], url[64];
	size_t count = 2, answered = 0;
	struct program server, node;
	struct str rest, line;

	if (as) {
		args[count++] = "--as";
		args[count++] = as;
	}
	for (size_t i = 0; i < chosen->count; i++) {
		snprintf(paths[i], sizeof paths[i], "tests/streams/%s", chosen->names[i]);
		args[count++] = paths[i];
	}
	program_serve(&server, url, args);
	bool ran = run_script(&node, sdk, url, sdk->kind, chosen->count, whole);
	rest = buf_str(&node.output);
	for (; ran && answered < chosen->count && str_split(&rest, '\n', &line); answered++)
		check_answer(sdk, chosen->names[answered], whole, line);
	CHECK(!ran || answered == chosen->count, "%s: %zu answers of %zu", sdk->protocol, answered, chosen->count);
	program_free(&node);
	program_free(&server);
	folder_remove();
	return ran;
}

static void streams_are_read_as_they_are(void)
{
	for (size_t i = 0; i < ARRAY_LEN(sdks); i++) {
		struct chosen chosen = choose(sdks[i].folder);

		if (sdks[i].folder && !check_sdk(&sdks[i], &chosen, NULL, false))
			return;
	}
}

static void streams_are_read_in_another_protocol(void)
{
	struct chosen all = choose(NULL);

	for (size_t i = 0; i < ARRAY_LEN(sdks); i++)
		if (!check_sdk(&sdks[i], &all, sdks[i].protocol, false))
			return;
}

static void bodies_are_read_in_the_protocol_of_the_request(void)
{
	struct chosen all = choose(NULL);

	for (size_t i = 0; i < ARRAY_LEN(sdks); i++)
		if (!check_sdk(&sdks[i], &all, "auto", true))
			return;
}

static void refusals_are_errors_with_their_status(void)
{
	for (size_t i = 0; i < ARRAY_LEN(sdks); i++) {
		struct program server, node;
		char fault[32], path[100], url[64], expected[80];

		snprintf(fault, sizeof fault, "status=%d", sdks[i].status);
		snprintf(path, sizeof path, "tests/streams/errors/%s", sdks[i].refusal);
		snprintf(expected, sizeof expected, "{\"text\":\"\",\"error\":{\"status\":%d}}", sdks[i].status);
		program_serve(&server, url, ARGS("--fault", fault, path));
		bool ran = run_script(&node, &sdks[i], url, sdks[i].kind, 1, false);
		if (ran)
			CHECK_MEMBERS(buf_str(&node.output), str_from(expected), "%s", sdks[i].protocol);
		program_free(&node);
		program_free(&server);
		folder_remove();
		if (!ran)
			return;
	}
}

static void models_are_listed(void)
{
	static const char tape[] = "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"%s\"}\n{\"t\":1,\"body\":\"data: [DONE]\\n\\n\"}\n";

	for (size_t i = 0; i < ARRAY_LEN(sdks); i++) {
		struct program server, node;
		char one[200], two[200], url[64];

		if (i && !strcmp(sdks[i].script, sdks[i - 1].script))
			continue;
		snprintf(one, sizeof one, tape, "m-1");
		snprintf(two, sizeof two, tape, "vendor/m-2");
		program_serve(&server, url, ARGS("--as", "auto", folder_file("1.tape", one), folder_file("2.tape", two)));
		bool ran = run_script(&node, &sdks[i], url, "models", 1, false);
		if (ran)
			CHECK_MEMBERS(buf_str(&node.output), STR("{\"text\":\"m-1\\nvendor/m-2\\n\",\"error\":null}"), "%s", sdks[i].script);
		program_free(&node);
		program_free(&server);
		folder_remove();
		if (!ran)
			return;
	}
}

const struct suite suite_sdk = { "sdk", (const struct test[]){
	TEST(streams_are_read_as_they_are), TEST(streams_are_read_in_another_protocol), TEST(bodies_are_read_in_the_protocol_of_the_request),
	TEST(refusals_are_errors_with_their_status), TEST(models_are_listed), { 0 } } };
