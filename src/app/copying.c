#include "app/copying.h"

#include "app/chat.h"
#include "ui/rows.h"

/* All that was said, as it was written. */
static void add_text(const struct turn *t, struct buf *out)
{
	for (size_t i = 0; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT || t->parts[i].kind == PART_REFUSAL)
			buf_add(out, buf_str(&t->parts[i].text));
}

static const char *take_answer(struct chat *c, struct buf *out)
{
	const struct turn *t = session_last_answer(c->session);
	if (t)
		add_text(t, out);
	return !t ? "there is no answer yet" : "the answer holds no text";
}

static const char *take_turn(struct chat *c, struct buf *out)
{
	const struct conversation *conversation = session_conversation(c->session);
	size_t answer = conversation->count, question;
	while (answer && conversation->turns[answer - 1]->role != ROLE_ASSISTANT)
		answer--;
	for (question = answer; question && conversation->turns[question - 1]->role != ROLE_USER;)
		question--;
	if (question)
		add_text(conversation->turns[question - 1], out);
	if (out->len)
		buf_add_z(out, "\n\n");
	if (answer)
		add_text(conversation->turns[answer - 1], out);
	return "there is no answer yet";
}

static const char *take_code(struct chat *c, struct buf *out)
{
	struct view view;
	chat_fill_view(c, &view);
	return transcript_code(c->panes[CHAT_TRANSCRIPT], &view, out) ? "the code block is empty" : "there is no code block above";
}

static const char *take_id(struct chat *c, struct buf *out)
{
	const struct turn *t = session_last_answer(c->session);
	if (t && t->id)
		buf_add_z(out, t->id);
	return "the server sent no response id";
}

/* Each appends what is to be copied, and returns what to say when that is nothing. */
static const struct { const char *word; const char *(*take)(struct chat *c, struct buf *out); bool shown; } things[] = {
	{ "answer", take_answer, false }, { "code", take_code, false }, { "turn", take_turn, false }, { "id", take_id, true },
};

static size_t count_characters(struct str text)
{
	size_t count = 0;
	for (size_t i = 0; i < text.len; i++)
		count += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
	return count;
}

static void send(struct chat *c, struct str text, bool shown)
{
	char figure[FIGURE_SIZE];
	size_t characters = count_characters(text);
	figure_count(figure, (int64_t)characters);
	if (!screen_copy(c->screen, text))
		chat_say(c, "nothing was copied: %s characters are more than terminals take", figure);
	else if (shown)
		chat_say(c, "sent to the clipboard: %.*s", STR_ARG(text));
	else
		chat_say(c, "sent %s character%s to the clipboard", figure, characters == 1 ? "" : "s");
}

void copying_run(struct chat *c, struct str what)
{
	for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
		if (!str_is(what, things[i].word) && (i || what.len))
			continue;
		struct buf text;
		buf_init(&text, BUF_LIMIT_DEFAULT);
		const char *nothing = things[i].take(c, &text);
		if (text.len)
			send(c, buf_str(&text), things[i].shown);
		else
			chat_say(c, "%s", nothing);
		buf_fini(&text);
		return;
	}
	chat_say(c, "/copy takes answer, code, turn or id");
}
