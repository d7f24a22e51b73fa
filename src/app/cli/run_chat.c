#include "app/options/subcommand.h"

#include "app/options/options.h"
#include "app/plain/plain.h"
#include "app/screen/chat.h"
#include "app/system/output.h"

/* Arguments are the words of a template. */
int run_chat(const struct options *o)
{
	if (o->argument_count && !o->template)
		return usage_error("chat takes no prompt: type it in the chat, or ask one question with weir ask PROMPT");
	return plain_is_wanted(o) ? plain_main(o, NULL) : chat_main(o, NULL);
}
