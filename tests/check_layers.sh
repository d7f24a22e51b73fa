#!/bin/sh
# Checks the structure: what each layer may include, which file may use which library, that every header compiles alone, and that every file
# has a line in src/README.md, which also lists layers and libraries. Prints each violation; status 1 if there is one.
set -u
cc=${1:-cc}
bad=$(mktemp)
trap 'rm -f "$bad" "$bad.listed" "$bad.present"' EXIT

may_include() {
	case $1 in
	base) echo 'base' ;;
	wire) echo 'base wire' ;;
	net) echo 'base wire net' ;;
	chat) echo 'base wire net chat' ;;
	store) echo 'base wire chat store' ;;
	render) echo 'base render' ;;
	ui) echo 'base chat render ui wire/delta.h wire/part.h wire/outcome.h' ;;
	app) echo 'base wire net chat store render ui app' ;;
	esac
}

# header prefix, then the only files that may include it
libraries='json-c@include/base/json_inside.h src/base/json_parse.c
uni(str|gbrk|width|lbrk|case|norm|ctype|types)@src/base/utf8.c src/base/words.c
ini.h@src/base/ini.c
gif_lib.h@src/base/image_pixels.c
png.h@src/base/image_pixels.c
turbojpeg.h@src/base/image_pixels.c
webp/decode.h@src/base/image_pixels.c
sixel.h@src/base/sixel.c
(linux|valgrind)/@src/base/sandbox.c
curl/@include/net/http_inside.h src/net/http_failure.c
(zlib|zstd).h@src/net/unpack.c
brotli/@src/net/unpack.c
openssl/@src/net/tls_limit.c src/base/digest.c
sqlite3.h@src/store/database.c src/store/clean_pages.c
ncurses.h@include/ui/term/screen_inside.h src/ui/term/capability.c src/ui/term/terminfo.c
curses.h@include/ui/term/screen_inside.h src/ui/term/capability.c src/ui/term/terminfo.c
term.h@src/ui/term/terminfo.c
term_entry.h@src/ui/term/terminfo.c'

for layer in base wire net chat store render ui app; do
	allowed=$(may_include $layer)
	find "src/$layer" "include/$layer" -name '*.[ch]' | while read -r file; do
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

# folder, then what it must not include
forbidden='render@render/markdown/
ui/term@ui/edit/ ui/page/ ui/pane/
ui/edit@ui/page/ ui/pane/
ui/page@ui/pane/
app/chat@app/plain/ app/ask/ app/probe/
app/plain@app/chat/ app/ask/ app/probe/
app/ask@app/chat/ app/plain/ app/probe/
app/demo@app/chat/ app/plain/ app/ask/ app/probe/
app/probe@app/chat/ app/plain/ app/ask/ app/demo/'
echo "$forbidden" | while IFS='@' read -r folder others; do
	for other in $others; do
		grep -n "^#include \"$other" "src/$folder"/*.c "include/$folder"/*.h | sed "s|$| - forbidden by src/README.md|" >>"$bad"
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

# header of a composition, then the only files that may include it; its parts take their host instead
insides='app/chat/chat_inside.h@chat chat_commands chat_dock chat_draw chat_host chat_keys chat_look chat_painter chat_prompt chat_view
app/plain/plain_inside.h@plain plain_commands plain_compare plain_inspect plain_list plain_tree'
echo "$insides" | while IFS='@' read -r header files; do
	grep -l "^#include \"$header\"" -r src include | while read -r file; do
		name=$(basename "$file" .c)
		case " $files " in
		*" $name "*) ;;
		*) echo "$file includes $header, which belongs to $files" >>"$bad" ;;
		esac
	done
done

# One line a file in src/README.md, below the heading of its folder, and no line without a file.
sed -n '/^## Files/,/^## To add/p' src/README.md | awk '/^### / { dir = $2 } /^- `/ { split($0, part, "`"); print dir "/" part[2] }' | sort >"$bad.listed"
for file in src/*/*.c src/*/*/*.c include/*/*.h include/*/*/*.h; do
	file=${file#src/} file=${file#include/}
	echo "${file%.*}"
done | sort -u >"$bad.present"
comm -23 "$bad.present" "$bad.listed" | sed 's/$/ has no line in src\/README.md/' >>"$bad"
comm -13 "$bad.present" "$bad.listed" | sed 's/$/ has a line in src\/README.md, but no file/' >>"$bad"

for header in include/*/*.h include/*/*/*.h; do
	echo "#include \"${header#include/}\"" | $cc -std=c11 -D_GNU_SOURCE -Iinclude -Wall -Wextra -Werror -x c -fsyntax-only - 2>/dev/null ||
		echo "$header does not compile by itself" >>"$bad"
done

if [ -s "$bad" ]; then
	cat "$bad"
	exit 1
fi
echo "layers: every include is allowed, every header compiles alone, src/README.md lists every file"
