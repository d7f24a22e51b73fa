#include "app/subcommand.h"

#include "app/chat/chat.h"
#include "app/plain/plain.h"

int run_chat(const struct options *o)
{
	return plain_is_wanted(o) ? plain_main(o, NULL) : chat_main(o, NULL);
}
