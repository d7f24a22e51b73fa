#include "app/session/details.h"

#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "wire/delta.h"

/* An answer of `pieces` pieces, each of `bytes` bytes, a tenth of a second apart; from the second half on at a third of that rate. */
static struct turn *an_answer(struct conversation *conversation, unsigned pieces)
{
	struct turn *turn = conversation_answer(conversation, STR("p"), NULL, STR("m"));

	for (unsigned i = 0; i < pieces; i++) {
		bool slow = i >= pieces / 2;
		double at_ms = 500 + 100 * (slow ? pieces / 2 + 3 * (i - pieces / 2) : i);

		const struct delta delta = { .kind = DELTA_TEXT, .at_ms = at_ms, .text = STR("twelve tokens in this piece of text, about so..") };

		turn_delta(turn, &delta);
		meter_delta(&turn->meter, &delta);
	}
	turn_delta(turn, &(struct delta){ .kind = DELTA_END, .at_ms = 500 + 200 * pieces, .end = { OUTCOME_COMPLETE } });
	return turn;
}

static void take_row(void *out, const char *name, struct str value)
{
	buf_printf(out, "%s: %.*s\n", name ? name : "", STR_ARG(value));
}

static void check_rate(unsigned pieces, const char *row, const char *drawn)
{
	struct conversation *conversation = conversation_new();
	const struct turn *turn = an_answer(conversation, pieces);
	struct buf rows = { 0 }, chart = { 0 };

	details_tell(turn, take_row, &rows);
	CHECK(str_find(buf_str(&rows), str_from(row)) < rows.len, "%s: %s", row, buf_z(&rows));
	details_chart(turn, true, &chart);
	CHECK(str_is(buf_str(&chart), drawn), "%u:\n%s", pieces, buf_z(&chart));
	buf_fini(&rows);
	buf_fini(&chart);
	conversation_free(conversation);
}

static void the_course_of_an_answer_is_drawn(void)
{
	check_rate(40, "rate: ~61.0 tokens a second; in quarters of its time ~118, 45, 38, 43\n",
		"estimated tokens a second\n"
		"200 +\n"
		"    |   .............\n"
		"100 +   #############:..     ..     ...               ..\n"
		"    |   ################:::####::::####:::####::::######\n"
		"  0 ++-----------+-----------+------------+-----------+-\n"
		"    0 s         2 s         4 s          6 s         8 s\n");
}

/* In no time there is no rate, and in a short one no course. */
static void a_short_answer_has_no_course(void)
{
	check_rate(1, "first token: 0.50 s\n", "");
	check_rate(4, "rate: ~94.0 tokens a second\n", "");
}

const struct suite suite_details = { "details", (const struct test[]){ TEST(the_course_of_an_answer_is_drawn), TEST(a_short_answer_has_no_course), { 0 } } };
