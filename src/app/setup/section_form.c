#include "app/setup/section_form.h"

#include <string.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "store/config/settings_edit.h"
#include "store/config/settings_file.h"

#define NAME_WORDS "a name is one word, without a slash"

static bool section_has_role(const struct setup *s, struct str name)
{
	return roles_find(&s->settings.roles, name) != NULL;
}

static bool section_has_template(const struct setup *s, struct str name)
{
	return templates_find(&s->settings.templates, name) != NULL;
}

static void section_write_role(const struct setup *s, struct str name, size_t index, struct buf *out)
{
	role_write_setting(roles_find(&s->settings.roles, name), index, out);
}

static void section_write_template(const struct setup *s, struct str name, size_t index, struct buf *out)
{
	template_write_setting(templates_find(&s->settings.templates, name), index, out);
}

/* Takes the values as the reader of the file would. */
static bool section_fill_role(struct roles *roles, const char *name, char *const *values, struct error *err)
{
	bool good = true, any = false;

	for (size_t i = 0; good && role_setting_at(i).name; i++) {
		const struct ini_entry entry = { .file = "weir.conf", .section = "role", .name = role_setting_at(i).name, .value = values[i + 1] };

		any |= *values[i + 1] != 0;
		good = !*values[i + 1] || roles_set(roles, str_from(name), &entry, err);
	}
	return good && (any || error_set(err, "a role sets something: a system prompt, a model, a parameter"));
}

static bool section_try_role(const char *name, char *const *values, struct error *err)
{
	struct roles scratch = { 0 };
	bool good = section_fill_role(&scratch, name, values, err);

	roles_fini(&scratch);
	return good;
}

static bool section_try_template(const char *name, char *const *values, struct error *err)
{
	struct templates scratch = { 0 };
	bool good = true, any = false;

	for (size_t i = 0; good && template_setting_at(i).name; i++) {
		const struct ini_entry entry = {
			.file = "weir.conf", .section = "template", .name = template_setting_at(i).name, .value = values[i + 1],
		};

		any |= *values[i + 1] && str_starts(str_from(entry.name), "prompt");
		good = !*values[i + 1] || templates_set(&scratch, str_from(name), &entry, err);
	}
	templates_fini(&scratch);
	return good && (any || error_set(err, "a template needs its prompt, or the file of it"));
}

/* What a kind of section is made of. */
static const struct {
	const char *word;
	struct ini_help (*row)(size_t index);
	bool (*has)(const struct setup *s, struct str name);
	void (*write)(const struct setup *s, struct str name, size_t index, struct buf *out);
	bool (*try_all)(const char *name, char *const *values, struct error *err);
} kinds[] = {
	[SECTION_ROLE] = { "role", role_setting_at, section_has_role, section_write_role, section_try_role },
	[SECTION_TEMPLATE] = { "template", template_setting_at, section_has_template, section_write_template, section_try_template },
};

void section_form_init(struct section_form *f, struct setup *setup)
{
	*f = (struct section_form){ .setup = setup };
}

void section_form_drop(struct section_form *f)
{
	for (size_t i = 0; i < SECTION_FIELDS; i++) {
		mem_free(f->values[i]);
		mem_free(f->before[i]);
	}
	mem_free(f->was);
	section_form_init(f, f->setup);
}

/* --- the file --- */

static bool section_takes(void *ctx, const char *name, struct error *err)
{
	(void)ctx, (void)name, (void)err; /* a role or a template is no setting */
	return true;
}

static bool section_write(const struct section_form *f, const struct settings_change *changes, size_t count, struct error *err)
{
	struct error sentence = { "" };

	if (!settings_edit(f->setup->options->config, changes, count, err))
		return false;
	return setup_reread(f->setup, section_takes, NULL, &sentence) != REREAD_WRONG || error_set(err, "%s", sentence.text);
}

static size_t section_add_removal(const struct section_form *f, const char *section, struct settings_change *changes)
{
	size_t count = 0;

	for (; kinds[f->kind].row(count).name; count++)
		changes[count] = (struct settings_change){ section, kinds[f->kind].row(count).name, STR_NONE };
	changes[count] = (struct settings_change){ .section = section };
	return count + 1;
}

static bool section_delete(struct section_form *f, struct str name, struct error *err)
{
	struct settings_change changes[SECTION_FIELDS + 1];
	struct buf section = { 0 };

	buf_printf(&section, "%s %.*s", kinds[f->kind].word, STR_ARG(name));
	bool good = section_write(f, changes, section_add_removal(f, buf_z(&section), changes), err);
	buf_fini(&section);
	return good;
}

/* What differs from the file; all of it under a new name, and nothing under the old one. */
static bool section_keep(struct section_form *f, struct error *err)
{
	struct settings_change changes[2 * SECTION_FIELDS + 1];
	bool renamed = !f->was || strcmp(f->was, f->values[0]) != 0;
	struct buf section = { 0 }, old = { 0 };
	size_t count = 0;

	buf_printf(&section, "%s %s", kinds[f->kind].word, f->values[0]);
	buf_printf(&old, "%s %s", kinds[f->kind].word, f->was ? f->was : "");
	if (f->was && renamed)
		count = section_add_removal(f, buf_z(&old), changes);
	for (size_t i = 0; kinds[f->kind].row(i).name; i++) {
		const char *value = f->values[i + 1];

		if (renamed ? *value != 0 : strcmp(value, f->before[i + 1]) != 0)
			changes[count++] = (struct settings_change){ buf_z(&section), kinds[f->kind].row(i).name,
			                                             *value ? str_from(value) : STR_NONE };
	}
	bool good = section_write(f, changes, count, err);
	buf_fini(&section);
	buf_fini(&old);
	return good;
}

/* --- the command --- */

static void section_join_lines(struct buf *value, size_t from)
{
	for (size_t at = from; at < value->len; at++)
		if (value->ptr[at] == '\n')
			value->ptr[at] = ' ';
}

static bool section_has_lines(const struct section_form *f, size_t field)
{
	return field && settings_file_is_text(kinds[f->kind].row(field - 1).name);
}

static void section_begin(struct section_form *f, struct str name, bool is_new)
{
	struct buf value = { 0 };

	f->was = is_new ? NULL : str_dup(name);
	for (size_t i = 0; i < SECTION_FIELDS; i++) {
		buf_clear(&value);
		if (!i)
			buf_add(&value, name);
		else if (!is_new && kinds[f->kind].row(i - 1).name)
			kinds[f->kind].write(f->setup, name, i - 1, &value);
		if (value.len && !section_has_lines(f, i))
			section_join_lines(&value, 0);
		f->values[i] = mem_dup_z(buf_z(&value));
		f->before[i] = mem_dup_z(buf_z(&value));
	}
	buf_fini(&value);
}

bool section_form_command(struct section_form *f, enum section_kind kind, struct str words, bool *opens, bool *good, struct error *sentence)
{
	struct str name, verb = str_first_word(words, &name);
	bool makes = str_is(verb, "new"), edits = str_is(verb, "edit"), deletes = str_is(verb, "delete");

	*opens = false;
	if ((!makes && !edits && !deletes) || kinds[kind].has(f->setup, verb))
		return false;
	if (edits && !name.len && f->tried && f->kind == kind) {
		*opens = true;
		return true;
	}
	section_form_drop(f);
	f->kind = kind;
	*good = makes || kinds[kind].has(f->setup, name) ||
	        error_set(sentence, "there is no %s \"%.*s\": /%s edit NAME takes one of them", kinds[kind].word, STR_ARG(name), kinds[kind].word);
	if (*good && deletes) {
		*good = section_delete(f, name, sentence);
		if (*good)
			error_set(sentence, "%s %.*s is deleted from weir.conf", kinds[kind].word, STR_ARG(name));
	} else if (*good) {
		*opens = true;
		section_begin(f, name, makes);
	}
	return true;
}

/* --- the form --- */

static bool section_field(void *form, size_t field, struct form_field *out)
{
	const struct section_form *f = form;

	if (field && !kinds[f->kind].row(field - 1).name)
		return false;
	out->kind = FORM_TEXT;
	out->label = field ? kinds[f->kind].row(field - 1).name : "name";
	out->lines = section_has_lines(f, field);
	out->prompt = "Value: ";
	out->empty = FORM_EMPTY_KEEPS;
	return true;
}

static void section_title(void *form, bool by_line, struct buf *out)
{
	const struct section_form *f = form;

	if (f->was)
		buf_printf(out, "%s %s", f->kind == SECTION_ROLE ? "Role" : "Template", f->was);
	else
		buf_printf(out, "A new %s", kinds[f->kind].word);
	if (by_line)
		buf_add_z(out, ". An empty line keeps what is there, - takes it away, a command such as /help leaves all as it was.");
}

static void section_value(void *form, size_t field, struct buf *out)
{
	buf_add_z(out, ((const struct section_form *)form)->values[field]);
}

static void section_note(void *form, size_t field, struct buf *out)
{
	const struct section_form *f = form;

	buf_add_z(out, field ? kinds[f->kind].row(field - 1).help : "one word");
}

static void section_ask(void *form, size_t field, struct buf *out)
{
	const struct section_form *f = form;

	buf_printf(out, "%s: ", field ? kinds[f->kind].row(field - 1).name : "name");
	section_note(form, field, out);
	size_t from = out->len;
	if (*f->values[field])
		buf_printf(out, ". Now: %s", f->values[field]);
	section_join_lines(out, from);
}

static bool section_take(void *form, size_t field, struct str value, struct error *err)
{
	struct section_form *f = form;
	struct str word = str_trim(value);

	(void)err;
	mem_free(f->values[field]);
	f->values[field] = str_dup(str_is(word, "-") ? STR("") : word);
	return true;
}

static bool section_finish(void *form, struct form_end *end)
{
	struct section_form *f = form;
	struct str name = str_from(f->values[0]);
	bool taken = (!f->was || !str_is(name, f->was)) && kinds[f->kind].has(f->setup, name);

	end->again = 0;
	if (!provider_name_is_good(name))
		return error_set(&end->err, NAME_WORDS);
	if (taken)
		return error_set(&end->err, "there is a %s %s already", kinds[f->kind].word, f->values[0]);
	if (!kinds[f->kind].try_all(f->values[0], f->values, &end->err) || !section_keep(f, &end->err))
		return false;
	buf_printf(&end->said, "%s %s is in weir.conf; /%s %s %s it", kinds[f->kind].word, f->values[0], kinds[f->kind].word, f->values[0],
	           f->kind == SECTION_ROLE ? "uses" : "fills");
	if (f->kind == SECTION_ROLE && setup_tries_role(f->setup)) { /* now it is that of the file */
		const struct role *role = setup_role_named(f->setup, name, &end->err);

		return role && setup_use_role(f->setup, role, &end->err);
	}
	if (end->by_line) {
		buf_add_byte(&end->said, '.');
		*end->said.ptr = f->kind == SECTION_ROLE ? 'R' : 'T';
	}
	return true;
}

static void section_drop(void *form)
{
	section_form_drop(form);
}

/* For the conversation that is open: there is what to try it on, and its answers can be compared with those before. */
static bool section_tries(void *form, struct form_end *end)
{
	struct section_form *f = form;
	const char *name = *f->values[0] ? f->values[0] : "trial";
	struct roles tried = { 0 };

	if (!provider_name_is_good(str_from(name)))
		return error_set(&end->err, NAME_WORDS);
	f->tried = section_fill_role(&tried, name, f->values, &end->err) && setup_try_role(f->setup, &tried, &end->err);
	if (f->tried)
		buf_printf(&end->said, "trying role %s: send a prompt; /role edit goes back to its form, /role off drops it", name);
	roles_fini(&tried);
	return f->tried;
}

#define SECTION_TABLE \
	.repeats = true, .field = section_field, .title = section_title, .value = section_value, .note = section_note, .ask = section_ask, \
	.take = section_take, .finish = section_finish, .drop = section_drop

const struct form_table section_form = { .keys = "Tab next   Ctrl-G editor   Enter write to weir.conf   Esc back", SECTION_TABLE };
const struct form_table section_form_of_role = {
	.keys = "Tab next   Ctrl-G editor   Ctrl-T try   Enter write it   Esc back", .tries = section_tries, SECTION_TABLE,
};
