#include "render/theme.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/ini.h"
#include "base/names.h"

#define COLOUR_PARENT (-2) /* omitted: inherited from the parent role */
#define BASES_MOST 4

#define DARK_FORM "-dark"
#define LIGHT_FORM "-light"

static const struct { const char *name; const char *text; } builtin[] = {
#include "themes.inc"
};

static const char *const role_names[ROLE_COUNT] = {
#define X(upper, name) [ROLE_##upper] = name,
	ROLES(X)
#undef X
};

static const char *const palette[] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
};

static const struct { const char *name; uint8_t bit; } attributes[] = {
	{ "bold", STYLE_BOLD }, { "dim", STYLE_DIM }, { "italic", STYLE_ITALIC }, { "underline", STYLE_UNDERLINE }, { "reverse", STYLE_REVERSE },
	{ "strike", STYLE_STRIKE },
};

/* State of reading a theme. Its bases are read into the same one before it. */
struct reading {
	struct style styles[ROLE_COUNT], sixteen[ROLE_COUNT];
	bool given[ROLE_COUNT];
	const char *folder;
	struct str name;        /* of the theme being read; as a base it means the compiled-in one */
	unsigned bases;
	struct error *warn;
};

static bool read_colour(struct str word, int32_t *colour)
{
	long long number;

	for (size_t i = 0; i < ARRAY_LEN(palette); i++)
		if (str_is_nocase(word, palette[i])) {
			*colour = (int32_t)i;
			return true;
		}
	if (str_is_nocase(word, "default")) {
		*colour = COLOUR_DEFAULT;
		return true;
	}
	if (word.len == 7 && word.ptr[0] == '#' && strspn(word.ptr + 1, "0123456789abcdefABCDEF") >= 6) {
		unsigned rgb = 0;

		for (size_t i = 1; i < 7; i++)
			rgb = rgb << 4 | (unsigned)(word.ptr[i] <= '9' ? word.ptr[i] - '0' : (word.ptr[i] | 32) - 'a' + 10);
		*colour = (int32_t)(0x1000000 | rgb);
		return true;
	}
	if (!str_to_int(word, &number) || number > 255)
		return false;
	*colour = (int32_t)number;
	return true;
}

static uint8_t read_attribute(struct str word)
{
	for (size_t i = 0; i < ARRAY_LEN(attributes); i++)
		if (str_is_nocase(word, attributes[i].name))
			return attributes[i].bit;
	return 0;
}

/* Parses "blue on #202020 bold". False at the first unknown word, which is left in `*word`. */
static bool read_style(struct str text, struct style *style, struct str *word)
{
	bool background = false;

	*style = (struct style){ COLOUR_PARENT, COLOUR_PARENT, 0 };
	while (str_split(&text, ' ', word)) {
		uint8_t bit = read_attribute(*word);

		if (!word->len)
			continue;
		style->attributes |= bit;
		if (bit)
			continue;
		if (!background && str_is_nocase(*word, "on")) {
			background = true;
			continue;
		}
		if (!read_colour(*word, background ? &style->bg : &style->fg))
			return false;
	}
	return true;
}

/* Keeps the first warning only; the next appears when that is fixed. */
static void warn_at(const struct reading *reading, const struct ini_entry *entry, const char *what, struct str word)
{
	if (reading->warn && !reading->warn->text[0])
		error_set(reading->warn, "%s:%d: %s \"%.*s\"", entry->file, entry->line, what, STR_ARG(word));
}

/* Parses "STYLE" or "STYLE | STYLE with 16 colours". A failure is as in read_style(), and leaves the role as it was. */
static bool read_role(struct str text, struct reading *reading, size_t role, struct str *word)
{
	struct style style, sixteen;
	struct str rich = STR_NONE; /* also where there is no text */

	str_split(&text, '|', &rich);
	if (!read_style(rich, &style, word))
		return false;
	sixteen = style;
	if (text.len && !read_style(text, &sixteen, word))
		return false;
	reading->styles[role] = style;
	reading->sixteen[role] = sixteen;
	reading->given[role] = true;
	return true;
}

static bool read_named_theme(struct reading *reading, struct str name, bool own_is_builtin, struct error *err);

static bool visit(void *ctx, const struct ini_entry *entry, struct error *err)
{
	struct reading *reading = ctx;
	struct str word;

	if (strcmp(entry->section, "") == 0 && strcmp(entry->name, "base") == 0) {
		if (++reading->bases > BASES_MOST)
			return error_set(err, "themes inherit from each other, or too deeply: base \"%s\"", entry->value);
		return read_named_theme(reading, str_from(entry->value), true, err);
	}
	if (strcmp(entry->section, "roles") != 0) {
		warn_at(reading, entry, "unknown setting", str_from(entry->name));
		return true;
	}
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		if (strcmp(entry->name, role_names[role]) != 0)
			continue;
		if (!read_role(str_from(entry->value), reading, role, &word))
			warn_at(reading, entry, "unknown colour or attribute", word);
		return true;
	}
	warn_at(reading, entry, "unknown role", str_from(entry->name));
	return true;
}

static const char *builtin_name_at(const void *unused, size_t index)
{
	(void)unused;
	return index < ARRAY_LEN(builtin) ? builtin[index].name : NULL;
}

static bool refuse_name(const struct reading *reading, struct str name, struct error *err)
{
	struct buf names = { 0 };

	names_write(builtin_name_at, NULL, &names);
	error_set(err, "there is no theme '%.*s'; known are %s, and your own in %s", STR_ARG(str_head(name, 60)), buf_z(&names),
	          reading->folder ? reading->folder : "the configuration's themes/");
	buf_fini(&names);
	return false;
}

const char *theme_light_form(struct str name)
{
	for (size_t i = 0; name.len && i < ARRAY_LEN(builtin); i++)
		if (strlen(builtin[i].name) > name.len && !strncmp(builtin[i].name, name.ptr, name.len) &&
		    !strcmp(builtin[i].name + name.len, LIGHT_FORM))
			return builtin[i].name;
	return NULL;
}

static bool read_builtin(struct reading *reading, struct str name, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(builtin); i++)
		if (str_is(name, builtin[i].name))
			return ini_read_text(str_from(builtin[i].text), builtin[i].name, visit, reading, err);
	struct str dark = str_ends(name, DARK_FORM) ? str_head(name, name.len - strlen(DARK_FORM)) : STR_NONE;
	return theme_light_form(dark) ? read_builtin(reading, dark, err) : refuse_name(reading, name, err);
}

static bool is_file_name(struct str name)
{
	return name.len && name.len < sizeof ((struct theme *)0)->name && name.ptr[0] != '.' && !memchr(name.ptr, '/', name.len);
}

static bool read_named_theme(struct reading *reading, struct str name, bool own_is_builtin, struct error *err)
{
	char path[4096];
	int len;

	if (!reading->folder || !is_file_name(name) || (own_is_builtin && str_equal(name, reading->name)))
		return read_builtin(reading, name, err);
	len = snprintf(path, sizeof path, "%s/%.*s.ini", reading->folder, STR_ARG(name));
	if (len < 0 || (size_t)len >= sizeof path || access(path, R_OK) != 0)
		return read_builtin(reading, name, err);
	reading->name = name;
	return ini_read_file(path, visit, reading, err);
}

/* Roles not listed are children of `text`, which is 0. */
static const enum role_name parents[ROLE_COUNT] = {
	[ROLE_SHEET_TITLE] = ROLE_SHEET, [ROLE_SHEET_CHOSEN] = ROLE_SHEET, [ROLE_SHEET_MATCH] = ROLE_SHEET,
	[ROLE_SHEET_MUTED] = ROLE_SHEET, [ROLE_SHEET_EDGE] = ROLE_SHEET, [ROLE_SHEET_TROUBLE] = ROLE_TROUBLE,
	[ROLE_KEYWORD] = ROLE_CODE, [ROLE_TYPE] = ROLE_CODE, [ROLE_STRING] = ROLE_CODE, [ROLE_COMMENT] = ROLE_CODE,
	[ROLE_NUMBER] = ROLE_CODE, [ROLE_PREPROCESSOR] = ROLE_CODE, [ROLE_CODE_WORD] = ROLE_CODE, [ROLE_CODE_LABEL] = ROLE_CODE,
	[ROLE_HIT_CURRENT] = ROLE_HIT, [ROLE_ADDED] = ROLE_SUCCESS, [ROLE_REMOVED] = ROLE_TROUBLE,
	[ROLE_PROMPT] = ROLE_USER_TEXT, [ROLE_PROMPT_BAR] = ROLE_PROMPT, [ROLE_PROMPT_MUTED] = ROLE_PROMPT,
};

/* The role that a background is inherited from; it precedes the heir in the list. Inline code is on the page, a diff on the band of code,
 * an error of the program on a sheet. */
static enum role_name background_parent(enum role_name role)
{
	switch ((int)role) {
	case ROLE_CODE_WORD: return ROLE_TEXT;
	case ROLE_SHEET_TROUBLE: return ROLE_SHEET;
	case ROLE_ADDED:
	case ROLE_REMOVED: return ROLE_CODE;
	default: return parents[role];
	}
}

/* Fills in omitted values. In the list of roles, parents come before their children. */
static void resolve_looks(const bool *given, const struct style *read, struct style *styles)
{
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		struct style parent = role == ROLE_TEXT ? (struct style){ COLOUR_DEFAULT, COLOUR_DEFAULT, 0 } : styles[parents[role]];
		struct style style = given[role] ? read[role] : parent;

		if (!given[role])
			style.bg = COLOUR_PARENT;
		if (style.fg == COLOUR_PARENT)
			style.fg = parent.fg;
		if (style.bg == COLOUR_PARENT)
			style.bg = role == ROLE_TEXT ? parent.bg : styles[background_parent((enum role_name)role)].bg;
		styles[role] = style;
	}
}

static void resolve(const struct reading *reading, struct theme *theme)
{
	resolve_looks(reading->given, reading->styles, theme->styles);
	resolve_looks(reading->given, reading->sixteen, theme->sixteen);
}

static void name_theme(struct theme *theme, struct str name)
{
	memset(theme->name, 0, sizeof theme->name);
	memcpy(theme->name, name.ptr, name.len < sizeof theme->name ? name.len : sizeof theme->name - 1);
}

bool theme_load(struct theme *theme, struct str name, const char *folder, struct error *warn, struct error *err)
{
	struct reading reading = { .folder = folder, .warn = warn };

	if (warn)
		warn->text[0] = '\0';
	if (!read_named_theme(&reading, name, false, err))
		return false;
	resolve(&reading, theme);
	name_theme(theme, name);
	return true;
}

bool theme_read(struct theme *theme, struct str text, const char *name, struct error *warn, struct error *err)
{
	struct reading reading = { .warn = warn };

	if (warn)
		warn->text[0] = '\0';
	if (!ini_read_text(text, name, visit, &reading, err))
		return false;
	resolve(&reading, theme);
	name_theme(theme, str_from(name));
	return true;
}

const struct style *theme_styles(const struct theme *theme, int colours)
{
	return colours > 16 ? theme->styles : theme->sixteen;
}

bool theme_has_band(const struct theme *theme, enum role_name role, int colours)
{
	const struct style *styles = theme_styles(theme, colours);
	int32_t band = styles[role].bg, page = styles[ROLE_TEXT].bg;

	return colours && band != page && (colours > 256 || colour_reduce(band, colours) != colour_reduce(page, colours));
}

const char *theme_name_at(size_t index)
{
	return index < ARRAY_LEN(builtin) ? builtin[index].name : NULL;
}

const char *theme_for_background(int r, int g, int b)
{
	int32_t background = COLOUR_RGB(r, g, b);

	return colour_contrast(background, COLOUR_RGB(255, 255, 255)) >= colour_contrast(background, COLOUR_RGB(0, 0, 0)) ? "dark" : "light";
}
