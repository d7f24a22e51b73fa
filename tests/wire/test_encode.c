/*
 * The encoders are the inverse of the decoders (wire/encoded.h): of the demo's answers, and of turns that a guard makes of random
 * calls. What the saved streams and the scripted cases decode to is encoded in test_corpus.c and test_stream.c.
 */
#include <glob.h>
#include <stdio.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "wire/encoded.h"
#include "support/check.h"
#include "support/golden.h"
#include "wire/part.h"
#include "wire/stream.h"

#define TURNS 2000

static struct str pick(unsigned *seed, const char *const *texts, size_t count)
{
	return str_from(texts[check_random(seed) % count]);
}

static bool chance(unsigned *seed, unsigned of)
{
	return check_random(seed) % of == 0;
}

/* A turn under way. */
struct turn {
	struct guard *guard;
	unsigned seed, keys;
	const struct protocol *words;
	bool refused;
	bool has_ids; /* of server tools; without them Gemini's results are in the order of the calls */
};

static struct str words(struct turn *t)
{
	static const char *const texts[] = {
		"word", " and \"quotes\"", "\n\ndata: {\n", "\\back\\slash", "caf\xC3\xA9 \xF0\x9F\x8C\x8A", "\x01\x7F\t", "<think>", "{\"a\":1}", "'",
	};
	struct str text = pick(&t->seed, texts, ARRAY_LEN(texts));

	return guard_has_text(t->guard) ? text : STR("First");
}

static unsigned key(struct turn *t)
{
	return chance(&t->seed, 3) || !t->keys ? ++t->keys : t->keys - check_random(&t->seed) % (t->keys < 3 ? t->keys : 3);
}

/* What was held for a <think> has no part yet. */
static void sign(struct turn *t, enum delta_kind kind, unsigned number, const char *format, struct str data)
{
	unsigned part = guard_part(t->guard, kind, number);

	if (part != GUARD_NEW_PART)
		guard_opaque(t->guard, part, -1, format, data);
}

static void say_text(struct turn *t)
{
	guard_text(t->guard, key(t), words(t));
	if (!chance(&t->seed, 4))
		return;
	guard_text(t->guard, ++t->keys, STR("signed words"));
	sign(t, DELTA_TEXT, t->keys, OPAQUE_GEMINI_SIGNATURE, STR("c2ln"));
}

static void say_reasoning(struct turn *t)
{
	unsigned number = key(t);

	if (chance(&t->seed, 4))
		guard_reasoning(t->guard, number, STR("\n"));
	guard_reasoning(t->guard, number, words(t));
	if (chance(&t->seed, 3))
		sign(t, DELTA_REASONING, number, OPAQUE_ANTHROPIC_SIGNATURE, STR("c2ln+/="));
	if (chance(&t->seed, 3)) {
		guard_reasoning(t->guard, ++t->keys, STR("summed up"));
		sign(t, DELTA_REASONING, t->keys, OPAQUE_RESPONSES_ITEM,
		     STR("{\"type\":\"reasoning\",\"id\":\"rs_a\",\"encrypted_content\":\"eA==\","
		         "\"summary\":[{\"type\":\"summary_text\",\"text\":\"summed up\"}]}"));
	}
}

static void say_refusal(struct turn *t)
{
	guard_refusal(t->guard, key(t), STR("I will \"not\".")); /* as text it must be no <think> */
	t->refused = true;
}

static void begin_call(struct turn *t)
{
	static const char *const names[] = { "get_weather", "f", "", "find" };
	char id[16];

	snprintf(id, sizeof id, "c%zu", guard_tool_count(t->guard));
	guard_tool_begin(t->guard, chance(&t->seed, 4) ? STR_NONE : str_from(id), pick(&t->seed, names, ARRAY_LEN(names)));
}

/* An open call, or GUARD_NEW_PART. */
static unsigned some_call(struct turn *t)
{
	unsigned count = (unsigned)guard_tool_count(t->guard), first = count ? check_random(&t->seed) % count : 0;

	for (unsigned i = 0; i < count; i++)
		if (guard_tool_open(t->guard, (first + i) % count))
			return (first + i) % count;
	return GUARD_NEW_PART;
}

static void name_call(struct turn *t)
{
	unsigned call = some_call(t);
	char id[16];

	if (call == GUARD_NEW_PART)
		return;
	struct str name = guard_tool_name_of(t->guard, call);
	snprintf(id, sizeof id, "c%u", call);
	guard_tool_name(t->guard, call, guard_tool_id(t->guard, call).len ? STR_NONE : str_from(id), name.len ? STR_NONE : STR("late"));
}

static void add_arguments(struct turn *t)
{
	static const char *const pieces[] = {
		"{\"a\": [1, 2.50, \"x\\ny\"],", " \"b\": {\n\"c\": null}}", "{\"city\": \"caf\xC3\xA9\"}", "{}", " ",
	};
	unsigned call = some_call(t);

	if (call != GUARD_NEW_PART && !guard_tool_whole(t->guard, call))
		guard_tool_arguments(t->guard, call, pick(&t->seed, pieces, ARRAY_LEN(pieces)));
}

static void end_call(struct turn *t)
{
	unsigned call = some_call(t);

	if (call != GUARD_NEW_PART)
		guard_tool_end(t->guard, call);
}

static void sign_call(struct turn *t)
{
	unsigned newest = (unsigned)guard_tool_count(t->guard) - 1;

	if (newest == GUARD_NEW_PART || !guard_tool_open(t->guard, newest) || guard_tool_text(t->guard, newest).len)
		return;
	guard_opaque(t->guard, GUARD_NEW_PART, (int)newest, OPAQUE_GEMINI_SIGNATURE, STR("Y2FsbA=="));
	guard_opaque(t->guard, GUARD_NEW_PART, (int)newest, OPAQUE_EXTRA_CONTENT, STR("{\"google\":{\"thought_signature\":\"Yg==\"}}"));
}

static void add_item(struct turn *t)
{
	static const struct { const char *format, *data; } items[] = {
		{ OPAQUE_ANTHROPIC_REDACTED, "cmVkYWN0ZWQ=" },
		{ OPAQUE_ANTHROPIC_BLOCK, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"c2ln\"}" },
		{ OPAQUE_GEMINI_PART, "{\"thoughtSignature\":\"bG9uZQ==\"}" },
		{ OPAQUE_RESPONSES_ITEM, "{\"type\":\"reasoning\",\"id\":\"rs_b\",\"encrypted_content\":\"eQ==\",\"summary\":[]}" },
		{ "of-nobody", "x" },
	};
	size_t i = check_random(&t->seed) % ARRAY_LEN(items);

	guard_opaque(t->guard, GUARD_NEW_PART, -1, items[i].format, str_from(items[i].data));
}

/* --- media, and what the server runs --- */

#define PNG "\x89PNG\r\n\x1a\n"

static void show_picture(struct turn *t)
{
	static const char *const pictures[] = { PNG "one", PNG "two", PNG "three", PNG "four" };
	struct media_facts facts = { .kind = MEDIA_IMAGE, .type = STR("image/png") };
	char id[16];

	snprintf(id, sizeof id, "m%u", ++t->keys);
	facts.id = chance(&t->seed, 2) ? str_from(id) : STR_NONE;
	unsigned item = guard_media_begin(t->guard, &facts);
	for (int64_t i = 0; i < 2 && chance(&t->seed, 2); i++)
		guard_media_partial(t->guard, item, i, STR(PNG "part"), NULL);
	if (chance(&t->seed, 5))
		guard_text(t->guard, key(t), words(t));
	guard_media_text(t->guard, item, STR("a \"boat\""));
	guard_media_picture(t->guard, item, pick(&t->seed, pictures, ARRAY_LEN(pictures)), NULL);
	guard_media_end(t->guard, item);
	if (chance(&t->seed, 2))
		guard_opaque(t->guard, guard_media_part(t->guard, item), -1, OPAQUE_GEMINI_SIGNATURE, STR("cGlj"));
}

static void sound(struct turn *t)
{
	static const char *const pieces[] = { "RIFF....WAVE", "x", "\x01\x02", "more" };
	unsigned item = guard_media_begin(t->guard, &(struct media_facts){ .kind = MEDIA_AUDIO, .type = STR("audio/wav") });

	for (unsigned left = check_random(&t->seed) % 4; left; left--) {
		guard_media_text(t->guard, item, STR("la \"la\" "));
		guard_media_piece(t->guard, item, pick(&t->seed, pieces, ARRAY_LEN(pieces)), NULL);
	}
	guard_media_complete(t->guard, item);
	guard_media_end(t->guard, item);
	guard_text(t->guard, ++t->keys, STR("so")); /* two that follow one another are one in Gemini */
}

static void run_tool(struct turn *t)
{
	static const char *const names[] = { "web_search", "code_interpreter", "code_execution", "bash_code_execution", "my_tool", "" };
	static const char *const outputs[] = { "1\n\"2\"\n", "", "[{\"url\": \"https://example.org\", \"n\": 1.50}]", "[{\"type\":\"text\",\"text\":\"x\"}]", "{}" };
	static const char *const inputs[] = { "print(\"", "\\n 1\")\n", "{\"query\": \"caf\xC3\xA9\"}" };
	bool has_id = t->has_ids;
	char id[16];

	snprintf(id, sizeof id, "s%zu", guard_server_tool_count(t->guard));
	unsigned tool = guard_server_tool_begin(t->guard, has_id ? str_from(id) : STR_NONE, pick(&t->seed, names, ARRAY_LEN(names)));
	for (unsigned left = check_random(&t->seed) % 3; left && !json_scan_is_whole(guard_server_tool_text(t->guard, tool)); left--)
		guard_server_tool_input(t->guard, tool, pick(&t->seed, inputs, ARRAY_LEN(inputs)));
	if (chance(&t->seed, 4))
		guard_text(t->guard, key(t), words(t));
	if (has_id && chance(&t->seed, 4))
		return; /* the guard ends it */
	guard_server_tool_output(t->guard, tool, pick(&t->seed, outputs, ARRAY_LEN(outputs)));
	guard_server_tool_state(t->guard, tool, has_id ? (enum server_tool_state)(check_random(&t->seed) % 3) : SERVER_TOOL_COMPLETED);
	guard_server_tool_end(t->guard, tool);
}

static void cite(struct turn *t)
{
	bool less = chance(&t->seed, 3);

	guard_citation(t->guard, STR("https://example.org/?a=\"b\""), less ? STR_NONE : STR("A title"), less ? STR_NONE : STR("cited words"));
}

static void count(struct turn *t)
{
	struct usage usage = { 0 };
	int64_t some = 1 + check_random(&t->seed) % 50;

	usage.of[USAGE_PROMPT] = (struct count)COUNT_SENT(some * 10);
	usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(some * 3);
	usage.of[USAGE_TOTAL] = (struct count)COUNT_SENT(some * 13);
	usage.of[USAGE_CACHED] = (struct count)COUNT_SENT(some);
	usage.of[USAGE_CACHE_WRITE] = (struct count)COUNT_SENT(some * 2);
	usage.of[USAGE_REASONING] = (struct count)COUNT_SENT(some * 2);
	guard_usage(t->guard, &usage, MONEY_UNKNOWN);
}

static void identify(struct turn *t)
{
	guard_identity(t->guard, STR("answer-1"), chance(&t->seed, 2) ? STR_NONE : STR("a/model"));
	guard_identity(t->guard, STR_NONE, STR("a/model"));
}

static void take_route(struct turn *t)
{
	struct route route = { (int)(check_random(&t->seed) % 3) - 1, chance(&t->seed, 3) ? STR_NONE : STR("m"), chance(&t->seed, 3) ? -1 : 12.5 };

	guard_route(t->guard, &route);
}

static void restart(struct turn *t)
{
	if (!chance(&t->seed, 6))
		return;
	for (unsigned i = 0; i < guard_server_tool_count(t->guard); i++)
		guard_server_tool_end(t->guard, i);
	guard_restart(t->guard);
	guard_identity(t->guard, STR("answer-2"), STR("another"));
}

static void (*const steps[])(struct turn *t) = {
	say_text, say_text, say_reasoning, say_refusal, begin_call, begin_call, name_call, add_arguments, add_arguments, add_arguments,
	end_call, sign_call, add_item, show_picture, sound, run_tool, run_tool, cite, count, take_route, restart,
};

static struct str finish_word(struct turn *t)
{
	static const struct { const struct protocol *protocol; const char *words[5]; } lists[] = {
		{ &protocol_openai_chat, { "stop", "length", "tool_calls", "content_filter", "eos" } },
		{ &protocol_openai_responses, { "completed", "max_output_tokens", "content_filter", "completed", "completed" } },
		{ &protocol_anthropic, { "end_turn", "max_tokens", "tool_use", "pause_turn", "refusal" } },
		{ &protocol_gemini, { "STOP", "MAX_TOKENS", "SAFETY", "RECITATION", "STOP" } },
		{ &protocol_ollama, { "stop", "length", "stop", "length", "stop" } },
	};
	size_t i = check_random(&t->seed) % (t->refused ? 2 : ARRAY_LEN(lists)); /* whose have refusals come first */

	t->words = lists[i].protocol;
	return pick(&t->seed, lists[i].words, 5);
}

static void end_turn(struct turn *t)
{
	static const enum end_how hows[] = { END_CLOSED, END_CUT, END_STALLED, END_CANCELLED };
	struct guard_ending ending = { .understood = true };

	if (!chance(&t->seed, 5))
		guard_finish(t->guard, finish_word(t));
	if (chance(&t->seed, 8))
		guard_error(t->guard, &(struct error_report){ .message = STR("It \"broke\"."), .type = STR("a_type"), .code = STR("a_code") });
	else if (!chance(&t->seed, 4))
		guard_done(t->guard);
	guard_end(t->guard, hows[check_random(&t->seed) % ARRAY_LEN(hows)], &ending);
}

static void random_turns(void)
{
	char what[32];

	for (unsigned i = 1; i <= TURNS; i++) {
		struct kept *kept = kept_new();
		struct turn t = { .guard = guard_new(kept_delta, kept), .seed = i, .has_ids = i % 2 };

		if (!chance(&t.seed, 6))
			identify(&t);
		for (unsigned left = check_random(&t.seed) % 16; left; left--)
			steps[check_random(&t.seed) % ARRAY_LEN(steps)](&t);
		end_turn(&t);
		snprintf(what, sizeof what, "turn %u", i);
		check_encoded(kept, t.words, what);
		guard_free(t.guard);
		kept_free(kept);
	}
}

/* --- the demo's answers, as far as they are lines of an answer --- */

static void take_line(struct guard *g, struct str line)
{
	struct str word = STR_NONE, name = STR_NONE;

	str_split(&line, ' ', &word);
	if (str_is(word, "text"))
		guard_text(g, GUARD_UNNUMBERED, line.len ? line : STR("\n"));
	else if (str_is(word, "reasoning"))
		guard_reasoning(g, GUARD_UNNUMBERED, line.len ? line : STR("\n"));
	else if (str_is(word, "refusal"))
		guard_refusal(g, GUARD_UNNUMBERED, line);
	if (!str_is(word, "call"))
		return;
	str_split(&line, ' ', &name);
	unsigned call = guard_tool_begin(g, STR_NONE, name);
	guard_tool_arguments(g, call, line);
	guard_tool_end(g, call);
}

static void take_script(const char *path)
{
	struct kept *kept = kept_new();
	struct guard *guard = guard_new(kept_delta, kept);
	struct buf text = { 0 };
	struct error err;
	struct str rest, line;

	CHECK(buf_read_file(&text, path, &err), "%s", err.text);
	rest = buf_str(&text);
	guard_identity(guard, STR("demo"), STR("demo-1"));
	while (str_split(&rest, '\n', &line))
		take_line(guard, line);
	guard_finish(guard, STR("stop"));
	guard_done(guard);
	guard_end(guard, END_CLOSED, &(struct guard_ending){ .understood = true });
	check_encoded(kept, &protocol_openai_chat, path);
	guard_free(guard);
	kept_free(kept);
	buf_fini(&text);
}

static void demo_scripts(void)
{
	glob_t found;
	int status = glob("src/app/demo/*.demo", 0, NULL, &found);

	CHECK(!status && found.gl_pathc > 10, "no scripts in src/app/demo (run from the top of the repository)");
	for (size_t i = 0; !status && i < found.gl_pathc; i++)
		take_script(found.gl_pathv[i]);
	globfree(&found);
}

/* --- the very bytes: what no decoder reads is there too --- */

static void take_turn(struct guard *g)
{
	struct usage usage = { .of = { [USAGE_PROMPT] = COUNT_SENT(20), [USAGE_COMPLETION] = COUNT_SENT(9), [USAGE_TOTAL] = COUNT_SENT(29),
		                       [USAGE_CACHED] = COUNT_SENT(4), [USAGE_REASONING] = COUNT_SENT(3) } };

	guard_identity(g, STR("answer-1"), STR("a-model"));
	guard_route(g, &(struct route){ 1, STR("another-model"), 41.5 });
	guard_usage(g, &usage, MONEY_UNKNOWN);
	guard_opaque(g, GUARD_NEW_PART, -1, OPAQUE_REASONING_CONTENT, STR(""));
	guard_reasoning(g, 0, STR("Why"));
	guard_opaque(g, guard_part(g, DELTA_REASONING, 0), -1, OPAQUE_ANTHROPIC_SIGNATURE, STR("c2ln"));
	guard_text(g, 0, STR("\"Here\"\n"));
	guard_citation(g, STR("https://example.org"), STR("A title"), STR("cited"));
	unsigned call = guard_tool_begin(g, STR("call-1"), STR("get_weather"));
	guard_opaque(g, GUARD_NEW_PART, (int)call, OPAQUE_GEMINI_SIGNATURE, STR("c2ln"));
	guard_tool_arguments(g, call, STR("{\"city\": "));
	guard_tool_arguments(g, call, STR("\"Oslo\"}"));
	guard_tool_end(g, call);
	guard_refusal(g, 0, STR("No."));
	usage.of[USAGE_COMPLETION] = (struct count)COUNT_SENT(12);
	usage.of[USAGE_TOTAL] = (struct count)COUNT_SENT(32);
	guard_usage(g, &usage, MONEY_UNKNOWN);
	guard_finish(g, STR("stop"));
	guard_done(g);
	guard_end(g, END_CLOSED, &(struct guard_ending){ .understood = true });
}

static void take_items(struct guard *g)
{
	guard_identity(g, STR("answer-1"), STR("a-model"));
	unsigned search = guard_server_tool_begin(g, STR_NONE, STR("web_search"));
	guard_server_tool_input(g, search, STR("{\"query\":"));
	guard_server_tool_input(g, search, STR("\"rain\"}"));
	guard_server_tool_output(g, search, STR("[{\"url\":\"https://example.org\",\"title\":\"Rain\"}]"));
	guard_server_tool_state(g, search, SERVER_TOOL_COMPLETED);
	guard_server_tool_end(g, search);
	for (int own = 0; own < 2; own++) {
		unsigned code = guard_server_tool_begin(g, own ? STR("s-3") : STR("s-2"), own ? STR("code_execution") : STR("code_interpreter"));
		guard_server_tool_input(g, code, STR("print(\"a\")"));
		guard_server_tool_output(g, code, STR("a\n"));
		guard_server_tool_state(g, code, own ? SERVER_TOOL_FAILED : SERVER_TOOL_COMPLETED);
		guard_server_tool_end(g, code);
	}
	unsigned picture = guard_media_begin(g, &(struct media_facts){ .kind = MEDIA_IMAGE, .type = STR("image/png") });
	guard_media_partial(g, picture, 0, STR(PNG "1"), NULL);
	guard_media_text(g, picture, STR("A boat"));
	guard_media_picture(g, picture, STR(PNG "2"), NULL);
	guard_media_end(g, picture);
	unsigned tune = guard_media_begin(g, &(struct media_facts){ .kind = MEDIA_AUDIO, .type = STR("audio/wav") });
	guard_media_text(g, tune, STR("La"));
	guard_media_piece(g, tune, STR("RIFF....WAVE"), NULL);
	guard_media_complete(g, tune);
	guard_media_end(g, tune);
	guard_finish(g, STR("stop"));
	guard_done(g);
	guard_end(g, END_CLOSED, &(struct guard_ending){ .understood = true });
}

/* A protocol with refusals needs no finish word for one. */
static void take_refusal(struct guard *g)
{
	guard_identity(g, STR("answer-1"), STR("a-model"));
	guard_refusal(g, 0, STR("No."));
	guard_finish(g, STR("stop"));
	guard_done(g);
	guard_end(g, END_CLOSED, &(struct guard_ending){ .understood = true });
}

static void take_error(struct guard *g)
{
	guard_identity(g, STR("answer-1"), STR("a-model"));
	guard_error(g, &(struct error_report){ STR("Too many."), STR("a_type"), STR("a_code"), 429 });
	guard_end(g, END_CLOSED, &(struct guard_ending){ .understood = true });
}

static void bytes_are_those_of_servers(void)
{
	static void (*const turns[])(struct guard *g) = { take_turn, take_refusal, take_error, take_items };
	const struct protocol *protocol;

	for (size_t i = 0; (protocol = protocol_at(i)); i++) {
		struct buf bytes = { 0 };
		char name[64];

		for (size_t form = 0; form < 2 * ARRAY_LEN(turns); form++) {
			struct encode_options options = { .protocol = protocol, .created = 1767225600, .whole = form % 2 };
			struct encoder *encoder = encoder_new(&options, &bytes);
			struct guard *guard = guard_new(encoder_delta, encoder);

			turns[form / 2](guard);
			buf_add_z(&bytes, "\n----\n");
			guard_free(guard);
			encoder_free(encoder);
		}
		snprintf(name, sizeof name, "encode-%s", protocol->name);
		golden_check(name, buf_str(&bytes));
		buf_fini(&bytes);
	}
}

static void ignore_delta(void *ctx, const struct delta *d)
{
	(void)ctx, (void)d;
}

/* Otherwise `weir decode` and `weir replay` take a file of this protocol for another one's. */
static void each_protocol_is_detected(void)
{
	const struct protocol *protocol;

	for (size_t i = 0; (protocol = protocol_at(i)); i++) {
		for (int whole = 0; whole < 2; whole++) {
			struct buf bytes = { 0 };
			struct encoder *encoder = encoder_new(&(struct encode_options){ .protocol = protocol, .whole = whole }, &bytes);
			struct guard *guard = guard_new(encoder_delta, encoder);
			struct stream *stream = stream_new(&(struct stream_options){ 0 }, ignore_delta, NULL);

			take_turn(guard);
			stream_body(stream, buf_str(&bytes), 0);
			stream_end(stream, END_CLOSED, 0);
			const struct protocol *detected = stream_protocol(stream);
			CHECK(detected == protocol, "%s%s is detected as %s", protocol->name, whole ? ", whole," : "", detected ? detected->name : "nothing");
			stream_free(stream);
			guard_free(guard);
			encoder_free(encoder);
			buf_fini(&bytes);
		}
	}
}

const struct suite suite_encode = { "encode", (const struct test[]){
	TEST(random_turns), TEST(demo_scripts), TEST(bytes_are_those_of_servers), TEST(each_protocol_is_detected), { 0 },
} };
