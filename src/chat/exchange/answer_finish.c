#include "chat/exchange/answer_finish.h"

#include "chat/conversation/turn.h"
#include "chat/provider/schema.h"

#define DETAILS_LIMIT ((size_t)1 << 20)

bool answer_tell_waiting(struct turn *t, const struct exchange *x, int64_t now_ms)
{
	struct exchange_retry retry;
	uint64_t before = t->revision;
	struct error words;

	if (!exchange_retry(x, now_ms, &retry)) {
		turn_wait(t, STR_NONE);
	} else {
		error_set(&words, "%.*s. Asking again in %lld s (%u of %u).", STR_ARG(retry.why), (long long)(retry.left_ms + 999) / 1000,
		          retry.number, retry.most);
		turn_wait(t, str_from(words.text));
	}
	return t->revision != before;
}

/* Notes whether the complete text conforms to the schema of the request. */
static void note_schema(struct turn *t, struct str schema)
{
	struct buf text = { 0 }, words = { 0 };

	if (!schema.len || t->outcome != OUTCOME_COMPLETE)
		return;
	for (size_t i = t->restarted_at; i < t->part_count; i++)
		if (t->parts[i].kind == PART_TEXT)
			buf_add(&text, buf_str(&t->parts[i].text));
	schema_explain(schema, buf_str(&text), &words);
	turn_note(t, STR("schema"), buf_str(&words));
	buf_fini(&text);
	buf_fini(&words);
}

void answer_note_findings(struct turn *t, const struct findings *findings)
{
	struct buf words = { 0 };

	findings_tell(findings, &words);
	if (words.len)
		turn_note(t, STR("lint"), buf_str(&words));
	buf_fini(&words);
}

struct str answer_finish(struct turn *t, struct exchange *x, struct str schema)
{
	struct buf details;
	struct str tape_error = exchange_tape_error(x);

	buf_init(&details, DETAILS_LIMIT);
	exchange_details(x, &details);
	str_replace(&t->details, buf_str(&details));
	buf_fini(&details);
	t->model_unknown = exchange_model_unknown(x);
	if (tape_error.len)
		turn_note(t, STR("weir"), tape_error);
	answer_note_findings(t, exchange_findings(x));
	note_schema(t, schema);
	return tape_error;
}
