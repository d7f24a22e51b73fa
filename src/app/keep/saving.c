#include "app/keep/saving.h"

#include <string.h>
#include <unistd.h>

#include "app/export/export_forms.h"
#include "app/keep/writer.h"
#include "app/system/media_folder.h"
#include "app/system/save_file.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/title.h"
#include "store/files/paths.h"

static bool saving_add(void *ctx, struct str piece, struct error *err)
{
	struct save_file *f = ctx;

	save_file_add(f, piece);
	return !f->failure || error_set(err, "cannot write %s: %s", f->path, strerror(f->failure));
}

struct saving { struct save_file file; struct export export; struct media_folder beside; };

static void saving_refuse_suffix(const char *name, struct error *err)
{
	struct buf suffixes = { 0 };

	export_forms_write_suffixes(&suffixes);
	error_set(err, "cannot save to %s: its name should end in %s", name, buf_z(&suffixes));
	buf_fini(&suffixes);
}

static bool saving_open_file(struct save_file *file, const char *name, struct error *err)
{
	if (!access(name, F_OK)) /* save_file_open() would name an option for it */
		return error_set(err, "%s exists already: choose another name", name);
	return save_file_open(file, name, false, err);
}

static bool saving_open(struct saving *s, struct str path, struct error *err)
{
	const struct export_form *form = export_form_for(path);
	char *name = path_expand(path);
	bool good = form && saving_open_file(&s->file, name, err);

	if (!form)
		saving_refuse_suffix(name, err);
	mem_free(name);
	if (!good)
		return false;
	export_init(&s->export, form, saving_add, &s->file);
	media_folder_beside(&s->beside, s->file.path);
	s->export.beside = (struct export_beside){ media_folder_add, &s->beside };
	return true;
}

static bool saving_close(struct saving *s, bool whole, struct error *err)
{
	whole = whole && export_end(&s->export, err);
	export_fini(&s->export);
	if (!whole)
		save_file_drop(&s->file);
	whole = whole && save_file_close(&s->file, err);
	(whole ? media_folder_close : media_folder_drop)(&s->beside);
	return whole;
}

bool saving_stored(struct history *h, int64_t conversation, struct str path, struct error *err)
{
	struct saving s = { .file = { .path = NULL } };

	return saving_open(&s, path, err) && saving_close(&s, export_stored(&s.export, h, conversation, err), err);
}

bool saving_in_memory(const struct conversation *c, struct str path, struct error *err)
{
	struct saving s = { .file = { .path = NULL } };
	const struct turn *first = c->count ? c->turns[0] : NULL;
	char *title = first ? title_of_prompt(first) : NULL;
	const struct history_conversation facts = { .title = title, .created_ms = first ? (int64_t)first->wall * 1000 : 0,
	                                            .updated_ms = c->count ? (int64_t)c->turns[c->count - 1]->wall * 1000 : 0 };
	bool good = saving_open(&s, path, err) && saving_close(&s, export_in_memory(&s.export, &facts, c, err), err);

	mem_free(title);
	return good;
}

bool saving_has_form(struct str path)
{
	return export_form_for(path) != NULL;
}

bool saving_bytes(struct str bytes, struct str path, struct error *err)
{
	struct save_file file = { .path = NULL };
	char *name = path_expand(path);
	bool good = saving_open_file(&file, name, err);

	mem_free(name);
	if (!good)
		return false;
	save_file_add(&file, bytes);
	return save_file_close(&file, err);
}
