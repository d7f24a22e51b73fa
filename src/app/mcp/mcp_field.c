/* What is typed into a field of a server's form: what it has to be, and what is sent of it. */
#include "app/mcp/mcp_form.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/provider/schema.h"

/* --- what it has to be --- */

static void rule_add(struct buf *out, size_t from, const char *words)
{
	buf_printf(out, "%s%s", out->len > from ? ", " : "", words);
}

static void rule_add_bounds(struct buf *out, size_t from, const struct json *schema, const char *least, const char *most, const char *unit)
{
	double low, high;
	bool has_low = json_number(json_get(schema, least), &low), has_high = json_number(json_get(schema, most), &high);
	char words[120];

	if (has_low && has_high)
		snprintf(words, sizeof words, "%g to %g%s", low, high, unit);
	else
		snprintf(words, sizeof words, "%s %g%s", has_low ? "at least" : "at most", has_low ? low : high, unit);
	if (has_low || has_high)
		rule_add(out, from, words);
}

static const struct { const char *format, *words; } formats[] = {
	{ "email", "an email address" }, { "uri", "an address with its scheme" }, { "date", "a date, 2026-01-31" },
	{ "date-time", "a time, 2026-01-31T12:00:00Z" },
};

static void rule_add_words(struct buf *out, const struct mcp_field *f)
{
	buf_add_z(out, "any of ");
	for (size_t i = 0; i < f->word_count; i++)
		buf_printf(out, "%s%s", i ? " \u00b7 " : "", f->words[i].title);
	buf_add_z(out, ", with commas between them");
}

void mcp_field_write_rule(const struct mcp_field *f, struct buf *out)
{
	struct json_parser *parser = json_parser_new();
	size_t used, from = out->len;
	const struct json *schema = json_parse(parser, str_from(f->schema), &used);

	if (f->required)
		rule_add(out, from, "required");
	for (size_t i = 0; f->format && i < ARRAY_LEN(formats); i++)
		if (!strcmp(f->format, formats[i].format))
			rule_add(out, from, formats[i].words);
	if (f->kind == MCP_FIELD_NUMBER) {
		rule_add(out, from, str_is(json_get_text(schema, "type"), "integer") ? "a whole number" : "a number");
		rule_add_bounds(out, from, schema, "minimum", "maximum", "");
	}
	if (f->kind == MCP_FIELD_TEXT)
		rule_add_bounds(out, from, schema, "minLength", "maxLength", " characters");
	if (f->kind == MCP_FIELD_MANY) {
		rule_add(out, from, "");
		rule_add_words(out, f);
		rule_add_bounds(out, from, schema, "minItems", "maxItems", " of them");
	}
	json_parser_free(parser);
}

/* --- formats --- */

static bool is_email(struct str s)
{
	const char *at = memchr(s.ptr, '@', s.len);

	return at && at > s.ptr && at + 1 < s.ptr + s.len && !memchr(at + 1, '@', (size_t)(s.ptr + s.len - at - 1)) && !memchr(s.ptr, ' ', s.len);
}

static bool is_uri(struct str s)
{
	size_t scheme = str_find(s, STR(":"));

	return scheme && scheme + 1 < s.len && !memchr(s.ptr, ' ', s.len);
}

/* Whether it begins as `form` has it, whose letters stand for digits. */
static bool has_form(struct str s, const char *form)
{
	for (size_t i = 0; form[i]; i++)
		if (i >= s.len || (form[i] >= 'a' ? s.ptr[i] < '0' || s.ptr[i] > '9' : s.ptr[i] != form[i]))
			return false;
	return true;
}

static int two_digits(struct str s, size_t at)
{
	return (s.ptr[at] - '0') * 10 + s.ptr[at + 1] - '0';
}

static bool is_date(struct str s)
{
	static const int days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int month;

	if (!has_form(s, "yyyy-mm-dd"))
		return false;
	month = two_digits(s, 5);
	return month >= 1 && month <= 12 && two_digits(s, 8) >= 1 && two_digits(s, 8) <= days[month - 1];
}

static bool is_time(struct str s)
{
	struct str zone = str_skip(s, sizeof "2026-01-31T12:00:00" - 1);

	if (s.len < sizeof "2026-01-31T12:00:00" || !is_date(s) || !has_form(str_skip(s, 10), "Thh:mm:ss") || two_digits(s, 11) > 23 ||
	    two_digits(s, 14) > 59 || two_digits(s, 17) > 60)
		return false;
	while (zone.len && (*zone.ptr == '.' || (*zone.ptr >= '0' && *zone.ptr <= '9')))
		zone = str_skip(zone, 1);
	return str_is(zone, "Z") || (zone.len == 6 && (has_form(zone, "+hh:mm") || has_form(zone, "-hh:mm")));
}

static bool format_holds(const struct mcp_field *f, struct str typed)
{
	static const struct { const char *format; bool (*holds)(struct str s); } checks[] = {
		{ "email", is_email }, { "uri", is_uri }, { "date", is_date }, { "date-time", is_time },
	};

	for (size_t i = 0; f->format && i < ARRAY_LEN(checks); i++)
		if (!strcmp(f->format, checks[i].format))
			return checks[i].holds(typed) && (i != 2 || typed.len == 10);
	return true;
}

/* --- what is sent of it --- */

/* A word by its value, its title or its number. */
static const char *field_word(const struct mcp_field *f, struct str typed)
{
	long long number;

	for (size_t i = 0; i < f->word_count; i++)
		if (str_is(typed, f->words[i].title) || str_is(typed, f->words[i].value))
			return f->words[i].value;
	for (size_t i = 0; i < f->word_count; i++)
		if (str_is_nocase(typed, f->words[i].title))
			return f->words[i].value;
	if (str_to_int(typed, &number) && number >= 1 && (size_t)number <= f->word_count)
		return f->words[number - 1].value;
	return NULL;
}

static bool write_many(const struct mcp_field *f, struct str typed, struct json_writer *w, struct error *why)
{
	struct str part;
	const char *word = NULL;

	json_open_array(w);
	while (typed.len && str_split(&typed, ',', &part)) {
		if (!str_trim(part).len)
			continue;
		word = field_word(f, str_trim(part));
		if (!word)
			return error_set(why, "%s: there is no \"%.*s\" to choose", f->title, STR_ARG(str_head(str_trim(part), 60)));
		json_string(w, str_from(word));
	}
	json_close_array(w);
	return true;
}

static bool write_number(const struct mcp_field *f, struct str typed, struct json_writer *w, struct error *why)
{
	struct json_parser *parser = json_parser_new();
	size_t used = 0;
	double number;
	bool good = json_number(json_parse(parser, typed, &used), &number) && str_is_blank(str_skip(typed, used));

	json_parser_free(parser);
	if (!good)
		return error_set(why, "%s: that is no number", f->title);
	json_verbatim(w, typed);
	return true;
}

static bool write_value(const struct mcp_field *f, struct str typed, struct json_writer *w, struct error *why)
{
	bool yes = str_is_nocase(typed, "yes") || str_is_nocase(typed, "y") || str_is(typed, "true");

	switch (f->kind) {
	case MCP_FIELD_TEXT:
		json_string(w, typed);
		return format_holds(f, typed) || error_set(why, "%s: that is not of the format %s", f->title, f->format);
	case MCP_FIELD_NUMBER:
		return write_number(f, typed, w, why);
	case MCP_FIELD_BOOLEAN:
		json_boolean(w, yes);
		return yes || str_is_nocase(typed, "no") || str_is_nocase(typed, "n") || str_is(typed, "false") ||
		       error_set(why, "%s: yes or no", f->title);
	case MCP_FIELD_ONE:
		json_string(w, str_from(field_word(f, typed)));
		return field_word(f, typed) || error_set(why, "%s: that is none of its words", f->title);
	case MCP_FIELD_MANY:
		return write_many(f, typed, w, why);
	}
	return false;
}

bool mcp_field_check(const struct mcp_field *f, struct str typed, struct error *why)
{
	struct buf value = { 0 };
	struct error broken;
	struct json_writer w;

	if (!typed.len)
		return !f->required || error_set(why, "%s is required", f->title);
	json_writer_init(&w, &value);
	bool good = write_value(f, typed, &w, why);
	if (good && !schema_check(str_from(f->schema), buf_str(&value), &broken))
		good = error_set(why, "%s: %s", f->title, str_starts(str_from(broken.text), "$ ") ? broken.text + 2 : broken.text);
	if (value.len)
		mem_wipe(value.ptr, value.len);
	buf_fini(&value);
	return good;
}

void mcp_form_write(const struct mcp_form *form, char *const *values, struct buf *out)
{
	struct json_writer w;
	struct error why;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_string(&w, "action", STR("accept"));
	if (!form->is_page) {
		json_key(&w, "content");
		json_open_object(&w);
		for (size_t i = 0; i < form->count; i++)
			if (values[i] && *values[i]) {
				json_key(&w, form->fields[i].name);
				(void)write_value(&form->fields[i], str_from(values[i]), &w, &why);
			}
		json_close_object(&w);
	}
	json_close_object(&w);
}
