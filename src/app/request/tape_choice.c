#include "app/request/tape_choice.h"

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "chat/conversation/turn.h"
#include "net/tape.h"

void tape_choice_init(struct tape_choice *t, const struct setup *setup)
{
	*t = (struct tape_choice){ .setup = setup, .folder.fd = -1 };
}

void tape_choice_fini(struct tape_choice *t)
{
	private_folder_close(&t->folder);
}

bool tape_choice_may_fail(const struct tape_choice *t)
{
	return !t->setup->options->tape;
}

size_t tape_choice_bytes(const struct tape_choice *t)
{
	return tape_choice_may_fail(t) ? (size_t)t->setup->settings.tapes_mb << 20 : TAPE_BYTES_MOST;
}

static void tape_choice_make_room(const struct tape_choice *t)
{
	tapes_clear_away(TAPES_OF_CHAT, t->setup->settings.tapes_mb << 20);
}

char *tape_choice_next(struct tape_choice *t, struct error *note)
{
	struct error why = { "" };
	char *path = setup_tape_path(t->setup, ++t->turns);

	note->text[0] = '\0';
	if (path || t->given_up || !t->setup->settings.tapes_mb || !setup_keeps(t->setup))
		return path;
	if (t->turns == 1) /* programs that crashed did not remove old tapes */
		tape_choice_make_room(t);
	private_folder_close(&t->folder);
	if (tapes_new_path(TAPES_OF_CHAT, &path, &t->folder, &why))
		return path;
	t->given_up = true;
	error_set(note, "no tapes are kept: %s", why.text);
	return NULL;
}

int tape_choice_folder(const struct tape_choice *t)
{
	return t->folder.fd >= 0 ? t->folder.fd : 0;
}

void tape_choice_over(struct tape_choice *t, struct str failed)
{
	private_folder_close(&t->folder);
	if (!tape_choice_may_fail(t) || !t->setup->settings.tapes_mb || !setup_keeps(t->setup))
		return;
	t->given_up |= failed.len > 0;
	tape_choice_make_room(t);
}

void tape_choice_tell_broken(const struct turn *live)
{
	if (live && live->tape)
		complain_leaving("a signal ended it in the middle of an answer; what had arrived is in %s (weir replay shows it)", live->tape);
}
