#!/bin/sh
# Makes the README's moving pictures: answers of the demo, recorded, and the screen behind each of their frames, for a dark page and a light one.
# Needs weir and awk only. The same program makes the same bytes, whenever and wherever.
# Usage: tests/picture/moving.sh WEIR FOLDER writes stream.svg and stream-light.svg
set -eu
weir=$(realpath "$1") folder=$(realpath "$2") here=$(dirname "$0")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
pause_ms=2500 step_ms=90 most=400000

run() {
	env -i HOME="$dir" PATH="$PATH" LANG=C.UTF-8 TZ=UTC "$weir" "$@"
}

# NAME PROMPT: an answer of the demo as NAME.tape, and the frames to show as NAME.frames: number and milliseconds
record() {
	run ask -p demo --no-history --tape "$dir/$1.live" "$2" >/dev/null 2>&1 || : # the cut one ends with status 3
	awk -f "$here/retime.awk" "$dir/$1.live" >"$dir/$1.tape"
	run decode --frames "$dir/$1.tape" | sed -n 's/^{"frame":\([0-9a-z]*\),"t":\([0-9]*\).*/\1 \2/p' |
		awk -v step=$step_ms '$1 != "null" && (!NR || $2 >= last + step) { print; last = $2 } { t = $2 } END { print "end", t }' >"$dir/$1.frames"
}

# THEME OUT: all recorded answers, one after the other
draw() {
	theme=$1 out=$2 screens=0 times='' end=0
	rm -f "$dir"/*.svg
	for tape in "$dir"/*.tape; do
		start=$end
		while read -r frame t; do
			screens=$((screens + 1)) end=$((start + t))
			[ "$frame" = end ] && set -- || set -- --frame "$frame"
			run replay "$tape" --theme "$theme" --size 84x20 --svg "$@" >"$dir/$(printf %04d $screens).svg"
			times="$times $end"
		done <"${tape%.tape}.frames"
		end=$((end + pause_ms))
	done
	awk -f "$here/moving.awk" -v title='Reasoning and an answer, two tool calls, and a connection that breaks, as they stream' \
		-v times="$times $end" "$dir"/*.svg >"$out"
	bytes=$(wc -c <"$out")
	echo "picture: $out, $bytes bytes"
	[ "$bytes" -lt $most ] || { echo "moving.sh: $out is larger than $most bytes" >&2; exit 1; }
}

record 1 'Think about a riddle, then tell me the answer' &
record 2 'How do I get from Lisbon to Porto? Call two tools' &
record 3 'And a connection that is cut' &
wait
draw dark "$folder/stream.svg"
draw light "$folder/stream-light.svg"
