#include "wire/protocol/anthropic_blocks.h"

#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "wire/decode.h"
#include "wire/decode_media.h"

#define BLOCKS_MAX 16384
#define ANY_RESULT "_tool_result" /* suffix of all result types */
#define HELD_LIMIT ((size_t)64 << 20) /* bytes of signatures and server blocks held until their end */

enum block_kind { BLOCK_OTHER, BLOCK_TEXT, BLOCK_THINKING, BLOCK_TOOL, BLOCK_SERVER };

/* Its index in the array is the guard's key for its text. */
struct anthropic_block {
	enum block_kind kind;
	int64_t index;        /* as sent; -1: none */
	bool stopped;
	unsigned tool;        /* BLOCK_TOOL: the guard's call; BLOCK_SERVER: that of the server's tool */
	struct buf start;     /* BLOCK_TOOL: the input in the start; BLOCK_SERVER: the whole block in the start */
	size_t input_at, input_len; /* BLOCK_SERVER: where the input is in `start` */
	struct buf streamed;  /* BLOCK_THINKING: the signature; BLOCK_SERVER: the input */
};

/* Appends all bytes, or none if they exceed the limit. */
static void block_hold(struct anthropic_blocks *all, struct buf *buf, struct str text)
{
	if (text.len <= HELD_LIMIT - all->held && buf_add(buf, text))
		all->held += text.len;
}

static void block_fini(struct anthropic_blocks *all, struct anthropic_block *b)
{
	all->held -= b->start.len + b->streamed.len;
	buf_fini(&b->start);
	buf_fini(&b->streamed);
}

void anthropic_blocks_clear(struct anthropic_blocks *all)
{
	for (size_t i = 0; i < all->count; i++)
		block_fini(all, &all->items[i]);
	all->count = 0;
}

void anthropic_blocks_fini(struct anthropic_blocks *all)
{
	anthropic_blocks_clear(all);
	mem_free(all->items);
}

static unsigned block_key(const struct anthropic_blocks *all, const struct anthropic_block *b)
{
	return (unsigned)(b - all->items);
}

/* The last block with that index, because some servers reuse indexes; without an index the last block. */
static struct anthropic_block *find_block(struct anthropic_blocks *all, int64_t index)
{
	for (size_t i = all->count; i > 0; i--)
		if (index < 0 || all->items[i - 1].index == index)
			return &all->items[i - 1];
	return NULL;
}

static struct anthropic_block *block_add(struct anthropic_blocks *all, int64_t index, enum block_kind kind)
{
	if (all->count == BLOCKS_MAX)
		return NULL;
	mem_reserve(&all->items, &all->capacity, all->count + 1, sizeof *all->items);
	struct anthropic_block *b = &all->items[all->count++];
	*b = (struct anthropic_block){ .kind = kind, .index = index };
	buf_init(&b->start, HELD_LIMIT);
	buf_init(&b->streamed, HELD_LIMIT);
	return b;
}

/* --- the end of a block --- */

/* A signature without shown text belongs to no part: it is sent back as the original block. */
static void give_signature(struct anthropic_blocks *all, const struct anthropic_block *b)
{
	unsigned part = guard_part(all->guard, DELTA_REASONING, block_key(all, b));
	struct buf whole = { 0 };

	if (!b->streamed.len)
		return;
	if (part != GUARD_NEW_PART) {
		guard_opaque(all->guard, part, -1, OPAQUE_ANTHROPIC_SIGNATURE, buf_str(&b->streamed));
		return;
	}
	buf_add_z(&whole, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":");
	json_escape(&whole, buf_str(&b->streamed));
	buf_add_byte(&whole, '}');
	guard_opaque(all->guard, part, -1, OPAQUE_ANTHROPIC_BLOCK, buf_str(&whole));
	buf_fini(&whole);
}

/* A block without a stop and without any input is incomplete. */
static void give_server_block(struct anthropic_blocks *all, const struct anthropic_block *b, bool stop_came)
{
	struct buf whole = { 0 };

	if (!b->start.len || (b->streamed.len ? !json_scan_is_whole(buf_str(&b->streamed)) : !stop_came))
		return;
	buf_add(&whole, buf_str(&b->start));
	if (b->streamed.len) {
		buf_remove(&whole, b->input_at, b->input_len);
		buf_insert(&whole, b->input_at, buf_str(&b->streamed));
	}
	guard_opaque(all->guard, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_BLOCK, buf_str(&whole));
	buf_fini(&whole);
}

/* The input in the start counts only if no piece came. */
static void block_end_server(struct anthropic_blocks *all, const struct anthropic_block *b, bool stop_came)
{
	if (!guard_server_tool_text(all->guard, b->tool).len)
		guard_server_tool_whole_input(all->guard, b->tool, str_head(str_skip(buf_str(&b->start), b->input_at), b->input_len));
	give_server_block(all, b, stop_came);
}

/* Some servers send the whole input at the start and no delta. */
static void block_end_tool(struct anthropic_blocks *all, const struct anthropic_block *b)
{
	if (!guard_tool_open(all->guard, b->tool))
		return;
	if (str_is_blank(guard_tool_text(all->guard, b->tool)))
		guard_tool_arguments(all->guard, b->tool, buf_str(&b->start));
	guard_tool_end(all->guard, b->tool);
}

static void stop_block(struct anthropic_blocks *all, struct anthropic_block *b, bool stop_came)
{
	if (b->stopped)
		return;
	b->stopped = true;
	if (b->kind == BLOCK_TOOL)
		block_end_tool(all, b);
	else if (b->kind == BLOCK_THINKING)
		give_signature(all, b);
	else if (b->kind == BLOCK_SERVER)
		block_end_server(all, b, stop_came);
	block_fini(all, b);
}

void anthropic_blocks_stop(struct anthropic_blocks *all, int64_t index)
{
	struct anthropic_block *b = find_block(all, index);

	if (b)
		stop_block(all, b, true);
}

void anthropic_blocks_stop_all(struct anthropic_blocks *all)
{
	for (size_t i = 0; i < all->count; i++)
		stop_block(all, &all->items[i], false);
}

/* --- the start of a block --- */

/* A citation supports all text of its block. */
static void block_give_citation(struct anthropic_blocks *all, const struct anthropic_block *b, const struct json *citation)
{
	struct str title = json_get_text(citation, "title");
	struct citation cited = {
		.url = json_get_text(citation, "url"), .title = title.len ? title : json_get_text(citation, "document_title"),
		.text = json_get_text(citation, "cited_text"), .unit = CITATION_PART_END,
	};

	if (json_kind(citation) == JSON_OBJECT)
		guard_cite(all->guard, block_key(all, b), &cited);
}

static void start_text(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *value)
{
	const struct json *citations = json_get(value, "citations");

	guard_text(all->guard, block_key(all, b), json_raw_text(json_get(value, "text")));
	for (size_t i = 0; i < json_length(citations); i++)
		block_give_citation(all, b, json_at(citations, i));
}

static void start_thinking(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *value)
{
	guard_reasoning(all->guard, block_key(all, b), json_raw_text(json_get(value, "thinking")));
	block_hold(all, &b->streamed, json_get_text(value, "signature"));
}

static void start_redacted(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *value)
{
	struct str data = json_get_text(value, "data");

	(void)b;
	if (data.len)
		guard_opaque(all->guard, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_REDACTED, data);
}

static void start_tool(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *value)
{
	struct buf scratch = { 0 };

	b->tool = guard_tool_begin(all->guard, decode_id(value, "id", &scratch), json_get_text(value, "name"));
	block_hold(all, &b->start, decode_arguments(json_get(value, "input"), &scratch));
	buf_fini(&scratch);
}

/* The streamed input replaces the input in its start. */
static void start_server_tool(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *value)
{
	struct buf whole = { 0 }, input = { 0 };

	decode_dump_without(value, "input", &whole);
	if (json_get(value, "input"))
		json_dump(json_get(value, "input"), &input);
	else
		buf_add_z(&input, "{}");
	buf_insert(&whole, whole.len - 1, STR(",\"input\":"));
	b->input_at = whole.len - 1;
	b->input_len = input.len;
	buf_insert(&whole, b->input_at, buf_str(&input));
	b->tool = guard_server_tool_begin(all->guard, json_get_text(value, "id"), json_get_text(value, "name"));
	block_hold(all, &b->start, buf_str(&whole));
	buf_fini(&whole);
	buf_fini(&input);
}

/* The call that a result is of. A turn that was continued has results of calls that are not in it: they are known by the block's type. */
static unsigned called_tool(struct anthropic_blocks *all, const struct json *value)
{
	struct str id = json_get_text(value, "tool_use_id"), type = json_get_text(value, "type");
	unsigned i = 0, count = (unsigned)guard_server_tool_count(all->guard);

	while (i < count && !(guard_server_tool_open(all->guard, i) && str_equal(guard_server_tool_id(all->guard, i), id)))
		i++;
	return i < count ? i : guard_server_tool_begin(all->guard, id, str_head(type, type.len - STR(ANY_RESULT).len));
}

static bool is_failed_result(const struct json *value, const struct json *content)
{
	double code = 0;
	bool is_error = false;

	return (json_flag(json_get(value, "is_error"), &is_error) && is_error) || str_ends(json_get_text(content, "type"), "_error") ||
	       (json_number(json_get(content, "return_code"), &code) && (code < 0 || code > 0));
}

static void give_result(struct anthropic_blocks *all, const struct json *value)
{
	const struct json *content = json_get(value, "content"), *files = json_get(content, "content");
	unsigned tool = called_tool(all, value);

	decode_output(all->guard, tool, content);
	guard_server_tool_state(all->guard, tool, is_failed_result(value, content) ? SERVER_TOOL_FAILED : SERVER_TOOL_COMPLETED);
	guard_server_tool_end(all->guard, tool);
	for (size_t i = 0; i < json_length(files); i++)
		if (json_get_text(json_at(files, i), "file_id").len)
			guard_media_named(all->guard, json_get_text(json_at(files, i), "file_id"), STR_NONE);
}

/* Results of server tools arrive whole. */
static void start_result(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *value)
{
	struct buf whole = { 0 };

	(void)b;
	give_result(all, value);
	json_dump(value, &whole);
	guard_opaque(all->guard, GUARD_NEW_PART, -1, OPAQUE_ANTHROPIC_BLOCK, buf_str(&whole));
	buf_fini(&whole);
}

static void start_upload(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *value)
{
	struct str id = json_get_text(value, "file_id");

	(void)b;
	if (id.len)
		guard_media_named(all->guard, id, STR_NONE);
}

/* Blocks of other types, such as `fallback`, are neither shown nor sent back. */
static const struct starter {
	const char *type;
	enum block_kind kind;
	void (*start)(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *value);
} starters[] = {
	{ "text", BLOCK_TEXT, start_text },
	{ "thinking", BLOCK_THINKING, start_thinking },
	{ "redacted_thinking", BLOCK_OTHER, start_redacted },
	{ "tool_use", BLOCK_TOOL, start_tool },
	{ "server_tool_use", BLOCK_SERVER, start_server_tool },
	{ "mcp_tool_use", BLOCK_SERVER, start_server_tool },
	{ "container_upload", BLOCK_OTHER, start_upload },
	{ ANY_RESULT, BLOCK_OTHER, start_result },
};

/* A repeated start is the same call. */
static bool is_repeated(const struct anthropic_blocks *all, const struct anthropic_block *b, const struct json *value)
{
	struct str id = json_get_text(value, "id");

	if (!b || b->stopped || !id.len || (b->kind != BLOCK_TOOL && b->kind != BLOCK_SERVER))
		return false;
	return str_equal(id, b->kind == BLOCK_TOOL ? guard_tool_id(all->guard, b->tool) : guard_server_tool_id(all->guard, b->tool));
}

/* NULL if there are too many. `value` is NULL for a block without a start. */
static struct anthropic_block *start_block(struct anthropic_blocks *all, int64_t index, struct str type, const struct json *value)
{
	const struct starter *starter = DECODE_ROW(starters, str_ends(type, ANY_RESULT) ? STR(ANY_RESULT) : type);
	struct anthropic_block *b = find_block(all, index);

	if (is_repeated(all, b, value))
		return b;
	b = block_add(all, index, starter ? starter->kind : BLOCK_OTHER);
	if (b && starter)
		starter->start(all, b, value);
	return b;
}

void anthropic_blocks_start(struct anthropic_blocks *all, int64_t index, const struct json *value)
{
	start_block(all, index, json_get_text(value, "type"), value);
}

/* --- deltas --- */

static void delta_text(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *delta)
{
	guard_text(all->guard, block_key(all, b), json_raw_text(json_get(delta, "text")));
}

static void delta_thinking(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *delta)
{
	guard_reasoning(all->guard, block_key(all, b), json_raw_text(json_get(delta, "thinking")));
}

/* A signature arrives whole; a later one replaces it. */
static void delta_signature(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *delta)
{
	struct str signature = json_get_text(delta, "signature");

	if (!signature.len || b->stopped || b->kind != BLOCK_THINKING)
		return;
	all->held -= b->streamed.len;
	buf_clear(&b->streamed);
	block_hold(all, &b->streamed, signature);
}

static void delta_input(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *delta)
{
	struct buf scratch = { 0 };

	if (b->stopped || (b->kind != BLOCK_TOOL && b->kind != BLOCK_SERVER))
		return;
	struct str piece = decode_arguments(json_get(delta, "partial_json"), &scratch);
	if (b->kind == BLOCK_SERVER) {
		guard_server_tool_input(all->guard, b->tool, piece);
		block_hold(all, &b->streamed, piece);
	} else {
		guard_tool_arguments(all->guard, b->tool, piece);
	}
	buf_fini(&scratch);
}

static void delta_citation(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *delta)
{
	block_give_citation(all, b, json_get(delta, "citation"));
}

static const struct delta_type {
	const char *type;
	const char *block; /* the type of the block to start if none has its index */
	void (*take)(struct anthropic_blocks *all, struct anthropic_block *b, const struct json *delta);
} delta_types[] = {
	{ "text_delta", "text", delta_text },
	{ "thinking_delta", "thinking", delta_thinking },
	{ "signature_delta", "thinking", delta_signature },
	{ "input_json_delta", "tool_use", delta_input },
	{ "citations_delta", "text", delta_citation },
};

void anthropic_blocks_delta(struct anthropic_blocks *all, int64_t index, const struct json *delta)
{
	const struct delta_type *type = DECODE_ROW(delta_types, json_get_text(delta, "type"));
	struct anthropic_block *b = type ? find_block(all, index) : NULL;

	if (type && !b)
		b = start_block(all, index, str_from(type->block), NULL);
	if (b)
		type->take(all, b, delta);
}
