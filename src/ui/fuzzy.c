#include "ui/fuzzy.h"

#include <stdint.h>
#include <string.h>

#define NEEDLE_BYTES 64
#define CONSECUTIVE 12

/* The best score with letter i at byte j of the text, and the byte of letter i - 1 in that match. */
struct fuzzy_table {
	int16_t score[NEEDLE_BYTES][FUZZY_TEXT_BYTES];
	uint8_t before[NEEDLE_BYTES][FUZZY_TEXT_BYTES];
};

/* The score of a matched letter by its position: start of the text, of a word, of a number, or other. */
static int fuzzy_worth(struct str text, size_t at)
{
	char c = text.ptr[at], left = at ? text.ptr[at - 1] : ' ';

	if (at == 0)
		return 11;
	if (!char_is_word(left) && !(left & 0x80))
		return 9;
	if (left >= 'a' && left <= 'z' && c >= 'A' && c <= 'Z')
		return 9;
	return char_is_digit(c) && !char_is_digit(left) ? 5 : 1;
}

/* Returns the best score of the row, or -1 if there is none, and sets `*at` to its byte. */
static int fuzzy_fill_row(struct fuzzy_table *table, size_t i, char letter, struct str text, size_t *at)
{
	int best = -1; /* best score of the previous letter at any byte left of j - 1 */
	int highest = -1;
	size_t best_at = 0;

	for (size_t j = 0; j < text.len; j++) {
		int from = i == 0 ? 0 : best;
		size_t from_at = best_at;

		if (i > 0 && j > 0 && table->score[i - 1][j - 1] >= 0) {
			int next = table->score[i - 1][j - 1];

			if (next + CONSECUTIVE > from) {
				from = next + CONSECUTIVE;
				from_at = j - 1;
			}
			if (next > best) {
				best = next;
				best_at = j - 1;
			}
		}
		table->score[i][j] = (int16_t)(from < 0 || char_lower(text.ptr[j]) != letter ? -1 : from + fuzzy_worth(text, j));
		table->before[i][j] = (uint8_t)from_at;
		if (table->score[i][j] > highest) {
			highest = table->score[i][j];
			*at = j;
		}
	}
	return highest;
}

static size_t fuzzy_read_needle(struct str needle, char letters[NEEDLE_BYTES])
{
	size_t count = 0;

	for (size_t i = 0; i < needle.len && count < NEEDLE_BYTES; i++)
		if (needle.ptr[i] != ' ')
			letters[count++] = char_lower(needle.ptr[i]);
	return count;
}

int fuzzy_match(struct str needle, struct str text, bool matched[FUZZY_TEXT_BYTES])
{
	char letters[NEEDLE_BYTES];
	size_t count = fuzzy_read_needle(needle, letters), at = 0, first = 0;
	bool ends_word;
	struct fuzzy_table table;
	int best = -1;

	memset(matched, 0, FUZZY_TEXT_BYTES * sizeof *matched);
	if (count == 0)
		return 0;
	text = str_head(text, FUZZY_TEXT_BYTES);
	for (size_t i = 0; i < count; i++)
		best = fuzzy_fill_row(&table, i, letters[i], text, &at);
	if (best < 0)
		return -1;
	ends_word = at + 1 == text.len || text.ptr[at + 1] == ' ';
	for (size_t i = count; i-- > 0; at = table.before[i][at]) {
		matched[at] = true;
		first = at;
	}
	return ((best * 256 + (int)(FUZZY_TEXT_BYTES - first)) * 2 + ends_word) * 256 + (int)(FUZZY_TEXT_BYTES - text.len);
}

int fuzzy_score(struct str needle, struct str text)
{
	bool matched[FUZZY_TEXT_BYTES];

	return fuzzy_match(needle, text, matched);
}
