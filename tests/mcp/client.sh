#!/bin/sh
# The client that the MCP conformance suite tests (npm: @modelcontextprotocol/conformance): `weir mcp` as each scenario wants it. Needs node, as the
# suite does. The last argument is the URL of the suite's server, MCP_CONFORMANCE_SCENARIO the scenario, MCP_CONFORMANCE_CONTEXT JSON about it:
#
#   WEIR=build/weir conformance client --command tests/mcp/client.sh --scenario tools_call --spec-version 2025-11-25
set -u
for url; do :; done
if [ "${1-}" = --browse ]; then # as $BROWSER: agrees to everything, and follows redirects
	exec node -e 'fetch(process.argv[1]).then((answer) => answer.text())' "$url"
fi
weir=${WEIR:-build/weir}
mcp() { "$weir" mcp "$@" --timeout 20; }

# A home of its own for the tokens of the scenarios about authorization, and settings for those that have a client.
authorized() {
	home=$(mktemp -d)
	trap 'rm -rf "$home"' EXIT
	export XDG_STATE_HOME="$home/state" XDG_CONFIG_HOME="$home/config" BROWSER="$0 --browse"
	mkdir -p "$home/config/weir" && chmod 700 "$home/config/weir"
	case $MCP_CONFORMANCE_SCENARIO in
	auth/basic-cimd)
		client='client_id = https://conformance-test.local/client-metadata.json' ;;
	auth/pre-registration)
		value() { node -e 'console.log(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT)[process.argv[1]])' "$1"; }
		CONFORMANCE_SECRET=$(value client_secret)
		export CONFORMANCE_SECRET
		client="client_id = $(value client_id)
client_secret_env = CONFORMANCE_SECRET" ;;
	*)
		client= ;;
	esac
	printf '[mcp conformance]\nurl = %s\n%s\n' "$url" "$client" >"$home/config/weir/weir.conf"
	mcp list conformance # it is told what to do
	mcp login conformance || return
	mcp list conformance || { mcp login conformance && mcp list conformance; } || return
	mcp call conformance test-tool || { mcp login conformance && mcp call conformance test-tool; }
}

case ${MCP_CONFORMANCE_SCENARIO:-} in
auth/*)
	authorized ;;
tools_call)
	mcp call "$url" add_numbers '{"a":5,"b":3}' ;;
elicitation-sep1034-client-defaults)
	mcp call "$url" test_client_elicitation_defaults --elicit defaults ;;
sse-retry)
	mcp call "$url" test_reconnection ;;
sep-2322-client-request-state)
	for tool in echo_state no_state unrelated no_result_type; do
		mcp call "$url" "test_mrtr_$tool" --elicit '{"confirmed":true}' || exit
	done ;;
http-standard-headers)
	mcp list "$url" # the suite's server answers one of the lists with no list: that is told
	mcp list "$url" --json | node -e '
		const all = JSON.parse(require("fs").readFileSync(0));
		for (const [verb, items, name] of [["call", all.tools, "name"], ["read", all.resources, "uri"], ["prompt", all.prompts, "name"]])
			for (const item of items) console.log(verb + " " + item[name])' |
		while read -r verb name; do
			mcp "$verb" "$url" "$name"
		done
	exit 0 ;;
http-custom-headers)
	node -e '
		for (const call of JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT).toolCalls)
			console.log(call.name + " " + JSON.stringify(call.arguments))' |
		while read -r name arguments; do
			mcp call "$url" "$name" "$arguments" || exit
		done ;;
http-invalid-tool-headers)
	mcp list "$url" --json | node -e '
		for (const tool of JSON.parse(require("fs").readFileSync(0)).tools) console.log(tool.name)' |
		while read -r name; do
			mcp call "$url" "$name" || exit
		done ;;
json-schema-2020-12-preservation)
	arguments=$(mcp list "$url" --json | node -e '
		const tools = JSON.parse(require("fs").readFileSync(0)).tools;
		console.log(JSON.stringify({ schema: tools.find((tool) => tool.name === "json_schema_2020_12_tool").inputSchema }))')
	mcp call "$url" json_schema_echo "$arguments" ;;
*)
	mcp list "$url" ;;
esac
