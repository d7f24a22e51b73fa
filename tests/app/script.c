#include "app/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/script_steps.h"
#include "base/mem.h"
#include "support/check.h"

#define SCENARIOS_MOST 100
#define STEPS_MOST 2000
#define SIZES_MOST 8

/* A line. A piece's or a scenario's steps stand one behind the other. */
struct step {
	const struct script_step *kind; /* NULL: those of `piece` */
	size_t piece;
	unsigned line;
	const char *texts[SCRIPT_TEXTS];
};

struct scenario {
	char *name;
	char *fault; /* of its first wrong line */
	size_t first, count;
};

struct script {
	char *file;
	struct scenario scenarios[SCENARIOS_MOST], pieces[SCENARIOS_MOST];
	size_t scenario_count, piece_count, step_count;
	struct step steps[STEPS_MOST];
};

/* --- reading --- */

static void add_escaped(struct str *rest, struct buf *out)
{
	static const char letters[] = "nrte\\\"", bytes[] = "\n\r\t\x1B\\\"";
	const char *at = rest->len > 1 ? memchr(letters, rest->ptr[1], sizeof letters - 1) : NULL;
	char hex[3] = "";

	if (at) {
		buf_add_byte(out, bytes[at - letters]);
		*rest = str_skip(*rest, 2);
	} else if (rest->len >= 4 && rest->ptr[1] == 'x') {
		memcpy(hex, rest->ptr + 2, 2);
		buf_add_byte(out, (char)strtoul(hex, NULL, 16));
		*rest = str_skip(*rest, 4);
	} else {
		buf_add_byte(out, '\\');
		*rest = str_skip(*rest, 1);
	}
}

static bool is_end_of_text(struct str rest)
{
	return !rest.len || str_starts(rest, " => ") || str_starts(rest, " | ");
}

/* Text up to an end, or in quotes; heap. What separates it from the next one is skipped, too. */
static char *read_text(struct str *rest)
{
	struct buf text = { 0 };
	bool quoted = str_starts(*rest, "\"");

	if (quoted)
		*rest = str_skip(*rest, 1);
	while (quoted ? rest->len && *rest->ptr != '"' : !is_end_of_text(*rest)) {
		if (*rest->ptr == '\\') {
			add_escaped(rest, &text);
			continue;
		}
		buf_add_byte(&text, *rest->ptr);
		*rest = str_skip(*rest, 1);
	}
	if (quoted)
		*rest = str_skip(*rest, rest->len ? 1 : 0);
	*rest = str_trim_start(*rest);
	if (str_starts(*rest, "=>"))
		*rest = str_trim_start(str_skip(*rest, 2));
	return buf_take(&text);
}

static char *name_of(struct str title)
{
	char *name = mem_dup(title.ptr, title.len);

	for (char *c = name; *c; c++)
		if (*c == ' ')
			*c = '_';
	return name;
}

static void find_fault(const struct script *s, struct scenario *in, unsigned line, struct str word, const char *what)
{
	struct buf fault = { 0 };

	if (in->fault)
		return;
	buf_printf(&fault, "%s:%u: ", s->file, line);
	if (word.len)
		buf_printf(&fault, "\"%.*s\" ", STR_ARG(word));
	buf_add_z(&fault, what);
	in->fault = buf_take(&fault);
}

static bool find_piece(const struct script *s, const char *name, size_t *piece)
{
	for (*piece = 0; *piece < s->piece_count; ++*piece)
		if (!strcmp(s->pieces[*piece].name, name))
			return true;
	return false;
}

/* The first step of the line, which is skipped with the separator behind it. */
static void read_step(struct script *s, struct scenario *in, struct str *line, unsigned number)
{
	struct step *step = &s->steps[s->step_count];
	struct str rest = *line, word = { rest.ptr, 0 };
	unsigned count = 0;

	while (word.len < rest.len && rest.ptr[word.len] != ' ')
		word.len++;
	step->line = number;
	step->kind = script_step(word);
	for (rest = str_trim_start(str_skip(rest, word.len)); rest.len && *rest.ptr != '|' && count < SCRIPT_TEXTS; count++)
		step->texts[count] = read_text(&rest);
	bool is_whole = !rest.len || *rest.ptr == '|';
	*line = is_whole ? str_trim_start(str_skip(rest, 1)) : STR_NONE;
	if (s->step_count + 1 == STEPS_MOST)
		find_fault(s, in, number, STR_NONE, "the file has too many lines");
	else if (!step->kind && !str_is(word, "do"))
		find_fault(s, in, number, word, "is no step");
	else if (!step->kind && (count != 1 || !find_piece(s, step->texts[0], &step->piece)))
		find_fault(s, in, number, word, "needs the name of a piece above it");
	else if (step->kind && (!is_whole || count < step->kind->least || count > step->kind->most))
		find_fault(s, in, number, word, "has another number of texts");
	else if (step->kind && step->kind->fault && step->kind->fault(step->texts[0]))
		find_fault(s, in, number, STR_NONE, step->kind->fault(step->texts[0]));
	else {
		in->count++;
		s->step_count++;
	}
}

static struct scenario *begin(struct script *s, struct scenario *in, size_t *count, struct str title)
{
	if (*count == SCENARIOS_MOST)
		abort();
	in[*count] = (struct scenario){ .name = name_of(title), .first = s->step_count };
	return &in[(*count)++];
}

struct script *script_read(const char *file, struct str text)
{
	struct script *s = mem_new(sizeof *s);
	struct scenario *in = NULL;
	unsigned number = 0;
	struct str line;

	s->file = mem_dup_z(file);
	while (str_split(&text, '\n', &line)) {
		number++;
		line = str_trim(line);
		if (!line.len || str_starts(line, "#"))
			continue;
		if (str_starts(line, "== ")) {
			in = begin(s, s->scenarios, &s->scenario_count, str_skip(line, 3));
		} else if (str_starts(line, "-- ")) {
			in = begin(s, s->pieces, &s->piece_count, str_skip(line, 3));
			mem_free(in->name);
			in->name = mem_dup(str_skip(line, 3).ptr, line.len - 3);
		} else {
			if (!in)
				find_fault(s, in = begin(s, s->scenarios, &s->scenario_count, STR("the first lines")), number, STR_NONE, "no scenario has begun");
			while (line.len)
				read_step(s, in, &line, number);
		}
	}
	return s;
}

static void free_all(struct scenario *in, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		mem_free(in[i].name);
		mem_free(in[i].fault);
	}
}

void script_free(struct script *s)
{
	free_all(s->scenarios, s->scenario_count);
	free_all(s->pieces, s->piece_count);
	for (size_t i = 0; i < STEPS_MOST; i++)
		for (size_t j = 0; j < SCRIPT_TEXTS; j++)
			mem_free((char *)(uintptr_t)s->steps[i].texts[j]);
	mem_free(s->file);
	mem_free(s);
}

size_t script_count(const struct script *s) { return s->scenario_count; }
const char *script_name(const struct script *s, size_t scenario) { return s->scenarios[scenario].name; }

/* One of a piece is one of the scenario that does it. */
static const char *fault_of(const struct script *s, const struct scenario *in)
{
	const char *fault = in->fault ? in->fault : "";

	for (size_t i = in->first; i < in->first + in->count && !*fault; i++)
		if (!s->steps[i].kind)
			fault = fault_of(s, &s->pieces[s->steps[i].piece]);
	return fault;
}

const char *script_fault(const struct script *s, size_t scenario)
{
	return fault_of(s, &s->scenarios[scenario]);
}

/* --- running --- */

static void take_step(struct play *p, const struct step *step)
{
	unsigned failures = CU_get_number_of_failures();

	p->line = step->line;
	if (!step->kind->is_setup)
		play_open(p);
	check_that(!step->kind->is_setup || !p->is_open, "setup", p->file, (int)p->line, "\"%s\" stands before what starts the program", step->kind->name);
	step->kind->take(p, step->texts);
	if (CU_get_number_of_failures() != failures)
		printf("(%s:%u: %s %s)\n", p->file, p->line, step->kind->name, step->texts[0] ? step->texts[0] : "");
}

static bool is_screen(const struct step *step)
{
	return step->kind && !strcmp(step->kind->name, "screen");
}

/* Of several sizes of the screen, only that of this run is taken. */
static void take_steps(const struct script *s, struct play *p, const struct scenario *in, size_t run)
{
	size_t screens = 0;

	for (size_t i = in->first; i < in->first + in->count; i++) {
		const struct step *step = &s->steps[i];

		if (!step->kind)
			take_steps(s, p, &s->pieces[step->piece], 0);
		else if (!is_screen(step) || screens++ == run)
			take_step(p, step);
	}
}

void script_run(const struct script *s, size_t scenario)
{
	const struct scenario *in = &s->scenarios[scenario];
	size_t runs = 0;

	if (*script_fault(s, scenario)) {
		printf("%s\n", script_fault(s, scenario));
		CU_FAIL("the script is wrong");
		return;
	}
	for (size_t i = in->first; i < in->first + in->count; i++)
		runs += is_screen(&s->steps[i]);
	for (size_t run = 0; run < (runs ? runs : 1); run++) {
		struct play p = { .file = s->file };

		take_steps(s, &p, in, run);
		play_close(&p);
	}
}
