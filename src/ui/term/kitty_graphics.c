#include "ui/term/kitty_graphics.h"

#include <stdio.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/utf8.h"
#include "render/theme.h"

#define FIRST_ID 0x776500u       /* ids of other programs are small or random */
#define PLACEHOLDER 0x10EEEEu
#define CHUNK_BYTES ((size_t)3072) /* 4096 in base64, the most that the protocol allows */
#define STEP_CHUNKS 8
#define END "\x1B\\"

/* --- placeholders --- */

/* The diacritics that stand for 0, 1, 2 and so on, in the order that the protocol defines. */
static const uint16_t diacritics[] = {
	0x0305, 0x030D, 0x030E, 0x0310, 0x0312, 0x033D, 0x033E, 0x033F, 0x0346, 0x034A, 0x034B, 0x034C, 0x0350, 0x0351,
	0x0352, 0x0357, 0x035B, 0x0363, 0x0364, 0x0365, 0x0366, 0x0367, 0x0368, 0x0369, 0x036A, 0x036B, 0x036C, 0x036D,
	0x036E, 0x036F, 0x0483, 0x0484, 0x0485, 0x0486, 0x0487, 0x0592, 0x0593, 0x0594, 0x0595, 0x0597, 0x0598, 0x0599,
	0x059C, 0x059D, 0x059E, 0x059F, 0x05A0, 0x05A1, 0x05A8, 0x05A9, 0x05AB, 0x05AC, 0x05AF, 0x05C4, 0x0610, 0x0611,
	0x0612, 0x0613, 0x0614, 0x0615, 0x0616, 0x0617, 0x0657, 0x0658, 0x0659, 0x065A, 0x065B, 0x065D, 0x065E, 0x06D6,
	0x06D7, 0x06D8, 0x06D9, 0x06DA, 0x06DB, 0x06DC, 0x06DF, 0x06E0, 0x06E1, 0x06E2, 0x06E4, 0x06E7, 0x06E8, 0x06EB,
	0x06EC, 0x0730, 0x0732, 0x0733, 0x0735, 0x0736, 0x073A, 0x073D, 0x073F, 0x0740, 0x0741, 0x0743, 0x0745, 0x0747, 0x0749, 0x074A,
	0x07EB, 0x07EC, 0x07ED, 0x07EE, 0x07EF, 0x07F0, 0x07F1, 0x07F3, 0x0816, 0x0817, 0x0818, 0x0819, 0x081B, 0x081C, 0x081D, 0x081E,
	0x081F, 0x0820, 0x0821, 0x0822, 0x0823, 0x0825, 0x0826, 0x0827, 0x0829, 0x082A, 0x082B, 0x082C, 0x082D, 0x0951, 0x0953, 0x0954,
	0x0F82, 0x0F83, 0x0F86, 0x0F87, 0x135D, 0x135E, 0x135F, 0x17DD, 0x193A, 0x1A17, 0x1A75, 0x1A76, 0x1A77, 0x1A78, 0x1A79, 0x1A7A,
	0x1A7B, 0x1A7C, 0x1B6B, 0x1B6D, 0x1B6E, 0x1B6F, 0x1B70, 0x1B71, 0x1B72, 0x1B73, 0x1CD0, 0x1CD1, 0x1CD2, 0x1CDA, 0x1CDB, 0x1CE0,
	0x1DC0, 0x1DC1, 0x1DC3, 0x1DC4, 0x1DC5, 0x1DC6, 0x1DC7, 0x1DC8, 0x1DC9, 0x1DCB, 0x1DCC, 0x1DD1, 0x1DD2, 0x1DD3, 0x1DD4, 0x1DD5,
	0x1DD6, 0x1DD7, 0x1DD8, 0x1DD9, 0x1DDA, 0x1DDB, 0x1DDC, 0x1DDD, 0x1DDE, 0x1DDF, 0x1DE0, 0x1DE1, 0x1DE2, 0x1DE3, 0x1DE4, 0x1DE5,
	0x1DE6, 0x1DE7, 0x1DE8, 0x1DE9,
};
_Static_assert(ARRAY_LEN(diacritics) >= PICTURE_COLUMNS_MOST && ARRAY_LEN(diacritics) >= PICTURE_ROWS_MOST, "each row and column has one");

int32_t kitty_colour(unsigned number)
{
	unsigned id = FIRST_ID + number;

	return COLOUR_RGB((int32_t)(id >> 16 & 255), (int32_t)(id >> 8 & 255), (int32_t)(id & 255));
}

void kitty_add_placeholder(struct buf *out, unsigned row, unsigned column)
{
	const uint32_t codes[] = { PLACEHOLDER, diacritics[row % ARRAY_LEN(diacritics)], diacritics[column % ARRAY_LEN(diacritics)] };
	char text[4];

	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		buf_add(out, str_of(text, utf8_put(text, codes[i])));
}

/* --- images --- */

void kitty_images_fini(struct kitty_images *k)
{
	buf_fini(&k->pixels);
}

void kitty_images_begin(struct kitty_images *k, unsigned number, const struct picture *picture)
{
	size_t len = (size_t)picture->pixels.width * picture->pixels.height * 3;

	if (k->sending)
		return;
	buf_clear(&k->pixels);
	buf_add(&k->pixels, str_of((const char *)picture->rgb, len));
	k->picture = *picture;
	k->picture.rgb = NULL;
	k->sending = number;
	k->sent = 0;
	k->states[number] = KITTY_SENDING;
}

bool kitty_images_has(const struct kitty_images *k, unsigned number)
{
	return k->states[number] == KITTY_THERE;
}

void kitty_images_drop(struct kitty_images *k, unsigned number)
{
	if (k->states[number])
		k->states[number] = KITTY_STALE;
}

bool kitty_images_has_work(const struct kitty_images *k)
{
	bool stale = false;

	for (unsigned n = 1; n <= KITTY_IMAGES; n++)
		stale |= k->states[n] == KITTY_STALE;
	return k->sending || stale;
}

/* --- bytes --- */

#define LAST_CHUNK "\x1B_Gq=2,m=0;" END /* an image that is not whole is discarded */
#define DELETION "\x1B_Ga=d,d=I,i=%u,q=2" END

static void kitty_delete(struct kitty_images *k, enum kitty_state least, struct buf *out)
{
	for (unsigned n = 1; n <= KITTY_IMAGES; n++)
		if (k->states[n] >= least) {
			buf_printf(out, DELETION, FIRST_ID + n);
			k->states[n] = KITTY_NONE;
		}
}

static void kitty_add_chunk(struct kitty_images *k, struct buf *out)
{
	struct str rest = str_skip(buf_str(&k->pixels), k->sent), chunk = str_head(rest, rest.len < CHUNK_BYTES ? rest.len : CHUNK_BYTES);
	struct image_size cells = k->picture.size, pixels = k->picture.pixels;

	buf_add(out, STR("\x1B_G"));
	if (!k->sent)
		buf_printf(out, "a=T,U=1,i=%u,t=d,f=24,s=%u,v=%u,c=%u,r=%u,", FIRST_ID + k->sending, pixels.width, pixels.height, cells.width,
		           (cells.height + 1) / 2);
	buf_printf(out, "q=2,m=%d;", chunk.len < rest.len);
	base64_encode(chunk, out);
	buf_add(out, STR(END));
	k->sent += chunk.len;
}

/* Between the chunks of an image there may be text, but no other command of the protocol. */
bool kitty_images_step(struct kitty_images *k, struct buf *out)
{
	if (!k->sending) {
		kitty_delete(k, KITTY_STALE, out);
		return false;
	}
	for (int i = 0; i < STEP_CHUNKS && k->sent < k->pixels.len; i++)
		kitty_add_chunk(k, out);
	if (k->sent < k->pixels.len)
		return false;
	bool needed = k->states[k->sending] == KITTY_SENDING;
	if (needed)
		k->states[k->sending] = KITTY_THERE;
	k->sending = 0;
	buf_fini(&k->pixels);
	return needed;
}

void kitty_images_delete_all(struct kitty_images *k, struct buf *out)
{
	if (k->sending && k->sent)
		buf_add(out, STR(LAST_CHUNK));
	k->sending = 0;
	buf_fini(&k->pixels);
	kitty_delete(k, KITTY_SENDING, out);
}

size_t kitty_write_deletion(char out[KITTY_DELETION_MOST])
{
	/* The crash may have cut a string short. */
	size_t len = (size_t)snprintf(out, KITTY_DELETION_MOST, "%s", END LAST_CHUNK);

	for (unsigned n = 1; n <= KITTY_IMAGES; n++)
		len += (size_t)snprintf(out + len, KITTY_DELETION_MOST - len, DELETION, FIRST_ID + n);
	return len;
}
