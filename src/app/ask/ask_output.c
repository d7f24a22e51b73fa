#include "app/ask/ask_output.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/ask/ask_page.h"
#include "app/ask/ask_ran.h"
#include "app/setup/setup.h"
#include "app/system/media_folder.h"
#include "app/system/output.h"
#include "app/system/save_file.h"
#include "app/tools/tool_calls.h"
#include "base/array.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "chat/conversation/turn.h"
#include "chat/provider/schema.h"
#include "render/markdown/markdown.h"
#include "wire/event.h"
#include "wire/summary.h"

struct ask_output {
	const struct options *o;
	const char *protocol, *dialect;
	bool json;              /* --summary or --events */
	struct output out, err;
	struct summary *summary;
	struct ask_ran ran;
	struct save_file file;  /* --save */
	struct save_file document; /* -o; `out` writes to it */
	bool gone;              /* the reader of standard output has left, where that is not used */
	struct ask_page *page;  /* the text as a page; NULL: as it is */
	struct media_folder folder; /* --media */
	struct media_keeper media;
	bool aside;             /* the last output was reasoning or a refusal */
	bool shared;            /* both streams go to one place, where their lines must not run into each other */
	struct buf line;
	char *hint;             /* the exchange's notice about a rejected request; more helpful than the error itself */
	char *retried;          /* why it was asked again last; NULL: it was not */
	char *stalled;          /* the exchange's notice about a stall; more helpful than the outcome */
};

/* Both on a terminal, or both on the same pipe or file, as behind 2>&1. */
static bool ask_streams_are_shared(const struct ask_output *t)
{
	struct stat out, err;

	return (t->out.terminal && t->err.terminal) ||
	       (!fstat(t->out.fd, &out) && !fstat(t->err.fd, &err) && out.st_dev == err.st_dev && out.st_ino == err.st_ino);
}

struct ask_output *ask_output_new(const struct setup *s)
{
	const struct options *o = s->options;

	struct ask_output *t = mem_new(sizeof *t);

	t->o = o;
	t->protocol = s->target.protocol->name;
	t->dialect = s->target.dialect->name;
	t->json = o->summary || o->events;
	t->summary = summary_new();
	output_init(&t->out, STDOUT_FILENO);
	output_init(&t->err, STDERR_FILENO);
	t->shared = ask_streams_are_shared(t);
	if (t->out.terminal && !t->json && !o->code && !o->raw && !o->output)
		t->page = ask_page_new(o, &s->settings, &t->out);
	return t;
}

void ask_output_free(struct ask_output *t)
{
	save_file_drop(&t->file);
	save_file_drop(&t->document);
	ask_page_free(t->page);
	media_folder_close(&t->folder);
	media_keeper_fini(&t->media);
	summary_free(t->summary);
	buf_fini(&t->line);
	ask_ran_fini(&t->ran);
	mem_free(t->hint);
	mem_free(t->retried);
	mem_free(t->stalled);
	mem_free(t);
}

static bool ask_open_document(struct ask_output *t, struct error *err)
{
	if (!t->o->output || !strcmp(t->o->output, "-"))
		return true;
	if (!save_file_open(&t->document, t->o->output, t->o->force, err))
		return false;
	output_init(&t->out, t->document.fd);
	t->shared = false;
	return true;
}

bool ask_output_open_files(struct ask_output *t, struct error *err)
{
	return media_folder_open(&t->folder, t->o->media, err) && (!t->o->save || save_file_open(&t->file, t->o->save, t->o->force, err)) &&
	       ask_open_document(t, err);
}

/* Starts a new line on standard error; if both streams go to one place, also ends an unfinished line of text. */
static void ask_begin_line(struct ask_output *t)
{
	if (t->page && t->err.terminal)
		ask_page_settle(t->page);
	if (t->shared)
		output_break(&t->out);
	output_break(&t->err);
}

/* If both streams go to one place, a blank line separates text from the reasoning before it. */
static void ask_tell_text(struct ask_output *t, struct str text)
{
	output_break(&t->err);
	if (t->aside && t->shared)
		output_text(&t->err, STR("\n"));
	t->aside = false;
	if (t->page)
		ask_page_add(t->page, text);
	else
		output_text(&t->out, text);
}

static void ask_tell_call(struct ask_output *t, const struct delta *delta)
{
	struct json_writer w;

	ask_begin_line(t);
	buf_clear(&t->line);
	json_writer_init(&w, &t->line);
	json_open_object(&w);
	json_member_string_or_null(&w, "id", delta->tool.id);
	json_member_string(&w, "name", delta->tool.name);
	json_member_string(&w, "arguments", delta->text);
	json_member_boolean(&w, "valid", delta->tool.valid);
	json_close_object(&w);
	buf_add_byte(&t->line, '\n');
	output_flush_json(&t->err, &t->line);
}

static void ask_tell_notice(struct ask_output *t, const struct delta *delta)
{
	if (str_is(delta->notice.rule, "hint")) {
		str_replace(&t->hint, delta->notice.text);
		return;
	}
	if (str_is(delta->notice.rule, "stalled")) {
		str_replace(&t->stalled, delta->notice.text);
		return;
	}
	if (str_is(delta->notice.rule, "retried")) /* reported when the wait began */
		return;
	ask_output_note(t, delta->notice.text);
}

void ask_output_delta(void *output, const struct delta *delta)
{
	struct ask_output *t = output;

	summary_delta(t->summary, delta);
	if (t->folder.fd)
		media_keeper_delta(&t->media, delta);
	if (t->o->events) {
		buf_clear(&t->line);
		event_write(delta, &t->line);
		output_flush_json(&t->out, &t->line);
	}
	switch (delta->kind) {
	case DELTA_TEXT:
		save_file_add(&t->file, delta->text);
		if (!t->json && !t->o->code)
			ask_tell_text(t, delta->text);
		break;
	case DELTA_REASONING:
	case DELTA_REFUSAL:
		if (t->json)
			break;
		if (!t->err.mid_line)
			ask_begin_line(t);
		t->aside = true;
		output_text(&t->err, delta->text);
		break;
	case DELTA_TOOL_END:
		if (!t->json)
			ask_tell_call(t, delta);
		break;
	case DELTA_NOTICE:
		ask_tell_notice(t, delta);
		break;
	case DELTA_RESTART:
		save_file_restart(&t->file);
		save_file_restart(&t->document);
		if (t->page)
			ask_page_restart(t->page);
		ask_begin_line(t);
		complain("note: the server restarted the answer; the text before this does not count");
		break;
	case DELTA_BEGIN:
	case DELTA_META:
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_MEDIA_BEGIN:
	case DELTA_MEDIA:
	case DELTA_MEDIA_TEXT:
	case DELTA_MEDIA_END:
	case DELTA_SERVER_TOOL_BEGIN:
	case DELTA_SERVER_TOOL_INPUT:
	case DELTA_SERVER_TOOL_END:
	case DELTA_OPAQUE:
	case DELTA_CITATION:
	case DELTA_USAGE:
	case DELTA_ROUTE:
	case DELTA_FINISH:
	case DELTA_ERROR:
	case DELTA_END:
		break;
	}
}

/* --- calls that run --- */

static void ask_open_event(struct ask_output *t, struct json_writer *w, const char *type, const char *id)
{
	buf_clear(&t->line);
	json_writer_init(w, &t->line);
	json_open_object(w);
	json_member_string(w, "type", str_from(type));
	json_member_string_or_null(w, "id", str_from(id));
}

static void ask_close_event(struct ask_output *t, struct json_writer *w)
{
	json_close_object(w);
	buf_add_byte(&t->line, '\n');
	output_flush_json(&t->out, &t->line);
}

void ask_output_run_begins(struct ask_output *t, const struct part *call)
{
	struct json_writer w;

	if (!t->o->events)
		return;
	ask_open_event(t, &w, "tool_run_begin", ask_ran_id(call->id));
	json_member_string(&w, "name", str_from(call->name));
	ask_close_event(t, &w);
}

void ask_output_run_writes(struct ask_output *t, const struct tool_call *call, struct str text)
{
	struct json_writer w;

	if (!t->o->events || !text.len)
		return;
	ask_open_event(t, &w, "tool_run_output", ask_ran_id(call->id));
	json_member_string(&w, "text", text);
	ask_close_event(t, &w);
}

static void ask_tell_run(struct ask_output *t, const struct tool_call *call, double ms)
{
	struct json_writer w;

	ask_open_event(t, &w, "tool_run_end", ask_ran_id(call->id));
	json_member_string(&w, "state", str_from(tool_outcome_name(call->outcome)));
	json_member_milliseconds_or_null(&w, "ms", ms);
	ask_close_event(t, &w);
}

void ask_output_run_ended(struct ask_output *t, const struct tool_call *call)
{
	double ms = tool_run_ms(&call->run, clock_now_ms());
	struct error err;

	if (t->o->events)
		ask_tell_run(t, call, ms);
	if (!media_folder_write(&t->folder, &call->run.media, &err))
		complain("%s", err.text);
	if (!t->json && !call->run.begun_ms)
		complain("note: %s: %s", call->name, buf_z(&call->result));
	else if (!t->json)
		complain("note: %s ran: %s, %.1f s, %zu bytes", call->name, tool_outcome_name(call->outcome), ms / 1000, call->result.len);
	ask_ran_add(&t->ran, call, ms);
}

void ask_output_goes_on(struct ask_output *t)
{
	summary_free(t->summary);
	t->summary = summary_new();
	if (!t->json)
		output_break(&t->out);
	if (t->page)
		ask_page_restart(t->page);
}

void ask_output_listen(struct ask_output *t, struct loop *loop)
{
	struct loop_member reader = output_reader_member(t->document.fd ? &t->gone : &t->out.closed);

	loop_add(loop, &reader);
	if (t->page)
		loop_add(loop, (struct loop_member[]){ ask_page_member(t->page) });
}

void ask_output_leave(struct ask_output *t, struct loop *loop)
{
	loop_remove(loop, t->document.fd ? &t->gone : &t->out.closed);
	loop_remove(loop, t->page);
}

bool ask_output_is_unheard(const struct ask_output *t)
{
	return t->out.closed;
}

void ask_output_note(struct ask_output *t, struct str sentence)
{
	ask_begin_line(t);
	complain("note: %.*s", STR_ARG(sentence));
}

void ask_output_retry(struct ask_output *t, const struct exchange_retry *retry)
{
	bool told = t->retried && str_is(retry->why, t->retried);

	ask_begin_line(t);
	complain("%.*s%sasking again in %.1f s (%u of %u)", (int)(told ? 0 : retry->why.len), retry->why.ptr, told ? "the same: " : "; ",
	         (double)retry->wait_ms / 1000, retry->number, retry->most);
	str_replace(&t->retried, retry->why);
}

/* A sentence for an outcome that the text does not show; NULL: none. An error has a line of its own. */
static const char *ask_ending(enum outcome outcome)
{
	static const char *const words[] = {
		[OUTCOME_LENGTH] = "note: the answer reached the maximum of tokens (--max-tokens)",
		[OUTCOME_FILTERED] = "note: the answer was refused or filtered",
		[OUTCOME_PAUSED] = "note: the server paused the answer",
		[OUTCOME_CUT] = "the connection ended before the answer did",
		[OUTCOME_STALLED] = "nothing more arrived within the idle limit",
		[OUTCOME_CANCELLED] = NULL,
	};

	return words[outcome];
}

static void ask_tell_error(struct ask_output *t, const struct error_report *error, struct str request_id)
{
	struct buf words = { 0 }, facts;

	if (t->hint) {
		complain("%s", t->hint);
		return;
	}
	outcome_say_error(error->message, summary_finish(t->summary), &words);
	buf_init(&facts, 1024);
	if (error->code.len)
		buf_printf(&facts, "code %.*s", STR_ARG(error->code));
	if (request_id.len)
		buf_printf(&facts, "%srequest id %.*s", facts.len ? ", " : "", STR_ARG(request_id));
	complain(facts.len ? "%s (%s)" : "%s%s", buf_z(&words), buf_z(&facts));
	buf_fini(&facts);
	buf_fini(&words);
}

static void ask_tell_code(struct ask_output *t)
{
	struct markdown *m = markdown_new();
	struct buf code = { 0 };
	size_t blocks = 0;

	markdown_update(m, summary_text(t->summary));
	markdown_finish(m);
	for (size_t i = 0; i < markdown_count(m); i++) {
		const struct markdown_block *block = markdown_block_at(m, i);

		if (block->kind != MARKDOWN_CODE || block->continues) /* the first chunk of a long block has the code of all */
			continue;
		blocks++;
		markdown_code(m, i, &code);
		if (code.len && code.ptr[code.len - 1] != '\n')
			buf_add_byte(&code, '\n');
	}
	output_text(&t->out, buf_str(&code));
	if (!blocks && !t->out.closed && summary_text(t->summary).len)
		complain("note: there is no block of code in the answer");
	buf_fini(&code);
	markdown_free(m);
}

/* Closes the file of --save or of -o. */
static int ask_close_file(struct save_file *file, int status)
{
	struct error err;

	if (save_file_close(file, &err))
		return status;
	complain("%s", err.text);
	return status == EXIT_DONE ? EXIT_LOCAL : status;
}

/* Writes the files of --media. */
static int ask_write_media(struct ask_output *t, int status)
{
	struct error err;

	if (media_folder_write(&t->folder, &t->media, &err))
		return status;
	complain("%s", err.text);
	return status == EXIT_DONE ? EXIT_LOCAL : status;
}

/* What came that text does not show, and how to get it. */
static void ask_tell_media(struct ask_output *t)
{
	static const char *const words[][2] = {
		[MEDIA_IMAGE] = { "picture", "pictures" }, [MEDIA_AUDIO] = { "sound", "sounds" }, [MEDIA_VIDEO] = { "video", "videos" },
		[MEDIA_FILE] = { "file", "files" },
	};
	size_t counts[ARRAY_LEN(words)] = { 0 };
	struct str url = STR_NONE;
	bool has_data = false;
	struct buf list = { 0 };
	const struct media_facts *facts;

	for (size_t i = 0; (facts = summary_media(t->summary, i)); i++) {
		counts[facts->kind]++;
		has_data |= facts->bytes > 0;
		url = facts->url.len ? facts->url : url;
	}
	for (size_t kind = 0; kind < ARRAY_LEN(words); kind++)
		if (counts[kind])
			buf_printf(&list, "%s%zu %s", list.len ? ", " : "", counts[kind], words[kind][counts[kind] > 1]);
	if (list.len && has_data)
		complain("note: the answer came with %s; --media FOLDER writes the data to files", buf_z(&list));
	else if (list.len && url.len)
		complain("note: the answer names %s, such as %.*s", buf_z(&list), STR_ARG(url));
	else if (list.len)
		complain("note: the answer names %s without data, which the server keeps", buf_z(&list));
	buf_fini(&list);
}

static int ask_finish_output(struct ask_output *t, struct str request_id)
{
	enum outcome outcome = summary_outcome(t->summary);
	const struct error_report *error = summary_error(t->summary);
	/* weir itself cancelled it because the reader is gone */
	bool unheard = t->out.closed && !t->out.broken_off && outcome == OUTCOME_CANCELLED;

	if (t->page)
		ask_page_finish(t->page);
	if (!t->json)
		output_break(&t->out);
	ask_begin_line(t);
	if (t->o->summary) {
		buf_clear(&t->line);
		summary_write(t->summary, str_from(t->protocol), str_from(t->dialect), &t->line);
		ask_ran_close(&t->ran, &t->line);
		buf_add_byte(&t->line, '\n');
		output_flush_json(&t->out, &t->line);
	}
	if (unheard)
		return output_status(&t->out, EXIT_DONE);
	if (!t->folder.fd && !t->json)
		ask_tell_media(t);
	if (error)
		ask_tell_error(t, error, request_id);
	else if (outcome == OUTCOME_STALLED && t->stalled)
		complain("the answer stalled: %s", t->stalled);
	else if (ask_ending(outcome))
		complain("%s", ask_ending(outcome));
	return t->out.failure && !t->document.fd ? output_status(&t->out, EXIT_DONE) : outcome_exit_status(outcome);
}

int ask_output_finish(struct ask_output *t, struct str request_id)
{
	if (t->o->code)
		ask_tell_code(t);
	int status = ask_finish_output(t, request_id);
	t->document.failure = t->out.failure;
	return ask_write_media(t, ask_close_file(&t->document, ask_close_file(&t->file, status)));
}

void ask_output_schema(struct ask_output *t, struct str schema)
{
	struct buf words = { 0 };

	if (!schema.len || summary_outcome(t->summary) != OUTCOME_COMPLETE)
		return;
	schema_explain(schema, summary_text(t->summary), &words);
	ask_begin_line(t);
	complain("note: %s", buf_z(&words));
	buf_fini(&words);
}
