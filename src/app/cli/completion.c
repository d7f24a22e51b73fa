#include "app/cli/completion.h"

#include <string.h>
#include <unistd.h>

#include "app/options/options.h"
#include "app/system/output.h"
#include "base/array.h"

#define MORE_HELP "weir.conf keys" /* what weir help takes beside subcommands */

/* --- what the scripts share --- */

/* Where there are verbs, words depend on them. */
static bool takes_files(enum subcommand_id id)
{
	struct str synopsis = str_from(subcommand_row(id)->synopsis);
	struct completion_verb verb;

	return !completion_verb_at(id, 0, &verb) && str_find(synopsis, STR("FILE")) < synopsis.len;
}

/* For bash and zsh: in single quotes. */
static void script_quote(struct buf *out, struct str text)
{
	buf_add_byte(out, '\'');
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\'')
			buf_add_z(out, "'\\''");
		else
			buf_add_byte(out, text.ptr[i]);
	}
	buf_add_byte(out, '\'');
}

/* The words of a kind, parted by blanks. */
static void script_words(struct buf *out, const char *kind)
{
	size_t from = out->len;

	completion_write_names(kind, out);
	for (size_t i = from; i < out->len; i++)
		if (out->ptr[i] == '\n')
			out->ptr[i] = ' ';
	if (out->len > from)
		buf_remove(out, out->len - 1, 1);
}

/* "--provider|-p" */
static void script_pattern(struct buf *out, const struct option_help *o)
{
	buf_printf(out, "--%s", o->name);
	if (o->letter)
		buf_printf(out, "|-%c", o->letter);
}

static void script_value_options(struct buf *out)
{
	struct option_help o;
	bool any = false;

	for (size_t i = 0; options_help_at(i, &o); i++) {
		if (!o.argument)
			continue;
		buf_add_z(out, any ? "|" : "");
		script_pattern(out, &o);
		any = true;
	}
}

/* Whether another option has that name, for other subcommands. */
static bool is_shared_name(const struct option_help *option)
{
	struct option_help o;
	unsigned count = 0;

	for (size_t i = 0; options_help_at(i, &o); i++)
		count += !strcmp(o.name, option->name);
	return count > 1;
}

/* Of "COMMAND:OPTION": "*:--provider|*:-p", or "proxy:--to" where the subcommand matters. */
static void script_value_pattern(struct buf *out, const struct option_help *o)
{
	const char *bar = "";

	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++) {
		const char *command = is_shared_name(o) ? subcommand_row(id)->name : "*";

		if (is_shared_name(o) ? !(o->subcommands >> id & 1) : id > 0)
			continue;
		buf_printf(out, "%s%s:--%s", bar, command, o->name);
		if (o->letter)
			buf_printf(out, "|%s:-%c", command, o->letter);
		if (is_shared_name(o) && !id)
			buf_printf(out, "|:--%s", o->name);
		bar = "|";
	}
}

/* What offers what something can be: nothing, or calls of _weir_files, _weir_words WORD... and _weir_names KIND. */
static void script_offer(struct buf *out, enum completes completes, const char *kind)
{
	switch (completes) {
	case COMPLETES_NOTHING:
		break;
	case COMPLETES_FILES:
		buf_add_z(out, " _weir_files;");
		break;
	case COMPLETES_WORDS:
		buf_add_z(out, " _weir_words ");
		script_words(out, kind);
		buf_add_byte(out, ';');
		break;
	case COMPLETES_NAMES:
		buf_printf(out, " _weir_names \"%s:$provider\";", kind);
		break;
	}
}

/* The cases of the word before. A list goes on behind its last comma: _weir_list. */
static void script_value_cases(struct buf *out)
{
	struct option_help o;
	const char *kind;

	for (size_t i = 0; options_help_at(i, &o); i++) {
		if (!o.argument)
			continue;
		buf_add_byte(out, '\t');
		script_value_pattern(out, &o);
		buf_add_z(out, completion_is_list(&o) ? ") _weir_list;" : ")");
		enum completes completes = completion_of(&o, &kind);
		script_offer(out, completes, kind);
		buf_add_z(out, " return ;;\n");
	}
}

/* The cases of the subcommand, "" being the default one: which options it has, and whether it takes files. */
static void script_subcommand_cases(struct buf *out, void (*option)(struct buf *out, const struct option_help *o))
{
	struct option_help o;

	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++) {
		buf_printf(out, "\t%s%s) ", id ? "" : "''|", subcommand_row(id)->name);
		buf_printf(out, "%soptions=(", takes_files(id) ? "files=yes; " : "");
		for (size_t i = 0; options_help_at(i, &o); i++)
			if (o.subcommands >> id & 1)
				option(out, &o);
		buf_add_z(out, " ) ;;\n");
	}
}

/* The cases of command, verb, and whether a word stands behind it: the verbs are offered by `verbs`, then what each of them takes. */
static void script_verb_cases(struct buf *out, void (*verbs)(struct buf *out, enum subcommand_id id))
{
	struct completion_verb v;

	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++) {
		if (!completion_verb_at(id, 0, &v))
			continue;
		buf_printf(out, "\t%s::)", subcommand_row(id)->name);
		verbs(out, id);
		buf_add_z(out, " ;;\n");
		for (size_t i = 0; completion_verb_at(id, i, &v); i++) {
			if (v.completes == COMPLETES_NOTHING)
				continue;
			buf_printf(out, "\t%s:%s:%s)", subcommand_row(id)->name, v.name, v.repeats ? "*" : "");
			script_offer(out, v.completes, v.kind);
			buf_add_z(out, " ;;\n");
		}
	}
}

/* In the loop over the words in front: the provider that is named, then (behind the options that take a value) subcommand, verb, another. */
#define SCRIPT_OPTIONS \
	"\t\tcase ${words[i]} in\n" \
	"\t\t--provider=*) provider=${words[i]#*=} ;;\n" \
	"\t\t--provider|-p) provider=${words[i + 1]}; (( i++ )) ;;\n" \
	"\t\t"
#define SCRIPT_WORDS \
	") (( i++ )) ;;\n" \
	"\t\t-*) ;;\n" \
	"\t\t*) if [[ -z $command ]]; then command=${words[i]}; elif [[ -z $verb ]]; then verb=${words[i]}; else more=yes; fi ;;\n" \
	"\t\tesac\n" \
	"\tdone\n" \
	"\tcase $command:$prev in\n"

/* --- bash --- */

static void bash_option(struct buf *out, const struct option_help *o)
{
	buf_printf(out, " --%s", o->name);
	if (o->letter)
		buf_printf(out, " -%c", o->letter);
}

static void bash_verbs(struct buf *out, enum subcommand_id id)
{
	struct completion_verb v;

	buf_add_z(out, " _weir_words");
	for (size_t i = 0; completion_verb_at(id, i, &v); i++)
		buf_printf(out, " %s", v.name);
}

/*
 * Words are parted here by blanks only: bash parts them at ':' and '=' too, which stand in models and before values. What a name stands for is
 * shown in lists (COMP_TYPE), and never where bash would insert it.
 */
static void write_bash(struct buf *out)
{
	buf_add_z(out,
		"# Completion of weir for bash, written by `weir --completion bash`.\n"
		"_weir_words() {\n"
		"\tlocal word\n"
		"\tfor word; do\n"
		"\t\t[[ $head && ( ,$head == *,$word,* || $word == off ) ]] && continue\n"
		"\t\t[[ $head$word == \"$cur\"* ]] && word=$head$word && COMPREPLY+=(\"${word#\"$cut\"}\")\n"
		"\tdone\n"
		"}\n"
		"_weir_names() {\n"
		"\tlocal -a names\n"
		"\tcompopt -o nosort 2>/dev/null\n"
		"\tmapfile -t names < <(\"$weir\" --complete \"$1\" 2>/dev/null)\n"
		"\t_weir_words \"${names[@]}\"\n"
		"\tif [[ ${#COMPREPLY[@]} -gt 1 && $COMP_TYPE == @(33|63|64) ]]; then COMPREPLY=(\"${COMPREPLY[@]/$'\\t'/  }\")\n"
		"\telse COMPREPLY=(\"${COMPREPLY[@]%%$'\\t'*}\")\n"
		"\tfi\n"
		"}\n"
		"_weir_list() {\n"
		"\tcompopt -o nospace 2>/dev/null\n"
		"\t[[ $cur == *,* ]] && head=${cur%,*},\n"
		"}\n"
		"_weir_files() {\n"
		"\tlocal -a names\n"
		"\tcompopt -o filenames 2>/dev/null\n"
		"\tmapfile -t names < <(compgen -f -- \"$cur\")\n"
		"\tCOMPREPLY+=(\"${names[@]#\"$cut\"}\")\n"
		"}\n"
		"_weir() {\n"
		"\tlocal weir=$1 line=${COMP_LINE:0:COMP_POINT} own=${COMP_WORDS[COMP_CWORD]} cur prev cut= head= i\n"
		"\tlocal provider= command= verb= more= files=\n"
		"\tlocal -a words options\n"
		"\tCOMPREPLY=()\n"
		"\tread -ra words <<<\"$line\"\n"
		"\t[[ $line == *[[:space:]] ]] && words+=('')\n"
		"\tcur=${words[${#words[@]} - 1]} prev=\n"
		"\t(( ${#words[@]} > 1 )) && prev=${words[${#words[@]} - 2]}\n"
		"\t[[ $cur == --*=* ]] && prev=${cur%%=*} cur=${cur#*=}\n"
		"\t[[ $own == [:=] ]] && own=\n"
		"\t[[ $cur == *\"$own\" ]] && cut=${cur%\"$own\"}\n"
		"\tfor (( i = 1; i < ${#words[@]} - 1; i++ )); do\n" SCRIPT_OPTIONS);
	script_value_options(out);
	buf_add_z(out, SCRIPT_WORDS);
	script_value_cases(out);
	buf_add_z(out, "\tesac\n\tcase $command in\n");
	script_subcommand_cases(out, bash_option);
	buf_add_z(out, "\tesac\n"
		"\tif [[ $cur == -* ]]; then _weir_words \"${options[@]}\"; return\n"
		"\telif [[ $files ]]; then _weir_files; return\n"
		"\telif [[ ! $command || $command == help ]]; then _weir_words");
	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++)
		buf_printf(out, " %s", subcommand_row(id)->name);
	buf_add_z(out, "; [[ $command ]] && _weir_words " MORE_HELP "; return\n\tfi\n\tcase $command:$verb:$more in\n");
	script_verb_cases(out, bash_verbs);
	buf_add_z(out, "\tesac\n"
		"}\n"
		"complete -F _weir weir\n");
}

/* --- zsh --- */

static void zsh_option(struct buf *out, const struct option_help *o)
{
	struct buf words = { 0 };

	buf_printf(&words, "--%s:", o->name);
	option_help_write(o, &words);
	buf_add_byte(out, ' ');
	script_quote(out, buf_str(&words));
	if (o->letter)
		buf_printf(out, " -%c", o->letter);
	buf_fini(&words);
}

/* What _describe shows: names with what they do. */
static void zsh_described(struct buf *out, const char *name, const char *help)
{
	struct buf words = { 0 };

	buf_printf(&words, "%s:%s", name, help);
	buf_add_byte(out, ' ');
	script_quote(out, buf_str(&words));
	buf_fini(&words);
}

static void zsh_verbs(struct buf *out, enum subcommand_id id)
{
	struct completion_verb v;

	buf_add_z(out, " commands=(");
	for (size_t i = 0; completion_verb_at(id, i, &v); i++)
		zsh_described(out, v.name, v.help);
	buf_add_z(out, " ); _describe verb commands");
}

static void write_zsh(struct buf *out)
{
	buf_add_z(out,
		"#compdef weir\n"
		"# Completion of weir for zsh, written by `weir --completion zsh`.\n"
		"_weir_words() { compadd $between -- \"$@\" }\n"
		"_weir_names() {\n"
		"\tlocal -a lines names\n"
		"\tlines=(${(f)\"$(\"$weir\" --complete \"$1\" 2>/dev/null)\"})\n"
		"\tnames=(${lines%%$'\\t'*})\n"
		"\tif [[ \"$lines\" == *$'\\t'* ]]; then\n"
		"\t\tlines=(${lines/$'\\t'/  })\n"
		"\t\tcompadd $between -V names -l -d lines -a names\n"
		"\telse compadd $between -a names\n"
		"\tfi\n"
		"}\n"
		"_weir_list() {\n"
		"\tcompstate[restore]= # what compset removes stays removed\n"
		"\tcompset -P '*,'\n"
		"\t[[ $cur == *,* ]] && taken=(${(s:,:)cur%,*} off)\n"
		"\tbetween=(-q -S , -F taken)\n"
		"}\n"
		"_weir_files() { _files }\n"
		"_weir() {\n"
		"\tlocal weir=${words[1]} cur=${words[CURRENT]} prev=${words[CURRENT-1]} i provider= command= verb= more= files=\n"
		"\tlocal -a options commands between taken\n"
		"\tif [[ $cur == --*=* ]]; then\n"
		"\t\tprev=${cur%%=*} cur=${cur#*=}\n"
		"\t\tcompset -P '*='\n"
		"\tfi\n"
		"\tfor (( i = 2; i < CURRENT; i++ )); do\n" SCRIPT_OPTIONS);
	script_value_options(out);
	buf_add_z(out, SCRIPT_WORDS);
	script_value_cases(out);
	buf_add_z(out, "\tesac\n\tcase $command in\n");
	script_subcommand_cases(out, zsh_option);
	buf_add_z(out, "\tesac\n\tcommands=(");
	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++)
		zsh_described(out, subcommand_row(id)->name, subcommand_row(id)->help);
	buf_add_z(out, " )\n"
		"\t[[ $command == help ]] && commands+=(" MORE_HELP ")\n"
		"\tif [[ $cur == -* ]]; then _describe -o option options; return\n"
		"\telif [[ -n $files ]]; then _weir_files; return\n"
		"\telif [[ -z $command || $command == help ]]; then _describe command commands; return\n"
		"\tfi\n"
		"\tcase $command:$verb:$more in\n");
	script_verb_cases(out, zsh_verbs);
	buf_add_z(out, "\tesac\n"
		"}\n"
		"if [[ ${funcstack[1]} == _weir ]]; then _weir \"$@\"; else compdef _weir weir; fi\n");
}

/* --- fish --- */

static void fish_quote(struct buf *out, struct str text)
{
	buf_add_byte(out, '\'');
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '\'' || text.ptr[i] == '\\')
			buf_add_byte(out, '\\');
		buf_add_byte(out, text.ptr[i]);
	}
	buf_add_byte(out, '\'');
}

/* A command that prints the names of a kind. A tab behind each keeps the help of the option away from it. */
static void fish_names(struct buf *out, enum completes completes, const char *kind)
{
	if (completes == COMPLETES_NAMES) {
		buf_printf(out, "__weir_names %s", kind);
		return;
	}
	buf_add_z(out, "__weir_words ");
	script_words(out, kind);
}

static void fish_option(struct buf *out, const struct option_help *o)
{
	struct buf words = { 0 };
	const char *kind;
	enum completes completes = completion_of(o, &kind);

	buf_add_z(out, "complete -c weir -n '__weir_is");
	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++)
		if (o->subcommands >> id & 1)
			buf_printf(out, " %s", subcommand_row(id)->name);
	buf_printf(out, "' -l %s", o->name);
	if (o->letter)
		buf_printf(out, " -s %c", o->letter);
	if (o->argument)
		buf_add_z(out, completes == COMPLETES_FILES ? " -r -F" : " -x");
	if (kind) {
		buf_printf(out, " -a '(%s", completion_is_list(o) ? "__weir_list " : "");
		fish_names(out, completes, kind);
		buf_add_z(out, ")'");
	}
	option_help_write(o, &words);
	buf_add_z(out, " -d ");
	fish_quote(out, buf_str(&words));
	buf_add_byte(out, '\n');
	buf_fini(&words);
}

/* The options of fish_value_options() are those whose next word is no subcommand. */
static void fish_value_options(struct buf *out)
{
	struct option_help o;

	for (size_t i = 0; options_help_at(i, &o); i++) {
		if (!o.argument)
			continue;
		buf_printf(out, " --%s", o.name);
		if (o.letter)
			buf_printf(out, " -%c", o.letter);
	}
}

static void fish_verbs(struct buf *out, enum subcommand_id id)
{
	struct completion_verb v;

	for (size_t i = 0; completion_verb_at(id, i, &v); i++) {
		buf_printf(out, "complete -c weir -n '__weir_verb %s' -a %s -d ", subcommand_row(id)->name, v.name);
		fish_quote(out, str_from(v.help));
		buf_add_byte(out, '\n');
		if (v.completes == COMPLETES_NOTHING)
			continue;
		buf_printf(out, "complete -c weir -n '__weir_behind%s %s %s'", v.repeats ? "_all" : "", subcommand_row(id)->name, v.name);
		if (v.completes == COMPLETES_FILES) {
			buf_add_z(out, " -F\n");
			continue;
		}
		buf_add_z(out, " -k -a '(");
		fish_names(out, v.completes, v.kind);
		buf_add_z(out, ")'\n");
	}
}

static void write_fish(struct buf *out)
{
	struct option_help o;

	buf_add_z(out,
		"# Completion of weir for fish, written by `weir --completion fish`.\n"
		"function __weir_names\n"
		"\tset -l words (commandline -opc)\n"
		"\tset -q words[1]; or set words weir\n"
		"\tset -l provider\n"
		"\tfor i in (seq (count $words))\n"
		"\t\tswitch $words[$i]\n"
		"\t\t\tcase -p --provider\n"
		"\t\t\t\tset provider $words[(math $i + 1)]\n"
		"\t\t\tcase '--provider=*'\n"
		"\t\t\t\tset provider (string replace -- --provider= '' $words[$i])\n"
		"\t\tend\n"
		"\tend\n"
		"\tcommand $words[1] --complete \"$argv[1]:$provider\" 2>/dev/null | string replace -r '^[^\\t]*$' '$0\\t'\n"
		"end\n"
		"function __weir_words\n"
		"\tprintf '%s\\t\\n' $argv\n"
		"end\n"
		"function __weir_list\n"
		"\tset -l head (string match -r -- '^(?:--[^=]*=)?(.*,)' (commandline -ct))\n"
		"\tset -l word\n"
		"\tfor word in ($argv)\n"
		"\t\tset -q head[2]; and contains -- (string trim $word) off (string split , -- $head[2]); and continue\n"
		"\t\techo \"$head[2]\"$word\n" /* quoted, it is one word where there is no comma yet */
		"\tend\n"
		"end\n"
		"function __weir_plain\n"
		"\tset -l words (commandline -opc)\n"
		"\tset -l skip 1\n"
		"\tfor word in $words\n"
		"\t\tif test $skip = 1\n"
		"\t\t\tset skip 0\n"
		"\t\telse if contains -- $word");
	fish_value_options(out);
	buf_add_z(out, "\n"
		"\t\t\tset skip 1\n"
		"\t\telse if not string match -q -- '-*' $word\n"
		"\t\t\techo $word\n"
		"\t\tend\n"
		"\tend\n"
		"end\n"
		"function __weir_command\n"
		"\tset -l words (__weir_plain)\n"
		"\tset -q words[1]; and echo $words[1]\n"
		"end\n"
		"function __weir_verb\n"
		"\tset -l words (__weir_plain)\n"
		"\ttest (count $words) = 1; and test $words[1] = $argv[1]\n"
		"end\n"
		"function __weir_behind\n"
		"\tset -l words (__weir_plain)\n"
		"\ttest (count $words) = 2; and __weir_behind_all $argv\n"
		"end\n"
		"function __weir_behind_all\n"
		"\tset -l words (__weir_plain)\n"
		"\ttest (count $words) -ge 2; and test $words[1] = $argv[1]; and test $words[2] = $argv[2]\n"
		"end\n"
		"function __weir_is\n"
		"\tset -l word (__weir_command)\n"
		"\tset -q word[1]; or set word ");
	buf_printf(out, "%s\n\tcontains -- $word $argv\nend\n", subcommand_row(0)->name);
	buf_add_z(out, "complete -c weir -f\n");
	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++) {
		const struct subcommand *c = subcommand_row(id);

		buf_printf(out, "complete -c weir -n 'not __weir_command | string length -q; or __weir_is help' -a %s -d ", c->name);
		fish_quote(out, str_from(c->help));
		buf_add_byte(out, '\n');
		if (takes_files(id))
			buf_printf(out, "complete -c weir -n 'test \"$(__weir_command)\" = %s' -F\n", c->name);
		fish_verbs(out, id);
	}
	buf_add_z(out, "complete -c weir -n '__weir_is help' -a '" MORE_HELP "'\n");
	for (size_t i = 0; options_help_at(i, &o); i++)
		fish_option(out, &o);
}

/* --- printing --- */

bool completion_write(const char *shell, struct buf *out)
{
	static const struct { const char *shell; void (*write)(struct buf *out); } shells[] = {
		{ "bash", write_bash }, { "zsh", write_zsh }, { "fish", write_fish },
	};

	for (size_t i = 0; i < ARRAY_LEN(shells); i++)
		if (!strcmp(shells[i].shell, shell)) {
			shells[i].write(out);
			return true;
		}
	return false;
}

int completion_print(const char *shell)
{
	struct buf text = { 0 };

	return completion_write(shell, &text) ? output_print(STDOUT_FILENO, &text, EXIT_DONE) :
	       usage_error("--completion takes bash, zsh or fish, not '%s'", shell);
}

int completion_print_names(const char *kind)
{
	struct buf text = { 0 };

	return completion_write_names(kind, &text) ? output_print(STDOUT_FILENO, &text, EXIT_DONE) :
	       usage_error("--complete knows no names of '%s'", kind);
}
