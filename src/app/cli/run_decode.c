#include "app/options/options.h"
#include "app/options/subcommand.h"

#include <unistd.h>

#include "app/setup/saved_stream.h"
#include "app/system/media_folder.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "chat/conversation/turn.h"
#include "chat/player/trace.h"
#include "wire/event.h"
#include "wire/summary.h"

#define EVENTS_AT_ONCE ((size_t)64 << 10) /* bytes buffered before they are written */

struct decoding {
	struct output out;
	bool events;
	struct summary *summary;
	struct media_folder folder;
	struct media_keeper media;
	struct buf lines;
};

static void decode_take_delta(void *decoding, const struct delta *delta)
{
	struct decoding *d = decoding;

	summary_delta(d->summary, delta);
	if (d->folder.fd)
		media_keeper_delta(&d->media, delta);
	if (!d->events || d->out.closed)
		return;
	event_write(delta, &d->lines);
	if (d->lines.len >= EVENTS_AT_ONCE)
		output_flush_json(&d->out, &d->lines);
}

/* Whether to stop before the end of a long tape: a signal arrived or the reader is gone. */
static bool decode_is_stopped(void *decoding)
{
	const struct decoding *d = decoding;

	return d->out.closed || signals_want_stop();
}

/* After all else: a write that fails changes the exit status only. */
static int decode_write_media(struct decoding *d, int status)
{
	struct error err;
	bool written = media_folder_write(&d->folder, &d->media, &err);

	if (!written)
		complain("%s", err.text);
	return written ? status : EXIT_LOCAL;
}

static int decode_tape(const struct options *o, const struct tape *tape, const struct stream_options *options, const struct media_folder *folder)
{
	struct decoding d = { .events = o->events, .summary = summary_new(), .folder = *folder };
	struct stream *stream = stream_new(options, decode_take_delta, &d);
	const struct protocol *protocol;
	bool whole;
	int status;

	output_init(&d.out, STDOUT_FILENO);
	whole = tape_feed(tape, stream, o->status, decode_is_stopped, &d);
	protocol = stream_protocol(stream);
	if (whole && !o->events) {
		summary_write(d.summary, str_from(protocol ? protocol->name : NULL),
		              options->dialect ? str_from(options->dialect->name) : STR("generic"), &d.lines);
		buf_add_byte(&d.lines, '\n');
	}
	output_flush_json(&d.out, &d.lines);
	status = output_status(&d.out, whole ? outcome_exit_status(summary_outcome(d.summary)) : EXIT_CANCELLED);
	status = decode_write_media(&d, status);
	buf_fini(&d.lines);
	media_keeper_fini(&d.media);
	stream_free(stream);
	summary_free(d.summary);
	return status;
}

#define FRAMES_AT_ONCE ((size_t)256 << 10) /* bytes of the body that are decoded before their frames are written */

/* --frames: each as soon as it gets no more deltas. */
static int decode_frames(const struct options *o, const struct tape *tape, const struct stream_options *options)
{
	struct decoding d = { .events = true };
	struct trace *trace = trace_new(tape, options, o->status, LINT_LEVEL_OFF);
	size_t written = 0;
	int status;

	output_init(&d.out, STDOUT_FILENO);
	while (!decode_is_stopped(&d) && trace_read(trace, FRAMES_AT_ONCE))
		while (written < trace_settled(trace) && !decode_is_stopped(&d)) {
			trace_write(trace, written++, &d.lines);
			if (d.lines.len >= EVENTS_AT_ONCE)
				output_flush_json(&d.out, &d.lines);
		}
	output_flush_json(&d.out, &d.lines);
	status = output_status(&d.out, trace_is_read(trace) && written == trace_count(trace)
	                                       ? outcome_exit_status(delta_log_answer(trace_log(trace))->outcome) : EXIT_CANCELLED);
	buf_fini(&d.lines);
	trace_free(trace);
	return status;
}

int run_decode(const struct options *o)
{
	struct stream_options options;
	struct media_folder folder;
	struct tape *tape = NULL;
	struct error err;
	int status;

	if (o->argument_count != 1)
		return usage_error("decode takes one FILE, a saved stream (- is standard input)");
	if (!media_folder_open(&folder, o->media, &err))
		return usage_error("%s", err.text);
	if (!saved_stream_open(&tape, o, o->arguments[0], &err))
		return usage_error("%s", err.text);
	saved_stream_tell_others(tape, o, o->arguments[0]);
	signals_open();
	if (!saved_stream_choose(o, tape, &options, &err))
		status = usage_error("%s", err.text);
	else
		status = o->frames ? decode_frames(o, tape, &options) : decode_tape(o, tape, &options, &folder);
	signals_close();
	media_folder_close(&folder);
	tape_free(tape);
	return status;
}
