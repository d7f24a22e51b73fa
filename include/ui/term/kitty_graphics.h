/*
 * Kitty's graphics protocol, with Unicode placeholders: an image is sent once and gets an id; cells of text show its parts. So the
 * image scrolls, is covered and goes away as text does.
 *
 * Images are known by numbers, from 1 to KITTY_IMAGES. Ids are made from numbers, never from content. The terminal sends no replies
 * (q=2). Bytes in, bytes out: no descriptor. The pixels are sent in steps, so that frames can go between them.
 */
#ifndef WEIR_UI_KITTY_GRAPHICS_H
#define WEIR_UI_KITTY_GRAPHICS_H

#include "base/text.h"
#include "ui/picture.h"

#define KITTY_IMAGES 24u

/* Asks whether the protocol is known. The reply of a terminal that knows it is KITTY_REPLY, after its ESC. */
#define KITTY_QUERY "\x1B_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1B\\"
#define KITTY_REPLY "_Gi=31;OK"

enum kitty_state {
	KITTY_NONE,      /* the terminal does not have it */
	KITTY_SENDING,
	KITTY_THERE,
	KITTY_STALE,     /* nobody needs it: to be deleted */
};

struct kitty_images {
	enum kitty_state states[KITTY_IMAGES + 1]; /* by number */
	unsigned sending;          /* number of the image on its way; 0: none */
	struct picture picture;    /* of that one; its pixels are in `pixels` */
	struct buf pixels;
	size_t sent;               /* bytes of `pixels` */
};

void kitty_images_fini(struct kitty_images *k);

/* Begins to send an image, whose pixels are copied. It replaces the one with its number. Does nothing while another one is on its way. */
void kitty_images_begin(struct kitty_images *k, unsigned number, const struct picture *picture);
bool kitty_images_has(const struct kitty_images *k, unsigned number);

/* The image is no longer needed: the next step deletes it. */
void kitty_images_drop(struct kitty_images *k, unsigned number);

bool kitty_images_has_work(const struct kitty_images *k);
/* Appends up to 32 KB of the image on its way, or deletions. True: an image is complete. */
bool kitty_images_step(struct kitty_images *k, struct buf *out);

/* Ends the transmission and deletes everything that the terminal has. */
void kitty_images_delete_all(struct kitty_images *k, struct buf *out);

/* Writes what ends a transmission and deletes every image that may have been sent, for a crash. Returns the length. */
#define KITTY_DELETION_MOST (KITTY_IMAGES * 40 + 40)
size_t kitty_write_deletion(char out[KITTY_DELETION_MOST]);

/* The cell of an image: a placeholder with its row and column as diacritics. The foreground colour is kitty_colour(). */
void kitty_add_placeholder(struct buf *out, unsigned row, unsigned column);
int32_t kitty_colour(unsigned number); /* COLOUR_RGB */

#endif
