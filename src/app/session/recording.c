#include "app/session/recording.h"

#include "app/system/output.h"

void recording_init(struct recording *t, const struct setup *setup)
{
	*t = (struct recording){ .setup = setup, .folder.fd = -1 };
}

void recording_fini(struct recording *t)
{
	private_folder_close(&t->folder);
}

bool recording_may_fail(const struct recording *t)
{
	return !t->setup->options->tape;
}

size_t recording_bytes(const struct recording *t)
{
	return recording_may_fail(t) ? (size_t)t->setup->settings.tapes_mb << 20 : TAPE_BYTES_MOST;
}

static void recording_make_room(const struct recording *t)
{
	tapes_clear_away(TAPES_OF_CHAT, t->setup->settings.tapes_mb << 20);
}

char *recording_next(struct recording *t, struct error *note)
{
	struct error why = { "" };
	char *path = setup_tape_path(t->setup, ++t->turns);

	note->text[0] = '\0';
	if (path || t->given_up || !t->setup->settings.tapes_mb || !setup_keeps(t->setup))
		return path;
	if (t->turns == 1) /* programs that crashed did not remove old tapes */
		recording_make_room(t);
	private_folder_close(&t->folder);
	if (tapes_new_path(TAPES_OF_CHAT, &path, &t->folder, &why))
		return path;
	t->given_up = true;
	error_set(note, "no tapes are kept: %s", why.text);
	return NULL;
}

int recording_folder(const struct recording *t)
{
	return t->folder.fd >= 0 ? t->folder.fd : 0;
}

void recording_over(struct recording *t, struct str failed)
{
	private_folder_close(&t->folder);
	if (!recording_may_fail(t) || !t->setup->settings.tapes_mb || !setup_keeps(t->setup))
		return;
	t->given_up |= failed.len > 0;
	recording_make_room(t);
}

void recording_tell_broken(const struct turn *live)
{
	if (live && live->tape)
		complain_leaving("a signal ended it in the middle of an answer; what had arrived is in %s (weir replay shows it)", live->tape);
}
