#include "wire/mcp/content.h"

#include "base/array.h"

bool mcp_item_read(const struct json *value, struct mcp_item *item)
{
	*item = (struct mcp_item){
		.name = json_get_text(value, "name"),
		.title = json_get_text(value, "title"),
		.description = json_get_text(value, "description"),
		.uri = json_get_text(value, json_get(value, "uriTemplate") ? "uriTemplate" : "uri"),
		.input = json_get(value, "inputSchema"),
		.output = json_get(value, "outputSchema"),
		.arguments = json_get(value, "arguments"),
	};
	if (!item->name.len)
		item->name = item->uri;
	return item->name.len > 0;
}

#define TTL_MOST_MS (24 * 3600 * 1000.0)

int64_t mcp_result_ttl_ms(const struct json *result)
{
	double ms = 0;

	(void)json_number(json_get(result, "ttlMs"), &ms);
	return ms > 0 ? (int64_t)(ms < TTL_MOST_MS ? ms : TTL_MOST_MS) : 0;
}

static const char *const words[] = { [MCP_TEXT] = "text", [MCP_IMAGE] = "image", [MCP_AUDIO] = "audio", [MCP_LINK] = "resource_link",
	[MCP_RESOURCE] = "resource", [MCP_OTHER] = "other" };

const char *mcp_content_word(enum mcp_content_kind kind)
{
	return words[kind];
}

bool mcp_contents_read(const struct json *value, struct mcp_content *content)
{
	*content = (struct mcp_content){
		.kind = MCP_RESOURCE,
		.text = json_get_text(value, "text"),
		.data = json_get_text(value, "blob"),
		.type = json_get_text(value, "mimeType"),
		.uri = json_get_text(value, "uri"),
	};
	return content->uri.len && (content->text.ptr != NULL) != (content->data.ptr != NULL);
}

bool mcp_content_read(const struct json *value, struct mcp_content *content)
{
	struct str type = json_get_text(value, "type");

	*content = (struct mcp_content){ .kind = MCP_TEXT };
	while (content->kind < MCP_OTHER && !str_is(type, words[content->kind]))
		content->kind++;
	if (content->kind == MCP_RESOURCE)
		return mcp_contents_read(json_get(value, "resource"), content);
	content->text = json_get_text(value, "text");
	content->data = json_get_text(value, "data");
	content->type = json_get_text(value, "mimeType");
	content->uri = json_get_text(value, "uri");
	content->name = json_get_text(value, "name");
	content->title = json_get_text(value, "title");
	content->description = json_get_text(value, "description");
	switch (content->kind) {
	case MCP_TEXT:
		return content->text.ptr != NULL;
	case MCP_IMAGE:
	case MCP_AUDIO:
		return content->data.ptr != NULL;
	case MCP_LINK:
		return content->uri.len > 0;
	case MCP_RESOURCE:
	case MCP_OTHER:
		break;
	}
	return json_kind(value) == JSON_OBJECT;
}
