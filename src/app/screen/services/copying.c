#include "app/screen/services/copying.h"

#include "app/session/session.h"
#include "app/session/turn_request.h"
#include "app/system/output.h"
#include "base/array.h"
#include "base/names.h"
#include "chat/conversation/conversation.h"
#include "ui/page/page_words.h"
#include "wire/attachment.h"

/* An item of the answer is its line in brackets, on a line of its own; below it what is heard. */
static void copying_add_media(const struct turn *t, const struct part *media, struct buf *out)
{
	bool is_heard = media->media_kind == MEDIA_AUDIO && media->text.len;

	if (out->len && !str_ends(buf_str(out), "\n"))
		buf_add_z(out, "\n");
	buf_add_z(out, "[");
	part_words_media(t, media, "  ", out);
	buf_add_z(out, "]\n");
	if (is_heard)
		buf_printf(out, "%.*s\n", STR_ARG(buf_str(&media->text)));
}

/* All that was said, as it was written, with a line for each item of media, and the sources that it cites. */
static void copying_add_text(const struct turn *t, struct buf *out)
{
	for (size_t i = 0; i < t->part_count; i++) {
		const struct joint *joint = turn_joint_at(t, i);

		if (joint && joint->by_words) /* shown as a separate text */
			buf_add_z(out, "\n\n");
		if (t->parts[i].kind == PART_TEXT || t->parts[i].kind == PART_REFUSAL)
			buf_add(out, buf_str(&t->parts[i].text));
		else if (t->parts[i].kind == PART_MEDIA)
			copying_add_media(t, &t->parts[i], out);
	}
	if (t->citations.source_count) {
		buf_add_z(out, out->len ? "\n\nSources:\n" : "Sources:\n");
		citations_list(&t->citations, out);
	}
}

static const char *copying_take_answer(const struct host *h, const struct turn *answer, struct buf *out)
{
	(void)h;
	copying_add_text(answer, out);
	return "the answer holds no text";
}

static const char *copying_take_turn(const struct host *h, const struct turn *answer, struct buf *out)
{
	const struct turn *question = answer;

	(void)h;
	while (question && question->role != TURN_USER)
		question = question->parent;
	if (question)
		copying_add_text(question, out);
	if (out->len)
		buf_add_z(out, "\n\n");
	copying_add_text(answer, out);
	return "the turn holds no text";
}

static const char *copying_take_code(const struct host *h, const struct turn *answer, struct buf *out)
{
	struct view view;

	(void)answer;
	host_view(h, &view);
	return transcript_code(h->transcript, &view, out) ? "the code block is empty" : "there is no code block above";
}

static const char *copying_take_table(const struct host *h, const struct turn *answer, struct buf *out)
{
	struct view view;

	(void)answer;
	host_view(h, &view);
	return transcript_table(h->transcript, &view, out) ? "the table is empty" : "there is no table above";
}

/* As the screen shows it: where it is pasted, an escape sequence would act. */
static const char *copying_take_id(const struct host *h, const struct turn *answer, struct buf *out)
{
	(void)h;
	output_field(out, str_from(answer->id));
	return "the server sent no response id";
}

static const char *copying_take_tape(const struct host *h, const struct turn *answer, struct buf *out)
{
	(void)h;
	output_field(out, str_from(answer->tape));
	return "the answer has no tape";
}

/* All turns, each under a heading that names the speaker, without reasoning and tool calls. */
static const char *copying_take_all(const struct host *h, const struct turn *answer, struct buf *out)
{
	const struct conversation *conversation = session_conversation(h->session);

	(void)answer;
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

static const char *copying_take_reasoning(const struct host *h, const struct turn *answer, struct buf *out)
{
	(void)h;
	for (size_t i = 0; i < answer->part_count; i++)
		if (answer->parts[i].kind == PART_REASONING)
			buf_add(out, buf_str(&answer->parts[i].text));
	return "the answer holds no reasoning";
}

/* One line for each call: its name and its arguments as received. */
static const char *copying_take_calls(const struct host *h, const struct turn *answer, struct buf *out)
{
	(void)h;
	for (size_t i = 0; i < answer->part_count; i++)
		if (answer->parts[i].kind == PART_TOOL_CALL) {
			output_field(out, str_from(answer->parts[i].name));
			buf_printf(out, " %.*s\n", STR_ARG(buf_str(&answer->parts[i].text)));
		}
	return "the answer holds no tool call";
}

static const char *copying_take_form(const struct host *h, const struct turn *answer, void (*form)(const struct sent_request *, struct buf *),
                                     struct buf *out)
{
	struct sent_request request;
	struct error err;

	if (!turn_request_find(&request, h->setup, h->session, answer, &err))
		return "the request is not known: /request says why";
	form(&request, out);
	sent_request_fini(&request);
	return "the request is empty";
}

static const char *copying_take_request(const struct host *h, const struct turn *answer, struct buf *out)
{
	return copying_take_form(h, answer, sent_request_write_json, out);
}

static const char *copying_take_curl(const struct host *h, const struct turn *answer, struct buf *out)
{
	return copying_take_form(h, answer, sent_request_write_curl, out);
}

/* What can be copied. Each function appends its text and returns the message for an empty text; NULL: it is a picture, not text. */
static const struct thing {
	struct copying_word word;
	const char *said; /* in "copied the answer, 85 characters, to the clipboard via xclip" */
	const char *(*take)(const struct host *h, const struct turn *answer, struct buf *out);
	bool no_answer; /* `answer` may be NULL */
	bool shown;
} things[] = {
	{ { "answer", "the source of the answer" }, "the answer", copying_take_answer, .shown = false },
	{ { "code", "the newest code block in view" }, "the code block", copying_take_code, .no_answer = true },
	{ { "table", "the newest table in view, as Markdown" }, "the table, as Markdown", copying_take_table, .no_answer = true },
	{ { "turn", "the question and its answer" }, "the question and its answer", copying_take_turn, .shown = false },
	{ { "all", "the whole conversation" }, "the whole conversation", copying_take_all, .no_answer = true },
	{ { "reasoning", "the reasoning of the answer" }, "the reasoning", copying_take_reasoning, .shown = false },
	{ { "calls", "the tool calls of the answer" }, "the tool calls", copying_take_calls, .shown = false },
	{ { "picture", "the picture that the page is on" }, NULL, .take = NULL },
	{ { "id", "the response id of the answer" }, "the response id", copying_take_id, .shown = true },
	{ { "tape", "the path of the answer's tape" }, "the path of the tape", copying_take_tape, .shown = true },
	{ { "request", "the request's JSON" }, "the request's JSON", copying_take_request, .shown = false },
	{ { "curl", "the request as a curl command" }, "the curl command", copying_take_curl, .shown = false },
};

const struct copying_word *copying_word_at(size_t index)
{
	return index < ARRAY_LEN(things) ? &things[index].word : NULL;
}

static const char *copying_name_at(const void *unused, size_t index)
{
	(void)unused;
	return index < ARRAY_LEN(things) ? things[index].word.name : NULL;
}

static const struct thing *copying_find_thing(const struct host *h, struct str what)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(things); i++)
		if (str_is(what, things[i].word.name) || (!i && !what.len))
			return &things[i];
	names_write_choice(copying_name_at, NULL, &names);
	host_say(h, "it can be %s", buf_z(&names));
	buf_fini(&names);
	return NULL;
}

/* The picture of the answer that the page is on, else its last one. */
static const struct part *copying_picture(const struct host *h, const struct turn *answer)
{
	const struct part *found = NULL, *on;
	struct view view;

	host_view(h, &view);
	on = transcript_media(h->transcript, &view, false);
	for (size_t i = 0; answer && i < answer->part_count && (!on || found != on); i++) {
		const struct part *part = &answer->parts[i];

		if (part->kind == PART_MEDIA && part->media_kind == MEDIA_IMAGE && !part->open && blob_str(part->data).len)
			found = part;
	}
	return found;
}

static const struct turn *copying_turn_of(const struct conversation *c, const struct part *part)
{
	for (size_t i = 0; i < c->count; i++)
		if (part >= c->turns[i]->parts && part < c->turns[i]->parts + c->turns[i]->part_count)
			return c->turns[i];
	return NULL;
}

/* Appends the text that stands for an item, and returns what that is. */
static const char *copying_item_text(const struct turn *turn, const struct part *media, struct buf *out)
{
	if (media->media_kind == MEDIA_AUDIO && media->text.len) {
		buf_add(out, buf_str(&media->text));
		return "transcript";
	}
	if (!blob_str(media->data).len && media->name) {
		output_field(out, str_from(media->name));
		return "address";
	}
	copying_add_media(turn, media, out);
	return "line";
}

void copying_item(const struct host *h, struct clipboard *clipboard, const struct part *media)
{
	const struct turn *turn = copying_turn_of(session_conversation(h->session), media);
	struct str data = blob_str(media->data);
	struct buf line = { 0 }, name = { 0 }, text = { 0 }, what = { 0 };
	bool is_picture = media->media_kind == MEDIA_IMAGE && data.len && !media->open;
	const char *type = attachment_media(data);

	part_words_media(turn, media, "\n", &line);
	buf_add(&name, str_head(buf_str(&line), str_find(buf_str(&line), STR("\n")))); /* "image 1" */
	if (!is_picture || !clipboard_send_image(clipboard, buf_z(&name), data, type ? type : "image/png")) {
		buf_printf(&what, "the %s of ", copying_item_text(turn, media, &text));
		buf_add(&what, buf_str(&name));
		clipboard_send(clipboard, buf_z(&what), str_trim(buf_str(&text)), false);
	}
	buf_fini(&line);
	buf_fini(&name);
	buf_fini(&text);
	buf_fini(&what);
}

static void copying_send_picture(const struct host *h, struct clipboard *clipboard)
{
	const struct part *picture = copying_picture(h, host_answer(h));

	if (picture)
		copying_item(h, clipboard, picture);
	else
		host_say(h, "there is no picture in the answer");
}

void copying_run(const struct host *h, struct clipboard *clipboard, struct str what)
{
	const struct thing *thing = copying_find_thing(h, what);
	const struct turn *answer = host_answer(h);
	struct buf text = { 0 };
	const char *nothing;

	if (!thing)
		return;
	if (!thing->take) {
		copying_send_picture(h, clipboard);
		return;
	}
	nothing = answer || thing->no_answer ? thing->take(h, answer, &text) : "there is no answer yet";
	if (text.len)
		clipboard_send(clipboard, thing->said, buf_str(&text), thing->shown);
	else
		host_say(h, "%s", nothing);
	buf_fini(&text);
}
