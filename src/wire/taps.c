#include "wire/taps.h"

/* For each function of a tap: its name, its parameters, what is passed on. */
#define TAPS(X) \
	X(head, (void *taps, const struct response_head *head, double at_ms), head, at_ms) \
	X(read, (void *taps, struct str bytes, double at_ms), bytes, at_ms) \
	X(oddity, (void *taps, enum framer_oddity oddity, enum framer_whose whose, size_t offset), oddity, whose, offset) \
	X(frame, (void *taps, const struct frame *frame, const struct frame_place *place, bool is_utf8), frame, place, is_utf8) \
	X(broken, (void *taps, struct str text, const struct frame_place *place), text, place) \
	X(done, (void *taps, const struct frame_place *place), place) \
	X(value, (void *taps, const struct protocol *protocol, const struct message *message), protocol, message) \
	X(repair, (void *taps, enum guard_mended repair), repair) \
	X(delta, (void *taps, const struct delta *delta), delta) \
	X(end, (void *taps, const struct protocol *protocol, enum end_how how, double at_ms), protocol, how, at_ms)

#define PASS(name, parameters, ...) \
	static void taps_##name parameters \
	{ \
		const struct taps *t = taps; \
		if (t->first->name) /* some may be left out */ \
			t->first->name(t->first->ctx, __VA_ARGS__); \
		if (t->second->name) \
			t->second->name(t->second->ctx, __VA_ARGS__); \
	}
TAPS(PASS)

const struct stream_tap *taps_join(struct taps *t, const struct stream_tap *first, const struct stream_tap *second)
{
#define MEMBER(name, ...) .name = taps_##name,
	*t = (struct taps){ .tap = { .ctx = t, TAPS(MEMBER) }, .first = first, .second = second };
#undef MEMBER
	return first && second ? &t->tap : first ? first : second;
}
