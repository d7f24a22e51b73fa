#include "app/compare/compared_answer.h"

#include "app/setup/setup.h"

void compared_answer_init(struct compared_answer *a, struct compare_target *target, struct setup *s, const struct awaited_owner *owner)
{
	*a = (struct compared_answer){ .target = target, .rounds.asker = target->label };
	awaited_init(&a->awaited, s, owner);
}

void compared_answer_fini(struct compared_answer *a)
{
	tool_rounds_leave(&a->rounds);
	awaited_fini(&a->awaited);
}

bool compared_answer_runs(const struct compared_answer *a)
{
	return awaited_runs(&a->awaited) || a->rounds.answer;
}

void compared_answer_stop(struct compared_answer *a)
{
	awaited_stop(&a->awaited);
	if (a->rounds.answer)
		tool_rounds_stop(&a->rounds);
}

bool compared_answer_prepare(struct compared_answer *a, struct error *err)
{
	struct owned_request *owned = &a->awaited.owned;
	struct setup *s = a->awaited.setup;
	struct target before;

	compare_target_enter(a->target, s, &before);
	bool good = owned_request_fill(owned, s, err);
	compare_target_leave(a->target, s, &before);
	if (good && a->target->reasoning != REASONING_LEVEL_UNSET)
		owned->request.reasoning = a->target->reasoning;
	return good;
}

void compared_answer_begin(struct compared_answer *a, struct turn *turn, unsigned tapes)
{
	struct compare_target *t = a->target;
	const struct target target = { .provider = t->provider, .protocol = t->protocol, .dialect = t->dialect };

	a->awaited.tapes.turns = tapes;
	awaited_begin(&a->awaited, turn, &(struct awaited_how){ .target = &target, .lint = a->awaited.setup->settings.lint });
}
