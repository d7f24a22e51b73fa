#include "chat/conversation/summary.h"

#include "chat/conversation/turn.h"

bool turn_is_summary(const struct turn *t)
{
	const struct turn *question = t->role == TURN_ASSISTANT ? t->parent : t;

	for (size_t i = 0; question && !question->parent && i < question->part_count; i++)
		if (question->parts[i].kind == PART_TEXT)
			return str_starts(buf_str(&question->parts[i].text), SUMMARY_WORDS);
	return false;
}
