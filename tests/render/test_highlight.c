#include "render/highlight.h"

#include <stdio.h>
#include <string.h>

#include "base/ini.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "support/check.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char letters[ROLE_COUNT] = {
	[ROLE_KEYWORD] = 'k', [ROLE_TYPE] = 't', [ROLE_STRING] = 's', [ROLE_COMMENT] = 'c', [ROLE_NUMBER] = 'n',
	[ROLE_PREPROCESSOR] = 'p', [ROLE_ADDED] = '+', [ROLE_REMOVED] = '-', [ROLE_HEADING] = 'h', [ROLE_QUOTE] = 'q', [ROLE_LINK] = 'l',
	[ROLE_MATH] = 'm',
};

/* Writes "if x" as "{k if} x". */
static void write_span(void *ctx, const struct span *span)
{
	struct buf *out = ctx;

	if (span->role == ROLE_CODE)
		buf_add(out, span->text);
	else
		buf_printf(out, "{%c %.*s}", letters[span->role], STR_ARG(span->text));
}

static void finds_languages(void)
{
	size_t count = 0;

	while (language_name_at(count)) {
		const char *name = language_name_at(count++);

		CHECK(language_find(str_from(name)) != NULL, "%s", name);
	}
	CU_ASSERT(count >= 22);
	CU_ASSERT(language_find(STR("C++")) == language_find(STR("cpp")));
	CU_ASSERT(language_find(STR("py")) == language_find(STR("Python")));
	CU_ASSERT(language_find(STR("rust,ignore")) == language_find(STR("rs")));
	CU_ASSERT(language_find(STR("sh -e")) == language_find(STR("bash")));
	CU_ASSERT_PTR_NULL(language_find(STR("")));
	CU_ASSERT_PTR_NULL(language_find(STR("klingon")));
	CU_ASSERT_PTR_NULL(language_find(STR("p")));
}

static bool accept(void *ctx, const struct ini_entry *entry, struct error *err)
{
	size_t *count = ctx;

	(void)err;
	*count += entry->section[0] != '\0';
	return true;
}

/* The definitions that the generator accepts are valid INI files for base/ini.h, too. */
static void definitions_are_ini_files(void)
{
	for (size_t i = 0; language_name_at(i); i++) {
		struct error err = { "" };
		char path[100];
		size_t count = 0;

		snprintf(path, sizeof path, "themes/languages/%s.ini", language_name_at(i));
		CHECK(ini_read_file(path, accept, &count, &err) && count > 2, "%s", err.text);
	}
}

static const struct { const char *language, *text, *expected; } cases[] = {
	{ "c", "if (x == 0x1Fu) return \"a\\\"b\"; // no", "{k if} (x == {n 0x1Fu}) {k return} {s \"a\\\"b\"}; {c // no}" },
	{ "c", "/* a\nb */ int c;", "{c /* a}\n{c b */} {t int} c;" },
	{ "c", "#include <stdio.h>\n  #define X 'y'\na # b", "{p #include <stdio.h>}\n  {p #define} X {s 'y'}\na # b" },
	{ "c", "\"a\\\nb\" c \"d\ne", "{s \"a\\}\n{s b\"} c {s \"d}\ne" },
	{ "c", "s.if 1.5e-3+1 iffy", "s.if {n 1.5e-3}+{n 1} iffy" },
	{ "cpp", "R\"(a\nif)\" 1'000'000", "{s R\"(a}\n{s if)\"} {n 1'000'000}" },
	{ "rust", "/* a /* b */\nc */ fn f<'a>() { 'x' }", "{c /* a /* b */}\n{c c */} {k fn} f<{t 'a}>() { {s 'x'} }" },
	{ "rust", "/* /* /* a\n*/ b\n*/ c\n*/ fn", "{c /* /* /* a}\n{c */ b}\n{c */ c}\n{c */} {k fn}" },
	{ "rust", "r#\"a \"b\" \"# 1..2 '\\u{41}' Vec", "{s r#\"a \"b\" \"#} {n 1}..{n 2} {s '\\u{41}'} {t Vec}" },
	{ "python", "@cached\ndef f(x): # é\n  '''a\n\"\"\" b''' + None", "{p @cached}\n{k def} f(x): {c # é}\n  {s '''a}\n{s \"\"\" b'''} + {n None}" },
	{ "javascript", "a / 2 / b; x = /[\"']/g; return /z/", "a / {n 2} / b; x = {s /[\"']/}g; {k return} {s /z/}" },
	{ "javascript", "`a ${b}\nc` // d", "{s `a }{t ${b}}\n{s c`} {c // d}" },
	{ "sh", "echo \"a $b\nc\" $d#e # f", "{t echo} {s \"a }{t $b}\n{s c\"} {t $d}#e {c # f}" },
	{ "sh", "x=\\\" # '", "x=\\\" {c # '}" },
	{ "sql", "SELECT 'it''s' From t -- x", "{k SELECT} {s 'it'}{s 's'} {k From} t {c -- x}" },
	{ "json", "{\"a\" : \"b: c\", \"d\": [1, null]}", "{{t \"a\"} : {s \"b: c\"}, {t \"d\"}: [{n 1}, {n null}]}" },
	{ "yaml", "- a b: it's # x\n  c: http://d#e\n\"f\": 'g'", "- {t a b}: it's {c # x}\n  {t c}: http://d#e\n{t \"f\"}: {s 'g'}" },
	{ "toml", "[a.b]\nc-d = 1 # e", "{h [a.b]}\n{t c-d} = {n 1} {c # e}" },
	{ "ini", "; a\n[b]\nc = \"d\"", "{c ; a}\n{h [b]}\n{t c} = {s \"d\"}" },
	{ "css", "a:hover { margin-top: 1.5em; color: #fff }", "{t a}:hover { {t margin-top}: {n 1.5em}; {t color}: {n #fff} }" },
	{ "html", "<a b=\"c\nd\">it's &amp; if</a>", "{k <a} {t b}={s \"c}\n{s d\"}{k >}it's {n &amp;} if{k </a}{k >}" },
	{ "html", "<script>\nlet a = `\n</script><b>", "{k <script}{k >}\n{k let} a = {s `}\n{k </script}{k >}{k <b}{k >}" },
	{ "html", "<style>a{/*\nb:*/c:d}</style> a < b", "{k <style}{k >}a{{c /*}\n{c b:*/}{t c}:d}{k </style}{k >} a < b" },
	{ "xml", "<?x?><!-- a\n--><b/>", "{p <?x?>}{c <!-- a}\n{c -->}{k <b}{k /}{k >}" },
	{ "diff", "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z + 1", "{h --- a}\n{h +++ b}\n{p @@ -1 +1 @@}\n{- -x}\n{+ +y}\n z + 1" },
	{ "make", "all: $(X) # a\n\techo a: b\nX := 1", "{k all}: {t $(X)} {c # a}\n\techo a: b\n{k X} := 1" },
	{ "dockerfile", "FROM a AS b\n# c\nRUN \"$d\"", "{k FROM} a {k AS} b\n{c # c}\n{k RUN} {s \"}{t $d}{s \"}" },
	{ "lua", "--[[ a\nb ]] local c = [[d\ne]]", "{c --[[ a}\n{c b ]]} {k local} c = {s [[d}\n{s e]]}" },
	{ "php", "<?php ECHO $a; // b", "{p <?php} {k ECHO} {t $a}; {c // b}" },
	{ "ruby", "=begin\na\n=end\nputs :b, \"#{c}\", @d", "{c =begin}\n{c a}\n{c =end}\n{k puts} {n :b}, {s \"}{t #{c}}{s \"}, {t @d}" },
	{ "markdown", "# a\n> b\n```\n# c\n```\n- `d`", "{h # a}\n{q > b}\n{s ```}\n{s # c}\n{s ```}\n{k -} {s `d`}" },
	{ "go", "func f() (x []byte) { return `a\n` }", "{k func} f() (x []{t byte}) { {k return} {s `a}\n{s `} }" },
	{ "kotlin", "val s = \"$x\" as? Foo", "{k val} s = {s \"}{t $x}{s \"} {k as}? {t Foo}" },
	{ "swift", "@State var x: Int = nil", "{p @State} {k var} x: {t Int} = {n nil}" },
	{ "java", "@Override public int a;", "{p @Override} {k public} {t int} a;" },
	{ "csharp", "#if X\nstring a = @\"\\\nb\";", "{p #if} {t X}\n{t string} a = {s @\"\\}\n{s b\"};" },
	{ "latex", "\\section{A} $x^2$ 50\\% % c", "{k \\section}{A} {m $x^2$} 50\\% {c % c}" },
	{ "powershell", "<# a\n#> IF ($x -EQ 1) { \"b`\"\" }", "{c <# a}\n{c #>} {k IF} ({t $x} -EQ {n 1}) { {s \"b`\"\"} }" },
	{ "haskell", "f' :: Int -- x\n{- {- -}\n-} let c = 'c'", "f' :: {t Int} {c -- x}\n{c {- {- -}}\n{c -}} {k let} c = {s 'c'}" },
	{ "perl", "my $x = qw(a\nb); # c", "{k my} {t $x} = {s qw(a}\n{s b)}; {c # c}" },
	{ "typescript", "interface A { b: string }", "{k interface} {t A} { b: {t string} }" },
};

static void highlights(void)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct language *language = language_find(str_from(cases[i].language));
		struct str rest = str_from(cases[i].text), line;
		highlight_state state = 0;
		struct buf out;

		CU_ASSERT_FATAL(language != NULL);
		buf_init(&out, 10000);
		while (str_split(&rest, '\n', &line)) {
			if (line.ptr != cases[i].text)
				buf_add_byte(&out, '\n');
			state = highlight_line(language, state, line, write_span, &out);
		}
		CHECK(!strcmp(buf_z(&out), cases[i].expected), "%s: %s\n   not: %s", cases[i].language, buf_z(&out), cases[i].expected);
		buf_fini(&out);
	}
}

/* --- rules --- */

struct seen {
	struct str line;
	size_t at;
	bool text;           /* the line is valid UTF-8, so every span must be */
	size_t broken;
};

static void follow(void *ctx, const struct span *span)
{
	struct seen *seen = ctx;
	bool next = span->text.ptr == seen->line.ptr + seen->at && span->text.len && span->text.len <= seen->line.len - seen->at;

	if (!next || span->role >= ROLE_COUNT || span->attributes || span->link || (seen->text && !utf8_is_valid(span->text)))
		seen->broken++;
	seen->at += span->text.len;
}

static highlight_state check_line(const struct language *language, const char *name, highlight_state state, struct str line)
{
	struct seen seen = { .line = line, .text = utf8_is_valid(line) };
	highlight_state next = highlight_line(language, state, line, follow, &seen);

	CHECK(seen.at == line.len && !seen.broken, "%s, state %d: %.*s", name, state, (int)(line.len > 200 ? 200 : line.len), line.ptr);
	return next;
}

static const char *const pieces[] = {
	"\"", "'", "`", "\"\"\"", "'''", "```", "\\", "/*", "*/", "//", "#", "--", "--[[", "]]", "<!--", "-->", "<", "</", ">", "<script>",
	"</script", "<style ", "=", ":", ": ", "$", "${", "}", "{", "(", ")", "[", "]", "@", "&", "&amp;", " ", "\t", "- ", "+", "0x", "1.5e",
	"12", "if", "Self", "self", "=begin", "=end", "#include", "r#\"", "\"#", "R\"(", ")\"", "é", "\xE2\x80\x8D", "🙂", "\xFF", "\xC3", "x",
	"\n", "\n", "\n",
};

static void spans_are_the_line(void)
{
	unsigned seed = 7;

	for (size_t i = 0; language_name_at(i); i++) {
		const struct language *language = language_find(str_from(language_name_at(i)));

		for (int run = 0; run < 300; run++) {
			highlight_state state = run < 256 ? (highlight_state)run : 0; /* includes states that were never returned */
			struct str rest, line;
			struct buf text;

			buf_init(&text, 10000);
			for (unsigned n = check_random(&seed) % 60; n; n--)
				buf_add_z(&text, pieces[check_random(&seed) % COUNT(pieces)]);
			rest = buf_str(&text);
			while (str_split(&rest, '\n', &line)) {
				char *copy = mem_dup(line.ptr, line.len); /* lets the sanitizer detect reads past the end */

				state = check_line(language, language_name_at(i), state, str_of(copy, line.len));
				mem_free(copy);
			}
			buf_fini(&text);
		}
	}
}

/* Highlights each line again, alone, with the state kept for its start. */
static void lines_stand_alone(void)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct language *language = language_find(str_from(cases[i].language));
		struct str rest = str_from(cases[i].text), lines[16];
		highlight_state states[17] = { 0 };
		struct buf once, again;
		size_t count = 0;

		buf_init(&once, 10000);
		buf_init(&again, 10000);
		for (; count < COUNT(lines) && str_split(&rest, '\n', &lines[count]); count++)
			states[count + 1] = highlight_line(language, states[count], lines[count], write_span, &once);
		for (size_t from = count; from-- > 0;) {
			struct buf tail;

			buf_init(&tail, 10000);
			CU_ASSERT_EQUAL(highlight_line(language, states[from], lines[from], write_span, &tail), states[from + 1]);
			buf_insert(&again, 0, buf_str(&tail));
			buf_fini(&tail);
		}
		CHECK_STR(buf_str(&again), buf_z(&once));
		buf_fini(&once);
		buf_fini(&again);
	}
}

/* With more than linear time this test would take minutes. */
static void long_lines_end(void)
{
	for (size_t i = 0; language_name_at(i); i++) {
		const struct language *language = language_find(str_from(language_name_at(i)));

		for (size_t p = 0; p < COUNT(pieces); p++) {
			struct buf line;

			buf_init(&line, 1 << 20);
			while (line.len < 60000)
				buf_add_z(&line, pieces[p]);
			if (pieces[p][0] != '\n')
				check_line(language, language_name_at(i), 0, buf_str(&line));
			buf_fini(&line);
		}
	}
}

const struct suite suite_highlight = { "highlight", (const struct test[]){
	TEST(finds_languages), TEST(definitions_are_ini_files), TEST(highlights), TEST(spans_are_the_line), TEST(lines_stand_alone),
	TEST(long_lines_end), { 0 } } };
