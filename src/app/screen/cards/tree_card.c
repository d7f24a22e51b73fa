#include "app/screen/cards/tree_card.h"

#include <limits.h>
#include <string.h>
#include <time.h>

#include "app/session/session_tree.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"

#define KEYS_UNDO "u undo   " KEYS
#define KEYS "Left Right fold   l label   c copy   d delete   Enter open   Esc back"
#define COLUMNS_WANTED 90u
#define PAGE_ROWS 8
#define TEXT_LIMIT ((size_t)8 << 10)
#define WORDS_MOST 200u  /* bytes of a turn's first words in its row */
#define BELOW_MOST 400u  /* and below the rows */
#define MODEL_BESIDE 10u /* and of the model's name beside an outcome */
#define INDENT_MOST 8u   /* further branches stand no further in */

static void tree_card_init(void *card, const struct card_tools *tools)
{
	*(struct tree_card *)card = (struct tree_card){ .host = tools->host };
}

static void tree_card_close(void *card)
{
	struct tree_card *c = card;

	if (c->asks)
		host_say_for(c->host, 0, "");
	form_close(&c->form);
	buf_fini(&c->words);
	buf_fini(&c->note);
	tree_rows_fini(&c->rows);
	c->open = false;
	c->asks = 0;
}

/* --- what it shows --- */

static const struct conversation *conversation_of(const struct tree_card *c)
{
	return session_conversation(c->host->session);
}

static struct tree_row *marked_row(const struct tree_card *c)
{
	return c->list.marked < c->rows.count ? &c->rows.rows[c->list.marked] : NULL;
}

/* "├─▌ +3 [label] words": lines of branches, a prompt, folded. */
static void row_words(const struct tree_card *c, size_t index, struct buf *out)
{
	const struct tree_row *row = &c->rows.rows[index];

	tree_lines(&c->rows, index, INDENT_MOST, out);
	buf_add_z(out, row->turn->role == TURN_USER ? "\u258C " : "  ");
	if (row->folded)
		buf_printf(out, "+%zu ", tree_below(conversation_of(c), row->turn));
	if (row->turn->label)
		buf_printf(out, "[%s] ", row->turn->label);
	tree_first_words(row->turn, WORDS_MOST, out);
}

static void add_fact(struct buf *out, struct str fact)
{
	if (fact.len)
		buf_printf(out, "%s%.*s", out->len ? "  " : "", STR_ARG(fact));
}

/* An answer that is complete needs no word for it. The end of a long name gives way to one for another outcome. */
static void row_note(const struct tree_row *row, struct buf *out)
{
	const struct turn *t = row->turn;
	bool told = t->role == TURN_ASSISTANT && !(t->ended && t->outcome == OUTCOME_COMPLETE);
	struct str model = str_from(tree_model(t));
	struct buf age = { 0 };

	tree_when(t, time(NULL), &age);
	if (told)
		add_fact(out, str_from(tree_outcome(t)));
	add_fact(out, told ? utf8_head(model, MODEL_BESIDE) : model);
	add_fact(out, buf_str(&age));
	buf_fini(&age);
}

/* What the marks mean: all that is known of the marked row, for screens on which its note has no room, and whether it is the turn that goes on. */
static void below_words(const struct tree_card *c, const struct tree_row *row, struct buf *out)
{
	const struct turn *t = row->turn;
	struct siblings siblings = conversation_siblings(conversation_of(c), t);

	buf_add_z(out, t->role == TURN_USER ? "> prompt" : "> answer");
	if (siblings.count > 1)
		buf_printf(out, " %zu of %zu", siblings.at + 1, siblings.count);
	if (*tree_model(t))
		buf_printf(out, ", %s, %s", tree_model(t), tree_outcome(t));
	if (t->wall) {
		buf_add_z(out, ", ");
		tree_when(t, time(NULL), out);
	}
	buf_add_z(out, tree_row_is_current(row, conversation_of(c)) ? "   \u25CF\u00A0current\n" : "\n");
	tree_first_words(t, BELOW_MOST, out);
}

static void tree_item(void *card, size_t index, struct list_item *out)
{
	struct tree_card *c = card;

	buf_clear(&c->words);
	buf_clear(&c->note);
	row_words(c, index, &c->words);
	row_note(&c->rows.rows[index], &c->note);
	out->current = tree_row_is_current(&c->rows.rows[index], conversation_of(c));
	out->muted = !conversation_shows(conversation_of(c), c->rows.rows[index].turn);
	out->text = buf_str(&c->words);
	out->facts[0] = buf_str(&c->note);
}

static void card_fill(struct tree_card *c)
{
	tree_rows_fill(&c->rows, conversation_of(c));
	host_redraw(c->host);
}

static void card_mark(struct tree_card *c, const struct turn *turn)
{
	list_mark(&c->list, tree_rows_find(&c->rows, turn), c->rows.count);
}

void tree_card_open(struct tree_card *c)
{
	struct view view;

	host_close_cards(c->host);
	host_view(c->host, &view);
	if (!view.conversation->count && !conversation_child(view.conversation, NULL)) {
		host_say(c->host, "there are no turns yet");
		return;
	}
	c->open = true;
	c->list = (struct list_state){ .marked = 0 };
	buf_init(&c->words, TEXT_LIMIT);
	buf_init(&c->note, TEXT_LIMIT);
	card_fill(c);
	card_mark(c, transcript_turn(c->host->transcript, &view));
}

void tree_card_update(struct tree_card *c)
{
	if (c->open)
		card_fill(c);
}

static void tree_card_draw(void *card, struct canvas *canvas)
{
	struct tree_card *c = card;
	struct buf below;

	list_mark(&c->list, c->list.marked, c->rows.count);
	buf_init(&below, TEXT_LIMIT);
	if (marked_row(c))
		below_words(c, marked_row(c), &below);
	list_draw(&(struct list){
		.title = STR("Tree"), .keys = session_removals(c->host->session) ? STR(KEYS_UNDO) : STR(KEYS), .columns = COLUMNS_WANTED,
		.item = tree_item, .ctx = c, .count = c->rows.count, .below = buf_str(&below), .has_below = true, .dots = true,
		.fit = LIST_WHOLE }, &c->list, canvas);
	if (c->form)
		form_draw(c->form, canvas);
	buf_fini(&below);
}

/* --- what is done --- */

/* Left folds, or goes to the turn above one that is folded or has nothing below it. Right unfolds. */
static void card_fold(struct tree_card *c, struct tree_row *row, bool folds)
{
	struct turn *turn = row->turn;

	if (folds && (row->folded || !row->has_below) && turn->parent)
		turn = turn->parent;
	else if (row->has_below)
		tree_rows_fold(&c->rows, turn, folds);
	card_fill(c);
	card_mark(c, turn);
}

/* What changes the conversation asks first: letters are typed by mistake, too. */
static void card_ask(struct tree_card *c, const struct turn *turn, char letter)
{
	struct buf words = { 0 };

	c->asks = letter;
	if (letter == 'd') {
		buf_add_z(&words, "delete this ");
		tree_write_whole(conversation_of(c), turn, &words);
	} else {
			buf_add_z(&words, letter == 'c' ? "go on in a copy of what leads up to here" : "take the last change of the tree back");
	}
	buf_add_z(&words, "?   y yes   n no");
	host_say_for(c->host, INT_MAX, buf_z(&words));
	buf_fini(&words);
}

static void card_remove(struct tree_card *c, struct turn *turn)
{
	struct turn *parent = turn->parent;

	if (!branches_remove(c->host, turn))
		return;
	card_fill(c);
	if (c->rows.count)
		card_mark(c, parent);
	else
		tree_card_close(c);
}

static void card_answer(struct tree_card *c, struct turn *turn, bool yes)
{
	char asked = c->asks;

	c->asks = 0;
	host_say_for(c->host, 0, "");
	if (yes && asked == 'd')
		card_remove(c, turn);
	else if (yes && asked == 'c' && branches_copy(c->host, turn))
		tree_card_close(c);
	else if (yes && asked == 'u' && branches_undo(c->host))
		card_fill(c);
}

static void card_act(struct tree_card *c, struct tree_row *row, char letter)
{
	if (letter == 'l')
		c->form = form_new_text(STR("Label"), "word", str_from(row->turn->label));
	else if (letter != 'u' || session_removals(c->host->session))
		card_ask(c, row->turn, letter);
	else
		(void)branches_undo(c->host); /* says that there is nothing */
}

/* Keys act on the turn then. At the end nothing else is meant, and the next prompt can be typed. */
static void card_open(struct tree_card *c, struct turn *turn)
{
	if (!branches_select(c->host, turn))
		return;
	tree_card_close(c);
	if (turn != conversation_last(conversation_of(c)))
		stack_focus(c->host->stack, transcript_pane(c->host->transcript));
}

/* --- keys --- */

static bool tree_card_is_open(const void *part)
{
	return ((const struct tree_card *)part)->open;
}

static void form_take(struct tree_card *c, const struct key *key)
{
	const struct tree_row *row = marked_row(c);

	if (!form_text_key(&c->form, key))
		return;
	if (row)
		session_label(c->host->session, row->turn, form_value(c->form, 0));
	form_close(&c->form);
	card_fill(c);
}

static bool tree_card_take(void *part, const struct key *key)
{
	struct tree_card *c = part;
	struct tree_row *row = marked_row(c);
	char letter = key_letter(key);

	if (c->form)
		form_take(c, key);
	else if (c->asks && row)
		card_answer(c, row->turn, letter == 'y');
	else if ((letter || key->code != KEY_TEXT) && list_key(&c->list, key, SCROLL_ROWS, PAGE_ROWS, c->rows.count))
		host_redraw(c->host);
	else if (key->code == KEY_ESCAPE || letter == 'q' || host_key_is(c->host, key, "tree"))
		tree_card_close(c);
	else if (row && key->code == KEY_ENTER)
		card_open(c, row->turn);
	else if (row && (key->code == KEY_LEFT || key->code == KEY_RIGHT))
		card_fold(c, row, key->code == KEY_LEFT);
	else if (row && letter && strchr("lcdu", letter))
		card_act(c, row, letter);
	else if (host_types(c->host, key)) {
		tree_card_close(c);
		return false;
	}
	return true;
}

/* Into the input, as typed text for which the card has no use. It is no answer to a question. */
static enum mode_paste tree_card_paste(const void *part)
{
	const struct tree_card *c = part;

	return c->form ? PASTE_TAKEN : c->asks ? PASTE_LOST : PASTE_PASSES;
}

const struct card_kind tree_card_kind = {
	.mode = { .is_open = tree_card_is_open, .takes = tree_card_take, .close = tree_card_close, .paste = tree_card_paste },
	.init = tree_card_init, .draw = tree_card_draw,
};
