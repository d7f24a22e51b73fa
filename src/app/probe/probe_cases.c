#include "app/probe/probe_cases.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "chat/conversation/turn.h"
#include "chat/conversation/meter.h"
#include "chat/provider/provider.h"
#include "chat/provider/schema.h"
#include "chat/provider/server_tools.h"

#define SHORT "Reply with one short sentence."
#define WORD_ASKED "What is the code word? Answer with that word alone."
#define WORD "heron"
#define STOP "charlie"
#define BEFORE_STOP "bravo"
#define LENGTH_TOKENS 16 /* the least that all protocols take */
#define TOKENS 1024 /* some models think first, and that counts */
#define MEDIA_TOKENS 4096 /* a picture or a sound counts as some thousand */
#define ASKS(tool) (1u << SERVER_CAN_##tool)
#define FILLER "The river runs past the mill, the bridge and the old town, and then on to the sea.\n"

#define TOOL(name, help, properties) "{\"type\":\"function\",\"function\":{\"name\":\"" name "\",\"description\":\"" help \
	"\",\"parameters\":{\"type\":\"object\",\"properties\":{" properties "}}}}"
#define TEXT_PROPERTY(name) "\"" name "\":{\"type\":\"string\"}"
#define WEATHER TOOL("get_weather", "The weather in a city", TEXT_PROPERTY("city"))
#define TRAINS TOOL("find_trains", "Trains between two cities", TEXT_PROPERTY("from") "," TEXT_PROPERTY("to"))
#define CITY_SCHEMA "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"},\"inhabitants\":{\"type\":\"integer\"}}," \
	"\"required\":[\"city\",\"inhabitants\"],\"additionalProperties\":false}"

/* --- what must be true --- */

/* Adds words of the server as a part of one line. */
static void add_line(struct str text, struct buf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char byte = (unsigned char)text.ptr[i];

		buf_add_byte(out, byte < 0x20 || byte == 0x7F ? ' ' : (char)byte);
	}
}

static const struct part *answer_part(const struct turn *t, enum part_kind kind)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == kind && t->parts[i].text.len)
			return &t->parts[i];
	return NULL;
}

static enum probe_verdict judge_text(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	(void)column;
	if (!answer_part(t, PART_TEXT)) {
		if (t->outcome == OUTCOME_LENGTH)
			buf_printf(words, "no text came in the %lld tokens that were allowed", c->max_tokens);
		else
			buf_add_z(words, "no text came");
		return PROBE_FAILED;
	}
	if (t->outcome == OUTCOME_COMPLETE || t->outcome == OUTCOME_LENGTH)
		return PROBE_PROMISED;
	buf_printf(words, "the answer ended as %s", outcome_name(t->outcome));
	return PROBE_FAILED;
}

static enum probe_verdict judge_usage(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	static const enum usage_figure wanted[] = { USAGE_PROMPT, USAGE_COMPLETION };
	enum probe_verdict verdict = judge_text(c, column, t, words);

	for (size_t i = 0; verdict != PROBE_FAILED && i < ARRAY_LEN(wanted); i++) {
		const struct count *count = &t->usage.of[wanted[i]];

		if (count->sent && count->number > 0)
			continue;
		buf_printf(words, "%s %s tokens were reported", count->sent ? "0" : "no", usage_row(wanted[i])->label);
		verdict = PROBE_FAILED;
	}
	return verdict;
}

static enum probe_verdict judge_reasoning(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	enum probe_verdict verdict = judge_text(c, column, t, words);

	if (verdict != PROBE_PROMISED || answer_part(t, PART_REASONING) || t->usage.of[USAGE_REASONING].number > 0)
		return verdict;
	buf_add_z(words, "the answer has no reasoning");
	return PROBE_NOT_OFFERED;
}

/* Counts the calls. `words` get what is wrong with the first one that is. */
static size_t count_calls(const struct turn *t, struct buf *words)
{
	size_t calls = 0;

	for (size_t i = t->restarted_at; i < t->part_count; i++) {
		const struct part *p = &t->parts[i];

		if (p->kind != PART_TOOL_CALL)
			continue;
		calls++;
		if (words->len)
			continue;
		if (strcmp(p->name, "get_weather") && strcmp(p->name, "find_trains")) {
			buf_add_z(words, "a call of '");
			add_line(str_head(str_from(p->name), 60), words);
			buf_add_z(words, "', which was not offered");
		} else if (!p->valid || !str_starts(str_trim(buf_str(&p->text)), "{"))
			buf_add_z(words, "the arguments of a call are not a JSON object");
	}
	return calls;
}

static enum probe_verdict judge_call(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	size_t calls = count_calls(t, words);

	(void)column;
	if (words->len)
		return PROBE_FAILED;
	if (!calls && t->outcome == OUTCOME_LENGTH)
		buf_printf(words, "no call came in the %lld tokens that were allowed", c->max_tokens);
	else if (!calls)
		buf_add_z(words, "no call came");
	if (!calls)
		return PROBE_FAILED;
	if (t->outcome == OUTCOME_TOOL_CALLS)
		return PROBE_PROMISED;
	buf_printf(words, "the answer ended as %s", outcome_name(t->outcome));
	return PROBE_FAILED;
}

static enum probe_verdict judge_parallel(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	enum probe_verdict verdict = judge_call(c, column, t, words);
	struct buf unused = { 0 };

	if (verdict == PROBE_PROMISED && count_calls(t, &unused) < 2) {
		buf_add_z(words, "one call came, not two");
		verdict = PROBE_NOT_OFFERED;
	}
	buf_fini(&unused);
	return verdict;
}

static enum probe_verdict judge_schema(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	enum probe_verdict verdict = judge_text(c, column, t, words);
	struct buf text = { 0 };
	struct error why;

	turn_write_text(t, &text);
	if (verdict == PROBE_PROMISED && !schema_check(str_from(c->schema), str_trim(buf_str(&text)), &why)) {
		buf_add_z(words, "the answer does not follow the schema: ");
		add_line(str_from(why.text), words);
		verdict = PROBE_FAILED;
	}
	buf_fini(&text);
	return verdict;
}

/* An answer without text is allowed, because a model may spend its tokens on reasoning. */
static enum probe_verdict judge_length(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	(void)column;
	if (t->outcome == OUTCOME_LENGTH)
		return PROBE_PROMISED;
	buf_printf(words, "at most %lld tokens were asked for, and the answer ended as %s", c->max_tokens, outcome_name(t->outcome));
	return PROBE_FAILED;
}

static bool has_word(struct str text, struct str word)
{
	for (size_t i = 0; i + word.len <= text.len; i++)
		if (str_has_nocase(str_head(str_skip(text, i), word.len), word))
			return true;
	return false;
}

static enum probe_verdict judge_stop(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	enum probe_verdict verdict = judge_text(c, column, t, words);
	struct buf text = { 0 };

	turn_write_text(t, &text);
	if (verdict == PROBE_PROMISED && has_word(buf_str(&text), str_from(c->stop))) {
		buf_printf(words, "the answer has the stop sequence \"%s\"", c->stop);
		verdict = PROBE_FAILED;
	} else if (verdict == PROBE_PROMISED && !has_word(buf_str(&text), STR(BEFORE_STOP))) {
		buf_add_z(words, "the answer does not have the words before the stop sequence");
		verdict = PROBE_FAILED;
	}
	buf_fini(&text);
	return verdict;
}

static enum probe_verdict judge_word(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	enum probe_verdict verdict = judge_text(c, column, t, words);
	struct buf text = { 0 };

	turn_write_text(t, &text);
	if (verdict == PROBE_PROMISED && !has_word(buf_str(&text), STR(WORD))) {
		buf_printf(words, "the answer does not have the word \"" WORD "\" of the %s", c->system ? "system prompt" : "prompt");
		verdict = PROBE_FAILED;
	}
	buf_fini(&text);
	return verdict;
}

/* A local server without keys may ignore the key, and the name of the model if it has only one. */
static enum probe_verdict judge_refusal(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	const char *what = c->wrong_key ? "a wrong key" : "an unknown model";

	if (!t->has_error) {
		buf_printf(words, "answers with %s", what);
		return column->provider->key_optional ? PROBE_NOT_OFFERED : PROBE_FAILED;
	}
	if (t->error_status < 400 || t->error_status > 499) {
		buf_printf(words, "status %d for %s", t->error_status, what);
		return PROBE_FAILED;
	}
	if (c->wrong_key && t->error_status != 400 && t->error_status != 401 && t->error_status != 403) {
		buf_printf(words, "status %d for %s; 401 is usual", t->error_status, what);
		return PROBE_FINDINGS;
	}
	if (!t->error_message || !*t->error_message) {
		buf_add_z(words, "the error has no message");
		return PROBE_FAILED;
	}
	if (t->error_type || t->error_code || column->protocol == &protocol_ollama) /* whose error is a text */
		return PROBE_PROMISED;
	buf_add_z(words, "the error has neither a type nor a code");
	return PROBE_FINDINGS;
}

static enum probe_verdict judge_cancelled(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	(void)c, (void)column;
	if (t->outcome == OUTCOME_CANCELLED || t->outcome == OUTCOME_COMPLETE || t->outcome == OUTCOME_LENGTH)
		return PROBE_PROMISED;
	buf_printf(words, "the answer ended as %s", outcome_name(t->outcome));
	return PROBE_FAILED;
}

/* What did not come although it was asked for. The model need not be able to do it. */
static enum probe_verdict judge_missing(const struct probe_case *c, const struct turn *t, const char *what, struct buf *words)
{
	if (t->outcome == OUTCOME_LENGTH)
		buf_printf(words, "%s came in the %lld tokens that were allowed", what, c->max_tokens);
	else
		buf_printf(words, "%s came", what);
	return PROBE_NOT_OFFERED;
}

static enum probe_verdict judge_media(const struct probe_case *c, const struct turn *t, enum media_kind kind, struct buf *words)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++) {
		const struct part *p = &t->parts[i];

		if (p->kind != PART_MEDIA || p->media_kind != kind)
			continue;
		if (p->valid && (blob_str(p->data).len || p->name))
			return PROBE_PROMISED;
		buf_printf(words, "the %s did not come whole", media_kind_name(kind));
		return PROBE_FAILED;
	}
	return judge_missing(c, t, kind == MEDIA_IMAGE ? "no image" : "no audio", words);
}

static enum probe_verdict judge_image(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	(void)column;
	return judge_media(c, t, MEDIA_IMAGE, words);
}

static enum probe_verdict judge_audio(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	(void)column;
	return judge_media(c, t, MEDIA_AUDIO, words);
}

static const struct part *answer_ran(const struct turn *t)
{
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == PART_SERVER_TOOL)
			return &t->parts[i];
	return NULL;
}

static enum probe_verdict judge_code(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	const struct part *ran = answer_ran(t);
	enum probe_verdict verdict = judge_text(c, column, t, words);

	if (verdict != PROBE_PROMISED)
		return verdict;
	if (!ran)
		return judge_missing(c, t, "no call that the server ran", words);
	if (ran->valid)
		return PROBE_PROMISED;
	buf_printf(words, "the call that the server ran %s", ran->is_error ? "failed" : "has no result");
	return PROBE_FAILED;
}

/* Some servers tell nothing of a search but the pages that are cited. */
static enum probe_verdict judge_search(const struct probe_case *c, const struct probe_column *column, const struct turn *t, struct buf *words)
{
	if (!answer_ran(t) && t->citations.place_count)
		return judge_text(c, column, t, words);
	return judge_code(c, column, t, words);
}

/* --- the table --- */

static const struct probe_case cases[] = {
	{ .name = "text", .help = "a prompt gets a text", .prompt = SHORT, .max_tokens = TOKENS, .asks_no_usage = true,
	  .judge = judge_text },
	{ .name = "usage", .help = "tokens are reported when they are asked for", .prompt = SHORT, .max_tokens = TOKENS, .judge = judge_usage },
	{ .name = "reasoning", .help = "reasoning comes before the text, with effort low",
	  .prompt = "A bat and a ball cost 1.10 together, and the bat costs 1.00 more than the ball. Think, then say what the ball costs.",
	  .max_tokens = 2048, .reasoning = REASONING_LEVEL_LOW, .model_may_not = true, .judge = judge_reasoning },
	{ .name = "call", .help = "a tool is called, with arguments that are JSON",
	  .prompt = "What is the weather in Tokyo? Use the tool get_weather.",
	  .tools = "[" WEATHER "]", .max_tokens = TOKENS, .keeps_calls = true, .judge = judge_call },
	{ .name = "result", .help = "the result of that call goes back, and a text comes",
	  .prompt = "What is the weather in Tokyo? Use the tool get_weather.",
	  .tools = "[" WEATHER "]", .max_tokens = TOKENS, .sends_result = true, .judge = judge_text },
	{ .name = "parallel", .help = "two tools are called in one answer",
	  .prompt = "What is the weather in Lisbon, and which trains go from Lisbon to Porto? Call both tools in parallel, in one answer.",
	  .tools = "[" WEATHER "," TRAINS "]", .max_tokens = TOKENS, .model_may_not = true, .judge = judge_parallel },
	{ .name = "schema", .help = "an answer follows a JSON Schema", .prompt = "Name a city and the number of its inhabitants.",
	  .schema = CITY_SCHEMA, .max_tokens = TOKENS, .model_may_not = true, .judge = judge_schema },
	{ .name = "length", .help = "an answer ends at the maximum of tokens and says so",
	  .prompt = "Write the numbers from 1 to 200 in words. Go on until you reach the limit.", .max_tokens = LENGTH_TOKENS,
	  .judge = judge_length },
	{ .name = "stop", .help = "an answer ends before the stop sequence",
	  .prompt = "Write these words in this order, in small letters, with commas between them: alpha, bravo, charlie, delta, echo.", .stop = STOP,
	  .max_tokens = TOKENS, .model_may_not = true, .lacks = &protocol_openai_responses, .judge = judge_stop },
	{ .name = "system", .help = "an answer follows the system prompt", .prompt = WORD_ASKED,
	  .system = "The code word is " WORD ". When the user asks for it, answer with it.", .max_tokens = TOKENS, .judge = judge_word },
	{ .name = "long-prompt", .help = "a prompt of a few thousand tokens is read to its first line",
	  .prompt = "The code word is " WORD ".\n\n" WORD_ASKED,
	  .filler_lines = 120, .max_tokens = TOKENS, .judge = judge_word },
	{ .name = "image", .help = "a picture comes when one is asked for", .prompt = "Draw a small boat on a calm sea.", .max_tokens = MEDIA_TOKENS,
	  .server_tools = ASKS(IMAGE), .model_may_not = true, .judge = judge_image },
	{ .name = "audio", .help = "a sound comes when one is asked for", .prompt = "Say one short sentence about the sound of rain.",
	  .max_tokens = MEDIA_TOKENS, .server_tools = ASKS(AUDIO), .model_may_not = true, .judge = judge_audio },
	{ .name = "web-search", .help = "the server searches the web, and shows that it did",
	  .prompt = "Search the web: what is the newest release of curl? Answer in one sentence.", .max_tokens = MEDIA_TOKENS,
	  .server_tools = ASKS(WEB_SEARCH), .model_may_not = true, .judge = judge_search },
	{ .name = "code", .help = "the server runs code, and shows it with its result",
	  .prompt = "Run code to find out how many prime numbers are below 60. Answer in one sentence.", .max_tokens = MEDIA_TOKENS,
	  .server_tools = ASKS(CODE), .model_may_not = true, .judge = judge_code },
	{ .name = "bad-key", .help = "a wrong key is refused with an error", .prompt = SHORT, .max_tokens = LENGTH_TOKENS,
	  .wrong_key = true, .wants_refusal = true, .judge = judge_refusal },
	{ .name = "bad-model", .help = "an unknown model is refused with an error", .prompt = SHORT, .max_tokens = LENGTH_TOKENS, .wrong_model = true,
	  .wants_refusal = true, .judge = judge_refusal },
	{ .name = "cancelled", .help = "after an answer that was stopped the next one comes", .prompt = "Write a long text about a river.",
	  .max_tokens = TOKENS, .cancels = true, .judge = judge_cancelled },
	{ .name = "two-at-once", .help = "two requests at the same time are both answered", .prompt = SHORT, .max_tokens = TOKENS, .at_once = true,
	  .judge = judge_text },
};
static_assert(ARRAY_LEN(cases) <= PROBE_CASES_MOST, "a probe has room for all cases");

const struct probe_case *probe_case_at(size_t index)
{
	return index < ARRAY_LEN(cases) ? &cases[index] : NULL;
}

/* --- requests --- */

size_t probe_case_requests(const struct probe_case *c)
{
	return c->cancels || c->at_once ? 2 : 1;
}

static struct server_place probe_case_place(const struct probe_column *column)
{
	return (struct server_place){ column->provider, column->protocol, column->dialect, str_from(column->model) };
}

void probe_case_write_added(const struct probe_case *c, const struct probe_column *column, struct buf *out)
{
	const struct server_place place = probe_case_place(column);

	if ((c->server_tools & ~server_tools_at(&place)) == 0 && !server_tools_ask(&place, c->server_tools, out, &(struct error){ "" }))
		buf_clear(out);
}

bool probe_case_applies(const struct probe_case *c, const struct probe_column *column, struct buf *why)
{
	const struct server_place place = probe_case_place(column);

	if (c->lacks == column->protocol)
		buf_printf(why, "%s has no such parameter", column->protocol->name);
	else if (c->wrong_key && column->provider->auth == AUTH_NONE)
		buf_printf(why, "%s takes no key", column->provider->name);
	else if (c->server_tools & ~server_tools_at(&place))
		buf_printf(why, "%s cannot ask for it there", column->protocol->name);
	else
		return true;
	return false;
}

void probe_case_write_prompt(const struct probe_case *c, struct buf *out)
{
	struct str rest = str_from(c->prompt), first;

	if (c->filler_lines && str_split(&rest, '\n', &first))
		buf_printf(out, "%.*s\n", STR_ARG(first));
	for (size_t i = 0; i < c->filler_lines; i++)
		buf_add_z(out, FILLER);
	buf_add(out, rest);
}

int64_t probe_case_tokens(const struct probe_case *c)
{
	const char *texts[] = { c->system, c->tools, c->schema };
	struct estimate sum = { 0 };
	struct buf prompt = { 0 };

	probe_case_write_prompt(c, &prompt);
	estimate_add(&sum, buf_str(&prompt));
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		estimate_add(&sum, str_from(texts[i]));
	buf_fini(&prompt);
	return estimate_tokens(&sum);
}

/* --- the verdict --- */

static enum probe_verdict judge_error(const struct probe_case *c, const struct turn *t, struct buf *words)
{
	if (t->error_status)
		buf_printf(words, "status %d: ", t->error_status);
	add_line(t->error_message && *t->error_message ? str_from(t->error_message) : STR("an error without a message"), words);
	bool is_inability = c->model_may_not && (t->error_status == 400 || t->error_status == 404 || t->error_status == 422);
	return is_inability ? PROBE_NOT_OFFERED : PROBE_FAILED;
}

/* Appends the exchange's notes. True if it had to change the request; a retry alone is no deviation. */
static bool judge_add_notes(const struct turn *t, struct buf *words)
{
	bool changed = false;

	for (size_t i = 0; i < t->note_count; i++) {
		bool again = !strcmp(t->notes[i].rule, "sent-again");

		if (!again && strcmp(t->notes[i].rule, "retried"))
			continue;
		changed |= again;
		buf_add_z(words, words->len ? "; " : "");
		add_line(str_from(t->notes[i].text), words);
	}
	return changed;
}

static enum probe_verdict judge_answer(const struct probe_case *c, const struct probe_column *column, const struct turn *answer, bool second,
                                       struct buf *words)
{
	if (answer->has_error && !c->wants_refusal)
		return judge_error(c, answer, words);
	if (!c->wants_refusal && !c->cancels && outcome_is_trouble(answer->outcome)) {
		buf_printf(words, "the answer ended as %s", outcome_name(answer->outcome));
		return PROBE_FAILED;
	}
	return (c->cancels && second ? judge_text : c->judge)(c, column, answer, words);
}

/* Whether the words of an error concern the model. */
static bool error_names_model(const struct turn *t)
{
	const char *const texts[] = { t->error_message, t->error_type, t->error_code };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i] && str_has_nocase(str_from(texts[i]), STR("model")))
			return true;
	return false;
}

bool probe_case_finds_nothing(const struct probe_case *c, const struct turn *t, struct buf *words)
{
	if ((t->error_status != 404 && t->error_status != 405) || (c->wrong_model && error_names_model(t)))
		return false;
	judge_error(c, t, words);
	return true;
}

enum probe_verdict probe_case_judge(const struct probe_case *c, const struct probe_column *column, const struct turn *answer, bool second,
                                    struct buf *words)
{
	enum probe_verdict verdict = judge_answer(c, column, answer, second, words);

	return judge_add_notes(answer, words) && verdict == PROBE_PROMISED ? PROBE_FINDINGS : verdict;
}
