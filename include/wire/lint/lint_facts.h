/* What rules compare with: members of objects, texts, sets of numbers, words for messages. And the dialects as bits. */
#ifndef WEIR_WIRE_LINT_FACTS_H
#define WEIR_WIRE_LINT_FACTS_H

#include "base/json_scan.h"
#include "wire/protocol/protocol.h"

/* The dialects, as bits. */
#define LINT_DIALECTS(X) X(SANSA, "sansa") X(CHUIZI, "chuizi") X(AIVENE, "aivene") X(RUNTIME, "runtime") X(OPENTOKEN, "opentoken") \
	X(GENERIC, "generic")
#define LINT_DIALECT_AT(upper, name) LINT_##upper##_AT,
enum { LINT_DIALECTS(LINT_DIALECT_AT) LINT_DIALECT_COUNT };
#undef LINT_DIALECT_AT
#define LINT_DIALECT_BIT(upper, name) LINT_##upper = 1u << LINT_##upper##_AT,
enum { LINT_DIALECTS(LINT_DIALECT_BIT) LINT_EVERY = (1u << LINT_DIALECT_COUNT) - 1 };
#undef LINT_DIALECT_BIT

const struct dialect *lint_dialect_at(unsigned index); /* by the bits above; NULL after the last */

/* A text as its length and hash: enough to compare, without keeping it. */
struct lint_print { size_t len; uint64_t hash; };
struct lint_print lint_print(struct str text);
struct lint_print lint_print_more(struct lint_print before, struct str text); /* of the text before with this one behind it */
bool lint_print_equal(struct lint_print a, struct lint_print b);
bool lint_print_differs(struct lint_print before, struct str text); /* neither is empty, and they are not equal */

/* The newest of some texts. */
#define LINT_PRINTS_MOST 64
struct lint_prints { struct lint_print all[LINT_PRINTS_MOST]; size_t count; };
bool lint_prints_has(const struct lint_prints *prints, struct str text);
void lint_prints_add(struct lint_prints *prints, struct str text); /* unless it is empty or there already */

/* Members of an object by name, with null told from absent. */
struct lint_member { bool present; const struct json *value; }; /* value: NULL for null */
void lint_take(const struct json *object, const char *const *keys, size_t count, struct lint_member *members, size_t *others);

/* A finite set of small numbers. */
#define LINT_SET_MOST 128
struct lint_set { uint64_t bits[LINT_SET_MOST / 64]; };
bool lint_set_has(const struct lint_set *set, int64_t number);
void lint_set_add(struct lint_set *set, int64_t number); /* numbers out of range are ignored */
size_t lint_set_count(const struct lint_set *set);

/* A short text for messages, with "..." behind what was left out. */
#define LINT_QUOTE_BYTES 40
struct lint_words { char text[LINT_QUOTE_BYTES + 8]; };
struct lint_words lint_quote(struct str text);
const char *lint_kind(const struct json *value); /* "a string", "null" */

#endif
