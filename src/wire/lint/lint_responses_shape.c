/* The members of OpenAI Responses' events, items and parts. */
#include "wire/lint/lint_inside.h"

static const struct lint_shape event_shapes[] = {
	{ "response.created", "response:o!" }, { "response.in_progress", "response:o!" }, { "response.queued", "response:o!" },
	{ "response.completed", "response:o!" }, { "response.incomplete", "response:o!" }, { "response.failed", "response:o!" },
	{ "response.output_item.added", "item:o!" }, { "response.output_item.done", "item:o!" },
	{ "response.content_part.added", "item_id:s! content_index:c! part:o!" },
	{ "response.content_part.done", "item_id:s! content_index:c! part:o!" },
	{ "response.output_text.delta", "item_id:s! content_index:c! delta:s! logprobs:a" },
	{ "response.output_text.done", "item_id:s! content_index:c! text:s! logprobs:a" },
	{ "response.output_text.annotation.added", "item_id:s! content_index:c! annotation_index:c annotation:o!" },
	{ "response.refusal.delta", "item_id:s! content_index:c! delta:s!" }, { "response.refusal.done", "item_id:s! content_index:c! refusal:s!" },
	{ "response.function_call_arguments.delta", "item_id:s! delta:s!" }, { "response.function_call_arguments.done", "item_id:s! arguments:s!" },
	{ "response.custom_tool_call_input.delta", "item_id:s! delta:s!" }, { "response.custom_tool_call_input.done", "item_id:s! input:s!" },
	{ "response.reasoning_summary_part.added", "item_id:s! summary_index:c! part:o!" },
	{ "response.reasoning_summary_part.done", "item_id:s! summary_index:c! part:o!" },
	{ "response.reasoning_summary_text.delta", "item_id:s! summary_index:c! delta:s!" },
	{ "response.reasoning_summary_text.done", "item_id:s! summary_index:c! text:s!" },
	{ "response.reasoning_text.delta", "item_id:s! content_index:c! delta:s!" },
	{ "response.reasoning_text.done", "item_id:s! content_index:c! text:s!" },
};
static const struct lint_shape item_shapes[] = {
	{ "message", "role:s! content:a! phase:s" }, { "function_call", "call_id:s!+ name:s!+ arguments:s!" },
	{ "custom_tool_call", "call_id:s!+ name:s!+ input:s!" }, { "reasoning", "summary:a! content:a encrypted_content:s" },
	{ "web_search_call", "action:o" }, { "file_search_call", "queries:a results:a" }, { "code_interpreter_call", "code:s outputs:a" },
	{ "image_generation_call", "result:s" }, { "mcp_call", "name:s! arguments:s!" },
};
static const struct lint_shape annotation_shapes[] = {
	{ "url_citation", "url:s! title:s start_index:c end_index:c" }, { "file_citation", "file_id:s! index:c" },
	{ "container_file_citation", "container_id:s file_id:s! filename:s start_index:c end_index:c" },
};
static const struct lint_shape part_shapes[] = {
	{ "output_text", "text:s! annotations:a logprobs:a" }, { "refusal", "refusal:s!" }, { "reasoning_text", "text:s!" },
	{ "summary_text", "text:s!" },
};

static void check_usage_shape(struct lint *l, enum lint_fault fault, const struct json *usage)
{
	if (json_kind(usage) != JSON_OBJECT)
		return;
	lint_check_shape(l, fault, "usage", usage, "input_tokens:c! output_tokens:c! total_tokens:c! input_tokens_details:o output_tokens_details:o");
	lint_check_shape(l, fault, "input_tokens_details", json_get(usage, "input_tokens_details"), "cached_tokens:c cache_write_tokens:c");
	lint_check_shape(l, fault, "output_tokens_details", json_get(usage, "output_tokens_details"), "reasoning_tokens:c");
}

static void check_annotation_shape(struct lint *l, enum lint_fault fault, const struct json *annotation)
{
	lint_check_shape(l, fault, "an annotation", annotation, "type:s!");
	lint_check_shape(l, fault, "an annotation", annotation, LINT_SHAPE_OF(annotation_shapes, json_get_text(annotation, "type")));
}

static void check_part_shape(struct lint *l, enum lint_fault fault, const struct json *part)
{
	const struct json *annotations = json_get(part, "annotations");

	lint_check_shape(l, fault, "a part", part, "type:s!");
	lint_check_shape(l, fault, "a part", part, LINT_SHAPE_OF(part_shapes, json_get_text(part, "type")));
	for (size_t i = 0; i < json_length(annotations); i++)
		check_annotation_shape(l, fault, json_at(annotations, i));
}

static void check_parts_shape(struct lint *l, enum lint_fault fault, const struct json *parts)
{
	for (size_t i = 0; i < json_length(parts); i++)
		check_part_shape(l, fault, json_at(parts, i));
}

static void check_item_shape(struct lint *l, enum lint_fault fault, const char *what, const struct json *item)
{
	lint_check_shape(l, fault, what, item, "id:s! type:s! status:s");
	lint_check_shape(l, fault, what, item, LINT_SHAPE_OF(item_shapes, json_get_text(item, "type")));
	check_parts_shape(l, fault, json_get(item, "content"));
	check_parts_shape(l, fault, json_get(item, "summary"));
}

void lint_response_shape(struct lint *l, enum lint_fault fault, const char *item, const struct json *response)
{
	const struct json *output = json_get(response, "output");

	lint_check_shape(l, fault, "the response", response,
	                 "id:s! object:s! model:s! status:s! output:a! error:o incomplete_details:o usage:o");
	check_usage_shape(l, fault, json_get(response, "usage"));
	for (size_t i = 0; i < json_length(output); i++)
		check_item_shape(l, fault, item, json_at(output, i));
}

void lint_responses_event_shape(struct lint *l, enum lint_fault fault)
{
	const struct lint_responses *r = &l->responses;
	const struct json *value = l->message->value, *part = json_get(value, "part");
	const char *shape = LINT_SHAPE_OF(event_shapes, r->type);

	lint_check_shape(l, fault, "the event", value, shape ? shape : lint_is_of_tool(r->type) ? "item_id:s" : NULL);
	if (part)
		check_part_shape(l, fault, part);
	if (str_is(r->type, "response.output_text.annotation.added"))
		check_annotation_shape(l, fault, json_get(value, "annotation"));
	if (r->item)
		check_item_shape(l, fault, "the item", r->item);
	if (r->response)
		lint_response_shape(l, fault, "an item of the response", r->response);
}
