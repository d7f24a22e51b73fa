#!/bin/sh
# Runs every layer's tests with the make command given, and ends with one line: N passed, N failed, N skipped.
set -u
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

if ! "$1" --no-print-directory check-layers; then failed=$((failed + 1)); else passed=$((passed + 1)); fi

for layer in base wire net chat store render ui app; do
	[ -n "$(ls "tests/$layer"/test_*.c 2>/dev/null)" ] || continue
	"$@" --no-print-directory "check-$layer" >"$log" 2>&1
	status=$?
	cat "$log"
	line=$(grep -E "^$layer: [0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$" "$log" | tail -n 1)
	if [ -z "$line" ]; then
		echo "$layer: the tests did not come to an end (status $status)"
		failed=$((failed + 1))
		continue
	fi
	numbers=$(echo "$line" | tr -c '0-9\n' ' ')
	p=$(echo $numbers | cut -d' ' -f1) f=$(echo $numbers | cut -d' ' -f2) s=$(echo $numbers | cut -d' ' -f3)
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	[ "$status" = 0 ] || [ "$f" != 0 ] || failed=$((failed + 1))
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
