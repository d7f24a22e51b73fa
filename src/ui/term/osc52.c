#include "ui/term/osc52.h"

#include <stdlib.h>

#include "base/base64.h"

#define SCREEN_PIECE 240 /* versions of screen differ in how many bytes they pass through at once; all pass this many */

static bool osc52_is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

enum osc52_way osc52_way_here(void)
{
	return osc52_is_set("TMUX") ? OSC52_TMUX : osc52_is_set("STY") ? OSC52_SCREEN : OSC52_PLAIN;
}

bool osc52_fits(struct str text)
{
	return (text.len + 2) / 3 * 4 <= OSC52_LIMIT;
}

static void osc52_add_in_pieces(struct buf *out, struct str sequence)
{
	for (; sequence.len; sequence = str_skip(sequence, SCREEN_PIECE)) {
		buf_add_z(out, "\x1BP");
		buf_add(out, str_head(sequence, SCREEN_PIECE));
		buf_add_z(out, "\x1B\\");
	}
}

void osc52_add(struct buf *out, struct str text, enum osc52_way way)
{
	struct buf sequence;

	buf_init(&sequence, OSC52_LIMIT + 16);
	buf_add_z(&sequence, "\x1B]52;c;");
	base64_encode(text, &sequence);
	buf_add_byte(&sequence, '\a');
	if (way != OSC52_SCREEN)
		buf_add(out, buf_str(&sequence));
	if (way == OSC52_TMUX) {
		buf_add_z(out, "\x1BPtmux;\x1B"); /* every ESC inside must be doubled */
		buf_add(out, buf_str(&sequence));
		buf_add_z(out, "\x1B\\");
	} else if (way == OSC52_SCREEN) {
		osc52_add_in_pieces(out, buf_str(&sequence));
	}
	buf_fini(&sequence);
}
