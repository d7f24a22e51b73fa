/*
 * Keys that the program keeps for the user: files of one line below the configuration folder, "keys/NAME", which only their owner can read.
 * Settings name them (key_file); a key itself never stands in weir.conf.
 */
#ifndef WEIR_STORE_KEYS_H
#define WEIR_STORE_KEYS_H

#include "base/text.h"

/* "~/.config/weir/keys/NAME", as settings name the file and people read it. Heap. NULL without a home directory. */
char *keys_path(struct str provider);

/* Keeps the key of a provider: the file is replaced or created as a whole, folder 0700, file 0600. */
MUST_USE bool keys_keep(struct str provider, struct str key, struct error *err);

#endif
