#include "wire/price.h"

bool prices_are_known(const struct prices *prices)
{
	return prices->of[USAGE_PROMPT].known && prices->of[USAGE_COMPLETION].known;
}
