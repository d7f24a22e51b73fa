#include "store/history/found.h"

#include "base/mem.h"

#define SLOTS_FIRST ((size_t)256)

void found_fini(struct found *f)
{
	mem_free(f->pieces);
	mem_free(f->conversations);
	mem_free(f->slots);
	*f = (struct found){ .count = 0 };
}

static size_t *find_slot(const struct found *f, int64_t conversation)
{
	size_t at = (size_t)((uint64_t)conversation * 0x9E3779B97F4A7C15u >> 32) & (f->slot_count - 1);

	while (f->slots[at] && f->conversations[f->slots[at] - 1].id != conversation)
		at = (at + 1) & (f->slot_count - 1);
	return &f->slots[at];
}

static void found_grow(struct found *f)
{
	mem_free(f->slots);
	f->slot_count = f->slot_count ? 2 * f->slot_count : SLOTS_FIRST;
	f->slots = mem_new(f->slot_count * sizeof *f->slots);
	for (size_t i = 0; i < f->count; i++)
		*find_slot(f, f->conversations[i].id) = i + 1;
}

struct found_conversation *found_in(const struct found *f, int64_t conversation)
{
	size_t place = f->slot_count ? *find_slot(f, conversation) : 0;

	return place ? &f->conversations[place - 1] : NULL;
}

static struct found_conversation *found_make(struct found *f, int64_t conversation)
{
	struct found_conversation *known = found_in(f, conversation);

	if (known)
		return known;
	if (2 * (f->count + 1) > f->slot_count)
		found_grow(f);
	mem_reserve(&f->conversations, &f->capacity, f->count + 1, sizeof *f->conversations);
	f->conversations[f->count] = (struct found_conversation){ .id = conversation };
	*find_slot(f, conversation) = f->count + 1;
	return &f->conversations[f->count++];
}

void found_add(struct found *f, int64_t conversation, int64_t piece, bool is_sure)
{
	struct found_conversation *c = found_make(f, conversation);

	*ARRAY_ADD(f->pieces, f->piece_count, f->piece_capacity) = (struct found_piece){ .piece = piece, .is_sure = is_sure };
	if (c->last)
		f->pieces[c->last - 1].next = f->piece_count;
	else
		c->first = f->piece_count;
	c->last = f->piece_count;
}

bool found_visit(struct found *f, int64_t conversation)
{
	struct found_conversation *c = found_make(f, conversation);
	bool is_new = !c->is_visited;

	c->is_visited = true;
	return is_new;
}
