#include "app/setup/saved_stream.h"

#include <string.h>

#include "app/options/options.h"
#include "app/system/output.h"
#include "store/config/settings.h"

bool saved_any_open(struct tape **tape, const struct options *o, const char *path, struct error *err)
{
	return tape_open_entry(tape, path, o->entry > 0 ? (size_t)o->entry : 0, err);
}

bool saved_is_session(const struct tape *tape)
{
	return str_is(tape_facts(tape)->protocol, "mcp");
}

bool saved_is_stream(const struct tape *tape, const char *path, struct error *err)
{
	return !saved_is_session(tape) ||
	       error_set(err, "%s holds a session with an MCP server, not a model's stream: weir replay shows it, weir lint checks it, and "
	                      "weir tape info sums it up", path);
}

bool saved_stream_open(struct tape **tape, const struct options *o, const char *path, struct error *err)
{
	if (!saved_any_open(tape, o, path, err))
		return false;
	if (saved_is_stream(*tape, path, err))
		return true;
	tape_free(*tape);
	*tape = NULL;
	return false;
}

void saved_stream_tell_others(const struct tape *tape, const struct options *o, const char *path)
{
	const struct tape_archive *archive = tape_archive(tape);
	struct buf others = { 0 };
	size_t named = 0;

	if (!archive || o->entry > 0 || archive->answer_count < 2)
		return;
	for (size_t i = 0; i < archive->answer_count && i < TAPE_ANSWERS_NAMED; i++)
		if (archive->answers[i] != archive->entry)
			buf_printf(&others, "%s%zu", named++ ? ", " : "", archive->answers[i]);
	if (archive->answer_count > TAPE_ANSWERS_NAMED)
		buf_printf(&others, " and %zu more", archive->answer_count - TAPE_ANSWERS_NAMED);
	complain("%s: entry %zu is used; --entry N takes another answer: %s", strcmp(path, "-") ? path : "standard input", archive->entry,
	         buf_z(&others));
	buf_fini(&others);
}

bool saved_stream_choose(const struct options *o, const struct tape *tape, struct stream_options *stream, struct error *err)
{
	const struct tape_info *facts = tape_facts(tape);
	struct error ignored;

	*stream = (struct stream_options){ .asked = tape_asked(tape), .untimed = tape_is_plain(tape),
	                                   .media_bytes = settings_media_bytes(o->config) };
	stream->protocol = o->protocol ? protocol_named(o->protocol, err) : protocol_find(facts->protocol);
	if (o->protocol && !stream->protocol)
		return false;
	stream->dialect = o->dialect ? settings_dialect_named(o->config, o->dialect, err) : settings_dialect(o->config, facts->dialect, &ignored);
	return !o->dialect || stream->dialect;
}
