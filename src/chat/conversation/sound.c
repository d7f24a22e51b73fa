#include "chat/conversation/sound.h"

#include "base/blob.h"
#include "chat/conversation/turn.h"

#define WAV_HEAD 44u /* bytes of its head, if the format comes first (Microsoft, Multimedia Programming Interface 1.0, "RIFF WAVE") */
#define WAV_FORMAT 16u /* bytes of the format in it */
#define WAV_PCM 1u
#define RAW_RATE 24000u /* samples a second of a type that names no rate: that of the OpenAI and Gemini protocols */
#define RAW_BYTES 2u    /* of a sample */

static bool type_is_raw(struct str type)
{
	return str_starts(type, "audio/pcm") || str_starts(type, "audio/L16");
}

static uint32_t raw_rate(struct str type)
{
	struct str rate = str_skip(type, str_find(type, STR("rate=")) + 5), digits;
	long long samples = RAW_RATE;

	if (str_split(&rate, ';', &digits) && (!str_to_int(digits, &samples) || samples > UINT32_MAX / RAW_BYTES))
		samples = RAW_RATE;
	return (uint32_t)samples;
}

static uint32_t wav_rate(struct str data) /* bytes a second */
{
	const unsigned char *at = (const unsigned char *)data.ptr + 28;

	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

double sound_ms(struct str type, struct str data)
{
	bool is_wav = data.len > WAV_HEAD && str_starts(data, "RIFF");
	uint32_t rate = is_wav ? wav_rate(data) : type_is_raw(type) ? RAW_BYTES * raw_rate(type) : 0;

	return rate ? (double)(data.len - (is_wav ? WAV_HEAD : 0)) * 1000 / rate : 0;
}

bool sound_is_raw(const struct part *media)
{
	return media->media_kind == MEDIA_AUDIO && type_is_raw(str_from(media->media)) && !media_sniff(blob_str(media->data)).len;
}

static void add_number(struct buf *out, uint32_t number, unsigned bytes)
{
	for (; bytes--; number >>= 8)
		buf_add_byte(out, (char)(number & 0xFF));
}

static void add_wav_head(uint32_t rate, uint32_t bytes, struct buf *out)
{
	buf_add_z(out, "RIFF");
	add_number(out, bytes + WAV_HEAD - 8, 4);
	buf_add_z(out, "WAVEfmt ");
	add_number(out, WAV_FORMAT, 4);
	add_number(out, WAV_PCM, 2);
	add_number(out, 1, 2); /* channels */
	add_number(out, rate, 4);
	add_number(out, rate * RAW_BYTES, 4);
	add_number(out, RAW_BYTES, 2);
	add_number(out, 8 * RAW_BYTES, 2);
	buf_add_z(out, "data");
	add_number(out, bytes, 4);
}

struct str sound_file(const struct part *media, struct buf *made)
{
	struct str data = blob_str(media->data);

	if (!sound_is_raw(media))
		return data;
	add_wav_head(raw_rate(str_from(media->media)), (uint32_t)data.len, made);
	return data.len <= UINT32_MAX - WAV_HEAD && buf_add(made, data) ? buf_str(made) : STR_NONE;
}

const char *sound_suffix(const struct part *media, struct str type)
{
	return sound_is_raw(media) ? "wav" : media_suffix(blob_str(media->data), type);
}
