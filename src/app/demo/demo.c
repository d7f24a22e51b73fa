#include "app/demo/demo.h"

#include <assert.h>
#include <string.h>

#include "app/demo/demo_ask.h"
#include "app/demo/demo_schema.h"
#include "app/demo/demo_tell.h"
#include "base/array.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/names.h"
#include "store/config/tools.h"

#define GIVEN_LIMIT ((size_t)8 << 10)  /* how many bytes of a tool result or an example an answer repeats */
#define NO_MODEL "no-such-model" /* the end of the only names that are refused */
#define SPELLED "alpha, bravo, charlie, delta, echo." /* cut at the stop sequence */
#define BUSY_REFUSALS 2               /* refusals before the "busy" answer succeeds */
#define GIVEN_TAPES 64                 /* how many tapes are made for requests with results or examples; later answers omit those */

/* The scripts, from src/app/demo/NAME.demo (src/app/demo.mk). */
static const struct { const char *name, *source; } scripts[] = {
#include "demo.inc"
};

/*
 * X(ID, script, words, help, also): selects the first row one of whose words occurs in the prompt; help does not list the words in
 * `also`. Rows without words come first: they are selected by the kind of request.
 */
#define ANSWERS(X) \
	X(DEFAULT, "default", NULL, NULL, NULL) \
	X(RESULT, "result", NULL, NULL, NULL) \
	X(SCHEMA, "schema", NULL, NULL, NULL) \
	X(RECOVERED, "recovered", NULL, NULL, NULL) \
	X(CONTINUED, "continued", NULL, NULL, NULL) \
	X(NO_MODEL, "no_model", NULL, NULL, NULL) \
	X(CODE_WORD, "code_word", NULL, NULL, NULL) \
	X(STOP, "stop", NULL, NULL, NULL) \
	X(NAMED, "named", NULL, NULL, NULL) \
	X(LONG, "long", "long, markdown", "a long answer with everything that markdown has", NULL) \
	X(CLOCK, "clock", "what time", "a tool that weir runs when you allow it: the clock", "the time") \
	X(PARALLEL, "parallel", "two tools, parallel", "two tool calls in one answer", "both tools") \
	X(TOOL, "tool", "tool, weather", "one tool call; its result goes back in the next request", NULL) \
	X(REASONING, "reasoning", "reason, think", "reasoning first, then the answer", NULL) \
	X(IMAGE, "image", "draw, paint", "a picture that the model makes, in three steps", "boat") \
	X(AUDIO, "audio", "sound, tune", "a sound with its transcript", NULL) \
	X(SEARCH, "search", "search the web", "a web search by the server, and its pages", "web search") \
	X(CODE, "code", "run code", "code that the server runs, and what it prints", "primes") \
	X(ERROR, "error", "fail, error", "an error in the middle of the stream", NULL) \
	X(CUT, "cut", "cut", "a connection that breaks off", NULL) \
	X(STALL, "stall", "stall", "a server that falls silent", NULL) \
	X(BUSY, "busy", "busy", "a server that refuses twice and then answers", NULL) \
	X(ROUTE, "route", "route", "a routed answer: the model behind it, and what the choice took", NULL) \
	X(REFUSAL, "refusal", "refuse, refusal", "a refusal", NULL) \
	X(LIMIT, "limit", "limit", "an answer that ends at the token limit", NULL) \
	X(UNICODE, "unicode", "unicode, emoji, chinese", "Chinese, Japanese and emoji", "japanese, utf-8") \
	X(JSON, "json", "json", "an answer that is JSON", NULL) \
	X(UNAUTHORIZED, "unauthorized", "401", "an HTTP error instead of a stream", NULL)

#define ANSWER_ID(id, script, words, help, also) ANSWER_##id,
enum answer { ANSWERS(ANSWER_ID) ANSWER_COUNT };
#undef ANSWER_ID
#define ANSWER_FIRST_WORDS (ANSWER_NAMED + 1)

#define ANSWER_ROW(id, script, words, help, also) [ANSWER_##id] = { script, { words, help }, also },
static const struct {
	const char *script;
	struct demo_help help;
	const char *also;
} answers[] = { ANSWERS(ANSWER_ROW) };
#undef ANSWER_ROW

static const char *const models[] = { DEMO_MODEL, "demo-thinking", "demo-router" };

const char *demo_model_at(size_t index)
{
	return index < ARRAY_LEN(models) ? models[index] : NULL;
}
enum { MODEL_PLAIN, MODEL_THINKING, MODEL_ROUTER, MODEL_COUNT };

static const struct protocol *const protocols[DEMO_PROTOCOL_COUNT] = {
	[DEMO_CHAT] = &protocol_openai_chat,
	[DEMO_RESPONSES] = &protocol_openai_responses,
	[DEMO_ANTHROPIC] = &protocol_anthropic,
	[DEMO_GEMINI] = &protocol_gemini,
	[DEMO_OLLAMA] = &protocol_ollama,
};

struct demo {
	struct tape *lists[DEMO_PROTOCOL_COUNT];
	struct tape *tapes[ANSWER_COUNT][MODEL_COUNT][DEMO_PROTOCOL_COUNT][2]; /* made on first use */
	struct tape *given[GIVEN_TAPES];
	size_t given_count;
	unsigned refused;           /* number of refused requests for ANSWER_BUSY */
};

struct demo *demo_new(void)
{
	return mem_new(sizeof(struct demo));
}

void demo_free(struct demo *demo)
{
	if (!demo)
		return;
	for (size_t i = 0; i < DEMO_PROTOCOL_COUNT; i++)
		tape_free(demo->lists[i]);
	for (size_t i = 0; i < sizeof demo->tapes / sizeof(struct tape *); i++)
		tape_free((&demo->tapes[0][0][0][0])[i]);
	for (size_t i = 0; i < demo->given_count; i++)
		tape_free(demo->given[i]);
	mem_free(demo);
}

const struct demo_help *demo_help_at(size_t index)
{
	index += ANSWER_FIRST_WORDS;
	return index < ANSWER_COUNT ? &answers[index].help : NULL;
}

/* Whether `rest` is a suffix with which a word still matches: "thinking", "failed", "routed". */
static bool demo_is_ending(struct str rest)
{
	static const char *const endings[] = { "", "s", "d", "ed", "ing" };
	size_t len = 0;

	while (len < rest.len && char_is_word(rest.ptr[len]))
		len++;
	return str_is_among_nocase(str_head(rest, len), endings, ARRAY_LEN(endings));
}

static bool demo_has_word(struct str text, struct str word)
{
	for (size_t i = 0; i + word.len <= text.len; i++) {
		struct str here = str_skip(text, i);

		if ((i == 0 || !char_is_word(text.ptr[i - 1])) && str_has_nocase(str_head(here, word.len), word) &&
		    demo_is_ending(str_skip(here, word.len)))
			return true;
	}
	return false;
}

static bool demo_has_any_word(struct str text, struct str words)
{
	struct str word;

	while (str_split(&words, ',', &word))
		if (demo_has_word(text, str_trim(word)))
			return true;
	return false;
}

static bool demo_is_picked(enum answer answer, struct str text)
{
	return demo_has_any_word(text, str_from(answers[answer].help.words)) || demo_has_any_word(text, str_from(answers[answer].also));
}

static size_t demo_choose_model(struct str name)
{
	size_t model = MODEL_COUNT - 1;

	while (model > 0 && !str_is(name, models[model]))
		model--;
	return model;
}

/* "call NAME" or "call NAME JSON": sets what stands behind "call" in the script. */
static bool demo_read_call(struct str text, struct buf *call)
{
	struct str rest = str_skip(str_trim(text), 5), name;

	if (!str_starts(str_trim(text), "call ") || !str_split(&rest, ' ', &name) || !tool_name_is_good(name))
		return false;
	rest = str_is_blank(rest) ? STR("{}") : rest;
	if (!json_scan_is_whole(rest) || !str_starts(str_trim(rest), "{"))
		return false;
	buf_printf(call, "%.*s ", STR_ARG(name));
	json_scan_compact(rest, call);
	return true;
}

static bool demo_is_call(struct str text)
{
	struct buf call = { 0 };
	bool is = demo_read_call(text, &call);

	buf_fini(&call);
	return is;
}

static enum answer demo_choose_answer(const struct demo_ask *ask, size_t model)
{
	enum answer answer = ANSWER_FIRST_WORDS;

	if (ask->goes_on)
		return ANSWER_CONTINUED;
	if (str_ends(buf_str(&ask->model), NO_MODEL))
		return ANSWER_NO_MODEL;
	if (!ask->text.len && ask->result.len)
		return ANSWER_RESULT;
	if (ask->code_word.len)
		return ANSWER_CODE_WORD;
	if (ask->stop.len)
		return ANSWER_STOP;
	if (demo_is_call(buf_str(&ask->text)))
		return ANSWER_NAMED;
	while (answer < ANSWER_COUNT && !demo_is_picked(answer, buf_str(&ask->text)))
		answer++;
	if (ask->schema.len && (answer == ANSWER_COUNT || answer == ANSWER_JSON))
		return ANSWER_SCHEMA;
	if (answer < ANSWER_COUNT)
		return answer;
	return model == MODEL_THINKING ? ANSWER_REASONING : ANSWER_DEFAULT;
}

static struct str demo_script_source(const char *name)
{
	size_t i = 0;

	while (i < ARRAY_LEN(scripts) && strcmp(scripts[i].name, name) != 0)
		i++;
	assert(i < ARRAY_LEN(scripts));
	return str_from(scripts[i].source);
}

/* Replaces the placeholder in a script by a result or an example; each of its lines becomes a line of the answer. */
static void demo_fill_in(struct str source, struct str given, struct buf *out)
{
	static const char place[] = "{given}";
	size_t at = str_find(source, STR("{given}"));
	struct str line;
	bool first = true;

	buf_add(out, str_head(source, at));
	while (at < source.len && str_split(&given, '\n', &line)) {
		buf_add_z(out, first ? "" : "\ntext ");
		buf_add(out, line);
		first = false;
	}
	buf_add(out, str_skip(source, at + sizeof place - 1));
}

static struct tape *demo_tell_answer(enum answer answer, size_t model, enum demo_protocol protocol, bool stream, struct str given)
{
	struct demo_script script = { 0 };
	struct buf source = { 0 }, text = { 0 };
	struct tape *tape = NULL;
	struct error err;
	bool whole;

	demo_fill_in(demo_script_source(answers[answer].script), given, &source);
	demo_script_read(&script, buf_str(&source));
	if (model == MODEL_ROUTER && !script.routed_model.len) {
		script.routed_model = STR("demo-1");
		script.routing_ms = 41;
	}
	demo_tell(protocols[protocol], &script, answers[answer].script, models[model], stream, &text);
	whole = tape_from_text(&tape, buf_str(&text), &err);
	assert(whole);
	(void)whole;
	demo_script_fini(&script);
	buf_fini(&text);
	buf_fini(&source);
	return tape;
}

/* An answer that repeats a part of the request. Each gets a tape of its own, up to GIVEN_TAPES. */
static const struct tape *demo_tell_given(struct demo *demo, enum answer answer, size_t model, const struct demo_ask *ask)
{
	struct buf given;
	struct tape *tape;

	buf_init(&given, GIVEN_LIMIT);
	if (answer == ANSWER_SCHEMA)
		demo_schema_example(buf_str(&ask->schema), &given);
	else if (answer == ANSWER_CODE_WORD)
		buf_add(&given, buf_str(&ask->code_word));
	else if (answer == ANSWER_NAMED)
		(void)demo_read_call(buf_str(&ask->text), &given);
	else if (answer == ANSWER_STOP)
		buf_add(&given, str_head(STR(SPELLED), str_find(STR(SPELLED), buf_str(&ask->stop))));
	else
		buf_add(&given, str_head(buf_str(&ask->result), GIVEN_LIMIT));
	tape = demo_tell_answer(answer, model, ask->protocol, ask->stream, buf_str(&given));
	buf_fini(&given);
	demo->given[demo->given_count++] = tape;
	return tape;
}

static const struct tape *demo_list_models(struct demo *demo, enum demo_protocol protocol)
{
	struct buf text = { 0 };
	struct error err;
	bool whole;

	if (demo->lists[protocol])
		return demo->lists[protocol];
	buf_init(&text, BUF_LIMIT_DEFAULT);
	demo_tell_models(protocols[protocol], &text);
	whole = tape_from_text(&demo->lists[protocol], buf_str(&text), &err);
	assert(whole);
	(void)whole;
	buf_fini(&text);
	return demo->lists[protocol];
}

static const struct tape *answer_ask(struct demo *demo, const struct demo_ask *ask)
{
	size_t model = demo_choose_model(buf_str(&ask->model));
	enum answer answer = demo_choose_answer(ask, model);
	struct tape **tape;

	if (answer == ANSWER_BUSY && demo->refused++ % (BUSY_REFUSALS + 1) == BUSY_REFUSALS)
		answer = ANSWER_RECOVERED;
	tape = &demo->tapes[answer][model][ask->protocol][ask->stream];
	if ((answer == ANSWER_RESULT || answer == ANSWER_SCHEMA || answer == ANSWER_CODE_WORD || answer == ANSWER_STOP ||
	     answer == ANSWER_NAMED) &&
	    demo->given_count < GIVEN_TAPES)
		return demo_tell_given(demo, answer, model, ask);
	if (!*tape)
		*tape = demo_tell_answer(answer, model, ask->protocol, ask->stream, answer == ANSWER_NAMED ? STR("none {}") : STR("..."));
	return *tape;
}

const struct tape *demo_choose(void *demo, const struct serve_request *request)
{
	const struct tape *tape = NULL;
	struct demo_ask ask;

	if (demo_ask_read(&ask, request))
		tape = ask.models ? demo_list_models(demo, ask.protocol) : answer_ask(demo, &ask);
	demo_ask_fini(&ask);
	return tape;
}
