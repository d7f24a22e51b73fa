/* Templates of URIs: which place one types in, and the URI with a value in it. */
#include "wire/mcp/uri_template.h"

#include "support/check.h"

static void a_place_is_found_by_what_stands_before_it(void)
{
	static const struct { const char *pattern, *typed, *name, *values, *uri; } rows[] = {
		{ "res:/{name}", "res:/", "name", "|", "res:/a%2Fb%20c" }, { "res:/{name}", "res:/Ad", "name", "Ad|", "res:/a%2Fb%20c" },
		{ "res:/{name}", "res:", NULL, NULL, NULL }, { "res:/{name}", "red:/x", NULL, NULL, NULL }, { "res:/{name}", "res:/a/b", NULL, NULL, NULL },
		{ "file:///{+path}", "file:///a/b", "path", "a/b|", "file:///a/b%20c" }, { "{any}", "x", "any", "x|", "a%2Fb%20c" },
		{ "db://{table}/{row}", "db://us", "table", "us|", "db://a%2Fb%20c/{row}" }, { "db://{table}/{row}", "db://us/", "row", "us||", "db://us/a%2Fb%20c" },
		{ "db://{table}/{row}", "db://us/4", "row", "us|4|", "db://us/a%2Fb%20c" }, { "x:{a_b.c-d}.txt", "x:1", "a_b.c-d", "1|", "x:a%2Fb%20c.txt" },
		{ "x:{a}.txt", "x:1.txt", NULL, NULL, NULL }, { "x:{a", "x:1", NULL, NULL, NULL }, { "x:{}", "x:1", NULL, NULL, NULL },
		{ "x:{?q}", "x:1", NULL, NULL, NULL }, { "x:{a}{?q}", "x:1", "a", "1|", "x:a%2Fb%20c{?q}" }, { "x:{a,b}", "x:1", NULL, NULL, NULL },
		{ "x:{a:3}", "x:1", NULL, NULL, NULL }, { "x:", "x:", NULL, NULL, NULL }, { "", "", NULL, NULL, NULL },
		{ "{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}/{i}/{j}", "1/2/3/4/5/6/7/8/9/", NULL, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str typed = str_from(rows[i].typed);
		struct uri_match m;
		struct buf values = { 0 }, uri = { 0 };
		bool found = uri_template_match(str_from(rows[i].pattern), typed, &m);

		CHECK(found == (rows[i].name != NULL), "%s %s", rows[i].pattern, rows[i].typed);
		if (!found || !rows[i].name)
			continue;
		CHECK_STR(m.places[m.count - 1].name, rows[i].name);
		for (size_t k = 0; k < m.count; k++)
			buf_printf(&values, "%.*s|", STR_ARG(m.places[k].value));
		uri_template_write(&m, typed, STR("a/b c"), &uri);
		CHECK_STR(buf_str(&values), rows[i].values);
		CHECK_STR(buf_str(&uri), rows[i].uri);
		buf_fini(&values);
		buf_fini(&uri);
	}
}

const struct suite suite_uri_template = { "uri_template", (const struct test[]){ TEST(a_place_is_found_by_what_stands_before_it), { 0 } } };
