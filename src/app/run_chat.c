#include "app/chat.h"

int run_chat(const struct options *o)
{
	return chat_main(o, NULL, NULL, NULL);
}
