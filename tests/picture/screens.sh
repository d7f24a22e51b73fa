#!/bin/sh
# Takes the README's pictures that stand still: the real program on its demo in tmux, its screen as HTML (aha), photographed by chromium.
# Usage: tests/picture/screens.sh WEIR FOLDER writes screen-streams.png. Needs tmux, aha, chromium and the
# DejaVu fonts. Each picture is the first frame that shows a given text, so that timing and load do not change what it contains; only
# the figures of speed and time differ.
set -eu
weir=$(realpath "$1") folder=$(realpath "$2")
for tool in tmux aha chromium; do
	command -v $tool >/dev/null || { echo "make photographs needs $tool (apt-get install tmux aha chromium fonts-dejavu-core)" >&2; exit 1; }
done
dir=$(mktemp -d)
socket=weir-picture-$$
trap 'tmux -L $socket kill-server 2>/dev/null || :; rm -rf "$dir"' EXIT

# THEME ROWS: the program in a terminal of 100 columns, with a home of its own
start() {
	home=$(mktemp -d "$dir/home.XXXXXX") # the program before this one may still write its history into its own
	tmux -L $socket -f /dev/null new -d -x 100 -y "$2" -s p \
		"env -i HOME=$home PATH=$PATH COLORTERM=truecolor TERM=tmux-256color LANG=C.UTF-8 $weir --provider demo --theme $1"
	await 'Enter' /dev/null
}

stop() {
	tmux -L $socket kill-server
}

ask() {
	tmux -L $socket send-keys -t p -l "$1"
	tmux -L $socket send-keys -t p Enter
}

# TEXT FILE: the first screen that contains TEXT
await() {
	for _ in $(seq 600); do
		tmux -L $socket capture-pane -t p -p -e -N >"$dir/now.ans"
		if sed 's/\x1b\[[0-9;:]*m//g' "$dir/now.ans" | grep -qF -e "$1"; then
			cat "$dir/now.ans" >"$2"
			return
		fi
		sleep 0.02
	done
	echo "picture: \"$1\" did not appear within 12 s" >&2
	exit 1
}

# THEME ROWS OUT SCREEN...: screens below each other, ROWS in total
photograph() {
	colours=$(sed -n 's/^text = \(#[0-9a-f]*\) on \(#[0-9a-f]*\).*/color:\1;background:\2/p' "themes/$1.ini")
	rows=$2 out=$3
	shift 3
	{
		echo "<style>body{margin:0;$colours}pre{margin:12px;font:14px/17px DejaVu Sans Mono,monospace}"
		echo "pre+pre{border-top:1px solid;padding-top:12px}</style>"
		for screen in "$@"; do
			echo "<pre>$(aha --no-header <"$screen")</pre>"
		done
	} >"$dir/screen.html"
	HOME=$dir timeout 60 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-lcd-text --window-size=867,$((rows * 17 + 25 * $#)) \
		--screenshot="$out" "file://$dir/screen.html" >/dev/null 2>&1
	echo "picture: $out, $(wc -c <"$out") bytes"
}

keys() {
	tmux -L $socket send-keys -t p "$@"
}

# The inspector on a fragment of a call, and two answers side by side.
start dark 24
ask 'Should I cycle in Tokyo? Call the weather tool'
await 'Alt-a answer' /dev/null
keys F8
await 'Esc close' /dev/null
for _ in 1 2 3 4 5 6 7 8; do keys Down; done
await 'frame 9 of' "$dir/inspect.ans"
stop
start dark 18
ask '/compare demo/demo-1,demo/demo-1:high Think about a riddle'
await '1.20. With' "$dir/compare.ans"
stop
photograph dark 42 "$folder/screen-streams.png" "$dir/inspect.ans" "$dir/compare.ans"
