# A tape as it is recorded whenever: its frames come one by one, as far apart as those of the demo, and what differs from one run to the next
# (times, the port, how the bytes were cut by reads) is fixed.
# Usage: awk -f tests/picture/retime.awk TAPE
BEGIN { first = 240; step = 20 }
NR == 1 {
	sub(/127\.0\.0\.1:[0-9]+/, "127.0.0.1:8080")
	sub(/"started":"[^"]*"/, "\"started\":\"2026-01-01T12:00:00Z\"")
	print
	next
}
/"head":/ {
	sub(/"timings":\{[^}]*\}/, "\"timings\":{\"name_ms\":0,\"connect_ms\":0.2,\"sent_ms\":0.3,\"first_byte_ms\":" first ",\"reused\":false}")
	sub(/"t":[0-9.]+/, "\"t\":" first)
	print
	next
}
/"body":/ {
	sub(/^.*"body":"/, "")
	sub(/"}$/, "")
	body = body $0
	next
}
{ end = end $0 "\n" }
END {
	t = first
	while (match(body, /[]}]\\n\\n/)) {
		print "{\"t\":" t ",\"body\":\"" substr(body, 1, RSTART + RLENGTH - 1) "\"}"
		body = substr(body, RSTART + RLENGTH)
		t += step
	}
	if (body)
		print "{\"t\":" t ",\"body\":\"" body "\"}"
	gsub(/"t":[0-9.]+/, "\"t\":" t, end)
	printf "%s", end
}
