#include "app/screen/cards/settings_card.h"

#include <stdio.h>

#include "app/setup/setting_change.h"

#define TEXT_LIMIT ((size_t)64 << 10)
#define KEYS "Up Down   Enter change   w write into weir.conf   Esc back"

static void settings_card_init(void *card, const struct card_tools *tools)
{
	*(struct settings_card *)card = (struct settings_card){ .host = tools->host };
}

static void settings_card_close(void *card)
{
	struct settings_card *c = card;

	form_close(&c->form);
	table_free(c->table);
	c->table = NULL;
}

/* --- what it shows --- */

static struct setting_help marked_setting(const struct settings_card *c)
{
	return settings_help_at(table_marked(c->table));
}

static void add_words(const char *name, struct buf *out)
{
	for (size_t i = 0; setting_word_at(name, i); i++)
		buf_printf(out, "%s%s", i ? " \u00b7 " : "\nIt takes: ", setting_word_at(name, i));
}

/* A value is one row: line ends of a system prompt are blanks here. */
static void add_value(const struct setup *setup, const char *name, struct buf *out)
{
	setting_value(setup, name, out);
	for (size_t i = 0; i < out->len; i++)
		if (out->ptr[i] == '\n' || out->ptr[i] == '\t')
			out->ptr[i] = ' ';
}

static void card_fill(struct settings_card *c)
{
	const struct setup *setup = c->host->setup;
	struct setting_help marked = marked_setting(c);
	struct buf value, origin;

	buf_init(&value, TEXT_LIMIT);
	buf_init(&origin, TEXT_LIMIT);
	table_clear(c->table);
	for (size_t i = 0; settings_help_at(i).name; i++) {
		buf_clear(&value);
		buf_clear(&origin);
		add_value(setup, settings_help_at(i).name, &value);
		setting_origin_words(setup, settings_help_at(i).name, &origin);
		table_add(c->table, str_from(settings_help_at(i).name), buf_str(&value), buf_str(&origin));
	}
	buf_clear(&value);
	buf_add_z(&value, marked.help);
	add_words(marked.name, &value);
	table_set_below(c->table, buf_str(&value));
	buf_fini(&value);
	buf_fini(&origin);
	host_redraw(c->host);
}

void settings_card_open(struct settings_card *c)
{
	host_close_cards(c->host);
	c->table = table_new(STR("Settings"), KEYS);
	card_fill(c);
}

static void settings_card_draw(void *card, struct canvas *canvas)
{
	struct settings_card *c = card;

	table_draw(c->table, canvas);
	if (c->form)
		form_draw(c->form, canvas);
}

/* --- changing --- */

static bool card_change(struct settings_card *c, const char *name, struct str value, struct error *err)
{
	bool good = setting_change(c->host->setup, name, value, err);

	host_settings_changed(c->host, name);
	card_fill(c);
	return good;
}

/* The next word, or the one before. */
static void card_step(struct settings_card *c, const char *name, int step)
{
	struct buf value = { 0 };
	struct error err = { "" };
	size_t count = 0, at = 0;

	setting_value(c->host->setup, name, &value);
	for (; setting_word_at(name, count); count++)
		if (str_is(buf_str(&value), setting_word_at(name, count)))
			at = count;
	if (count && !card_change(c, name, str_from(setting_word_at(name, (at + count + (step > 0 ? 1 : count - 1)) % count)), &err))
		host_say(c->host, "%s", err.text);
	buf_fini(&value);
}

static void card_open_form(struct settings_card *c, const char *name)
{
	struct buf value = { 0 };

	setting_value(c->host->setup, name, &value);
	c->form = form_new_text(str_from(name), "value", buf_str(&value));
	buf_fini(&value);
}

/* What has a menu or the input of its own opens that. */
static void card_begin(struct settings_card *c)
{
	const char *name = marked_setting(c).name, *command = setting_command(name);

	if (command) {
		settings_card_close(c);
		host_run(c->host, str_from(command));
	} else if (setting_word_at(name, 0)) {
		card_step(c, name, 1);
	} else {
		card_open_form(c, name);
	}
}

static void card_write(struct settings_card *c)
{
	const char *name = marked_setting(c).name;
	struct error err = { "" };

	if (setting_write(c->host->setup, name, &err))
		host_say(c->host, "%s is written into the settings", name);
	else
		host_say(c->host, "%s", err.text);
	card_fill(c);
}

/* --- keys --- */

static bool settings_card_is_open(const void *part)
{
	return ((const struct settings_card *)part)->table != NULL;
}

static void form_take(struct settings_card *c, const struct key *key)
{
	struct error err = { "" };

	switch (form_key(c->form, key)) {
	case FORM_DONE:
		if (card_change(c, marked_setting(c).name, form_value(c->form, 0), &err))
			form_close(&c->form);
		else
			form_say(c->form, str_from(err.text));
		break;
	case FORM_LEFT:
		form_close(&c->form);
		break;
	case FORM_CHANGED:
		form_say(c->form, STR_NONE);
		break;
	case FORM_OPEN:
	case FORM_NOT_MINE:
		break;
	}
}

static bool settings_card_take(void *part, const struct key *key)
{
	struct settings_card *c = part;
	bool is_text = key->code == KEY_TEXT && !key->at_once;

	if (c->form)
		form_take(c, key);
	else if ((is_text || key->code != KEY_TEXT) && table_key(c->table, key))
		card_fill(c);
	else if (key->code == KEY_ESCAPE || (is_text && str_is(key->text, "q")) || host_key_is(c->host, key, "settings"))
		settings_card_close(c);
	else if (key->code == KEY_ENTER || (is_text && str_is(key->text, " ")))
		card_begin(c);
	else if (key->code == KEY_LEFT || key->code == KEY_RIGHT)
		card_step(c, marked_setting(c).name, key->code == KEY_RIGHT ? 1 : -1);
	else if (is_text && str_is(key->text, "w"))
		card_write(c);
	else if (host_types(c->host, key)) {
		settings_card_close(c);
		return false;
	}
	return true;
}

/* Into the input, as typed text for which the card has no use. */
static enum mode_paste settings_card_paste(const void *part)
{
	return ((const struct settings_card *)part)->form ? PASTE_TAKEN : PASTE_PASSES;
}

const struct card_kind settings_card_kind = {
	.mode = { .is_open = settings_card_is_open, .takes = settings_card_take, .close = settings_card_close, .paste = settings_card_paste },
	.init = settings_card_init, .draw = settings_card_draw,
};
