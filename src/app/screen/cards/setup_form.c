#include "app/screen/cards/setup_form.h"

#include <stdio.h>

#include "app/setup/setup.h"
#include "base/mem.h"

#define WORDS_LIMIT ((size_t)4096)
#define KEYS "Tab next field   Enter test and use   Esc back"

/* Of each form, in this order. */
enum { FIELD_NAME, FIELD_PROTOCOL, FIELD_AUTH, FIELD_KEY, FIELD_COMMAND, FIELD_VARIABLE, FIELD_URL, FIELD_KEEP };

static const struct { enum form_kind kind; const char *label; bool added; } fields[] = {
	[FIELD_NAME] = { FORM_TEXT, "name", true },      [FIELD_PROTOCOL] = { FORM_CHOICE, "protocol", true },
	[FIELD_AUTH] = { FORM_CHOICE, "auth", true },    [FIELD_KEY] = { FORM_SECRET, "key", false },
	[FIELD_COMMAND] = { FORM_TEXT, "command", false }, [FIELD_VARIABLE] = { FORM_TEXT, "variable", false },
	[FIELD_URL] = { FORM_TEXT, "base URL", false },  [FIELD_KEEP] = { FORM_CHOICE, "keep", false },
};
/* Where the key comes from, by how it is kept. */
static const size_t given[] = {
	[KEY_IN_FILE] = FIELD_KEY, [KEY_IN_SESSION] = FIELD_KEY, [KEY_FROM_COMMAND] = FIELD_COMMAND, [KEY_FROM_VARIABLE] = FIELD_VARIABLE,
};
#define FIELDS (sizeof fields / sizeof *fields)

/* As the setting has them; the first one is the protocol's own. */
static const char *const auth_words[] = { "as the protocol does", "bearer", "x-api-key", "x-goog-api-key", "api-key", "none" };
#define AUTH_WORDS (sizeof auth_words / sizeof *auth_words)

static void setup_ended(void *form);

static void setup_form_init(void *form, const struct card_tools *tools)
{
	struct setup_form *f = form;

	*f = (struct setup_form){ .host = tools->host, .models = tools->models };
	provider_setup_init(&f->test, tools->host->setup, setup_ended, f);
}

static struct loop_member setup_form_member(void *form)
{
	return provider_setup_member(&((struct setup_form *)form)->test);
}

static void setup_form_close(void *form)
{
	struct setup_form *f = form;

	provider_setup_cancel(&f->test);
	form_close(&f->form);
	mem_free(f->name);
	f->name = NULL;
}

/* --- what it shows --- */

static struct str provider_name(const struct setup_form *f)
{
	return f->name ? str_from(f->name) : form_value(f->form, FIELD_NAME);
}

static enum key_keeping keep_of(const struct setup_form *f)
{
	return (enum key_keeping)form_choice(f->form, FIELD_KEEP);
}

/* One of three fields says where the key comes from; the file's name has the provider's. */
static void follow_choice(struct setup_form *f)
{
	size_t focus = form_focused(f->form);
	struct buf words;

	buf_init(&words, WORDS_LIMIT);
	key_keeping_words(KEY_IN_FILE, provider_name(f), &words);
	form_set_word(f->form, FIELD_KEEP, KEY_IN_FILE, buf_str(&words));
	buf_fini(&words);
	for (size_t i = FIELD_KEY; i <= FIELD_VARIABLE; i++)
		form_show(f->form, i, i == given[keep_of(f)]);
	form_focus(f->form, focus >= FIELD_KEY && focus <= FIELD_VARIABLE ? given[keep_of(f)] : focus);
}

static void add_words(struct setup_form *f)
{
	struct buf words;

	buf_init(&words, WORDS_LIMIT);
	for (int i = 0; i < KEY_KEEPINGS; i++) {
		buf_clear(&words);
		key_keeping_words((enum key_keeping)i, provider_name(f), &words);
		form_add_word(f->form, FIELD_KEEP, str_from(key_keeping_name((enum key_keeping)i)), buf_str(&words));
	}
	for (size_t i = 0; protocol_at(i); i++)
		form_add_word(f->form, FIELD_PROTOCOL, str_from(protocol_at(i)->name), str_from(protocol_at(i)->name));
	for (size_t i = 0; i < AUTH_WORDS; i++)
		form_add_word(f->form, FIELD_AUTH, str_from(auth_words[i]), str_from(auth_words[i]));
	buf_fini(&words);
}

static void show_provider(struct setup_form *f, const struct provider *p)
{
	struct buf words;

	buf_init(&words, WORDS_LIMIT);
	provider_key_words(p, &words);
	form_set_note(f->form, FIELD_KEY, buf_str(&words));
	form_set_value(f->form, FIELD_URL, provider_base_url(p, p->protocols[0]));
	if (p->key_env)
		form_set_value(f->form, FIELD_VARIABLE, str_from(p->key_env));
	if (!provider_base_url(p, p->protocols[0]).len && p->key_optional)
		form_focus(f->form, FIELD_URL);
	buf_fini(&words);
}

void setup_form_open(struct setup_form *f, const struct provider *p)
{
	char title[80];

	host_close_cards(f->host);
	f->name = p ? mem_dup_z(p->name) : NULL;
	snprintf(title, sizeof title, p ? "Set up %s" : "Add a provider", p ? p->name : "");
	f->form = form_new(str_from(title), KEYS);
	for (size_t i = 0; i < FIELDS; i++)
		form_add(f->form, fields[i].kind, fields[i].label);
	add_words(f);
	for (size_t i = 0; i < FIELDS; i++)
		form_show(f->form, i, !p || !fields[i].added);
	follow_choice(f);
	form_focus(f->form, p ? FIELD_KEY : FIELD_NAME);
	if (p)
		show_provider(f, p);
	host_redraw(f->host);
}

/* --- the test --- */

static void setup_begin(struct setup_form *f)
{
	struct error err = { "" };
	size_t auth = form_choice(f->form, FIELD_AUTH);
	const struct provider_wish wish = {
		.name = provider_name(f),
		.is_new = !f->name,
		.protocol = protocol_at(form_choice(f->form, FIELD_PROTOCOL)),
		.auth = auth ? auth_words[auth] : NULL,
		.keep = keep_of(f),
		.key = form_value(f->form, given[keep_of(f)]),
		.base_url = form_value(f->form, FIELD_URL),
	};

	if (provider_setup_begin(&f->test, &wish, &err))
		form_say(f->form, STR("fetching the model list ..."));
	else
		form_say(f->form, str_from(err.text));
}

static void setup_ended(void *form)
{
	struct setup_form *f = form;
	struct error err = { "" };
	struct buf words;

	buf_init(&words, WORDS_LIMIT);
	if (provider_setup_keep(&f->test, f->models, &words, &err)) {
		setup_form_close(f);
		host_run(f->host, STR("model"));
		host_say(f->host, "%s: %s", f->host->setup->target.provider->name, buf_z(&words));
	} else {
		form_say(f->form, str_from(err.text));
	}
	buf_fini(&words);
	host_redraw(f->host);
}

/* --- keys --- */

static bool setup_form_is_open(const void *part)
{
	return ((const struct setup_form *)part)->form != NULL;
}

static bool setup_form_take(void *part, const struct key *key)
{
	struct setup_form *f = part;

	switch (form_key(f->form, key)) {
	case FORM_CHANGED:
		provider_setup_cancel(&f->test); /* what is tested is what stands there */
		form_say(f->form, STR_NONE);
		follow_choice(f);
		break;
	case FORM_DONE:
		if (key->at_once)
			form_say(f->form, STR("it arrived at once, like a paste: Enter tests it"));
		else if (!provider_setup_runs(&f->test))
			setup_begin(f);
		break;
	case FORM_LEFT:
		setup_form_close(f);
		break;
	case FORM_OPEN:
	case FORM_NOT_MINE:
		break;
	}
	return true;
}

static void setup_form_draw(void *form, struct canvas *canvas)
{
	form_draw(((struct setup_form *)form)->form, canvas);
}

const struct card_kind setup_form_kind = {
	.mode = { .is_open = setup_form_is_open, .takes = setup_form_take, .close = setup_form_close, .paste = mode_takes_paste },
	.init = setup_form_init, .draw = setup_form_draw, .member = setup_form_member,
};
