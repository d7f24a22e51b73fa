#include "app/plain/plain_files.h"

#include "app/command/collecting.h"
#include "app/session/session_prompts.h"
#include "base/mem.h"
#include "chat/conversation/figure.h"
#include "chat/conversation/meter.h"

static void files_clear(struct plain_files *f)
{
	context_free_files(f->files, f->count);
	mem_free(f->command);
	*f = (struct plain_files){ .host = f->host };
}

void plain_files_fini(struct plain_files *f)
{
	files_clear(f);
}

/* --- the files of a folder --- */

/* "3", "3-5": marks them. False: no such numbers. */
static bool files_mark(const struct plain_files *f, struct str word, bool *marked)
{
	size_t dash = str_find(word, STR("-"));
	long long first, last;

	if (!str_to_int(str_head(word, dash), &first) || !str_to_int(dash < word.len ? str_skip(word, dash + 1) : word, &last))
		return false;
	if (first < 1 || last < first || (size_t)last > f->count)
		return false;
	for (long long i = first; i <= last; i++)
		marked[i - 1] = true;
	return true;
}

static void files_attach(struct plain_files *f, const bool *marked)
{
	struct error err = { "" };
	size_t count = 0;

	for (size_t i = 0; i < f->count && !*err.text; i++)
		count += marked[i] && session_attach(f->host->session, f->files[i].path, &err);
	if (*err.text)
		plain_fail(f->host, err.text);
	plain_tell_line(f->host->tell, "%zu file%s with the next prompt.", count, count == 1 ? " goes" : "s go");
}

static void files_take(void *files, struct str line)
{
	struct plain_files *f = files;
	struct str rest = str_trim(line), word;
	bool all = str_is(rest, "all"), good = true;

	plain_ask_prompt(f->host);
	bool *marked = mem_resize(NULL, f->count, sizeof *marked);
	for (size_t i = 0; i < f->count; i++)
		marked[i] = all;
	if (!rest.len)
		plain_tell_line(f->host->tell, "Nothing was attached.");
	while (!all && good && (word = str_first_word(rest, &rest)).len)
		good = files_mark(f, word, marked);
	if (!good)
		plain_tell_line(f->host->tell, "Nothing was attached: that takes numbers from 1 to %zu, as in 1 3-5, or all.", f->count);
	else if (str_trim(line).len)
		files_attach(f, marked);
	mem_free(marked);
	files_clear(f);
}

void plain_files_mark(struct plain_files *f, const char *folder)
{
	static const struct plain_question question = { .label = "Files: ", .take = files_take };
	char bytes[FIGURE_SIZE], tokens[FIGURE_SIZE];
	bool cut;

	files_clear(f);
	f->files = context_list(folder, &f->count, &cut);
	for (size_t i = 0; i < f->count; i++)
		plain_tell_line(f->host->tell, f->files[i].is_text ? "%zu. %s, %s, about %s" : "%zu. %s, %s", i + 1, f->files[i].name,
		                figure_bytes(bytes, f->files[i].bytes),
		                figure_of(tokens, estimate_tokens(&(struct estimate){ .narrow = f->files[i].bytes }), "token"));
	if (!f->count) {
		plain_tell_line(f->host->tell, "%s holds no files to attach.", folder);
		return;
	}
	plain_tell_line(f->host->tell, "%sType the numbers of those to attach, as in 1 3-5, or all; an empty line attaches none.",
	                cut ? "There are more. " : "");
	plain_ask(f->host, &question, f);
}

/* --- a command --- */

static void files_take_word(void *files, struct str line)
{
	struct plain_files *f = files;
	struct actor actor = plain_actor(f->host);

	plain_ask_prompt(f->host);
	if (str_is_nocase(str_trim(line), "y") || str_is_nocase(str_trim(line), "yes"))
		collecting_run(f->host->collecting, &actor, str_from(f->command));
	else
		plain_tell_line(f->host->tell, "It was not run. A blank before the exclamation mark sends such a line as a prompt.");
	files_clear(f);
}

void plain_files_confirm(struct plain_files *f, struct str command)
{
	static const struct plain_question question = { .label = "Run it? y or n: ", .take = files_take_word };

	files_clear(f);
	f->command = str_dup(command);
	plain_tell_line(f->host->tell, "This would run, with sh: %s", f->command);
	plain_tell_line(f->host->tell, "Its output goes with the next prompt.");
	plain_ask(f->host, &question, f);
}
