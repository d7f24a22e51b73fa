#!/bin/sh
# Does in a copy of the tree what the table "To add" of src/README.md says, one of each kind, and looks at what comes of it.
# Usage: tests/rows.sh BUILD RUNNER... - the make command that built BUILD; objects are taken from there, so little is compiled.
# What tests assert by walking a table is not repeated: usage figures (test_usage), commands on the screen (test_screen_commands),
# settings (test_settings), options (test_options), faults (test_fault).
set -u
export LC_ALL=C
build=$1
shift
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
failed=0

fail() {
	echo "rows: $*"
	failed=1
}

# file, a sed script that has to change it
edit() {
	cp "$copy/$1" "$copy/edited"
	sed -i "$2" "$copy/$1"
	cmp -s "$copy/$1" "$copy/edited" && fail "$1 has no place for a row: $2"
}

# what, words that have to stand in what a command prints (standard output and error), the command
says() {
	what=$1 words=$2
	shift 2
	(cd "$copy" && XDG_CONFIG_HOME="$copy/home" XDG_DATA_HOME="$copy/home" XDG_STATE_HOME="$copy/home" XDG_CACHE_HOME="$copy/home" "$@") >"$copy/said" 2>&1 </dev/null
	grep -qF -e "$words" "$copy/said" || fail "$what: '$words' is not in: $(head -c 400 "$copy/said")"
}

mkdir -p "$copy/$build" "$copy/home"
cp -a Makefile src include themes tests "$copy" || exit 1
for kept in src lib gen; do cp -a "$build/$kept" "$copy/$build" || exit 1; done
weir=$copy/$build/weir
"$build/weir" serve --help >"$copy/serve" || exit 1

# --- a gateway

edit src/wire/protocol/dialect.c 's/^static const struct dialect dialects\[\] = {$/&\n\t{ .name = "rowdialect", .sends_done = true },/'
edit src/chat/provider/presets.c 's/^static const struct preset presets\[\] = {$/&\n\t{ .name = "rowgate", .protocols = { \&protocol_openai_chat, \&protocol_row }, .dialect = "rowdialect", .base_url = "https:\/\/row.example\/v1", .key_env = "ROWGATE_API_KEY" },/'

# --- a protocol: another name for one that is there

row='s/\bollama_/row_/g; s/protocol_ollama\b/protocol_row/; s/"ollama"/"rowproto"/; s/protocol\/ollama\.h/protocol\/row.h/; s/encode_ollama\b/encode_row/'
sed "$row" src/wire/protocol/ollama.c >"$copy/src/wire/protocol/row.c"
sed "$row" src/wire/protocol/ollama_request.c >"$copy/src/wire/protocol/row_request.c"
sed "$row" include/wire/protocol/ollama.h >"$copy/include/wire/protocol/row.h"
edit include/wire/protocol/protocol.h 's/^#define PROTOCOLS(X) .*/& X(row)/'
sed "$row" src/wire/encode/encode_ollama.c >"$copy/src/wire/encode/encode_row.c"
edit include/wire/encode/encode_inside.h 's/encode_gemini, encode_ollama;$/encode_gemini, encode_ollama, encode_row;/'
edit include/wire/encode/encode.h 's/^\(\tX([A-Z_]*,.* \([01]\)\)) /\1, \2) /'
edit src/wire/attachment.c 's/^static const struct attachment_limits attachment_table\[\] = {$/&\n\t{ .protocol = "rowproto", .kinds = KIND(IMAGE), .images = "image\/png" },/'
edit src/wire/encode/encode.c 's/&encode_ollama,$/\&encode_ollama, \&encode_row,/'

# --- a pane: one row of text that takes the focus

cat >"$copy/src/ui/pane/pane_row.c" <<'END'
#include "base/mem.h"
#include "ui/pane/pane.h"

static unsigned row_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	(void)pane, (void)view, (void)columns;
	return most > 1;
}

static void row_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	(void)pane, (void)view, (void)canvas, (void)area, (void)focused;
}

static void row_free(struct pane *pane)
{
	mem_free(pane);
}

struct pane *pane_row_new(void)
{
	static const struct pane_ops ops = { .rows = row_rows, .draw = row_draw, .free = row_free };
	struct pane *pane = mem_new(sizeof *pane);

	pane->ops = &ops;
	return pane;
}
END
edit include/ui/pane/pane.h 's/^struct pane \*pane_status_new.*/&\nstruct pane *pane_row_new(void);/'
edit src/app/screen/chat.c 's/^\t\t{ pane_tools_new().*/&\n\t\t{ pane_row_new(), .takes_focus = true, .share = 1 },/'

# --- a subcommand in the middle, and an option of it

edit include/app/options/subcommand.h 's/^\tX(DECODE, .*/\tX(ROW, row, GROUP_STREAMS, "weir-tape", "[OPTION]...", "prints a word") \\\n&/'
cat >"$copy/src/app/cli/run_row.c" <<'END'
#include "app/options/subcommand.h"

#include <stdio.h>

#include "app/options/options.h"

int run_row(const struct options *o)
{
	printf("the word is %s\n", o->row_word ? o->row_word : "none");
	return EXIT_DONE;
}
END
printf '.SS Options of row\n.\\" begin options row\n.\\" end options row\n' >>"$copy/src/man/weir-tape.1"
edit include/app/options/options.h 's/^\tsize_t argument_count;/&\n\tconst char *row_word;/'
edit src/app/options/option_rows.c 's/^static const struct option_row rows\[\] = {$/&\n\t{ "row-word", 0, "WORD", ROW, false, option_text, AT(row_word), "a word", "a word of a row" },/'

# --- a command, a setting, a theme, a language, an answer of the demo, a fault

edit include/app/command/actions.h 's/^void act_step.*/&\nvoid act_row(const struct actor *a, struct str argument);/'
printf '\nvoid act_row(const struct actor *a, struct str argument)\n{\n\tact_say(a, "the row was run with %%.*s", STR_ARG(argument));\n}\n' \
	>>"$copy/src/app/command/actions.c"
edit src/app/command/command.c 's/^static const struct command commands\[\] = {$/&\n\t{ .name = "rowword", .argument = "TEXT", .help = "a command of a row", .act = act_row },/'
edit src/store/config/settings.c 's/^static const struct setting table\[\] = {$/&\n\t{ "row_setting", \&type_boolean, offsetof(struct settings, mouse), "yes", "a setting of a row" },/'
cp themes/mono.ini "$copy/themes/rowtheme.ini"
printf '[language]\nnames = rowlang\n[words]\nkeyword = rowkeyword\n[regions]\ncomment = # EOL\n' >"$copy/themes/languages/rowlang.ini"
echo 'text These are the words of a row.' >"$copy/src/app/demo/row.demo"
edit src/app/demo/demo.c 's/^\tX(JSON, .*/\tX(ROW, "row", "rowanswer", "an answer of a row", NULL) \\\n&/'
edit src/net/fault.c 's/^static const struct word words\[\] = {$/&\n\t{ "rowfault", NULL, "a fault of a row", fault_set_flag, AT(crlf) },/'

# --- a lint rule

printf '\n[row-rule]\nseverity = breaks the promise\npromised by = rowdialect\nlooks at = end\npromise = A rule of a row is kept\nsource = a row\n' \
	>>"$copy/src/wire/lint/stream.ini"
edit src/wire/lint/lint_stream.c 's/^static const struct lint_rule rows\[\] = {$/static void check_row_rule(struct lint *l) { lint_report(l, "a row"); }\n\n&/'
edit include/wire/lint/lint_facts.h 's/X(GENERIC, "generic")$/X(ROWDIALECT, "rowdialect") &/'

# --- a card: a form, which nothing opens here

cat >"$copy/include/app/screen/cards/row_card.h" <<'END'
#include "app/screen/cards/card_kind.h"
#include "ui/form.h"

struct row_card {
	const struct host *host;
	struct form *form;
};

extern const struct card_kind row_card_kind;
END
cat >"$copy/src/app/screen/cards/row_card.c" <<'END'
#include "app/screen/cards/row_card.h"

static void row_card_init(void *card, const struct card_tools *tools)
{
	*(struct row_card *)card = (struct row_card){ .host = tools->host };
}

static bool row_card_is_open(const void *card)
{
	return ((const struct row_card *)card)->form != NULL;
}

static bool row_card_takes(void *card, const struct key *key)
{
	return form_key(((struct row_card *)card)->form, key) == FORM_OPEN;
}

static void row_card_close(void *card)
{
	form_close(&((struct row_card *)card)->form);
}

static enum mode_paste row_card_paste(const void *card)
{
	(void)card;
	return PASTE_TAKEN;
}

static void row_card_draw(void *card, struct canvas *canvas)
{
	form_draw(((struct row_card *)card)->form, canvas);
}

const struct card_kind row_card_kind = {
	.mode = { .is_open = row_card_is_open, .takes = row_card_takes, .close = row_card_close, .paste = row_card_paste },
	.init = row_card_init, .draw = row_card_draw,
};
END
edit include/app/screen/cards/cards.h 's/^#include "app.screen.cards.menus.h"$/&\n#include "app\/screen\/cards\/row_card.h"/; s/^#define CARDS(X) .*/& X(row_card)/'

# --- one build: files that only see the new declarations are not compiled again

olds=
for header in ui/pane/pane.h app/options/subcommand.h app/options/options.h app/command/actions.h; do olds="$olds -o include/$header"; done
for object in app/options/options app/options/subcommand app/command/command app/command/actions app/screen/chat app/screen/cards/cards; do rm "$copy/$build/src/$object.o"; done
# shellcheck disable=SC2086
(cd "$copy" && "$@" --no-print-directory -j2 $olds BUILD="$build" CFLAGS=-O0 all) >"$copy/built" 2>&1 || {
	fail "the rows do not compile"
	cat "$copy/built"
	exit 1
}

# --- what came of them

says 'a gateway' rowgate "$weir" providers
says 'a dialect' rowdialect "$weir" ask --help
says 'a protocol' rowproto "$weir" ask --help
says 'a protocol' 'openai-chat,rowproto' "$weir" providers
says 'a protocol' '"outcome":"complete"' "$weir" decode --protocol rowproto tests/streams/ollama/text.ndjson
says 'a lint rule' 'row-rule: breaks the promise' "$weir" lint --explain row-rule
says 'a dialect' 'promised by: rowdialect' "$weir" lint --explain row-rule
says 'a subcommand' 'the word is given' "$weir" row --row-word given
says 'an option' '--row-word WORD' "$weir" row --help
says 'an option of others' 'has no option --row-word' "$weir" serve --row-word given
"$weir" serve --help | cmp -s - "$copy/serve" || fail 'a subcommand: serve --help lists other options than before'
says 'a command' 'The row was run with these words.' sh -c 'echo /rowword these words | "$0" -p demo --plain' "$weir"
says 'a command' '/rowword TEXT: a command of a row.' sh -c 'echo /help | "$0" -p demo --plain' "$weir"
mkdir -p "$copy/home/weir"
echo 'row_setting = no' >"$copy/home/weir/weir.conf"
chmod 600 "$copy/home/weir/weir.conf"
says 'a setting' rowgate "$weir" providers
says 'a theme' 'standard output is not a terminal' "$weir" chat --theme rowtheme
says 'a theme' ', rowtheme,' "$weir" chat --theme nonsense
grep -q rowkeyword "$weir" || fail 'a language: it is not in the program'
says 'an answer of the demo' 'These are the words of a row.' "$weir" ask -p demo rowanswer
says 'a fault' 'cannot open /proc/nonexistent/file' "$weir" serve --fault rowfault /proc/nonexistent/file
while read -r page word; do
	says 'a man page' "$word" "$weir" --man "src/man/$page"
done <<'END'
weir.1 \fBrow\fR
weir.1 \fBrowword\fR
weir.1 rowgate
weir-tape.1 \fBrow\-word\fR
weir-serve.1 rowfault
weir-ask.1 rowproto
weir-ask.1 rowdialect
weir.conf.5 row_setting
END

# Every command by key and by letter, with one pane more on the screen.
(cd "$copy" && WEIR="$weir" "$OLDPWD/$build/tests/run-app" screen_commands/keys_do_what_they_say screen_commands/letters_do_what_they_say) >"$copy/said" 2>&1 || fail "a pane: $(tail -n 20 "$copy/said")"

# A kind of delta: the compiler names every consumer.
sed -i 's/^\tX(BEGIN, begin) /\tX(ROW, row) \\\n&/' "$copy/include/wire/delta.h"
grep -l 'case DELTA_' -r src | while read -r file; do
	(cd "$copy" && ${CC:-cc} -std=c11 -D_GNU_SOURCE -Iinclude "-I$build/gen" -Wswitch-enum -Werror -fsyntax-only "$file") >"$copy/said" 2>&1 &&
		echo "rows: $file does not notice a new kind of delta"
	grep -q DELTA_ROW "$copy/said" || echo "rows: $file: $(head -n 3 "$copy/said")"
done >"$copy/unnoticed"
[ ! -s "$copy/unnoticed" ] || { cat "$copy/unnoticed"; failed=1; }

# Every mode that a part has stands in the list of them.
sed -n 's/^extern const struct mode \([a-z_, ]*\);.*/\1/p' include/app/screen/*.h include/app/screen/*/*.h | tr -s ', ' '\n' | while read -r mode; do
	grep -q "&$mode }" src/app/screen/chat_keys.c || echo "rows: $mode is in no row of app/screen/chat_keys.c"
done >"$copy/unnoticed"
[ ! -s "$copy/unnoticed" ] || { cat "$copy/unnoticed"; failed=1; }

# A saved stream: no C; and one whose figures are wrong fails.
cp tests/streams/openai-chat/aivene-bare-chunks.sse "$copy/tests/streams/openai-chat/row.sse"
cp tests/streams/openai-chat/aivene-bare-chunks.sse.expected.json "$copy/tests/streams/openai-chat/row.sse.expected.json"
printf 'openai-chat/row.sse\topenai-chat\taivene\t200\n' >"$copy/tests/streams/cases.tsv"
(cd "$copy" && "$OLDPWD/$build/tests/run-wire" corpus/own_whole) >"$copy/said" 2>&1 || fail "a saved stream: $(tail -n 5 "$copy/said")"
sed -i 's/"outcome": "[a-z_]*"/"outcome": "cut"/' "$copy/tests/streams/openai-chat/row.sse.expected.json"
(cd "$copy" && "$OLDPWD/$build/tests/run-wire" corpus/own_whole) >"$copy/said" 2>&1 && fail 'a saved stream: what is expected is not compared'

[ $failed = 0 ] && echo 'rows: what src/README.md says to add is enough'
exit $failed
