#include "chat/player/turn_mark.h"

#include "base/mem.h"
#include "chat/conversation/turn.h"

struct turn_mark {
	struct turn turn;  /* owns its strings and lists; its parts have no text, but for those of mark_keeps_text() */
	size_t *lengths;   /* of the texts of its parts */
	size_t bytes;
};

#define STRINGS 8
#define NAMES_BYTES 64 /* of a part, about */

/* The strings that deltas and the end of an answer set. */
static void mark_strings(struct turn *t, char **strings[STRINGS])
{
	char **const all[STRINGS] = { &t->id, &t->model, &t->routed_model, &t->finish_reason, &t->error_message, &t->error_type,
	                              &t->error_code, &t->details };

	for (size_t i = 0; i < STRINGS; i++)
		strings[i] = all[i];
}

/* What is not behind a pointer. */
static void mark_copy_values(const struct turn *from, struct turn *to)
{
	to->routed_known = from->routed_known;
	to->route = from->route;
	to->usage = from->usage;
	to->reported = from->reported;
	to->prices = from->prices;
	to->prices_from = from->prices_from;
	to->meter = from->meter;
	to->has_error = from->has_error;
	to->error_status = from->error_status;
	to->open_from = from->open_from;
	to->ended = from->ended;
	to->outcome = from->outcome;
	to->ended_ms = from->ended_ms;
	to->restarted_at = from->restarted_at;
	to->model_unknown = from->model_unknown;
}

/* --- parts --- */

/* At their end these may have another text than their fragments made, and there may be no text of which it is the beginning. */
static bool mark_keeps_text(const struct part *p)
{
	return p->kind == PART_MEDIA || p->kind == PART_SERVER_TOOL || p->kind == PART_SERVER_RESULT;
}

/* All of it; of most kinds but the text, which `to` keeps. */
static void mark_copy_part(const struct part *from, struct part *to)
{
	part_copy(from, to);
	if (!mark_keeps_text(from))
		return;
	buf_clear(&to->text);
	buf_add(&to->text, buf_str(&from->text));
}

/* The text of a call may be another one at its end than what its fragments made. */
static void mark_set_text(struct part *p, size_t length, struct str whole)
{
	if (p->kind == PART_TOOL_CALL)
		buf_clear(&p->text);
	if (p->text.len > length)
		buf_remove(&p->text, length, p->text.len - length);
	else
		buf_add(&p->text, str_head(str_skip(whole, p->text.len), length - p->text.len));
}

static void mark_return_parts(const struct turn_mark *mark, struct turn *t, turn_mark_text *text, void *ctx)
{
	const struct turn *from = &mark->turn;

	while (t->part_count > from->part_count)
		part_fini(&t->parts[--t->part_count]);
	mem_reserve(&t->parts, &t->part_capacity, from->part_count, sizeof *t->parts);
	for (size_t i = 0; i < from->part_count; i++) {
		struct part *p = &t->parts[i];

		if (i == t->part_count)
			t->parts[t->part_count++] = (struct part){ .kind = from->parts[i].kind };
		mark_copy_part(&from->parts[i], p);
		if (!mark_keeps_text(p))
			mark_set_text(p, mark->lengths[i], text(ctx, i, p->open));
	}
}

/* --- marks --- */

struct turn_mark *turn_mark_new(const struct turn *t)
{
	struct turn_mark *mark = mem_new(sizeof *mark);
	struct turn from = *t;
	char **own[STRINGS], **theirs[STRINGS];

	mark_copy_values(t, &mark->turn);
	mark_strings(&mark->turn, own);
	mark_strings(&from, theirs);
	for (size_t i = 0; i < STRINGS; i++)
		*own[i] = mem_dup_z(*theirs[i]);
	mark->turn.parts = mem_new((t->part_count + 1) * sizeof *t->parts);
	mark->turn.part_count = t->part_count;
	mark->lengths = mem_new((t->part_count + 1) * sizeof *mark->lengths);
	for (size_t i = 0; i < t->part_count; i++) {
		mark_copy_part(&t->parts[i], &mark->turn.parts[i]);
		mark->lengths[i] = t->parts[i].text.len;
	}
	turn_copy_notes(t, &mark->turn);
	citations_copy(&t->citations, &mark->turn.citations);
	mark->bytes = sizeof *mark + (t->part_count + 1) * (sizeof *t->parts + sizeof *mark->lengths + NAMES_BYTES) +
	              t->note_count * sizeof *t->notes +
	              t->citations.source_count * sizeof *t->citations.sources + t->citations.place_count * sizeof *t->citations.places;
	for (size_t i = 0; i < t->part_count; i++)
		mark->bytes += blob_str(mark->turn.parts[i].data).len + mark->turn.parts[i].text.len;
	return mark;
}

void turn_mark_free(struct turn_mark *mark)
{
	char **strings[STRINGS];

	if (!mark)
		return;
	mark_strings(&mark->turn, strings);
	for (size_t i = 0; i < STRINGS; i++)
		mem_free(*strings[i]);
	for (size_t i = 0; i < mark->turn.part_count; i++)
		part_fini(&mark->turn.parts[i]);
	mem_free(mark->turn.parts);
	mem_free(mark->lengths);
	turn_drop_notes(&mark->turn);
	citations_fini(&mark->turn.citations);
	mem_free(mark);
}

size_t turn_mark_bytes(const struct turn_mark *mark)
{
	return mark->bytes;
}

void turn_mark_return(const struct turn_mark *mark, struct turn *t, turn_mark_text *text, void *ctx)
{
	struct turn from = mark->turn;
	char **own[STRINGS], **theirs[STRINGS];

	mark_strings(t, own);
	mark_strings(&from, theirs);
	for (size_t i = 0; i < STRINGS; i++)
		str_replace(own[i], str_from(*theirs[i]));
	mark_copy_values(&mark->turn, t);
	t->route.routed_model = str_from(t->routed_model);
	mark_return_parts(mark, t, text, ctx);
	turn_drop_notes(t);
	turn_copy_notes(&mark->turn, t);
	citations_fini(&t->citations);
	citations_copy(&mark->turn.citations, &t->citations);
	t->revision++;
	t->rewinds++;
}
