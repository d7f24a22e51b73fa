#!/bin/sh
# The program under valgrind: it uses no byte that was never written, touches nothing that it does not own, and at its end no memory is
# definitely, indirectly or possibly lost. Saved streams are decoded; then tests of scripts, of the linear mode and of the full
# screen are run on a wrapper, so that every start of the program is a valgrind of its own.
# Usage: tests/valgrind/valgrind.sh WEIR RUN-APP FOLDER; VALGRIND=full takes all streams, and suites that go further.
set -u
rm -rf "$3"
mkdir -p "$3"
folder=$(realpath "$3") failed=0
cp "$1" "$folder/program" # a copy: it takes minutes, in which one may build anew
cp "$2" "$folder/run-app"
every=4
suites="ask models_cli providers_cli plain screen_stream screen_again screen_tools screen_replay screen_find screen_select screen_menus
	screen_compose screen_lend screen_leave"
if [ "${VALGRIND:-}" = full ]; then
	every=1
	suites="$suites decode_cli plain_words screen_edit screen_escape screen_faults screen_keys screen_markdown screen_panes screen_safety
		screen_scroll screen_tape"
fi
# Below valgrind a program that is not there does start, and ends with status 127: what is said of it is another sentence.
left_out="-screen_find/what_is_too_long_for_terminals_is_told -screen_compose/an_editor_that_is_not_there_is_told
	-screen_lend/what_is_not_there_is_told -screen_lend/less_and_more_stand_in"
foreign=$(realpath tests/valgrind/foreign.supp)
mktemp=$(command -v mktemp) # both by their paths: tests set PATH
valgrind=$(command -v valgrind) || { echo "valgrind is not there" >&2; exit 1; }

wrap() { # script, program, folder of its logs
	mkdir -p "$3"
	cat >"$1" <<-END
	#!/bin/sh
	exec "$valgrind" -q --suppressions="$foreign" --leak-check=full --show-leak-kinds=definite,indirect,possible --errors-for-leak-kinds=definite,indirect,possible \\
		--child-silent-after-fork=yes --num-callers=30 --log-file="\$($mktemp "$3/XXXXXX.log")" "$2" "\$@"
	END
	chmod +x "$1"
}

# What never finds anything proves nothing.
find_a_leak() {
	printf '#include <stdlib.h>\nint main(void) { void *volatile lost = malloc(7); lost = NULL; return lost != NULL; }\n' >"$folder/leak.c"
	"${CC:-cc}" -O0 -o "$folder/leak" "$folder/leak.c" && wrap "$folder/wrapped-leak" "$folder/leak" "$folder/leaks" && "$folder/wrapped-leak"
	grep -q 'definitely lost' "$folder"/leaks/*.log || { echo "valgrind does not find a leak that is there" >&2; exit 1; }
}

decode_streams() {
	shape=--events
	grep -v '^#' tests/streams/cases.tsv | awk -v every=$every 'NR % every == 0' | while IFS='	' read -r path protocol dialect status; do
		case $path in
		*.tape) set -- ;;
		*) set -- --protocol "$protocol" --status "$status" ;;
		esac
		"$folder/weir" decode "$@" --dialect "$dialect" $shape "tests/streams/$path" >/dev/null 2>&1
		[ "$shape" = --events ] && shape=--summary || shape=--events
	done
}

run_suites() {
	for suite in $suites; do
		echo "  VALGRIND $suite"
		if ! WEIR="$folder/weir" "$folder/run-app" "$suite" $left_out >"$folder/suite.out" 2>&1; then
			grep -v '^  passed: ' "$folder/suite.out"
			failed=1
		fi
	done
}

find_a_leak
wrap "$folder/weir" "$folder/program" "$folder/logs"
echo "  VALGRIND decode"
decode_streams
run_suites
# Findings begin with "==number==", valgrind's own warnings with "--number--".
findings=$(grep -l '^==' "$folder"/logs/*.log | wc -l)
grep -h '^==' "$folder"/logs/*.log
echo "valgrind: $(find "$folder/logs" -name '*.log' | wc -l) runs of the program, $findings with a finding"
[ $failed = 0 ] && [ "$findings" = 0 ]
