/* Several models at once in the linear mode: each answer is printed when it has ended, and then a table. */
#include "app/plain/plain_commands.h"
#include "app/plain/plain_inside.h"
#include "chat/conversation/conversation.h"

/* After the last one: a number chooses the answer to go on with. */
static void compare_tell_table(struct plain *p)
{
	struct compare *all = &p->compare;
	struct compare_figures rows[COMPARE_MOST];
	struct buf table = { 0 };

	for (size_t i = 0; i < all->count; i++)
		compare_figures_take(&rows[i], &all->answers[i]);
	compare_write_table(rows, all->count, &table);
	plain_tell_block(&p->tell, buf_str(&table));
	buf_fini(&table);
}

static void compare_tell_end(struct plain *p)
{
	compare_tell_table(p);
	compare_leave(&p->compare);
	const struct compared_answer *on = compare_on_path(&p->compare);
	if (on)
		plain_tell_line(&p->tell, "The conversation goes on behind answer %zu. /compare N goes on with another answer, and with its model.",
		                (size_t)(on - p->compare.answers) + 1);
}

/* All of it: between its turns are the results of calls. */
static void compare_tell_answer(struct plain *p, const struct compared_answer *a)
{
	const struct turn *told = NULL;

	while (told != a->awaited.turn) {
		const struct turn *next = a->awaited.turn;

		while (next != a->first && next->parent != told)
			next = next->parent;
		plain_tell_again(&p->tell, session_conversation(p->session), next);
		told = next;
	}
}

/* From a pipe nothing is allowed: the answer ends with its calls. */
void plain_compared_answer_asks(void *plain, struct compared_answer *a)
{
	struct plain *p = plain;

	if (p->host.question)
		plain_tell_line(&p->tell, "A call waits for your word: /answer shows it.");
	else if (plain_approval_open(&p->approval))
		p->host.asked_ms = clock_now_ms();
	if (!p->host.types)
		compared_answer_stop(a);
}

void plain_compared_answer_ended(void *plain, struct compared_answer *a)
{
	struct plain *p = plain;
	size_t number = (size_t)(a - p->compare.answers) + 1;

	plain_tell_line(&p->tell, "Answer %zu of %zu, of %s.", number, p->compare.count, a->target->label);
	compare_tell_answer(p, a);
	if (compare_runs(&p->compare))
		return;
	p->notice.away = p->host.types && clock_now_ms() - p->lines.read_ms > NOTICE_AFTER_MS;
	notice_ended(&p->notice, a->awaited.turn);
	compare_tell_end(p);
	titling_note(&p->titling, p->compare.answers[0].awaited.turn);
}

void plain_compare_began(void *plain)
{
	struct plain *p = plain;
	const struct compare *all = &p->compare;
	struct buf names = { 0 };

	for (size_t i = 0; i < all->count; i++)
		buf_printf(&names, "%s%zu %s", i ? ", " : "", i + 1, all->answers[i].target->label);
	plain_tell_again(&p->tell, session_conversation(p->session), all->answers[0].first->parent);
	plain_tell_line(&p->tell, "Asked at once: %s. /stop ends them.", buf_z(&names));
	buf_fini(&names);
}

/* "/compare 2": the answer to go on with. */
static bool compare_takes_number(struct plain *p, struct str words)
{
	struct error err = { "" };
	long long number;

	if (!str_to_int(words, &number) || !compare_is_current(&p->compare))
		return false;
	if (number < 1 || (size_t)number > p->compare.count)
		plain_tell_line(&p->tell, "There are %zu answers.", p->compare.count);
	else if (compare_choose(&p->compare, &p->compare.answers[number - 1], &err))
		plain_tell_line(&p->tell, "Going on with answer %lld, of %s.", number, p->compare.answers[number - 1].target->label);
	else
		plain_fail(&p->host, err.text);
	p->tell.turn = session_conversation(p->session)->count;
	p->tell.nodes = session_conversation(p->session)->node_count;
	return true;
}

void plain_compare(struct plain *p, struct str words)
{
	struct error err = { "" };

	struct actor actor = plain_actor(&p->host);

	if (compare_takes_number(p, words) || (words.len && !act_may_spend(&actor, "compare")))
		return;
	if (!compare_command(&p->compare, words, &err))
		plain_fail(&p->host, err.text);
}

bool plain_asks_all(struct plain *p, struct str prompt)
{
	struct error err = { "" };

	if (!p->compare.asks_all || session_is_busy(p->session))
		return false;
	if (!compare_ask(&p->compare, prompt, &err))
		plain_fail(&p->host, err.text);
	return true;
}
