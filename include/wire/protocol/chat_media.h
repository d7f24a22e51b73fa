/*
 * Media and tools of the server in deltas and messages of Chat Completions: pictures, audio, Groq's executed tools.
 */
#ifndef WEIR_WIRE_CHAT_MEDIA_H
#define WEIR_WIRE_CHAT_MEDIA_H

#include "base/base64.h"
#include "base/digest.h"
#include "wire/protocol/protocol.h"

struct chat_media { /* zero it to initialize */
	struct chat_told { char digest[DIGEST_HEX + 1]; } *told; /* of pictures that came: deltas and a final message repeat each other */
	size_t told_count, told_capacity;
	bool has_audio, heard;           /* an item of audio is under way; one has begun */
	unsigned audio;
	struct buf audio_id;             /* "" while unknown */
	int64_t audio_expires;           /* seconds since 1970; 0: unknown */
	struct base64_reader reader;
	struct chat_executed { int64_t index; unsigned tool; } *executed;
	size_t executed_count, executed_capacity;
};

void chat_media_fini(struct chat_media *m);

void chat_media_pictures(struct decoder *d, struct chat_media *m, const struct json *images);  /* `images` */
void chat_media_picture(struct decoder *d, struct chat_media *m, const struct json *element);  /* one of them, or a part of `content` */
void chat_media_audio(struct decoder *d, struct chat_media *m, const struct json *audio);
void chat_media_executed(struct decoder *d, struct chat_media *m, const struct json *tools);   /* `executed_tools` */

void chat_media_finish(struct decoder *d, struct chat_media *m); /* there is a finish reason: audio has come to its end */
void chat_media_end(struct decoder *d, struct chat_media *m);    /* the answer has come to a proper end */

#endif
