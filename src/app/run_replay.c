#include "app/subcommand.h"

#include <string.h>

#include "app/chat/chat.h"
#include "app/output.h"
#include "app/plain/plain.h"
#include "app/saved_stream.h"

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
	int status = saved_stream_choose(o, tape, &stream, &err)
	                     ? (plain_is_wanted(o) ? plain_main : chat_main)(o, tape, &stream, slash ? slash + 1 : o->arguments[0])
	                     : usage_error("%s", err.text);
	tape_free(tape);
	return status;
}
