#include "app/screen/cards/settings_card.h"

#include <string.h>

#include "app/screen/cards/cards.h"
#include "app/setup/model_list.h"
#include "app/setup/setting_change.h"
#include "store/config/settings.h"

#define TEXT_LIMIT ((size_t)64 << 10)
#define COLUMNS_WANTED 100u
#define NAME_GAP 2u
#define VALUE_COLUMNS 14u /* beside what the setting is */
#define PAGE_ROWS 8
#define ROWS_LEAST 11u    /* with fewer, what is said below them would have no room */
#define KEYS "Left Right step   Ctrl-S write into weir.conf   Enter change   Esc back"

static void settings_card_init(void *card, const struct card_tools *tools)
{
	struct settings_card *c = card;

	*c = (struct settings_card){ .host = tools->host, .cards = tools->cards, .models = tools->models };
	edit_init(&c->filter, true);
}

static void card_close_menu(struct settings_card *c)
{
	menu_free(c->menu);
	c->menu = NULL;
}

static void settings_card_close(void *card)
{
	struct settings_card *c = card;

	form_close(&c->form);
	card_close_menu(c);
	buf_fini(&c->value);
	buf_fini(&c->origin);
	c->open = c->away = false;
}

static void settings_card_fini(void *card)
{
	edit_fini(&((struct settings_card *)card)->filter);
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

static struct str settings_filter(const struct settings_card *c)
{
	return str_trim(buf_str(&c->filter.text));
}

static bool settings_matches(const struct setting_help *row, struct str needle)
{
	bool takes = false; /* one of its words, as a whole */

	for (size_t i = 0; !takes && setting_word_at(row->name, i); i++)
		takes = needle.len && str_is_nocase(needle, setting_word_at(row->name, i));
	return takes || str_has_nocase(str_from(row->name), needle) || str_has_nocase(setting_brief(row), needle);
}

/* The rows that the filter leaves. */
static void settings_refilter(struct settings_card *c)
{
	struct setting_help row;

	c->count = 0;
	for (size_t i = 0; c->count < SETTINGS_MOST && (row = settings_help_at(i)).name; i++)
		if (settings_matches(&row, settings_filter(c)))
			c->shown[c->count++] = i;
}

/* "": the filter leaves none. */
static const char *marked_name(const struct settings_card *c)
{
	return c->list.marked < c->count ? settings_help_at(c->shown[c->list.marked]).name : "";
}

static const char *settings_heading(void *card, size_t index)
{
	const struct settings_card *c = card;

	return settings_filter(c).len ? NULL : settings_help_at(c->shown[index]).group;
}

/* A value is one row: line ends of a system prompt are blanks here. */
static void settings_item(void *card, size_t index, struct list_item *out)
{
	struct settings_card *c = card;
	const struct setting_help row = settings_help_at(c->shown[index]);

	buf_clear(&c->value);
	buf_clear(&c->origin);
	setting_value(c->host->setup, row.name, &c->value);
	if (setting_differs(c->host->setup, &row)) /* the default needs no word */
		setting_origin_words(c->host->setup, row.name, &c->origin);
	for (size_t i = 0; i < c->value.len; i++)
		if (c->value.ptr[i] == '\n' || c->value.ptr[i] == '\t')
			c->value.ptr[i] = ' ';
	out->front = str_from(row.name);
	out->text = buf_str(&c->value);
	out->muted = !c->origin.len;
	out->aside = setting_brief(&row);
	out->facts[0] = buf_str(&c->origin);
}

static void card_show(struct settings_card *c)
{
	host_close_cards(c->host);
	c->open = true;
	settings_refilter(c);
	buf_init(&c->value, TEXT_LIMIT);
	buf_init(&c->origin, TEXT_LIMIT);
	host_redraw(c->host);
}

void settings_card_open(struct settings_card *c)
{
	c->list = (struct list_state){ .marked = 0 };
	edit_clear(&c->filter);
	card_show(c);
}

static void settings_card_draw(void *card, struct canvas *canvas)
{
	struct settings_card *c = card;
	bool any = c->list.marked < c->count;
	struct setting_help marked = any ? settings_help_at(c->shown[c->list.marked]) : (struct setting_help){ .name = "", .help = "" };
	struct buf below;
	unsigned names;

	settings_count(&names);
	buf_init(&below, TEXT_LIMIT);
	for (size_t i = 0; any && !setting_takes_others(marked.name) && setting_word_at(marked.name, i); i++)
		buf_printf(&below, "%s%s", i ? " \u00b7 " : "It takes: ", setting_word_at(marked.name, i));
	if (marked.fallback)
		buf_printf(&below, "%sDefault: %s", below.len ? "   " : "", marked.fallback);
	buf_printf(&below, "%s%s", below.len ? "\n" : "", marked.help); /* last: a long one is cut */
	list_draw(&(struct list){
		.title = STR("Settings"), .keys = STR(KEYS), .columns = COLUMNS_WANTED, .item = settings_item, .heading = settings_heading, .ctx = c,
		.count = c->count, .filter = &c->filter, .nothing = STR("nothing matches"),
		.below = buf_str(&below), .has_below = true, .front_columns = names + NAME_GAP, .aside_at = VALUE_COLUMNS,
		.fit = LIST_WHOLE, .rows_least = ROWS_LEAST }, &c->list, canvas);
	if (c->form)
		form_draw(c->form, canvas);
	if (c->menu)
		menu_draw(c->menu, canvas);
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

/* How many models of the provider in use are known. */
static size_t card_models(const struct settings_card *c)
{
	const struct models *models = model_list_of_target(c->models, c->host->setup);

	return models ? models_count(models) : 0;
}

/* What can be chosen for the marked setting: its words, and models of the list; NULL after the last. */
static const char *card_choice(const struct settings_card *c, size_t index)
{
	size_t words = 0;

	while (words <= index && setting_word_at(marked_name(c), words))
		words++;
	if (index < words || !setting_is_model(marked_name(c)))
		return setting_word_at(marked_name(c), index);
	return index - words < card_models(c) ? models_at(c->models->models, index - words)->id : NULL;
}

static void card_fill_menu(struct settings_card *c)
{
	const struct setting_help row = settings_help_at(c->shown[c->list.marked]);
	struct buf value = { 0 };
	const char *word;

	setting_value(c->host->setup, row.name, &value);
	menu_clear(c->menu);
	for (size_t i = 0; (word = card_choice(c, i)); i++)
		menu_add(c->menu, &(struct menu_item){ .text = *word ? str_from(word) : STR("none"), .current = str_is(buf_str(&value), word),
			.fact = str_is(str_from(word), row.fallback ? row.fallback : "") ? STR("default") : STR_NONE });
	buf_fini(&value);
}

/* Others than these are typed into the menu's filter. */
static void card_open_menu(struct settings_card *c)
{
	const char *name = marked_name(c);
	struct error err;

	c->menu = menu_new(name, setting_takes_others(name) ? "use \"%s\" as typed" : NULL);
	if (setting_is_model(name) && !model_list_open(c->models, c->host->setup, &err))
		host_fail(c->host, "%s", err.text);
	card_fill_menu(c);
}

void settings_card_models_ran(struct settings_card *c)
{
	size_t count = card_models(c);

	if (c->menu && setting_is_model(marked_name(c)) && count != c->listed) {
		card_fill_menu(c);
		host_redraw(c->host);
	}
	c->listed = count;
}

/* What has a menu or the input of its own opens that. Of two words it takes the other one. */
static void card_begin(struct settings_card *c)
{
	const char *name = marked_name(c), *command = setting_command(name);

	if (command) {
		settings_card_close(c);
		host_run(c->host, str_from(command));
		c->away = cards_are_open(c->cards);
	} else if (!setting_word_at(name, 0)) {
		card_open_form(c, name);
	} else if (setting_word_at(name, 2) || setting_takes_others(name)) {
		card_open_menu(c);
	} else {
		card_step(c, name, 1);
	}
}

static void card_write(struct settings_card *c)
{
	const char *name = marked_name(c);
	struct error err = { "" };

	if (setting_write(c->host->setup, name, &err))
		host_say(c->host, "%s is written into weir.conf", name);
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

static void menu_take(struct settings_card *c, const struct key *key)
{
	enum menu_result result = menu_key(c->menu, key);
	struct error err = { "" };
	struct str typed;

	if (result == MENU_CHOSEN) {
		long chosen = menu_choice(c->menu, &typed);
		struct str value = chosen < 0 ? typed : str_from(card_choice(c, (size_t)chosen));

		if (!card_change(c, marked_name(c), value, &err))
			host_fail(c->host, "%s", err.text);
	}
	if (result == MENU_CHOSEN || result == MENU_LEFT)
		card_close_menu(c);
	host_redraw(c->host);
}

static bool settings_card_take(void *part, const struct key *key)
{
	struct settings_card *c = part;
	bool is_end = key->code == KEY_HOME || key->code == KEY_END, any = c->list.marked < c->count;

	if (c->form)
		form_take(c, key);
	else if (c->menu)
		menu_take(c, key);
	else if (list_key(&c->list, key, is_end && !settings_filter(c).len ? SCROLL_ROWS : SCROLL_MENU, PAGE_ROWS, c->count))
		host_redraw(c->host);
	else if (key->code == KEY_ESCAPE || host_key_is(c->host, key, "settings"))
		settings_card_close(c);
	else if (any && key->code == KEY_ENTER)
		card_begin(c);
	else if (any && (key->code == KEY_LEFT || key->code == KEY_RIGHT))
		card_step(c, marked_name(c), key->code == KEY_RIGHT ? 1 : -1);
	else if (any && key_is_control(key, 's'))
		card_write(c);
	else if (edit_key(&c->filter, key)) {
		settings_refilter(c);
		c->list.marked = 0;
		host_redraw(c->host);
	}
	return true;
}

/* --- the loop --- */

/* The menu that it opened was left, and nothing came of it that is in the way. */
static bool card_is_back(const struct settings_card *c)
{
	return c->away && !cards_are_open(c->cards);
}

static int64_t settings_card_deadline(void *card)
{
	return card_is_back(card) ? 0 : NO_DEADLINE;
}

static void settings_card_run(void *card, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	(void)fds, (void)count, (void)now_ms;
	if (card_is_back(card))
		card_show(card);
}

static struct loop_member settings_card_member(void *card)
{
	return (struct loop_member){ .ctx = card, .deadline = settings_card_deadline, .run = settings_card_run };
}

const struct card_kind settings_card_kind = {
	.mode = { .is_open = settings_card_is_open, .takes = settings_card_take, .close = settings_card_close, .paste = mode_takes_paste },
	.init = settings_card_init, .draw = settings_card_draw, .member = settings_card_member, .fini = settings_card_fini,
};
