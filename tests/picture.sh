#!/bin/sh
# Takes the README's picture: the real program on its demo in tmux, its screen as HTML (aha), photographed by chromium.
# Usage: tests/picture.sh WEIR OUT.png [PROMPT [SECONDS]]. Needs tmux, aha, chromium and the DejaVu fonts.
set -eu
weir=$(realpath "$1") out=$(realpath -m "$2")
prompt=${3:-Should I cycle in Tokyo? Call the weather tool} seconds=${4:-0.95}
for tool in tmux aha chromium; do
	command -v $tool >/dev/null || { echo "make picture needs $tool (apt-get install tmux aha chromium fonts-dejavu-core)" >&2; exit 1; }
done
dir=$(mktemp -d)
trap 'tmux -L weir-picture kill-server 2>/dev/null; rm -rf "$dir"' EXIT

tmux -L weir-picture -f /dev/null new -d -x 100 -y 28 -s p \
	"HOME=$dir COLORTERM=truecolor TERM=tmux-256color LANG=C.UTF-8 $weir --theme dark"
sleep 0.5
tmux -L weir-picture send-keys -t p "show me reasoning" Enter
sleep 7
tmux -L weir-picture send-keys -t p "$prompt" Enter
sleep "$seconds"
tmux -L weir-picture capture-pane -t p -p -e -N >"$dir/screen.ans"

aha --black --title weir <"$dir/screen.ans" >"$dir/screen.html"
sed -i 's#<pre>#<style>body{margin:0;background:\#14171c !important}</style><pre style="margin:12px;font:16px/19px DejaVu Sans Mono,monospace">#' "$dir/screen.html"
HOME=$dir chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=988,558 \
	--screenshot="$out" "file://$dir/screen.html" >/dev/null 2>&1
