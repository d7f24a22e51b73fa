#include "app/mcp/mcp_values.h"

#include "app/mcp/mcp_hub_inside.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/percent.h"

static void values_clear(struct value_list *v)
{
	for (size_t i = 0; i < v->count; i++)
		mem_free(v->items[i]);
	v->count = 0;
	v->more = v->asked = false;
}

void mcp_values_fini(struct mcp_hub_entry *e)
{
	values_clear(&e->values);
	mem_free(e->values.items);
	mem_free(e->values.question);
	e->values = (struct value_list){ 0 };
}

static void values_take(struct value_list *v, const struct json *completion)
{
	const struct json *values = json_get(completion, "values");

	(void)json_flag(json_get(completion, "hasMore"), &v->more);
	for (size_t i = 0; i < json_length(values); i++)
		if (v->count < MCP_VALUES_MOST && json_has_text(json_at(values, i)) && mcp_offer_name_is_good(json_text(json_at(values, i))))
			*ARRAY_ADD(v->items, v->count, v->capacity) = str_dup(json_text(json_at(values, i)));
		else
			v->more = true;
}

static void values_ended(void *ctx, const struct mcp_answer *answer)
{
	struct mcp_hub_entry *e = ctx;

	values_clear(&e->values);
	if (answer->result)
		values_take(&e->values, json_get(answer->result, "completion"));
	e->hub->offers_changes++;
	e->hub->wakes = true;
}

static void values_write_value(struct json_writer *w, const struct mcp_values_question *q, size_t at)
{
	struct buf plain = { 0 };

	if (q->list == MCP_TEMPLATES)
		percent_decode(q->places[at].value, &plain);
	else
		buf_add(&plain, q->places[at].value);
	json_string(w, buf_str(&plain));
	buf_fini(&plain);
}

/* What stands in the places before: what fits may depend on it. */
static void values_write_context(struct json_writer *w, const struct mcp_values_question *q)
{
	json_key(w, "context");
	json_open_object(w);
	json_key(w, "arguments");
	json_open_object(w);
	for (size_t i = 0; i + 1 < q->count; i++) {
		json_key_str(w, q->places[i].name);
		values_write_value(w, q, i);
	}
	json_close_object(w);
	json_close_object(w);
}

static void values_write_question(const struct mcp_values_question *q, struct buf *out)
{
	bool is_prompt = q->list == MCP_PROMPTS;
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_key(&w, "ref");
	json_open_object(&w);
	json_member_string(&w, "type", is_prompt ? STR("ref/prompt") : STR("ref/resource"));
	json_member_string(&w, is_prompt ? "name" : "uri", str_from(q->of));
	json_close_object(&w);
	json_key(&w, "argument");
	json_open_object(&w);
	json_member_string(&w, "name", q->places[q->count - 1].name);
	json_key(&w, "value");
	values_write_value(&w, q, q->count - 1);
	json_close_object(&w);
	if (q->count > 1)
		values_write_context(&w, q);
	json_close_object(&w);
}

static void values_ask(struct mcp_hub_entry *e, struct str question)
{
	const struct mcp_call_sink sink = { .ctx = e, .ended = values_ended };
	struct error err;

	mcp_call_cancel(&e->values.call, STR("something else was typed"));
	values_clear(&e->values);
	str_replace(&e->values.question, question);
	e->values.asked = mcp_call_ask(&e->values.call, e->hub, e->server->name, "completion/complete", NULL, e->values.question, &sink, &err);
}

struct mcp_values mcp_hub_values(struct mcp_hub *hub, size_t index, const struct mcp_values_question *q)
{
	struct mcp_hub_entry *e = index < hub->count ? hub->items[index] : NULL;
	struct buf question = { 0 };

	if (!e || q->places[q->count - 1].value.len > MCP_VALUES_TYPED_BYTES)
		return (struct mcp_values){ .asked = false };
	values_write_question(q, &question);
	if (!str_is(buf_str(&question), e->values.question ? e->values.question : ""))
		values_ask(e, buf_str(&question));
	buf_fini(&question);
	return (struct mcp_values){ e->values.asked, e->values.items, e->values.count, e->values.more };
}
