/*
 * Emphasis, code, links and images in complete texts: our inline parser agrees with md4c, except for a table of known differences.
 */
#include <dirent.h>
#include <locale.h>
#include <stdio.h>

#include "base/json.h"
#include "render/markdown/markdown_body.h"
#include "render/markdown_oracle.h"
#include "support/check.h"

#define ROOM ((size_t)4 << 20)

/* --- constructs --- */

static void check_agrees(struct str text)
{
	struct buf said;
	bool same;

	buf_init(&said, ROOM);
	same = oracle_agrees(text, &said);
	CHECK(same, "\"%.*s\":\n%s", STR_ARG(text), buf_z(&said));
	buf_fini(&said);
}

static void agrees_on_constructs(void)
{
	static const char *const texts[] = {
		/* escapes */
		"\\!\\\"\\#\\%\\&\\'\\)\\*\\+\\,\\-\\.\\/\\:\\;\\<\\=\\>\\?\\@\\]\\^\\_\\`\\{\\|\\}\\~ \\a \\1 \\ \\\\", "not \\*stressed\\*, \\\\*stressed*",
		"a [link\\](/u) and a [link\\]](/u)", "`code \\` is code, \\`this` is not", "one\\\ntwo", "one \\\ntwo\\",
		"\\![no image](/u) \\<m:a>", "[a](/u\\*v \"t\\\"t\") [b](</u\\>v>)",
		/* entities */
		"x&amp;&lt;&copy;&#65;&#x42;&#X43;&nope;&#;&#x;&;&#12345678;", "&#42;no stress&#42; *&amp;*", "[a](/u&amp;v) [b](/&ouml;)", "`&amp;`",
		/* code */
		"`a` ``b`` ``c ` d`` ` `` ` `` ` ``", "` a ` `  b  ` ` ` `  ` `a `", "`a` `b c``d`", "`a\nb` `c \nd`", "``a`", "a```b``c```",
		"*a `*` b* `c *d`*", "[a `](/u)` b](/v)", "<http://a.example/`>`", "x`y`z`",
		/* emphasis */
		"*a* **b** ***c*** _d_ __e__ ___f___", "* a* *b * ** c** **d **", "a * b * c", "*a*b *c*d", "a_b_c __a__b a__b__", "\"*a*\"b (*c*) *(d)* *(e)",
		"_(a)_ _\"b\"_c a_\"d\"_ -_(e)_", "**a*b", "*a **b** c* **d *e* f** *g **h***", "***a** b* ***c* d**", "*a **b*** **c *d***", "**a *b** c*",
		"*a **b c*", "**a *b c**", "*a _b* c_", "_a *b_ c*", "__a **b__ c**", "****a**** *****b***** ****c*", "*a**", "**a*", "***a*", "*a***", "a *** b ***",
		"*a __b__ c* **d _e_ f** __g **h** i__", "*a* *b* *c*", "** not **", "*a\nb*", "_a\nb_ c", "*[a*](/u) **[b**](/v)", "*a `*`", "*a <http://b.example/*>",
		"**a<http://b.example/**>", "*a\\** **b\\***", "*\u00A0a*", "*a \u2014 b* \u00AB*c*\u00BB",
		/* links */
		"[a](/u) [b](</v w>) [c](/x \"title\") [d](/y 'title') [e](/z (title))", "[a]() [b](<>) []( /u ) [](/v)", "[a](/u v) [b] (/u) [c](/u \"t)",
		"[a](/u(v)w) [b](/u\\)v) [c](/u((v)w) [d](<a(b>)", "[a](/u\n\"title\") [b](\n/v\n) [c](/w \"two\nlines\")", "[a [b] c](/u) [a] b](/u) [a [b](/u) [a \\[b](/u)",
		"[a *b* `c`](/u)", "[a [b](/v) c](/u)", "[a ![b](/v) c](/u)", "*[a*](/u)* [b *c](/v)*", "[a `b](/u)`", "[a <http://b.example/](/u)>", "[a](<b\nc>) [d](<e>f)",
		"[a](/u \"t\"x) [b](/u'x')", "[a](/u\"v\") [b](\"t\")", "[a](/u\\v) [b](/u%20v&auml;)", "[a][b] [c][] [d]", "[[[a](/u)](/v)](/w)", "[a](b)c](d)",
		"![a](/u) ![](/v) ![b *c*](/w \"t\")", "![a ![b](/u) c](/v)", "![a [b](/u) c](/v)", "!\\[a](/u) !a [b](/u)!", "[![a](/u)](/v)",
		/* addresses */
		"<http://a.example/b?c=d&e> <mailto:a@b.example> <a+b:c> <x:>", "<a@b.example> <a.b-c@d.e-f.example>", "<a b:c> <a:b <a\nb:c> <> <a.b>",
		"<localhost:80/a>b <m:a\\b>",
		/* bare addresses */
		"http://a.example/b https://a.b.example www.a.example/c?d=e ftp://a.example/f", "see www.a.example, http://b.example. And http://c.example/?",
		"a@b.example a.b-c+d_e@f.example, @a a@ a@b", "xhttp://a.example xwww.a.example http:/a.example", "*http://a.example/b* is it",
		/* strikethrough */
		"~~a~~ ~~b c~~ ~~~d~~~", "~~a\nb~~ c", "~~*a*~~ *~~b~~*", "\\~~a~~ b",
		/* lines */
		"a\nb  \nc\\\nd", "*a  \nb*", "`a\\\nb`",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct oracle theirs;
		struct buf text;

		buf_init(&text, ROOM);
		oracle_init(&theirs);
		buf_printf(&text, "a %s", texts[i]);
		CHECK(oracle_ask_md4c(&theirs, buf_str(&text)), "\"%s\" is no paragraph", buf_z(&text));
		check_agrees(buf_str(&text));
		oracle_fini(&theirs);
		buf_fini(&text);
	}
}

/* Each example in the table of known differences must differ. */
static void differs_where_listed(void)
{
	for (const struct oracle_excuse *excuse = oracle_excuses; excuse->reason; excuse++) {
		struct buf said;

		buf_init(&said, ROOM);
		CHECK(excuse->is_one(str_from(excuse->example)), "%s", excuse->reason);
		CHECK(!excuse->ours || !oracle_agrees(str_from(excuse->example), &said), "%s", excuse->reason);
		buf_fini(&said);
	}
}

/* --- random texts --- */

static void add_random(unsigned *state, struct buf *text)
{
	static const char *const pieces[] = {
		"word ", "a", "b", " ", " ", "\na ", "**", "*", "_", "__", "`", "``", "[", "](/u)", "](", "]", "![", ")", "(", "<", "<http://e.org/>", ">", "&amp;",
		"&", "\\", "\\*", "~~", "!", ".", ":", "1", "\"", "'", "](<a b>)", "](/u 't')", "](/u \"t\")", "***", "****", "(a)", "foo*", "*bar", "**foo", "bar**",
		"_b", "b_", " www.e.org ", " https://e.org/a-b, ", " a@b.org ",
	};
	unsigned count = 2 + check_random(state) % 12, all = sizeof pieces / sizeof *pieces;
	unsigned some = check_random(state) % 2 ? all : 4 + check_random(state) % (all - 4);

	buf_clear(text);
	buf_add_z(text, "a ");
	while (count--)
		buf_add_z(text, pieces[check_random(state) % some]);
}

static void agrees_on_random_texts(void)
{
	unsigned asked = 0, excused = 0;
	struct buf text;

	buf_init(&text, ROOM);
	for (unsigned seed = 1; seed <= 50000; seed++) {
		unsigned state = seed;

		add_random(&state, &text);
		if (oracle_find_excuse(str_trim(buf_str(&text)))) {
			excused++;
			continue;
		}
		asked++;
		check_agrees(str_trim(buf_str(&text)));
	}
	CHECK(asked > excused / 2, "only %u texts of %u were compared", asked, asked + excused);
	buf_fini(&text);
}

/* --- documents --- */

/* Checks each paragraph and heading that our scanner finds. */
static unsigned check_document(struct str document)
{
	struct markdown_scan scan;
	unsigned asked = 0;
	struct buf text;

	buf_init(&text, ROOM);
	scan_init(&scan);
	scan_update(&scan, document, true, false);
	for (size_t i = 0; i < scan.state.record_count; i++) {
		enum markdown_kind kind = scan.records[i].block.kind;
		struct markdown_body body;
		struct str line;

		if (kind != MARKDOWN_PARAGRAPH && kind != MARKDOWN_HEADING)
			continue;
		buf_clear(&text);
		body_open(&body, &scan, &scan.records[i]);
		while (body_line(&body, &line))
			buf_printf(&text, "%s%.*s", text.len ? "\n" : "", STR_ARG(str_trim(line)));
		if (!text.len || oracle_find_excuse(buf_str(&text)))
			continue;
		asked++;
		check_agrees(buf_str(&text));
	}
	scan_fini(&scan);
	buf_fini(&text);
	return asked;
}

/* Checks the text and the reasoning in the expected output of a stream. */
static unsigned check_stream(struct json_parser *parser, struct str expected)
{
	static const char *const members[] = { "text", "reasoning" };
	size_t used;
	const struct json *value = json_parse(parser, expected, &used);
	unsigned asked = 0;

	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		asked += check_document(json_get_text(value, members[i]));
	return asked;
}

static unsigned check_folder(struct json_parser *parser, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	unsigned asked = 0;

	while (dir && (entry = readdir(dir))) {
		struct str name = str_from(entry->d_name);
		struct buf text;
		struct error err = { "" };
		char path[512];

		if (!str_ends(name, ".md") && !str_ends(name, ".expected.json"))
			continue;
		buf_init(&text, ROOM);
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		CHECK(buf_read_file(&text, path, &err), "%s", err.text);
		asked += str_ends(name, ".md") ? check_document(buf_str(&text)) : check_stream(parser, buf_str(&text));
		buf_fini(&text);
	}
	if (dir)
		closedir(dir);
	return asked;
}

static void agrees_on_documents_and_streams(void)
{
	static const char *const folders[] = { ".", "src", "tests/markdown", "tests/streams", "tests/streams/anthropic", "tests/streams/gemini",
		"tests/streams/ollama", "tests/streams/openai-chat", "tests/streams/openai-responses" };
	struct json_parser *parser = json_parser_new();
	unsigned asked = 0;

	setlocale(LC_CTYPE, "C.UTF-8");
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		asked += check_folder(parser, folders[i]);
	CHECK(asked > 100, "only %u texts were compared", asked);
	json_parser_free(parser);
}

const struct suite suite_markdown_oracle = { "markdown_oracle", (const struct test[]){
	TEST(agrees_on_constructs), TEST(differs_where_listed), TEST(agrees_on_random_texts), TEST(agrees_on_documents_and_streams), { 0 } } };
