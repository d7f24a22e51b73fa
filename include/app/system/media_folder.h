/*
 * The folder of --media: each item of media that has data becomes a file NN.EXT, made anew. No file is overwritten, no link is followed.
 */
#ifndef WEIR_APP_MEDIA_FOLDER_H
#define WEIR_APP_MEDIA_FOLDER_H

#include "wire/media_keeper.h"

struct media_folder { /* embedded; zero it before the first use */
	char *path;
	int fd;     /* 0: not open */
};

/* Opens the folder, or makes it if its parent is there. `path` NULL: nothing is done, and nothing will be written. */
MUST_USE bool media_folder_open(struct media_folder *f, const char *path, struct error *err);
/* NN is an item's place from 01 on, counted on from the highest number that a name in the folder begins with. Stops at the first failure. */
MUST_USE bool media_folder_write(struct media_folder *f, const struct media_keeper *kept, struct error *err);
void media_folder_close(struct media_folder *f);

#endif
