/* Where the version stands besides options.h: what a release has to say in other languages. */
#include <stdio.h>
#include <string.h>

#include "app/options/options.h"
#include "support/check.h"

#define FILE_LIMIT ((size_t)1 << 20)

static const struct { const char *path, *text; } places[] = {
	{ "src/CHANGES.md", "# Changes\n\nFor users, newest first.\n\n## " WEIR_VERSION " (" WEIR_RELEASED ")\n" },
	{ "src/packaging/weir.weir.weir.metainfo.xml", "<releases>\n    <release version=\"" WEIR_VERSION "\" date=\"" WEIR_RELEASED "\">\n" },
	{ "src/packaging/APKBUILD", "\npkgver=" WEIR_VERSION "\n" },
	{ "src/packaging/PKGBUILD", "\npkgver=" WEIR_VERSION "\n" },
	{ "src/packaging/weir.spec", "{!?weir_version:%global weir_version " WEIR_VERSION "}\n" },
	{ "src/packaging/weir.spec", "} - " WEIR_VERSION "-1\n" },
	{ "src/man/weir.1", "\n.TH WEIR 1 \"" WEIR_RELEASED "\" \"weir " WEIR_VERSION "\" " },
};

static void the_version_is_everywhere_the_same(void)
{
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct buf text;
		struct error err = { "" };

		buf_init(&text, FILE_LIMIT);
		CHECK(buf_read_file(&text, places[i].path, &err), "%s", err.text);
		CHECK(strstr(buf_z(&text), places[i].text) != NULL, "%s has not \"%s\"", places[i].path, places[i].text);
		buf_fini(&text);
	}
}

const struct suite suite_release = { "release", (const struct test[]){ TEST(the_version_is_everywhere_the_same), { 0 } } };
