#include "wire/lint/lint_inside.h"

#include <assert.h>

static const struct lint_group *const groups[] = {
#define GROUP(name) &lint_group_##name,
	LINT_GROUPS(GROUP)
#undef GROUP
};

static const struct { const char *id, *words; } severities[LINT_SEVERITIES] = {
	[LINT_BREAKS_CLIENTS] = { "breaks-clients", "breaks clients" },
	[LINT_BREAKS_PROMISE] = { "breaks-promise", "breaks the promise" },
	[LINT_UNUSUAL] = { "unusual", "unusual" },
};

const struct lint_rule *lint_rule_at(size_t index)
{
	for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
		if (index < groups[i]->count)
			return &groups[i]->rows[index];
		index -= groups[i]->count;
	}
	return NULL;
}

size_t lint_rule_index(const struct lint_rule *rule)
{
	size_t before = 0;

	for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
		if (rule >= groups[i]->rows && rule < groups[i]->rows + groups[i]->count)
			return before + (size_t)(rule - groups[i]->rows);
		before += groups[i]->count;
	}
	assert(false); /* it is a row of the table */
	return 0;
}

const struct lint_rule *lint_rule_find(struct str id)
{
	const struct lint_rule *rule;

	for (size_t i = 0; (rule = lint_rule_at(i)); i++)
		if (str_is(id, rule->id))
			return rule;
	return NULL;
}

const char *lint_rule_id(const struct lint_rule *rule)
{
	return rule->id;
}

enum lint_severity lint_rule_severity(const struct lint_rule *rule)
{
	return rule->severity;
}

const char *lint_rule_promise(const struct lint_rule *rule)
{
	return rule->promise;
}

const char *lint_rule_source(const struct lint_rule *rule)
{
	return rule->source;
}

const char *lint_rule_breaks(const struct lint_rule *rule)
{
	return rule->breaks;
}

bool lint_rule_is_of(const struct lint_rule *rule, const struct protocol *protocol)
{
	for (unsigned i = 0; protocol_at(i); i++)
		if (protocol_at(i) == protocol)
			return rule->protocols >> i & 1;
	return false;
}

static bool rule_is_promised(const struct lint_rule *rule, const struct dialect *dialect)
{
	for (unsigned i = 0; i < LINT_DIALECT_COUNT; i++)
		if (lint_dialect_at(i) == dialect)
			return rule->dialects >> i & 1;
	return false;
}

/* A dialect of the user's own promises what the row it is like does. About the end mark it speaks itself. */
bool lint_rule_holds(const struct lint_rule *rule, const struct dialect *dialect)
{
	const struct dialect *like = dialect->like ? dialect->like : dialect;

	if (rule->end_mark != LINT_END_MARK_ANY && dialect->sends_done != like->sends_done)
		return rule->end_mark == LINT_END_MARK_SENT && dialect->sends_done && rule_is_promised(rule, dialect_find(STR("generic")));
	return rule_is_promised(rule, like);
}

bool lint_level_counts(enum lint_level level, const struct lint_rule *rule)
{
	return level == LINT_LEVEL_STRICT || (level == LINT_LEVEL_DIALECT && rule->severity != LINT_UNUSUAL);
}

const char *lint_severity_id(enum lint_severity severity)
{
	return severities[severity].id;
}

const char *lint_severity_words(enum lint_severity severity)
{
	return severities[severity].words;
}
