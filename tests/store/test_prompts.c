#include "store/files/prompts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/home.h"

#define FILE_NAME "weir/prompts"

static char *home;

static void begin(void) { home = home_begin("XDG_STATE_HOME"); }
static void end(void) { home_end(home); }

static void add(struct prompts *p, const char *text)
{
	struct error err = { "" };

	CHECK(prompts_add(p, str_from(text), &err), "%s: %s", text, err.text);
}

static struct buf content(void)
{
	struct error err = { "" };
	struct buf text;

	buf_init(&text, 1 << 20);
	CHECK(buf_read_file(&text, home_path(home, FILE_NAME), &err), "%s", err.text);
	return text;
}

static void expect_content(const char *expected)
{
	struct buf file = content();

	CHECK_STR(buf_str(&file), expected);
	buf_fini(&file);
}

static void leaves_no_file_behind_when_turned_off(void)
{
	begin();
	struct prompts *p = prompts_new(false);
	add(p, "a secret");
	CU_ASSERT_EQUAL(prompts_count(p), 1);
	CU_ASSERT_FALSE(home_has(home, FILE_NAME));
	prompts_free(p);
	home_write(home, FILE_NAME, "\"from before\"\n");
	p = prompts_new(false);
	CU_ASSERT_EQUAL(prompts_count(p), 0);
	prompts_free(p);
	end();
}

static void prompts_outlive_the_program(void)
{
	struct prompts *p;
	struct stat facts;

	begin();
	p = prompts_new(true);
	CU_ASSERT_EQUAL(prompts_count(p), 0);
	add(p, "one");
	add(p, "two\nlines \"quoted\" \xE4\xB8\xAD");
	add(p, "two\nlines \"quoted\" \xE4\xB8\xAD");
	add(p, "one");
	add(p, "");
	prompts_free(p);
	expect_content("\"one\"\n\"two\\nlines \\\"quoted\\\" \xE4\xB8\xAD\"\n\"one\"\n");
	CU_ASSERT_TRUE(stat(home_path(home, FILE_NAME), &facts) == 0 && (facts.st_mode & 0777) == 0600);
	p = prompts_new(true);
	CU_ASSERT_EQUAL(prompts_count(p), 3);
	CHECK_STR(prompts_at(p, 1), "two\nlines \"quoted\" \xE4\xB8\xAD");
	CHECK_STR(prompts_at(p, 2), "one");
	CHECK_STR(prompts_at(p, 3), "");
	prompts_free(p);
	end();
}

static void programs_share_the_file(void)
{
	struct prompts *a, *b;

	begin();
	a = prompts_new(true);
	b = prompts_new(true);
	add(a, "from a");
	add(b, "from b");
	add(a, "a again");
	prompts_free(a);
	prompts_free(b);
	a = prompts_new(true);
	CU_ASSERT_EQUAL(prompts_count(a), 3);
	CHECK_STR(prompts_at(a, 1), "from b");
	prompts_free(a);
	end();
}

static void broken_lines_are_skipped(void)
{
	struct prompts *p;

	begin();
	home_write(home, FILE_NAME, "\"good\"\n{\"no\":1}\nnot json\n\"cut off\n\n17\n\"last\"");
	p = prompts_new(true);
	CU_ASSERT_EQUAL(prompts_count(p), 2);
	CHECK_STR(prompts_at(p, 0), "good");
	CHECK_STR(prompts_at(p, 1), "last");
	prompts_free(p);
	end();
}

static void a_thousand_are_kept(void)
{
	struct prompts *p;
	struct buf text;
	size_t lines = 0;

	begin();
	buf_init(&text, 1 << 20);
	for (int i = 0; i < 1500; i++)
		buf_printf(&text, "\"prompt %d\"\n", i);
	home_write(home, FILE_NAME, buf_z(&text));
	buf_fini(&text);
	p = prompts_new(true);
	CU_ASSERT_EQUAL(prompts_count(p), PROMPTS_MOST);
	CHECK_STR(prompts_at(p, 0), "prompt 500");
	add(p, "one more");
	CU_ASSERT_EQUAL(prompts_count(p), PROMPTS_MOST);
	CHECK_STR(prompts_at(p, 0), "prompt 501");
	prompts_free(p);
	text = content();
	for (size_t i = 0; i < text.len; i++)
		lines += text.ptr[i] == '\n';
	CU_ASSERT_EQUAL(lines, PROMPTS_MOST + 1); /* shortened, then appended to */
	CU_ASSERT_TRUE(str_starts(buf_str(&text), "\"prompt 500\"\n"));
	buf_fini(&text);
	end();
}

static void the_end_of_a_huge_file_is_read(void)
{
	struct prompts *p;
	struct buf text;

	begin();
	buf_init(&text, 2 * PROMPTS_FILE_LIMIT);
	while (text.len < PROMPTS_FILE_LIMIT) {
		buf_add_z(&text, "\"");
		for (int i = 0; i < 5000; i++)
			buf_add_z(&text, "a long prompt ");
		buf_add_z(&text, "\"\n");
	}
	buf_add_z(&text, "\"the last\"\n");
	home_write(home, FILE_NAME, buf_z(&text));
	buf_fini(&text);
	p = prompts_new(true);
	CU_ASSERT_TRUE(prompts_count(p) > 100);
	CHECK_STR(prompts_at(p, prompts_count(p) - 1), "the last");
	CU_ASSERT_EQUAL(prompts_at(p, 0).len, 5000 * 14);
	prompts_free(p);
	end();
}

static void huge_prompts_stay_in_memory(void)
{
	struct prompts *p;
	struct buf text;

	begin();
	buf_init(&text, 1 << 20);
	while (text.len <= PROMPTS_ENTRY_LIMIT)
		buf_add_z(&text, "0123456789");
	p = prompts_new(true);
	add(p, buf_z(&text));
	CU_ASSERT_EQUAL(prompts_count(p), 1);
	CU_ASSERT_FALSE(home_has(home, FILE_NAME));
	prompts_free(p);
	buf_fini(&text);
	end();
}

/* What is not one of them stays as it is, also what another program adds later. */
static void prompts_are_removed(void)
{
	struct prompts_removal removal = { 0 };
	struct prompts *other = prompts_new(true);

	begin();
	home_write(home, FILE_NAME, "\"one\"\n\"two\\nlines\"\nnoise\n\"one\"\n\"one more\"\n\"cut");
	CU_ASSERT_EQUAL(prompts_count(other), 4);
	prompts_removal_add(&removal, STR("one"));
	prompts_removal_add(&removal, STR("two\nlines"));
	prompts_removal_add(&removal, STR("was never there"));
	prompts_removal_fini(&removal);
	expect_content("noise\n\"one more\"\n\"cut\n");
	add(other, "three");
	expect_content("noise\n\"one more\"\n\"cut\n\"three\"\n");
	prompts_free(other);
	end();
}

/* More than fit in memory at once are removed in several steps. */
static void many_prompts_are_removed(void)
{
	struct prompts_removal removal = { 0 };
	char *text = mem_new(PROMPTS_ENTRY_LIMIT + 1);

	begin();
	home_write(home, FILE_NAME, "\"a\"\n\"b\"\n\"c\"\n");
	prompts_removal_add(&removal, STR("a"));
	for (size_t bytes = 0; bytes < 2 * PROMPTS_FILE_LIMIT; bytes += PROMPTS_ENTRY_LIMIT) {
		memset(text, 'x', PROMPTS_ENTRY_LIMIT);
		prompts_removal_add(&removal, str_of(text, PROMPTS_ENTRY_LIMIT));
		CHECK(removal.bytes <= PROMPTS_FILE_LIMIT, "%zu bytes are gathered", removal.bytes);
	}
	prompts_removal_add(&removal, STR("c"));
	prompts_removal_fini(&removal);
	expect_content("\"b\"\n");
	mem_free(text);
	end();
}

/* Only the end of such a file is read. */
static void prompts_are_removed_from_a_huge_file(void)
{
	struct prompts_removal removal = { 0 };
	char *text = mem_new(PROMPTS_FILE_LIMIT + 100);

	begin();
	memset(text, 'x', PROMPTS_FILE_LIMIT + 99);
	memcpy(text, "\"a\"\n", 4);
	memcpy(text + PROMPTS_FILE_LIMIT + 90, "\n\"b\"\n", 6);
	text[PROMPTS_FILE_LIMIT + 96] = '\0';
	home_write(home, FILE_NAME, text);
	prompts_removal_add(&removal, STR("a"));
	prompts_removal_fini(&removal);
	expect_content("\"b\"\n");
	mem_free(text);
	end();
}

static void nothing_is_removed_without_a_file(void)
{
	struct prompts_removal removal = { 0 };

	begin();
	prompts_removal_add(&removal, STR("one"));
	prompts_removal_fini(&removal);
	CU_ASSERT_FALSE(home_has(home, FILE_NAME));
	end();
}

static void write_errors_are_reported(void)
{
	struct error err = { "" };
	struct prompts *p;

	begin();
	home_write(home, "file", "");
	setenv("XDG_STATE_HOME", home_path(home, "file"), 1);
	p = prompts_new(true);
	CU_ASSERT_FALSE(prompts_add(p, STR("one"), &err));
	CHECK(strstr(err.text, "/file"), "%s", err.text);
	CU_ASSERT_EQUAL(prompts_count(p), 1);
	prompts_free(p);
	CU_ASSERT_FALSE(prompts_keep_draft(STR("draft"), &err));
	end();
}

static void a_draft_comes_back_once(void)
{
	struct error err = { "" };
	struct buf draft;
	struct stat facts;

	begin();
	buf_init(&draft, 1 << 20);
	CU_ASSERT_FALSE(prompts_take_draft(&draft, &err));
	CU_ASSERT_TRUE(prompts_keep_draft(STR(""), &err));
	CU_ASSERT_FALSE(home_has(home, "weir/draft"));
	CU_ASSERT_TRUE(prompts_keep_draft(STR("half a\n\"thought\""), &err));
	CU_ASSERT_TRUE(stat(home_path(home, "weir/draft"), &facts) == 0 && (facts.st_mode & 0777) == 0600);
	CU_ASSERT_TRUE(prompts_keep_draft(STR("half another"), &err));
	CU_ASSERT_TRUE(prompts_take_draft(&draft, &err));
	CHECK_STR(buf_str(&draft), "half another");
	CU_ASSERT_FALSE(prompts_take_draft(&draft, &err));
	CU_ASSERT_EQUAL(draft.len, 0);
	buf_fini(&draft);
	buf_init(&draft, 2 * PROMPTS_DRAFT_LIMIT);
	while (draft.len <= PROMPTS_DRAFT_LIMIT)
		buf_add_z(&draft, "0123456789abcde\n");
	CU_ASSERT_FALSE(prompts_keep_draft(buf_str(&draft), &err));
	CU_ASSERT_TRUE(prompts_keep_draft(str_head(buf_str(&draft), PROMPTS_DRAFT_LIMIT), &err));
	CU_ASSERT_TRUE(prompts_take_draft(&draft, &err));
	CU_ASSERT_EQUAL(draft.len, PROMPTS_DRAFT_LIMIT);
	buf_fini(&draft);
	end();
}

/* --- files that are not private --- */

static void refuses(const char *words)
{
	struct error err = { "" };
	struct prompts *p = prompts_new(true);
	struct buf draft;

	buf_init(&draft, 1 << 20);
	CU_ASSERT_EQUAL(prompts_count(p), 0);
	CHECK(!prompts_add(p, STR("a secret"), &err), "%s", words);
	CHECK(str_starts(str_from(err.text), "prompts stay in memory: ") && strstr(err.text, words), "%s", err.text);
	CU_ASSERT_EQUAL(prompts_count(p), 1);
	CU_ASSERT_FALSE(prompts_keep_draft(STR("a secret"), &err));
	CHECK(str_starts(str_from(err.text), "the draft is lost: ") && strstr(err.text, words), "%s", err.text);
	CU_ASSERT_FALSE(prompts_take_draft(&draft, &err));
	buf_fini(&draft);
	prompts_free(p);
}

static void links_are_neither_read_nor_written(void)
{
	struct error err = { "" };
	struct buf text;
	struct stat facts;

	begin();
	buf_init(&text, 1 << 20);
	home_write(home, "weir/x", "");
	home_write(home, "precious", "\"a line\"\n");
	chmod(home_path(home, "precious"), 0644);
	CU_ASSERT_EQUAL(symlink("../precious", home_path(home, "weir/prompts")), 0);
	CU_ASSERT_EQUAL(symlink("../precious", home_path(home, "weir/draft")), 0);
	refuses("remove the link ");
	CU_ASSERT_FALSE(prompts_take_draft(&text, &err));
	CHECK(str_starts(str_from(err.text), "the draft is not restored: remove the link ") && strstr(err.text, "/weir/draft"), "%s", err.text);
	CU_ASSERT(buf_read_file(&text, home_path(home, "precious"), &err));
	CHECK_STR(buf_str(&text), "\"a line\"\n");
	CU_ASSERT_TRUE(stat(home_path(home, "precious"), &facts) == 0 && (facts.st_mode & 0777) == 0644);
	unlink(home_path(home, "precious"));
	refuses("remove the link ");
	CU_ASSERT_FALSE(home_has(home, "precious"));
	CU_ASSERT_TRUE(lstat(home_path(home, "weir/draft"), &facts) == 0 && S_ISLNK(facts.st_mode));
	buf_fini(&text);
	end();
}

static void a_folder_of_others_is_not_used(void)
{
	begin();
	home_write(home, FILE_NAME, "\"planted\"\n");
	home_write(home, "weir/draft", "\"planted\"\n");
	chmod(home_path(home, "weir"), 0777);
	refuses("/weir: others may write to it");
	CU_ASSERT_TRUE(home_has(home, "weir/draft"));
	end();
}

static void files_that_others_may_write_to_are_not_used(void)
{
	begin();
	home_write(home, FILE_NAME, "\"planted\"\n");
	home_write(home, "weir/draft", "\"planted\"\n");
	chmod(home_path(home, "weir/prompts"), 0666);
	chmod(home_path(home, "weir/draft"), 0620);
	refuses(": others may write to it");
	CU_ASSERT_TRUE(home_has(home, "weir/draft"));
	end();
}

const struct suite suite_prompts = { "prompts", (const struct test[]){
	TEST(leaves_no_file_behind_when_turned_off),
	TEST(prompts_outlive_the_program), TEST(programs_share_the_file), TEST(broken_lines_are_skipped), TEST(a_thousand_are_kept),
	TEST(the_end_of_a_huge_file_is_read), TEST(huge_prompts_stay_in_memory), TEST(prompts_are_removed), TEST(many_prompts_are_removed),
	TEST(prompts_are_removed_from_a_huge_file), TEST(nothing_is_removed_without_a_file), TEST(write_errors_are_reported), TEST(a_draft_comes_back_once),
	TEST(links_are_neither_read_nor_written), TEST(a_folder_of_others_is_not_used), TEST(files_that_others_may_write_to_are_not_used),
	{ 0 } } };
