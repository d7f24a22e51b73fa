#!/bin/sh
# Takes the README's pictures: the real program on its demo in tmux, its screen as HTML (aha), photographed by chromium.
# Usage: tests/picture.sh WEIR FOLDER writes screen-dark.png, screen-light.png and screen-panes.png. Needs tmux, aha, chromium and the
# DejaVu fonts. Each picture is the first frame that shows a given text, so that timing and load do not change what it contains; only
# the figures of speed and time differ.
set -eu
weir=$(realpath "$1") folder=$(realpath "$2")
for tool in tmux aha chromium; do
	command -v $tool >/dev/null || { echo "make picture needs $tool (apt-get install tmux aha chromium fonts-dejavu-core)" >&2; exit 1; }
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

# A turn with reasoning, one with a tool call, and an answer under way
conversation() {
	start "$1" 38
	ask 'Think about a riddle, then tell me the answer'
	await ' 312 tokens' /dev/null
	ask 'Should I cycle in Tokyo? Call the weather tool'
	await 'Alt-a answer' /dev/null
	ask 'Then a long answer: how does it reach my screen?'
	await 'Each frame is turned' "$dir/$1.ans"
	stop
}

for theme in dark light; do
	conversation $theme
	photograph $theme 38 "$folder/screen-$theme.png" "$dir/$theme.ans"
done

start dark 15
ask 'Think about a riddle'
await 'together they cost' "$dir/reasoning.ans"
stop
start dark 25
ask 'How do I get from Lisbon to Porto? Call two tools'
await 'date  2026-05-04' "$dir/tools.ans"
stop
photograph dark 40 "$folder/screen-panes.png" "$dir/reasoning.ans" "$dir/tools.ans"
