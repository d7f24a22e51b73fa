#include "app/ask/ask_conversation.h"

#include "app/keep/request_context.h"
#include "app/keep/resume_tape.h"
#include "app/system/output.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"

#define PATIENCE_MS 5000

/* --- reading --- */

static const char **stored_text_at(struct history_conversation *facts, size_t index)
{
	const char **texts[] = { &facts->provider, &facts->model, &facts->protocol, &facts->system_prompt, &facts->parameters, &facts->tools,
		&facts->schema };

	return index < sizeof texts / sizeof *texts ? texts[index] : NULL;
}

static bool ask_conversation_copy(void *ctx, const struct history_conversation *c)
{
	struct ask_conversation *s = ctx;
	struct history_conversation from = *c;

	s->facts = (struct history_conversation){ .leaf = c->leaf };
	for (size_t i = 0; stored_text_at(&from, i); i++)
		*stored_text_at(&s->facts, i) = mem_dup_z(*stored_text_at(&from, i));
	return false;
}

struct node { int64_t id, parent; enum turn_role role; bool ended; };
struct nodes { struct node *at; size_t count, capacity; };

static bool ask_conversation_add_node(void *ctx, const struct history_node *node)
{
	struct nodes *nodes = ctx;

	if (history_node_is_aside(node))
		return true;
	mem_reserve(&nodes->at, &nodes->capacity, nodes->count + 1, sizeof *nodes->at);
	nodes->at[nodes->count++] = (struct node){ node->id, node->parent, node->role, node->ended };
	return true;
}

static bool nodes_have(const struct nodes *nodes, int64_t id)
{
	for (size_t i = nodes->count; i > 0; i--)
		if (nodes->at[i - 1].id == id)
			return true;
	return false;
}

/*
 * A node follows its parent in `nodes`, so one pass backwards finds the path from the leaf to the root and moves it to the front of `nodes`.
 * If the leaf does not exist any more, the newest node takes its place.
 */
static void nodes_keep_path(struct nodes *nodes, int64_t leaf)
{
	size_t first = nodes->count;

	if (nodes->count && !nodes_have(nodes, leaf))
		leaf = nodes->at[nodes->count - 1].id;
	for (size_t i = nodes->count; i > 0; i--)
		if (nodes->at[i - 1].id == leaf) {
			leaf = nodes->at[i - 1].parent;
			nodes->at[--first] = nodes->at[i - 1];
		}
	nodes->count -= first;
	for (size_t i = 0; i < nodes->count; i++)
		nodes->at[i] = nodes->at[first + i];
}

static enum history_status ask_conversation_read_turns(struct ask_conversation *s, struct history *h, const struct nodes *nodes, struct error *err)
{
	enum history_status status = HISTORY_OK;
	struct turn *t = NULL;

	for (size_t i = 0; status == HISTORY_OK && i < nodes->count; i++) {
		t = conversation_add(s->conversation, t, nodes->at[i].role);
		if (t->role == TURN_ASSISTANT)
			turn_set_origin(t, STR(""), NULL, STR(""));
		status = history_read_turn(h, nodes->at[i].id, t, err);
		t->stored = nodes->at[i].id;
		if (status == HISTORY_OK && !nodes->at[i].ended)
			(void)resume_take_tape(t);
	}
	if (t)
		conversation_select(s->conversation, t);
	return status;
}

static enum history_status ask_conversation_read_from(struct ask_conversation *s, struct history *h, struct str name, struct error *err)
{
	struct nodes nodes = { .count = 0 };
	enum history_status status = history_find(h, name, &s->row, err);

	if (status == HISTORY_OK)
		status = history_look(h, s->row, ask_conversation_copy, s, err);
	if (status == HISTORY_OK)
		status = history_nodes(h, s->row, ask_conversation_add_node, &nodes, err);
	nodes_keep_path(&nodes, s->facts.leaf);
	if (status == HISTORY_OK)
		status = ask_conversation_read_turns(s, h, &nodes, err);
	mem_free(nodes.at);
	return status;
}

static enum history_status ask_conversation_open(struct history **h, struct error *err)
{
	enum history_status status;

	*h = history_open(PATIENCE_MS, &status, err);
	if (status != HISTORY_OLDER && status != HISTORY_DAMAGED)
		return status;
	status = writer_maintain_here(WRITER_PREPARE, NULL, err);
	if (status == HISTORY_OK)
		*h = history_open(PATIENCE_MS, &status, err);
	return status;
}

static enum history_status ask_conversation_read_once(struct ask_conversation *s, struct str name, struct error *err)
{
	struct history *h;
	enum history_status status = ask_conversation_open(&h, err);

	*s = (struct ask_conversation){ .conversation = conversation_new() };
	if (h)
		status = ask_conversation_read_from(s, h, name, err);
	else if (status == HISTORY_ABSENT)
		error_set(err, "there is no conversation to go on with: nothing is stored yet");
	history_close(h);
	if (status != HISTORY_OK)
		ask_conversation_fini(s);
	return status;
}

bool ask_conversation_read(struct ask_conversation *s, struct str name, struct error *err)
{
	enum history_status status = ask_conversation_read_once(s, name, err);

	if (status == HISTORY_DAMAGED && (status = writer_maintain_here(WRITER_REPAIR, NULL, err)) == HISTORY_OK)
		status = ask_conversation_read_once(s, name, err);
	return status == HISTORY_OK;
}

void ask_conversation_fini(struct ask_conversation *s)
{
	conversation_free(s->conversation);
	for (size_t i = 0; stored_text_at(&s->facts, i); i++)
		mem_free((char *)(uintptr_t)*stored_text_at(&s->facts, i));
}

/* --- using --- */

static void ask_conversation_tell(void *ctx, const char *sentence)
{
	(void)ctx;
	complain("%s", sentence);
}

void ask_conversation_use(const struct ask_conversation *s, struct setup *setup)
{
	request_context_use(setup, &s->facts, true, ask_conversation_tell, NULL);
}

void ask_conversation_describe(struct writer *w, const struct setup *setup)
{
	struct history_conversation lent = { .held = HISTORY_HELD_BY_ASK };
	struct request_context facts = { 0 };

	request_context_take(setup, &facts);
	request_context_lend(&facts, !writer_row(w), &lent);
	writer_describe(w, &lent);
	request_context_fini(&facts);
}
