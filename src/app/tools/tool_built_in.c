#include "app/tools/tool_built_in.h"

#include <time.h>

#include "base/array.h"

static bool clock_answer(struct str arguments, struct buf *out)
{
	char words[80];
	time_t now = time(NULL);
	struct tm local;

	(void)arguments;
	if (!localtime_r(&now, &local) || !strftime(words, sizeof words, "%A, %Y-%m-%d %H:%M:%S %z", &local)) {
		buf_add_z(out, "the clock cannot be read");
		return false;
	}
	return buf_add_z(out, words);
}

static const struct tool_built_in all[] = {
	{ "clock", "Reads the clock of the user's computer: day, date, time and offset from UTC.",
	  "{\"type\":\"object\",\"properties\":{},\"additionalProperties\":false}", clock_answer },
};

const struct tool_built_in *tool_built_in_at(size_t index)
{
	return index < ARRAY_LEN(all) ? &all[index] : NULL;
}
