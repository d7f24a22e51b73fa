/*
 * Reads any file as settings and as a theme, and fills its templates. Rules: an error message names the file and contains no control bytes; a theme that was read
 * has valid styles only.
 *
 * input: the file
 */
#include <sys/mman.h>
#include <unistd.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "render/theme.h"
#include "store/config/settings.h"

static const char *no_variable(const char *name)
{
	(void)name;
	return NULL;
}

static void check_sentence(const char *sentence)
{
	struct str rest = str_from(sentence);

	FUZZ_CHECK(utf8_is_valid(rest), "a sentence is valid UTF-8");
	while (rest.len) {
		uint32_t code = utf8_next(&rest);

		FUZZ_CHECK(code >= 0x20 && !(code >= 0x7F && code < 0xA0), "no control byte in a sentence");
	}
}

/* What is filled in is text, whatever it looks like; only the prompt has places. */
static void fill_template(const struct template *t)
{
	struct template_words with;
	struct buf out = { 0 };
	struct error err = { "" };

	if (t->prompt_file) /* it names a file of this machine */
		return;
	template_split(t, STR("one \"two words\" {1} {{ three four five six seven eight nine ten"), &with);
	if (template_fill(t, &with, &out, &err))
		FUZZ_CHECK(out.len <= SETTINGS_TEXT_LIMIT, "a prompt has a limit");
	else
		check_sentence(err.text);
	buf_fini(&out);
}

static void read_settings(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[32];
	struct providers *providers = providers_new(no_variable);
	struct settings settings;
	struct error err = { "" };

	if (fd < 0) {
		fd = memfd_create("weir.conf", 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	}
	FUZZ_CHECK(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size, "the file is written");
	settings_init(&settings);
	if (!settings_read(&settings, providers, path, &err)) {
		FUZZ_CHECK(strstr(err.text, path), "an error names its file");
		check_sentence(err.text);
	}
	for (size_t i = 0; i < settings.templates.count; i++)
		fill_template(&settings.templates.items[i]);
	settings_fini(&settings);
	providers_free(providers);
}

static void check_colour(int32_t colour)
{
	FUZZ_CHECK(colour >= COLOUR_DEFAULT && colour <= 0x1FFFFFF && (colour < 256 || colour >= 0x1000000), "a colour that screens know");
	for (int colours = 0; colours <= 256; colours += colours ? 240 : 16)
		FUZZ_CHECK(colour_reduce(colour, colours) < (colours ? colours : 1), "as few colours as there are");
}

static void read_theme(const uint8_t *data, size_t size)
{
	struct theme theme;
	struct error warning = { "" }, err = { "" };

	if (!theme_read(&theme, str_of((const char *)data, size), "fuzzed", &warning, &err)) {
		FUZZ_CHECK(err.text[0], "an error has a sentence");
		check_sentence(err.text);
		return;
	}
	check_sentence(warning.text);
	for (size_t i = 0; i < ROLE_COUNT; i++) {
		check_colour(theme.styles[i].fg);
		check_colour(theme.styles[i].bg);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_settings(data, size);
	read_theme(data, size);
	return 0;
}
