#!/bin/sh
# Runs a command that opens the chat on the built-in demo: it has to answer (the title has its state), and Ctrl-D to end it with status 0.
# Usage: tests/first_chat.sh COMMAND. Prints the seconds until the chat was ready; what was on the screen if it never is.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
begin=$(date +%s)
mkfifo "$work/keys"
script -qefc "stty rows 24 cols 80; $1" "$work/shown" <"$work/keys" >/dev/null 2>&1 &
exec 3>"$work/keys"

awaits() { # text, how often
	for _ in $(seq 6000); do
		[ "$(grep -aoF -e "$1" "$work/shown" 2>/dev/null | wc -l)" -lt "$2" ] || return 0
		kill -0 $! 2>/dev/null || break
		sleep 0.2
	done
	cat "$work/shown"
	echo "$1 does not appear"
	exit 1
}

awaits "weir: ready" 1
seconds=$(($(date +%s) - begin))
printf "\033[200~hello\033[201~" >&3
awaits hello 1
printf "\r" >&3
awaits "weir: ready" 2
printf "\004" >&3
wait $!
echo "$seconds"
