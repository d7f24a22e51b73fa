#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "support/check.h"

static void those_that_are_left_are_counted(void)
{
	struct error err = { "" };
	int next = dup(STDERR_FILENO);
	struct rlimit before, few;

	close(next);
	getrlimit(RLIMIT_NOFILE, &before);
	few = (struct rlimit){ (rlim_t)next + 3, before.rlim_max };
	setrlimit(RLIMIT_NOFILE, &few);
	CU_ASSERT_TRUE(descriptors_ensure(0, &err));
	CU_ASSERT_TRUE(descriptors_ensure(3, &err));
	CU_ASSERT_TRUE(descriptors_ensure(3, &err)); /* none of them stays open */
	CU_ASSERT_FALSE(descriptors_ensure(4, &err));
	CHECK(strstr(err.text, "4 are needed, 3 are left") != NULL, "%s", err.text);
	setrlimit(RLIMIT_NOFILE, &before);
	CU_ASSERT_TRUE(descriptors_ensure(DESCRIPTORS_MOST, &err));
}

const struct suite suite_descriptors = { "descriptors", (const struct test[]){ TEST(those_that_are_left_are_counted), { 0 } } };
