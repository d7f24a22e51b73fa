/*
 * Turns that were being written when the program ended: what the tape holds of them and the history does not.
 *
 * The history has what had arrived up to a second before the end, the tape up to the last bytes that were written. The tape is decoded as
 * the answer was, and replaces what is stored of its request if it holds more.
 */
#include "app/keep/resume_tape.h"

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "net/tape.h"
#include "store/files/tapes.h"

#define TAPE_MOST ((size_t)64 << 20) /* a longer one would keep the user waiting; it is still there for weir replay */

/* --- decoding --- */

static void resume_take_delta(void *ctx, const struct delta *delta)
{
	struct turn *t = ctx;

	meter_delta(&t->meter, delta);
	turn_delta(t, delta);
}

static void resume_decode(const struct tape *tape, struct turn *t)
{
	const struct tape_info *facts = tape_facts(tape);
	const struct stream_options options = {
		.protocol = t->scope.protocol ? t->scope.protocol : protocol_find(facts->protocol), .dialect = dialect_find(facts->dialect),
		.asked = tape_asked(tape), .untimed = tape_is_plain(tape),
	};
	struct stream *stream = stream_new(&options, resume_take_delta, t);

	(void)tape_feed(tape, stream, 0, NULL, NULL);
	stream_free(stream);
}

static size_t resume_bytes_from(const struct turn *t, size_t part)
{
	size_t bytes = 0;

	for (; part < t->part_count; part++)
		bytes += t->parts[part].text.len;
	return bytes;
}

static bool resume_tape_holds_more(const struct tape *tape, const struct turn *t)
{
	struct conversation *scratch = conversation_new();
	struct turn *decoded = conversation_answer(scratch, STR(""), t->scope.protocol, STR(""));
	bool more;

	resume_decode(tape, decoded);
	more = resume_bytes_from(decoded, 0) > resume_bytes_from(t, t->open_from) || decoded->outcome != OUTCOME_CUT;
	conversation_free(scratch);
	return more;
}

/* --- the turn --- */

/* An answer of several requests is left as it is stored: the tape is that of the last one. */
bool resume_take_tape(struct turn *t)
{
	struct tape *tape = NULL;
	struct error ignored;
	struct buf text;
	bool takes;

	if (!t->tape || t->joint_count)
		return false;
	buf_init(&text, TAPE_MOST);
	takes = tapes_read_left(t->tape, &text) && tape_from_text(&tape, buf_str(&text), &ignored) && !tape_is_plain(tape) &&
	        resume_tape_holds_more(tape, t);
	if (takes) {
		turn_receive_again(t);
		resume_decode(tape, t);
	}
	tape_free(tape);
	buf_fini(&text);
	return takes;
}
