# Turns the rules of a subject, src/wire/lint/SUBJECT.ini, into the rows of their table in lint_SUBJECT.c (struct lint_rule).
#
#   [ID]           the name of the rule, which stays
#   severity       breaks clients, breaks the promise, unusual (enum lint_severity)
#   of             protocols whose streams can violate it: names, "all", "all but NAMES"; before the first rule: where a rule names none
#   promised by    dialects whose documentation promises it, written alike; all, where a rule names none
#   end mark       any, sent or none: with which promise about [DONE] the rule holds, for dialects of the user's own; any, where a rule names none
#   looks at       what of a stream the check looks at (enum lint_phase)
#   check          another rule whose function checks this one, too; else check_ID() does
#   promise        a sentence without a full stop
#   source         the document that says so, and its section
#   breaks         which clients are known to fail; absent where none are known. What is unusual needs it: a rule breaks a promise or a client
#
# A name that is misspelt is an error here or in the compiler.

function fail(words) {
	print FILENAME ":" FNR ": " words >"/dev/stderr"
	failed = 1
	exit 1
}

function quoted(text) {
	gsub(/["\\]/, "\\\\&", text)
	return "\"" text "\""
}

# "all", "all but NAME, NAME" or "NAME, NAME" as bits
function bits(names, every, upper,    count, i, word, but, text) {
	if (names == "all")
		return every
	but = sub(/^all but /, "", names)
	count = split(upper ? toupper(names) : names, word, ", ")
	for (i = 1; i <= count; i++) {
		gsub(/-/, "_", word[i])
		text = text (i > 1 ? " | " : "") "LINT_" word[i]
	}
	return but ? every " & ~(unsigned)(" text ")" : text
}

function write_row(    check) {
	if (id == "")
		return
	if (!(rule["severity"] in severities))
		fail("[" id "] has the severity '" rule["severity"] "'")
	if (rule["looks at"] == "" || rule["promise"] == "" || rule["source"] == "")
		fail("[" id "] has not all of: looks at, promise, source")
	if (rule["severity"] == "unusual" && rule["breaks"] == "")
		fail("[" id "] breaks neither a promise nor a client: it is no rule")
	check = rule["check"] == "" ? id : rule["check"]
	gsub(/-/, "_", check)
	print "{ " quoted(id) ", " severities[rule["severity"]] ", " bits(rule["of"] == "" ? of : rule["of"], "LINT_ANY", 0) ", " \
	      bits(rule["promised by"] == "" ? "all" : rule["promised by"], "LINT_EVERY", 1) ", LINT_ON_" toupper(rule["looks at"]) \
	      ", LINT_END_MARK_" (rule["end mark"] == "" ? "ANY" : toupper(rule["end mark"])) \
	      ", check_" check ",\n  " quoted(rule["promise"]) ",\n  " quoted(rule["source"]) ",\n  " \
	      (rule["breaks"] == "" ? "NULL" : quoted(rule["breaks"])) " },"
}

BEGIN {
	severities["breaks clients"] = "LINT_BREAKS_CLIENTS"
	severities["breaks the promise"] = "LINT_BREAKS_PROMISE"
	severities["unusual"] = "LINT_UNUSUAL"
	split("severity,of,promised by,end mark,looks at,check,promise,source,breaks", names, ",")
	for (i in names)
		known[names[i]] = 1
}
/^(;|$)/ { next }
/^\[[a-z0-9-]+\]$/ {
	write_row()
	id = substr($0, 2, length($0) - 2)
	split("", rule)
	next
}
{
	at = index($0, " = ")
	name = substr($0, 1, at - 1)
	if (!at || !(name in known))
		fail("not a member of a rule: " $0)
	if (id == "" && name != "of")
		fail("before the first rule only of can stand")
	if (id == "")
		of = substr($0, at + 3)
	else
		rule[name] = substr($0, at + 3)
}
END {
	if (!failed)
		write_row()
}
