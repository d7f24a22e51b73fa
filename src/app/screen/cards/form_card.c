#include "app/screen/cards/form_card.h"

#include "app/screen/input/composer.h"

#define TRIED_MS 12000
#define QUIET_MS 300 /* without a key, before the keys of a card that came by itself are shown and work */

static void form_card_init(void *card, const struct card_tools *tools)
{
	*(struct form_card *)card = (struct form_card){ .host = tools->host, .composer = tools->composer };
}

static void form_card_close(void *card)
{
	struct form_card *c = card;

	if (c->form && c->table->drop)
		c->table->drop(c->subject);
	form_close(&c->form);
	c->waits = c->edits = false;
}

/* --- what it shows --- */

static bool field_at(const struct form_card *c, size_t field, struct form_field *out)
{
	*out = (struct form_field){ 0 };
	return c->table->field(c->subject, field, out);
}

/* What may depend on other fields. */
static void show_field(struct form_card *c, size_t field, const struct form_field *of)
{
	struct buf value = { 0 }, text = { 0 };
	const char *name;

	c->table->value(c->subject, field, &value);
	for (size_t i = 0; of->kind == FORM_CHOICE && (name = c->table->word(c->subject, field, i, &text)); i++, buf_clear(&text)) {
		form_set_word(c->form, field, i, str_from(name), text.len ? buf_str(&text) : str_from(name));
		if (str_is(buf_str(&value), name))
			form_choose(c->form, field, i);
	}
	form_show(c->form, field, !of->hidden);
	buf_fini(&value);
	buf_fini(&text);
}

static void add_field(struct form_card *c, size_t field, const struct form_field *of)
{
	struct buf value = { 0 }, note = { 0 };

	form_add(c->form, of->kind, of->label);
	c->table->value(c->subject, field, &value);
	c->table->note(c->subject, field, &note);
	if (of->lines)
		form_take_lines(c->form, field);
	if (of->kind == FORM_TEXT)
		form_set_value(c->form, field, buf_str(&value));
	form_set_note(c->form, field, buf_str(&note));
	show_field(c, field, of);
	buf_fini(&value);
	buf_fini(&note);
}

void form_card_open(struct form_card *c, const struct form_table *table, void *subject)
{
	struct buf title = { 0 }, intro = { 0 };
	struct form_field of;

	host_close_cards(c->host);
	c->table = table;
	c->subject = subject;
	table->title(subject, false, &title);
	c->calm = !table->comes_by_itself;
	c->form = form_new(buf_str(&title), c->calm ? table->keys : "");
	c->quiet_ms = clock_now_ms();
	if (table->intro)
		table->intro(subject, &intro);
	form_set_intro(c->form, buf_str(&intro));
	for (size_t i = 0; field_at(c, i, &of); i++)
		add_field(c, i, &of);
	form_focus(c->form, table->first ? table->first(subject) : 0);
	buf_fini(&title);
	buf_fini(&intro);
	host_redraw(c->host);
}

/* --- taking it --- */

static struct str value_of(const struct form_card *c, size_t field, enum form_kind kind)
{
	if (kind != FORM_CHOICE)
		return form_value(c->form, field);
	return str_from(c->table->word(c->subject, field, form_choice(c->form, field), NULL));
}

static bool take_all(struct form_card *c, bool (*take)(void *subject, size_t field, struct str value, struct error *err), struct error *err)
{
	struct form_field of;

	for (size_t i = 0; take && field_at(c, i, &of); i++)
		if (!of.hidden && !take(c->subject, i, value_of(c, i, of.kind), err)) {
			form_focus(c->form, i);
			return false;
		}
	return true;
}

static void follow_change(struct form_card *c)
{
	struct form_field of;
	struct error ignored; /* it is being typed */

	for (size_t i = 0; field_at(c, i, &of); i++)
		if (!of.hidden && of.kind != FORM_SECRET)
			(void)c->table->take(c->subject, i, value_of(c, i, of.kind), &ignored);
	c->table->changed(c->subject);
	for (size_t i = 0; field_at(c, i, &of); i++)
		show_field(c, i, &of);
}

void form_card_ended(struct form_card *c)
{
	struct form_end end = { 0 };

	c->waits = false;
	if (c->table->finish(c->subject, &end)) {
		form_card_close(c);
		if (c->table->then)
			host_run(c->host, str_skip(str_from(c->table->then), 1));
		host_say(c->host, "%s", buf_z(&end.said));
	} else {
		form_say(c->form, str_from(end.err.text));
	}
	buf_fini(&end.said);
	host_redraw(c->host);
}

static void form_card_accept(struct form_card *c)
{
	struct form_end end = { 0 };

	if (!take_all(c, c->table->check, &end.err) || !take_all(c, c->table->take, &end.err)) {
		form_say(c->form, str_from(end.err.text));
	} else if (!c->table->begin) {
		form_card_ended(c);
	} else {
		c->waits = c->table->begin(c->subject, &end);
		form_say(c->form, c->waits ? buf_str(&end.said) : str_from(end.err.text));
	}
	buf_fini(&end.said);
}

static void form_card_try(struct form_card *c)
{
	struct form_end end = { 0 };

	if (take_all(c, c->table->check, &end.err) && take_all(c, c->table->take, &end.err) && c->table->tries(c->subject, &end)) {
		form_close(&c->form);
		host_say_for(c->host, TRIED_MS, buf_z(&end.said));
	} else {
		form_say(c->form, str_from(end.err.text));
	}
	buf_fini(&end.said);
}

static void form_card_changed(struct form_card *c)
{
	c->waits = false;
	form_say(c->form, STR_NONE);
	if (c->table->changed)
		follow_change(c);
}

/* --- a text in the user's editor --- */

static void form_card_take_text(void *card, const char *path)
{
	struct form_card *c = card;
	struct buf text = { 0 };
	struct error err;

	if (!c->edits) /* the card was closed meanwhile */
		return;
	if (!external_read_text(path, form_value(c->form, c->edited), &text, &err)) {
		form_say(c->form, str_from(err.text));
	} else {
		form_set_value(c->form, c->edited, buf_str(&text));
		form_card_changed(c);
	}
	c->edits = false;
	host_redraw(c->host);
	buf_fini(&text);
}

static void form_card_edit(struct form_card *c)
{
	struct external_offer offer = { .command = terminal_job_editor(), .variables = "$VISUAL, $EDITOR", .kept = "the field is unchanged",
		.text = form_value(c->form, form_focused(c->form)), .back = form_card_take_text, .ctx = c, .not_at_end = true };

	c->edited = form_focused(c->form);
	c->edits = external_begin(c->composer->tools.external, &offer);
}

/* --- keys --- */

static void form_card_put_off(struct form_card *c)
{
	form_card_close(c);
	if (c->table->comes_by_itself)
		host_say(c->host, "it waits for your answer: %s shows it again", host_key(c->host, "answer"));
}

/* A key that was on its way when the card came was meant for the input. */
static bool form_card_steps_back(struct form_card *c, const struct key *key)
{
	c->quiet_ms = clock_now_ms();
	if (key->code != KEY_TEXT || !host_types(c->host, key))
		return key->code == KEY_ENTER || key->code == KEY_TEXT;
	form_card_put_off(c);
	return false;
}

static bool form_card_is_open(const void *card)
{
	return ((const struct form_card *)card)->form != NULL;
}

static bool form_card_take(void *card, const struct key *key)
{
	struct form_card *c = card;

	if (!c->calm && key->code != KEY_ESCAPE)
		return form_card_steps_back(c, key);
	if (c->table->tries && key_is_control(key, 't')) {
		form_card_try(c);
		return true;
	}
	if (form_writes(c->form) && host_key_is(c->host, key, "editor")) {
		form_card_edit(c);
		return true;
	}
	switch (form_key(c->form, key)) {
	case FORM_CHANGED:
		form_card_changed(c);
		break;
	case FORM_DONE:
		if (key->at_once && c->table->at_once)
			form_say(c->form, str_from(c->table->at_once));
		else if (!c->waits)
			form_card_accept(c);
		break;
	case FORM_LEFT:
		form_card_put_off(c);
		break;
	case FORM_OPEN:
	case FORM_NOT_MINE:
		break;
	}
	return true;
}

static void form_card_draw(void *card, struct canvas *canvas)
{
	form_draw(((struct form_card *)card)->form, canvas);
}

/* --- the loop --- */

static int64_t form_card_deadline(void *card)
{
	const struct form_card *c = card;

	return c->form && !c->calm && form_was_drawn(c->form) ? c->quiet_ms + QUIET_MS : NO_DEADLINE;
}

static void form_card_run(void *card, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct form_card *c = card;

	(void)fds, (void)count;
	if (now_ms < form_card_deadline(card))
		return;
	c->calm = true;
	form_set_keys(c->form, c->table->keys);
	host_redraw(c->host);
}

static struct loop_member form_card_member(void *card)
{
	return (struct loop_member){ .ctx = card, .deadline = form_card_deadline, .run = form_card_run };
}

const struct card_kind form_card_kind = {
	.mode = { .is_open = form_card_is_open, .takes = form_card_take, .close = form_card_close, .paste = mode_takes_paste },
	.init = form_card_init, .draw = form_card_draw, .member = form_card_member,
};
