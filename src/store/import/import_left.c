/* What an import leaves out, counted by kind (import.h). */
#include "store/import/import.h"

#include <string.h>

static const char *const kinds[] = {
#define X(upper, words) [IMPORT_LEFT_##upper] = words,
	IMPORT_LEFT_KINDS(X)
#undef X
};

/* The entry of that kind and name, a new one if there is none. The last one takes what finds no room. */
static struct import_left *left_of(struct import_lefts *lefts, enum import_left_kind kind, const char *name)
{
	for (size_t i = 0; i < lefts->count; i++)
		if (lefts->at[i].kind == kind && !strcmp(lefts->at[i].name, name))
			return &lefts->at[i];
	if (kind != IMPORT_LEFT_OTHER && lefts->count >= IMPORT_LEFT_MOST - 1)
		return left_of(lefts, IMPORT_LEFT_OTHER, "");
	lefts->at[lefts->count] = (struct import_left){ .kind = kind };
	strcpy(lefts->at[lefts->count].name, name);
	return &lefts->at[lefts->count++];
}

void import_leave(struct import_lefts *lefts, enum import_left_kind kind, struct str name)
{
	char safe[sizeof lefts->at->name] = "";
	size_t length = 0;

	for (; length < name.len && length < sizeof safe - 1; length++)
		safe[length] = char_is_word(name.ptr[length]) || strchr("_-./", name.ptr[length]) ? name.ptr[length] : '?';
	left_of(lefts, kind, safe)->count++;
}

void import_leave_all(struct import_lefts *lefts, const struct import_lefts *more)
{
	for (size_t i = 0; i < more->count; i++)
		left_of(lefts, more->at[i].kind, more->at[i].name)->count += more->at[i].count;
}

void import_lefts_write(const struct import_lefts *lefts, struct buf *out)
{
	for (size_t i = 0; i < lefts->count; i++) {
		const struct import_left *left = &lefts->at[i];
		const char *fill = left->count == 1 ? "" : "s";

		buf_printf(out, "%s%zu ", i ? ", " : "", left->count);
		for (const char *c = kinds[left->kind]; *c; c++) {
			if (*c != '*') {
				buf_add_byte(out, *c);
				continue;
			}
			buf_add_z(out, fill);
			fill = left->name;
		}
	}
}
