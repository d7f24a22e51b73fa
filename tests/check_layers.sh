#!/bin/sh
# Checks the structure: what each layer may include, which file may use which library, that every header compiles alone, and that every file
# has a line in the README.md of its layer. src/README.md lists layers and libraries. Prints each violation; status 1 if there is one.
set -u
cc=${1:-cc}
bad=$(mktemp)
trap 'rm -f "$bad" "$bad.circle" "$bad.listed" "$bad.present" "$bad.built"' EXIT

# Layer, then what else it may include: other layers, and single headers of them
layers='base@
wire@base
net@base wire
chat@base wire net
store@base wire chat
render@base
ui@base chat render wire/delta.h wire/part.h wire/outcome.h wire/request.h
app@base wire net chat store render ui'

# header prefix, then the only files that may include it
libraries='json-c@include/base/json_inside.h src/base/json_parse.c
uni(str|gbrk|width|lbrk|case|norm|ctype|types)@src/base/utf8.c src/base/words.c
ini.h@src/base/ini.c
gif_lib.h@src/base/image_pixels.c
png.h@src/base/image_pixels.c
turbojpeg.h@src/base/image_pixels.c
webp/decode.h@src/base/image_pixels.c
sixel.h@src/base/sixel.c
valgrind/@src/base/os/linux_sandbox.c
(linux|sys/(epoll|eventfd|inotify|prctl|random|sendfile|signalfd|syscall|timerfd|xattr)|endian|error|execinfo|malloc)(/|\.h)@src/base/os/linux_descriptor.c src/base/os/linux_folder_watch.c src/base/os/linux_process.c src/base/os/linux_random.c src/base/os/linux_sandbox.c src/base/os/linux_watch.c
curl/@include/net/http_inside.h src/net/http_failure.c
(zlib|zstd).h@src/net/unpack.c
brotli/@src/net/unpack.c
openssl/@src/net/tls_limit.c src/base/digest.c
sqlite3.h@src/store/history/database.c src/store/history/clean_pages.c
ncurses.h@include/ui/term/screen_inside.h src/ui/term/capability.c src/ui/term/terminfo.c
curses.h@include/ui/term/screen_inside.h src/ui/term/capability.c src/ui/term/terminfo.c
term.h@src/ui/term/terminfo.c
term_entry.h@src/ui/term/terminfo.c'

# Room, then the other rooms of its layer that it may include. A folder of a layer is a room, and so are the files that are in none.
rooms='base@base/os
base/os@base
wire@wire/protocol
wire/protocol@wire
wire/encode@wire wire/protocol
wire/lint@wire wire/protocol
wire/mcp@wire/lint
chat/exchange@chat/conversation chat/provider
chat/player@chat/conversation chat/exchange
store/config@store/files
store/history@store/files
store/maintain@store/files store/history
store/import@store/files store/history
store/export@store/history
render/markdown@render
ui@ui/edit ui/page ui/term
ui/term@ui
ui/edit@ui ui/term
ui/page@ui
ui/pane@ui ui/page ui/term
app/options@app/system
app/tools@app/system app/mcp
app/setup@app/system app/demo app/options app/tools app/mcp
app/request@app/system app/setup app/options
app/session@app/system app/options app/setup app/request app/tools
app/keep@app/system app/setup app/export app/session app/options
app/compare@app/setup app/request app/session app/system app/tools
app/command@app/system app/setup app/session app/keep app/tools app/mcp
app/lint@app/system app/options app/setup
app/serve@app/system app/demo app/options app/setup
app/history@app/system app/options app/export app/keep
app/tape@app/system app/options app/setup
app/probe@app/system app/options app/setup app/request
app/mcp@app/system app/options
app/mcp/shell@app/mcp app/system app/options app/setup app/lint
app/ask@app/system app/options app/setup app/request app/session app/keep app/compare app/tools app/mcp
app/plain@app/system app/tools app/demo app/setup app/request app/session app/keep app/compare app/command app/options
app/screen/services@app/system app/setup app/session app/keep app/compare app/command app/options
app/screen/input@app/system app/setup app/session app/command app/screen/services app/compare app/mcp
app/screen/replay@app/system app/setup app/session app/command app/screen/services
app/screen/cards@app/system app/tools app/demo app/setup app/session app/keep app/compare app/command app/screen/services app/screen/input app/screen/replay app/mcp
app/screen/compare@app/setup app/session app/compare app/command app/screen/services
app/screen@app/system app/tools app/demo app/setup app/request app/session app/keep app/compare app/command app/screen/services app/screen/input app/screen/replay app/screen/cards app/screen/compare app/options
app/cli@app/system app/tools app/options app/setup app/keep app/session app/command app/serve app/history app/tape app/probe app/mcp/shell app/plain app/screen app/screen/replay'
# Files that may also include rooms above their own: tables whose rows name what is there, and what reads a table of names.
tables='src/app/command/command.c@app/screen app/plain
src/app/options/option_rows.c@app/export
src/app/options/subcommand.c@app/command app/tape app/cli
src/app/options/completion_names.c@app/demo app/keep app/tape app/tools app/probe app/screen/services app/cli
include/app/setup/setup.h@app/command'
find src include -name '*.[ch]' | xargs grep -o '^#include "[^"]*"' | awk -v table="$layers
$rooms
$tables" '
	BEGIN {
		for (lines = split(table, line, "\n"); lines; lines--) {
			split(line[lines], part, "@")
			for (others = split(part[2], other, " "); others; others--)
				allowed[part[1], other[others]] = 1
		}
	}
	{
		split($0, part, ":#include ")
		from = part[1]; to = part[2]
		gsub(/"/, "", to)
		room = from; sub(/^[^\/]*\//, "", room); sub(/\/[^\/]*$/, "", room)
		target = to; sub(/\/[^\/]*$/, "", target)
		layer = room; sub(/\/.*/, "", layer)
		layer_of_target = to; sub(/\/.*/, "", layer_of_target)
		if (to !~ /\.inc$/ && layer_of_target != layer && !((layer, layer_of_target) in allowed) && !((layer, to) in allowed))
			print from " includes " to ", which layer " layer " may not"
		if (target != room && index(target "/", layer "/") == 1 && !((room, target) in allowed) && !((from, target) in allowed))
			print from " includes " to ", which room " room " may not"
	}' >>"$bad"
# No circle goes through several folders; files that are in none stand above and below them.
echo "$rooms" | awk -F '[@ ]' '$1 ~ /\// { for (i = 2; i <= NF; i++) if ($i ~ /\//) print $1, $i }' | tsort >/dev/null 2>"$bad.circle" ||
	sed 's/^tsort:/rooms:/' "$bad.circle" >>"$bad"

echo "$libraries" | while IFS='@' read -r header files; do
	grep -lE "^#include <$header" -r src include 2>/dev/null | while read -r file; do
		case " $files " in
		*" $file "*) ;;
		*) echo "$file includes <$header...>, which belongs to $files" >>"$bad" ;;
		esac
	done
done

# What not all systems have is called in base/os only; what is written once for all stands in base/mem, base/text and base/timestamp.
grep -rnoE '\b(accept4|arc4random[a-z_]*|clearenv|close_range|closefrom|dup3|epoll_[a-z_0-9]+|eventfd|explicit_bzero|getrandom|inotify_[a-z_0-9]+|memfd_create|memmem|mempcpy|memrchr|pidfd_[a-z_]+|pipe2|ppoll|prctl|qsort_r|renameat2|scandirat|signalfd|strcasestr|strchrnul|syscall|timegm|v?asprintf)\(|\bSOCK_(CLOEXEC|NONBLOCK)|\bO_(PATH|TMPFILE)\b|"/proc/' \
	src include --include='*.[ch]' | grep -v '^[^:]*/base/os/' | sed 's/:\([^:]*\)$/ uses \1, which not all systems have (src\/base\/os)/' >>"$bad"

# header of a composition, then the only files that may include it; its parts take their host instead
insides='app/screen/chat_inside.h@chat chat_commands chat_dock chat_draw chat_host chat_item chat_keys chat_look chat_painter chat_prompt chat_view
app/plain/plain_inside.h@plain plain_send plain_commands plain_compare plain_inspect plain_list plain_tree'
echo "$insides" | while IFS='@' read -r header files; do
	grep -l "^#include \"$header\"" -r src include | while read -r file; do
		name=$(basename "$file" .c)
		case " $files " in
		*" $name "*) ;;
		*) echo "$file includes $header, which belongs to $files" >>"$bad" ;;
		esac
	done
done

# One line a file in "Files" of its layer's README.md, below the heading of its folder, and no line without a file.
for layer in src/*/README.md; do
	awk '/^## / { files = $0 == "## Files" } /^### / { dir = $2 } files && /^- `/ { split($0, part, "`"); print dir "/" part[2] }' "$layer"
done | sort >"$bad.listed"
for file in src/*/*.c src/*/*/*.c src/*/*/*/*.c include/*/*.h include/*/*/*.h include/*/*/*/*.h; do
	file=${file#src/} file=${file#include/}
	echo "${file%.*}"
done | sort -u >"$bad.present"
comm -23 "$bad.present" "$bad.listed" | sed 's#^\([^/]*\).*#& has no line in src/\1/README.md#' >>"$bad"
comm -13 "$bad.present" "$bad.listed" | sed 's#^\([^/]*\).*#& has a line in src/\1/README.md, but no file#' >>"$bad"

# A document that is named is in the repository. Names of users' files are in quotes; in tests only comments are read.
documents() { # reads lines of FILE:LINE:TEXT
	while IFS=: read -r file line text; do
		for name in $(echo "$text" | sed 's/"[^"]*"//g' | grep -oE '[A-Za-z0-9_/.-]+\.md\b'); do
			[ -f "$name" ] || echo "$file:$line names $name, which is no file of the repository" >>"$bad"
		done
	done
}
grep -rnE '\.md\b' src include themes Makefile --include='*.[ch]' --include='*.ini' --include='*.mk' --include='*.awk' --include='*.sh' --include=Makefile |
	documents
grep -rnE '^(/\*| \*|#|	*/\*).*\.md\b' tests --include='*.[ch]' --include='*.txt' --include='*.tsv' --include='*.sh' | documents

# No line has more than 150 columns: tabs count 8, the bytes behind the first of a character nothing.
find src include -name '*.[ch]' | LC_ALL=C xargs awk '{ line = $0; gsub(/\t/, "        ", line); gsub(/[\200-\277]/, "", line) }
	length(line) > 150 { print FILENAME ":" FNR " is longer than 150 columns" }' >>"$bad"

# A test that SECURITY.md names is there.
grep -oE '`[a-z]+/test_[a-z0-9_]+`' SECURITY.md | tr -d '`' | sort -u | while read -r test; do
	[ -f "tests/$test.c" ] || echo "SECURITY.md names $test, which is no file of tests" >>"$bad"
done

# A header that a source file includes before anything else compiles alone if that file does, which the build shows. The others are tried here.
find src -name '*.c' | xargs awk 'FNR == 1 { comment = is_done = 0 }
	is_done { next }
	comment { if (/\*\//) comment = 0; next }
	/^\/\*/ { comment = !/\*\//; next }
	/^[ \t]*$/ || /^\/\// { next }
	{ is_done = 1; if (sub(/^#include "/, "") && sub(/".*/, "")) print "include/" $0 }' | sort -u >"$bad.built"
find include -name '*.h' | sort | comm -23 - "$bad.built" | while read -r header; do
	echo "#include \"${header#include/}\"" | $cc -std=c11 -D_GNU_SOURCE -Iinclude -Wall -Wextra -Werror -x c -fsyntax-only - 2>/dev/null ||
		echo "$header does not compile by itself" >>"$bad"
done

if [ -s "$bad" ]; then
	cat "$bad"
	exit 1
fi
echo "layers: every include is allowed, every header compiles alone, src/*/README.md list every file"
