#include "app/ask/ask_request.h"

#include "app/ask/ask_tools.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "chat/conversation/attachments.h"

static bool ask_check_files(const struct setup *s, const struct request_message *message, struct error *err)
{
	const struct attachment_limits *limits = attachment_limits_of(str_from(s->target.protocol->name), str_from(s->target.provider->name));
	struct attachment_sum sum = { 0 };
	struct buf words = { 0 };
	bool good = true;

	for (size_t i = 0; good && i < message->part_count; i++) {
		const struct request_part *part = &message->parts[i];

		if (part->kind != PART_ATTACHMENT)
			continue;
		if (attachments_say_uncarried(limits, part, &words))
			complain("note: %s", buf_z(&words));
		else
			good = attachment_add(limits, part, &sum, err);
	}
	buf_fini(&words);
	return good;
}

bool ask_request_check(struct setup *s, const struct ask_input *question, struct error *err)
{
	return ask_tools_allow(s, err) && setup_read_files(s, err) && setup_check_server_tools(s, setup_server_tools(s), err) &&
	       ask_check_files(s, &question->message, err);
}
