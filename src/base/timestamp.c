#include "base/timestamp.h"

#include <stdio.h>

#define LAST_SECOND 253402300799 /* of the year 9999 */

bool timestamp_write(int64_t ms, char text[TIMESTAMP_BYTES])
{
	time_t seconds = (time_t)(ms / 1000);
	int fraction = (int)(ms % 1000);
	struct tm utc;
	size_t length;

	text[0] = '\0';
	if (ms < 0 || ms / 1000 > LAST_SECOND || !gmtime_r(&seconds, &utc))
		return false;
	length = strftime(text, TIMESTAMP_BYTES, "%Y-%m-%dT%H:%M:%S", &utc);
	if (fraction)
		snprintf(text + length, TIMESTAMP_BYTES - length, ".%03dZ", fraction);
	else
		snprintf(text + length, TIMESTAMP_BYTES - length, "Z");
	return true;
}

/* Takes a number of exactly `digits` digits, at most `most`. */
static bool take_number(struct str *rest, size_t digits, int most, int *number)
{
	long long value;

	if (rest->len < digits || !str_to_int(str_head(*rest, digits), &value) || value > most)
		return false;
	*rest = str_skip(*rest, digits);
	*number = (int)value;
	return true;
}

static bool take_sign(struct str *rest, const char *signs)
{
	for (; *signs; signs++)
		if (rest->len && rest->ptr[0] == *signs) {
			*rest = str_skip(*rest, 1);
			return true;
		}
	return false;
}

static bool take_date(struct str *rest, struct tm *utc)
{
	if (!take_number(rest, 4, 9999, &utc->tm_year) || !take_sign(rest, "-") || !take_number(rest, 2, 12, &utc->tm_mon) ||
	    !take_sign(rest, "-") || !take_number(rest, 2, 31, &utc->tm_mday) || !utc->tm_mon || !utc->tm_mday)
		return false;
	utc->tm_year -= 1900;
	utc->tm_mon--;
	return true;
}

static bool take_clock(struct str *rest, struct tm *utc, int *ms)
{
	int scale = 100;

	if (!take_number(rest, 2, 23, &utc->tm_hour) || !take_sign(rest, ":") || !take_number(rest, 2, 59, &utc->tm_min) ||
	    !take_sign(rest, ":") || !take_number(rest, 2, 60, &utc->tm_sec))
		return false;
	if (!take_sign(rest, ".,"))
		return true;
	for (; rest->len && char_is_digit(rest->ptr[0]); *rest = str_skip(*rest, 1), scale /= 10)
		*ms += (rest->ptr[0] - '0') * scale;
	return true;
}

/* Seconds to subtract. */
static bool take_offset(struct str *rest, int *seconds)
{
	int hours = 0, minutes = 0, sign = rest->len && rest->ptr[0] == '-' ? -1 : 1;

	if (!rest->len || take_sign(rest, "Zz"))
		return true;
	if (!take_sign(rest, "+-") || !take_number(rest, 2, 23, &hours))
		return false;
	take_sign(rest, ":");
	if (rest->len && !take_number(rest, 2, 59, &minutes))
		return false;
	*seconds = sign * (hours * 3600 + minutes * 60);
	return true;
}

/* Counted from the first of March, so that a leap day is the last of its year. */
int64_t timestamp_seconds(const struct tm *utc)
{
	int64_t months = (int64_t)utc->tm_year * 12 + utc->tm_mon - 2 + 1900 * 12;
	int64_t year = months / 12, month = months % 12;
	int64_t days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + utc->tm_mday - 1;

	return ((days - 719468) * 24 + utc->tm_hour) * 3600 + utc->tm_min * 60 + utc->tm_sec;
}

bool timestamp_read(struct str text, int64_t *ms)
{
	struct str rest = str_trim(text);
	struct tm utc = { 0 };
	int fraction = 0, offset = 0;
	int64_t seconds;

	if (!take_date(&rest, &utc))
		return false;
	if (rest.len && (!take_sign(&rest, "Tt ") || !take_clock(&rest, &utc, &fraction)))
		return false;
	if (!take_offset(&rest, &offset) || rest.len)
		return false;
	seconds = timestamp_seconds(&utc) - offset;
	if (seconds < 0 || seconds > LAST_SECOND)
		return false;
	*ms = seconds * 1000 + fraction;
	return true;
}

int64_t timestamp_or_zero(struct str text)
{
	int64_t ms;

	return timestamp_read(text, &ms) ? ms : 0;
}
