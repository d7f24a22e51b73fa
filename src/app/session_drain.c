/* What has arrived: into the answer, once per frame, and the end of the answer. */
#include "app/session_inside.h"

#include "base/mem.h"
#include "chat/schema.h"

void session_to_turn(void *ctx, const struct delta *delta)
{
	struct session *s = ctx;

	turn_delta(s->live, delta);
}

/* Notes whether the complete text conforms to the schema of the request. */
static void session_note_schema(const struct session *s, struct turn *t)
{
	struct buf text = { 0 }, words = { 0 };

	if (!s->schema || t->outcome != OUTCOME_COMPLETE)
		return;
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT)
			buf_add(&text, buf_str(&t->parts[i].text));
	schema_explain(str_from(s->schema), buf_str(&text), &words);
	turn_note(t, STR("schema"), buf_str(&words));
	buf_fini(&text);
	buf_fini(&words);
}

void session_note_findings(const struct findings *findings, struct turn *t)
{
	struct buf words = { 0 };

	findings_tell(findings, &words);
	if (words.len)
		turn_note(t, STR("lint"), buf_str(&words));
	buf_fini(&words);
}

static void session_finish_turn(struct session *s)
{
	struct turn *t = s->live;
	struct buf details;

	buf_init(&details, (size_t)1 << 20);
	exchange_details(s->exchange, &details);
	t->details = buf_take(&details);
	t->model_unknown = exchange_model_unknown(s->exchange);
	struct str tape_error = exchange_tape_error(s->exchange);
	if (tape_error.len)
		turn_note(t, STR("weir"), tape_error);
	session_note_findings(exchange_findings(s->exchange), t);
	session_note_schema(s, t);
	session_note_change(s);
	s->live = NULL;
	recording_over(&s->recording, tape_error);
	session_drop_exchange(s);
	s->refused = session_was_refused(t) && t != s->summary ? t : NULL;
	if (t == s->summary)
		session_end_compaction(s, t);
	if (s->ended)
		s->ended(s->ctx, t);
}

/* Updates the sentence about a pending retry. True if it changed, at most once a second. */
static bool session_tell_waiting(struct session *s)
{
	struct exchange_retry retry;
	uint64_t before = s->live->revision;
	struct error words;

	if (!exchange_retry(s->exchange, clock_now_ms(), &retry)) {
		turn_wait(s->live, STR_NONE);
	} else {
		error_set(&words, "%.*s. Asking again in %lld s (%u of %u).", STR_ARG(retry.why),
		          (long long)(retry.left_ms + 999) / 1000, retry.number, retry.most);
		turn_wait(s->live, str_from(words.text));
	}
	return s->live->revision != before;
}

bool session_has_news(const struct session *s)
{
	return s->player ? player_moves(s->player) != s->played_moves : !queue_is_empty(s->queue);
}

bool session_drain(struct session *s)
{
	if (s->player)
		return session_drain_played(s);
	if (!s->live)
		return false;
	bool told = session_tell_waiting(s);
	if (queue_is_empty(s->queue))
		return told;
	if (!s->live->scope.protocol && exchange_protocol(s->exchange))
		turn_set_protocol(s->live, exchange_protocol(s->exchange));
	if (s->live->joint_count)
		s->live->joints[s->live->joint_count - 1].by_words = exchange_way(s->exchange) == CONTINUATION_WORDS;
	queue_drain(s->queue);
	session_note_change(s);
	if (!s->live->tape && exchange_tape_path(s->exchange).len)
		str_replace(&s->live->tape, exchange_tape_path(s->exchange));
	if (s->live->ended) {
		struct turn *t = s->live;

		session_finish_turn(s);
		session_send_next(s, t);
	}
	return true;
}
