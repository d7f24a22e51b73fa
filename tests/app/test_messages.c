#include "app/system/messages.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"

static void the_newest_message_comes_first_and_old_ones_are_forgotten(void)
{
	static struct messages messages;
	char text[20];

	CU_ASSERT_PTR_NULL(messages_at(&messages, 0));
	for (unsigned i = 0; i < MESSAGES_MOST + 3; i++) {
		snprintf(text, sizeof text, "message %u", i);
		messages_add(&messages, SEVERITY_INFORMATION, text);
	}
	CHECK(!strcmp(messages_at(&messages, 0)->text, text), "%s", messages_at(&messages, 0)->text);
	CHECK(!strcmp(messages_at(&messages, MESSAGES_MOST - 1)->text, "message 3"), "%s", messages_at(&messages, MESSAGES_MOST - 1)->text);
	CU_ASSERT_PTR_NULL(messages_at(&messages, MESSAGES_MOST));
}

static void errors_are_told_apart_and_repetitions_are_one(void)
{
	static struct messages messages;
	char words[40];

	messages_add(&messages, SEVERITY_INFORMATION, "copied");
	messages_add(&messages, SEVERITY_ERROR, "no room on the disk");
	messages_add(&messages, SEVERITY_ERROR, "no room on the disk");
	messages_add(&messages, SEVERITY_INFORMATION, "");
	CU_ASSERT_EQUAL(messages.count, 2);
	message_words(messages_at(&messages, 0), words, sizeof words);
	CHECK(strstr(words, ":") && strstr(words, " error"), "%s", words);
	message_words(messages_at(&messages, 1), words, sizeof words);
	CHECK(!strstr(words, "error"), "%s", words);
}

const struct suite suite_messages = { "messages", (const struct test[]){
	TEST(the_newest_message_comes_first_and_old_ones_are_forgotten),
	TEST(errors_are_told_apart_and_repetitions_are_one),
	{ 0 } } };
