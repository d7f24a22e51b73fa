#include "wire/outcome.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/names.h"

static const struct { const char *name; int exit_status; } outcomes[] = {
#define X(upper, name, status) [OUTCOME_##upper] = { name, status },
	OUTCOMES(X)
#undef X
};

static const char *const end_names[] = {
	[END_CLOSED] = "closed",
	[END_CUT] = "cut",
	[END_STALLED] = "stalled",
	[END_CANCELLED] = "cancelled",
};

/* Finish reasons of all protocols, sorted by strcmp(). All other words mean OUTCOME_COMPLETE. */
static const struct finish_word { const char *word; enum outcome outcome; } finish_words[] = {
	{ "BLOCKLIST", OUTCOME_FILTERED },
	{ "IMAGE_OTHER", OUTCOME_ERROR },
	{ "IMAGE_PROHIBITED_CONTENT", OUTCOME_FILTERED },
	{ "IMAGE_RECITATION", OUTCOME_FILTERED },
	{ "IMAGE_SAFETY", OUTCOME_FILTERED },
	{ "LANGUAGE", OUTCOME_ERROR },
	{ "MALFORMED_FUNCTION_CALL", OUTCOME_ERROR },
	{ "MALFORMED_RESPONSE", OUTCOME_ERROR },
	{ "MAX_TOKENS", OUTCOME_LENGTH },
	{ "MISSING_THOUGHT_SIGNATURE", OUTCOME_ERROR },
	{ "MODEL_ARMOR", OUTCOME_FILTERED },
	{ "NO_IMAGE", OUTCOME_ERROR },
	{ "OTHER", OUTCOME_ERROR },
	{ "PROHIBITED_CONTENT", OUTCOME_FILTERED },
	{ "RECITATION", OUTCOME_FILTERED },
	{ "SAFETY", OUTCOME_FILTERED },
	{ "SPII", OUTCOME_FILTERED },
	{ "TOO_MANY_TOOL_CALLS", OUTCOME_ERROR },
	{ "UNEXPECTED_TOOL_CALL", OUTCOME_ERROR },
	{ "content_filter", OUTCOME_FILTERED },
	{ "error", OUTCOME_ERROR },
	{ "failed", OUTCOME_ERROR },
	{ "incomplete", OUTCOME_ERROR },
	{ "insufficient_system_resource", OUTCOME_ERROR },
	{ "length", OUTCOME_LENGTH },
	{ "max_output_tokens", OUTCOME_LENGTH },
	{ "max_tokens", OUTCOME_LENGTH },
	{ "model_context_window_exceeded", OUTCOME_LENGTH },
	{ "model_length", OUTCOME_LENGTH },
	{ "network_error", OUTCOME_ERROR },
	{ "pause_turn", OUTCOME_PAUSED },
	{ "refusal", OUTCOME_FILTERED },
	{ "sensitive", OUTCOME_FILTERED },
};

static const char *const plain_stops[] = { "stop", "STOP", "end_turn", "stop_sequence", "eos", "completed" };

const char *outcome_name(enum outcome outcome)
{
	return outcomes[outcome].name;
}

int outcome_exit_status(enum outcome outcome)
{
	return outcomes[outcome].exit_status;
}

bool outcome_is_trouble(enum outcome outcome)
{
	return outcome_exit_status(outcome) != EXIT_DONE;
}

const char *end_how_name(enum end_how how)
{
	return end_names[how];
}

bool end_how_from(struct str name, enum end_how *how)
{
	for (size_t i = 0; i < ARRAY_LEN(end_names); i++) {
		if (str_is(name, end_names[i])) {
			*how = (enum end_how)i;
			return true;
		}
	}
	return false;
}

static int compare_word(const void *key, const void *element)
{
	const struct str *word = key;
	const char *other = ((const struct finish_word *)element)->word;
	size_t len = strlen(other);
	int order = memcmp(word->ptr, other, word->len < len ? word->len : len);

	return order ? order : (word->len > len) - (word->len < len);
}

enum outcome outcome_of_finish(struct str word)
{
	if (!word.len)
		return OUTCOME_COMPLETE;
	const struct finish_word *found =
		bsearch(&word, finish_words, ARRAY_LEN(finish_words), sizeof *finish_words, compare_word);
	return found ? found->outcome : OUTCOME_COMPLETE;
}

bool outcome_is_plain_stop(struct str word)
{
	return str_is_among(word, plain_stops, ARRAY_LEN(plain_stops));
}

void outcome_say_error(struct str message, struct str finish, struct buf *out)
{
	if (finish.len && str_equal(message, finish))
		buf_printf(out, "The server ended the answer with \"%.*s\" and without an explanation", STR_ARG(finish));
	else
		buf_add(out, message);
}
