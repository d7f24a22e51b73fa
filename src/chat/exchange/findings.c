#include "chat/exchange/findings.h"

#include "base/mem.h"
#include "base/search.h"

struct findings {
	struct lint *lint;
	enum lint_level level;
	struct finding *all;
	size_t count, capacity;
};

static void findings_take(void *findings, const struct lint_finding *found)
{
	struct findings *f = findings;

	if (!lint_level_counts(f->level, found->rule))
		return;
	*ARRAY_ADD(f->all, f->count, f->capacity) = (struct finding){ found->rule, found->place, str_dup(found->message), found->frames };
}

struct findings *findings_new(enum lint_level level, const struct lint_options *options)
{
	struct findings *f = level ? mem_new(sizeof *f) : NULL;

	if (!f)
		return NULL;
	f->level = level;
	f->lint = lint_new(options, findings_take, f);
	return f;
}

struct findings *findings_of_tape(enum lint_level level, const struct tape *tape, const struct stream_options *stream)
{
	return findings_new(level, &(struct lint_options){
		.dialect = stream->dialect ? stream->dialect : dialect_find(STR("generic")), .request = tape_facts(tape)->request,
		.stops_early = true });
}

void findings_free(struct findings *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		mem_free((void *)(uintptr_t)f->all[i].message);
	mem_free(f->all);
	lint_free(f->lint);
	mem_free(f);
}

const struct stream_tap *findings_tap(struct findings *f)
{
	return f ? lint_tap(f->lint) : NULL;
}

void findings_set_request(struct findings *f, struct str json)
{
	if (f)
		lint_set_request(f->lint, json);
}

size_t findings_count(const struct findings *f)
{
	return f ? f->count : 0;
}

const struct finding *findings_at(const struct findings *f, size_t index)
{
	return &f->all[index];
}

size_t findings_until(const struct findings *f, size_t frames)
{
	struct search s = search_in(0, findings_count(f));

	while (search_next(&s))
		search_take(&s, f->all[s.middle].frames <= frames);
	return s.low;
}

static bool findings_had(const struct findings *f, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (f->all[i].rule == f->all[index].rule)
			return true;
	return false;
}

void findings_tell(const struct findings *f, struct buf *out)
{
	size_t count = findings_count(f);

	for (size_t i = 0; i < count; i++) {
		if (!i)
			buf_printf(out, "lint: %zu finding%s: ", count, count == 1 ? "" : "s");
		if (!findings_had(f, i))
			buf_printf(out, "%s%s", i ? ", " : "", lint_rule_id(f->all[i].rule));
	}
}
