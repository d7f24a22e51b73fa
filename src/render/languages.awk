# Generates the tables of include/render/language.h, which documents the format of the definitions.
# An invalid line stops the build and is reported with file and line. Works with any awk, in the C locale.

BEGIN {
	buckets = 128
	carried_most = 12
	for (i = 1; i < 256; i++)
		ord[sprintf("%c", i)] = i
	split("lines nested start column apart short regex expand", names, " ")
	for (i in names)
		is_flag[names[i]] = 1
	split("line string word blank column", names, " ")
	for (i in names)
		is_key_flag[names[i]] = 1
}

FNR == 1 { if (count) end_file(); count++; begin_file() }
/^[ \t]*[#;]/ || /^[ \t]*$/ { next }
/^\[.*\]$/ { end_entry(); section = substr($0, 2, length($0) - 2); next }
/^[ \t]/ { value = value " " trimmed($0); next }
{
	end_entry()
	at = index($0, "=")
	if (!at)
		fail("expected name = value")
	name = trimmed(substr($0, 1, at - 1))
	value = trimmed(substr($0, at + 1))
	entry_line = FNR
}

END {
	if (failed)
		exit 1
	end_file()
	print "static const struct language languages[] = {"
	printf "%s", all
	print "};"
}

function fail(why)
{
	printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
	failed = 1
	exit 1
}

function trimmed(s)
{
	sub(/^[ \t]+/, "", s)
	sub(/[ \t]+$/, "", s)
	return s
}

function quoted(s,   out, i, c)
{
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		out = out (c == "\\" || c == "\"" ? "\\" : "") c
	}
	return "\"" out "\""
}

function code(s)
{
	return s == "" ? 0 : ord[substr(s, 1, 1)]
}

function role(s)
{
	s = toupper(s)
	gsub(/-/, "_", s)
	return "ROLE_" s
}

function flag(prefix, s)
{
	return " | " prefix toupper(s)
}

function begin_file(   i)
{
	file = FILENAME
	sub(/.*\//, "", file)
	sub(/\.ini$/, "", file)
	split("", option)
	split("", words)
	split("", open)
	for (i = 0; i < buckets; i++)
		words[i] = ""
	regions = 0
	sigils = keys = key_flags = embeds = ""
	section = name = ""
	for (i = 0; i < 256; i++) {
		c = sprintf("%c", i)
		class[i] = i >= 128 || c == "_" || (i && c ~ /[A-Za-z]/) ? 3 : i && c ~ /[0-9]/ ? 5 : 0
	}
}

function end_entry(   n, part)
{
	if (name == "")
		return
	n = split(value, part, " ")
	if (section == "language")
		option[name] = value
	else if (section == "words")
		add_words(n, part)
	else if (section == "regions")
		add_region(n, part)
	else if (section == "sigils")
		add_sigil(n, part)
	else if (section == "keys")
		add_key(n, part)
	else
		fail("unknown section [" section "]")
	name = ""
}

function add_words(n, part,   i, w, b)
{
	for (i = 1; i <= n; i++) {
		w = option["ignore_case"] == "yes" ? tolower(part[i]) : part[i]
		b = (length(w) * 11 + ord[substr(w, 1, 1)] * 3 + ord[substr(w, length(w), 1)] * 29) % buckets
		words[b] = words[b] (words[b] == "" ? "" : " ") role(name) " " w
	}
}

function add_region(n, part,   i)
{
	if (n < 2)
		fail("expected OPEN CLOSE")
	regions++
	open[regions] = part[1]
	close_[regions] = part[2]
	region_role[regions] = role(name)
	region_flags[regions] = "0"
	escape[regions] = ""
	lines[regions] = 0
	if (part[2] == "EOL" || part[2] == "ONLY") {
		region_flags[regions] = "REGION_" part[2]
		close_[regions] = ""
	}
	for (i = 3; i <= n; i++) {
		if (part[i] in is_flag)
			region_flags[regions] = region_flags[regions] flag("REGION_", part[i])
		else if (length(part[i]) == 1)
			escape[regions] = part[i]
		else
			fail("unknown flag " part[i])
		if (part[i] == "lines" || length(part[i]) == 1)
			lines[regions] = 1
	}
}

function mark(byte, bit)
{
	if (int(class[byte] / bit) % 2 == 0)
		class[byte] += bit
}

function add_sigil(n, part)
{
	sigils = sigils sprintf("\t{ %d, %s, %s },\n", code(part[1]), role(name), part[2] == "start" ? "true" : "false")
	mark(code(part[1]), 16)
}

function add_key(n, part,   i, flags)
{
	flags = "0"
	for (i = 2; i <= n; i++) {
		if (!(part[i] in is_key_flag))
			fail("unknown flag " part[i])
		flags = flags flag("KEY_", part[i])
	}
	keys = keys sprintf("\t{ %d, %s, %s },\n", code(part[1]), role(name), flags)
	key_flags = key_flags " | " flags
}

# Whether region a sorts before region b: by first byte, the longer opening first.
function before(a, b)
{
	if (code(open[a]) != code(open[b]))
		return code(open[a]) < code(open[b])
	return length(open[a]) > length(open[b])
}

function sort_regions(   i, j, t)
{
	for (i = 1; i <= regions; i++)
		order[i] = i
	for (i = 2; i <= regions; i++)
		for (j = i; j > 1 && before(order[j], order[j - 1]); j--) {
			t = order[j]
			order[j] = order[j - 1]
			order[j - 1] = t
		}
}

function print_regions(   i, r, number)
{
	sort_regions()
	first = carried = ""
	number = 0
	printf "static const struct region regions_%d[] = {\n", count
	for (i = 1; i <= regions; i++) {
		r = order[i]
		if (lines[r] && ++number)
			carried = carried ", " (i - 1)
		if (i == 1 || code(open[r]) != code(open[order[i - 1]]))
			first = first sprintf("[%d] = %d, ", code(open[r]), i - 1)
		mark(code(open[r]), 8)
		printf "\t{ %s, %s, %d, %d, %s, %d, %s, %d },\n", quoted(open[r]), quoted(close_[r]), length(open[r]), length(close_[r]), \
			region_role[r], lines[r] ? number : 0, region_flags[r], code(escape[r])
	}
	if (number > carried_most)
		fail("too many regions that go over line ends")
	print "\t{ 0 } };"
}

function print_words(   b, i, n, at, part)
{
	printf "static const struct word words_%d[] = {\n", count
	starts = "0"
	at = 0
	for (b = 0; b < buckets; b++) {
		n = split(words[b], part, " ")
		for (i = 1; i < n; i += 2) {
			printf "\t{ %s, %d, %s },\n", quoted(part[i + 1]), length(part[i + 1]), part[i]
			at++
		}
		starts = starts ", " at
	}
	print "\t{ 0 } };"
}

function print_embeds(   n, i, part)
{
	n = split(option["embed"], part, " ")
	printf "static const struct embed embeds_%d[] = {\n", count
	for (i = 1; i < n; i += 2)
		printf "\t{ %s, %s },\n", quoted(part[i]), quoted(part[i + 1])
	print "\t{ 0 } };"
}

function finish_classes(   i, letters)
{
	letters = option["letters"]
	for (i = 1; i <= length(letters); i++)
		if (substr(letters, i, 1) != " ")
			mark(ord[substr(letters, i, 1)], 1)
	if (option["escape"] != "")
		mark(code(option["escape"]), 32)
	if (option["numbers"] == "no")
		for (i = 48; i < 58; i++)
			class[i] -= 4
	classes = ""
	for (i = 0; i < 256; i++)
		classes = classes class[i] (i % 32 == 31 ? ",\n\t\t" : ",")
}

function end_file(   expand)
{
	end_entry()
	print_regions()
	print_words()
	print_embeds()
	printf "static const struct sigil sigils_%d[] = {\n%s\t{ 0 } };\n", count, sigils
	printf "static const struct key keys_%d[] = {\n%s\t{ 0 } };\n", count, keys
	finish_classes()
	split(option["expand"], expand, " ")
	all = all sprintf("\t{ %s, %s, regions_%d, words_%d, sigils_%d, keys_%d, embeds_%d,\n\t.buckets = { %s },\n", \
		quoted(file), quoted(option["aliases"]), count, count, count, count, count, starts)
	all = all sprintf("\t.carried = { 0%s },\n\t.first = { %s[0] = 0 },\n\t.classes = { %s },\n", carried, first, classes)
	all = all sprintf("\t.capitals = %s, .key_flags = 0%s, .ignore_case = %d, .tags = %d,\n", \
		option["capitals"] == "" ? 0 : role(option["capitals"]), key_flags, option["ignore_case"] == "yes", option["tags"] == "yes")
	all = all sprintf("\t.separator = %d, .expand = %d, .expand_words = %d, .expand_role = %s },\n", code(option["separator"]), \
		code(expand[1]), length(expand[1]) == 1, expand[2] == "" ? 0 : role(expand[2]))
}
