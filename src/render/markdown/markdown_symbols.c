#include "render/markdown/markdown_math.h"

#include <stdlib.h>
#include <string.h>

/* Names of TeX symbols, sorted by strcmp(). Empty: a command that only changes the style. */
static const struct symbol {
	const char *name, *text;
} symbols[] = {
	{ "AA", "\u00C5" }, { "AE", "\u00C6" }, { "And", "&" }, { "Bbbk", "\U0001D55C" }, { "Big", "" }, { "Bigg", "" },
	{ "Bigl", "" }, { "Bigr", "" }, { "Box", "\u25A1" }, { "Cap", "\u22D2" }, { "Cup", "\u22D3" }, { "Delta", "\u0394" },
	{ "Downarrow", "\u21D3" }, { "Gamma", "\u0393" }, { "Im", "\u2111" }, { "Join", "\u22C8" }, { "L", "\u0141" },
	{ "Lambda", "\u039B" }, { "Leftarrow", "\u21D0" }, { "Leftrightarrow", "\u21D4" }, { "Longleftarrow", "\u27F8" },
	{ "Longleftrightarrow", "\u27FA" }, { "Longrightarrow", "\u27F9" }, { "Lsh", "\u21B0" }, { "O", "\u00D8" }, { "OE", "\u0152" },
	{ "Omega", "\u03A9" }, { "P", "\u00B6" }, { "Phi", "\u03A6" }, { "Pi", "\u03A0" }, { "Pr", "Pr" }, { "Psi", "\u03A8" },
	{ "Re", "\u211C" }, { "Rightarrow", "\u21D2" }, { "Rsh", "\u21B1" }, { "S", "\u00A7" }, { "Sigma", "\u03A3" },
	{ "Subset", "\u22D0" }, { "Supset", "\u22D1" }, { "Theta", "\u0398" }, { "Uparrow", "\u21D1" }, { "Upsilon", "\u03A5" },
	{ "Vdash", "\u22A9" }, { "Vert", "\u2016" }, { "Vvdash", "\u22AA" }, { "Xi", "\u039E" }, { "aa", "\u00E5" },
	{ "ae", "\u00E6" }, { "aleph", "\u2135" }, { "alpha", "\u03B1" }, { "amalg", "\u2A3F" }, { "angle", "\u2220" },
	{ "approx", "\u2248" }, { "approxeq", "\u224A" }, { "arccos", "arccos" }, { "arcsin", "arcsin" }, { "arctan", "arctan" },
	{ "arg", "arg" }, { "ast", "\u2217" }, { "asymp", "\u224D" }, { "backprime", "\u2035" }, { "backsim", "\u223D" },
	{ "backsimeq", "\u22CD" }, { "backslash", "\\" }, { "barwedge", "\u22BC" }, { "because", "\u2235" }, { "beta", "\u03B2" },
	{ "beth", "\u2136" }, { "between", "\u226C" }, { "big", "" }, { "bigcap", "\u22C2" }, { "bigcirc", "\u25EF" },
	{ "bigcup", "\u22C3" }, { "bigg", "" }, { "biggl", "" }, { "biggr", "" }, { "bigl", "" }, { "bigodot", "\u2A00" },
	{ "bigoplus", "\u2A01" }, { "bigotimes", "\u2A02" }, { "bigr", "" }, { "bigsqcup", "\u2A06" }, { "bigstar", "\u2605" },
	{ "bigtriangledown", "\u25BD" }, { "bigtriangleup", "\u25B3" }, { "bigvee", "\u22C1" }, { "bigwedge", "\u22C0" },
	{ "blacklozenge", "\u29EB" }, { "blacksquare", "\u25A0" }, { "blacktriangle", "\u25B2" }, { "blacktriangledown", "\u25BC" },
	{ "bmod", "mod" }, { "bot", "\u22A5" }, { "bowtie", "\u22C8" }, { "boxminus", "\u229F" }, { "boxplus", "\u229E" },
	{ "boxtimes", "\u22A0" }, { "bullet", "\u2022" }, { "cap", "\u2229" }, { "cdot", "\u00B7" }, { "cdotp", "\u00B7" },
	{ "cdots", "\u22EF" }, { "centerdot", "\u00B7" }, { "centering", "" }, { "checkmark", "\u2713" }, { "chi", "\u03C7" },
	{ "circ", "\u2218" }, { "circeq", "\u2257" }, { "circlearrowleft", "\u21BA" }, { "circlearrowright", "\u21BB" },
	{ "circledR", "\u00AE" }, { "circledS", "\u24C8" }, { "circledast", "\u229B" }, { "circledcirc", "\u229A" },
	{ "circleddash", "\u229D" }, { "clubsuit", "\u2663" }, { "colon", ":" }, { "coloneqq", "\u2254" }, { "complement", "\u2201" },
	{ "cong", "\u2245" }, { "coprod", "\u2210" }, { "copyright", "\u00A9" }, { "cos", "cos" }, { "cosh", "cosh" },
	{ "cot", "cot" }, { "coth", "coth" }, { "csc", "csc" }, { "cup", "\u222A" }, { "curlyvee", "\u22CE" },
	{ "curlywedge", "\u22CF" }, { "curvearrowleft", "\u21B6" }, { "curvearrowright", "\u21B7" }, { "dagger", "\u2020" },
	{ "daleth", "\u2138" }, { "dashleftarrow", "\u21E0" }, { "dashrightarrow", "\u21E2" }, { "dashv", "\u22A3" },
	{ "ddagger", "\u2021" }, { "ddots", "\u22F1" }, { "deg", "deg" }, { "degree", "\u00B0" }, { "delta", "\u03B4" },
	{ "det", "det" }, { "diamond", "\u22C4" }, { "diamondsuit", "\u2662" }, { "digamma", "\u03DD" }, { "dim", "dim" },
	{ "displaystyle", "" }, { "div", "\u00F7" }, { "divideontimes", "\u22C7" }, { "doteq", "\u2250" }, { "dotplus", "\u2214" },
	{ "dots", "\u2026" }, { "dotsb", "\u22EF" }, { "dotsc", "\u2026" }, { "downarrow", "\u2193" }, { "downdownarrows", "\u21CA" },
	{ "ell", "\u2113" }, { "emptyset", "\u2205" }, { "epsilon", "\u03F5" }, { "eqcirc", "\u2256" }, { "equiv", "\u2261" },
	{ "eta", "\u03B7" }, { "eth", "\u00F0" }, { "euro", "\u20AC" }, { "exists", "\u2203" }, { "exp", "exp" },
	{ "fallingdotseq", "\u2252" }, { "flat", "\u266D" }, { "forall", "\u2200" }, { "frown", "\u2322" }, { "gamma", "\u03B3" },
	{ "gcd", "gcd" }, { "ge", "\u2265" }, { "geq", "\u2265" }, { "geqq", "\u2267" }, { "geqslant", "\u2265" },
	{ "gets", "\u2190" }, { "gg", "\u226B" }, { "ggg", "\u22D9" }, { "gimel", "\u2137" }, { "gt", ">" }, { "gtrsim", "\u2273" },
	{ "hbar", "\u210F" }, { "heartsuit", "\u2661" }, { "hline", "" }, { "hom", "hom" }, { "hookleftarrow", "\u21A9" },
	{ "hookrightarrow", "\u21AA" }, { "hslash", "\u210F" }, { "iff", "\u27FA" }, { "iiint", "\u222D" }, { "iint", "\u222C" },
	{ "imath", "\u0131" }, { "impliedby", "\u27F8" }, { "implies", "\u27F9" }, { "in", "\u2208" }, { "inf", "inf" },
	{ "infty", "\u221E" }, { "int", "\u222B" }, { "intercal", "\u22BA" }, { "iota", "\u03B9" }, { "jmath", "\u0237" },
	{ "kappa", "\u03BA" }, { "ker", "ker" }, { "l", "\u0142" }, { "lVert", "\u2016" }, { "lambda", "\u03BB" },
	{ "land", "\u2227" }, { "langle", "\u27E8" }, { "lbrace", "{" }, { "lbrack", "[" }, { "lceil", "\u2308" }, { "ldotp", "." },
	{ "ldots", "\u2026" }, { "le", "\u2264" }, { "leadsto", "\u21DD" }, { "left", "" }, { "leftarrow", "\u2190" },
	{ "leftharpoondown", "\u21BD" }, { "leftharpoonup", "\u21BC" }, { "leftleftarrows", "\u21C7" }, { "leftrightarrow", "\u2194" },
	{ "leftrightarrows", "\u21C6" }, { "leftrightharpoons", "\u21CB" }, { "leq", "\u2264" }, { "leqq", "\u2266" },
	{ "leqslant", "\u2264" }, { "lessgtr", "\u2276" }, { "lesssim", "\u2272" }, { "lfloor", "\u230A" }, { "lg", "lg" },
	{ "lhd", "\u22B2" }, { "lim", "lim" }, { "liminf", "lim inf" }, { "limits", "" }, { "limsup", "lim sup" }, { "ll", "\u226A" },
	{ "llcorner", "\u231E" }, { "lll", "\u22D8" }, { "ln", "ln" }, { "lnot", "\u00AC" }, { "log", "log" },
	{ "longleftarrow", "\u27F5" }, { "longleftrightarrow", "\u27F7" }, { "longmapsto", "\u27FC" }, { "longrightarrow", "\u27F6" },
	{ "looparrowleft", "\u21AB" }, { "looparrowright", "\u21AC" }, { "lor", "\u2228" }, { "lozenge", "\u25CA" },
	{ "lrcorner", "\u231F" }, { "lt", "<" }, { "ltimes", "\u22C9" }, { "lvert", "|" }, { "maltese", "\u2720" },
	{ "mapsto", "\u21A6" }, { "max", "max" }, { "measuredangle", "\u2221" }, { "mho", "\u2127" }, { "mid", "\u2223" },
	{ "middle", "" }, { "min", "min" }, { "mod", "mod" }, { "models", "\u22A8" }, { "mp", "\u2213" }, { "mu", "\u03BC" },
	{ "multimap", "\u22B8" }, { "nLeftarrow", "\u21CD" }, { "nLeftrightarrow", "\u21CE" }, { "nRightarrow", "\u21CF" },
	{ "nabla", "\u2207" }, { "natural", "\u266E" }, { "ncong", "\u2247" }, { "ne", "\u2260" }, { "nearrow", "\u2197" },
	{ "neg", "\u00AC" }, { "neq", "\u2260" }, { "nexists", "\u2204" }, { "ngeq", "\u2271" }, { "ngtr", "\u226F" },
	{ "ni", "\u220B" }, { "nleftarrow", "\u219A" }, { "nleftrightarrow", "\u21AE" }, { "nleq", "\u2270" }, { "nless", "\u226E" },
	{ "nmid", "\u2224" }, { "nolimits", "" }, { "nonumber", "" }, { "notag", "" }, { "notin", "\u2209" },
	{ "nparallel", "\u2226" }, { "nprec", "\u2280" }, { "nrightarrow", "\u219B" }, { "nsim", "\u2241" }, { "nsubseteq", "\u2288" },
	{ "nsucc", "\u2281" }, { "nsupseteq", "\u2289" }, { "nu", "\u03BD" }, { "nwarrow", "\u2196" }, { "o", "\u00F8" },
	{ "odot", "\u2299" }, { "oe", "\u0153" }, { "oint", "\u222E" }, { "omega", "\u03C9" }, { "omicron", "\u03BF" },
	{ "ominus", "\u2296" }, { "oplus", "\u2295" }, { "oslash", "\u2298" }, { "otimes", "\u2297" }, { "parallel", "\u2225" },
	{ "partial", "\u2202" }, { "perp", "\u22A5" }, { "phi", "\u03C6" }, { "pi", "\u03C0" }, { "pitchfork", "\u22D4" },
	{ "pm", "\u00B1" }, { "pounds", "\u00A3" }, { "prec", "\u227A" }, { "preccurlyeq", "\u227C" }, { "preceq", "\u2AAF" },
	{ "precsim", "\u227E" }, { "prime", "\u2032" }, { "prod", "\u220F" }, { "propto", "\u221D" }, { "psi", "\u03C8" },
	{ "qed", "\u220E" }, { "qquad", "  " }, { "quad", " " }, { "rVert", "\u2016" }, { "rangle", "\u27E9" }, { "rbrace", "}" },
	{ "rbrack", "]" }, { "rceil", "\u2309" }, { "rfloor", "\u230B" }, { "rhd", "\u22B3" }, { "rho", "\u03C1" }, { "right", "" },
	{ "rightarrow", "\u2192" }, { "rightharpoondown", "\u21C1" }, { "rightharpoonup", "\u21C0" }, { "rightleftarrows", "\u21C4" },
	{ "rightleftharpoons", "\u21CC" }, { "rightrightarrows", "\u21C9" }, { "rightsquigarrow", "\u21DD" },
	{ "risingdotseq", "\u2253" }, { "rtimes", "\u22CA" }, { "rvert", "|" }, { "scriptstyle", "" }, { "searrow", "\u2198" },
	{ "sec", "sec" }, { "setminus", "\u2216" }, { "sharp", "\u266F" }, { "sigma", "\u03C3" }, { "sim", "\u223C" },
	{ "simeq", "\u2243" }, { "sin", "sin" }, { "sinh", "sinh" }, { "smile", "\u2323" }, { "spadesuit", "\u2660" },
	{ "sphericalangle", "\u2222" }, { "sqcap", "\u2293" }, { "sqcup", "\u2294" }, { "sqsubset", "\u228F" },
	{ "sqsubseteq", "\u2291" }, { "sqsupset", "\u2290" }, { "sqsupseteq", "\u2292" }, { "square", "\u25A1" }, { "ss", "\u00DF" },
	{ "star", "\u22C6" }, { "subset", "\u2282" }, { "subseteq", "\u2286" }, { "subsetneq", "\u228A" }, { "succ", "\u227B" },
	{ "succcurlyeq", "\u227D" }, { "succeq", "\u2AB0" }, { "succsim", "\u227F" }, { "sum", "\u2211" }, { "sup", "sup" },
	{ "supset", "\u2283" }, { "supseteq", "\u2287" }, { "supsetneq", "\u228B" }, { "surd", "\u221A" }, { "swarrow", "\u2199" },
	{ "tan", "tan" }, { "tanh", "tanh" }, { "tau", "\u03C4" }, { "textstyle", "" }, { "therefore", "\u2234" },
	{ "theta", "\u03B8" }, { "thickapprox", "\u2248" }, { "thicksim", "\u223C" }, { "times", "\u00D7" }, { "to", "\u2192" },
	{ "top", "\u22A4" }, { "triangle", "\u25B3" }, { "triangledown", "\u25BD" }, { "triangleleft", "\u25C1" },
	{ "trianglelefteq", "\u22B4" }, { "triangleq", "\u225C" }, { "triangleright", "\u25B7" }, { "trianglerighteq", "\u22B5" },
	{ "twoheadrightarrow", "\u21A0" }, { "ulcorner", "\u231C" }, { "unlhd", "\u22B4" }, { "unrhd", "\u22B5" },
	{ "uparrow", "\u2191" }, { "updownarrow", "\u2195" }, { "upharpoonright", "\u21BE" }, { "uplus", "\u228E" },
	{ "upsilon", "\u03C5" }, { "upuparrows", "\u21C8" }, { "urcorner", "\u231D" }, { "vDash", "\u22A8" },
	{ "varepsilon", "\u03B5" }, { "varkappa", "\u03F0" }, { "varnothing", "\u2205" }, { "varphi", "\u03D5" },
	{ "varpi", "\u03D6" }, { "varrho", "\u03F1" }, { "varsigma", "\u03C2" }, { "vartheta", "\u03D1" }, { "vartriangle", "\u25B3" },
	{ "vdash", "\u22A2" }, { "vdots", "\u22EE" }, { "vee", "\u2228" }, { "veebar", "\u22BB" }, { "vert", "|" },
	{ "wedge", "\u2227" }, { "wp", "\u2118" }, { "wr", "\u2240" }, { "xi", "\u03BE" }, { "yen", "\u00A5" }, { "zeta", "\u03B6" },
};

static const struct letter {
	uint32_t code;
	const char *text;
} superscripts[] = {
	{ 0x0028, "\u207D" }, { 0x0029, "\u207E" }, { 0x002A, "*" }, { 0x002B, "\u207A" }, { 0x002D, "\u207B" }, { 0x0030, "\u2070" },
	{ 0x0031, "\u00B9" }, { 0x0032, "\u00B2" }, { 0x0033, "\u00B3" }, { 0x0034, "\u2074" }, { 0x0035, "\u2075" },
	{ 0x0036, "\u2076" }, { 0x0037, "\u2077" }, { 0x0038, "\u2078" }, { 0x0039, "\u2079" }, { 0x003D, "\u207C" },
	{ 0x0041, "\u1D2C" }, { 0x0042, "\u1D2E" }, { 0x0044, "\u1D30" }, { 0x0045, "\u1D31" }, { 0x0047, "\u1D33" },
	{ 0x0048, "\u1D34" }, { 0x0049, "\u1D35" }, { 0x004A, "\u1D36" }, { 0x004B, "\u1D37" }, { 0x004C, "\u1D38" },
	{ 0x004D, "\u1D39" }, { 0x004E, "\u1D3A" }, { 0x004F, "\u1D3C" }, { 0x0050, "\u1D3E" }, { 0x0052, "\u1D3F" },
	{ 0x0054, "\u1D40" }, { 0x0055, "\u1D41" }, { 0x0056, "\u2C7D" }, { 0x0057, "\u1D42" }, { 0x0061, "\u1D43" },
	{ 0x0062, "\u1D47" }, { 0x0063, "\u1D9C" }, { 0x0064, "\u1D48" }, { 0x0065, "\u1D49" }, { 0x0066, "\u1DA0" },
	{ 0x0067, "\u1D4D" }, { 0x0068, "\u02B0" }, { 0x0069, "\u2071" }, { 0x006A, "\u02B2" }, { 0x006B, "\u1D4F" },
	{ 0x006C, "\u02E1" }, { 0x006D, "\u1D50" }, { 0x006E, "\u207F" }, { 0x006F, "\u1D52" }, { 0x0070, "\u1D56" },
	{ 0x0072, "\u02B3" }, { 0x0073, "\u02E2" }, { 0x0074, "\u1D57" }, { 0x0075, "\u1D58" }, { 0x0076, "\u1D5B" },
	{ 0x0077, "\u02B7" }, { 0x0078, "\u02E3" }, { 0x0079, "\u02B8" }, { 0x007A, "\u1DBB" }, { 0x03B2, "\u1D5D" },
	{ 0x03B3, "\u1D5E" }, { 0x03B4, "\u1D5F" }, { 0x03B8, "\u1DBF" }, { 0x03C6, "\u1D60" }, { 0x03C7, "\u1D61" },
	{ 0x2032, "\u2032" }, { 0x2212, "\u207B" }, { 0x2217, "*" }, { 0x2218, "\u00B0" },
}, subscripts[] = {
	{ 0x0028, "\u208D" }, { 0x0029, "\u208E" }, { 0x002B, "\u208A" }, { 0x002D, "\u208B" }, { 0x0030, "\u2080" },
	{ 0x0031, "\u2081" }, { 0x0032, "\u2082" }, { 0x0033, "\u2083" }, { 0x0034, "\u2084" }, { 0x0035, "\u2085" },
	{ 0x0036, "\u2086" }, { 0x0037, "\u2087" }, { 0x0038, "\u2088" }, { 0x0039, "\u2089" }, { 0x003D, "\u208C" },
	{ 0x0061, "\u2090" }, { 0x0065, "\u2091" }, { 0x0068, "\u2095" }, { 0x0069, "\u1D62" }, { 0x006A, "\u2C7C" },
	{ 0x006B, "\u2096" }, { 0x006C, "\u2097" }, { 0x006D, "\u2098" }, { 0x006E, "\u2099" }, { 0x006F, "\u2092" },
	{ 0x0070, "\u209A" }, { 0x0072, "\u1D63" }, { 0x0073, "\u209B" }, { 0x0074, "\u209C" }, { 0x0075, "\u1D64" },
	{ 0x0076, "\u1D65" }, { 0x0078, "\u2093" }, { 0x03B2, "\u1D66" }, { 0x03B3, "\u1D67" }, { 0x03C1, "\u1D68" },
	{ 0x03C6, "\u1D69" }, { 0x03C7, "\u1D6A" }, { 0x2212, "\u208B" },
}, blackboards[] = {
	{ 0x0031, "\U0001D7D9" }, { 0x0041, "\U0001D538" }, { 0x0042, "\U0001D539" }, { 0x0043, "\u2102" }, { 0x0044, "\U0001D53B" },
	{ 0x0045, "\U0001D53C" }, { 0x0046, "\U0001D53D" }, { 0x0047, "\U0001D53E" }, { 0x0048, "\u210D" }, { 0x0049, "\U0001D540" },
	{ 0x004A, "\U0001D541" }, { 0x004B, "\U0001D542" }, { 0x004C, "\U0001D543" }, { 0x004D, "\U0001D544" }, { 0x004E, "\u2115" },
	{ 0x004F, "\U0001D546" }, { 0x0050, "\u2119" }, { 0x0051, "\u211A" }, { 0x0052, "\u211D" }, { 0x0053, "\U0001D54A" },
	{ 0x0054, "\U0001D54B" }, { 0x0055, "\U0001D54C" }, { 0x0056, "\U0001D54D" }, { 0x0057, "\U0001D54E" },
	{ 0x0058, "\U0001D54F" }, { 0x0059, "\U0001D550" }, { 0x005A, "\u2124" },
};

static const struct {
	const struct letter *letters;
	size_t count;
} alphabets[] = {
	[MATH_SUPERSCRIPT] = { superscripts, sizeof superscripts / sizeof *superscripts },
	[MATH_SUBSCRIPT] = { subscripts, sizeof subscripts / sizeof *subscripts },
	[MATH_BLACKBOARD] = { blackboards, sizeof blackboards / sizeof *blackboards },
};

static int compare(const void *key, const void *item)
{
	const struct str *name = key;
	const struct symbol *symbol = item;
	int order = strncmp(name->ptr, symbol->name, name->len);

	return order ? order : symbol->name[name->len] ? -1 : 0;
}

const char *math_symbol(struct str name)
{
	const struct symbol *found = bsearch(&name, symbols, sizeof symbols / sizeof *symbols, sizeof *symbols, compare);

	return found ? found->text : NULL;
}

const char *math_letter(enum math_alphabet alphabet, uint32_t code)
{
	for (size_t i = 0; i < alphabets[alphabet].count; i++)
		if (alphabets[alphabet].letters[i].code == code)
			return alphabets[alphabet].letters[i].text;
	return NULL;
}
