#include "chat/conversation/attachments.h"

#include <string.h>

#include "chat/conversation/turn.h"
#include "chat/conversation/projection.h"

bool attachments_check(const struct attachment_limits *limits, const struct part *files, size_t count, struct error *err)
{
	struct attachment_sum sum = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct request_part part = {
			.kind = PART_ATTACHMENT, .text = buf_str(&files[i].text), .name = str_from(files[i].name), .media = str_from(files[i].media),
		};

		/* The path of a file that was just attached is its name. */
		for (size_t at = part.name.len; at-- > 0;)
			if (part.name.ptr[at] == '/') {
				part.name = str_skip(part.name, at + 1);
				break;
			}
		if (attachment_is_carried(limits, &part) && !attachment_add(limits, &part, &sum, err))
			return false;
	}
	return true;
}

bool attachments_say_uncarried(const struct attachment_limits *limits, const struct request_part *file, struct buf *out)
{
	enum attachment kind = attachment_kind(file);

	buf_clear(out);
	if (attachment_is_carried(limits, file))
		return false;
	if (kind == ATTACHMENT_OTHER)
		buf_printf(out, "%.*s was left out: it is neither a text nor an image or a PDF.", STR_ARG(file->name));
	else
		buf_printf(out, "%.*s was left out: %s does not carry %s.", STR_ARG(file->name),
		           limits->provider ? limits->provider : limits->protocol, attachment_words(kind));
	return true;
}

/* Leaves out one file if it does not fit. */
static void attachments_fit_one(const struct attachment_limits *limits, struct projection *p, size_t message, size_t part,
                                struct attachment_sum *sum, attachments_tell *tell, void *ctx)
{
	const struct request_part *file = &p->messages[message].parts[part];
	struct buf words = { 0 };
	struct error err;
	bool left = attachments_say_uncarried(limits, file, &words);

	if (!left && !attachment_add(limits, file, sum, &err)) {
		left = true;
		buf_printf(&words, "%.*s was left out: %s.", STR_ARG(file->name), err.text);
	}
	if (left) {
		tell(ctx, buf_str(&words));
		projection_say_instead(p, message, part, attachment_left_out(file, &words));
	}
	buf_fini(&words);
}

void attachments_fit(const struct attachment_limits *limits, struct projection *p, attachments_tell *tell, void *ctx)
{
	struct attachment_sum sum = { 0 };

	for (size_t m = p->count; m-- > 0;)
		for (size_t i = 0; i < p->messages[m].part_count; i++)
			if (p->messages[m].parts[i].kind == PART_ATTACHMENT || p->messages[m].parts[i].kind == PART_MEDIA)
				attachments_fit_one(limits, p, m, i, &sum, tell, ctx);
}

const char *attachments_name(const char *name)
{
	const char *slash = *name == '!' || strstr(name, "://") ? NULL : strrchr(name, '/');

	return slash && slash[1] ? slash + 1 : name;
}
