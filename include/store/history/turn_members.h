/*
 * What is kept of a turn beside its lists: one row for each member, with its name, its type and its place in struct turn. The rows are the
 * columns of the history and the members of its JSON export, so a new row is stored, exported and imported.
 */
#ifndef WEIR_STORE_TURN_MEMBERS_H
#define WEIR_STORE_TURN_MEMBERS_H

#include "base/text.h"
#include "wire/outcome.h"
#include "wire/part.h"

struct buf;
struct meter;
struct turn;

/* MEMBER_PATH is a text that names a file of this machine: it is neither exported nor imported. */
enum member_type { MEMBER_TEXT, MEMBER_PATH, MEMBER_BOOL, MEMBER_INT, MEMBER_SIZE, MEMBER_REAL, MEMBER_COUNT, MEMBER_INT64, MEMBER_MONEY,
                   MEMBER_TIME };

struct turn_member {
	const char *name;
	enum member_type type;
	size_t at; /* in struct turn */
};
#define TURN_MEMBERS_MOST 96

extern const struct turn_member turn_members[];
extern const size_t turn_member_count;

/*
 * The member of a turn. The pointer has the type of the row: char * for both texts, bool, int, size_t, double, struct count, int64_t, struct money,
 * time_t.
 */
static inline const void *turn_member_of(const struct turn *t, const struct turn_member *m)
{
	return (const char *)t + m->at;
}

static inline void *turn_member_to(struct turn *t, const struct turn_member *m)
{
	return (char *)t + m->at;
}

/* The meter's figures as words, for what pages show of a turn that is over. Writes nothing for one that never began. */
void turn_meter_write(const struct meter *m, struct buf *out);
void turn_meter_read(struct meter *m, struct str text);

const char *turn_part_name(enum part_kind kind); /* "tool_call" */
bool turn_part_find(struct str name, enum part_kind *kind);
bool turn_outcome_find(struct str name, enum outcome *outcome);

/* Brings the places that a turn keeps in its parts within them. For turns that come from outside. */
void turn_bound_places(struct turn *t);

#endif
