#!/bin/sh
# Writes the seed inputs of a fuzzer to a folder: seeds.sh FUZZER FOLDER. Seeds are files of this project: saved streams, themes, sources.
# The prefix bytes are the parameters that the fuzzer reads from the front of its input.
set -eu
fuzzer=$1
folder=$2

# put PREFIX BYTES FILE...: writes PREFIX and at most BYTES bytes of each file.
put() {
	prefix=$1
	bytes=$2
	shift 2
	for file in "$@"; do
		{ printf "$prefix"; head -c "$bytes" "$file"; } >"$folder/$(echo "$prefix$file" | tr '/\\' '__')"
	done
}

streams=$(find tests/streams -type f ! -name '*.expected.json' ! -name '*.tsv' ! -name '*.md')
mkdir -p "$folder"
# shellcheck disable=SC2086
case $fuzzer in
stream)
	put '\005\000\000\007' 20000 $streams
	for protocol in 0 1 2 3 4; do put "\\00$protocol\\000\\000\\007" 4000 $streams; done
	;;
framer | json) put '\007' 20000 $streams $(find tests/streams -name '*.expected.json') ;;
tape) put '' 20000 $streams ;;
text) put '\000' 2000 $streams src/base/utf8.c src/base/emoji.c tests/base/test_utf8.c ;;
highlight) for language in 000 004 010 014 020 024 030; do put "\\$language" 4000 Makefile README.md src/net/http.c src/setup.sh; done ;;
markdown) put '\120\050\007\000' 8000 README.md src/README.md tests/streams/README.md tests/render/test_markdown_cases.c ;;
markdown_inline) put '' 2000 tests/markdown/emphasis.md tests/markdown/links.md tests/render/test_markdown_oracle.c ;;
schema)
	printf '{"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#/$defs/b"}}},"required":["a"],"$defs":{"b":{"enum":[1,"x"]}}}\377{"a":[1,"x"]}' >"$folder/one"
	printf '{"anyOf":[{"type":"string","minLength":2},{"type":"number","minimum":3}],"additionalProperties":false}\377"a"' >"$folder/two"
	;;
image)
	printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\014\0\0\0\010\010\002\0\0\0B\206\211\246\0\0\0\024IDATx\332c\370\317\300\200\2060\004\3763\214*\002\0L\341_\241\374\252\064o\0\0\0\0IEND\256B`\202' >"$folder/png"
	printf 'GIF89a\003\0\002\0\200\0\0\377\0\0\0\0\377,\0\0\0\0\003\0\002\0\0\002\003D\016\005\0;' >"$folder/gif"
	printf '\377\330\377\340\0\004\001\002\377\300\0\013\010\0\020\0\020\001\001\021\0' >"$folder/jpeg"
	printf 'RIFF\036\0\0\0WEBPVP8L\021\0\0\0/\003\200\0\0\007\020\375\217\376\007\042\242\377\001\0' >"$folder/webp"
	;;
settings) put '' 4000 themes/*.ini tests/store/test_settings.c tests/store/test_roles.c tests/store/test_templates.c ;;
*) put '' 2000 $streams ;;
esac
