/* What the keys of the card of a call do, by the times between them. */
#include "app/screen/cards/approval_card.h"

#include "app/life.h"
#include "app/program.h"
#include "app/session/session_runs.h"
#include "app/session/session_inside.h"
#include "base/mem.h"
#include "support/check.h"

#define CALL "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}," \
	"\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
#define LONG_MS 100000 /* longer than the card waits, and than this test takes */

struct table {
	struct life l;
	struct stack stack;
	struct host host;
	struct approval_card card;
	struct buf written; /* into the input */
};

static bool say_done(struct str arguments, struct buf *out)
{
	(void)arguments;
	buf_add_z(out, "done");
	return true;
}

/* --- the host --- */

static void table_say(void *ctx, enum severity severity, int64_t ms, const char *sentence) { (void)ctx, (void)severity, (void)ms, (void)sentence; }
static void table_nothing(void *ctx) { (void)ctx; }
static void table_write(void *ctx, struct str text) { buf_add(&((struct table *)ctx)->written, text); }

static const struct host_ops ops = { .say = table_say, .redraw = table_nothing, .close_cards = table_nothing, .write = table_write };

static void draw(struct table *t)
{
	struct canvas *canvas = canvas_new(24, 80);
	unsigned rows = sheet_dock_rows(t->card.sheet, 80, 24);

	sheet_draw_docked(t->card.sheet, canvas, (struct area){ 0, 0, rows, 80 });
	canvas_free(canvas);
}

/* The card of a call, whose keys are not on the screen yet. */
static void begin_early(struct table *t)
{
	struct card_tools tools = { .host = &t->host };

	*t = (struct table){ .written = { 0 } };
	life_begin(&t->l);
	struct tool_set *set = &t->l.setup.tool_set;
	set->closed = false;
	*ARRAY_ADD(set->items, set->count, set->capacity) = (struct tool){
		.name = mem_dup_z("f"), .source = TOOL_OF_SETTINGS, .approve = TOOL_ASK, .answer = say_done,
		.schema = mem_dup_z("{\"type\":\"object\"}"), .facts = mem_dup_z("one"),
	};
	life_answer_with(&t->l, CALL);
	life_answer_with(&t->l, ANSWER("thanks"));
	life_send(&t->l, "go");
	t->host = (struct host){ .setup = &t->l.setup, .session = t->l.session, .stack = &t->stack, .transcript = transcript_new(), .ops = &ops, .ctx = t };
	struct stack_row row = { .pane = transcript_pane(t->host.transcript), .takes_focus = true, .share = STACK_REST };
	stack_init(&t->stack, &row, 1, row.pane);
	approval_card_kind.init(&t->card, &tools);
	CU_ASSERT_FATAL(approval_card_open(&t->card));
	draw(t);
}

/* They are. */
static void begin(struct table *t)
{
	begin_early(t);
	approval_card_kind.member(&t->card).run(&t->card, NULL, 0, t->card.quiet_ms + LONG_MS);
	CU_ASSERT(t->card.armed);
	draw(t);
}

static void end(struct table *t)
{
	approval_card_kind.mode.close(&t->card);
	stack_fini(&t->stack);
	buf_fini(&t->written);
	life_end(&t->l);
}

/* Whether the card took it; else it does its usual work, which is to be written. */
static bool types(struct table *t, char letter, bool at_once)
{
	return approval_card_kind.mode.takes(&t->card, &(struct key){ .code = KEY_TEXT, .text = str_of(&letter, 1), .at_once = at_once });
}

static void passes(struct table *t, int64_t ms)
{
	approval_card_kind.member(&t->card).run(&t->card, NULL, 0, t->card.quiet_ms + ms);
}

static bool asks(const struct table *t)
{
	return session_asking(t->l.session) != NULL;
}

/* No letter has decided, or does later. */
static void end_undecided(struct table *t)
{
	passes(t, LONG_MS);
	CU_ASSERT(asks(t));
	end(t);
}

/* --- the keys --- */

static void a_letter_counts_when_it_stays_alone(void)
{
	struct table t;

	begin(&t);
	CU_ASSERT(types(&t, 'y', false));
	passes(&t, 299);
	CU_ASSERT(asks(&t));
	CU_ASSERT_EQUAL(approval_card_kind.member(&t.card).deadline(&t.card), t.card.quiet_ms + 300);
	passes(&t, 300);
	CU_ASSERT_FALSE(asks(&t));
	CU_ASSERT_EQUAL(t.written.len, 0);
	end(&t);
}

/* "and then": its `a` would allow the call for ever. */
static void what_is_typed_goes_into_the_input(void)
{
	static const struct { char first, second; bool at_once; const char *written; } cases[] = {
		{ 'a', 'n', false, "a" }, { 'y', 'e', false, "y" }, { 'e', 'x', false, "e" }, { 'w', 0, false, "" }, { 'y', 0, true, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct table t;

		begin(&t);
		if (cases[i].second)
			CU_ASSERT(types(&t, cases[i].first, cases[i].at_once));
		CU_ASSERT_FALSE(types(&t, cases[i].second ? cases[i].second : cases[i].first, cases[i].at_once));
		CHECK_STR(buf_str(&t.written), cases[i].written);
		CU_ASSERT_FALSE(approval_card_kind.mode.is_open(&t.card));
		end_undecided(&t);
	}
}

/* Who types while the card opens means the input: nothing is lost, and nothing acts. */
static void what_is_typed_early_goes_into_the_input(void)
{
	for (const char *letter = "yaenw"; *letter; letter++) {
		struct table t;

		begin_early(&t);
		CHECK(!types(&t, *letter, false) && !approval_card_kind.mode.is_open(&t.card), "%c", *letter);
		passes(&t, LONG_MS);
		CHECK(asks(&t), "%c", *letter);
		end(&t);
	}
}

static void a_letter_that_waits_ends_with_the_card(void)
{
	struct table t;

	begin(&t);
	CU_ASSERT(types(&t, 'y', false));
	CU_ASSERT(approval_card_kind.mode.takes(&t.card, &(struct key){ .code = KEY_ESCAPE }));
	passes(&t, LONG_MS);
	CU_ASSERT(asks(&t));
	CU_ASSERT(approval_card_open(&t.card));
	end_undecided(&t);
}

/* It was pressed for what was on the screen then. */
static void a_letter_before_a_scroll_decides_nothing(void)
{
	struct table t;

	begin(&t);
	CU_ASSERT(types(&t, 'y', false));
	CU_ASSERT(approval_card_kind.mode.takes(&t.card, &(struct key){ .code = KEY_PAGE_DOWN }));
	passes(&t, LONG_MS);
	CU_ASSERT(asks(&t));
	CU_ASSERT(types(&t, 'y', false));
	passes(&t, 300);
	CU_ASSERT_FALSE(asks(&t));
	end(&t);
}

const struct suite suite_approval_card = { "approval_card", (const struct test[]){
	TEST(a_letter_counts_when_it_stays_alone), TEST(what_is_typed_goes_into_the_input),
	TEST(what_is_typed_early_goes_into_the_input), TEST(a_letter_that_waits_ends_with_the_card),
	TEST(a_letter_before_a_scroll_decides_nothing), { 0 } } };
