/*
 * A folder of media, that of --media or one beside an exported document: each item that has data becomes a file NN.EXT, made anew. No file is
 * overwritten, no link is followed.
 */
#ifndef WEIR_APP_MEDIA_FOLDER_H
#define WEIR_APP_MEDIA_FOLDER_H

#include "wire/media_keeper.h"

struct media_folder { /* embedded; zero it before the first use */
	char *path;
	int fd;           /* 0: not open */
	bool is_made;     /* it was not there */
	long long last;   /* the number of the last file that media_folder_add() made */
	struct buf added; /* names of these files, each ended by a zero */
};

/* Opens the folder, or makes it if its parent is there. `path` NULL: nothing is done, and nothing will be written. */
MUST_USE bool media_folder_open(struct media_folder *f, const char *path, struct error *err);
/* NN is an item's place from 01 on, counted on from the highest number that a name in the folder begins with. Stops at the first failure. */
MUST_USE bool media_folder_write(struct media_folder *f, const struct media_keeper *kept, struct error *err);

/*
 * A folder beside a document, named after it: "talk-media" beside "talk.md". It is made with the first file; a link in its place is refused.
 * media_folder_add() has the form of export_beside's `add`: the address is "talk-media/01.png", percent-encoded.
 */
void media_folder_beside(struct media_folder *f, const char *document);
MUST_USE bool media_folder_add(void *folder, struct str bytes, struct str type, struct buf *address, struct error *err);
void media_folder_drop(struct media_folder *f); /* closes it, and removes what was added */
void media_folder_close(struct media_folder *f);

#endif
