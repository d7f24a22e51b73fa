/* `weir probe`, against the demo and against servers with planted faults: each fault is named in its cell. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/probe/probe_cases.h"
#include "app/program.h"
#include "base/json.h"
#include "support/check.h"
#include "support/hand.h"

#define HEAD "\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m-1\""
#define CHUNK(delta, finish) "data: {" HEAD ",\"choices\":[{\"index\":0,\"delta\":" delta ",\"finish_reason\":" finish "}]}\n\n"
#define USAGE "data: {" HEAD ",\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3,\"total_tokens\":15}}\n\n"
#define DONE "data: [DONE]\n\n"
#define BEGIN CHUNK("{\"role\":\"assistant\",\"content\":\"\"}", "null")
#define SAID(text, finish) BEGIN CHUNK("{\"content\":\"" text "\"}", "null") CHUNK("{}", "\"" finish "\"")
#define TEXT(text) SAID(text, "stop") USAGE DONE
#define CALL(index, name, arguments) CHUNK("{\"tool_calls\":[{\"index\":" index ",\"id\":\"call_" index "\",\"type\":\"function\"," \
	"\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}]}", "null")
#define CALLED(calls) BEGIN calls CHUNK("{}", "\"tool_calls\"") USAGE DONE
#define WEATHER(index) CALL(index, "get_weather", "{\\\"city\\\":\\\"Tokyo\\\"}")
#define ERROR(code) "{\"error\":{\"message\":\"it is so\",\"type\":\"invalid_request_error\",\"code\":\"" code "\"}}"

/* One case, one answer. `sent`: in the body of the request; with '!' before it, not in it. `status` 0: 200. */
static const struct planted {
	const char *name;
	int status;
	const char *answer;
	const char *cell, *reason; /* in the table, and below it; NULL: nothing is */
	const char *sent;
} planted[] = {
	{ "text", 0, TEXT("Hello."), "as promised", NULL, "!stream_options" },
	{ "text", 0, SAID("Hello.", "stop"), "1 finding", "no-done (breaks the promise)", NULL },
	{ "text", 0, BEGIN CHUNK("{\"content\":\"Hel", "null"), "failed", "text: failed", NULL },
	{ "text", 0, SAID("", "stop") USAGE DONE, "failed", "no text came", NULL },
	{ "text", 500, ERROR("server_error"), "failed", "status 500: it is so", NULL },
	{ "usage", 0, TEXT("Hello."), "as promised", NULL, "\"stream_options\":{\"include_usage\":true}" },
	{ "usage", 0, SAID("Hello.", "stop") DONE, "failed", "no prompt tokens were reported", NULL },
	{ "usage", 0, SAID("Hello.", "stop") "data: {" HEAD ",\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3,\"total_tokens\":20}}\n\n" DONE,
	  "1 finding", "usage-sum (breaks the promise)", NULL },
	{ "reasoning", 0, BEGIN CHUNK("{\"reasoning_content\":\"So.\"}", "null") CHUNK("{\"content\":\"0.05\"}", "null") CHUNK("{}", "\"stop\"") USAGE DONE,
	  "as promised", NULL, "\"reasoning_effort\":\"low\"" },
	{ "reasoning", 0, TEXT("0.05"), "not offered", "the answer has no reasoning", NULL },
	{ "call", 0, CALLED(WEATHER("0")), "as promised", NULL, "\"name\":\"get_weather\"" },
	{ "call", 0, TEXT("It is warm."), "failed", "no call came", NULL },
	{ "call", 0, CALLED(CALL("0", "get_weather", "{\\\"city\\\":")), "failed", "are not a JSON object", NULL },
	{ "call", 0, CALLED(CALL("0", "rm_rf", "{}")), "failed", "a call of 'rm_rf', which was not offered", NULL },
	{ "call", 400, ERROR("tools"), "failed", "status 400: it is so", NULL },
	{ "result", 0, TEXT("18 degrees."), "as promised", NULL, "\"tool_call_id\":\"call_weir_1\"" },
	{ "parallel", 0, CALLED(WEATHER("0") CALL("1", "find_trains", "{}")), "as promised", NULL, "\"name\":\"find_trains\"" },
	{ "parallel", 0, CALLED(WEATHER("0")), "not offered", "one call came, not two", NULL },
	{ "parallel", 0, CALLED(WEATHER("0") CALL("0", "find_trains", "{}")), "3 findings", "3 findings\n    call-name-repeated (breaks clients)", NULL },
	{ "schema", 0, TEXT("{\\\"city\\\":\\\"Rome\\\",\\\"inhabitants\\\":2800000}"), "as promised", NULL, "\"type\":\"json_schema\"" },
	{ "schema", 0, TEXT("{\\\"city\\\":\\\"Rome\\\"}"), "failed", "does not follow the schema", NULL },
	{ "schema", 400, ERROR("response_format"), "not offered", "status 400: it is so", NULL },
	{ "length", 0, SAID("one two", "length") USAGE DONE, "as promised", NULL, "\"max_tokens\":16" },
	{ "length", 0, TEXT("one two"), "failed", "the answer ended as complete", NULL },
	{ "stop", 0, TEXT("alpha, bravo, "), "as promised", NULL, "\"stop\":[\"charlie\"]" },
	{ "stop", 0, TEXT("alpha, bravo, charlie, delta"), "failed", "has the stop sequence \"charlie\"", NULL },
	{ "stop", 0, TEXT("Hm."), "failed", "the words before the stop sequence", NULL },
	{ "system", 0, TEXT("Heron."), "as promised", NULL, "The code word is heron" },
	{ "system", 0, TEXT("I do not know."), "failed", "\"heron\" of the system prompt", NULL },
	{ "long-prompt", 0, TEXT("heron"), "as promised", NULL, "The river runs past" },
	{ "long-prompt", 0, TEXT("sea"), "failed", "\"heron\" of the prompt", NULL },
	{ "bad-key", 401, ERROR("invalid_api_key"), "as promised", NULL, NULL },
	{ "bad-key", 404, ERROR("not_found"), "findings", "status 404 for a wrong key; 401 is usual", NULL },
	{ "bad-key", 500, ERROR("server_error"), "failed", "status 500 for a wrong key", NULL },
	{ "bad-key", 0, TEXT("Hello."), "failed", "answers with a wrong key", NULL },
	{ "bad-key", 401, "{\"detail\":\"no\"}", "1 finding", "error-message (breaks clients)", NULL },
	{ "bad-model", 404, ERROR("model_not_found"), "as promised", NULL, "\"model\":\"weir-probe-no-such-model\"" },
	{ "bad-model", 0, TEXT("Hello."), "failed", "answers with an unknown model", NULL },
};

/* The provider takes a key, which no output has. */
static void start(struct program *p, const struct hand *hand, const char *const *more)
{
	const char *args[20] = { "probe", "-p", "hand", "--protocol", "openai-chat", "--yes", "--config",
		folder_file("weir.conf", hand_settings(hand, "auth = bearer\nkey_env = HAND_KEY\n")) };
	char state[300];
	size_t count = 8;

	snprintf(state, sizeof state, "XDG_STATE_HOME=%s", folder_path());
	while (*more)
		args[count++] = *more++;
	program_start(p, args, ARGS("HAND_KEY=the-real-key", state));
	program_end_input(p);
}

static bool says(const struct program *p, const char *words)
{
	return strstr(buf_z(&p->output), words) != NULL;
}

static void check_planted(const struct planted *c)
{
	bool clean = !strcmp(c->cell, "as promised") || !strcmp(c->cell, "not offered");
	const char *type = c->status ? "application/json" : "text/event-stream";
	struct hand *hand = hand_new();
	char row[100];
	struct program p;

	start(&p, hand, ARGS("--cases", c->name));
	if (hand_accept(hand)) {
		bool wrong_key = strstr(hand_head(hand), "Bearer " PROBE_WRONG_KEY) != NULL;

		CHECK(wrong_key == !strcmp(c->name, "bad-key") && wrong_key == !strstr(hand_head(hand), "the-real-key"), "%s", c->name);
		if (c->sent)
			CHECK((strstr(hand_body(hand), c->sent + (*c->sent == '!')) != NULL) == (*c->sent != '!'), "%s: %s", c->name, hand_body(hand));
		hand_reply(hand, c->status ? c->status : 200, type, c->answer);
	}
	CHECK(program_wait(&p) == (clean ? 0 : 1), "%s, %s: exit %d", c->name, c->cell, p.status);
	snprintf(row, sizeof row, "%-11s  %s", c->name, c->cell);
	CHECK(says(&p, row) && (!c->reason || says(&p, c->reason)), "%s, %s, %s: %s%s", c->name, c->cell,
	      c->reason ? c->reason : "", buf_z(&p.output), buf_z(&p.errors));
	CHECK(!says(&p, "the-real-key") && !strstr(buf_z(&p.errors), "the-real-key"), "%s", c->name);
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

static void planted_faults_are_named_in_their_cell(void)
{
	for (size_t i = 0; i < sizeof planted / sizeof *planted; i++)
		check_planted(&planted[i]);
}

static void the_demo_keeps_its_promises(void)
{
	struct program p;

	CHECK(program_run(&p, STR_NONE, ARGS("probe", "-p", "demo", "--yes"), NULL) == 0, "%s%s", buf_z(&p.output), buf_z(&p.errors));
	CHECK(says(&p, "\n69 as promised, 6 not offered\n"), "%s", buf_z(&p.output));
	program_free(&p);
}

const struct suite suite_probe = { "probe", (const struct test[]){
	TEST(planted_faults_are_named_in_their_cell), TEST(the_demo_keeps_its_promises), { 0 } } };
