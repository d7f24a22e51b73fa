/* The helper that decodes images, as a process: every form of image comes out, and code in a decoder does no harm. */
#include "app/system/picture_helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/os/sandbox.h"
#include "program.h"
#include "support/check.h"
#include "support/images.h"
#include "support/preload.h"

/* "48 32\n" and the pixels: the first is red, the last is blue. */
static void check_flag(const char *name, const struct program *p)
{
	static const char head[] = "48 32\n";
	size_t pixels = (size_t)IMAGES_WIDTH * IMAGES_HEIGHT * 3;
	struct str rgb = str_skip(buf_str(&p->output), sizeof head - 1);
	const uint8_t *first = (const uint8_t *)rgb.ptr, *last = first + pixels - 3;

	CHECK(p->status == 0 && str_starts(buf_str(&p->output), head) && rgb.len == pixels, "%s: status %d, %zu bytes", name, p->status, p->output.len);
	if (rgb.len == pixels)
		CHECK(first[0] > 245 && first[2] < 10 && last[0] < 10 && last[2] > 245, "%s: %d %d, %d %d", name, first[0], first[2], last[0], last[2]);
}

static void every_form_is_decoded(void)
{
	for (const struct images_form *form = images_forms; form->name; form++) {
		struct buf bytes = { 0 };
		struct program p;

		form->encode(false, &bytes);
		program_run(&p, buf_str(&bytes), ARGS(PICTURE_HELPER_WORD, "100", "100"), NULL);
		check_flag(form->name, &p);
		program_free(&p);
		buf_fini(&bytes);
	}
	folder_remove();
}

/* tests/sweep/hostile.c is in the place of libpng. */
static void code_in_a_decoder_does_no_harm(void)
{
	const char *preload = preload_variable("hostile"), *victim = folder_file("victim", "precious");
	char variable[300];
	struct buf bytes = { 0 };
	struct program p;
	struct stat facts;

	if (!preload || !sandbox_is_whole) {
		check_skip(preload ? "POSIX has no filter of system calls" : "nothing can be preloaded here");
		folder_remove();
		return;
	}
	snprintf(variable, sizeof variable, "WEIR_VICTIM=%s", victim);
	CU_ASSERT_EQUAL(chmod(victim, 0600), 0);
	images_forms[0].encode(false, &bytes);
	CU_ASSERT_EQUAL(program_run(&p, buf_str(&bytes), ARGS(PICTURE_HELPER_WORD, "100", "100"), (const char *const[]){ preload, variable, NULL }), 0);
	CU_ASSERT_STRING_EQUAL(buf_z(&p.output), "tried\n");
	CHECK(stat(victim, &facts) == 0 && (facts.st_mode & 0777) == 0600 && facts.st_size == 8 && facts.st_nlink == 1, "%o", facts.st_mode);
	program_free(&p);
	buf_fini(&bytes);
	folder_remove();
}

const struct suite suite_picture_helper = { "picture_helper", (const struct test[]){
	TEST(every_form_is_decoded), TEST(code_in_a_decoder_does_no_harm), { 0 } } };
