#!/bin/sh
# Builds and runs every layer's tests, and ends with one line: N passed, N failed, N skipped. Usage: BUILD=... CC=... check_all.sh MAKE
# The layers run side by side; what each of them prints comes in one piece, in their order. CHECKED names the layers, if not all.
set -u
export LC_ALL=C
umask 022
make=$1
layers=${CHECKED:-base wire net chat store render ui app}
scripts="layers rows pictures" # what they check is the same on all systems
[ -z "${CHECKED:-}" ] || scripts=
passed=0 failed=0 skipped=0
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT

# What is built before is not built by several at once.
targets=
for layer in $layers; do targets="$targets build-$layer"; done
# shellcheck disable=SC2086
"$make" --no-print-directory all $targets || { echo '0 passed, 1 failed, 0 skipped'; exit 1; }

# As the targets check-base ... do, but without a make each: it would read all dependencies again. The tests of app wait most of the time:
# whenever one of them goes on, the others make room for it.
run() {
	gives_way='nice -n 5'
	[ "$1" != app ] || gives_way=
	WEIR=$BUILD/weir $gives_way "$BUILD/tests/run-$1"
}

for layer in $layers; do
	{ run "$layer" >"$logs/$layer" 2>&1; echo $? >"$logs/$layer.status"; } &
	eval "process_$layer=$!"
done

[ -z "$scripts" ] || nice -n 5 "$make" --no-print-directory --keep-going $(printf 'check-%s ' $scripts) >"$logs/scripts" 2>&1
for script in $scripts; do
	if [ -e "$BUILD/$script.passed" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
[ -z "$scripts" ] || cat "$logs/scripts"

for layer in $layers; do
	eval "wait \$process_$layer"
	cat "$logs/$layer"
	status=$(cat "$logs/$layer.status")
	line=$(grep -E "^$layer: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$" "$logs/$layer" | tail -n 1)
	if [ -z "$line" ]; then
		echo "$layer: the tests did not come to an end (status $status)"
		failed=$((failed + 1))
		continue
	fi
	read -r p f s <<-END
		$(echo "${line#*:}" | tr -cd '0-9 \n')
	END
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	[ "$status" = 0 ] || [ "$f" != 0 ] || failed=$((failed + 1))
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
