#include "render/markdown/markdown_definitions.h"

#include "base/mem.h"

#define SLOTS_FIRST 16

void definitions_init(struct definitions *d)
{
	*d = (struct definitions){ 0 };
}

void definitions_fini(struct definitions *d)
{
	mem_free(d->all);
	mem_free(d->slots);
	definitions_init(d);
}

/* The next byte of a label in normal form (blanks collapsed, lower case); -1 at the end. */
static int next_byte(struct str *label)
{
	char c;

	if (!label->len)
		return -1;
	c = label->ptr[0];
	if (!char_is_blank(c)) {
		*label = str_skip(*label, 1);
		return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : (unsigned char)c;
	}
	*label = str_trim_start(*label);
	return ' ';
}

static uint32_t hash_of_label(struct str label)
{
	uint32_t hash = 2166136261u;

	label = str_trim(label);
	for (int c = next_byte(&label); c >= 0; c = next_byte(&label))
		hash = (hash ^ (uint32_t)c) * 16777619u;
	return hash;
}

static bool is_same(struct str a, struct str b)
{
	int left, right;

	a = str_trim(a);
	b = str_trim(b);
	do {
		left = next_byte(&a);
		right = next_byte(&b);
	} while (left == right && left >= 0);
	return left == right;
}

static struct str label_of(const struct definition *one, struct str text)
{
	return str_of(text.ptr + one->label, one->label_length);
}

/* The slot of a label, or the free slot for it. */
static uint32_t *slot_of_label(const struct definitions *d, size_t count, struct str text, struct str label)
{
	size_t at = hash_of_label(label) & (d->slot_count - 1);

	while (d->slots[at] && d->slots[at] <= count && !is_same(label_of(&d->all[d->slots[at] - 1], text), label))
		at = (at + 1) & (d->slot_count - 1);
	return &d->slots[at];
}

static void make_slots(struct definitions *d, size_t count, struct str text)
{
	mem_free(d->slots);
	d->slot_count = d->slot_count ? d->slot_count * 2 : SLOTS_FIRST;
	d->slots = mem_new(d->slot_count * sizeof *d->slots);
	for (size_t i = 0; i < count; i++)
		*slot_of_label(d, i, text, label_of(&d->all[i], text)) = (uint32_t)i + 1;
}

bool definitions_add(struct definitions *d, size_t count, struct str text, const struct line_definition *line)
{
	uint32_t *slot;

	if (count >= UINT32_MAX / 4)
		return false;
	if ((count + 1) * 2 > d->slot_count)
		make_slots(d, count, text);
	slot = slot_of_label(d, count, text, line->label);
	if (*slot && *slot <= count)
		return false;
	mem_reserve(&d->all, &d->capacity, count + 1, sizeof *d->all);
	d->all[count] = (struct definition){
		.label = (size_t)(line->label.ptr - text.ptr), .label_length = (uint32_t)line->label.len,
		.destination = (size_t)(line->destination.ptr - text.ptr), .destination_length = (uint32_t)line->destination.len,
	};
	*slot = (uint32_t)count + 1;
	return true;
}

bool definitions_find(const struct definitions *d, size_t count, struct str text, struct str label, struct str *destination)
{
	const struct definition *one;
	uint32_t number;

	if (!count || str_is_blank(label))
		return false;
	number = *slot_of_label(d, count, text, label);
	if (!number || number > count)
		return false;
	one = &d->all[number - 1];
	*destination = str_of(text.ptr + one->destination, one->destination_length);
	return true;
}
