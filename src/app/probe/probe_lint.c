/* The findings of lint in the tapes of a probe. */
#include "app/probe/probe_inside.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/tape.h"

struct tape_linting { const struct probe_column *column; struct probe_cell *cell; };

static void tape_discard(void *ctx, const struct delta *delta)
{
	(void)ctx, (void)delta;
}

static void tape_take_finding(void *linting, const struct lint_finding *f)
{
	const struct tape_linting *l = linting;
	struct probe_cell *cell = l->cell;

	if (!lint_rule_holds(f->rule, l->column->dialect))
		return;
	for (size_t i = 0; i < cell->finding_count; i++)
		if (cell->findings[i].rule == f->rule) {
			cell->findings[i].count++;
			return;
		}
	mem_reserve(&cell->findings, &cell->capacity, cell->finding_count + 1, sizeof *cell->findings);
	cell->findings[cell->finding_count++] = (struct probe_finding){ f->rule, 1, str_dup(f->message) };
}

static int compare_severity(const void *one, const void *other)
{
	const struct lint_rule *a = ((const struct probe_finding *)one)->rule, *b = ((const struct probe_finding *)other)->rule;

	if (lint_rule_severity(a) != lint_rule_severity(b))
		return (int)lint_rule_severity(a) - (int)lint_rule_severity(b);
	return (int)lint_rule_index(a) - (int)lint_rule_index(b);
}

bool probe_lint_tape(const struct probe *p, const struct probe_column *column, const char *name, struct probe_cell *cell, bool *reached,
                     struct error *err)
{
	struct tape_linting linting = { column, cell };
	struct buf text;
	struct tape *tape;
	struct error why;
	int fd;
	bool good;

	*reached = false;
	if (private_file_open(&p->folder, name, 0, &fd, &why) != PRIVATE_OPEN)
		return error_set(err, "the tape %s cannot be read%s%s", name, *why.text ? ": " : "", why.text);
	buf_init(&text, TAPE_LIMIT);
	good = buf_read_fd(&text, fd, name, err) && tape_from_text(&tape, buf_str(&text), err);
	close(fd);
	buf_fini(&text);
	if (!good)
		return false;
	*reached = tape_length(tape) && tape_at(tape, 0).kind == TAPE_HEAD;
	struct lint *lint = lint_new(&(struct lint_options){ .dialect = column->dialect, .request = tape_facts(tape)->request, .stops_early = true },
	                             tape_take_finding, &linting);
	struct stream *stream = stream_new(&(struct stream_options){ .protocol = column->protocol, .dialect = column->dialect,
	                                                             .asked.single_choice = true, .tap = lint_tap(lint) }, tape_discard, NULL);
	(void)tape_feed(tape, stream, 0, NULL, NULL);
	if (cell->finding_count)
		qsort(cell->findings, cell->finding_count, sizeof *cell->findings, compare_severity);
	stream_free(stream);
	lint_free(lint);
	tape_free(tape);
	return true;
}
