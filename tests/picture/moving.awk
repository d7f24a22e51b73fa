# Makes one moving SVG of several screens, each an SVG of `weir replay --svg`: an element that several of them have is written once, with the
# times at which it is seen. Who prefers no motion sees the last screen.
# Usage: awk -f tests/moving.awk -v title=TEXT -v times='0 80 160 ... END' SCREEN.svg...   times in milliseconds; the last one is the end
BEGIN { count = split(times, at, " ") - 1; end = at[count + 1]; at[1] = 0 }
FNR == 1 { screen++ }
screen == 1 && (/^<svg/ || /^<rect width="100%"/) { head[++heads] = $0 }
screen == 1 && /^<g/ { group = $0 }
/^<(rect x|text|path|a)/ {
	if (!($0 in spans)) {
		order[++elements] = $0
		rank[elements] = /^<rect/ ? 0 : 1
	}
	if (last[$0] != screen - 1 || !($0 in spans))
		spans[$0] = spans[$0] " " screen
	last[$0] = screen
	until[$0, split(spans[$0], parts, " ")] = screen + 1
}
function percent(ms) { return sprintf("%.2f%%", 100 * ms / end) }
END {
	print head[1]
	print "<title>" title "</title>"
	for (i = 1; i <= elements; i++) {
		n = split(spans[order[i]], from, " ")
		rules = ""
		seen = n == 1 && from[1] == 1 && until[order[i], 1] == count + 1
		for (k = 1; k <= n && !seen; k++) {
			rules = rules percent(at[from[k]]) "{visibility:visible}"
			if (until[order[i], k] <= count)
				rules = rules percent(at[until[order[i], k]]) "{visibility:hidden}"
		}
		if (rules && !(rules in names)) {
			names[rules] = "m" ++classes
			style = style "@keyframes m" classes "{" rules "}.m" classes "{animation-name:m" classes "}\n"
		}
		name[i] = rules ? names[rules] (last[order[i]] == count ? " z" : "") : ""
	}
	printf "<style>\n.m{visibility:hidden;animation-duration:%dms;animation-timing-function:step-end;animation-iteration-count:infinite}\n", end
	print style "@media (prefers-reduced-motion:reduce){.m{animation:none}.z{visibility:visible}}\n</style>"
	print head[2]
	print group
	for (r = 0; r <= 1; r++)
		for (i = 1; i <= elements; i++)
			if (rank[i] == r)
				print name[i] ? gensub_class(order[i], name[i]) : order[i]
	print "</g>\n</svg>"
}
function gensub_class(text, class) { sub(/^<[a-z]+/, "& class=\"m " class "\"", text); return text }
