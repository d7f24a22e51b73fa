/* A tree. Its leaves are strings, which can grow, and literals as sent. */
#include "wire/protocol/gemini_args.h"

#include "base/json_write.h"
#include "base/mem.h"
#include "wire/decode.h"
#include "wire/guard.h"

#define NODES_MAX 8192
#define DEPTH_MAX 64

enum node_kind { NODE_UNSET, NODE_OBJECT, NODE_ARRAY, NODE_TEXT, NODE_LITERAL };

struct node {
	enum node_kind kind;
	char *key; /* in an object */
	struct buf text; /* NODE_TEXT, NODE_LITERAL */
	struct node **children;
	size_t count, capacity;
};

struct gemini_args {
	struct node root;
	size_t nodes;
	size_t bytes;
};

struct gemini_args *gemini_args_new(void)
{
	return mem_new(sizeof(struct gemini_args));
}

static void empty_node(struct gemini_args *args, struct node *node)
{
	for (size_t i = 0; i < node->count; i++) {
		empty_node(args, node->children[i]);
		mem_free(node->children[i]->key);
		mem_free(node->children[i]);
		args->nodes--;
	}
	mem_free(node->children);
	args->bytes -= node->text.len;
	buf_fini(&node->text);
	*node = (struct node){ .key = node->key };
}

void gemini_args_free(struct gemini_args *args)
{
	if (!args)
		return;
	empty_node(args, &args->root);
	mem_free(args);
}

/* Replaces a value of another kind. */
static void set_kind(struct gemini_args *args, struct node *node, enum node_kind kind)
{
	if (node->kind == kind)
		return;
	empty_node(args, node);
	node->kind = kind;
	buf_init(&node->text, GUARD_ARGUMENTS_LIMIT);
}

static bool args_add_text(struct gemini_args *args, struct node *node, struct str text)
{
	if (text.len > GUARD_ARGUMENTS_LIMIT - args->bytes || !buf_add(&node->text, text))
		return false;
	args->bytes += text.len;
	return true;
}

static struct node *add_child(struct gemini_args *args, struct node *parent)
{
	if (args->nodes == NODES_MAX)
		return NULL;
	args->nodes++;
	mem_reserve(&parent->children, &parent->capacity, parent->count + 1, sizeof *parent->children);
	return parent->children[parent->count++] = mem_new(sizeof(struct node));
}

static struct node *child_of_key(struct gemini_args *args, struct node *parent, struct str key)
{
	set_kind(args, parent, NODE_OBJECT);
	for (size_t i = 0; i < parent->count; i++)
		if (str_is(key, parent->children[i]->key))
			return parent->children[i];
	struct node *child = add_child(args, parent);
	if (child)
		child->key = str_dup(key);
	return child;
}

static struct node *child_at(struct gemini_args *args, struct node *parent, long long index)
{
	set_kind(args, parent, NODE_ARRAY);
	while ((long long)parent->count <= index)
		if (!add_child(args, parent))
			return NULL;
	return parent->children[index];
}

/* --- paths --- */

/* `['a']`, `["a"]` or `[0]`, after the opening bracket. */
static struct node *step_bracket(struct gemini_args *args, struct node *node, struct str *rest)
{
	long long index;
	char quote = rest->len ? rest->ptr[0] : '\0';

	if (quote == '\'' || quote == '"') {
		char close[] = { quote, ']', '\0' };
		size_t end = str_find(str_skip(*rest, 1), str_from(close)) + 1;

		if (end >= rest->len)
			return NULL;
		struct str key = str_of(rest->ptr + 1, end - 1);
		*rest = str_skip(*rest, end + 2);
		return child_of_key(args, node, key);
	}
	size_t end = str_find(*rest, STR("]"));
	if (end >= rest->len || !str_to_int(str_head(*rest, end), &index) || index > NODES_MAX)
		return NULL;
	*rest = str_skip(*rest, end + 1);
	return child_at(args, node, index);
}

static struct node *step_name(struct gemini_args *args, struct node *node, struct str *rest)
{
	size_t end = 0;

	while (end < rest->len && rest->ptr[end] != '.' && rest->ptr[end] != '[')
		end++;
	if (!end)
		return NULL;
	struct str key = str_head(*rest, end);
	*rest = str_skip(*rest, end);
	return child_of_key(args, node, key);
}

static struct node *args_walk(struct gemini_args *args, struct str path)
{
	struct node *node = &args->root;

	if (!str_starts(path, "$"))
		return NULL;
	path = str_skip(path, 1);
	for (int depth = 0; node && path.len; depth++) {
		char sign = path.ptr[0];

		path = str_skip(path, 1);
		if (depth == DEPTH_MAX || (sign != '.' && sign != '['))
			return NULL;
		node = sign == '.' ? step_name(args, node, &path) : step_bracket(args, node, &path);
	}
	return node;
}

/* --- pieces --- */

static bool set_literal(struct gemini_args *args, struct node *node, struct str literal)
{
	set_kind(args, node, NODE_UNSET);
	set_kind(args, node, NODE_LITERAL);
	return args_add_text(args, node, literal);
}

static bool args_set_text(struct gemini_args *args, struct node *node, const struct json *value)
{
	set_kind(args, node, NODE_TEXT);
	return args_add_text(args, node, json_text(value));
}

/* A number or a boolean, as sent. */
static bool set_scalar(struct gemini_args *args, struct node *node, const struct json *value)
{
	struct buf scratch = { 0 };
	struct str text;
	bool done = json_kind(value) != JSON_STRING && json_scalar(value, &scratch, &text) && set_literal(args, node, text);

	buf_fini(&scratch);
	return done;
}

static bool set_null(struct gemini_args *args, struct node *node, const struct json *value)
{
	(void)value;
	return set_literal(args, node, STR("null"));
}

static const struct setter {
	const char *member;
	bool (*set)(struct gemini_args *args, struct node *node, const struct json *value);
} setters[] = {
	{ "stringValue", args_set_text },
	{ "numberValue", set_scalar },
	{ "boolValue", set_scalar },
	{ "nullValue", set_null },
};

bool gemini_args_add(struct gemini_args *args, const struct json *piece)
{
	struct json_member member = { 0 };
	bool done = false;

	while (!done && json_next(piece, &member)) {
		const struct setter *setter = DECODE_ROW(setters, member.key);

		if (!setter)
			continue;
		struct node *node = args_walk(args, json_get_text(piece, "jsonPath"));
		if (!node)
			break;
		done = setter->set(args, node, member.value);
	}
	return done;
}

/* --- writing --- */

static void write_node(const struct node *node, bool is_root, struct json_writer *w)
{
	switch (node->kind) {
	case NODE_UNSET:
		json_verbatim(w, is_root ? STR("{}") : STR("null"));
		break;
	case NODE_TEXT:
		json_string(w, buf_str(&node->text));
		break;
	case NODE_LITERAL:
		json_verbatim(w, node->text.len ? buf_str(&node->text) : STR("null"));
		break;
	case NODE_OBJECT:
		json_open_object(w);
		for (size_t i = 0; i < node->count; i++) {
			json_key(w, node->children[i]->key);
			write_node(node->children[i], false, w);
		}
		json_close_object(w);
		break;
	case NODE_ARRAY:
		json_open_array(w);
		for (size_t i = 0; i < node->count; i++)
			write_node(node->children[i], false, w);
		json_close_array(w);
		break;
	}
}

void gemini_args_write(const struct gemini_args *args, struct buf *out)
{
	struct json_writer writer;

	json_writer_init(&writer, out);
	write_node(&args->root, true, &writer);
}
