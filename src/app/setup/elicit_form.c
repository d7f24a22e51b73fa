#include "app/setup/elicit_form.h"

#include <string.h>

#include "base/array.h"
#include "base/mem.h"

enum { ANSWER_SEND, ANSWER_OPEN = ANSWER_SEND, ANSWER_ELSEWHERE, ANSWER_DECLINE, ANSWER_CANCEL };

/* Of a form and of a page. */
static const struct { const char *word, *text; size_t is; } answers[][4] = {
	{ { "send", "send what is above", ANSWER_SEND }, { "decline", "decline: nothing is sent", ANSWER_DECLINE },
	  { "cancel", "cancel: nothing is sent, the server may ask again", ANSWER_CANCEL } },
	{ { "open", "open the page in the browser", ANSWER_OPEN }, { "opened", "go on: the page was opened elsewhere", ANSWER_ELSEWHERE },
	  { "decline", "decline: it is not opened", ANSWER_DECLINE },
	  { "cancel", "cancel: it is not opened, the server may ask again", ANSWER_CANCEL } },
};

static void value_set(struct elicit_form *f, size_t field, struct str value)
{
	if (f->values[field])
		mem_wipe(f->values[field], strlen(f->values[field]));
	mem_free(f->values[field]);
	f->values[field] = value.len ? str_dup(value) : NULL;
}

void elicit_form_drop(struct elicit_form *f)
{
	if (f->id && !elicit_form_is_stale(f))
		f->put_off = f->id;
	for (size_t i = 0; i < MCP_FORM_FIELDS; i++)
		value_set(f, i, STR_NONE);
	mcp_form_fini(&f->form);
	buf_fini(&f->label);
	mem_free(f->server);
	mem_free(f->tool);
	f->server = f->tool = NULL;
	f->id = f->answer = 0;
	f->left = false;
}

bool elicit_form_take(struct elicit_form *f)
{
	const struct mcp_ask *ask = mcp_hub_ask(f->setup->servers, 0);
	struct json_parser *parser = json_parser_new();
	struct error why;
	size_t used = 0;

	elicit_form_drop(f);
	bool good = ask && mcp_form_read(&f->form, json_parse(parser, str_from(ask->params), &used), &why);
	if (good) {
		f->id = f->told = ask->id;
		f->server = mem_dup_z(ask->server);
		f->tool = mem_dup_z(ask->tool);
	}
	for (size_t i = 0; good && i < f->form.count; i++)
		value_set(f, i, str_from(f->form.fields[i].initial));
	json_parser_free(parser);
	return good;
}

bool elicit_form_has_news(const struct elicit_form *f, bool is_free)
{
	const struct mcp_ask *ask = f->id ? NULL : mcp_hub_ask(f->setup->servers, 0);

	return ask && ask->id > f->put_off && (is_free || ask->id > f->told);
}

void elicit_form_tell(struct elicit_form *f, struct buf *out)
{
	const struct mcp_ask *ask = mcp_hub_ask(f->setup->servers, 0);

	if (!ask)
		return;
	f->told = ask->id;
	buf_printf(out, "the MCP server %s waits for your answer", ask->server);
}

bool elicit_form_is_stale(const struct elicit_form *f)
{
	return f->id && !mcp_hub_ask(f->setup->servers, f->id);
}

/* --- what it shows --- */

/* In the linear mode a line of the server's begins with blanks, so that it is none of weir's. */
static void elicit_write_message(const struct elicit_form *f, struct buf *out)
{
	struct str rest = str_from(f->form.message), line;

	buf_add_z(out, "It says: ");
	for (bool first = true; str_split(&rest, '\n', &line); first = false)
		buf_printf(out, "%s%.*s", first ? "" : f->by_line ? "\n  " : "\n", STR_ARG(line));
}

/* A value stands in one line. */
static void elicit_write_typed(const char *value, struct buf *out)
{
	for (; *value; value++)
		if (*value == '\n')
			buf_add_z(out, "\u240a");
		else
			buf_add_byte(out, *value);
}

static void elicit_write_page(const struct elicit_form *f, struct buf *out)
{
	buf_printf(out, "It wants a page of this host to be opened: %s\nIts address: %s\n", f->form.host, f->form.url);
	if (strstr(f->form.host, "xn--"))
		buf_add_z(out, "The name of the host is written in letters that may look like others.\n");
	if (str_starts(str_from(f->form.url), "http:"))
		buf_add_z(out, "It is plain http: what you write there can be read on the way.\n");
	buf_add_z(out, "weir opens it only if you say so, and sees nothing of it.\n");
}

static void elicit_write_secrets(const struct elicit_form *f, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < f->form.count; i++)
		if (f->form.fields[i].is_secret) {
			buf_printf(out, "%s%s", any ? ", " : "It asks for what looks like a secret: ", f->form.fields[i].title);
			any = true;
		}
	if (any)
		buf_printf(out, ". %s would get it as you type it; servers must not ask for secrets in a form.\n", f->server);
}

static bool elicit_has_required(const struct elicit_form *f)
{
	for (size_t i = 0; i < f->form.count; i++)
		if (f->form.fields[i].required)
			return true;
	return false;
}

static void elicit_intro(void *form, struct buf *out)
{
	const struct elicit_form *f = form;

	if (f->tool)
		buf_printf(out, "It asks during the call of its tool %s.\n", f->tool);
	if (f->form.is_page)
		elicit_write_page(f, out);
	elicit_write_secrets(f, out);
	if (f->form.message)
		elicit_write_message(f, out);
	else
		buf_add_z(out, "It does not say why.");
	if (!f->by_line && elicit_has_required(f))
		buf_add_z(out, "\nWhat has a * is required.");
}

static void elicit_title(void *form, bool by_line, struct buf *out)
{
	struct elicit_form *f = form;

	f->by_line = by_line;
	buf_printf(out, "The MCP server %s asks you", f->server);
	if (!by_line)
		return;
	buf_add_z(out, ".\n");
	elicit_intro(form, out);
	buf_printf(out, "\n/decline declines it, /later leaves it for /answer.%s", f->form.count ? " An empty line takes what is in brackets." : "");
}

static const struct mcp_field *elicit_field_of(const struct elicit_form *f, size_t field)
{
	return field < f->form.count ? &f->form.fields[field] : NULL;
}

static bool elicit_field(void *form, size_t field, struct form_field *out)
{
	struct elicit_form *f = form;
	const struct mcp_field *of = elicit_field_of(f, field);

	if (field > f->form.count)
		return false;
	*out = (struct form_field){
		.kind = FORM_CHOICE, .label = "Answer", .prompt = f->form.is_page ? "open, opened, decline or cancel: " : "send, decline or cancel: ",
		.hidden = f->left, .alone = true,
	};
	buf_clear(&f->label);
	if (of)
		buf_printf(&f->label, "%s%s", of->title, of->required ? " *" : "");
	if (of)
		*out = (struct form_field){
			.kind = of->is_secret ? FORM_SECRET : of->kind == MCP_FIELD_BOOLEAN || of->kind == MCP_FIELD_ONE ? FORM_CHOICE : FORM_TEXT,
			.label = buf_z(&f->label), .prompt = of->is_secret ? "The secret (hidden): " : "Value: ",
			.empty = f->values[field] ? FORM_EMPTY_KEEPS : FORM_EMPTY_TAKEN, .hidden = f->answer != ANSWER_SEND,
		};
	return true;
}

static void elicit_value(void *form, size_t field, struct buf *out)
{
	const struct elicit_form *f = form;
	const struct mcp_field *of = elicit_field_of(f, field);

	if (!of)
		buf_add_z(out, answers[f->form.is_page][f->answer].word);
	else if (!of->is_secret)
		buf_add_z(out, f->values[field] ? f->values[field] : "");
}

/* What needs no value may stay without. */
static const char *elicit_word(void *form, size_t field, size_t index, struct buf *text)
{
	static const char *const flags[] = { "yes", "no" };
	const struct elicit_form *f = form;
	const struct mcp_field *of = elicit_field_of(f, field);
	size_t none = of && !(of->required && of->initial);

	if (!of) {
		if (index >= ARRAY_LEN(answers[0]) || !answers[f->form.is_page][index].word)
			return NULL;
		if (text)
			buf_add_z(text, answers[f->form.is_page][index].text);
		return answers[f->form.is_page][index].word;
	}
	if (none && !index)
		return "-";
	index -= none;
	if (of->kind == MCP_FIELD_BOOLEAN)
		return index < ARRAY_LEN(flags) ? flags[index] : NULL;
	return index < of->word_count ? of->words[index].title : NULL;
}

static void elicit_note(void *form, size_t field, struct buf *out)
{
	const struct mcp_field *of = elicit_field_of(form, field);

	if (!of)
		return;
	mcp_field_write_rule(of, out);
	if (of->is_secret)
		buf_printf(out, "%sa secret, for %s", out->len ? ", " : "", ((const struct elicit_form *)form)->server);
	if (of->about)
		buf_printf(out, "%s%s", out->len ? ". " : "", of->about);
}

static void elicit_ask_answer(const struct elicit_form *f, struct buf *out)
{
	if (f->form.is_page)
		return;
	buf_printf(out, "%s would get:", f->server);
	for (size_t i = 0; i < f->form.count; i++) {
		buf_printf(out, "\n  %s: ", f->form.fields[i].title);
		elicit_write_typed(!f->values[i] ? "nothing" : f->form.fields[i].is_secret ? "the secret" : f->values[i], out);
	}
	if (!f->form.count)
		buf_add_z(out, " your yes.");
}

static void elicit_ask(void *form, size_t field, struct buf *out)
{
	const struct elicit_form *f = form;
	const struct mcp_field *of = elicit_field_of(f, field);
	struct buf note = { 0 };

	if (!of) {
		elicit_ask_answer(f, out);
		return;
	}
	elicit_note(form, field, &note);
	buf_printf(out, "%s%s%s%s", of->title, note.len ? " (" : "", buf_z(&note), note.len ? ")" : "");
	for (size_t i = 0; of->kind == MCP_FIELD_ONE && i < of->word_count; i++)
		buf_printf(out, "%s%s", i ? " \u00b7 " : ": ", of->words[i].title);
	if (of->kind == MCP_FIELD_BOOLEAN)
		buf_add_z(out, ": yes or no");
	if (f->values[field] && !of->is_secret) {
		buf_add_z(out, " [");
		elicit_write_typed(f->values[field], out);
		buf_add_byte(out, ']');
	}
	buf_fini(&note);
}

/* --- what is typed --- */

static bool elicit_take_answer(struct elicit_form *f, struct str value, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(answers[0]) && answers[f->form.is_page][i].word; i++)
		if (str_is_nocase(value, answers[f->form.is_page][i].word)) {
			f->answer = i;
			return true;
		}
	return error_set(err, "that is none of its words");
}

/* "-" is a choice without a choice. */
static struct str elicit_typed(const struct mcp_field *of, struct str value)
{
	value = of->is_secret ? value : str_trim(value);
	return str_is(value, "-") && (of->kind == MCP_FIELD_BOOLEAN || of->kind == MCP_FIELD_ONE) ? STR_NONE : value;
}

static bool elicit_check(void *form, size_t field, struct str value, struct error *err)
{
	const struct mcp_field *of = elicit_field_of(form, field);

	return !of || mcp_field_check(of, elicit_typed(of, value), err);
}

static bool elicit_take(void *form, size_t field, struct str value, struct error *err)
{
	struct elicit_form *f = form;
	const struct mcp_field *of = elicit_field_of(f, field);

	if (f->by_line && str_is(str_trim(value), "/decline")) {
		f->left = true;
		return elicit_take_answer(f, STR("decline"), err);
	}
	if (!of)
		return elicit_take_answer(f, str_trim(value), err);
	if (!elicit_check(form, field, value, err))
		return false;
	value_set(f, field, elicit_typed(of, value));
	return true;
}

static void elicit_changed(void *form)
{
	(void)form; /* what is hidden follows from the answer */
}

static bool elicit_finish(void *form, struct form_end *end)
{
	struct elicit_form *f = form;
	size_t is = answers[f->form.is_page][f->answer].is;
	struct buf result = { 0 };

	if (f->form.is_page && is == ANSWER_OPEN && !f->open(f->ctx, f->form.url, &end->err)) {
		end->again = 0;
		return false;
	}
	if (is == ANSWER_DECLINE || is == ANSWER_CANCEL)
		buf_printf(&result, "{\"action\":\"%s\"}", is == ANSWER_DECLINE ? "decline" : "cancel");
	else
		mcp_form_write(&f->form, f->values, &result);
	mcp_hub_reply(f->setup->servers, f->id, buf_str(&result));
	if (result.len)
		mem_wipe(result.ptr, result.len);
	buf_fini(&result);
	buf_printf(&end->said, is == ANSWER_DECLINE ? "%s was told no" : is == ANSWER_CANCEL ? "%s was told that you leave it" : "%s has your answer",
	           f->server);
	if (end->by_line)
		buf_add_byte(&end->said, '.');
	return true;
}

static void elicit_drop(void *form)
{
	elicit_form_drop(form);
}

const struct form_table elicit_table = {
	.keys = "Tab next field   Esc later   Enter answer", .at_once = "that came all at once: look at it, then Enter",
	.leave = "/later", .left = "Left for later: /answer asks again.", .repeats = true, .comes_by_itself = true,
	.field = elicit_field, .title = elicit_title, .intro = elicit_intro, .value = elicit_value, .word = elicit_word, .note = elicit_note,
	.ask = elicit_ask, .check = elicit_check, .take = elicit_take, .changed = elicit_changed, .finish = elicit_finish, .drop = elicit_drop,
};
