/* SARIF 2.1.0 of `weir lint`. */
#include "app/lint/lint_report.h"

#include <string.h>

#include "app/options/options.h"
#include "base/digest.h"
#include "base/percent.h"

#define FINGERPRINT_HEX 32 /* characters */

static const char *sarif_level(const struct lint_rule *rule)
{
	static const char *const levels[LINT_SEVERITIES] = {
		[LINT_BREAKS_CLIENTS] = "error", [LINT_BREAKS_PROMISE] = "warning", [LINT_UNUSUAL] = "note",
	};

	return levels[lint_rule_severity(rule)];
}

static void sarif_text(struct json_writer *w, const char *key, const char *text)
{
	json_key(w, key);
	json_open_object(w);
	json_member_string(w, "text", str_from(text));
	json_close_object(w);
}

static void sarif_rule(struct json_writer *w, const struct lint_rule *rule)
{
	struct buf help = { 0 };

	buf_printf(&help, "%s. Source: %s.", lint_rule_promise(rule), lint_rule_source(rule));
	if (lint_rule_breaks(rule))
		buf_printf(&help, " Breaks %s.", lint_rule_breaks(rule));
	json_open_object(w);
	json_member_string(w, "id", str_from(lint_rule_id(rule)));
	sarif_text(w, "shortDescription", lint_rule_promise(rule));
	sarif_text(w, "fullDescription", buf_z(&help));
	json_key(w, "defaultConfiguration");
	json_open_object(w);
	json_member_string(w, "level", str_from(sarif_level(rule)));
	json_close_object(w);
	json_close_object(w);
	buf_fini(&help);
}

static void sarif_begin(struct buf *out)
{
	const struct lint_rule *rule;
	struct json_writer w;

	buf_add_z(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":"
	               "{\"name\":\"weir\",\"version\":\"" WEIR_VERSION "\",\"rules\":");
	json_writer_init(&w, out);
	json_open_array(&w);
	for (size_t i = 0; (rule = lint_rule_at(i)); i++)
		sarif_rule(&w, rule);
	json_close_array(&w);
	buf_add_z(out, "}},\"columnKind\":\"unicodeCodePoints\",\"results\":[");
}

/* A file URI for an absolute path, else a relative reference. Only unreserved characters and slashes are not percent-encoded. */
static void sarif_uri(struct json_writer *w, const char *path)
{
	struct buf uri = { 0 };

	if (*path == '/')
		buf_add_z(&uri, "file://");
	percent_encode(str_from(strcmp(path, "-") ? path : "stdin"), "-._~/", &uri);
	json_member_string(w, "uri", buf_str(&uri));
	buf_fini(&uri);
}

/* --- where it is --- */

/* The number of line feeds before an offset. */
static size_t count_feeds(struct str text, size_t from, size_t to)
{
	const char *at = text.ptr + from, *end = text.ptr + to;
	size_t count = 0;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
		count++;
		at++;
	}
	return count;
}

/* One walk finds the lines of findings that are ordered by place. The end of a file is in its last line. */
struct sarif_walk { size_t offset, line; };

static size_t body_line(struct sarif_walk *walk, struct str body, size_t offset)
{
	if (offset >= body.len)
		offset = body.len ? body.len - 1 : 0;
	if (!walk->line || offset < walk->offset)
		*walk = (struct sarif_walk){ 0, 1 };
	walk->line += count_feeds(body, walk->offset, offset);
	walk->offset = offset;
	return walk->line;
}

/* The line of the tape that holds a byte of the body, or its end; for a finding of no byte the line of the head. */
static size_t tape_line(const struct tape *tape, const struct frame_place *place)
{
	size_t line = 1, end = 0;

	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);

		line = step.line;
		end += step.bytes.len;
		if (place->in_body ? end > place->offset : step.kind == TAPE_HEAD)
			return line;
	}
	return place->in_body ? line : 1;
}

static size_t sarif_line(const struct lint_report *r, const struct frame_place *place, struct sarif_walk *walk)
{
	if (tape_archive(r->tape))
		return tape_archive(r->tape)->line ? tape_archive(r->tape)->line : 1;
	if (!tape_is_plain(r->tape))
		return tape_line(r->tape, place);
	return place->in_body ? body_line(walk, tape_plain_body(r->tape), place->offset) : 1;
}

static void sarif_region(struct json_writer *w, const struct lint_report *r, const struct frame_place *place, struct sarif_walk *walk)
{
	json_key(w, "region");
	json_open_object(w);
	json_member_integer(w, "startLine", (int64_t)sarif_line(r, place, walk));
	if (place->in_body && tape_is_plain(r->tape) && !tape_archive(r->tape)) {
		json_member_integer(w, "byteOffset", (int64_t)place->offset);
		json_member_integer(w, "byteLength", 0);
	}
	json_close_object(w);
}

static void sarif_location(struct json_writer *w, const struct lint_report *r, const struct frame_place *place, struct sarif_walk *walk)
{
	json_key(w, "locations");
	json_open_array(w);
	json_open_object(w);
	json_key(w, "physicalLocation");
	json_open_object(w);
	json_key(w, "artifactLocation");
	json_open_object(w);
	sarif_uri(w, r->path);
	json_close_object(w);
	sarif_region(w, r, place, walk);
	json_close_object(w);
	json_close_object(w);
	json_close_array(w);
}

/* --- what it is --- */

/* How many findings before it have the same rule and message. */
static size_t same_before(const struct lint_report *r, size_t index)
{
	const struct lint_kept *f = &r->findings[index];
	size_t same = 0;

	for (size_t i = index; i-- > 0 && r->findings[i].rule == f->rule;)
		same += !strcmp(r->findings[i].message, f->message);
	return same;
}

/* A finding keeps its fingerprint if it moves within its file, or the file to another folder. */
static void sarif_fingerprint(struct json_writer *w, const struct lint_report *r, size_t index)
{
	const struct lint_kept *f = &r->findings[index];
	const char *slash = strrchr(r->path, '/');
	struct buf text = { 0 };
	char hex[DIGEST_HEX + 1];

	buf_printf(&text, "%s\n%s\n%s\n%zu", slash ? slash + 1 : r->path, lint_rule_id(f->rule), f->message, same_before(r, index));
	digest_hex(buf_str(&text), hex);
	json_key(w, "partialFingerprints");
	json_open_object(w);
	json_member_string(w, "weirFinding/v1", str_of(hex, FINGERPRINT_HEX));
	json_close_object(w);
	buf_fini(&text);
}

static void sarif_file(const struct lint_report *r, bool first, struct buf *out)
{
	struct sarif_walk walk = { 0, 0 };

	for (size_t i = 0; i < r->count; i++) {
		const struct lint_kept *f = &r->findings[i];
		struct json_writer w;

		if (!first || i)
			buf_add_byte(out, ',');
		json_writer_init(&w, out);
		json_open_object(&w);
		json_member_string(&w, "ruleId", str_from(lint_rule_id(f->rule)));
		json_member_integer(&w, "ruleIndex", (int64_t)lint_rule_index(f->rule));
		json_member_string(&w, "level", str_from(sarif_level(f->rule)));
		sarif_text(&w, "message", f->message);
		sarif_location(&w, r, &f->place, &walk);
		sarif_fingerprint(&w, r, i);
		json_key(&w, "properties");
		json_open_object(&w);
		lint_write_place(&w, &f->place);
		lint_write_promise(&w, f->rule);
		json_close_object(&w);
		json_close_object(&w);
	}
}

static void sarif_end(size_t files, size_t files_with, size_t findings, struct buf *out)
{
	(void)files, (void)files_with, (void)findings;
	buf_add_z(out, "]}]}\n");
}

const struct lint_form lint_sarif = { .begin = sarif_begin, .file = sarif_file, .end = sarif_end };
