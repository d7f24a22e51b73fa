#include "chat/player/session_findings.h"

#include "base/array.h"
#include "base/mem.h"

struct session_findings {
	struct mcp_lint *lint;
	enum lint_level level;
	struct session_finding *all;
	size_t count, capacity;
};

static void findings_take(void *findings, const struct mcp_rule *rule, size_t message, struct str words)
{
	struct session_findings *f = findings;

	if (f->count == SESSION_FINDINGS_MOST || (f->level != LINT_LEVEL_STRICT && rule->severity == LINT_UNUSUAL))
		return;
	*ARRAY_ADD(f->all, f->count, f->capacity) = (struct session_finding){ rule, message, str_dup(words) };
}

struct session_findings *session_findings_new(enum lint_level level, const struct tape *tape)
{
	const struct tape_info *facts = tape_facts(tape);
	struct session_findings *f;

	if (!level || !str_is(facts->protocol, "mcp"))
		return NULL;
	f = mem_new(sizeof *f);
	f->level = level;
	f->lint = mcp_lint_new(str_is(facts->transport, "stdio"), findings_take, f);
	return f;
}

void session_findings_free(struct session_findings *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		mem_free((void *)(uintptr_t)f->all[i].words);
	mem_free(f->all);
	mcp_lint_free(f->lint);
	mem_free(f);
}

void session_findings_step(struct session_findings *f, const struct tape_step *step)
{
	if (!f || step->run)
		return;
	if (step->kind == TAPE_SENT || step->kind == TAPE_CAME)
		mcp_lint_message(f->lint, step->kind == TAPE_SENT, step->bytes);
	else if (step->kind == TAPE_END)
		mcp_lint_end(f->lint, step->how == END_CLOSED);
}

size_t session_findings_count(const struct session_findings *f)
{
	return f ? f->count : 0;
}

const struct session_finding *session_findings_at(const struct session_findings *f, size_t index)
{
	return &f->all[index];
}
