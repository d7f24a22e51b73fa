#include "render/markdown_math.h"

#include <stdlib.h>
#include <string.h>

/* What TeX calls signs, sorted by strcmp(). Empty: says how, not what. */
static const struct symbol {
	const char *name, *text;
} symbols[] = {
	{ "AA", "\xC3\x85" }, { "AE", "\xC3\x86" }, { "And", "&" }, { "Bbbk", "\xF0\x9D\x95\x9C" }, { "Big", "" },
	{ "Bigg", "" }, { "Bigl", "" }, { "Bigr", "" }, { "Box", "\xE2\x96\xA1" }, { "Cap", "\xE2\x8B\x92" },
	{ "Cup", "\xE2\x8B\x93" }, { "Delta", "\xCE\x94" }, { "Downarrow", "\xE2\x87\x93" }, { "Gamma", "\xCE\x93" },
	{ "Im", "\xE2\x84\x91" }, { "Join", "\xE2\x8B\x88" }, { "L", "\xC5\x81" }, { "Lambda", "\xCE\x9B" },
	{ "Leftarrow", "\xE2\x87\x90" }, { "Leftrightarrow", "\xE2\x87\x94" }, { "Longleftarrow", "\xE2\x9F\xB8" },
	{ "Longleftrightarrow", "\xE2\x9F\xBA" }, { "Longrightarrow", "\xE2\x9F\xB9" }, { "Lsh", "\xE2\x86\xB0" },
	{ "O", "\xC3\x98" }, { "OE", "\xC5\x92" }, { "Omega", "\xCE\xA9" }, { "P", "\xC2\xB6" }, { "Phi", "\xCE\xA6" },
	{ "Pi", "\xCE\xA0" }, { "Pr", "Pr" }, { "Psi", "\xCE\xA8" }, { "Re", "\xE2\x84\x9C" },
	{ "Rightarrow", "\xE2\x87\x92" }, { "Rsh", "\xE2\x86\xB1" }, { "S", "\xC2\xA7" }, { "Sigma", "\xCE\xA3" },
	{ "Subset", "\xE2\x8B\x90" }, { "Supset", "\xE2\x8B\x91" }, { "Theta", "\xCE\x98" }, { "Uparrow", "\xE2\x87\x91" },
	{ "Upsilon", "\xCE\xA5" }, { "Vdash", "\xE2\x8A\xA9" }, { "Vert", "\xE2\x80\x96" }, { "Vvdash", "\xE2\x8A\xAA" },
	{ "Xi", "\xCE\x9E" }, { "aa", "\xC3\xA5" }, { "ae", "\xC3\xA6" }, { "aleph", "\xE2\x84\xB5" },
	{ "alpha", "\xCE\xB1" }, { "amalg", "\xE2\xA8\xBF" }, { "angle", "\xE2\x88\xA0" }, { "approx", "\xE2\x89\x88" },
	{ "approxeq", "\xE2\x89\x8A" }, { "arccos", "arccos" }, { "arcsin", "arcsin" }, { "arctan", "arctan" },
	{ "arg", "arg" }, { "ast", "\xE2\x88\x97" }, { "asymp", "\xE2\x89\x8D" }, { "backprime", "\xE2\x80\xB5" },
	{ "backsim", "\xE2\x88\xBD" }, { "backsimeq", "\xE2\x8B\x8D" }, { "backslash", "\\" },
	{ "barwedge", "\xE2\x8A\xBC" }, { "because", "\xE2\x88\xB5" }, { "beta", "\xCE\xB2" }, { "beth", "\xE2\x84\xB6" },
	{ "between", "\xE2\x89\xAC" }, { "big", "" }, { "bigcap", "\xE2\x8B\x82" }, { "bigcirc", "\xE2\x97\xAF" },
	{ "bigcup", "\xE2\x8B\x83" }, { "bigg", "" }, { "biggl", "" }, { "biggr", "" }, { "bigl", "" },
	{ "bigodot", "\xE2\xA8\x80" }, { "bigoplus", "\xE2\xA8\x81" }, { "bigotimes", "\xE2\xA8\x82" }, { "bigr", "" },
	{ "bigsqcup", "\xE2\xA8\x86" }, { "bigstar", "\xE2\x98\x85" }, { "bigtriangledown", "\xE2\x96\xBD" },
	{ "bigtriangleup", "\xE2\x96\xB3" }, { "bigvee", "\xE2\x8B\x81" }, { "bigwedge", "\xE2\x8B\x80" },
	{ "blacklozenge", "\xE2\xA7\xAB" }, { "blacksquare", "\xE2\x96\xA0" }, { "blacktriangle", "\xE2\x96\xB2" },
	{ "blacktriangledown", "\xE2\x96\xBC" }, { "bmod", "mod" }, { "bot", "\xE2\x8A\xA5" }, { "bowtie", "\xE2\x8B\x88" },
	{ "boxminus", "\xE2\x8A\x9F" }, { "boxplus", "\xE2\x8A\x9E" }, { "boxtimes", "\xE2\x8A\xA0" },
	{ "bullet", "\xE2\x80\xA2" }, { "cap", "\xE2\x88\xA9" }, { "cdot", "\xC2\xB7" }, { "cdotp", "\xC2\xB7" },
	{ "cdots", "\xE2\x8B\xAF" }, { "centerdot", "\xC2\xB7" }, { "centering", "" }, { "checkmark", "\xE2\x9C\x93" },
	{ "chi", "\xCF\x87" }, { "circ", "\xE2\x88\x98" }, { "circeq", "\xE2\x89\x97" },
	{ "circlearrowleft", "\xE2\x86\xBA" }, { "circlearrowright", "\xE2\x86\xBB" }, { "circledR", "\xC2\xAE" },
	{ "circledS", "\xE2\x93\x88" }, { "circledast", "\xE2\x8A\x9B" }, { "circledcirc", "\xE2\x8A\x9A" },
	{ "circleddash", "\xE2\x8A\x9D" }, { "clubsuit", "\xE2\x99\xA3" }, { "colon", ":" }, { "coloneqq", "\xE2\x89\x94" },
	{ "complement", "\xE2\x88\x81" }, { "cong", "\xE2\x89\x85" }, { "coprod", "\xE2\x88\x90" },
	{ "copyright", "\xC2\xA9" }, { "cos", "cos" }, { "cosh", "cosh" }, { "cot", "cot" }, { "coth", "coth" },
	{ "csc", "csc" }, { "cup", "\xE2\x88\xAA" }, { "curlyvee", "\xE2\x8B\x8E" }, { "curlywedge", "\xE2\x8B\x8F" },
	{ "curvearrowleft", "\xE2\x86\xB6" }, { "curvearrowright", "\xE2\x86\xB7" }, { "dagger", "\xE2\x80\xA0" },
	{ "daleth", "\xE2\x84\xB8" }, { "dashleftarrow", "\xE2\x87\xA0" }, { "dashrightarrow", "\xE2\x87\xA2" },
	{ "dashv", "\xE2\x8A\xA3" }, { "ddagger", "\xE2\x80\xA1" }, { "ddots", "\xE2\x8B\xB1" }, { "deg", "deg" },
	{ "degree", "\xC2\xB0" }, { "delta", "\xCE\xB4" }, { "det", "det" }, { "diamond", "\xE2\x8B\x84" },
	{ "diamondsuit", "\xE2\x99\xA2" }, { "digamma", "\xCF\x9D" }, { "dim", "dim" }, { "displaystyle", "" },
	{ "div", "\xC3\xB7" }, { "divideontimes", "\xE2\x8B\x87" }, { "doteq", "\xE2\x89\x90" },
	{ "dotplus", "\xE2\x88\x94" }, { "dots", "\xE2\x80\xA6" }, { "dotsb", "\xE2\x8B\xAF" }, { "dotsc", "\xE2\x80\xA6" },
	{ "downarrow", "\xE2\x86\x93" }, { "downdownarrows", "\xE2\x87\x8A" }, { "ell", "\xE2\x84\x93" },
	{ "emptyset", "\xE2\x88\x85" }, { "epsilon", "\xCF\xB5" }, { "eqcirc", "\xE2\x89\x96" }, { "equiv", "\xE2\x89\xA1" },
	{ "eta", "\xCE\xB7" }, { "eth", "\xC3\xB0" }, { "euro", "\xE2\x82\xAC" }, { "exists", "\xE2\x88\x83" },
	{ "exp", "exp" }, { "fallingdotseq", "\xE2\x89\x92" }, { "flat", "\xE2\x99\xAD" }, { "forall", "\xE2\x88\x80" },
	{ "frown", "\xE2\x8C\xA2" }, { "gamma", "\xCE\xB3" }, { "gcd", "gcd" }, { "ge", "\xE2\x89\xA5" },
	{ "geq", "\xE2\x89\xA5" }, { "geqq", "\xE2\x89\xA7" }, { "geqslant", "\xE2\x89\xA5" }, { "gets", "\xE2\x86\x90" },
	{ "gg", "\xE2\x89\xAB" }, { "ggg", "\xE2\x8B\x99" }, { "gimel", "\xE2\x84\xB7" }, { "gt", ">" },
	{ "gtrsim", "\xE2\x89\xB3" }, { "hbar", "\xE2\x84\x8F" }, { "heartsuit", "\xE2\x99\xA1" }, { "hline", "" },
	{ "hom", "hom" }, { "hookleftarrow", "\xE2\x86\xA9" }, { "hookrightarrow", "\xE2\x86\xAA" },
	{ "hslash", "\xE2\x84\x8F" }, { "iff", "\xE2\x9F\xBA" }, { "iiint", "\xE2\x88\xAD" }, { "iint", "\xE2\x88\xAC" },
	{ "imath", "\xC4\xB1" }, { "impliedby", "\xE2\x9F\xB8" }, { "implies", "\xE2\x9F\xB9" }, { "in", "\xE2\x88\x88" },
	{ "inf", "inf" }, { "infty", "\xE2\x88\x9E" }, { "int", "\xE2\x88\xAB" }, { "intercal", "\xE2\x8A\xBA" },
	{ "iota", "\xCE\xB9" }, { "jmath", "\xC8\xB7" }, { "kappa", "\xCE\xBA" }, { "ker", "ker" }, { "l", "\xC5\x82" },
	{ "lVert", "\xE2\x80\x96" }, { "lambda", "\xCE\xBB" }, { "land", "\xE2\x88\xA7" }, { "langle", "\xE2\x9F\xA8" },
	{ "lbrace", "{" }, { "lbrack", "[" }, { "lceil", "\xE2\x8C\x88" }, { "ldotp", "." }, { "ldots", "\xE2\x80\xA6" },
	{ "le", "\xE2\x89\xA4" }, { "leadsto", "\xE2\x87\x9D" }, { "left", "" }, { "leftarrow", "\xE2\x86\x90" },
	{ "leftharpoondown", "\xE2\x86\xBD" }, { "leftharpoonup", "\xE2\x86\xBC" }, { "leftleftarrows", "\xE2\x87\x87" },
	{ "leftrightarrow", "\xE2\x86\x94" }, { "leftrightarrows", "\xE2\x87\x86" }, { "leftrightharpoons", "\xE2\x87\x8B" },
	{ "leq", "\xE2\x89\xA4" }, { "leqq", "\xE2\x89\xA6" }, { "leqslant", "\xE2\x89\xA4" }, { "lessgtr", "\xE2\x89\xB6" },
	{ "lesssim", "\xE2\x89\xB2" }, { "lfloor", "\xE2\x8C\x8A" }, { "lg", "lg" }, { "lhd", "\xE2\x8A\xB2" },
	{ "lim", "lim" }, { "liminf", "lim inf" }, { "limits", "" }, { "limsup", "lim sup" }, { "ll", "\xE2\x89\xAA" },
	{ "llcorner", "\xE2\x8C\x9E" }, { "lll", "\xE2\x8B\x98" }, { "ln", "ln" }, { "lnot", "\xC2\xAC" }, { "log", "log" },
	{ "longleftarrow", "\xE2\x9F\xB5" }, { "longleftrightarrow", "\xE2\x9F\xB7" }, { "longmapsto", "\xE2\x9F\xBC" },
	{ "longrightarrow", "\xE2\x9F\xB6" }, { "looparrowleft", "\xE2\x86\xAB" }, { "looparrowright", "\xE2\x86\xAC" },
	{ "lor", "\xE2\x88\xA8" }, { "lozenge", "\xE2\x97\x8A" }, { "lrcorner", "\xE2\x8C\x9F" }, { "lt", "<" },
	{ "ltimes", "\xE2\x8B\x89" }, { "lvert", "|" }, { "maltese", "\xE2\x9C\xA0" }, { "mapsto", "\xE2\x86\xA6" },
	{ "max", "max" }, { "measuredangle", "\xE2\x88\xA1" }, { "mho", "\xE2\x84\xA7" }, { "mid", "\xE2\x88\xA3" },
	{ "middle", "" }, { "min", "min" }, { "mod", "mod" }, { "models", "\xE2\x8A\xA8" }, { "mp", "\xE2\x88\x93" },
	{ "mu", "\xCE\xBC" }, { "multimap", "\xE2\x8A\xB8" }, { "nLeftarrow", "\xE2\x87\x8D" },
	{ "nLeftrightarrow", "\xE2\x87\x8E" }, { "nRightarrow", "\xE2\x87\x8F" }, { "nabla", "\xE2\x88\x87" },
	{ "natural", "\xE2\x99\xAE" }, { "ncong", "\xE2\x89\x87" }, { "ne", "\xE2\x89\xA0" }, { "nearrow", "\xE2\x86\x97" },
	{ "neg", "\xC2\xAC" }, { "neq", "\xE2\x89\xA0" }, { "nexists", "\xE2\x88\x84" }, { "ngeq", "\xE2\x89\xB1" },
	{ "ngtr", "\xE2\x89\xAF" }, { "ni", "\xE2\x88\x8B" }, { "nleftarrow", "\xE2\x86\x9A" },
	{ "nleftrightarrow", "\xE2\x86\xAE" }, { "nleq", "\xE2\x89\xB0" }, { "nless", "\xE2\x89\xAE" },
	{ "nmid", "\xE2\x88\xA4" }, { "nolimits", "" }, { "nonumber", "" }, { "notag", "" }, { "notin", "\xE2\x88\x89" },
	{ "nparallel", "\xE2\x88\xA6" }, { "nprec", "\xE2\x8A\x80" }, { "nrightarrow", "\xE2\x86\x9B" },
	{ "nsim", "\xE2\x89\x81" }, { "nsubseteq", "\xE2\x8A\x88" }, { "nsucc", "\xE2\x8A\x81" },
	{ "nsupseteq", "\xE2\x8A\x89" }, { "nu", "\xCE\xBD" }, { "nwarrow", "\xE2\x86\x96" }, { "o", "\xC3\xB8" },
	{ "odot", "\xE2\x8A\x99" }, { "oe", "\xC5\x93" }, { "oint", "\xE2\x88\xAE" }, { "omega", "\xCF\x89" },
	{ "omicron", "\xCE\xBF" }, { "ominus", "\xE2\x8A\x96" }, { "oplus", "\xE2\x8A\x95" }, { "oslash", "\xE2\x8A\x98" },
	{ "otimes", "\xE2\x8A\x97" }, { "parallel", "\xE2\x88\xA5" }, { "partial", "\xE2\x88\x82" },
	{ "perp", "\xE2\x8A\xA5" }, { "phi", "\xCF\x86" }, { "pi", "\xCF\x80" }, { "pitchfork", "\xE2\x8B\x94" },
	{ "pm", "\xC2\xB1" }, { "pounds", "\xC2\xA3" }, { "prec", "\xE2\x89\xBA" }, { "preccurlyeq", "\xE2\x89\xBC" },
	{ "preceq", "\xE2\xAA\xAF" }, { "precsim", "\xE2\x89\xBE" }, { "prime", "\xE2\x80\xB2" }, { "prod", "\xE2\x88\x8F" },
	{ "propto", "\xE2\x88\x9D" }, { "psi", "\xCF\x88" }, { "qed", "\xE2\x88\x8E" }, { "qquad", "  " }, { "quad", " " },
	{ "rVert", "\xE2\x80\x96" }, { "rangle", "\xE2\x9F\xA9" }, { "rbrace", "}" }, { "rbrack", "]" },
	{ "rceil", "\xE2\x8C\x89" }, { "rfloor", "\xE2\x8C\x8B" }, { "rhd", "\xE2\x8A\xB3" }, { "rho", "\xCF\x81" },
	{ "right", "" }, { "rightarrow", "\xE2\x86\x92" }, { "rightharpoondown", "\xE2\x87\x81" },
	{ "rightharpoonup", "\xE2\x87\x80" }, { "rightleftarrows", "\xE2\x87\x84" }, { "rightleftharpoons", "\xE2\x87\x8C" },
	{ "rightrightarrows", "\xE2\x87\x89" }, { "rightsquigarrow", "\xE2\x87\x9D" }, { "risingdotseq", "\xE2\x89\x93" },
	{ "rtimes", "\xE2\x8B\x8A" }, { "rvert", "|" }, { "scriptstyle", "" }, { "searrow", "\xE2\x86\x98" },
	{ "sec", "sec" }, { "setminus", "\xE2\x88\x96" }, { "sharp", "\xE2\x99\xAF" }, { "sigma", "\xCF\x83" },
	{ "sim", "\xE2\x88\xBC" }, { "simeq", "\xE2\x89\x83" }, { "sin", "sin" }, { "sinh", "sinh" },
	{ "smile", "\xE2\x8C\xA3" }, { "spadesuit", "\xE2\x99\xA0" }, { "sphericalangle", "\xE2\x88\xA2" },
	{ "sqcap", "\xE2\x8A\x93" }, { "sqcup", "\xE2\x8A\x94" }, { "sqsubset", "\xE2\x8A\x8F" },
	{ "sqsubseteq", "\xE2\x8A\x91" }, { "sqsupset", "\xE2\x8A\x90" }, { "sqsupseteq", "\xE2\x8A\x92" },
	{ "square", "\xE2\x96\xA1" }, { "ss", "\xC3\x9F" }, { "star", "\xE2\x8B\x86" }, { "subset", "\xE2\x8A\x82" },
	{ "subseteq", "\xE2\x8A\x86" }, { "subsetneq", "\xE2\x8A\x8A" }, { "succ", "\xE2\x89\xBB" },
	{ "succcurlyeq", "\xE2\x89\xBD" }, { "succeq", "\xE2\xAA\xB0" }, { "succsim", "\xE2\x89\xBF" },
	{ "sum", "\xE2\x88\x91" }, { "sup", "sup" }, { "supset", "\xE2\x8A\x83" }, { "supseteq", "\xE2\x8A\x87" },
	{ "supsetneq", "\xE2\x8A\x8B" }, { "surd", "\xE2\x88\x9A" }, { "swarrow", "\xE2\x86\x99" }, { "tan", "tan" },
	{ "tanh", "tanh" }, { "tau", "\xCF\x84" }, { "textstyle", "" }, { "therefore", "\xE2\x88\xB4" },
	{ "theta", "\xCE\xB8" }, { "thickapprox", "\xE2\x89\x88" }, { "thicksim", "\xE2\x88\xBC" }, { "times", "\xC3\x97" },
	{ "to", "\xE2\x86\x92" }, { "top", "\xE2\x8A\xA4" }, { "triangle", "\xE2\x96\xB3" },
	{ "triangledown", "\xE2\x96\xBD" }, { "triangleleft", "\xE2\x97\x81" }, { "trianglelefteq", "\xE2\x8A\xB4" },
	{ "triangleq", "\xE2\x89\x9C" }, { "triangleright", "\xE2\x96\xB7" }, { "trianglerighteq", "\xE2\x8A\xB5" },
	{ "twoheadrightarrow", "\xE2\x86\xA0" }, { "ulcorner", "\xE2\x8C\x9C" }, { "unlhd", "\xE2\x8A\xB4" },
	{ "unrhd", "\xE2\x8A\xB5" }, { "uparrow", "\xE2\x86\x91" }, { "updownarrow", "\xE2\x86\x95" },
	{ "upharpoonright", "\xE2\x86\xBE" }, { "uplus", "\xE2\x8A\x8E" }, { "upsilon", "\xCF\x85" },
	{ "upuparrows", "\xE2\x87\x88" }, { "urcorner", "\xE2\x8C\x9D" }, { "vDash", "\xE2\x8A\xA8" },
	{ "varepsilon", "\xCE\xB5" }, { "varkappa", "\xCF\xB0" }, { "varnothing", "\xE2\x88\x85" }, { "varphi", "\xCF\x95" },
	{ "varpi", "\xCF\x96" }, { "varrho", "\xCF\xB1" }, { "varsigma", "\xCF\x82" }, { "vartheta", "\xCF\x91" },
	{ "vartriangle", "\xE2\x96\xB3" }, { "vdash", "\xE2\x8A\xA2" }, { "vdots", "\xE2\x8B\xAE" },
	{ "vee", "\xE2\x88\xA8" }, { "veebar", "\xE2\x8A\xBB" }, { "vert", "|" }, { "wedge", "\xE2\x88\xA7" },
	{ "wp", "\xE2\x84\x98" }, { "wr", "\xE2\x89\x80" }, { "xi", "\xCE\xBE" }, { "yen", "\xC2\xA5" },
	{ "zeta", "\xCE\xB6" },
};

static const struct letter {
	uint32_t code;
	const char *text;
} superscripts[] = {
	{ 0x0028, "\xE2\x81\xBD" }, { 0x0029, "\xE2\x81\xBE" }, { 0x002A, "*" }, { 0x002B, "\xE2\x81\xBA" },
	{ 0x002D, "\xE2\x81\xBB" }, { 0x0030, "\xE2\x81\xB0" }, { 0x0031, "\xC2\xB9" }, { 0x0032, "\xC2\xB2" },
	{ 0x0033, "\xC2\xB3" }, { 0x0034, "\xE2\x81\xB4" }, { 0x0035, "\xE2\x81\xB5" }, { 0x0036, "\xE2\x81\xB6" },
	{ 0x0037, "\xE2\x81\xB7" }, { 0x0038, "\xE2\x81\xB8" }, { 0x0039, "\xE2\x81\xB9" }, { 0x003D, "\xE2\x81\xBC" },
	{ 0x0041, "\xE1\xB4\xAC" }, { 0x0042, "\xE1\xB4\xAE" }, { 0x0044, "\xE1\xB4\xB0" }, { 0x0045, "\xE1\xB4\xB1" },
	{ 0x0047, "\xE1\xB4\xB3" }, { 0x0048, "\xE1\xB4\xB4" }, { 0x0049, "\xE1\xB4\xB5" }, { 0x004A, "\xE1\xB4\xB6" },
	{ 0x004B, "\xE1\xB4\xB7" }, { 0x004C, "\xE1\xB4\xB8" }, { 0x004D, "\xE1\xB4\xB9" }, { 0x004E, "\xE1\xB4\xBA" },
	{ 0x004F, "\xE1\xB4\xBC" }, { 0x0050, "\xE1\xB4\xBE" }, { 0x0052, "\xE1\xB4\xBF" }, { 0x0054, "\xE1\xB5\x80" },
	{ 0x0055, "\xE1\xB5\x81" }, { 0x0056, "\xE2\xB1\xBD" }, { 0x0057, "\xE1\xB5\x82" }, { 0x0061, "\xE1\xB5\x83" },
	{ 0x0062, "\xE1\xB5\x87" }, { 0x0063, "\xE1\xB6\x9C" }, { 0x0064, "\xE1\xB5\x88" }, { 0x0065, "\xE1\xB5\x89" },
	{ 0x0066, "\xE1\xB6\xA0" }, { 0x0067, "\xE1\xB5\x8D" }, { 0x0068, "\xCA\xB0" }, { 0x0069, "\xE2\x81\xB1" },
	{ 0x006A, "\xCA\xB2" }, { 0x006B, "\xE1\xB5\x8F" }, { 0x006C, "\xCB\xA1" }, { 0x006D, "\xE1\xB5\x90" },
	{ 0x006E, "\xE2\x81\xBF" }, { 0x006F, "\xE1\xB5\x92" }, { 0x0070, "\xE1\xB5\x96" }, { 0x0072, "\xCA\xB3" },
	{ 0x0073, "\xCB\xA2" }, { 0x0074, "\xE1\xB5\x97" }, { 0x0075, "\xE1\xB5\x98" }, { 0x0076, "\xE1\xB5\x9B" },
	{ 0x0077, "\xCA\xB7" }, { 0x0078, "\xCB\xA3" }, { 0x0079, "\xCA\xB8" }, { 0x007A, "\xE1\xB6\xBB" },
	{ 0x03B2, "\xE1\xB5\x9D" }, { 0x03B3, "\xE1\xB5\x9E" }, { 0x03B4, "\xE1\xB5\x9F" }, { 0x03B8, "\xE1\xB6\xBF" },
	{ 0x03C6, "\xE1\xB5\xA0" }, { 0x03C7, "\xE1\xB5\xA1" }, { 0x2032, "\xE2\x80\xB2" }, { 0x2212, "\xE2\x81\xBB" },
	{ 0x2217, "*" }, { 0x2218, "\xC2\xB0" },
}, subscripts[] = {
	{ 0x0028, "\xE2\x82\x8D" }, { 0x0029, "\xE2\x82\x8E" }, { 0x002B, "\xE2\x82\x8A" }, { 0x002D, "\xE2\x82\x8B" },
	{ 0x0030, "\xE2\x82\x80" }, { 0x0031, "\xE2\x82\x81" }, { 0x0032, "\xE2\x82\x82" }, { 0x0033, "\xE2\x82\x83" },
	{ 0x0034, "\xE2\x82\x84" }, { 0x0035, "\xE2\x82\x85" }, { 0x0036, "\xE2\x82\x86" }, { 0x0037, "\xE2\x82\x87" },
	{ 0x0038, "\xE2\x82\x88" }, { 0x0039, "\xE2\x82\x89" }, { 0x003D, "\xE2\x82\x8C" }, { 0x0061, "\xE2\x82\x90" },
	{ 0x0065, "\xE2\x82\x91" }, { 0x0068, "\xE2\x82\x95" }, { 0x0069, "\xE1\xB5\xA2" }, { 0x006A, "\xE2\xB1\xBC" },
	{ 0x006B, "\xE2\x82\x96" }, { 0x006C, "\xE2\x82\x97" }, { 0x006D, "\xE2\x82\x98" }, { 0x006E, "\xE2\x82\x99" },
	{ 0x006F, "\xE2\x82\x92" }, { 0x0070, "\xE2\x82\x9A" }, { 0x0072, "\xE1\xB5\xA3" }, { 0x0073, "\xE2\x82\x9B" },
	{ 0x0074, "\xE2\x82\x9C" }, { 0x0075, "\xE1\xB5\xA4" }, { 0x0076, "\xE1\xB5\xA5" }, { 0x0078, "\xE2\x82\x93" },
	{ 0x03B2, "\xE1\xB5\xA6" }, { 0x03B3, "\xE1\xB5\xA7" }, { 0x03C1, "\xE1\xB5\xA8" }, { 0x03C6, "\xE1\xB5\xA9" },
	{ 0x03C7, "\xE1\xB5\xAA" }, { 0x2212, "\xE2\x82\x8B" },
}, blackboards[] = {
	{ 0x0031, "\xF0\x9D\x9F\x99" }, { 0x0041, "\xF0\x9D\x94\xB8" }, { 0x0042, "\xF0\x9D\x94\xB9" },
	{ 0x0043, "\xE2\x84\x82" }, { 0x0044, "\xF0\x9D\x94\xBB" }, { 0x0045, "\xF0\x9D\x94\xBC" },
	{ 0x0046, "\xF0\x9D\x94\xBD" }, { 0x0047, "\xF0\x9D\x94\xBE" }, { 0x0048, "\xE2\x84\x8D" },
	{ 0x0049, "\xF0\x9D\x95\x80" }, { 0x004A, "\xF0\x9D\x95\x81" }, { 0x004B, "\xF0\x9D\x95\x82" },
	{ 0x004C, "\xF0\x9D\x95\x83" }, { 0x004D, "\xF0\x9D\x95\x84" }, { 0x004E, "\xE2\x84\x95" },
	{ 0x004F, "\xF0\x9D\x95\x86" }, { 0x0050, "\xE2\x84\x99" }, { 0x0051, "\xE2\x84\x9A" }, { 0x0052, "\xE2\x84\x9D" },
	{ 0x0053, "\xF0\x9D\x95\x8A" }, { 0x0054, "\xF0\x9D\x95\x8B" }, { 0x0055, "\xF0\x9D\x95\x8C" },
	{ 0x0056, "\xF0\x9D\x95\x8D" }, { 0x0057, "\xF0\x9D\x95\x8E" }, { 0x0058, "\xF0\x9D\x95\x8F" },
	{ 0x0059, "\xF0\x9D\x95\x90" }, { 0x005A, "\xE2\x84\xA4" },
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
