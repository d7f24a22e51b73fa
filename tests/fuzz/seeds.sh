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
lint)
	put '\005\374\001\007' 20000 $streams
	for dialect in 0 1 2 3 4; do put "\\005\\0$((dialect / 2))$((dialect % 2 * 4))\\001\\007" 4000 $(printf '%s\n' $streams | grep openai-chat/); done
	printf '\005\374\001\007{"stream":true,"model":"sansa-auto","n":1,"stream_options":{"include_usage":true}}\376data: {"choices":[]}\n\n' >"$folder/request"
	;;
base64)
	printf '\001Zm9v\r\nYmFy_-8=' >"$folder/blanks"
	printf '\002Zm9vYg' >"$folder/unpadded"
	;;
framer | json) put '\007' 20000 $streams $(find tests/streams -name '*.expected.json') ;;
tape)
	put '' 20000 $streams
	printf '{"weir_tape":1,"protocol":"gemini"}\n{"t":1,"head":{"status":200,"http":"2","timings":{"name_ms":1.5,"connect_ms":2,"tls_ms":30,"sent_ms":31,"first_byte_ms":400,"reused":false}}}\n' >"$folder/timings"
	printf '{"log":{"version":"1.2","entries":[{"request":{"url":"u"},"response":{"content":{}}},{"startedDateTime":"2026-01-31T12:00:00Z","request":{"method":"POST","url":"https://e.org/v1/chat/completions?key=k","headers":[{"name":"authorization","value":"k"}],"postData":{"text":"{\\"n\\":1}"}},"response":{"status":200,"headers":[{"name":"X-Request-Id","value":"r"}],"content":{"mimeType":"text/event-stream","encoding":"base64","text":"ZGF0YToge1wiY2hvaWNlc1wiOltdfQoK"}}}]}}' >"$folder/har"
	printf '{"log":{"entries":[{"request":{},"response":{"status":200,"content":{"text":"data: {\\"choices\\":[]}\\n\\ndata: [DONE]\\n\\n"}},"_weir":{"tape":{"weir_tape":1,"protocol":"openai-chat"},"head":{"t":5,"head":{"status":200}},"reads":[[7,20],[8.5,20]],"end":{"t":9,"end":"cut"}}}]}}' >"$folder/har_of_a_tape"
	printf '{"t":1,"type":"begin","id":"i","model":"m"}\n{"t":2,"type":"text","text":"x"}\n{"type":"tool_begin","index":0,"id":null,"name":"f"}\n{"type":"tool_arguments","index":0,"text":"{"}\n{"type":"tool_end","index":0}\n{"type":"opaque","format":"gemini-part","data":"{}"}\n{"type":"usage","prompt_tokens":1}\n{"type":"error","message":"e","status":500}\n{"type":"end","outcome":"error"}\n' >"$folder/events"
	printf '{"weir_tape":1,"protocol":"mcp"}\n{"t":1,"out":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"tools/call\\",\\"params\\":{\\"name\\":\\"f\\"}}"}\n{"t":2,"in":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":{\\"isError\\":true}}"}\n{"t":3,"end":"closed"}\n' >"$folder/session"
	printf '{"weir_tape":1}\n{"t":3,"end":"closed"}\n{"t":4,"run":1,"call":0,"id":"c","name":"f","origin":"settings","arguments":"{}"}\n{"t":5,"run":1,"from":"output","b64":"/w=="}\n{"mcp":"s","in":"x"}\n{"run":1,"from":"progress","text":"1"}\n{"run":1,"state":"ok","ms":1,"result":"r"}\n' >"$folder/runs"
	;;
player) for leaps in 1 2 3; do put "\\00$leaps\\001\\002\\003" 8000 $streams; done ;;
text) put '\000' 2000 $streams src/base/utf8.c src/base/emoji.c tests/base/test_utf8.c ;;
highlight) for language in 000 004 010 014 020 024 030; do put "\\$language" 4000 Makefile README.md src/net/http.c src/setup.sh; done ;;
markdown) put '\120\050\007\000' 8000 README.md src/README.md tests/streams/README.md tests/render/test_markdown_cases.c ;;
markdown_inline) put '' 2000 tests/markdown/emphasis.md tests/markdown/links.md tests/render/test_markdown_oracle.c ;;
mcp)
	printf '\347\007{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}\n{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"properties":{"b":{"type":"string","x-mcp-header":"B"}}}}],"nextCursor":"p"}}\n{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1,"total":2,"message":"m"}}\n{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{}}},"requestState":"s"}}\n\001{"jsonrpc":"2.0","id":4,"result":{"contents":[{"uri":"u","text":"t"}]}}\n' >"$folder/modern"
	printf '\207\007{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"m","data":{"supported":["2025-06-18"]}}}\n{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s"}}}\n{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{}}\n{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no"}}\n\003\n{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n' >"$folder/older"
	printf '\003\007{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{}}}\n[{"jsonrpc":"2.0","id":2,"result":{"tools":[]}},{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"x"}]}}]\n' >"$folder/batch"
	;;
mcp_lint)
	printf '\003\001{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}\n{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\n\001{"jsonrpc":"2.0","method":"notifications/initialized"}\n\001{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a b","inputSchema":{}},{"name":"c"}],"nextCursor":"p"}}\n\001{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"c"}}\n{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}\n{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"image"}]}}\n{"jsonrpc":"2.0","id":3,"result":{}}\nno json\n' >"$folder/handshake"
	printf '\000\001{"jsonrpc":"2.0","id":1,"method":"server/discover"}\n{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete"}}\n\001{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"u"}}\n{"jsonrpc":"2.0","id":2,"error":{"code":"x"}}\n{"jsonrpc":"1.0","id":null,"method":"ping"}\n' >"$folder/modern"
	;;
oauth)
	printf '\000Bearer realm="r", error="insufficient_scope", resource_metadata="https://a.example/m", scope="a b", Basic realm="x"' >"$folder/challenge"
	printf '\001{"resource":"https://a.example/mcp","authorization_servers":["https://b.example"],"scopes_supported":["a"]}' >"$folder/resource"
	printf '\002{"issuer":"https://b.example","authorization_endpoint":"https://b.example/a","token_endpoint":"https://b.example/t","registration_endpoint":"https://b.example/r","code_challenge_methods_supported":["S256"]}' >"$folder/server"
	printf '\003{"access_token":"t","token_type":"Bearer","refresh_token":"r","expires_in":3600,"scope":"a"}' >"$folder/token"
	printf '\004/callback?code=c&state=s&iss=https%%3A%%2F%%2Fb.example' >"$folder/callback"
	printf '\004/callback?error=access_denied&error_description=no&state=s&iss=https%%3A%%2F%%2Fb.example' >"$folder/refusal"
	;;
tool_words)
	printf '\000git log -n {count} --author={who} -- {./path}\377\377{"count":3,"who":"a b","path":"current"}' >"$folder/places"
	printf '\001awk {program} -- {x}\377{"type":"object","properties":{"program":{"type":"string"}}}\377{"program":"{ print }","x":null}' >"$folder/own"
	printf "\\000sh -c 'echo \"\$1\"' x {a}{b}\\377\\377{\"a\":\"\",\"b\":\"-rf\"}" >"$folder/dash"
	;;
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
import)
	printf '[{"conversation_id":"c","title":"t","current_node":"b","mapping":{"a":{"parent":null,"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["x"]}}},"b":{"parent":"a","message":{"author":{"role":"assistant"},"recipient":"python","content":{"content_type":"code","text":"1"}}},"c":{"parent":"b","message":{"author":{"role":"tool","name":"python"},"content":{"content_type":"execution_output","text":"1"}}}}}]' >"$folder/chatgpt"
	printf '[{"uuid":"k","name":"n","created_at":"2026-01-31T12:00:00Z","chat_messages":[{"uuid":"1","sender":"human","text":"x","attachments":[{"file_name":"f","extracted_content":"y"}]},{"uuid":"2","parent_message_uuid":"1","sender":"assistant","content":[{"type":"thinking","thinking":"h"},{"type":"tool_use","id":"t","name":"f","input":{}},{"type":"tool_result","tool_use_id":"t","content":"r"},{"type":"text","text":"z","citations":[{"url":"https://e.org"}]}]}]}]' >"$folder/claude"
	printf '[{"uuid":"k","chat_messages":[{"uuid":"1","sender":"assistant","content":[{"type":"tool_use","name":"f","input":{}},{"type":"tool_use","name":"g","input":{}},{"type":"tool_result","name":"g","is_error":true,"content":[{"type":"text","text":"r"}]},{"type":"text","text":"z"},{"type":"tool_result","name":"f","content":"s"}]},{"uuid":"2","sender":"human","content":[{"type":"tool_result","content":"t"}]}]}]' >"$folder/results"
	printf '[{"conversation_id":"c","mapping":{"a":{"message":{"author":{"role":"user"},"content":{"content_type":"user_editable_context","user_profile":"x"}}},"b":{"parent":"a","message":{"author":{"role":"user"},"metadata":{"attachments":[{"id":"f","name":"n"}]},"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"s://f"},{"content_type":"audio_transcription","text":"y"}]}}},"c":{"parent":"b","message":{"author":{"role":"system"},"content":{"content_type":"system_error","name":"e","text":"f"}}}}}]' >"$folder/left"
	printf '{"weir_history":1,"conversations":[{"id":"0123456789abcdef","title":{"base64":"/w=="},"leaf":2,"nodes":[{"id":1,"parent":null,"child":2,"role":"user","started":"2026-01-31T12:00:00Z","parts":[{"type":"attachment","base64":"AAE=","media":"image/png"}]},{"id":2,"parent":1,"role":"assistant","outcome":"cut","protocol":"anthropic","usage":{"prompt_tokens":1},"parts":[{"type":"tool_call","text":"{}","valid":true,"call":0},{"type":"opaque","name":"gemini-part","text":"{}"}],"joints":[{"part":1,"outcome":"cut"}],"notes":[{"rule":"r","text":"t","part":1}],"citations":{"sources":[{"url":"u"}],"places":[{"source":0,"part":4294967295,"unit":2,"end":5}]},"meter":"1 2 0 3 4"}]}]}' >"$folder/weir"
	;;
request)
	printf '\007POST http://localhost/v1/messages?a=b HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close, x\r\nContent-Length: 2\r\n\r\n{}' >"$folder/length"
	printf '\001POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX-A: b\r\n\r\nGET / HTTP/1.0\r\n\r\n' >"$folder/chunks"
	printf '\003GET / HTTP/1.1\r\nHost : a\r\n b\r\n\r\n' >"$folder/odd"
	;;
settings) put '' 4000 themes/*.ini tests/store/test_settings.c tests/store/test_roles.c tests/store/test_templates.c ;;
*) put '' 2000 $streams ;;
esac
