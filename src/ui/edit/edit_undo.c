#include "ui/edit/edit_undo.h"

#include <string.h>

#include "base/least.h"
#include "base/mem.h"

#define BYTES_LIMIT ((size_t)48 << 20)
#define TEXT_LIMIT ((size_t)32 << 20) /* for `removed` and `inserted` each; an editor's text is smaller */

void undo_init(struct undo *u)
{
	*u = (struct undo){ .closed = true };
}

static size_t undo_cost(const struct undo_change *change)
{
	return sizeof *change + change->removed.capacity + change->inserted.capacity;
}

static void undo_drop(struct undo *u, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		u->bytes -= undo_cost(&u->changes[i]);
		buf_fini(&u->changes[i].removed);
		buf_fini(&u->changes[i].inserted);
	}
	memmove(u->changes + from, u->changes + to, (u->count - to) * sizeof *u->changes);
	u->count -= to - from;
}

void undo_clear(struct undo *u)
{
	if (u->count)
		undo_drop(u, 0, u->count);
	u->done = 0;
	u->closed = true;
}

void undo_fini(struct undo *u)
{
	undo_clear(u);
	mem_free(u->changes);
	undo_init(u);
}

void undo_close(struct undo *u)
{
	u->closed = true;
}

void undo_group(struct undo *u)
{
	u->group = ++u->groups;
}

void undo_ungroup(struct undo *u)
{
	u->group = 0;
	u->closed = true;
}

bool undo_goes_on(const struct undo *u)
{
	unsigned group = u->done && u->done < u->count ? u->changes[u->done].group : 0;

	return group && group == u->changes[u->done - 1].group;
}

static bool is_blank_at_end(struct str text)
{
	return text.len && char_is_blank(text.ptr[text.len - 1]);
}

/* Adds a change to the group of the previous one. False when it starts a new group. */
static bool undo_join(struct undo *u, enum undo_kind kind, size_t at, struct str removed, struct str inserted)
{
	struct undo_change *last = u->done ? &u->changes[u->done - 1] : NULL;
	size_t before;
	bool joined = false;

	if (!last || u->closed || kind == UNDO_ALONE || last->kind != kind || last->group != u->group)
		return false;
	before = undo_cost(last);
	if (kind == UNDO_TYPED) {
		bool new_word = is_blank_at_end(buf_str(&last->inserted)) && !char_is_blank(inserted.ptr[0]);

		joined = at == last->at + last->inserted.len && !new_word && buf_add(&last->inserted, inserted);
	} else if (at + removed.len == last->at) {
		buf_insert(&last->removed, 0, removed);
		last->at = at;
		joined = true;
	} else if (at == last->at) {
		joined = buf_add(&last->removed, removed);
	}
	u->bytes += undo_cost(last) - before;
	return joined;
}

static void undo_drop_oldest(struct undo *u)
{
	size_t many = 0, bytes = u->bytes;

	while (many + 1 < u->count && bytes > BYTES_LIMIT)
		bytes -= undo_cost(&u->changes[many++]);
	if (!many)
		return;
	if (many < u->count / 4) /* drop a quarter at once: each drop moves all remaining changes */
		many = u->count / 4;
	undo_drop(u, 0, many);
	u->done -= many;
}

void undo_add(struct undo *u, enum undo_kind kind, size_t at, size_t cursor, struct undo_text removed, struct undo_text inserted)
{
	struct undo_change *change;

	if (u->done < u->count) {
		undo_drop(u, u->done, u->count);
		u->closed = true;
	}
	if (!removed.text.len && !inserted.text.len)
		return;
	if (undo_join(u, kind, at, removed.text, inserted.text)) {
		change = &u->changes[u->done - 1];
		change->removed_origin = least(change->removed_origin, removed.origin);
		change->inserted_origin = least(change->inserted_origin, inserted.origin);
		return;
	}
	change = ARRAY_ADD(u->changes, u->count, u->capacity);
	*change = (struct undo_change){ .kind = kind, .group = u->group, .at = at, .cursor = cursor, .removed_origin = removed.origin,
	                                .inserted_origin = inserted.origin };
	buf_init(&change->removed, TEXT_LIMIT);
	buf_init(&change->inserted, TEXT_LIMIT);
	buf_add(&change->removed, removed.text);
	buf_add(&change->inserted, inserted.text);
	u->bytes += undo_cost(change);
	u->done = u->count;
	u->closed = false;
	undo_drop_oldest(u);
}

const struct undo_change *undo_step_back(struct undo *u)
{
	u->closed = true;
	return u->done ? &u->changes[--u->done] : NULL;
}

const struct undo_change *undo_step_forward(struct undo *u)
{
	u->closed = true;
	return u->done < u->count ? &u->changes[u->done++] : NULL;
}
