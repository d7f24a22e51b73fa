#include "app/options/subcommand.h"

#include "app/plain/plain.h"
#include "app/screen/chat.h"

int run_chat(const struct options *o)
{
	return plain_is_wanted(o) ? plain_main(o, NULL) : chat_main(o, NULL);
}
