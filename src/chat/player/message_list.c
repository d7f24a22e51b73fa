#include "chat/player/message_list.h"

#include "base/mem.h"
#include "wire/mcp/said.h"

struct message_list {
	delta_sink *sink;
	void *ctx;
	struct said *said;
	bool begun;
	double at_ms;
};

struct message_list *message_list_new(delta_sink *sink, void *ctx)
{
	struct message_list *l = mem_new(sizeof *l);

	*l = (struct message_list){ .sink = sink, .ctx = ctx, .said = said_new() };
	return l;
}

void message_list_free(struct message_list *l)
{
	if (!l)
		return;
	said_free(l->said);
	mem_free(l);
}

static void list_give(const struct message_list *l, struct delta delta)
{
	delta.at_ms = l->at_ms;
	l->sink(l->ctx, &delta);
}

/* A block of code keeps columns, and nothing in it is markup. */
static void list_begin(struct message_list *l)
{
	if (l->begun)
		return;
	l->begun = true;
	list_give(l, (struct delta){ .kind = DELTA_BEGIN });
	list_give(l, (struct delta){ .kind = DELTA_TEXT, .text = STR("```\n") });
}

static void list_add(struct message_list *l, bool sent, struct str message)
{
	struct buf line = { 0 };

	list_begin(l);
	buf_add_z(&line, sent ? "client  " : "server  ");
	(void)said_read(l->said, sent, message, true, &line);
	buf_add_byte(&line, '\n');
	list_give(l, (struct delta){ .kind = DELTA_TEXT, .text = buf_str(&line) });
	buf_fini(&line);
}

static void list_end(struct message_list *l, enum end_how how)
{
	static const enum outcome outcomes[] = {
		[END_CLOSED] = OUTCOME_COMPLETE, [END_CUT] = OUTCOME_CUT, [END_STALLED] = OUTCOME_STALLED, [END_CANCELLED] = OUTCOME_CANCELLED,
	};

	list_begin(l);
	list_give(l, (struct delta){ .kind = DELTA_END, .end.outcome = outcomes[how] });
}

void message_list_step(struct message_list *l, const struct tape_step *step)
{
	l->at_ms = step->at_ms;
	if (step->kind == TAPE_SENT || step->kind == TAPE_CAME)
		list_add(l, step->kind == TAPE_SENT, step->bytes);
	else if (step->kind == TAPE_END)
		list_end(l, step->how);
}
