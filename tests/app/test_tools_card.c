/* The card of tools, while what it lists changes. */
#include "app/screen/cards/tools_card.h"

#include "app/life.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "support/check.h"

struct table {
	struct life l;
	struct host host;
	struct tools_card card;
};

static void table_nothing(void *ctx) { (void)ctx; }
static void table_say(void *ctx, enum severity severity, int64_t ms, const char *sentence) { (void)ctx, (void)severity, (void)ms, (void)sentence; }

static const struct host_ops ops = { .say = table_say, .redraw = table_nothing, .close_cards = table_nothing };

/* In front of the others: where rows would move if the card followed that order. */
static void add(struct table *t, const char *name)
{
	struct tool_set *set = &t->l.setup.tool_set;

	(void)ARRAY_ADD(set->items, set->count, set->capacity);
	for (size_t i = set->count - 1; i; i--)
		set->items[i] = set->items[i - 1];
	set->items[0] = (struct tool){ .name = mem_dup_z(name), .source = TOOL_OF_SETTINGS, .schema = mem_dup_z("{}"), .facts = mem_dup_z("") };
	set->changes++;
}

static void take_first(struct table *t)
{
	struct tool_set *set = &t->l.setup.tool_set;

	mem_free(set->items[0].name);
	mem_free(set->items[0].schema);
	mem_free(set->items[0].facts);
	for (size_t i = 1; i < set->count; i++)
		set->items[i - 1] = set->items[i];
	set->count--;
	set->changes++;
}

static void begin(struct table *t)
{
	struct card_tools tools = { .host = &t->host };

	*t = (struct table){ .host = { 0 } };
	life_begin(&t->l);
	t->l.setup.tool_set.closed = false;
	t->host = (struct host){ .setup = &t->l.setup, .session = t->l.session, .ops = &ops, .ctx = t };
	add(t, "beta");
	add(t, "alpha");
	tools_card_kind.init(&t->card, &tools);
	tools_card_open(&t->card);
}

static void end(struct table *t)
{
	tools_card_kind.mode.close(&t->card);
	tools_card_kind.fini(&t->card);
	life_end(&t->l);
}

static void press(struct table *t, enum key_code code, const char *text)
{
	CU_ASSERT(tools_card_kind.mode.takes(&t->card, &(struct key){ .code = code, .text = str_from(text) }));
}

/* The loop notices what has changed. */
static void passes(struct table *t)
{
	struct loop_member member = tools_card_kind.member(&t->card);

	CU_ASSERT_EQUAL(member.deadline(&t->card), 0);
	member.run(&t->card, NULL, 0, 0);
	CU_ASSERT_EQUAL(member.deadline(&t->card), NO_DEADLINE);
}

/* The rows, "> " before the marked one. */
static void check_rows(struct table *t, const char *wanted)
{
	struct buf rows = { 0 };

	for (size_t i = 0; i < t->card.shown_count; i++)
		buf_printf(&rows, "%s%s%s", i ? " " : "", i == t->card.list.marked ? ">" : "", t->card.rows[t->card.shown[i]].name);
	CHECK_STR(buf_str(&rows), wanted);
	buf_fini(&rows);
}

static void no_row_moves_as_others_come(void)
{
	struct table t;

	begin(&t);
	check_rows(&t, ">alpha beta clock");
	press(&t, KEY_DOWN, "");
	add(&t, "first");
	passes(&t);
	check_rows(&t, "alpha >beta clock first");
	press(&t, KEY_TEXT, "f");
	check_rows(&t, ">clock first"); /* clock is off */
	press(&t, KEY_DOWN, "");
	add(&t, "fourth");
	passes(&t);
	check_rows(&t, "clock >first fourth");
	take_first(&t);
	take_first(&t);
	passes(&t);
	check_rows(&t, ">clock");
	press(&t, KEY_BACKSPACE, "");
	check_rows(&t, ">alpha beta clock");
	end(&t);
}

const struct suite suite_tools_card = { "tools_card", (const struct test[]){ TEST(no_row_moves_as_others_come), { 0 } } };
