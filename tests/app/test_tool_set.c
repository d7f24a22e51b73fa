/* Tools: what is offered, what a call would run, and what approvals hold for. Nothing runs here but functions of the test. */
#include "app/tools/tool_calls.h"
#include "app/tools/tool_shown.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/program.h"
#include "base/mem.h"
#include "support/check.h"

struct rig {
	struct tool_sections sections;
	struct tool_set set;
	struct approvals approvals;
	struct error err;
};

static void rig_set(struct rig *r, const char *name, const char *setting, const char *value)
{
	struct ini_entry entry = { .file = "/etc/w.conf", .section = "tool t", .name = setting, .value = value, .line = 1 };

	CHECK(tool_sections_set(&r->sections, str_from(name), &entry, &r->err), "%s", r->err.text);
	tool_set_read(&r->set, &r->sections);
}

static void rig_end(struct rig *r)
{
	tool_sections_fini(&r->sections);
	tool_set_fini(&r->set);
	approvals_fini(&r->approvals);
}

/* --- words --- */

static void add_row(void *ctx, const char *name, struct str value)
{
	buf_printf(ctx, "%s=%.*s|", *name == 'a' ? "" : name, STR_ARG(value));
}

static const struct { const char *command, *schema, *arguments, *words, *error; } plans[] = {
	{ "git {a}-{b}", NULL, "{\"a\":\"\",\"b\":\"-exec=x\"}", NULL, "an argument begins with a dash, which git could take for an option" },
	{ "git -- {a}-{b}", NULL, "{\"a\":\"\",\"b\":\"-x\"}", "program=git|=--|=--x|", NULL }, { "git {a}-{b}", NULL, "{\"a\":\"x\",\"b\":\"-y\"}", "program=git|=x--y|", NULL },
	{ "p {a}", NULL, "{\"a\":\"x y; $z `q`\"}", "program=p|=x y; $z `q`|", NULL },
	{ "p --n={a} {b}", NULL, "{\"a\":\"1\"}", "program=p|=--n=1|", NULL },
	{ "p {a} {b}", "{\"properties\":{\"a\":{},\"b\":{}}}", "{\"a\":5,\"b\":[1, {\"c\":null}]}", "program=p|=5|=[1,{\"c\":null}]|", NULL },
	{ "p {a}{b}", NULL, "{\"a\":\"x\",\"b\":\"\"}", "program=p|=x|", NULL },
	{ "p {a}", NULL, "{\"a\":\"\"}", "program=p|=(empty)|", NULL },
	{ "p {a}", NULL, "{}", "program=p|", NULL },
	{ "p {a}", NULL, "", "program=p|", NULL },
	{ "p {a}", "{\"properties\":{\"a\":{}}}", "{\"a\":null}", "program=p|", NULL },
	{ "awk '{print}' {a}", "{\"properties\":{\"a\":{}}}", "{\"a\":\"f\"}", "program=awk|={print}|=f|", NULL },
	{ "p {a}", NULL, "{\"a\":\"one\\nfolder: /\\ttwo\"}", "program=p|=one\u240a\nfolder: /\u2409two|", NULL },
	{ "p {a}", NULL, "{\"a\":\"-rf\"}", NULL, "a begins with a dash, which p could take for an option" },
	{ "p -- {a}", NULL, "{\"a\":\"-rf\"}", "program=p|=--|=-rf|", NULL },
	{ "p x{a}", NULL, "{\"a\":\"-rf\"}", "program=p|=x-rf|", NULL },
	{ "p {a}", "{\"properties\":{\"a\":{}}}", "{\"a\":-5}", "program=p|=-5|", NULL },
	{ "p {a}", NULL, "{\"a\":\"x\\u0000y\"}", NULL, "a holds a NUL byte, which no argument of a program can" },
	{ "p {a}", NULL, "{\"a\":5.10}", "program=p|=5.10|given=with types that are not the schema's, and passed on as above: {\"a\":5.10}|", NULL },
	{ "p {a}", NULL, "{\"a\":true}", "program=p|=true|given=with types that are not the schema's, and passed on as above: {\"a\":true}|", NULL },
	{ "p {a}", NULL, "{\"a\":-5}", NULL, "a begins with a dash, which p could take for an option" },
	{ "p {a}", "{\"properties\":{\"a\":{\"type\":\"integer\"}}}", "{\"a\":\"-5\"}",
	  "program=p|=-5|given=with types that are not the schema's, and passed on as above: {\"a\":\"-5\"}|", NULL },
	{ "p {a}", "{\"properties\":{\"a\":{\"type\":\"integer\"}}}", "{\"a\":\"5.5\"}", NULL, "the arguments do not follow the schema: $.a is a string, the schema wants a whole number" },
	{ "p {a}", "{\"properties\":{\"a\":{\"type\":\"number\"}}}", "{\"a\":\"5 -x\"}", NULL, "the arguments do not follow the schema: $.a is a string, the schema wants a number" },
	{ "p {a}", "{\"properties\":{\"a\":{\"type\":\"string\",\"enum\":[\"1\"]}}}", "{\"a\":2}", NULL, "the arguments do not follow the schema: $.a is a number, the schema wants a string" },
	{ "p {a} {b}", NULL, "{\"a\":5,\"b\":[1]}", NULL, "the arguments do not follow the schema: $.a is a number, the schema wants a string" },
	{ "p {a}", NULL, "{\"a\":null}", NULL, "the arguments do not follow the schema: $.a is null, the schema wants a string" },
	{ "p {a}", NULL, "{\"a\":[5]}", NULL, "the arguments do not follow the schema: $.a is an array, the schema wants a string" },
	{ "p {a}", "{\"required\":[\"a\"]}", "{}", NULL, "the arguments do not follow the schema: $ lacks \"a\", which the schema requires" },
	{ "p {a}", NULL, "[1]", NULL, NULL },
	{ "p {a}", NULL, "{\"a\":", NULL, NULL },
	{ "cat {./a}", NULL, "{\"a\":\"in.txt\"}", "program=cat|=HERE/in.txt|", NULL },
	{ "cat {./a}", NULL, "{\"a\":\"sub/../in.txt\"}", "program=cat|=HERE/in.txt|", NULL },
	{ "cat {./a}", NULL, "{\"a\":\"../out.txt\"}", NULL, "../out.txt is no file below the folder of this tool" },
	{ "cat {./a}", NULL, "{\"a\":\"link\"}", NULL, "link is no file below the folder of this tool" },
	{ "cat {./a}", NULL, "{\"a\":\"/etc/passwd\"}", NULL, "/etc/passwd is no file below the folder of this tool" },
	{ "cat {./a}", NULL, "{\"a\":\"\"}", NULL, " is no file below the folder of this tool" },
	{ "cat {./a}", NULL, "{\"a\":\"none\"}", NULL, "none is no file below the folder of this tool" },
};

/* What is shown is what would run: each argument is one word, whatever it holds. */
static void a_plan_is_exactly_what_would_run(void)
{
	char here[200], *real;

	folder_file("out.txt", "secret");
	snprintf(here, sizeof here, "mkdir -p '%s/here/sub' && echo x > '%s/here/in.txt' && ln -sf ../out.txt '%s/here/link'", folder_path(),
	         folder_path(), folder_path());
	CU_ASSERT_EQUAL(system(here), 0);
	snprintf(here, sizeof here, "%s/here", folder_path());
	real = realpath(here, NULL);
	for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
		struct rig r = { .err = { "" } };
		struct tool_plan plan;
		struct buf out = { 0 }, wanted = { 0 };

		rig_set(&r, "t", "command", plans[i].command);
		rig_set(&r, "t", "folder", here);
		if (plans[i].schema)
			rig_set(&r, "t", "schema", plans[i].schema);
		bool good = tool_plan_make(&plan, &r.set.items[0], str_from(plans[i].arguments), &r.err);
		CHECK(good == (plans[i].words != NULL), "%s %s: %s", plans[i].command, plans[i].arguments, r.err.text);
		if (good)
			tool_plan_tell_all(&plan, add_row, &out);
		const char *place = plans[i].words ? strstr(plans[i].words, "HERE") : NULL;
		if (place)
			buf_printf(&wanted, "%.*s%s%s", (int)(place - plans[i].words), plans[i].words, real, place + 4);
		else if (good)
			buf_add_z(&wanted, plans[i].words);
		if (good)
			CHECK_STR(str_head(buf_str(&out), str_find(buf_str(&out), STR("folder="))), buf_z(&wanted));
		else if (plans[i].error)
			CHECK_STR(str_from(r.err.text), plans[i].error);
		if (good)
			tool_plan_fini(&plan);
		buf_fini(&out);
		buf_fini(&wanted);
		rig_end(&r);
	}
	free(real);
	folder_remove();
}

/* What was shown as a file below the folder leads nowhere else when it runs. */
static void a_file_that_becomes_a_link_is_not_read(void)
{
	struct rig r = { .err = { "" } };
	char command[300];
	struct tool_plan plan;
	struct tool_run run = { 0 };

	folder_file("out.txt", "secret");
	folder_file("in.txt", "open");
	rig_set(&r, "t", "command", "cat {./a}");
	rig_set(&r, "t", "folder", folder_path());
	CHECK(tool_plan_make(&plan, &r.set.items[0], STR("{\"a\":\"in.txt\"}"), &r.err), "%s", r.err.text);
	snprintf(command, sizeof command, "ln -sf out.txt '%s/in.txt'", folder_path());
	CU_ASSERT_EQUAL(system(command), 0);
	tool_run_start(&run, &plan);
	CU_ASSERT_FALSE(run.runs);
	CHECK(str_ends(buf_str(&run.result), "/in.txt is no longer the file that was shown."), "%s", buf_z(&run.result));
	tool_run_fini(&run);
	tool_plan_fini(&plan);
	rig_end(&r);
	folder_remove();
}

/* What no argument can hold is refused, not cut. */
static void a_value_is_whole_or_refused(void)
{
	static const char *const commands[] = { "p {a}", "p x{a}", "cat {./a}" };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		struct rig r = { .err = { "" } };
		struct buf arguments = { 0 };
		struct tool_plan plan;

		buf_add_z(&arguments, "{\"a\":\"");
		memset(buf_extend(&arguments, 200000), 'y', 200000);
		buf_add_z(&arguments, "\"}");
		rig_set(&r, "t", "command", commands[i]);
		CU_ASSERT_FALSE(tool_plan_make(&plan, &r.set.items[0], buf_str(&arguments), &r.err));
		CHECK(str_find(str_from(r.err.text), i == 2 ? STR("yyy is no file") : STR("a is too long")) < strlen(r.err.text), "%s", r.err.text);
		buf_fini(&arguments);
		rig_end(&r);
	}
}

/* What a terminal would hide, move or merge is there by its number. */
static void all_of_a_value_is_seen(void)
{
	static const struct { const char *value, *shown; } cases[] = {
		{ "plain text, two words", "plain text, two words" }, { "中文 é العربية हिन्दी", "中文 é العربية हिन्दी" },
		{ "rm\u200B\u2060", "rm<U+200B><U+2060>" }, { "a\u00ADb\uFEFF", "a<U+00AD>b<U+FEFF>" }, { "x\uFE0F", "x<U+FE0F>" },
		{ "\U000E0041y", "<U+E0041>y" }, { "\u202Eevil\u202C", "<U+202E>evil<U+202C>" }, { "\u2066a\u2069", "<U+2066>a<U+2069>" },
		{ "a\u00A0b\u2003c\u3000d\u2800e\u3164", "a<U+00A0>b<U+2003>c<U+3000>d<U+2800>e<U+3164>" },
		{ "a\nb\r\n\tc", "a\u240A\nb\u240D\u240A\n\u2409c" }, { "\x1B[2J\x7F", "\u241B[2J<U+007F>" }, { "\xC2\x9B" "31m", "<U+009B>31m" },
		{ "a\u240Ab\u2420", "a<U+240A>b<U+2420>" }, /* a sign is no control */
		{ "  x  y z ", "\u2420\u2420x\u2420\u2420y z\u2420" }, { " ", "\u2420" }, { "a \n b", "a\u2420\u240A\n\u2420b" },
		{ "line\u2028sep\u2029", "line<U+2028>sep<U+2029>" }, { "\u0301", "<U+0301>" },
		{ "e\u0301\u0301\u0301\u0301\u0301\u0301", "e<U+0301><U+0301><U+0301><U+0301><U+0301><U+0301>" },
		{ "\U0001F469\u200D\U0001F680", "\U0001F469<U+200D><U+1F680>" }, { "", "" },
	};

	setlocale(LC_CTYPE, "C.UTF-8"); /* as the program does */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf shown = { 0 };

		tool_shown_write(str_from(cases[i].value), &shown);
		CHECK_STR(buf_str(&shown), cases[i].shown);
		buf_fini(&shown);
	}
}

static void the_program_is_never_an_argument(void)
{
	struct rig r = { .err = { "" } };

	rig_set(&r, "t", "command", "{a} x");
	CHECK_STR(str_from(r.set.items[0].trouble), "/etc/w.conf:1: tool t: its first word is the program, which no call can choose");
	CU_ASSERT_FALSE(tool_is_offered(&r.set, &r.set.items[0]));
	CU_ASSERT_EQUAL(approval_of(&r.approvals, &r.set.items[0]), APPROVAL_REFUSED);
	rig_end(&r);
}

/* --- what is offered --- */

static void the_set_goes_into_the_request(void)
{
	struct rig r = { .err = { "" } };
	struct buf out = { 0 };

	rig_set(&r, "t", "command", "p {a}");
	rig_set(&r, "u", "command", "q");
	rig_set(&r, "u", "approve", "never");
	tool_set_merge(&r.set, STR("[{\"type\":\"function\",\"function\":{\"name\":\"t\"}},{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]"), &out);
	CHECK_STR(buf_str(&out), "[{\"type\":\"function\",\"function\":{\"name\":\"f\"}},{\"type\":\"function\",\"function\":{\"name\":\"t\",\"parameters\":"
	                         "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}}}]");
	tool_set_wish(&r.set, tool_set_find(&r.set, STR("t")), TOOL_OFF);
	CU_ASSERT_EQUAL(tool_set_offered(&r.set), 0);
	buf_clear(&out);
	tool_set_merge(&r.set, STR_NONE, &out);
	CU_ASSERT_EQUAL(out.len, 0);
	rig_set(&r, "t", "description", "other");           /* read again: the wish stays */
	CU_ASSERT_EQUAL(tool_set_offered(&r.set), 0);
	tool_set_forget(&r.set);
	CU_ASSERT_EQUAL(tool_set_offered(&r.set), 1);
	r.set.is_demo = true;
	CU_ASSERT_EQUAL(tool_set_offered(&r.set), 2);       /* the clock, too */
	r.set.closed = true;                                /* a script: nothing by itself */
	CU_ASSERT_EQUAL(tool_set_offered(&r.set), 0);
	tool_set_wish(&r.set, tool_set_find(&r.set, STR("u")), TOOL_ON);
	CU_ASSERT_EQUAL(tool_set_offered(&r.set), 0);       /* never */
	buf_fini(&out);
	rig_end(&r);
}

static void what_is_built_in_answers(void)
{
	struct rig r = { .err = { "" } };
	struct buf out = { 0 };
	long year;

	tool_set_read(&r.set, &r.sections);
	CU_ASSERT(r.set.items[0].answer(STR("{}"), &out));
	const char *comma = strstr(buf_z(&out), ", ");
	CU_ASSERT(comma && (year = strtol(comma + 2, NULL, 10)) > 1969 && year < 10000);
	buf_fini(&out);
	rig_end(&r);
}

/* --- approvals --- */

static enum approval rig_approval(struct rig *r)
{
	return approval_of(&r->approvals, tool_set_find(&r->set, STR("t")));
}

/* With a tool "t" of that `approve`, and a folder in which what is allowed is kept. */
static void rig_keep(struct rig *r, const char *approve)
{
	*r = (struct rig){ .err = { "" } };
	setenv("XDG_STATE_HOME", folder_path(), 1);
	r->approvals.keeps = true;
	rig_set(r, "t", "command", "p {a}");
	rig_set(r, "t", "approve", approve);
}

/* That of rig_keep(). */
static void rig_end_kept(struct rig *r)
{
	rig_end(r);
	folder_remove();
}

static void rig_restart(struct rig *r)
{
	approvals_fini(&r->approvals);
}

/* By what is set, after what was allowed, in this conversation, the next one, and the next start. */
static void approvals_hold_for_what_was_allowed(void)
{
	static const struct { const char *approve; enum approval first, allowed, later; } rows[] = {
		{ "ask", APPROVAL_ASKED, APPROVAL_GIVEN, APPROVAL_ASKED },
		{ "once", APPROVAL_ASKED, APPROVAL_GIVEN, APPROVAL_GIVEN },
		{ "always", APPROVAL_GIVEN, APPROVAL_GIVEN, APPROVAL_GIVEN },
		{ "never", APPROVAL_REFUSED, APPROVAL_REFUSED, APPROVAL_REFUSED },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig r;

		rig_keep(&r, rows[i].approve);
		CU_ASSERT_EQUAL(rig_approval(&r), rows[i].first);
		if (rows[i].first != APPROVAL_REFUSED)
			CHECK(approval_give(&r.approvals, tool_set_find(&r.set, STR("t")), &r.err), "%s", r.err.text);
		CU_ASSERT_EQUAL(rig_approval(&r), rows[i].allowed);
		approvals_forget(&r.approvals);
		CU_ASSERT_EQUAL(rig_approval(&r), rows[i].later);
		rig_restart(&r);
		CU_ASSERT_EQUAL(rig_approval(&r), rows[i].later);
		rig_end_kept(&r);
	}
}

static const char *rig_words(struct rig *r)
{
	return approval_words(&r->approvals, tool_set_find(&r->set, STR("t")));
}

/* What is said of it, and what holds, at first, when it was allowed, when that was taken back, in the next conversation, and at the next start. */
static void what_was_allowed_is_told_and_taken_back(void)
{
	static const struct { const char *approve, *words[5]; enum approval then[3]; } rows[] = {
		{ "ask", { "ask", "always in this conversation", "ask", "ask", "ask" }, { APPROVAL_ASKED, APPROVAL_ASKED, APPROVAL_ASKED } },
		{ "once", { "once", "once, allowed", "ask", "once", "once" }, { APPROVAL_ASKED, APPROVAL_ASKED, APPROVAL_ASKED } },
		{ "always", { "always", "always", "ask", "always", "always" }, { APPROVAL_ASKED, APPROVAL_GIVEN, APPROVAL_GIVEN } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig r;

		rig_keep(&r, rows[i].approve);
		const struct tool *t = tool_set_find(&r.set, STR("t"));
		CHECK_STR(str_from(rig_words(&r)), rows[i].words[0]);
		CHECK(approval_give(&r.approvals, t, &r.err), "%s", r.err.text);
		CHECK_STR(str_from(rig_words(&r)), rows[i].words[1]);
		CU_ASSERT(approval_is_given(&r.approvals, t));
		CHECK(approval_take_back(&r.approvals, t, &r.err), "%s", r.err.text);
		CHECK_STR(str_from(rig_words(&r)), rows[i].words[2]);
		CU_ASSERT_EQUAL(rig_approval(&r), rows[i].then[0]);
		approvals_forget(&r.approvals);
		CHECK_STR(str_from(rig_words(&r)), rows[i].words[3]);
		CU_ASSERT_EQUAL(rig_approval(&r), rows[i].then[1]);
		rig_restart(&r);
		CHECK_STR(str_from(rig_words(&r)), rows[i].words[4]);
		CU_ASSERT_EQUAL(rig_approval(&r), rows[i].then[2]);
		CHECK(approval_give(&r.approvals, t, &r.err), "%s", r.err.text);
		CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_GIVEN);
		rig_end_kept(&r);
	}
}

/* A tool that became another one after its permission was taken back shows what has changed. */
static void what_was_taken_back_still_shows_a_change(void)
{
	struct rig r = { .err = { "" } };

	rig_set(&r, "t", "command", "p");
	rig_set(&r, "t", "approve", "always");
	CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_GIVEN);
	CU_ASSERT(approval_take_back(&r.approvals, tool_set_find(&r.set, STR("t")), &r.err));
	rig_set(&r, "t", "command", "q");
	CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_CHANGED);
	CHECK_STR(str_from(rig_words(&r)), "ask: it has changed");
	rig_set(&r, "t", "approve", "never");
	CHECK_STR(str_from(rig_words(&r)), "never");
	rig_end(&r);
}

/* Any fact that changes brings the question back, with what differs. */
static void a_change_asks_again(void)
{
	static const struct { const char *setting, *value, *change; } rows[] = {
		{ "command", "p {a} --force", "+ argument: \"--force\"\n" },
		{ "command", "q {a}", "- program: \"p\"\n+ program: \"q\"\n" },
		{ "description", "new", "- description: \"old\"\n+ description: \"new\"\n" },
		{ "schema", "{\"type\":\"object\"}", "- schema: \"{}\"\n+ schema: \"{\\\"type\\\":\\\"object\\\"}\"\n" },
		{ "folder", "/tmp", "+ folder: \"/tmp\"\n" },
		{ "env", "LANG", "+ env: \"LANG\"\n" },
		{ "input", "json", "+ input: \"json\"\n" },
	};

	setenv("XDG_STATE_HOME", folder_path(), 1);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int start = 0; start < 2; start++) {
			struct rig r = { .err = { "" } };
			struct buf change = { 0 };

			r.approvals.keeps = true;
			rig_set(&r, "t", "command", "p {a}");
			rig_set(&r, "t", "description", "old");
			rig_set(&r, "t", "schema", "{}");
			rig_set(&r, "t", "approve", start ? "once" : "always");
			CHECK(approval_give(&r.approvals, tool_set_find(&r.set, STR("t")), &r.err), "%s", r.err.text);
			if (start)
				rig_restart(&r);
			CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_GIVEN);
			rig_set(&r, "t", rows[i].setting, rows[i].value);
			CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_CHANGED);
			approval_write_change(&r.approvals, tool_set_find(&r.set, STR("t")), &change);
			CHECK_STR(buf_str(&change), rows[i].change);
			CHECK(approval_give(&r.approvals, tool_set_find(&r.set, STR("t")), &r.err), "%s", r.err.text);
			CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_GIVEN);
			buf_fini(&change);
			rig_end(&r);
		}
	folder_remove();
}

/* A private time leaves nothing; what was allowed holds for this run of the program. */
static void nothing_is_written_in_private(void)
{
	struct rig r = { .err = { "" } };
	char path[300];

	setenv("XDG_STATE_HOME", folder_path(), 1);
	r.approvals.keeps = r.approvals.is_private = true;
	rig_set(&r, "t", "command", "p");
	rig_set(&r, "t", "approve", "once");
	CHECK(approval_give(&r.approvals, tool_set_find(&r.set, STR("t")), &r.err), "%s", r.err.text);
	CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_GIVEN);
	snprintf(path, sizeof path, "%s/weir/approvals", folder_path());
	CU_ASSERT(access(path, F_OK) != 0);
	rig_restart(&r);
	CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_ASKED);
	rig_end(&r);
	folder_remove();
}

/* A schema of any length is among what an approval holds for. */
static void a_long_schema_counts_to_its_end(void)
{
	struct rig r = { .err = { "" } };
	struct buf schema = { 0 };

	buf_add_z(&schema, "{\"enum\":[");
	for (int i = 0; i < 400000; i++)
		buf_add_z(&schema, "\"\",");
	buf_add_z(&schema, "1]}");
	rig_set(&r, "t", "command", "p");
	rig_set(&r, "t", "schema", buf_z(&schema));
	CHECK(approval_give(&r.approvals, tool_set_find(&r.set, STR("t")), &r.err), "%s", r.err.text);
	CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_GIVEN);
	schema.ptr[schema.len - 3] = '2';
	rig_set(&r, "t", "schema", buf_z(&schema));
	CU_ASSERT_EQUAL(rig_approval(&r), APPROVAL_CHANGED);
	buf_fini(&schema);
	rig_end(&r);
}

/* A file that says what it should not, or that another may write, approves nothing. */
static void a_foreign_file_approves_nothing(void)
{
	static const char *const files[] = { "", "[]", "{\"t\":1}", "{\"t\":true}", "{\"t\":\"\"}", "{\"t\":\"*\"}", "{\"t\":", "t" };
	char path[300];

	setenv("XDG_STATE_HOME", folder_path(), 1);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct rig r = { .err = { "" } };

		snprintf(path, sizeof path, "mkdir -p -m 700 '%s/weir'", folder_path());
		CU_ASSERT_EQUAL(system(path), 0);
		folder_file("weir/approvals", files[i]);
		r.approvals.keeps = true;
		rig_set(&r, "t", "command", "p");
		rig_set(&r, "t", "approve", "once");
		CHECK(rig_approval(&r) != APPROVAL_GIVEN, "%s", files[i]);
		rig_end(&r);
	}
	folder_remove();
}

const struct suite suite_tool_set = { "tool_set", (const struct test[]){
	TEST(a_plan_is_exactly_what_would_run), TEST(a_file_that_becomes_a_link_is_not_read), TEST(a_value_is_whole_or_refused), TEST(all_of_a_value_is_seen), TEST(the_program_is_never_an_argument), TEST(the_set_goes_into_the_request),
	TEST(what_is_built_in_answers), TEST(approvals_hold_for_what_was_allowed), TEST(what_was_allowed_is_told_and_taken_back),
	TEST(what_was_taken_back_still_shows_a_change), TEST(a_change_asks_again),
	TEST(nothing_is_written_in_private), TEST(a_long_schema_counts_to_its_end), TEST(a_foreign_file_approves_nothing), { 0 } } };
