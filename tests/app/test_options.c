#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/options/options.h"
#include "base/array.h"
#include "base/os/process.h"
#include "base/os/sandbox.h"
#include "program.h"
#include "support/check.h"

#define WORDS_MAX 32

/* Parses "ask --max-tokens 5 hi": a command and space-separated words. */
struct parsed {
	struct options o;
	struct error err;
	bool good;
	char text[256];
	char *argv[WORDS_MAX + 1];
};

static enum subcommand_id subcommand_of(const char *name)
{
	enum subcommand_id id = 0;

	while (id < SUBCOMMAND_COUNT && strcmp(subcommand_row(id)->name, name) != 0)
		id++;
	CU_ASSERT_FATAL(id < SUBCOMMAND_COUNT);
	return id;
}

static void parse(struct parsed *p, const char *line)
{
	int count = 0;
	char *rest;

	*p = (struct parsed){ .err = { "" } };
	strncpy(p->text, line, sizeof p->text - 1);
	for (char *word = strtok_r(p->text, " ", &rest); word && count < WORDS_MAX; word = strtok_r(NULL, " ", &rest))
		p->argv[count++] = word;
	options_init(&p->o);
	p->good = options_parse(&p->o, subcommand_of(p->argv[0]), count, p->argv, &p->err);
}

static void nothing_is_given_at_first(void)
{
	struct parsed p;

	parse(&p, "chat");
	CU_ASSERT(p.good);
	CU_ASSERT_PTR_NULL(p.o.provider);
	CU_ASSERT_EQUAL(p.o.max_tokens, -1);
	CU_ASSERT(isnan(p.o.temperature));
	CU_ASSERT_EQUAL(p.o.reasoning, REASONING_LEVEL_UNSET);
	CU_ASSERT_EQUAL(p.o.colour, COLOUR_AUTO);
	CU_ASSERT_EQUAL(p.o.speed, 1.0);
	CU_ASSERT_EQUAL(p.o.argument_count, 0);
	options_fini(&p.o);
}

static void reads_every_value(void)
{
	struct parsed p;

	parse(&p, "ask -p sansa -mx --protocol=anthropic --max-tokens 5 --temperature 0.5 --reasoning high --server-tools code,image --color 256 --no-stream");
	CU_ASSERT(p.good);
	CHECK_STR(str_from(p.o.provider), "sansa");
	CHECK_STR(str_from(p.o.model), "x");
	CHECK_STR(str_from(p.o.protocol), "anthropic");
	CU_ASSERT_EQUAL(p.o.max_tokens, 5);
	CU_ASSERT_EQUAL(p.o.temperature, 0.5);
	CU_ASSERT_EQUAL(p.o.reasoning, REASONING_LEVEL_HIGH);
	CU_ASSERT_EQUAL(p.o.server_tools, 1u << SERVER_CAN_CODE | 1u << SERVER_CAN_IMAGE);
	CU_ASSERT_EQUAL(p.o.colour, COLOUR_256);
	CU_ASSERT(p.o.no_stream);
	options_fini(&p.o);
	parse(&p, "replay --idle 2 --range 2.5-8 --loop a");
	CU_ASSERT_EQUAL(p.o.idle_s, 2);
	CU_ASSERT_EQUAL(p.o.range_from_s, 2.5);
	CU_ASSERT_EQUAL(p.o.range_to_s, 8);
	CU_ASSERT(p.o.loop);
	options_fini(&p.o);
	parse(&p, "replay --range -8 a");
	CU_ASSERT_EQUAL(p.o.range_to_s, 8);
	options_fini(&p.o);
	parse(&p, "serve --port 8080 --speed max a b");
	CU_ASSERT(p.good);
	CU_ASSERT_EQUAL(p.o.port, 8080);
	CU_ASSERT_EQUAL(p.o.speed, 0);
	CU_ASSERT_EQUAL(p.o.argument_count, 2);
	options_fini(&p.o);
}

static void words_stay_in_order_around_options(void)
{
	struct parsed p;

	parse(&p, "ask why --file a.png is --file b.pdf -- -p - it");
	CU_ASSERT(p.good);
	CU_ASSERT_EQUAL_FATAL(p.o.argument_count, 5);
	CHECK_STR(str_from(p.o.arguments[0]), "why");
	CHECK_STR(str_from(p.o.arguments[1]), "is");
	CHECK_STR(str_from(p.o.arguments[2]), "-p");
	CHECK_STR(str_from(p.o.arguments[3]), "-");
	CHECK_STR(str_from(p.o.arguments[4]), "it");
	CU_ASSERT_EQUAL_FATAL(p.o.file_count, 2);
	CHECK_STR(str_from(p.o.files[1]), "b.pdf");
	CU_ASSERT_PTR_NULL(p.o.provider);
	options_fini(&p.o);
}

static void every_subcommand_takes_the_common_options(void)
{
	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++) {
		const struct subcommand *c = subcommand_row(id);
		struct parsed p;
		char line[256];

		snprintf(line, sizeof line, "%s -p a -m b --protocol c --dialect d --base-url e --config f --tape g --theme h --color never", c->name);
		parse(&p, line);
		CHECK(p.good, "%s: %s", c->name, p.err.text);
		options_fini(&p.o);
	}
}

static void errors_name_the_option(void)
{
	static const struct { const char *line, *named; } cases[] = {
		{ "ask --bogus", "--bogus" },           { "ask -x", "-x" },                    { "decode --max-tokens 5 f", "--max-tokens" },
		{ "ask -p", "--provider" },             { "ask --model", "--model" },          { "ask --max-tokens many", "--max-tokens" },
		{ "ask --max-tokens -1", "--max-tokens" }, { "ask --temperature nan", "--temperature" }, { "ask --temperature 0x1", "--temperature" },
		{ "ask --temperature -1", "--temperature" }, { "ask --reasoning extreme", "--reasoning" }, { "ask --server-tools web_search,cod", "--server-tools" }, { "ask --color blue", "--color" },
		{ "serve --port 65536 f", "--port" },   { "serve --speed 0 f", "--speed" },    { "serve --speed fast f", "--speed" },
		{ "replay --idle 0 f", "--idle" },      { "replay --range 8-2 f", "--range" }, { "replay --range 5 f", "--range" },
		{ "decode --status 99 f", "--status" }, { "decode --status 600 f", "--status" }, { "ask --no-stream=1", "--no-stream" },
		{ "ask --summary --events", "--events" }, { "ask --model=", "--model" },
		{ "ask --bogus", "weir ask has no option --bogus; " }, { "ask --t x", "weir ask has several options that begin with --t; " },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct parsed p;

		parse(&p, cases[i].line);
		CHECK(!p.good, "%s", cases[i].line);
		CHECK(strstr(p.err.text, cases[i].named) != NULL, "%s: %s", cases[i].line, p.err.text);
		options_fini(&p.o);
	}
}

static void help_wins_over_what_follows(void)
{
	struct parsed p;

	parse(&p, "ask -h --bogus");
	CU_ASSERT(p.good);
	CU_ASSERT(p.o.help);
	options_fini(&p.o);
}

static void finds_the_subcommand_behind_options(void)
{
	static const struct { int argc, at; const char *argv[6]; } cases[] = {
		{ 1, 1, { "weir" } },
		{ 2, 1, { "weir", "ask" } },
		{ 4, 3, { "weir", "-p", "ask", "decode" } },
		{ 3, 2, { "weir", "--model=ask", "ask" } },
		{ 2, 2, { "weir", "--help" } },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		CHECK(options_find_subcommand(cases[i].argc, (char **)cases[i].argv) == cases[i].at, "case %zu", i);
}

/* What `weir NAME --help` offers. An option that names its subcommands by their place would offer others after a new row. */
static void options_name_their_subcommands(void)
{
	static const struct { const char *of, *options; } cases[] = {
		{ "serve", "speed port fault fault-rate seed rules choose as echo log help version" },
		{ "decode", "protocol dialect media summary events frames entry status config help version" },
		{ "providers", "provider protocol dialect base-url json config help version" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct option_help help;
		struct buf offered = { 0 };

		for (size_t j = 0; options_help_at(j, &help); j++)
			if (help.subcommands >> subcommand_of(cases[i].of) & 1)
				buf_printf(&offered, "%s%s", offered.len ? " " : "", help.name);
		CHECK_STR(buf_str(&offered), cases[i].options);
		buf_fini(&offered);
	}
}

static void tables_are_complete(void)
{
	struct option_help a, b;

	CHECK_STR(str_from(subcommand_row(0)->name), "chat"); /* the default */
	for (size_t i = 0; options_help_at(i, &a); i++) {
		CHECK(a.words && a.subcommands && !(a.subcommands >> SUBCOMMAND_COUNT), "--%s", a.name);
		for (size_t j = 0; j < i && options_help_at(j, &b); j++)
			CHECK(!(a.subcommands & b.subcommands) || (strcmp(a.name, b.name) && (!a.letter || a.letter != b.letter)), "--%s", a.name);
	}
}

/* The program itself: one line, exit 2. */
static void commands_that_do_not_exist_are_told(void)
{
	struct program p;

	static const struct { const char *word, *says; } cases[] = {
		{ "lnit", "there is no command 'lnit'; the nearest is weir lint;" },
		{ "histroy", "there is no command 'histroy'; the nearest is weir history;" },
		{ "What is it?", "there is no command 'What is it?'; weir --help lists them (to ask one question: weir ask PROMPT)" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS(cases[i].word), NULL), 2);
		CHECK(strstr(buf_z(&p.errors), cases[i].says), "%s", buf_z(&p.errors));
		program_free(&p);
	}
}

/* The first line stays as it is, because programs read it. */
static void the_version_names_the_libraries(void)
{
	static const char *const names[] = { "libcurl", "OpenSSL", "ncurses", "SQLite", "json-c", "zlib", "brotli", "zstd", "libunistring", "libpng", "libwebp" };
	struct program p;
	struct str rest, line;
	size_t count = 0, lacks = 0;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("--version"), NULL), 0);
	rest = buf_str(&p.output);
	str_split(&rest, '\n', &line);
	CHECK_STR(line, "weir " WEIR_VERSION);
	for (; str_split(&rest, '\n', &line); count++) {
		struct str version, name = str_first_word(line, &version);

		if (str_starts(line, "not here: ")) { /* what POSIX's forms of base/os lack stands behind them */
			lacks++;
			count--;
			continue;
		}
		CHECK(!lacks && count < ARRAY_LEN(names) && str_is(name, names[count]), "%.*s", STR_ARG(line));
		CHECK(version.len && char_is_digit(*version.ptr) && str_find(version, STR(".")) < version.len, "%.*s", STR_ARG(line));
	}
	CU_ASSERT_EQUAL(count, ARRAY_LEN(names));
	CU_ASSERT_EQUAL(lacks, (size_t)!sandbox_is_whole + !process_adopts);
	program_free(&p);
}

const struct suite suite_options = { "options", (const struct test[]){
	TEST(nothing_is_given_at_first), TEST(reads_every_value), TEST(words_stay_in_order_around_options),
	TEST(every_subcommand_takes_the_common_options), TEST(errors_name_the_option), TEST(help_wins_over_what_follows),
	TEST(finds_the_subcommand_behind_options), TEST(options_name_their_subcommands), TEST(tables_are_complete),
	TEST(commands_that_do_not_exist_are_told), TEST(the_version_names_the_libraries), { 0 } } };
