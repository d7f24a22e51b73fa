#!/bin/sh
# The walls of the house: what each layer may include, which file may use which library, headers that stand alone, a room for each.
# Layers and libraries as in src/README.md. Prints each violation; status 1 if there is one.
set -u
cc=${1:-cc}
bad=$(mktemp)
trap 'rm -f "$bad"' EXIT

may_include() {
	case $1 in
	base) echo 'base' ;;
	wire) echo 'base wire' ;;
	net) echo 'base wire net' ;;
	chat) echo 'base wire net chat' ;;
	store) echo 'base chat store' ;;
	render) echo 'base render' ;;
	ui) echo 'base chat render ui wire/delta.h wire/part.h wire/outcome.h' ;;
	app) echo 'base wire net chat store render ui app' ;;
	esac
}

# header prefix, then the only files that may include it
libraries='json-c@include/base/json_inside.h src/base/json_parse.c
uni(str|gbrk|width|lbrk|case|norm|ctype|types)@src/base/utf8.c
ini.h@src/base/ini.c
curl/@include/net/http_inside.h src/net/http_failure.c
microhttpd.h@include/net/serve_inside.h
(zlib|zstd).h@src/net/unpack.c
brotli/@src/net/unpack.c
openssl/@src/net/tls_limit.c
ncurses.h@include/ui/term/screen_inside.h src/ui/term/capability.c src/ui/term/terminfo.c
curses.h@include/ui/term/screen_inside.h src/ui/term/capability.c src/ui/term/terminfo.c
term.h@src/ui/term/terminfo.c
term_entry.h@src/ui/term/terminfo.c'

for layer in base wire net chat store render ui app; do
	allowed=$(may_include $layer)
	for file in "src/$layer"/*.c "include/$layer"/*.h; do
		[ -f "$file" ] || continue
		sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file" | while read -r header; do
			ok=
			for a in $allowed; do
				case $header in "$a" | "$a"/*) ok=1 ;; esac
			done
			case $header in *.inc) ok=1 ;; esac
			[ -n "$ok" ] || echo "$file includes $header, which layer $layer may not" >>"$bad"
		done
	done
done

echo "$libraries" | while IFS='@' read -r header files; do
	grep -lE "^#include <$header" -r src include 2>/dev/null | while read -r file; do
		case " $files " in
		*" $file "*) ;;
		*) echo "$file includes <$header...>, which belongs to $files" >>"$bad" ;;
		esac
	done
done

for layer in base wire net chat store render ui app; do
	rooms=$(grep "^| \`$layer\` |" src/README.md)
	for file in "src/$layer"/*.c "include/$layer"/*.h; do
		name=$(basename "${file%.*}")
		case $name in run_* | demo_*) continue ;; esac
		case $(echo "$rooms" | grep -owF -e "$name" -e "${name%_request}") in
		'') echo "$file has no room in the table of src/README.md" >>"$bad" ;;
		esac
	done
done

for header in include/*/*.h; do
	echo "#include \"${header#include/}\"" | "$cc" -std=c11 -D_GNU_SOURCE -Iinclude -Wall -Wextra -Werror -x c -fsyntax-only - 2>/dev/null ||
		echo "$header does not compile by itself" >>"$bad"
done

if [ -s "$bad" ]; then
	cat "$bad"
	exit 1
fi
echo "layers: every include is allowed, every header stands alone, every file has its room"
