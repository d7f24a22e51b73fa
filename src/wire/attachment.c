#include "wire/attachment.h"

#include "base/array.h"
#include "base/utf8.h"
#include "wire/media.h"

#define MIB ((size_t)1 << 20)
#define FENCE_LEAST 3
#define KIND(name) (1u << ATTACHMENT_##name)

/*
 * Sources of the limits, looked up in November 2026. Where the documents of a provider disagree, or its limit depends on the model, the
 * row has the largest figure: the server refuses the rest in its own words.
 *   openai      developers.openai.com, "Images and vision": PNG, JPEG, WEBP, GIF; 1500 images, 512 MB a request (until 2026: 500, 50 MB).
 *               "File inputs": less than 50 MB each. They are also less than 50 MB together, which is left to the server
 *   groq        console.groq.com, "Images and vision": 5 images; 4 MB a request with the models of 2025. 20 MB is reported for those of
 *               2026: not sure, so it is what is refused
 *   xai         docs.x.ai, "Image understanding": JPEG and PNG, 20 MiB each, any number
 *   mistral     docs.mistral.ai, "Vision": PNG, JPEG, WEBP, GIF; 8 images, 10 MB each
 *   anthropic   platform.claude.com, "Vision": 600 images (100 with a context of 200k), 10 MB each in base64 (5 MB on other clouds), 8000
 *               pixels an edge. More than 20 images: 2000 pixels, which the server does not always enforce, so it decides. "Errors":
 *               32 MB a request
 *   gemini      ai.google.dev, "File input methods": PDF 50 MB, a request 100 MB (its older pages: 20 MB). "Image understanding": PNG, JPEG,
 *               WEBP, HEIC, HEIF
 *   ollama      its server decodes PNG, JPEG and WebP; no document states a size
 * The documents of the five gateways state nothing about files: they have the row of the protocol.
 */
#define IMAGES_COMMON "image/png image/jpeg image/gif image/webp"
#define SOUNDS_OF_CHAT "audio/wav audio/mpeg" /* OpenAI API reference, input_audio.format: wav, mp3 */

static const struct attachment_limits attachment_table[] = {
	{ .protocol = "openai-chat", .provider = "openai", .kinds = KIND(IMAGE) | KIND(PDF) | KIND(AUDIO), .images = IMAGES_COMMON,
	  .sounds = SOUNDS_OF_CHAT,
	  .image_count = 1500, .pdf_bytes = 67 * MIB /* 50 MB in base64 */, .request_bytes = 512 * MIB },
	{ .protocol = "openai-chat", .provider = "groq", .kinds = KIND(IMAGE), .images = IMAGES_COMMON, .image_count = 5,
	  .request_bytes = 20 * MIB },
	{ .protocol = "openai-chat", .provider = "xai", .kinds = KIND(IMAGE), .images = "image/png image/jpeg",
	  .image_bytes = 27 * MIB /* 20 MiB in base64 */ },
	{ .protocol = "openai-chat", .provider = "mistral", .kinds = KIND(IMAGE) | KIND(PDF) | KIND(AUDIO), .images = IMAGES_COMMON,
	  .sounds = SOUNDS_OF_CHAT,
	  .image_count = 8, .image_bytes = 14 * MIB /* 10 MB in base64 */ },
	{ .protocol = "openai-chat", .kinds = KIND(IMAGE) | KIND(PDF) | KIND(AUDIO), .images = IMAGES_COMMON, .sounds = SOUNDS_OF_CHAT },
	{ .protocol = "openai-responses", .provider = "openai", .kinds = KIND(IMAGE) | KIND(PDF), .images = IMAGES_COMMON,
	  .image_count = 1500, .pdf_bytes = 67 * MIB /* 50 MB in base64 */, .request_bytes = 512 * MIB },
	{ .protocol = "openai-responses", .kinds = KIND(IMAGE) | KIND(PDF), .images = IMAGES_COMMON },
	{ .protocol = "anthropic", .kinds = KIND(IMAGE) | KIND(PDF), .images = IMAGES_COMMON, .image_count = 600, .image_bytes = 10 * MIB,
	  .edge_pixels = 8000, .request_bytes = 32 * MIB },
	{ .protocol = "gemini", .kinds = KIND(IMAGE) | KIND(PDF) | KIND(AUDIO) | KIND(VIDEO),
	  .images = "image/png image/jpeg image/webp image/heic image/heif", .pdf_bytes = 67 * MIB /* 50 MB in base64 */,
	  .request_bytes = 100 * MIB },
	{ .protocol = "ollama", .kinds = KIND(IMAGE), .images = "image/png image/jpeg image/webp" },
};

const struct attachment_limits *attachment_limits_of(struct str protocol, struct str provider)
{
	for (size_t i = 0; i < ARRAY_LEN(attachment_table); i++) {
		const struct attachment_limits *row = &attachment_table[i];

		if (str_is(protocol, row->protocol) && (!row->provider || str_is(provider, row->provider)))
			return row;
	}
	return NULL;
}

/* --- what a file is --- */

const char *attachment_media(struct str bytes)
{
	const struct { struct str first; size_t at; struct str second; const char *media; } marks[] = {
		{ STR("\x89PNG\r\n\x1a\n"), 0, STR_NONE, "image/png" },
		{ STR("\xff\xd8\xff"), 0, STR_NONE, "image/jpeg" },
		{ STR("GIF87a"), 0, STR_NONE, "image/gif" },
		{ STR("GIF89a"), 0, STR_NONE, "image/gif" },
		{ STR("RIFF"), 8, STR("WEBP"), "image/webp" },
		{ STR("RIFF"), 8, STR("WAVE"), "audio/wav" },
		{ STR_NONE, 4, STR("ftypheic"), "image/heic" },
		{ STR_NONE, 4, STR("ftypmif1"), "image/heif" },
		{ STR_NONE, 4, STR("ftypavif"), "image/avif" },
		{ STR_NONE, 4, STR("ftyp"), "video/mp4" },
		{ STR("II*\0"), 0, STR_NONE, "image/tiff" },
		{ STR("MM\0*"), 0, STR_NONE, "image/tiff" },
		{ STR("%PDF-"), 0, STR_NONE, "application/pdf" },
		{ STR("ID3"), 0, STR_NONE, "audio/mpeg" },
	};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (str_has_at(bytes, 0, marks[i].first) && str_has_at(bytes, marks[i].at, marks[i].second))
			return marks[i].media;
	return NULL;
}

enum attachment attachment_kind(const struct request_part *part)
{
	if (str_starts(part->media, "image/"))
		return ATTACHMENT_IMAGE;
	if (str_starts(part->media, "audio/"))
		return ATTACHMENT_AUDIO;
	if (str_starts(part->media, "video/"))
		return ATTACHMENT_VIDEO;
	if (str_is(part->media, "application/pdf"))
		return ATTACHMENT_PDF;
	return utf8_is_valid(part->text) ? ATTACHMENT_TEXT : ATTACHMENT_OTHER;
}

const char *attachment_words(enum attachment kind)
{
	static const char *const words[] = {
		[ATTACHMENT_IMAGE] = "an image", [ATTACHMENT_PDF] = "a PDF", [ATTACHMENT_AUDIO] = "a sound", [ATTACHMENT_VIDEO] = "a video",
		[ATTACHMENT_TEXT] = "a text", [ATTACHMENT_OTHER] = "a file of unknown kind",
	};

	return words[kind];
}

/* --- as text --- */

/* The longest run of backticks. */
static size_t attachment_backticks(struct str text)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < text.len; i++) {
		run = text.ptr[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void attachment_add_fence(struct buf *out, size_t backticks)
{
	while (backticks--)
		buf_add_byte(out, '`');
}

static void attachment_add_fenced(struct str text, struct buf *out)
{
	size_t longest = attachment_backticks(text), fence = longest < FENCE_LEAST ? FENCE_LEAST : longest + 1;

	attachment_add_fence(out, fence);
	buf_add_byte(out, '\n');
	buf_add(out, text);
	if (!str_ends(text, "\n"))
		buf_add_byte(out, '\n');
	attachment_add_fence(out, fence);
}

/* A name may hold any bytes: one with line ends must not read as more than a name. */
static void attachment_add_name(struct str name, struct buf *out)
{
	for (size_t i = 0; i < name.len; i++)
		buf_add_byte(out, (unsigned char)name.ptr[i] < ' ' || name.ptr[i] == 0x7F ? '?' : name.ptr[i]);
}

struct str attachment_left_out(const struct request_part *part, struct buf *scratch)
{
	buf_clear(scratch);
	buf_add_z(scratch, "(The file ");
	attachment_add_name(part->name, scratch);
	buf_printf(scratch, " of type %.*s was left out: it cannot be sent here.)", STR_ARG(part->media));
	return buf_str(scratch);
}

struct str attachment_text(const struct request_part *part, struct buf *scratch)
{
	buf_clear(scratch);
	if (attachment_kind(part) != ATTACHMENT_TEXT)
		return attachment_left_out(part, scratch);
	buf_add_z(scratch, "File ");
	attachment_add_name(part->name, scratch);
	buf_add_z(scratch, ":\n\n");
	attachment_add_fenced(part->text, scratch);
	return buf_str(scratch);
}

/* --- limits --- */

bool attachment_is_carried(const struct attachment_limits *limits, const struct request_part *part)
{
	enum attachment kind = attachment_kind(part);

	return kind == ATTACHMENT_TEXT || (limits->kinds & 1u << kind);
}

static bool attachment_type_is_listed(const char *list, struct str media)
{
	struct str rest = str_from(list), type;

	while (str_split(&rest, ' ', &type))
		if (media_types_agree(type, media))
			return true;
	return false;
}

/* "image/png image/jpeg" as "PNG, JPEG"; of sounds likewise. */
static void attachment_list_types(const char *list, struct buf *out)
{
	struct str rest = str_from(list), type;

	while (str_split(&rest, ' ', &type)) {
		buf_add_z(out, out->len ? ", " : "");
		for (size_t i = sizeof "image/" - 1; i < type.len; i++)
			buf_add_byte(out, (char)(type.ptr[i] - 'a' + 'A'));
	}
}

/* Who refuses. */
static const char *attachment_taker(const struct attachment_limits *limits)
{
	return limits->provider ? limits->provider : limits->protocol;
}

static bool attachment_refuse_type(const struct attachment_limits *limits, const struct request_part *part, const char *kind, const char *list,
                                   struct error *err)
{
	struct buf types = { 0 };

	attachment_list_types(list, &types);
	error_set(err, "%.*s is %.*s, and %s takes %s as %s: convert it", STR_ARG(part->name), STR_ARG(part->media),
	          attachment_taker(limits), kind, buf_z(&types));
	buf_fini(&types);
	return false;
}

/* A tenth of a MiB is enough to see what is over a limit. */
static double attachment_mib(size_t bytes)
{
	return (double)bytes / (double)MIB;
}

static bool attachment_image_fits(const struct attachment_limits *limits, const struct request_part *part, struct error *err)
{
	struct image_size size;

	if (!attachment_type_is_listed(limits->images, part->media))
		return attachment_refuse_type(limits, part, "images", limits->images, err);
	if (!limits->edge_pixels || !image_size_read(part->text, &size))
		return true;
	if (size.width <= limits->edge_pixels && size.height <= limits->edge_pixels)
		return true;
	return error_set(err, "%.*s has %u x %u pixels, and %s takes at most %u an edge: scale it down", STR_ARG(part->name), size.width,
	                 size.height, attachment_taker(limits), limits->edge_pixels);
}

bool attachment_add(const struct attachment_limits *limits, const struct request_part *part, struct attachment_sum *sum, struct error *err)
{
	enum attachment kind = attachment_kind(part);
	const char *taker = attachment_taker(limits);
	size_t encoded = kind == ATTACHMENT_TEXT ? part->text.len : (part->text.len + 2) / 3 * 4;
	size_t most = kind == ATTACHMENT_IMAGE ? limits->image_bytes : kind == ATTACHMENT_PDF ? limits->pdf_bytes : 0;
	size_t images = sum->images + (kind == ATTACHMENT_IMAGE);

	if (kind == ATTACHMENT_IMAGE && !attachment_image_fits(limits, part, err))
		return false;
	if (kind == ATTACHMENT_AUDIO && limits->sounds && !attachment_type_is_listed(limits->sounds, part->media))
		return attachment_refuse_type(limits, part, "sounds", limits->sounds, err);
	if (most && encoded > most)
		return error_set(err, "%.*s is too large: it takes %.1f MB in a request, and %s takes at most %.1f MB of %s", STR_ARG(part->name),
		                 attachment_mib(encoded), taker, attachment_mib(most), attachment_words(kind));
	if (limits->image_count && images > limits->image_count)
		return error_set(err, "%s takes at most %zu images in a request, and %.*s is one more", taker, limits->image_count,
		                 STR_ARG(part->name));
	if (limits->request_bytes && sum->bytes + encoded > limits->request_bytes)
		return error_set(err, "with %.*s the files take %.1f MB, and %s takes at most %.1f MB in a request", STR_ARG(part->name),
		                 attachment_mib(sum->bytes + encoded), taker, attachment_mib(limits->request_bytes));
	*sum = (struct attachment_sum){ images, sum->bytes + encoded };
	return true;
}
