/*
 * The shape of objects: which members they have, and of which kind. A shape is a text, so that a table of them can be read beside the
 * document of a protocol:
 *
 *   "id:s! usage:o? index:c"        members, each with its kinds; blanks between
 *
 * Kinds: s string, c count (a whole number from 0), n number, b boolean, a array, o object, v any. "?" it may be null. "!" it is never absent,
 * "+" nor is it an empty text.
 * A member that is not named may be anything.
 */
#ifndef WEIR_WIRE_LINT_SHAPE_H
#define WEIR_WIRE_LINT_SHAPE_H

#include "base/json.h"

struct lint;

/* Rows of objects that are told apart by a word, such as the type of an event. A row whose word begins with '*' is of all that end so. */
struct lint_shape { const char *word, *members; };
const char *lint_shape_of(const struct lint_shape *rows, size_t count, struct str word); /* NULL: there is none */
#define LINT_SHAPE_OF(rows, word) lint_shape_of(rows, sizeof (rows) / sizeof *(rows), word)

/*
 * What a rule is about: members of another kind than their shape says, which null is not, or members that are absent or null and must not
 * be. `what` names the object in messages. A shape that is NULL says nothing; an object that is none has no members.
 */
enum lint_fault { LINT_WRONG_KIND, LINT_LACKING };
void lint_check_shape(struct lint *l, enum lint_fault fault, const char *what, const struct json *object, const char *shape);
/* The same for each element of an array, which must be an object. */
void lint_check_shapes(struct lint *l, enum lint_fault fault, const char *what, const struct json *array, const char *shape);

/* Reports a text that is none of some words, with blanks between; an empty one is. */
void lint_check_word(struct lint *l, const char *what, struct str text, const char *words);

#endif
