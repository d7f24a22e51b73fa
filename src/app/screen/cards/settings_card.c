#include "app/screen/cards/settings_card.h"

#include <string.h>

#include "app/setup/setting_change.h"
#include "store/config/settings.h"

#define TEXT_LIMIT ((size_t)64 << 10)
#define COLUMNS_WANTED 90u
#define NAME_GAP 2u
#define PAGE_ROWS 8
#define KEYS "Up Down   Enter change   w write into weir.conf   Esc back"

static void settings_card_init(void *card, const struct card_tools *tools)
{
	*(struct settings_card *)card = (struct settings_card){ .host = tools->host };
}

static void settings_card_close(void *card)
{
	struct settings_card *c = card;

	form_close(&c->form);
	buf_fini(&c->value);
	buf_fini(&c->origin);
	c->open = false;
}

/* --- what it shows --- */

/* How many rows there are; `columns`: those of the longest name. */
static size_t settings_count(unsigned *columns)
{
	size_t count = 0;

	*columns = 0;
	for (; settings_help_at(count).name; count++)
		*columns = strlen(settings_help_at(count).name) > *columns ? (unsigned)strlen(settings_help_at(count).name) : *columns;
	return count;
}

static const char *marked_name(const struct settings_card *c)
{
	return settings_help_at(c->list.marked).name;
}

/* A value is one row: line ends of a system prompt are blanks here. */
static void settings_item(void *card, size_t index, struct list_item *out)
{
	struct settings_card *c = card;
	const char *name = settings_help_at(index).name;

	buf_clear(&c->value);
	buf_clear(&c->origin);
	setting_value(c->host->setup, name, &c->value);
	setting_origin_words(c->host->setup, name, &c->origin);
	for (size_t i = 0; i < c->value.len; i++)
		if (c->value.ptr[i] == '\n' || c->value.ptr[i] == '\t')
			c->value.ptr[i] = ' ';
	out->front = str_from(name);
	out->text = buf_str(&c->value);
	out->facts[0] = buf_str(&c->origin);
}

void settings_card_open(struct settings_card *c)
{
	host_close_cards(c->host);
	c->list = (struct list_state){ .marked = 0 };
	c->open = true;
	buf_init(&c->value, TEXT_LIMIT);
	buf_init(&c->origin, TEXT_LIMIT);
	host_redraw(c->host);
}

static void settings_card_draw(void *card, struct canvas *canvas)
{
	struct settings_card *c = card;
	struct setting_help marked = settings_help_at(c->list.marked);
	struct buf below;
	unsigned names;
	size_t count = settings_count(&names);

	buf_init(&below, TEXT_LIMIT);
	buf_add_z(&below, marked.help);
	for (size_t i = 0; setting_word_at(marked.name, i); i++)
		buf_printf(&below, "%s%s", i ? " \u00b7 " : "\nIt takes: ", setting_word_at(marked.name, i));
	list_draw(&(struct list){
		.title = STR("Settings"), .keys = STR(KEYS), .columns = COLUMNS_WANTED, .item = settings_item, .ctx = c, .count = count,
		.below = buf_str(&below), .has_below = true, .front_columns = names + NAME_GAP, .fit = LIST_WHOLE }, &c->list, canvas);
	if (c->form)
		form_draw(c->form, canvas);
	buf_fini(&below);
}

/* --- changing --- */

static bool card_change(struct settings_card *c, const char *name, struct str value, struct error *err)
{
	bool good = setting_change(c->host->setup, name, value, err);

	host_settings_changed(c->host, name);
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
		host_fail(c->host, "%s", err.text);
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
	const char *name = marked_name(c), *command = setting_command(name);

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
	const char *name = marked_name(c);
	struct error err = { "" };

	if (setting_write(c->host->setup, name, &err))
		host_say(c->host, "%s is written into the settings", name);
	else
		host_fail(c->host, "%s", err.text);
}

/* --- keys --- */

static bool settings_card_is_open(const void *part)
{
	return ((const struct settings_card *)part)->open;
}

static void form_take(struct settings_card *c, const struct key *key)
{
	struct error err = { "" };

	if (!form_text_key(&c->form, key))
		return;
	if (card_change(c, marked_name(c), form_value(c->form, 0), &err))
		form_close(&c->form);
	else
		form_say(c->form, str_from(err.text));
}

static bool settings_card_take(void *part, const struct key *key)
{
	struct settings_card *c = part;
	bool is_text = key->code == KEY_TEXT && !key->at_once;
	unsigned names;

	if (c->form)
		form_take(c, key);
	else if ((is_text || key->code != KEY_TEXT) && list_key(&c->list, key, SCROLL_ROWS, PAGE_ROWS, settings_count(&names)))
		host_redraw(c->host);
	else if (key->code == KEY_ESCAPE || (is_text && str_is(key->text, "q")) || host_key_is(c->host, key, "settings"))
		settings_card_close(c);
	else if (key->code == KEY_ENTER || (is_text && str_is(key->text, " ")))
		card_begin(c);
	else if (key->code == KEY_LEFT || key->code == KEY_RIGHT)
		card_step(c, marked_name(c), key->code == KEY_RIGHT ? 1 : -1);
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
