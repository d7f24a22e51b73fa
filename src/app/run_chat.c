#include "app/chat.h"
#include "app/plain.h"

int run_chat(const struct options *o)
{
	return (plain_is_wanted(o) ? plain_main : chat_main)(o, NULL, NULL, NULL);
}
