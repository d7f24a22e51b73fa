/*
 * Times as text, by RFC 3339.
 */
#ifndef WEIR_BASE_TIMESTAMP_H
#define WEIR_BASE_TIMESTAMP_H

#include <stdint.h>
#include <time.h>

#include "base/text.h"

#define TIMESTAMP_BYTES 32

/* Writes a time in milliseconds since 1970 as "2026-01-31T12:00:00Z", with ".123" if it has a fraction. False outside of the years 1970 to 9999. */
bool timestamp_write(int64_t ms, char text[TIMESTAMP_BYTES]);

/*
 * Reads such a time: a blank for the T and any number of decimals are accepted, an offset such as +01:00 is subtracted, and without one it
 * is UTC. A date alone is its midnight. False if it is not a time, or outside of the years 1970 to 9999.
 */
bool timestamp_read(struct str text, int64_t *ms);
int64_t timestamp_or_zero(struct str text); /* the same; 0 if it is none */

/* Seconds since 1970 of a time in UTC by the Gregorian calendar: year, month, day of the month, hour, minute and second are read. */
int64_t timestamp_seconds(const struct tm *utc);

#endif
