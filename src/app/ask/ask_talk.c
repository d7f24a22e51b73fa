#include "app/ask/ask_talk.h"

#include "app/ask/ask_conversation.h"
#include "app/keep/budget.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/config/settings.h"

#define PATIENCE_MS 200
#define BEGIN_MS 1000  /* how long the request waits until the question is kept */
#define SETTLE_MS 5000 /* the same for the end of the program */

static void talk_tell(void *ctx, enum writer_news news, const char *sentence)
{
	(void)ctx, (void)news;
	complain("note: %s", sentence);
}

void ask_talk_tell(void *ctx, struct str sentence)
{
	(void)ctx;
	complain("note: %.*s", STR_ARG(sentence));
}

/* --- going on --- */

/* Goes on above a question whose answer was refused: it was never part of the conversation. */
static void talk_set_aside(struct conversation *c)
{
	const struct turn *last = conversation_last(c);

	if (last && last->role == TURN_ASSISTANT && last->outcome == OUTCOME_ERROR && turn_is_empty(last) && last->parent)
		conversation_branch(c, last->parent->parent);
}

static bool talk_read(struct ask_talk *t, struct error *err)
{
	struct ask_conversation stored;

	if (!ask_conversation_read(&stored, str_from(t->setup->options->conversation), err))
		return false;
	ask_conversation_use(&stored, t->setup);
	t->conversation = stored.conversation;
	t->row = stored.row;
	stored.conversation = NULL;
	talk_set_aside(t->conversation);
	ask_conversation_fini(&stored);
	return true;
}

bool ask_talk_open(struct ask_talk *t, struct setup *s, struct error *err)
{
	s->kept_from = KEEP_ALL;
	*t = (struct ask_talk){ .setup = s, .prices.setup = s, .goes_on = s->options->conversation != NULL };
	if (t->goes_on && !talk_read(t, err))
		return false;
	if (!t->conversation)
		t->conversation = conversation_new();
	if (setup_keeps(s))
		t->writer = writer_new(PATIENCE_MS, talk_tell, NULL);
	return true;
}

void ask_talk_close(struct ask_talk *t)
{
	writer_finish(t->writer);
	conversation_free(t->conversation);
	mem_free(t->unpriced);
}

/* --- the question and its answer --- */

static void talk_add_question(struct ask_talk *t, const struct ask_input *question)
{
	struct turn *turn = t->question = conversation_ask(t->conversation);

	for (size_t i = 0; i < question->message.part_count; i++) {
		const struct request_part *part = &question->message.parts[i];
		struct part *added = turn_add(turn, part->kind, part->text, STR_NONE, part->name);

		if (part->media.len)
			str_replace(&added->media, part->media);
	}
}

static void talk_settle(struct ask_talk *t, int64_t limit_ms)
{
	if (t->writer)
		(void)writer_settle(t->writer, limit_ms);
}

void ask_talk_question(struct ask_talk *t, const struct ask_input *question)
{
	if (t->writer)
		writer_take(t->writer, t->conversation, t->row);
	talk_add_question(t, question);
}

struct turn *ask_talk_answer(struct ask_talk *t, const struct target *target, const struct ask_input *question, struct owned_request *owned)
{
	struct scope scope = { .provider = target->provider->name, .model = target->model, .protocol = target->protocol };

	conversation_branch(t->conversation, t->question);
	if (t->goes_on) {
		owned_request_project(owned, t->conversation, &scope);
	} else { /* a question that begins a conversation is sent as it is */
		owned->request.messages = &question->message;
		owned->request.message_count = 1;
	}
	struct turn *answer = conversation_answer(t->conversation, str_from(target->provider->name), target->protocol, str_from(target->model));
	if (t->writer)
		ask_conversation_describe(t->writer, t->setup);
	talk_settle(t, BEGIN_MS);
	return answer;
}

struct turn *ask_talk_results(struct ask_talk *t)
{
	t->question = conversation_ask(t->conversation);
	t->goes_on = true; /* all of the path is sent */
	return t->question;
}

void ask_talk_changed(void *talk)
{
	struct ask_talk *t = talk;

	if (t->writer)
		writer_note(t->writer);
}

const struct model_list *ask_talk_prices(const struct ask_talk *t)
{
	return t->writer ? &t->prices : NULL;
}

void ask_talk_end(struct ask_talk *t, struct turn *answer, struct str details)
{
	if (!t->writer)
		return;
	str_replace(&answer->details, details);
	writer_note(t->writer);
	talk_settle(t, SETTLE_MS);
	writer_tell_wait(t->writer);
}

void ask_talk_tell_budget(struct ask_talk *t, const struct turn *answer)
{
	struct buf sentence = { 0 };

	budget_write_missed(t->setup, answer, &t->unpriced, &sentence);
	if (sentence.len)
		ask_talk_tell(NULL, buf_str(&sentence));
	buf_fini(&sentence);
}
