#include "app/screen/services/copying.h"

#include "app/session/session.h"
#include "app/session/turn_request.h"
#include "app/system/output.h"
#include "base/array.h"
#include "ui/page/page_words.h"

/* All that was said, as it was written, and the sources that it cites. */
static void copying_add_text(const struct turn *t, struct buf *out)
{
	for (size_t i = 0; i < t->part_count; i++) {
		const struct joint *joint = turn_joint_at(t, i);

		if (joint && joint->by_words) /* shown as a separate text */
			buf_add_z(out, "\n\n");
		if (t->parts[i].kind == PART_TEXT || t->parts[i].kind == PART_REFUSAL)
			buf_add(out, buf_str(&t->parts[i].text));
	}
	if (t->citations.source_count) {
		buf_add_z(out, out->len ? "\n\nSources:\n" : "Sources:\n");
		citations_list(&t->citations, out);
	}
}

static const char *copying_take_answer(const struct host *h, struct buf *out)
{
	const struct turn *t = host_answer(h);

	if (t)
		copying_add_text(t, out);
	return !t ? "there is no answer yet" : "the answer holds no text";
}

static const char *copying_take_turn(const struct host *h, struct buf *out)
{
	const struct turn *answer = host_answer(h), *question = answer;

	while (question && question->role != TURN_USER)
		question = question->parent;
	if (question)
		copying_add_text(question, out);
	if (out->len)
		buf_add_z(out, "\n\n");
	if (answer)
		copying_add_text(answer, out);
	return "there is no answer yet";
}

static const char *copying_take_code(const struct host *h, struct buf *out)
{
	struct view view;

	host_view(h, &view);
	return transcript_code(h->transcript, &view, out) ? "the code block is empty" : "there is no code block above";
}

static const char *copying_take_id(const struct host *h, struct buf *out)
{
	const struct turn *t = host_answer(h);

	if (t && t->id)
		output_field(out, str_from(t->id)); /* as the screen shows it: where it is pasted, an escape sequence would act */
	return t ? "the server sent no response id" : "there is no answer yet";
}

static const char *copying_take_tape(const struct host *h, struct buf *out)
{
	const struct turn *t = host_answer(h);

	if (t && t->tape)
		output_field(out, str_from(t->tape));
	return t ? "the answer has no tape" : "there is no answer yet";
}

/* All turns, each under a heading that names the speaker, without reasoning and tool calls. */
static const char *copying_take_all(const struct host *h, struct buf *out)
{
	const struct conversation *conversation = session_conversation(h->session);

	for (size_t i = 0; i < conversation->count; i++) {
		struct buf text = { 0 }, header = { 0 };

		copying_add_text(conversation->turns[i], &text);
		if (text.len) {
			page_words_header(conversation->turns[i], &header);
			buf_add_z(out, out->len ? "\n\n## " : "## ");
			output_field(out, buf_str(&header));
			buf_add_z(out, "\n\n");
			buf_add(out, str_trim(buf_str(&text)));
		}
		buf_fini(&text);
		buf_fini(&header);
	}
	return "the conversation is empty";
}

static const char *copying_take_reasoning(const struct host *h, struct buf *out)
{
	const struct turn *t = host_answer(h);

	for (size_t i = 0; t && i < t->part_count; i++)
		if (t->parts[i].kind == PART_REASONING)
			buf_add(out, buf_str(&t->parts[i].text));
	return "the answer holds no reasoning";
}

/* One line for each call: its name and its arguments as received. */
static const char *copying_take_calls(const struct host *h, struct buf *out)
{
	const struct turn *t = host_answer(h);

	for (size_t i = 0; t && i < t->part_count; i++)
		if (t->parts[i].kind == PART_TOOL_CALL) {
			output_field(out, str_from(t->parts[i].name));
			buf_printf(out, " %.*s\n", STR_ARG(buf_str(&t->parts[i].text)));
		}
	return "the answer holds no tool call";
}

static const char *copying_take_form(const struct host *h, void (*form)(const struct sent_request *r, struct buf *out), struct buf *out)
{
	const struct turn *t = host_answer(h);
	struct sent_request request;
	struct error err;

	if (!t || !turn_request_find(&request, h->setup, h->session, t, &err))
		return t ? "the request is not known: /request says why" : "there is no answer yet";
	form(&request, out);
	sent_request_fini(&request);
	return "the request is empty";
}

static const char *copying_take_request(const struct host *h, struct buf *out)
{
	return copying_take_form(h, sent_request_write_json, out);
}

static const char *copying_take_curl(const struct host *h, struct buf *out)
{
	return copying_take_form(h, sent_request_write_curl, out);
}

/* What can be copied. Each function appends its text and returns the message for the case that there is none. */
static const struct thing {
	struct copying_word word;
	const char *(*take)(const struct host *h, struct buf *out);
	bool shown;
} things[] = {
	{ { "answer", "the source of the answer" }, copying_take_answer, false },
	{ { "code", "the newest code block in view" }, copying_take_code, false },
	{ { "turn", "the question and its answer" }, copying_take_turn, false },
	{ { "all", "the whole conversation" }, copying_take_all, false },
	{ { "reasoning", "the reasoning of the answer" }, copying_take_reasoning, false },
	{ { "calls", "the tool calls of the answer" }, copying_take_calls, false },
	{ { "id", "the response id of the answer" }, copying_take_id, true },
	{ { "tape", "the path of the answer's tape" }, copying_take_tape, true },
	{ { "request", "the request's JSON" }, copying_take_request, false },
	{ { "curl", "the request as a curl command" }, copying_take_curl, false },
};

const struct copying_word *copying_word_at(size_t index)
{
	return index < ARRAY_LEN(things) ? &things[index].word : NULL;
}

static void say_things(const struct host *h)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(things); i++)
		buf_printf(&names, "%s%s", !i ? "" : i + 1 < ARRAY_LEN(things) ? ", " : " or ", things[i].word.name);
	host_say(h, "it can be %s", buf_z(&names));
	buf_fini(&names);
}

static const struct thing *find_thing(const struct host *h, struct str what)
{
	for (size_t i = 0; i < ARRAY_LEN(things); i++)
		if (str_is(what, things[i].word.name) || (!i && !what.len))
			return &things[i];
	say_things(h);
	return NULL;
}

static bool copying_add_turns(const struct host *h, const struct thing *thing, struct buf *out)
{
	const char *nothing;

	if (!thing)
		return false;
	nothing = thing->take(h, out);
	if (!out->len)
		host_say(h, "%s", nothing);
	return out->len > 0;
}

bool copying_take(const struct host *h, struct str what, struct buf *out)
{
	return copying_add_turns(h, find_thing(h, what), out);
}

void copying_run(const struct host *h, struct clipboard *clipboard, struct str what)
{
	const struct thing *thing = find_thing(h, what);
	struct buf text = { 0 };

	if (copying_add_turns(h, thing, &text))
		clipboard_send(clipboard, buf_str(&text), thing->shown);
	buf_fini(&text);
}
