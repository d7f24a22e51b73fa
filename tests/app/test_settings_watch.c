/* The settings file is looked at once a second where its folder cannot be watched. */
#include "app/setup/settings_watch.h"

#include <stdio.h>

#include "app/options/options.h"
#include "app/program.h"
#include "app/setup/setup.h"
#include "base/os/folder_watch.h"
#include "net/source.h"
#include "support/check.h"

struct taker {
	unsigned asked;
	bool takes;
};

static bool count_take(void *ctx)
{
	struct taker *t = ctx;

	t->asked++;
	return t->takes;
}

static void run(struct settings_watch *w, int64_t now_ms)
{
	struct loop_member member = settings_watch_member(w);

	member.run(w, NULL, 0, now_ms);
}

static void without_a_watch_it_is_looked_at_each_second(void)
{
	struct options options = { .config = "/no such folder/weir.conf" };
	struct setup setup = { .options = &options };
	struct taker taker = { .takes = true };
	struct settings_watch w;

	settings_watch_open(&w, &setup, count_take, &taker);
	CU_ASSERT_EQUAL(w.fd, -1);
	int64_t look_ms = settings_watch_member(&w).deadline(&w);
	CU_ASSERT(look_ms > clock_now_ms() && look_ms <= clock_now_ms() + SETTINGS_LOOK_MS);
	run(&w, look_ms - 1);
	CU_ASSERT_EQUAL(taker.asked, 0);
	run(&w, look_ms);
	CU_ASSERT_EQUAL(taker.asked, 1);
	CU_ASSERT_EQUAL(settings_watch_member(&w).deadline(&w), look_ms + SETTINGS_LOOK_MS);
	/* as long as it is no time to read it: in each turn */
	taker.takes = false;
	run(&w, look_ms + SETTINGS_LOOK_MS);
	run(&w, look_ms + SETTINGS_LOOK_MS + 1);
	CU_ASSERT_EQUAL(taker.asked, 3);
	taker.takes = true;
	run(&w, look_ms + SETTINGS_LOOK_MS + 2);
	run(&w, look_ms + SETTINGS_LOOK_MS + 3);
	CU_ASSERT_EQUAL(taker.asked, 4);
	settings_watch_close(&w);
}

static void with_a_watch_the_loop_sleeps(void)
{
	char path[200];
	struct options options = { .config = path };
	struct setup setup = { .options = &options };
	struct taker taker = { .takes = true };
	struct settings_watch w;

	if (!folder_watch_is_there) {
		check_skip("POSIX has no watch of a folder");
		return;
	}
	snprintf(path, sizeof path, "%s/weir.conf", folder_path());
	settings_watch_open(&w, &setup, count_take, &taker);
	CU_ASSERT(w.fd >= 0);
	CU_ASSERT_EQUAL(settings_watch_member(&w).deadline(&w), NO_DEADLINE);
	settings_watch_close(&w);
	folder_remove();
}

const struct suite suite_settings_watch = { "settings_watch", (const struct test[]){
	TEST(without_a_watch_it_is_looked_at_each_second),
	TEST(with_a_watch_the_loop_sleeps),
	{ 0 },
} };
