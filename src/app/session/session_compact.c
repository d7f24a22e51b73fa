/* Compacting: a summary takes the place of older turns (session_tree.h). */
#include "app/session/session_inside.h"

#include "app/setup/setup.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/figure.h"
#include "chat/conversation/summary.h"

#define COMPACT_KEEP " Above all keep: "

bool session_has_its_own_path(const struct turn *t, struct error *err)
{
	return !turn_is_summary(t) ||
	       error_set(err, "a summary is not asked for again in its place: go back to the turns that it is of (/tree), /compact writes another");
}

/* --- what is summarised, and what is kept --- */

static bool compact_begins(const struct turn *t)
{
	for (size_t i = 0; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TOOL_RESULT)
			return false;
	return session_words_of(t) != NULL;
}

/* The index in the path at which the last exchange begins: the turns before it are to be summarised. */
static size_t compact_older(const struct conversation *c)
{
	size_t at = c->count;

	while (at > 0 && !compact_begins(c->turns[at - 1]))
		at--;
	return at ? at - 1 : 0;
}

static void compact_estimate(struct estimate *e, struct turn *const *turns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t p = turns[i]->restarted_at; p < turns[i]->part_count; p++) {
			const struct part *part = &turns[i]->parts[p];
			bool is_text = part->kind != PART_ATTACHMENT || str_starts(str_from(part->media), "text/");

			if (is_text && part->kind != PART_OPAQUE && part->kind != PART_REASONING)
				estimate_add(e, buf_str(&part->text));
		}
}

/* What requests carry beside the turns: it fills the context, too. */
static struct estimate compact_beside(const struct session *s)
{
	struct setup *setup = s->setup;
	struct estimate e = { 0 };

	estimate_add(&e, setup_system(setup));
	estimate_add(&e, setup_tools(setup));
	estimate_add(&e, buf_str(&setup->schema));
	return e;
}

int64_t session_compact_tokens(const struct session *s)
{
	struct estimate e = { 0 };

	compact_estimate(&e, s->conversation->turns, compact_older(s->conversation));
	return estimate_tokens(&e);
}

bool session_can_compact(const struct session *s, struct error *err)
{
	const struct conversation *c = s->conversation;
	size_t older = compact_older(c);

	if (!session_may_branch(s, err))
		return false;
	if (!c->count)
		return error_set(err, "there is nothing to compact: the conversation is empty");
	if (!older)
		return error_set(err, "there is nothing to compact: there is one exchange only, and the last one is kept as it is");
	return older > 2 || !turn_is_summary(c->turns[0]) ||
	       error_set(err, "there is nothing to compact: before the last exchange there is a summary only");
}

/* --- asking --- */

static struct turn *compact_ask(struct session *s, struct str words)
{
	struct turn *question = conversation_add(s->conversation, NULL, TURN_USER);
	struct buf text = { 0 };

	buf_add_z(&text, SUMMARY_WORDS);
	if (words.len)
		buf_printf(&text, COMPACT_KEEP "%.*s", STR_ARG(words));
	turn_add(question, PART_TEXT, buf_str(&text), STR_NONE, STR_NONE);
	buf_fini(&text);
	return question;
}

bool session_compact(struct session *s, struct str words, struct error *err)
{
	struct conversation *c = s->conversation;

	if (!session_can_compact(s, err) || !session_prepare(s, err))
		return false;
	owned_request_want_text(&s->awaited.owned);
	session_leave_place(s);
	size_t older = compact_older(c);
	struct conversation sent = { .turns = mem_new((older + 1) * sizeof *sent.turns), .count = older + 1 };
	for (size_t i = 0; i < older; i++)
		sent.turns[i] = c->turns[i];
	s->uncompacted = conversation_last(c);
	sent.turns[older] = compact_ask(s, words);
	session_note_change(s);
	conversation_branch(c, sent.turns[older]);
	session_launch(s, &sent, NULL);
	s->summary = s->live;
	mem_free(sent.turns);
	return true;
}

/* --- the end --- */

static bool compact_is_whole(const struct turn *summary)
{
	bool has_text = false;

	for (size_t i = summary->restarted_at; i < summary->part_count; i++)
		has_text |= summary->parts[i].kind == PART_TEXT && !str_is_blank(buf_str(&summary->parts[i].text));
	return summary->outcome == OUTCOME_COMPLETE && has_text;
}

/* Why the summary cannot be used. */
static const char *compact_failure(const struct turn *summary)
{
	static const char *const words[] = {
		[OUTCOME_COMPLETE] = "the summary is empty", [OUTCOME_TOOL_CALLS] = "the model called a tool in place of a summary",
		[OUTCOME_LENGTH] = "the summary reached its token limit (/parameters max_tokens)", [OUTCOME_FILTERED] = "the model refused",
		[OUTCOME_PAUSED] = "the server paused", [OUTCOME_ERROR] = "the request failed", [OUTCOME_CUT] = "the connection ended too early",
		[OUTCOME_STALLED] = "the answer stalled", [OUTCOME_CANCELLED] = "it was stopped",
	};

	return summary->outcome == OUTCOME_ERROR && summary->error_message ? summary->error_message : words[summary->outcome];
}

/* Estimates the context of each answer anew: no server has counted the tokens of the shortened path. */
static int64_t compact_measure(const struct conversation *c, struct estimate e)
{
	for (size_t i = 0; i < c->count; i++) {
		struct turn *t = c->turns[i];

		compact_estimate(&e, &c->turns[i], 1);
		t->context = t->role == TURN_ASSISTANT ? estimate_tokens(&e) : 0;
		t->context_is_rough = t->context != 0;
	}
	return estimate_tokens(&e);
}

/* The old path is selected once more to measure it in the same way as the new one. */
static void compact_replace(struct session *s, struct turn *summary)
{
	struct conversation *c = s->conversation;
	char before[FIGURE_SIZE], after[FIGURE_SIZE];
	struct estimate beside = compact_beside(s), all = beside;
	struct buf note = { 0 };

	conversation_branch(c, s->uncompacted);
	compact_estimate(&all, c->turns, c->count);
	const struct turn *from = c->turns[compact_older(c)];
	conversation_branch(c, summary);
	conversation_repeat(c, from, s->uncompacted);
	buf_printf(&note, "The context is ~%s tokens now, and was ~%s. The turns that this summary replaces are in another branch (/tree).",
	           figure_count(after, compact_measure(c, beside)), figure_count(before, estimate_tokens(&all)));
	turn_note(summary, STR("weir"), buf_str(&note));
	buf_fini(&note);
}

static void compact_go_back(struct session *s, struct turn *summary)
{
	struct buf note = { 0 };

	buf_printf(&note, "Nothing was compacted: %s.", compact_failure(summary));
	turn_note(summary, STR("weir"), buf_str(&note));
	buf_fini(&note);
	conversation_branch(s->conversation, s->uncompacted);
}

void session_end_compaction(struct session *s, struct turn *summary)
{
	s->summary = NULL;
	if (compact_is_whole(summary))
		compact_replace(s, summary);
	else
		compact_go_back(s, summary);
	session_note_change(s);
}
