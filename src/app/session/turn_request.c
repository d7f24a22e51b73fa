#include "app/session/turn_request.h"

#include "app/session/session.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "base/array.h"
#include "base/utf8.h"
#include "chat/conversation/turn.h"
#include "chat/player/delta_log.h"
#include "chat/player/player.h"

#define SHOWN_BYTES ((size_t)64 << 10) /* of each text */

static bool turn_request_of_tape(struct sent_request *r, struct setup *setup, const char *path, struct error *err)
{
	struct tape *tape;
	bool good;

	if (!tape_open_facts(&tape, path, err))
		return false;
	good = sent_request_of_tape(r, tape_facts(tape), setup->providers, process_environment, false, err);
	if (!good)
		sent_request_fini(r);
	tape_free(tape);
	return good;
}

bool turn_request_find(struct sent_request *r, struct setup *setup, const struct session *s, const struct turn *t, struct error *err)
{
	const struct player *player = session_player(s);

	if (player)
		return sent_request_of_tape(r, tape_facts(delta_log_tape(player_log(player))), setup->providers, process_environment, true, err);
	if (t == session_live(s) && session_exchange(s))
		return sent_request_of_exchange(r, session_exchange(s), err);
	if (!t->tape)
		return error_set(err, "the request is not known: there is no recording of the answer (/private and tapes = 0 make none)");
	return turn_request_of_tape(r, setup, t->tape, err);
}

const struct turn_request_word *turn_request_word_at(size_t index)
{
	static const struct turn_request_word words[] = {
		{ "edit", "edit the JSON and send it" }, { "curl", "a command that sends it again" }, { "json", "its JSON" },
	};

	return index < ARRAY_LEN(words) ? &words[index] : NULL;
}

/* Whole characters only; nothing of a blank text. */
static void tell_text(details_row *row, void *ctx, const char *heading, struct str text)
{
	struct buf shown;
	struct str rest = str_skip(text, SHOWN_BYTES);

	if (str_is_blank(text))
		return;
	row(ctx, heading, STR_NONE);
	if (!rest.len) {
		row(ctx, NULL, str_trim(text));
		return;
	}
	buf_init(&shown, 4 * SHOWN_BYTES);
	utf8_repair(str_head(text, SHOWN_BYTES), &shown);
	buf_printf(&shown, "\n... and %zu KB more", (rest.len >> 10) + 1);
	row(ctx, NULL, buf_str(&shown));
	buf_fini(&shown);
}

/* The details of an answer without the line of its request. */
static struct str response_lines(struct str details)
{
	struct str line, rest = details;

	return str_starts(details, "POST ") && str_split(&rest, '\n', &line) ? rest : details;
}

static void tell_response(const struct session *s, const struct turn *t, details_row *row, void *ctx)
{
	struct buf details;

	buf_init(&details, (size_t)1 << 20);
	if (t == session_live(s) && session_exchange(s))
		exchange_details(session_exchange(s), &details);
	else if (t->details)
		buf_add_z(&details, t->details);
	tell_text(row, ctx, "Response", response_lines(buf_str(&details)));
	buf_fini(&details);
}

void turn_request_tell(const struct sent_request *r, const struct session *s, const struct turn *t, details_row *row, void *ctx)
{
	struct buf text;

	buf_init(&text, 4 * TAPE_LIMIT);
	sent_request_write_head(r, &text);
	tell_text(row, ctx, "Head", buf_str(&text));
	tell_response(s, t, row, ctx);
	buf_clear(&text);
	sent_request_show_json(r, &text);
	tell_text(row, ctx, "Body", buf_str(&text));
	buf_clear(&text);
	sent_request_write_curl(r, &text);
	tell_text(row, ctx, "As a command", buf_str(&text));
	buf_fini(&text);
}
