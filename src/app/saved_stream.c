#include "app/saved_stream.h"

#include "app/setup.h"

bool saved_stream_choose(const struct options *o, const struct tape *tape, struct stream_options *stream, struct error *err)
{
	const struct tape_info *facts = tape_facts(tape);

	*stream = (struct stream_options){ .single_choice = tape_single_choice(tape), .untimed = tape_is_plain(tape) };
	stream->protocol = o->protocol ? protocol_named(o->protocol, err) : protocol_find(facts->protocol);
	if (o->protocol && !stream->protocol)
		return false;
	stream->dialect = o->dialect ? dialect_named(o->dialect, err) : dialect_find(facts->dialect);
	return !o->dialect || stream->dialect;
}
