#!/bin/sh
# Checks that the README's moving pictures are those that the program makes. Usage: tests/picture/check.sh WEIR FOLDER
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sh "$(dirname "$0")/moving.sh" "$1" "$dir" >/dev/null
for name in stream.svg stream-light.svg; do
	cmp -s "$dir/$name" "$2/$name" || { echo "pictures: $2/$name is stale: make pictures" >&2; exit 1; }
	grep -qF "\"$2/$name\"" README.md || { echo "pictures: README.md does not show $2/$name" >&2; exit 1; }
done
echo "pictures: those of README.md show what the program shows"
