/*
 * Media of an answer: pictures, audio, video and files that the model gave. What they are by their type, their first bytes and their place,
 * and how servers refer to them.
 */
#ifndef WEIR_WIRE_MEDIA_H
#define WEIR_WIRE_MEDIA_H

#include <stdint.h>

#include "base/json.h"

#define MEDIA_KINDS(X) X(IMAGE, "image") X(AUDIO, "audio") X(VIDEO, "video") X(FILE, "file")

enum media_kind {
#define X(upper, word) MEDIA_##upper,
	MEDIA_KINDS(X)
#undef X
};

/* An item as known so far. Members that are unknown are STR_NONE. */
struct media_facts {
	enum media_kind kind;
	struct str id;
	struct str type;       /* MIME type, as sent or by the first bytes */
	struct str url;        /* where it lies, if the server sent a URL in place of data */
	struct str sha256;     /* hex of all its decoded bytes */
	size_t bytes;          /* decoded bytes of the picture that is kept, or of all pieces of the audio */
	unsigned partials;     /* partial pictures that came before the final one */
	bool whole;            /* at its end: all of it came */
	bool failed;           /* the server says that it failed; in no event */
	bool thought;          /* the picture is part of the model's reasoning */
};

#define MEDIA_BYTES_DEFAULT ((size_t)64 << 20) /* maximum of decoded data that is kept of an answer */

const char *media_kind_name(enum media_kind kind); /* "image" */
bool media_kind_find(struct str name, enum media_kind *kind);

/* The kind that a type names; `place` without a type. */
enum media_kind media_kind_of(struct str type, enum media_kind place);

#define MEDIA_HEAD 16 /* first bytes that media_sniff() looks at */
/* The type that the first bytes tell, STR_NONE if they tell none. */
struct str media_sniff(struct str head);
/* True for types that say nothing: none, application/octet-stream, binary/octet-stream. */
bool media_type_is_open(struct str type);
/* Whether two types, with parameters or not, mean the same: image/jpg and image/jpeg do. */
bool media_types_agree(struct str a, struct str b);
/* The suffix of a file name, without a dot: by the first bytes, else by the type, else "bin". */
const char *media_suffix(struct str head, struct str type);

/* The type that a format of Chat Completions' audio stands for ("wav", "pcm16"); STR_NONE: none. */
struct str media_audio_type(struct str format);

/* What stands where servers put a URL: a data: URL, a URL, or bare base64. Borrows. */
struct media_reference {
	struct str url;     /* SCHEME://...; STR_NONE: there is data */
	struct str type;    /* of a data: URL; STR_NONE if it has none */
	struct str data;    /* base64, or percent-encoded */
	bool is_percent;
	struct blob *packed; /* the data, decoded already (json_packed()); NULL: it is `data` */
};
struct media_reference media_reference_read(struct str text);
struct media_reference media_reference_of(const struct json *value); /* that of a string; nothing of other values */
struct media_reference media_base64_of(const struct json *value);    /* a string that is base64, whatever it looks like */
bool media_reference_has_data(const struct media_reference *reference);
/* The decoded data, which the caller drops. NULL if it cannot be read, or is empty. */
struct blob *media_reference_decode(const struct media_reference *reference);

#endif
