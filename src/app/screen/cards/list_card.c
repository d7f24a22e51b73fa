#include "app/screen/cards/list_card.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/command/command.h"
#include "app/screen/services/branches.h"
#include "app/session/session_tree.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/figure.h"
#include "ui/card.h"

#define KEYS "Ctrl-S save   Ctrl-R rename   Ctrl-T pin   Ctrl-X delete   Enter open   Esc back"
#define KEY_UNDO "Ctrl-U undo   "
#define ASK_KEYS "y delete   n keep"
#define ASK_ROWS 3u
#define COLUMNS_WANTED 100u
#define ROWS_MOST 40u /* of a list that is long enough */
#define TITLE_SAID 60u /* bytes of a title in a sentence */

enum { FACT_PINNED, FACT_MODEL, FACT_AGE, FACT_TURNS, FACT_TOKENS, FACT_COST };

static const struct list_column columns[LIST_FACTS] = {
	[FACT_PINNED] = { "", 5, 6, true }, [FACT_MODEL] = { "model", 3, 20, true }, [FACT_AGE] = { "age", 6, 7, false },
	[FACT_TURNS] = { "turns", 4, 6, false }, [FACT_TOKENS] = { "tokens", 1, 7, false }, [FACT_COST] = { "cost", 2, 10, false },
};

static void list_card_init(void *card, const struct card_tools *tools)
{
	*(struct list_card *)card = (struct list_card){ .host = tools->host };
}

static void list_card_close(void *card)
{
	struct list_card *c = card;

	if (!c->open)
		return;
	form_close(&c->form);
	conversation_list_fini(&c->list);
	edit_fini(&c->filter);
	buf_fini(&c->facts);
	c->open = c->asks = false;
}

static const struct listed *card_marked(const struct list_card *c)
{
	return conversation_list_at(&c->list, c->state.marked);
}

static void card_mark(struct list_card *c)
{
	list_mark(&c->state, c->state.marked, conversation_list_count(&c->list));
}

static void card_changed(struct list_card *c)
{
	c->drawn = false;
	host_redraw(c->host);
}

static void card_say_trouble(struct list_card *c, const struct error *err)
{
	host_fail(c->host, "%s", err->text);
	c->list.is_read = true; /* else the loop would try again without a pause */
	conversation_list_end_search(&c->list);
	c->said = true;
}

/* The one that the welcome page names; 0, the first, if it is not among those that were read. */
static size_t card_last_chat(const struct list_card *c)
{
	struct error ignored;
	struct history *h = keep_history(c->host->keep, &ignored);
	int64_t row;

	return h && history_find(h, STR(HISTORY_LAST_CHAT), &row, &ignored) == HISTORY_OK ? conversation_list_find(&c->list, row) : 0;
}

void list_card_open(struct list_card *c, struct str filter)
{
	struct error err = { "" };

	host_close_cards(c->host);
	conversation_list_init(&c->list, c->host->keep);
	if (!conversation_list_begin(&c->list, &err)) {
		host_fail(c->host, "%s", err.text);
		conversation_list_fini(&c->list);
		return;
	}
	if (!conversation_list_count(&c->list)) {
		host_say(c->host, "no conversation is stored yet");
		conversation_list_fini(&c->list);
		return;
	}
	edit_init(&c->filter, true);
	edit_set(&c->filter, filter);
	conversation_list_filter(&c->list, filter);
	c->state = (struct list_state){ .marked = 0 };
	c->open = true;
	c->said = false;
	c->steered = filter.len > 0;
	c->state.marked = filter.len ? 0 : card_last_chat(c);
	card_changed(c);
}

/* After something was brought back. */
static void card_reload(struct list_card *c)
{
	struct error err = { "" };

	if (!conversation_list_begin(&c->list, &err))
		card_say_trouble(c, &err);
	card_mark(c);
	card_changed(c);
}

/* --- what it shows --- */

static void card_item(void *ctx, size_t index, struct list_item *out)
{
	struct list_card *c = ctx;
	const struct listed *row = conversation_list_at(&c->list, index);
	const char *snippet = conversation_list_snippet(&c->list, index);
	size_t ends[LIST_FACTS], from = 0;
	char figure[FIGURE_SIZE];

	out->text = str_from(row->title);
	out->current = row->id == keep_current(c->host->keep);
	out->below = str_from(snippet);
	out->matches = !snippet && conversation_list_mark(&c->list, row, out->matched, sizeof out->matched);
	buf_clear(&c->facts);
	buf_add_z(&c->facts, row->pinned ? "pinned" : "");
	ends[FACT_PINNED] = c->facts.len;
	buf_add_z(&c->facts, row->model);
	ends[FACT_MODEL] = c->facts.len;
	listed_age(row, time(NULL), &c->facts);
	ends[FACT_AGE] = c->facts.len;
	buf_add_z(&c->facts, figure_count(figure, row->turns));
	ends[FACT_TURNS] = c->facts.len;
	listed_tokens(row, &c->facts);
	ends[FACT_TOKENS] = c->facts.len;
	listed_cost(row, &c->facts);
	ends[FACT_COST] = c->facts.len;
	for (size_t i = 0; i < LIST_FACTS; from = ends[i++])
		out->facts[i] = str_head(str_skip(buf_str(&c->facts), from), ends[i] - from);
}

/* Only words part titles from texts. */
static const char *card_heading(void *ctx, size_t index)
{
	const struct list_card *c = ctx;
	size_t titles = conversation_list_titles(&c->list);

	return index == titles ? "in the text" : index ? NULL : "in the title";
}

/* What is asked about docks above the status bar, in the place of the input. */
static void card_draw_question(struct list_card *c, struct canvas *canvas)
{
	const struct listed *row = card_marked(c);
	unsigned rows = canvas->rows > ASK_ROWS ? ASK_ROWS : canvas->rows, top = canvas->rows - 1 > rows ? canvas->rows - 1 - rows : 0;
	struct area home = stack_area(c->host->stack, c->host->stack->home);
	struct area card = canvas->card;
	struct buf words = { 0 };

	buf_add_z(&words, "Delete \"");
	listed_line(str_from(row->title), TITLE_SAID, &words);
	buf_printf(&words, "\", %lld turn%s?", (long long)row->turns, row->turns == 1 ? "" : "s");
	card_draw_docked(canvas, (struct area){ top, home.column, rows, home.columns }, STR("Delete"));
	canvas_put(canvas, top + 1, home.column + 1, home.columns - 1, ROLE_SHEET, buf_str(&words));
	card_draw_keys(canvas, (struct area){ top + 2, home.column, 1, home.columns }, STR_NONE, STR(ASK_KEYS));
	canvas->cursor_shown = false;
	canvas->card = card;
	buf_fini(&words);
}

/* Those that work now. */
static void card_keys(const struct list_card *c, char *keys, size_t size)
{
	bool undoes = keep_has_deleted(c->host->keep) && edit_is_empty(&c->filter);
	const struct command *command;

	if (!c->steered && command_line(&c->filter, false, &command) == LINE_COMMAND)
		snprintf(keys, size, "Enter runs /%s   %sEsc back", command->name, card_marked(c) ? "Down what was found   " : "");
	else
		snprintf(keys, size, "%s%s", undoes ? KEY_UNDO : "", KEYS);
}

static void list_card_draw(void *card, struct canvas *canvas)
{
	struct list_card *c = card;
	char figures[64], keys[160], count[FIGURE_SIZE];

	size_t rows = conversation_list_count(&c->list);
	bool searching = conversation_list_wants_search(&c->list);
	size_t found = c->list.hits_are_old ? conversation_list_titles(&c->list) : rows;
	if (searching && !found)
		snprintf(figures, sizeof figures, "searching");
	else
		snprintf(figures, sizeof figures, "%s%s %s", figure_count(count, (int64_t)found),
		         searching || !c->list.is_read ? "+" : "",
		         c->list.filter.len ? "found" : "in all");
	card_keys(c, keys, sizeof keys);
	list_draw(&(struct list){
		.title = STR("Conversations"), .figures = str_from(figures), .keys = str_from(keys), .filter = &c->filter, .columns = COLUMNS_WANTED,
		.rows_most = ROWS_MOST, .item = card_item, .heading = c->list.filter.len ? card_heading : NULL, .ctx = c, .count = rows,
		.nothing = searching ? STR_NONE : STR("nothing matches"), .dots = true, .two_lines = c->list.filter.len > 0,
		.one_line = conversation_list_titles(&c->list), .fit = LIST_RANKED, .ranked = columns }, &c->state, canvas);
	if (c->form)
		form_draw(c->form, canvas);
	if (c->asks)
		card_draw_question(c, canvas);
	c->drawn = true;
}

/* --- what is done --- */

static void card_filter(struct list_card *c)
{
	if (!str_equal(str_trim(buf_str(&c->filter.text)), buf_str(&c->list.filter))) /* else only the cursor in it moved */
		c->state.marked = c->state.top = 0;
	conversation_list_filter(&c->list, buf_str(&c->filter.text));
	c->steered = false;
	card_changed(c);
}

/* To the words that were found, whatever branch they are in. */
static void card_go_to(const struct host *h, const struct history_place *place, struct buf *words)
{
	struct error err = { "" };
	struct turn *turn = keep_turn(h->keep, place->node);
	struct view view;

	if (!keep_read_all(h->keep, &err)) {
		host_fail(h, "%s", err.text);
		return;
	}
	if (!turn || (!conversation_shows(session_conversation(h->session), turn) && !branches_select(h, turn)))
		return;
	for (size_t i = 0; i < words->len; i++) /* an upper-case letter would match only itself */
		words->ptr[i] = char_lower(words->ptr[i]);
	host_view(h, &view);
	transcript_search_at(h->transcript, &view, buf_str(words), &(struct transcript_text){ turn, (size_t)place->part, (size_t)place->offset });
}

static void card_open_row(struct list_card *c, const struct listed *row)
{
	struct error err = { "" };
	struct history_place place;
	struct buf words = { 0 };
	bool is_open = row->id == keep_current(c->host->keep), is_hit = conversation_list_locate(&c->list, c->state.marked, &place, &words);

	if (!is_open && !keep_open(c->host->keep, row->id, &err)) {
		host_fail(c->host, "%s", err.text);
	} else {
		list_card_close(c);
		if (!is_open)
			transcript_forget(c->host->transcript);
		if (is_hit)
			card_go_to(c->host, &place, &words);
	}
	buf_fini(&words);
	host_redraw(c->host);
}

static void card_pin(struct list_card *c, const struct listed *row)
{
	struct error err = { "" };
	int64_t id = row->id;
	bool pinned = !row->pinned;

	if (!conversation_list_read_all(&c->list, &err) || !keep_pin(c->host->keep, id, pinned, &err)) {
		host_fail(c->host, "%s", err.text);
		return;
	}
	conversation_list_pin(&c->list, id, pinned);
	c->state.marked = conversation_list_find(&c->list, id);
}

static void card_open_form(struct list_card *c, const struct listed *row, bool saves)
{
	c->saves = saves;
	c->form = saves ? form_new_text(STR("Save"), "file", STR("conversation.md")) : form_new_text(STR("Rename"), "title", str_from(row->title));
}

static void card_rename(struct list_card *c, int64_t id, struct str title)
{
	struct error err = { "" };

	if (str_is_blank(title))
		return;
	if (!keep_rename(c->host->keep, id, title, &err)) {
		host_fail(c->host, "%s", err.text);
		return;
	}
	conversation_list_rename(&c->list, id, title);
	c->state.marked = conversation_list_find(&c->list, id);
}

static void card_save(struct list_card *c, int64_t id, struct str path)
{
	struct error err = { "" };

	if (keep_save(c->host->keep, id, str_trim(path), &err))
		host_say(c->host, "saved to %.*s", STR_ARG(str_head(str_trim(path), 200)));
	else
		host_fail(c->host, "%s", err.text);
}

static void card_answer(struct list_card *c, const struct listed *row, bool yes)
{
	struct error err = { "" };
	int64_t id = row->id;

	c->asks = false;
	if (!yes)
		return;
	if (!keep_delete(c->host->keep, id, session_removals(c->host->session), &err)) {
		host_fail(c->host, "%s", err.text);
		return;
	}
	conversation_list_drop(&c->list, id);
	card_mark(c);
	host_say(c->host, "deleted; /undo, or Ctrl-U here, brings it back");
}

static void card_undo(struct list_card *c)
{
	struct error err = { "" };

	if (!keep_has_deleted(c->host->keep))
		host_say(c->host, "no conversation was deleted");
	else if (!keep_undo(c->host->keep, &err))
		host_fail(c->host, "%s", err.text);
	else
		host_say(c->host, "what was deleted is back");
	card_reload(c);
}

static void card_act(struct list_card *c, const struct listed *row, char letter)
{
	switch (letter) {
	case 'r':
		card_open_form(c, row, false);
		break;
	case 's':
		card_open_form(c, row, true);
		break;
	case 't':
		card_pin(c, row);
		break;
	case 'x':
		c->asks = row->id != keep_current(c->host->keep);
		if (!c->asks)
			host_say(c->host, "this conversation is open: begin a new one with /new first");
		break;
	default:
		break;
	}
}

/* --- keys --- */

static bool list_card_is_open(const void *part)
{
	return ((const struct list_card *)part)->open;
}

static void form_take(struct list_card *c, const struct key *key)
{
	const struct listed *row = card_marked(c);

	if (!form_text_key(&c->form, key))
		return;
	if (row)
		(c->saves ? card_save : card_rename)(c, row->id, form_value(c->form, 0));
	form_close(&c->form);
}

static unsigned card_page(const struct list_card *c)
{
	return c->state.page > 1 ? c->state.page - 1 : 1;
}

/* After a move to a row, Enter opens that row even if the filter names a command. */
static void card_steer(struct list_card *c, const struct key *key)
{
	const struct command *command;
	bool first = !c->steered && command_line(&c->filter, false, &command) == LINE_COMMAND;

	c->steered = true;
	if (!first)
		(void)list_key(&c->state, key, SCROLL_MENU, card_page(c), conversation_list_count(&c->list));
}

static bool list_card_take(void *part, const struct key *key)
{
	struct list_card *c = part;
	const struct listed *row = card_marked(c);

	if (c->form)
		form_take(c, key);
	else if (c->asks && row)
		card_answer(c, row, key_letter(key) == 'y');
	else if (scroll_rows(key, SCROLL_MENU, card_page(c)))
		card_steer(c, key);
	else if (key->code == KEY_ESCAPE || host_key_is(c->host, key, "resume"))
		list_card_close(c);
	else if (key->code == KEY_ENTER && !c->steered && host_runs_line(c->host, &c->filter, false, key, &list_card_kind.mode, c))
		return true;
	else if (key->code == KEY_ENTER && row)
		card_open_row(c, row);
	else if (key_is_control(key, 'u') && edit_is_empty(&c->filter))
		card_undo(c);
	else if (row && key->code == KEY_CONTROL && strchr("rstx", key->letter))
		card_act(c, row, key->letter);
	else if (edit_key(&c->filter, key))
		card_filter(c);
	if (c->open)
		card_changed(c);
	return true;
}

/* Pasted words are a filter or a title. They are no answer to a question. */
static enum mode_paste list_card_paste(const void *part)
{
	return ((const struct list_card *)part)->asks ? PASTE_LOST : PASTE_TAKEN;
}

/* --- reading --- */

static bool card_has_work(const struct list_card *c)
{
	return c->open && c->drawn && (conversation_list_wants_search(&c->list) || !c->list.is_read);
}

static int64_t card_deadline(void *ctx)
{
	return card_has_work(ctx) ? 0 : NO_DEADLINE;
}

/* What was typed is shown before it is searched, and the first rows before the next ones are read. */
static void card_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct list_card *c = ctx;
	struct error err = { "" };
	bool searches = conversation_list_wants_search(&c->list);

	(void)fds, (void)count, (void)now_ms;
	if (!card_has_work(c))
		return;
	bool good = searches ? conversation_list_search(&c->list, &err) : conversation_list_go_on(&c->list, &err);
	if (!good)
		card_say_trouble(c, &err);
	if (searches)
		card_mark(c);
	if (searches || c->list.is_read || c->list.filter.len)
		host_redraw(c->host);
}

static struct loop_member list_card_member(void *card)
{
	return (struct loop_member){ .ctx = card, .deadline = card_deadline, .run = card_run };
}

const struct card_kind list_card_kind = {
	.mode = { .is_open = list_card_is_open, .takes = list_card_take, .close = list_card_close, .paste = list_card_paste },
	.init = list_card_init, .draw = list_card_draw, .member = list_card_member,
};
