#include "app/mcp/mcp_values.h"

#include "app/mcp/mcp_hub_inside.h"
#include "base/json_write.h"
#include "base/mem.h"

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

static void values_write_question(struct str prompt, struct str argument, struct str typed, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_key(&w, "ref");
	json_open_object(&w);
	json_member_string(&w, "type", STR("ref/prompt"));
	json_member_string(&w, "name", prompt);
	json_close_object(&w);
	json_key(&w, "argument");
	json_open_object(&w);
	json_member_string(&w, "name", argument);
	json_member_string(&w, "value", typed);
	json_close_object(&w);
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

struct mcp_values mcp_hub_values(struct mcp_hub *hub, size_t index, struct str prompt, struct str argument, struct str typed)
{
	struct mcp_hub_entry *e = index < hub->count ? hub->items[index] : NULL;
	struct buf question = { 0 };

	if (!e || typed.len > MCP_VALUES_TYPED_BYTES)
		return (struct mcp_values){ .asked = false };
	values_write_question(prompt, argument, typed, &question);
	if (!str_is(buf_str(&question), e->values.question ? e->values.question : ""))
		values_ask(e, buf_str(&question));
	buf_fini(&question);
	return (struct mcp_values){ e->values.asked, e->values.items, e->values.count, e->values.more };
}
