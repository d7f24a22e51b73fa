/* `weir history show`, `export` and `import`: conversations as documents. */
#include "app/history/history_inside.h"

#include <string.h>
#include <unistd.h>

#include "app/export/export_forms.h"
#include "app/keep/writer.h"
#include "app/options/options.h"
#include "app/system/media_folder.h"
#include "app/system/output_file.h"
#include "app/system/signals.h"
#include "base/mem.h"
#include "store/import/import.h"

#define ALL "all"

/* --- show and export --- */

static const struct export_form *form_of(const struct options *o)
{
	const struct export_form *by_name = o->output ? export_form_for(str_from(o->output)) : NULL;

	if (o->format)
		return export_form_find(str_from(o->format));
	return o->json ? &export_json : by_name ? by_name : export_form_at(0);
}

struct ids { int64_t *at; size_t count, capacity; };

static bool ids_add(void *ctx, const struct history_conversation *c)
{
	struct ids *ids = ctx;

	mem_reserve(&ids->at, &ids->capacity, ids->count + 1, sizeof *ids->at);
	ids->at[ids->count++] = c->id;
	return true;
}

static bool ids_find(const struct history_call *call, struct ids *ids, struct error *err)
{
	int64_t id;

	for (size_t i = 0; i < call->count; i++) {
		if (call->h && !strcmp(call->arguments[i], ALL)) {
			if (history_list(call->h, NULL, INT32_MAX, ids_add, ids, err) != HISTORY_OK)
				return history_call_failed(err) == EXIT_DONE;
		} else if (history_call_find(call, call->arguments[i], &id)) {
			ids_add(ids, &(struct history_conversation){ .id = id });
		} else {
			return false;
		}
	}
	return true;
}

static int write_document(struct history_call *call, const struct ids *ids, bool paged)
{
	struct output_file d;
	struct export e;
	struct media_folder beside = { .path = NULL };
	struct error err = { "" };
	bool good = true;

	if (!output_file_open(&d, call->o->output, call->o->force, paged, &err))
		return usage_error("%s", err.text);
	export_init(&e, form_of(call->o), output_file_take, &d);
	if (d.is_file) {
		media_folder_beside(&beside, d.file.path);
		e.beside = (struct export_beside){ media_folder_add, &beside };
	}
	for (size_t i = 0; good && i < ids->count; i++)
		good = export_stored(&e, call->h, ids->at[i], &err);
	good = good && export_end(&e, &err);
	export_fini(&e);
	int status = output_file_close(&d, good, &err);
	(status == EXIT_DONE ? media_folder_close : media_folder_drop)(&beside);
	return status;
}

static int write_conversations(struct history_call *call, bool paged)
{
	struct ids ids = { .count = 0 };
	struct error err = { "" };
	int status = ids_find(call, &ids, &err) ? write_document(call, &ids, paged) : EXIT_LOCAL;

	mem_free(ids.at);
	return status;
}

int history_show_run(struct history_call *call)
{
	return write_conversations(call, true);
}

int history_export_run(struct history_call *call)
{
	return write_conversations(call, false);
}

/* --- import --- */

static bool import_goes_on(void *ctx, const struct import_counts *counts)
{
	(void)ctx, (void)counts;
	return !signals_want_stop();
}

static int import_tell(enum import_status status, const struct import_counts *counts, const struct error *err)
{
	struct buf left = { 0 };
	struct output out;

	if (status == IMPORT_OTHER_KIND)
		return usage_error("%s", err->text);
	output_init(&out, STDOUT_FILENO);
	output_printf(&out, "%zu added, %zu there already", counts->added, counts->known + counts->grown);
	if (counts->grown)
		output_printf(&out, " (%zu of them received turns)", counts->grown);
	if (counts->skipped)
		output_printf(&out, ", %zu skipped: empty, damaged, too large or not a conversation", counts->skipped);
	import_lefts_write(&counts->left, &left);
	output_printf(&out, "%s%s\n", left.len ? "; left out: " : "", buf_z(&left));
	buf_fini(&left);
	return output_status(&out, status == IMPORT_DONE ? EXIT_DONE : history_call_failed(err));
}

/* Creates the history before the import, and indexes what was added after it. */
int history_import_run(struct history_call *call)
{
	struct import_options options = { .between = import_goes_on };
	struct import_counts counts = { 0 };
	struct error err = { "" }, ignored;
	enum exit_status failed = EXIT_DONE;
	enum import_status status;

	if (!call->h && writer_maintain_here(WRITER_PREPARE, NULL, &err) != HISTORY_OK)
		return history_call_failed(&err);
	if (!call->h && !history_call_open(&call->h, &failed))
		return (int)failed;
	if (!call->h)
		return EXIT_LOCAL;
	status = import_file(call->h, call->arguments[0], &options, &counts, &err);
	history_call_close(call->h);
	call->h = NULL;
	if (counts.added + counts.grown)
		(void)writer_maintain_here(WRITER_MAINTAIN, NULL, &ignored);
	return import_tell(status, &counts, &err);
}
