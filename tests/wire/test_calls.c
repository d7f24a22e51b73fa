/* Joining fragments of tool calls: src/wire/README.md, "Joining tool calls". */
#include "support/check.h"
#include "wire/calls.h"

#define TEXT_LIMIT ((size_t)1 << 20)

/* "index id name arguments"; "-" means absent. */
struct step {
	long long index;
	const char *id, *name, *arguments;
};

struct joined {
	const char *what;
	struct step steps[6]; /* terminated by arguments NULL */
	const char *calls;    /* "id/name/arguments" for each call, separated by LF; "!" precedes invalid arguments */
};

static const struct joined cases[] = {
	{ "index joins", { { 0, "a", "f", "" }, { 1, "b", "g", "{" }, { 0, "", "", "{}" }, { 1, "", "", "}" } }, "a/f/{}\nb/g/{}\n" },
	{ "empty ids and names change nothing", { { 0, "a", "f", "{" }, { 0, "", "", "}" } }, "a/f/{}\n" },
	{ "the first id stays", { { 0, "a", "f", "{" }, { 0, "b", "", "}" } }, "a/f/{}\n" },
	{ "an id that comes late", { { 0, "", "f", "{" }, { 0, "b", "", "}" } }, "b/f/{}\n" },
	{ "a name that comes late", { { 0, "a", "", "" }, { 0, "", "f", "{}" } }, "a/f/{}\n" },
	{ "a name in pieces", { { 0, "a", "get_", "" }, { 0, "a", "time", "" }, { 0, "", "", "{}" } }, "a/get_time/{}\n" },
	{ "but not after arguments", { { 0, "a", "f", "{" }, { 0, "a", "g", "}" } }, "a/f/{}\n" },
	{ "a repeated name", { { 0, "a", "f", "" }, { 0, "a", "f", "{}" } }, "a/f/{}\n" },
	{ "index always 0, another id, whole", { { 0, "a", "f", "{}" }, { 0, "b", "f", "{}" } }, "a/f/{}\nb/f/{}\n" },
	{ "index always 0, another name, whole", { { 0, "", "f", "{}" }, { 0, "", "g", "{}" } }, "-/f/{}\n-/g/{}\n" },
	{ "the same id and name again, whole", { { 0, "a", "f", "{}" }, { 0, "a", "f", "" } }, "a/f/{}\n" },
	{ "none yet and both differ", { { 0, "a", "f", "" }, { 0, "b", "g", "{}" } }, "a/f/{}\nb/g/{}\n" },
	{ "none yet and only the id differs", { { 0, "a", "f", "" }, { 0, "b", "f", "{}" } }, "a/f/{}\n" },
	{ "unfinished and both differ", { { 0, "a", "f", "{" }, { 0, "b", "g", "}" } }, "a/f/{}\n" },
	{ "later fragments belong to the newest of an index", { { 0, "a", "f", "{}" }, { 0, "b", "f", "{" }, { 0, "", "", "}" } },
	  "a/f/{}\nb/f/{}\n" },
	{ "or to the one they name", { { 0, "a", "f", "{}" }, { 0, "b", "f", "{" }, { 0, "a", "", " " }, { 0, "b", "", "}" } },
	  "a/f/{} \nb/f/{}\n" },
	{ "two values for one index are one call", { { 0, "a", "f", "{}" }, { 0, "", "", "{}" } }, "!a/f/{}{}\n" },
	{ "no index: a new id is a new call", { { -1, "a", "f", "{" }, { -1, "b", "f", "{" }, { -1, "a", "", "}" }, { -1, "", "", "}" } },
	  "a/f/{}\nb/f/{}\n" },
	{ "no index, no id: a name begins a call", { { -1, "", "f", "{}" }, { -1, "", "f", "{}" } }, "-/f/{}\n-/f/{}\n" },
	{ "unless it repeats that of an unfinished one", { { -1, "", "f", "{" }, { -1, "", "f", "}" } }, "-/f/{}\n" },
	{ "nothing at all: the last call", { { -1, "a", "f", "{" }, { -1, "", "", "}" } }, "a/f/{}\n" },
	{ "an index after the call began without one", { { -1, "a", "f", "{" }, { 0, "", "", "}" } }, "a/f/{}\n" },
	{ "a fragment without a beginning", { { 0, "", "", "{}" } }, "-//{}\n" },
	{ "no arguments", { { 0, "a", "f", "" } }, "a/f/{}\n" },
	{ "the text null", { { 0, "a", "f", " null" } }, "a/f/{}\n" },
	{ "blanks only", { { 0, "a", "f", " \n" } }, "a/f/{}\n" },
	{ "blanks around stay", { { 0, "a", "f", " {} " } }, "a/f/ {} \n" },
	{ "cut arguments", { { 0, "a", "f", "{\"x\":" } }, "!a/f/{\"x\":\n" },
	{ "lenient JSON is none", { { 0, "a", "f", "{'x':1}" } }, "!a/f/{'x':1}\n" },
};

static void write_call(void *ctx, const struct delta *d)
{
	struct buf *out = ctx;

	if (d->kind == DELTA_TOOL_END)
		buf_printf(out, "%s%.*s/%.*s/%.*s\n", d->tool.valid ? "" : "!", STR_ARG(d->tool.id.ptr ? d->tool.id : STR("-")),
		           STR_ARG(d->tool.name), STR_ARG(d->text));
}

static void joins_fragments(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out;
		struct calls calls = { 0 };

		buf_init(&out, TEXT_LIMIT);
		struct guard *g = guard_new(write_call, &out);
		for (const struct step *s = cases[i].steps; s->arguments; s++)
			calls_join(&calls, g, &(struct call_fragment){ s->index, str_from(s->id), str_from(s->name), str_from(s->arguments) });
		guard_end(g, END_CLOSED, &(struct guard_ending){ .understood = true });
		CHECK(str_is(buf_str(&out), cases[i].calls), "%s: got\n%s", cases[i].what, buf_z(&out));
		calls_fini(&calls);
		guard_free(g);
		buf_fini(&out);
	}
}

const struct suite suite_calls = { "calls", (const struct test[]){ TEST(joins_fragments), { 0 } } };
