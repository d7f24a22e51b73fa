/* The completion scripts, run by the shells that are installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/completion.h"
#include "app/options/options.h"
#include "app/program.h"
#include "support/check.h"
#include "support/home.h"
#include "support/pty.h"

/* Names that a shell could read as more than names are in the settings; they are never offered. */
#define CONF \
	"[provider box]\nbase_url = http://127.0.0.1:9/\nmodel = llama:3-8b\n[role coder]\nmodel = llama:3-70b\n[role cook]\nmodel = m\n" \
	"[role $(touch${IFS}ran)]\nmodel = $(touch ran)\n[role `touch${IFS}ran`]\nmodel = a;touch ran\n[role -x]\nmodel = *\n" \
	"[template translate]\nprompt = {1}\n[dialect salt]\nsends_done = no\n" \
	"[mcp files]\ncommand = x\n[mcp $(touch${IFS}ran)]\ncommand = x\n" \
	"[tool size]\ncommand = x\n[tool never]\ncommand = x\napprove = never\n" \
	"[role large]\nprovider = box\nmodel = box-large\n[role meal]\nprovider = mill\nmodel = big\n"

static const char *weir_path(void)
{
	static char path[4096];
	const char *weir = getenv("WEIR");

	CU_ASSERT_FATAL(realpath(weir ? weir : "build/weir", path) != NULL);
	return path;
}

/* A home with CONF and the script for a shell beside it. */
static const char *begin(const char *shell)
{
	struct buf script = { 0 };
	char command[8192];

	snprintf(command, sizeof command, "mkdir -p '%s/weir/themes' && mv '%s' '%s/weir/weir.conf' && cd '%s/weir/themes' && "
	         ": >dawn.ini && : >'$(touch ran).ini'", folder_path(), folder_file("conf", CONF), folder_path(), folder_path());
	CU_ASSERT_EQUAL(system(command), 0);
	CU_ASSERT(completion_write(shell, &script));
	const char *path = folder_file("script", buf_z(&script));
	buf_fini(&script);
	return path;
}

static bool has_shell(const char *shell)
{
	char command[100];

	snprintf(command, sizeof command, "command -v %s >/dev/null", shell);
	return system(command) == 0;
}

/* What the shell prints that runs this text, which reads $SCRIPT and $WEIR; the last line end is cut. */
static void run_shell(const char *shell, const char *text, struct buf *out)
{
	struct buf command = { 0 };
	char bytes[4096];
	size_t n;

	buf_printf(&command, "cd '%s' && env -i PATH=\"$PATH\" HOME='%s' XDG_CONFIG_HOME='%s' LANG=C.UTF-8 WEIR='%s' SCRIPT='%s/script' %s '%s' 2>&1",
	           folder_path(), folder_path(), folder_path(), weir_path(), folder_path(), shell, folder_file("run", text));
	FILE *p = popen(buf_z(&command), "r");
	CU_ASSERT_FATAL(p != NULL);
	while ((n = fread(bytes, 1, sizeof bytes, p)) > 0)
		buf_add(out, str_of(bytes, n));
	CU_ASSERT_EQUAL(pclose(p), 0);
	if (str_ends(buf_str(out), "\n"))
		buf_remove(out, out->len - 1, 1);
	buf_fini(&command);
}

static const struct { const char *line, *offers; } cases[] = {
	{ "weir ", "chat ask history usage models providers tools help replay decode lint probe serve proxy tape mcp" },
	{ "weir p", "providers probe proxy" },
	{ "weir help re", "replay" },
	{ "weir help w", "weir.conf" },
	{ "weir help k", "keys" },
	{ "weir w", "" },
	{ "weir ask --pro", "--provider --protocol" },
	{ "weir -p box a", "ask" },
	{ "weir decode --s", "--summary --status" },
	{ "weir ask -p b", "box" },
	{ "weir ask --provider=b", "box" },
	{ "weir -r ", "coder cook large meal off" },
	{ "weir ask -r co", "coder cook" },
	{ "weir ask -t ", "translate" },
	{ "weir ask --reasoning ", "off low medium high" },
	{ "weir ask --server-tools we", "web_search web_fetch" },
	{ "weir ask --protocol open", "openai-chat openai-responses" },
	{ "weir ask --dialect s", "sansa salt" },
	{ "weir --theme colour-", "colour-blind" },
	{ "weir --theme da", "dark dawn" },
	{ "weir --color t", "truecolor" },
	{ "weir serve --fault res", "reset" },
	{ "weir tape convert --to h", "har" },
	{ "weir -p box -m ", "llama:3-8b box-large" },
	{ "weir --provider=mill ask --model ", "big" },
	{ "weir -p anthropic -m claude-3-o", "claude-3-opus" },
	{ "weir --theme light,", "" },
	{ "weir ask --tools-allow ", "size clock" },
	{ "weir ask --tools-allow size,", "size,clock" },
	{ "weir ask --server-tools web_search,we", "web_search,web_fetch" },
	{ "weir ask --server-tools web_search,o", "" },
	{ "weir -p demo -m ", "demo-1 demo-thinking demo-router" },
	{ "weir -m demo", "demo-1 demo-thinking demo-router" },
	{ "weir tape ", "info cut join scrub convert diff stats" },
	{ "weir tape diff note.txt n", "note.txt" },
	{ "weir tape info note.txt n", "" },
	{ "weir history ", "list search show export import delete backup path" },
	{ "weir history --limit 3 show l", "last" },
	{ "weir history export last l", "last" },
	{ "weir history show last l", "" },
	{ "weir history search n", "" },
	{ "weir history import n", "note.txt" },
	{ "weir proxy --to b", "box" },
	{ "weir ask --file not", "note.txt" },
	{ "weir decode not", "note.txt" },
	{ "weir ask --temperature ", "" },
	{ "weir ask some wor", "" },
	{ "weir mcp ", "list call read prompt ping login logout lint import" },
	{ "weir mcp --json l", "list login logout lint" },
	{ "weir mcp call f", "files" },
	{ "weir --config weir/weir.conf mcp ping ", "files" },
	{ "weir mcp call files n", "" },
	{ "weir mcp import n", "note.txt" },
	{ "weir mcp lint n", "note.txt" },
};
#define CASES (sizeof cases / sizeof *cases)

/* `try LINE` is defined by `prelude` and prints what is offered, parted by blanks, on one line. */
static void check_cases(const char *shell, const char *prelude)
{
	struct buf text = { 0 }, out = { 0 };
	struct str rest, line;

	begin(shell);
	folder_file("note.txt", "");
	buf_add_z(&text, prelude);
	for (size_t i = 0; i < CASES; i++)
		buf_printf(&text, "try '%s'\n", cases[i].line);
	run_shell(shell, buf_z(&text), &out);
	rest = buf_str(&out);
	for (size_t i = 0; i < CASES; i++) {
		line = STR_NONE;
		str_split(&rest, '\n', &line);
		CHECK(str_is(str_trim(line), cases[i].offers), "%s, \"%s\": %.*s", shell, cases[i].line, STR_ARG(line));
	}
	CHECK(access(folder_file("ran", NULL), F_OK) != 0, "%s ran a name", shell);
	buf_fini(&text);
	buf_fini(&out);
	folder_remove();
}

static void bash_completes(void)
{
	if (!has_shell("bash")) {
		check_skip("bash is not installed");
		return;
	}
	check_cases("bash",
		"source \"$SCRIPT\"\n"
		"try() { COMP_LINE=$1; COMP_POINT=${#1}; COMP_WORDS=(\"${1##*[ :=]}\"); COMP_CWORD=0; _weir \"$WEIR\"; echo \"${COMPREPLY[*]}\"; }\n");
}

/* Readline parts words at a colon: what is offered begins behind it. */
static void bash_completes_behind_a_colon(void)
{
	struct buf out = { 0 };

	if (!has_shell("bash")) {
		check_skip("bash is not installed");
		return;
	}
	begin("bash");
	run_shell("bash", "source \"$SCRIPT\"; COMP_LINE='weir -m llama:3'; COMP_POINT=15; COMP_WORDS=(weir -m llama : 3); COMP_CWORD=4; _weir \"$WEIR\"\n"
	                  "echo \"${COMPREPLY[*]}\"\n", &out);
	CHECK_STR(buf_str(&out), "3-8b 3-70b");
	buf_fini(&out);
	folder_remove();
}

/* The functions that would need a line editor are replaced by ones that print. */
static void zsh_completes(void)
{
	if (!has_shell("zsh")) {
		check_skip("zsh is not installed");
		return;
	}
	check_cases("zsh",
		"typeset -A compstate; compdef() { : }; compset() { [[ $2 == '*,' && $CUR == *,* ]] && head=${${CUR%,*}#--*=},; : }\n"
		"seen() { local w; for w; do (( $taken[(Ie)$w] )) && continue; [[ $head$w == ${CUR#--*=}* ]] && got+=(\"$head$w\"); done }\n"
		"compadd() { while (( $# )); do case $1 in (-[VdSF]) shift 2 ;; (-a) seen ${(P)2}; return ;; (--) shift; seen \"$@\"; return ;;"
		" (*) shift ;; esac; done }\n"
		"_files() { local cur=${CUR#--*=}; seen ${cur}*(N) }\n"
		"_describe() { local a=${@[-1]}; seen ${${(P)a}%%:*} }\n"
		"source \"$SCRIPT\"\n"
		"try() { local head=; local -a words got; words=(\"${(@s: :)1}\"); words[1]=$WEIR; CURRENT=${#words}; CUR=${words[CURRENT]}; _weir;"
		" got=(${got:#-?}); print -r -- \"${got[*]}\" }\n");
}

/* fish has a command for it. It lists in an order of its own, and paths where nothing else is offered. */
static void fish_completes(void)
{
	struct buf out = { 0 };

	if (!has_shell("fish")) {
		check_skip("fish is not installed");
		return;
	}
	begin("fish");
	folder_file("note.txt", "");
	run_shell("fish", "set PATH (dirname $WEIR) $PATH\nsource $SCRIPT\n"
	                  "for line in 'weir ask --prov' 'weir -r co' 'weir ask --reasoning hi' 'weir -p box as' 'weir decode not' 'weir -r \\$'"
	                  " 'weir mcp imp' 'weir mcp call fi' 'weir mcp import not' 'weir tape conv' 'weir history show la' 'weir -p box -m '"
	                  " 'weir ask --tools-allow cl' 'weir ask --server-tools=web_s' 'weir ask --tools-allow size,' 'weir ask --server-tools=web_search,web_f'\n"
	                  "complete -C $line | string replace -r '\\t.*' '' | string join ' '\nend\ntrue\n", &out);
	CHECK_STR(buf_str(&out), "--provider\ncoder cook\nhigh\nask\nnote.txt\nimport\nfiles\nnote.txt\nconvert\nlast\nbox-large llama:3-8b\n"
	                        "clock\n--server-tools=web_search\n"
	                        "size,clock\n--server-tools=web_search,web_fetch");
	CHECK(access(folder_file("ran", NULL), F_OK) != 0, "fish ran a name");
	buf_fini(&out);
	folder_remove();
}

/* --- titles of conversations, and what follows a comma, in each shell on a terminal --- */

#define TITLE "Rivers $(touch ran) `touch ran` \x1B[31m;"

static const struct { const char *shell, *start; } interactive[] = {
	{ "bash", "PS1='ready> ' exec bash --norc --noprofile -i" },
	{ "zsh", "PS1='ready> ' exec zsh -f -i" },
	{ "fish", "exec fish --no-config --init-command 'function fish_prompt; echo \"ready> \"; end'" },
};

/* Two conversations in a home, and the scripts beside them. */
static char *home_with_titles(void)
{
	static const char *const prompts[] = { TITLE, "Lakes" };
	char *home = home_new(), variable[4200];
	struct program p;

	snprintf(variable, sizeof variable, "HOME=%s", home);
	for (size_t i = 0; i < 2; i++) {
		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "-p", "demo", prompts[i]), ARGS(variable, "XDG_DATA_HOME=")), 0);
		program_free(&p);
	}
	for (size_t i = 0; i < sizeof interactive / sizeof *interactive; i++) {
		struct buf script = { 0 };

		CU_ASSERT(completion_write(interactive[i].shell, &script));
		home_write(home, interactive[i].shell, buf_z(&script));
		buf_fini(&script);
	}
	return home;
}

static void lists_are_shown(const char *home, size_t shell)
{
	char start[8500];

	snprintf(start, sizeof start, "cd '%s'; PATH=\"$(dirname '%s'):$PATH\"; export PATH; %s", home, weir_path(), interactive[shell].start);
	struct pty *p = pty_start(&(struct pty_options){ .home = home, .script = start, .columns = 100 });
	PTY_SEES(p, "ready>");
	if (!strcmp(interactive[shell].shell, "zsh"))
		pty_enter(p, "autoload -Uz compinit; compinit -D -u; zstyle ':completion:*' menu no");
	snprintf(start, sizeof start, "source ~/%s; echo so''urced", interactive[shell].shell);
	pty_enter(p, start);
	PTY_SEES(p, "sourced");
	pty_press(p, "weir history show \t");
	pty_press(p, "\t");
	PTY_SEES(p, "Lakes");
	PTY_SEES(p, "Rivers $(touch ran)");
	pty_press(p, "\x15");
	pty_press(p, "weir ask --server-tools code,web_f\t");
	PTY_SEES(p, "code,web_fetch");
	pty_free(p);
}

static void lists_are_shown_on_a_terminal(void)
{
	char *home = home_with_titles();

	for (size_t i = 0; i < sizeof interactive / sizeof *interactive; i++)
		if (has_shell(interactive[i].shell))
			lists_are_shown(home, i);
		else
			check_skip(interactive[i].shell);
	CU_ASSERT(!home_has(home, "ran"));
	home_free(home);
}

static void scripts_are_valid(void)
{
	static const char *const shells[] = { "bash", "zsh", "fish" };

	for (size_t i = 0; i < 3; i++) {
		char command[4200];

		snprintf(command, sizeof command, "%s -n '%s'", shells[i], begin(shells[i]));
		CHECK(!has_shell(shells[i]) || system(command) == 0, "%s", shells[i]);
		folder_remove();
	}
}

/* Every option is offered, and one whose value is a name says of what. */
static void every_option_is_in_the_scripts(void)
{
	static const char *const free_words[] = { "TEXT", "N", "X", "URL", "FILE", "PATH", "N|max", "DATE", "MS", "FOLDER", "PERCENT", "TARGETS", "S", "A-B", "CxR", "JSON" };
	static const char *const shells[] = { "bash", "zsh", "fish" };
	struct option_help option;

	for (size_t i = 0; options_help_at(i, &option); i++) {
		const char *kind;
		bool is_free = !option.argument;
		struct buf names = { 0 };

		for (size_t w = 0; option.argument && w < sizeof free_words / sizeof *free_words; w++)
			is_free |= !strcmp(option.argument, free_words[w]);
		enum completes completes = completion_of(&option, &kind);
		CHECK(is_free || completes == COMPLETES_WORDS || completes == COMPLETES_NAMES, "--%s %s: completion.c does not know of what",
		      option.name, option.argument);
		CHECK(!kind || completion_write_names(kind, &names), "--%s", option.name);
		buf_fini(&names);
	}
	for (size_t s = 0; s < 3; s++) {
		struct buf script = { 0 };

		CU_ASSERT(completion_write(shells[s], &script));
		for (size_t i = 0; options_help_at(i, &option); i++)
			CHECK(str_find(buf_str(&script), str_from(option.name)) < script.len, "%s: --%s", shells[s], option.name);
		for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++)
			CHECK(str_find(buf_str(&script), str_from(subcommand_row(id)->name)) < script.len, "%s: %s", shells[s], subcommand_row(id)->name);
		buf_fini(&script);
	}
}

/* A shell that asks for names gets them or nothing, and never words on its terminal that it did not ask for. */
static void names_are_asked_for(void)
{
	struct program p;
	char home[4096];

	begin("bash");
	snprintf(home, sizeof home, "XDG_CONFIG_HOME=%s", folder_path());
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("--complete", "roles"), ARGS(home)), 0);
	CHECK_STR(buf_str(&p.output), "coder\ncook\nlarge\nmeal\noff\n");
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	folder_file("weir/weir.conf", "[provider box]\nbase_url = https://x/\nno = such\n"); /* what is read before the error is there */
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("--complete", "providers"), ARGS(home)), 0);
	CHECK(str_find(buf_str(&p.output), STR("box\n")) < p.output.len, "%s", buf_z(&p.output));
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("--complete", "keys"), ARGS(home)), 2);
	CHECK_STR(buf_str(&p.output), "");
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("--completion", "csh"), NULL), 2);
	CHECK_STR(buf_str(&p.errors), "weir: --completion takes bash, zsh or fish, not 'csh'\n");
	program_free(&p);
	folder_remove();
}

const struct suite suite_completion = { "completion", (const struct test[]){
	TEST(bash_completes), TEST(bash_completes_behind_a_colon), TEST(zsh_completes), TEST(fish_completes), TEST(lists_are_shown_on_a_terminal), TEST(scripts_are_valid),
	TEST(every_option_is_in_the_scripts), TEST(names_are_asked_for), { 0 } } };
