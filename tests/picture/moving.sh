#!/bin/sh
# Makes the README's moving picture: answers of the demo, recorded, and the screen behind each of their frames. Needs weir and awk only.
# Usage: tests/picture/moving.sh WEIR OUT.svg. Only the figures of speed and time differ from one run to the next.
set -eu
weir=$(realpath "$1") out=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
screens=0 times='' end=0
pause_ms=2500 step_ms=90

run() {
	env -i HOME="$dir" PATH="$PATH" LANG=C.UTF-8 TZ=UTC "$weir" "$@"
}

# Screens of one answer: PROMPT
scene() {
	tape=$dir/$screens.tape start=$end
	run ask -p demo --no-history --tape "$tape" "$1" >/dev/null 2>&1 || : # the cut one ends with status 3
	run decode --frames "$tape" | sed -n 's/^{"frame":\([0-9a-z]*\),"t":\([0-9]*\).*/\1 \2/p' |
		awk -v step=$step_ms '$1 != "null" && (!NR || $2 >= last + step) { print; last = $2 } { t = $2 } END { print "end", t }' >"$dir/frames"
	while read -r frame t; do
		screens=$((screens + 1)) end=$((start + t))
		[ "$frame" = end ] && set -- || set -- --frame "$frame"
		run replay "$tape" --theme dark --size 84x20 --svg "$@" >"$dir/$(printf %04d $screens).svg"
		times="$times $end"
	done <"$dir/frames"
	end=$((end + pause_ms))
}

scene 'Think about a riddle, then tell me the answer'
scene 'How do I get from Lisbon to Porto? Call two tools'
scene 'And a connection that is cut'
awk -f "$(dirname "$0")/moving.awk" -v title='Reasoning and an answer, two tool calls, and a connection that breaks, as they stream' \
	-v times="$times $end" "$dir"/0*.svg >"$out"
echo "picture: $out, $(wc -c <"$out") bytes"
