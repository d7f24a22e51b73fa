/*
 * Sounds of answers as files. Some servers send raw samples (audio/L16, audio/pcm): 16 bits, little-endian, one channel, at the rate that
 * their type names. No player opens these by themselves, so a head of WAV stands before them in a file that is opened, saved or attached. What
 * is kept and exported stays as it came.
 */
#ifndef WEIR_CHAT_SOUND_H
#define WEIR_CHAT_SOUND_H

#include "base/text.h"

struct part;

#define SOUND_MADE "raw samples, with the head of WAV before them" /* what a message says of such a file */

double sound_ms(struct str type, struct str data); /* how long it plays; 0: unknown */
bool sound_is_raw(const struct part *media);       /* a sound without a head of its own */
/* The bytes of an item of media as a file: its own, or those in `made`, which the caller frees. Empty if they are too many. */
struct str sound_file(const struct part *media, struct buf *made);
/* The suffix of such a file, without a dot: by the first bytes, or by the type. */
const char *sound_suffix(const struct part *media, struct str type);

#endif
