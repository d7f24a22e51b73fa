#include "app/mcp/mcp_form.h"

#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/provider/schema.h"

#define NAME_BYTES 120u
#define ABOUT_BYTES 400u
#define MESSAGE_BYTES 1500u

/* --- reading --- */

/* NULL: it is empty. Where it was cut there is a mark. */
static char *form_text(struct str text, size_t most)
{
	struct buf out = { 0 };
	struct str kept = str_head(text, most);

	if (!str_trim(text).len)
		return NULL;
	(void)utf8_repair(str_trim(kept), &out);
	for (char *at = out.ptr; at < out.ptr + out.len; at++)
		if (!*at)
			*at = ' ';
	if (kept.len < text.len)
		buf_printf(&out, "\u2026 (%zu bytes more)", text.len - kept.len);
	return buf_take(&out);
}

/* The same in one line: what stands behind a break could look like words of weir. */
static char *form_line(struct str text, size_t most)
{
	char *line = form_text(text, most);

	for (char *at = line; at && *at; at++)
		if (*at == '\n' || *at == '\r' || *at == '\t')
			*at = ' ';
	return line;
}

static bool says_any(struct str text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_has_nocase(text, str_from(words[i])))
			return true;
	return false;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "apiKey", "API_KEY" and "your key" have the word "key"; "keyboard" has not. */
static bool has_word(struct str text, struct str word)
{
	for (size_t at = 0; at + word.len <= text.len; at++) {
		struct str found = str_head(str_skip(text, at), word.len);
		bool begins = !at || !is_letter(text.ptr[at - 1]) || (text.ptr[at] <= 'Z' && text.ptr[at - 1] >= 'a');
		char behind = at + word.len < text.len ? text.ptr[at + word.len] : ' ';
		bool ends = !is_letter(behind) || (behind <= 'Z' && text.ptr[at + word.len - 1] >= 'a');

		if (begins && ends && !strncasecmp(found.ptr, word.ptr, word.len))
			return true;
	}
	return false;
}

static bool field_looks_secret(const struct mcp_field *f)
{
	static const char *const parts[] = { "passw", "passphrase", "passcode", "secret", "token", "credential", "apikey", "api key", "card number" };
	static const char *const whole[] = { "key", "keys", "pin", "cvv", "cvc", "otp", "pwd", "pat" };
	struct str name = str_from(f->name), title = str_from(f->title);

	if (f->kind != MCP_FIELD_TEXT)
		return false;
	if (f->format && !strcmp(f->format, "password"))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(whole); i++)
		if (has_word(name, str_from(whole[i])) || has_word(title, str_from(whole[i])))
			return true;
	return says_any(name, parts, ARRAY_LEN(parts)) || says_any(title, parts, ARRAY_LEN(parts)) ||
	       says_any(str_from(f->about), parts, ARRAY_LEN(parts));
}

static bool field_add_word(struct mcp_field *f, struct str value, struct str title)
{
	if (!value.ptr || f->word_count == MCP_FORM_WORDS || value.len > NAME_BYTES || memchr(value.ptr, '\0', value.len))
		return false;
	char *shown = form_line(title.len ? title : value, NAME_BYTES);
	f->words[f->word_count].value = str_dup(value);
	f->words[f->word_count++].title = shown ? shown : mem_dup_z("(empty)");
	return true;
}

/* The words of `schema`: a list of them, with titles beside it in older revisions, or of constants with titles. */
static bool field_take_words(struct mcp_field *f, const struct json *schema, const char *titled)
{
	const struct json *plain = json_get(schema, "enum"), *names = json_get(schema, "enumNames"), *consts = json_get(schema, titled);
	bool good = true;

	for (size_t i = 0; good && i < json_length(plain); i++)
		good = field_add_word(f, json_text(json_at(plain, i)), json_text(json_at(names, i)));
	for (size_t i = 0; good && !plain && i < json_length(consts); i++)
		good = field_add_word(f, json_get_text(json_at(consts, i), "const"), json_get_text(json_at(consts, i), "title"));
	return good && f->word_count;
}

static const char *word_title(const struct mcp_field *f, struct str value)
{
	for (size_t i = 0; i < f->word_count; i++)
		if (str_is(value, f->words[i].value))
			return f->words[i].title;
	return NULL;
}

static void field_take_initial(struct mcp_field *f, const struct json *value)
{
	struct buf text = { 0 }, scratch = { 0 };
	struct str scalar = STR_NONE;
	bool flag;
	struct error why;

	for (size_t i = 0; f->kind == MCP_FIELD_MANY && i < json_length(value); i++) {
		const char *title = word_title(f, json_text(json_at(value, i)));

		if (title)
			buf_printf(&text, "%s%s", text.len ? ", " : "", title);
	}
	if (f->kind == MCP_FIELD_BOOLEAN && json_flag(value, &flag))
		buf_add_z(&text, flag ? "yes" : "no");
	else if (f->kind == MCP_FIELD_ONE && word_title(f, json_text(value)))
		buf_add_z(&text, word_title(f, json_text(value)));
	else if ((f->kind == MCP_FIELD_TEXT || f->kind == MCP_FIELD_NUMBER) && json_scalar(value, &scratch, &scalar))
		buf_add(&text, scalar);
	if (text.len && !memchr(text.ptr, '\0', text.len) && mcp_field_check(f, buf_str(&text), &why))
		f->initial = str_dup(buf_str(&text));
	buf_fini(&text);
	buf_fini(&scratch);
}

static bool field_take_kind(struct mcp_field *f, const struct json *schema)
{
	struct str type = json_get_text(schema, "type");
	bool chooses = json_get(schema, "enum") || json_get(schema, "oneOf");

	f->kind = str_is(type, "boolean") ? MCP_FIELD_BOOLEAN : str_is(type, "number") || str_is(type, "integer") ? MCP_FIELD_NUMBER
	          : str_is(type, "array") ? MCP_FIELD_MANY : chooses ? MCP_FIELD_ONE : MCP_FIELD_TEXT;
	if (f->kind == MCP_FIELD_MANY)
		return field_take_words(f, json_get(schema, "items"), "anyOf");
	if (f->kind == MCP_FIELD_ONE)
		return field_take_words(f, schema, "oneOf");
	return f->kind != MCP_FIELD_TEXT || str_is(type, "string");
}

bool mcp_form_requires(const struct json *schema, struct str key)
{
	const struct json *required = json_get(schema, "required");

	for (size_t i = 0; i < json_length(required); i++)
		if (str_equal(json_text(json_at(required, i)), key))
			return true;
	return false;
}

static bool form_take_field(struct mcp_form *form, const struct json *all, const struct json_member *member, struct error *why)
{
	struct mcp_field *f = &form->fields[form->count++];
	struct str format = json_get_text(member->value, "format");
	struct buf schema = { 0 };

	if (!member->key.len || member->key.len > NAME_BYTES || memchr(member->key.ptr, '\0', member->key.len))
		return error_set(why, "its form has a field without a usable name");
	f->name = str_dup(member->key);
	f->title = form_line(json_get_text(member->value, "title"), NAME_BYTES);
	f->title = f->title ? f->title : form_line(member->key, NAME_BYTES);
	f->title = f->title ? f->title : mem_dup_z("(blank)");
	f->about = form_line(json_get_text(member->value, "description"), ABOUT_BYTES);
	f->format = format.len && format.len < NAME_BYTES ? form_line(format, NAME_BYTES) : NULL;
	f->required = mcp_form_requires(all, member->key);
	json_dump(member->value, &schema);
	f->schema = buf_take(&schema);
	if (!field_take_kind(f, member->value))
		return error_set(why, "its form has a field that cannot be shown: \"%s\"", f->name);
	f->is_secret = field_looks_secret(f);
	if (!f->is_secret)
		field_take_initial(f, json_get(member->value, "default"));
	return true;
}

static bool form_take_fields(struct mcp_form *form, const struct json *schema, struct error *why)
{
	const struct json *properties = json_get(schema, "properties");
	struct json_member member = { 0 };
	size_t count = 0;

	if (json_kind(schema) != JSON_OBJECT)
		return error_set(why, "its form has no schema");
	while (json_next(properties, &member))
		count++;
	if (count > MCP_FORM_FIELDS)
		return error_set(why, "its form has %zu fields, more than %u", count, MCP_FORM_FIELDS);
	form->fields = mem_new((count + 1) * sizeof *form->fields);
	for (member = (struct json_member){ 0 }; json_next(properties, &member);)
		if (!form_take_field(form, schema, &member, why))
			return false;
	return true;
}

/* An address that could be taken for another one is none to be shown. */
static bool form_take_url(struct mcp_form *form, struct str url, struct error *why)
{
	struct str rest = str_starts(url, "https://") ? str_skip(url, 8) : str_starts(url, "http://") ? str_skip(url, 7) : STR_NONE;
	size_t end = 0;

	if (url.len > MCP_FORM_URL)
		return error_set(why, "the address of its page is longer than %u bytes", MCP_FORM_URL);
	for (size_t i = 0; i < url.len; i++)
		if (url.ptr[i] <= ' ' || url.ptr[i] > '~')
			return error_set(why, "the address of its page has characters that an address cannot have");
	while (end < rest.len && !strchr("/?#\\", rest.ptr[end]))
		end++;
	if (!end)
		return error_set(why, "its page has no address that begins with https:// or http://");
	if (memchr(rest.ptr, '@', end))
		return error_set(why, "the address of its page has a user before its host");
	form->url = str_dup(url);
	form->host = str_dup(str_head(rest, end));
	return true;
}

bool mcp_form_read(struct mcp_form *form, const struct json *params, struct error *why)
{
	struct buf all;
	bool good = true;

	*form = (struct mcp_form){ .is_page = str_is(json_get_text(params, "mode"), "url") };
	buf_init(&all, MCP_FORM_BYTES);
	json_dump(params, &all);
	if (!json_scan_is_whole(buf_str(&all)))
		good = error_set(why, "its form is larger than %zu KB", MCP_FORM_BYTES >> 10);
	buf_fini(&all);
	form->message = form_text(json_get_text(params, "message"), MESSAGE_BYTES);
	if (good)
		good = form->is_page ? form_take_url(form, json_get_text(params, "url"), why)
		                     : form_take_fields(form, json_get(params, "requestedSchema"), why);
	if (!good)
		mcp_form_fini(form);
	return good;
}

void mcp_form_fini(struct mcp_form *form)
{
	for (size_t i = 0; i < form->count; i++) {
		struct mcp_field *f = &form->fields[i];
		char *const texts[] = { f->name, f->title, f->about, f->format, f->schema, f->initial };

		for (size_t k = 0; k < ARRAY_LEN(texts); k++)
			mem_free(texts[k]);
		for (size_t k = 0; k < f->word_count; k++) {
			mem_free(f->words[k].value);
			mem_free(f->words[k].title);
		}
	}
	mem_free(form->fields);
	mem_free(form->message);
	mem_free(form->url);
	mem_free(form->host);
	*form = (struct mcp_form){ 0 };
}
