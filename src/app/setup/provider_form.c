#include "app/setup/provider_form.h"

#include <string.h>

#include "app/setup/setup.h"
#include "base/mem.h"

/* In the order of the card; `next` has that of the questions. */
enum { FIELD_NAME, FIELD_PROTOCOL, FIELD_AUTH, FIELD_KEY, FIELD_COMMAND, FIELD_VARIABLE, FIELD_URL, FIELD_KEEP };

static const struct { struct form_field field; bool added; const char *question; } fields[PROVIDER_FORM_FIELDS] = {
	[FIELD_NAME] = { { FORM_TEXT, "name", "Name: ", .empty = FORM_EMPTY_LEAVES, .next = FIELD_PROTOCOL }, true,
		"Adding a provider. What is its name? An empty line cancels." },
	[FIELD_PROTOCOL] = { { FORM_CHOICE, "protocol", "Protocol: ", .next = FIELD_AUTH }, true, "Which protocol does it offer?" },
	[FIELD_AUTH] = { { FORM_CHOICE, "auth", "Auth: ", .next = FIELD_KEEP }, true, "How is the key sent?" },
	[FIELD_KEEP] = { { FORM_CHOICE, "keep", "Kept: ", .next = FIELD_KEY }, false, "How is the key kept? A number, or /leave." },
	[FIELD_KEY] = { { FORM_SECRET, "key", "Key: ", .next = FIELD_COMMAND }, false,
		"Type the key, which is not shown, or an empty line for none." },
	[FIELD_COMMAND] = { { FORM_TEXT, "command", "Command: ", .next = FIELD_VARIABLE }, false, "Type the command, or an empty line for none." },
	[FIELD_VARIABLE] = { { FORM_TEXT, "variable", "Variable: ", .next = FIELD_URL }, false,
		"Type the name of the variable, or an empty line for none." },
	[FIELD_URL] = { { FORM_TEXT, "base URL", "Base URL: ", .empty = FORM_EMPTY_KEEPS, .next = PROVIDER_FORM_FIELDS }, false,
		"Type its base URL, such as https://api.example.com/v1." },
};
/* Where the key comes from, by how it is kept. */
static const size_t given[] = {
	[KEY_IN_FILE] = FIELD_KEY, [KEY_IN_SESSION] = FIELD_KEY, [KEY_FROM_COMMAND] = FIELD_COMMAND, [KEY_FROM_VARIABLE] = FIELD_VARIABLE,
};

/* As the setting has them; the first one is the protocol's own. */
static const char *const auth_words[] = {
	"as the protocol does",
#define X(upper, word, header) word,
	AUTHS(X) NULL,
#undef X
};

/* --- life --- */

void provider_form_init(struct provider_form *f, struct setup *setup, struct model_list *models, void (*ended)(void *ctx), void *ctx)
{
	*f = (struct provider_form){ .models = models };
	provider_setup_init(&f->test, setup, ended, ctx);
}

static void set_text(struct provider_form *f, size_t field, struct str text)
{
	if (field == FIELD_KEY && f->texts[field])
		mem_wipe(f->texts[field], strlen(f->texts[field]));
	str_replace(&f->texts[field], text);
}

void provider_form_drop(void *form)
{
	struct provider_form *f = form;

	provider_setup_cancel(&f->test);
	for (size_t i = 0; i < PROVIDER_FORM_FIELDS; i++)
		set_text(f, i, STR_NONE);
	memset(f->chosen, 0, sizeof f->chosen);
	f->provider = NULL;
	f->again = false;
}

static struct str own_url(const struct provider_form *f)
{
	return f->provider ? provider_base_url(f->provider, f->provider->protocols[0]) : STR_NONE;
}

void provider_form_take(struct provider_form *f, const struct provider *p)
{
	provider_form_drop(f);
	f->provider = p;
	if (p)
		set_text(f, FIELD_NAME, str_from(p->name));
	if (p && p->key_env)
		set_text(f, FIELD_VARIABLE, str_from(p->key_env));
	set_text(f, FIELD_URL, own_url(f));
}

/* --- fields --- */

static struct str text_of(const struct provider_form *f, size_t field)
{
	return str_from(f->texts[field]);
}

static bool provider_field(void *form, size_t field, struct form_field *out)
{
	const struct provider_form *f = form;

	if (field >= PROVIDER_FORM_FIELDS)
		return false;
	*out = fields[field].field;
	if (f->again && (out->kind == FORM_CHOICE || text_of(f, field).len))
		out->empty = FORM_EMPTY_KEEPS;
	out->hidden = (f->provider && fields[field].added) ||
	              (field >= FIELD_KEY && field <= FIELD_VARIABLE && field != given[f->chosen[FIELD_KEEP]]);
	return true;
}

static void provider_title(void *form, bool by_line, struct buf *out)
{
	const struct provider *p = ((struct provider_form *)form)->provider;

	if (p)
		buf_printf(out, "Set up %s", p->name);
	else if (!by_line)
		buf_add_z(out, "Add a provider");
	if (p && by_line) {
		buf_add_z(out, ". Its key now: ");
		provider_key_words(p, out);
		buf_add_z(out, ".");
	}
}

static size_t provider_first(void *form)
{
	const struct provider_form *f = form;

	return !f->provider ? FIELD_NAME : !own_url(f).len && f->provider->key_optional ? FIELD_URL : FIELD_KEY;
}

static const char *provider_word(void *form, size_t field, size_t index, struct buf *text)
{
	if (field == FIELD_PROTOCOL)
		return protocol_at(index) ? protocol_at(index)->name : NULL;
	if (field == FIELD_AUTH)
		return auth_words[index];
	if (index >= KEY_KEEPINGS)
		return NULL;
	if (text)
		key_keeping_words((enum key_keeping)index, text_of(form, FIELD_NAME), text);
	return key_keeping_name((enum key_keeping)index);
}

static void provider_value(void *form, size_t field, struct buf *out)
{
	const struct provider_form *f = form;

	if (fields[field].field.kind == FORM_CHOICE)
		buf_add_z(out, provider_word(form, field, f->chosen[field], NULL));
	else if (fields[field].field.kind == FORM_TEXT)
		buf_add(out, text_of(f, field));
}

static void provider_note(void *form, size_t field, struct buf *out)
{
	const struct provider_form *f = form;

	if (field == FIELD_KEY && f->provider)
		provider_key_words(f->provider, out);
}

static void provider_ask(void *form, size_t field, struct buf *out)
{
	const struct provider_form *f = form;
	struct str said = text_of(form, field);
	struct buf text = { 0 };
	const char *name;

	if (field == FIELD_URL && said.len)
		buf_printf(out, "Its base URL is %.*s. Type another one, or an empty line to keep it.", STR_ARG(said));
	else if (f->again && field == FIELD_KEY && said.len)
		buf_add_z(out, "Type the key, which is not shown, or an empty line for the one that you typed before.");
	else if (f->again && said.len)
		buf_printf(out, "It was %.*s. Type another one, or an empty line to keep it.", STR_ARG(said));
	else
		buf_add_z(out, fields[field].question);
	for (size_t i = 0; fields[field].field.kind == FORM_CHOICE && (name = provider_word(form, field, i, &text)); i++, buf_clear(&text))
		buf_printf(out, "\n%zu. %s%s", i + 1, text.len ? buf_z(&text) : name, i == f->chosen[field] ? ", taken by an empty line" : "");
	buf_fini(&text);
}

/* --- taking it --- */

/* The word that has this name or number; an empty line leaves what is chosen, at first the first one. */
static bool find_word(struct provider_form *f, size_t field, struct str line, struct error *err)
{
	long long number = 0;
	const char *name;

	if (!str_to_int(line, &number))
		number = 0;
	for (size_t i = 0; (name = provider_word(f, field, i, NULL)); i++)
		if (line.len ? str_is_nocase(line, name) || number == (long long)i + 1 : i == f->chosen[field]) {
			f->chosen[field] = i;
			return true;
		}
	return error_set(err, "no item has that name or number");
}

static bool provider_take(void *form, size_t field, struct str value, struct error *err)
{
	struct provider_form *f = form;

	value = str_trim(value);
	if (fields[field].field.kind == FORM_CHOICE)
		return find_word(f, field, value, err);
	set_text(f, field, value);
	return field != FIELD_NAME || provider_setup_takes_name(f->test.setup, value, err);
}

/* What is tested is what stands there. */
static void provider_changed(void *form)
{
	provider_setup_cancel(&((struct provider_form *)form)->test);
}

static bool provider_begin(void *form, struct form_end *end)
{
	struct provider_form *f = form;
	enum key_keeping keep = (enum key_keeping)f->chosen[FIELD_KEEP];
	const struct provider_wish wish = {
		.name = text_of(f, FIELD_NAME), .is_new = !f->provider, .protocol = protocol_at(f->chosen[FIELD_PROTOCOL]),
		.auth = f->chosen[FIELD_AUTH] ? auth_words[f->chosen[FIELD_AUTH]] : NULL, .keep = keep, .key = f->texts[given[keep]],
		.base_url = text_of(f, FIELD_URL),
	};

	if (!provider_setup_begin(&f->test, &wish, &end->err)) { /* it is the base URL, unless only a key can be what is missing */
		end->again = wish.base_url.len && !str_from(wish.key).len ? FIELD_KEEP : FIELD_URL;
		f->again = end->by_line;
		return false;
	}
	if (end->by_line)
		buf_printf(&end->said, "The model list of %s is being fetched, to test it.", f->texts[FIELD_NAME]);
	else
		buf_add_z(&end->said, "fetching the model list ...");
	return true;
}

static bool provider_finish(void *form, struct form_end *end)
{
	struct provider_form *f = form;

	buf_printf(&end->said, "%s: ", f->texts[FIELD_NAME]);
	if (provider_setup_keep(&f->test, f->models, &end->said, &end->err)) {
		buf_add_z(&end->said, end->by_line ? ". It is the provider from the next turn on." : "");
		return true;
	}
	f->again = end->by_line;
	buf_clear(&end->said);
	buf_add_z(&end->said, "Nothing was kept.");
	end->again = FIELD_KEEP;
	return false;
}

const struct form_table provider_form = {
	.keys = "Tab next field   Enter test and use   Esc back", .at_once = "it arrived at once, like a paste: Enter tests it",
	.leave = "/leave", .left = "Nothing was changed.", .stop = "Enter stops the test: ", .then = "/model",
	.field = provider_field, .title = provider_title, .first = provider_first, .value = provider_value, .word = provider_word,
	.note = provider_note, .ask = provider_ask, .take = provider_take, .changed = provider_changed, .begin = provider_begin,
	.finish = provider_finish, .drop = provider_form_drop,
};
