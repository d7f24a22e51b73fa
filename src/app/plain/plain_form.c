#include "app/plain/plain_form.h"

static void plain_form_take(void *form, struct str line);

static void form_tell(struct plain_form *f, struct buf *lines)
{
	struct str rest = buf_str(lines), line;

	while (rest.len && str_split(&rest, '\n', &line))
		plain_tell_line(f->host->tell, "%.*s", STR_ARG(line));
	buf_fini(lines);
}

static void form_put(struct plain_form *f, const struct form_field *of, void (*take)(void *form, struct str line))
{
	plain_ask_prompt(f->host); /* the question that it ends may hide what is typed */
	f->question = (struct plain_question){ .label = of->prompt, .take = take, .hidden = of->kind == FORM_SECRET, .alone = of->alone };
	plain_ask(f->host, &f->question, f);
}

static void form_leave(void *form, struct str line)
{
	struct plain_form *f = form;

	(void)line;
	plain_ask_prompt(f->host);
	if (f->table->drop)
		f->table->drop(f->subject);
	plain_tell_line(f->host->tell, "%s", f->table->left);
}

static void form_ask(struct plain_form *f, size_t field);

/* `how` is one of the table's two. */
static bool form_end(struct plain_form *f, bool (*how)(void *subject, struct form_end *end))
{
	struct form_end end = { .by_line = true, .again = FORM_NOWHERE };
	bool good = how(f->subject, &end);

	plain_ask_prompt(f->host);
	if (!good)
		plain_fail(f->host, end.err.text);
	form_tell(f, &end.said);
	if (!good && end.again != FORM_NOWHERE)
		form_ask(f, end.again);
	return good;
}

static void form_finish(struct plain_form *f)
{
	if (!form_end(f, f->table->finish))
		return;
	if (f->table->drop)
		f->table->drop(f->subject);
	if (f->table->then)
		f->host->run(f->host->ctx, str_from(f->table->then));
}

static bool form_field(struct plain_form *f, size_t field, struct form_field *out)
{
	bool is_one;

	*out = (struct form_field){ 0 };
	is_one = f->table->field(f->subject, field, out);
	out->next = out->next ? out->next : field + 1;
	return is_one;
}

/* Asks for a field, or for the first one after it that is asked; behind the last one the form ends. */
static void form_ask(struct plain_form *f, size_t field)
{
	struct buf lines = { 0 };
	struct form_field of;
	bool is_one;

	while ((is_one = form_field(f, field, &of)) && of.hidden)
		field = of.next;
	if (!is_one && !f->table->begin)
		form_finish(f);
	else if (!is_one && form_end(f, f->table->begin))
		form_put(f, &(struct form_field){ .prompt = f->table->stop }, form_leave);
	if (!is_one)
		return;
	f->field = field;
	f->table->ask(f->subject, field, &lines);
	form_tell(f, &lines);
	form_put(f, &of, plain_form_take);
}

static void plain_form_take(void *form, struct str line)
{
	struct plain_form *f = form;
	struct str word = str_trim(line);
	struct error err = { "" };
	struct form_field of;

	(void)form_field(f, f->field, &of);
	if (!f->table->leave && str_starts(word, "/")) {
		plain_ask_prompt(f->host);
		f->host->run(f->host->ctx, word);
	} else if (word.len ? f->table->leave && str_is(word, f->table->leave) : of.empty == FORM_EMPTY_LEAVES) {
		form_leave(f, line);
	} else if (of.alone && !*f->alone) {
		plain_fail(f->host, "it came with other lines, so it decides nothing");
		form_ask(f, f->field);
	} else if ((!word.len && of.empty == FORM_EMPTY_KEEPS) || f->table->take(f->subject, f->field, line, &err)) {
		form_ask(f, of.next);
	} else {
		plain_fail(f->host, err.text);
		if (f->table->repeats)
			form_ask(f, f->field);
	}
}

void plain_form_open(struct plain_form *f, const struct form_table *table, void *subject)
{
	struct buf title = { 0 };

	f->table = table;
	f->subject = subject;
	if (table->title)
		table->title(subject, true, &title);
	form_tell(f, &title);
	form_ask(f, 0);
}

bool plain_form_ended(struct plain_form *f, const void *subject)
{
	bool waits = f->host->asks == f && f->subject == subject && f->question.take == form_leave;

	if (waits)
		form_finish(f);
	return waits;
}
