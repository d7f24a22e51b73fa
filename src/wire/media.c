#include "wire/media.h"

#include "base/array.h"
#include "base/base64.h"
#include "base/percent.h"

static const char *const kind_names[] = {
#define X(upper, word) [MEDIA_##upper] = word,
	MEDIA_KINDS(X)
#undef X
};

const char *media_kind_name(enum media_kind kind)
{
	return kind_names[kind];
}

bool media_kind_find(struct str name, enum media_kind *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(kind_names); i++)
		if (str_is(name, kind_names[i])) {
			*kind = (enum media_kind)i;
			return true;
		}
	return false;
}

/* --- types --- */

/* Without its parameters. */
static struct str bare_type(struct str type)
{
	return str_trim(str_head(type, str_find(type, STR(";"))));
}

static bool type_is(struct str type, const char *word)
{
	return str_is_nocase(bare_type(type), word);
}

static bool starts_nocase(struct str text, const char *prefix)
{
	struct str head = str_head(text, str_from(prefix).len);

	return str_is_nocase(head, prefix);
}

enum media_kind media_kind_of(struct str type, enum media_kind place)
{
	if (!type.len)
		return place;
	return starts_nocase(type, "image/") ? MEDIA_IMAGE : starts_nocase(type, "audio/") ? MEDIA_AUDIO :
	       starts_nocase(type, "video/") ? MEDIA_VIDEO : MEDIA_FILE;
}

bool media_type_is_open(struct str type)
{
	return !type.len || type_is(type, "application/octet-stream") || type_is(type, "binary/octet-stream");
}

/* Other names of a type that the table of first bytes has. */
static const char *const same_types[][2] = {
	{ "image/jpg", "image/jpeg" }, { "image/pjpeg", "image/jpeg" }, { "image/x-png", "image/png" }, { "image/heif", "image/heic" },
	{ "audio/wave", "audio/wav" }, { "audio/x-wav", "audio/wav" }, { "audio/vnd.wave", "audio/wav" }, { "audio/mp3", "audio/mpeg" },
	{ "audio/x-flac", "audio/flac" }, { "audio/opus", "audio/ogg" }, { "audio/x-m4a", "audio/mp4" }, { "audio/m4a", "audio/mp4" },
	{ "audio/webm", "video/webm" }, { "video/ogg", "audio/ogg" }, { "application/ogg", "audio/ogg" }, { "video/quicktime", "video/mp4" },
	{ "application/x-zip-compressed", "application/zip" },
};

static struct str common_type(struct str type)
{
	type = bare_type(type);
	for (size_t i = 0; i < ARRAY_LEN(same_types); i++)
		if (str_is_nocase(type, same_types[i][0]))
			return str_from(same_types[i][1]);
	return type;
}

bool media_types_agree(struct str a, struct str b)
{
	struct str first = common_type(a), second = common_type(b);

	if (first.len != second.len)
		return false;
	for (size_t i = 0; i < first.len; i++)
		if (char_lower(first.ptr[i]) != char_lower(second.ptr[i]))
			return false;
	return true;
}

static bool begins_with(struct str bytes, struct str start)
{
	return bytes.len >= start.len && str_equal(str_head(bytes, start.len), start);
}

/* Data of a type begins with `start`, and has `then` at an offset. The first row that matches counts. */
struct str media_sniff(struct str head)
{
	const struct { struct str start; size_t at; struct str then; const char *type; } signatures[] = {
		{ STR("\x89PNG\r\n\x1a\n"), 0, STR_NONE, "image/png" },
		{ STR("\xff\xd8\xff"), 0, STR_NONE, "image/jpeg" },
		{ STR("GIF87a"), 0, STR_NONE, "image/gif" },
		{ STR("GIF89a"), 0, STR_NONE, "image/gif" },
		{ STR("RIFF"), 8, STR("WEBP"), "image/webp" },
		{ STR_NONE, 4, STR("ftypavif"), "image/avif" },
		{ STR_NONE, 4, STR("ftyphei"), "image/heic" },
		{ STR("<svg"), 0, STR_NONE, "image/svg+xml" },
		{ STR("RIFF"), 8, STR("WAVE"), "audio/wav" },
		{ STR("ID3"), 0, STR_NONE, "audio/mpeg" },
		{ STR("\xff\xfb"), 0, STR_NONE, "audio/mpeg" },
		{ STR("\xff\xf3"), 0, STR_NONE, "audio/mpeg" },
		{ STR("\xff\xf2"), 0, STR_NONE, "audio/mpeg" },
		{ STR("\xff\xf1"), 0, STR_NONE, "audio/aac" },
		{ STR("\xff\xf9"), 0, STR_NONE, "audio/aac" },
		{ STR("fLaC"), 0, STR_NONE, "audio/flac" },
		{ STR("OggS"), 0, STR_NONE, "audio/ogg" },
		{ STR_NONE, 4, STR("ftypM4A"), "audio/mp4" },
		{ STR_NONE, 4, STR("ftyp"), "video/mp4" },
		{ STR("\x1a\x45\xdf\xa3"), 0, STR_NONE, "video/webm" },
		{ STR("%PDF-"), 0, STR_NONE, "application/pdf" },
		{ STR("PK\x03\x04"), 0, STR_NONE, "application/zip" },
	};

	for (size_t i = 0; i < ARRAY_LEN(signatures); i++)
		if (begins_with(head, signatures[i].start) && begins_with(str_skip(head, signatures[i].at), signatures[i].then))
			return str_from(signatures[i].type);
	return STR_NONE;
}

static const char *const suffixes[][2] = {
	{ "image/png", "png" }, { "image/jpeg", "jpg" }, { "image/gif", "gif" }, { "image/webp", "webp" }, { "image/avif", "avif" },
	{ "image/heic", "heic" }, { "image/svg+xml", "svg" }, { "audio/wav", "wav" }, { "audio/mpeg", "mp3" }, { "audio/aac", "aac" },
	{ "audio/flac", "flac" }, { "audio/ogg", "ogg" }, { "audio/mp4", "m4a" }, { "video/mp4", "mp4" }, { "video/webm", "webm" },
	{ "application/pdf", "pdf" }, { "application/zip", "zip" }, { "audio/l16", "pcm" }, { "audio/pcm", "pcm" },
	{ "application/json", "json" }, { "text/plain", "txt" }, { "text/csv", "csv" },
};

const char *media_suffix(struct str head, struct str type)
{
	struct str told = media_sniff(head);

	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
		if (media_types_agree(told.len ? told : type, str_from(suffixes[i][0])))
			return suffixes[i][1];
	return "bin";
}

struct str media_audio_type(struct str format)
{
	static const char *const types[][2] = {
		{ "wav", "audio/wav" }, { "mp3", "audio/mpeg" }, { "flac", "audio/flac" }, { "opus", "audio/ogg" }, { "aac", "audio/aac" },
		{ "pcm16", "audio/pcm;rate=24000" },
	};

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (str_is(format, types[i][0]))
			return str_from(types[i][1]);
	return STR_NONE;
}

/* --- references --- */

/* Letters, then what a scheme may have, then "://" (RFC 3986, 3.1). */
static bool is_url(struct str text)
{
	size_t i = 0;

	while (i < text.len && (char_is_word(text.ptr[i]) || text.ptr[i] == '+' || text.ptr[i] == '-' || text.ptr[i] == '.'))
		i++;
	return i && !char_is_digit(text.ptr[0]) && begins_with(str_skip(text, i), STR("://"));
}

struct media_reference media_reference_read(struct str text)
{
	struct media_reference reference = { .data = text };

	if (!starts_nocase(text, "data:")) {
		if (is_url(text))
			reference = (struct media_reference){ .url = text };
		return reference;
	}
	struct str rest = str_skip(text, sizeof "data:" - 1);
	size_t comma = str_find(rest, STR(","));
	struct str head = str_head(rest, comma), mark = STR(";base64");
	reference.data = str_skip(rest, comma + (comma < rest.len));
	reference.is_percent = head.len < mark.len || !str_is_nocase(str_skip(head, head.len - mark.len), mark.ptr);
	if (!reference.is_percent)
		head = str_head(head, head.len - mark.len);
	if (bare_type(head).len)
		reference.type = head;
	return reference;
}

struct media_reference media_base64_of(const struct json *value)
{
	struct str before, after;
	struct blob *packed = json_packed(value, &before, &after);

	if (packed && !before.len && !after.len)
		return (struct media_reference){ .packed = packed };
	return (struct media_reference){ .data = json_text(value) };
}

struct media_reference media_reference_of(const struct json *value)
{
	struct str before, after;
	struct blob *packed = json_packed(value, &before, &after);
	struct media_reference reference;

	if (packed && !after.len && (!before.len || str_ends(before, ","))) {
		reference = media_reference_read(before);
		reference.packed = packed;
		if (!reference.data.len && !reference.url.len && !reference.is_percent)
			return reference;
	}
	return media_reference_read(json_text(value));
}

bool media_reference_has_data(const struct media_reference *reference)
{
	return reference->packed || reference->data.len;
}

struct blob *media_reference_decode(const struct media_reference *reference)
{
	struct base64_reader reader = { 0 };
	struct buf bytes = { 0 };

	if (reference->packed)
		return blob_hold(reference->packed);
	if (reference->is_percent)
		percent_decode(reference->data, &bytes);
	else if (!base64_read(&reader, reference->data, &bytes) || !base64_read_end(&reader))
		buf_clear(&bytes);
	if (bytes.len)
		return blob_of(&bytes);
	buf_fini(&bytes);
	return NULL;
}
