#include "app/ask/ask_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app/setup/attachment_file.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/mem.h"
#include "base/utf8.h"

#define QUIET_MS 2000
#define QUESTION_LIMIT ((size_t)64 << 20)
#define READ_BYTES 65536

void ask_input_init(struct ask_input *q)
{
	*q = (struct ask_input){ .message = { .role = TURN_USER } };
	buf_init(&q->text, QUESTION_LIMIT);
}

void ask_input_fini(struct ask_input *q)
{
	buf_fini(&q->text);
	for (size_t i = 0; i < q->file_count; i++)
		buf_fini(&q->files[i]);
	mem_free(q->files);
	mem_free(q->parts);
}

/* --- standard input --- */

/* Waits for a byte or the end of input; false if a signal asks the program to stop. */
static bool input_wait(bool *told)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .fd = signals_open(), .events = POLLIN } };

	for (;;) {
		int ready = poll(fds, 2, *told ? -1 : QUIET_MS);

		if (signals_want_stop())
			return false;
		if (fds[1].revents)
			(void)signals_take();
		if (ready > 0 && fds[0].revents)
			return true;
		if (ready == 0) {
			complain("waiting for standard input (--no-stdin skips it)");
			*told = true;
		}
	}
}

static enum ask_input_state input_read(struct buf *input, struct error *err)
{
	char *bytes = mem_new(READ_BYTES);
	enum ask_input_state state = ASK_INPUT_READY;
	bool told = false;
	ssize_t n = 1;

	while (n && state == ASK_INPUT_READY) {
		if (!input_wait(&told)) {
			state = ASK_INPUT_STOPPED;
			break;
		}
		told = true; /* only the wait for the first byte is reported */
		n = read(STDIN_FILENO, bytes, READ_BYTES);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			state = error_set(err, "cannot read standard input: %s", strerror(errno)) ? state : ASK_INPUT_BAD;
		else if (n > 0 && !buf_add(input, str_of(bytes, (size_t)n)))
			state = error_set(err, "standard input is too large: at most %zu bytes are read", buf_limit(input)) ? state : ASK_INPUT_BAD;
	}
	mem_free(bytes);
	return state;
}

static struct str input_without_line_end(struct str text)
{
	if (str_ends(text, "\n"))
		text.len--;
	if (str_ends(text, "\r"))
		text.len--;
	return text;
}

static enum ask_input_state input_refuse_size(const struct ask_input *q, struct error *err)
{
	error_set(err, "the prompt is too large: at most %zu bytes", buf_limit(&q->text));
	return ASK_INPUT_BAD;
}

/* Reads standard input into `piped`, as valid UTF-8 without its last line end. `piped` is empty if that is blank or is not to be read. */
static enum ask_input_state input_take_piped(const struct ask_input *q, const struct options *o, struct buf *piped, struct error *err)
{
	enum ask_input_state state = ASK_INPUT_READY;
	struct buf input;

	if (o->no_stdin || isatty(STDIN_FILENO))
		return state;
	buf_init(&input, QUESTION_LIMIT);
	state = input_read(&input, err);
	if (state == ASK_INPUT_READY && !str_is_blank(buf_str(&input)) && !utf8_repair(input_without_line_end(buf_str(&input)), piped))
		state = input_refuse_size(q, err);
	buf_fini(&input);
	return state;
}

/* --- the message --- */

static bool input_add_files(struct ask_input *q, const struct options *o, struct error *err)
{
	q->files = mem_new(o->file_count * sizeof *q->files);
	for (size_t i = 0; i < o->file_count; i++) {
		const char *slash = strrchr(o->files[i], '/');
		struct request_part *part = &q->parts[q->message.part_count];
		const char *media;

		buf_init(&q->files[i], QUESTION_LIMIT);
		q->file_count++;
		if (!attachment_read(o->files[i], &q->files[i], &media, err))
			return false;
		part->kind = PART_ATTACHMENT;
		part->text = buf_str(&q->files[i]);
		part->name = str_from(slash ? slash + 1 : o->files[i]);
		part->media = str_from(media);
		q->message.part_count++;
	}
	return true;
}

static bool input_add_words(struct buf *text, const struct options *o, size_t from)
{
	bool added = true;

	for (size_t i = from; i < o->argument_count; i++) {
		added = added && (i == from || buf_add_byte(text, ' '));
		added = added && utf8_repair(str_from(o->arguments[i]), text);
	}
	return added;
}

/* --- the prompt --- */

static bool input_join(struct ask_input *q, const struct options *o, struct str piped)
{
	return input_add_words(&q->text, o, 0) && (!q->text.len || !piped.len || buf_add(&q->text, STR("\n\n"))) && buf_add(&q->text, piped);
}

/* Each argument is a word. Words that the template does not name by number are its rest. */
static bool input_fill(struct ask_input *q, const struct options *o, const struct template *template, struct str piped, struct error *err)
{
	size_t most = template_word_count(template), count = o->argument_count < most ? o->argument_count : most;
	struct template_words with = { .count = count, .piped = piped };
	struct buf words[TEMPLATE_WORDS_MOST + 1] = { { 0 } };
	bool good;

	for (size_t i = 0; i < count; i++) {
		(void)utf8_repair(str_from(o->arguments[i]), &words[i]);
		with.words[i] = buf_str(&words[i]);
	}
	(void)input_add_words(&words[count], o, count);
	with.rest = buf_str(&words[count]);
	good = template_fill(template, &with, &q->text, err);
	for (size_t i = 0; i <= count; i++)
		buf_fini(&words[i]);
	return good;
}

enum ask_input_state ask_input_read(struct ask_input *q, const struct options *o, const struct template *template, struct error *err)
{
	struct buf piped;
	enum ask_input_state state;

	q->parts = mem_new((o->file_count + 1) * sizeof *q->parts);
	q->message.parts = q->parts;
	q->message.part_count = 1;
	/* Files first, so that a missing file is reported without waiting for standard input. */
	if (!input_add_files(q, o, err))
		return ASK_INPUT_BAD;
	buf_init(&piped, QUESTION_LIMIT);
	state = input_take_piped(q, o, &piped, err);
	if (state == ASK_INPUT_READY && template)
		state = input_fill(q, o, template, buf_str(&piped), err) ? state : ASK_INPUT_BAD;
	else if (state == ASK_INPUT_READY && !input_join(q, o, buf_str(&piped)))
		state = input_refuse_size(q, err);
	buf_fini(&piped);
	if (state == ASK_INPUT_READY && !q->text.len && !q->file_count) {
		error_set(err, "there is nothing to ask: give a PROMPT, or pipe one into standard input");
		state = ASK_INPUT_BAD;
	}
	q->parts[0].kind = PART_TEXT;
	q->parts[0].text = buf_str(&q->text);
	return state;
}
