#include "app/options/options.h"
#include "app/options/subcommand.h"

#include "app/plain/plain.h"
#include "app/screen/chat.h"
#include "app/session/replay_capture.h"
#include "app/system/output.h"

int run_replay(const struct options *o)
{
	struct replay replay;
	struct error err = { "" };

	if (!o->argument_count)
		return usage_error("replay takes a file: weir replay FILE...");
	if (o->argument_count > 1 && (plain_is_wanted(o) || replay_captures(o)))
		return usage_error("replay takes one file here: weir replay FILE; several are for the full screen");
	if (o->follow && replay_captures(o))
		return usage_error("--follow is for the screen; --to, --text and --svg take a complete tape");
	if (!replay_open(&replay, o, &err))
		return usage_error("%s", err.text);
	int status = replay_captures(o) ? replay_capture(&replay) : plain_is_wanted(o) ? plain_main(o, &replay) : chat_main(o, &replay);
	replay_close(&replay);
	return status;
}
