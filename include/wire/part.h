/*
 * Kinds of parts of a message, shared by requests (wire/request.h) and the conversation (chat/conversation/conversation.h).
 *
 * Opaque parts are kept byte for byte and sent back only to the same provider, protocol and model. Each has a format; a protocol sends
 * back the formats it knows and omits the others. An opaque part belongs to the part before it (OPAQUE_*_SIGNATURE,
 * OPAQUE_EXTRA_CONTENT) or is an item of its own at its position.
 */
#ifndef WEIR_WIRE_PART_H
#define WEIR_WIRE_PART_H

enum part_kind {
	PART_TEXT,
	PART_REASONING,
	PART_REFUSAL,
	PART_TOOL_CALL,
	PART_TOOL_RESULT,
	PART_ATTACHMENT,
	PART_OPAQUE,
	PART_MEDIA,         /* a picture, a sound or a file that the model gave */
	PART_SERVER_TOOL,   /* a tool that the server ran itself */
	PART_SERVER_RESULT, /* what it gave */
};

#define OPAQUE_ANTHROPIC_SIGNATURE "anthropic-signature" /* data: the signature of the reasoning part before it */
#define OPAQUE_ANTHROPIC_REDACTED  "anthropic-redacted"  /* data: a redacted_thinking block's data */
#define OPAQUE_ANTHROPIC_BLOCK     "anthropic-block"     /* data: a whole content block as JSON (server tools and their results) */
#define OPAQUE_REASONING_DETAILS   "reasoning-details"   /* data: the merged reasoning_details array as JSON */
#define OPAQUE_REASONING_CONTENT   "reasoning-content"   /* data: "": the reasoning of this turn was received as reasoning_content */
#define OPAQUE_EXTRA_CONTENT       "extra-content"       /* data: extra_content of the tool call (tool_index) as JSON */
#define OPAQUE_AUDIO_EXPIRES       "audio-expires"       /* data: until when the server has the sound before it under its id: seconds since 1970 */
#define OPAQUE_GEMINI_SIGNATURE    "gemini-signature"    /* data: thoughtSignature of the part, call or media before it */
#define OPAQUE_GEMINI_PART         "gemini-part"         /* data: a whole part as JSON (code, its result, server tools, a file, a signature) */
#define OPAQUE_RESPONSES_ITEM      "responses-item"      /* data: a reasoning item as JSON, without its status */

#endif
