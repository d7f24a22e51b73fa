#include "app/subcommand.h"

#include <string.h>

#include "app/chat/chat.h"
#include "app/output.h"
#include "app/plain/plain.h"
#include "app/setup.h"

/* Protocol and dialect come from the options, else from the tape. What neither names is detected. */
static bool replay_choose_stream(const struct options *o, const struct tape *tape, struct stream_options *stream, struct error *err)
{
	const struct tape_info *facts = tape_facts(tape);

	*stream = (struct stream_options){ .single_choice = tape_single_choice(tape), .untimed = tape_is_plain(tape) };
	stream->protocol = o->protocol ? protocol_named(o->protocol, err) : protocol_find(facts->protocol);
	if (o->protocol && !stream->protocol)
		return false;
	stream->dialect = o->dialect ? dialect_named(o->dialect, err) : dialect_find(facts->dialect);
	return !o->dialect || stream->dialect;
}

int run_replay(const struct options *o)
{
	struct stream_options stream;
	struct error err = { "" };
	struct tape *tape = NULL;

	if (o->argument_count != 1)
		return usage_error("replay takes one file: weir replay FILE");
	if (!tape_open(&tape, o->arguments[0], &err))
		return usage_error("%s", err.text);
	const char *slash = strrchr(o->arguments[0], '/');
	int status = replay_choose_stream(o, tape, &stream, &err)
	                     ? (plain_is_wanted(o) ? plain_main : chat_main)(o, tape, &stream, slash ? slash + 1 : o->arguments[0])
	                     : usage_error("%s", err.text);
	tape_free(tape);
	return status;
}
