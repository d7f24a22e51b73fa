/* Files attached to the next prompt. */
#include "app/session/session_inside.h"
#include "app/setup/attachment_file.h"
#include "app/setup/context.h"

#include <string.h>

#include "base/mem.h"
#include "chat/conversation/attachments.h"
#include "chat/conversation/turn.h"

static void session_files_clear(struct session_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		buf_fini(&files->parts[i].text);
		mem_free(files->parts[i].name);
		mem_free(files->parts[i].media);
	}
	files->count = 0;
}

void session_files_fini(struct session_files *files)
{
	session_files_clear(files);
	mem_free(files->parts);
}

void session_files_move(struct session_files *to, struct session_files *from)
{
	mem_reserve(&to->parts, &to->capacity, to->count + from->count, sizeof *to->parts);
	for (size_t i = 0; i < from->count; i++)
		to->parts[to->count++] = from->parts[i];
	mem_free(from->parts);
	*from = (struct session_files){ 0 };
}

void session_attach_bytes(struct session *s, struct str bytes, const char *name, const char *media)
{
	struct session_files *files = &s->files;
	struct part a = { .kind = PART_ATTACHMENT, .name = mem_dup_z(name), .media = mem_dup_z(media) };

	buf_add(&a.text, bytes);
	mem_reserve(&files->parts, &files->capacity, files->count + 1, sizeof *files->parts);
	files->parts[files->count++] = a;
}

bool session_attach(struct session *s, const char *path, struct error *err)
{
	struct buf bytes = { 0 };
	const char *media;

	bool read = attachment_read(path, &bytes, &media, err);
	if (read)
		session_attach_bytes(s, buf_str(&bytes), path, media);
	buf_fini(&bytes);
	return read;
}

static bool session_attach_once(struct session *s, const char *path, struct error *err)
{
	return session_has_attached(s, path) || session_attach(s, path, err);
}

static bool session_attach_lines(struct session *s, const struct mentioned *c, struct error *err)
{
	struct buf bytes = { 0 };
	bool good = session_has_attached(s, c->name) || context_read_lines(c, &bytes, err);

	if (good && bytes.len)
		session_attach_bytes(s, buf_str(&bytes), c->name, "text/plain");
	buf_fini(&bytes);
	return good;
}

bool session_attach_context(struct session *s, const struct mentioned *c, struct error *err)
{
	bool good = true;

	if (c->kind == CONTEXT_FILE)
		return session_attach_once(s, c->path, err);
	if (c->kind == CONTEXT_LINES)
		return session_attach_lines(s, c, err);
	for (size_t i = 0; good && c->kind == CONTEXT_FILES && i < c->count; i++)
		good = session_attach_once(s, c->paths[i], err);
	return good;
}

bool session_attach_mentioned(struct session *s, struct str word, struct error *err)
{
	struct mentioned c;
	bool good = context_of(word, &c, err) && session_attach_context(s, &c, err);

	context_fini(&c);
	return good;
}

void session_attach_again(struct session *s, const struct turn *question)
{
	for (size_t i = 0; i < question->part_count; i++) {
		const struct part *p = &question->parts[i];

		if (p->kind == PART_ATTACHMENT)
			session_attach_bytes(s, buf_str(&p->text), p->name ? p->name : "", p->media); /* an imported one may have no name */
	}
}

/* Files that were attached again have only a file name, not a path. */
bool session_has_attached(const struct session *s, const char *path)
{
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < s->files.count; i++) {
		const char *name = s->files.parts[i].name;

		if (!strcmp(name, path) || (!strchr(name, '/') && slash && !strcmp(name, slash + 1)))
			return true;
	}
	return false;
}

size_t session_attached(const struct session *s)
{
	return s->files.count;
}

const struct part *session_attached_at(const struct session *s, size_t index)
{
	return &s->files.parts[index];
}

bool part_is_text_file(const struct part *attached)
{
	return str_starts(str_from(attached->media), "text/") || str_is(str_from(attached->media), "application/json");
}

void session_estimate_attached(const struct session *s, struct estimate *e)
{
	for (size_t i = 0; i < s->files.count; i++)
		if (part_is_text_file(&s->files.parts[i]))
			estimate_add(e, buf_str(&s->files.parts[i].text));
}

void session_detach(struct session *s)
{
	session_files_clear(&s->files);
}

void session_add_attachments(struct session *s, struct turn *question)
{
	for (size_t i = 0; i < s->files.count; i++) {
		struct part *a = &s->files.parts[i];
		struct part *p = turn_add(question, PART_ATTACHMENT, buf_str(&a->text), STR_NONE, str_from(attachments_name(a->name)));

		p->media = mem_dup_z(a->media);
	}
	session_files_clear(&s->files);
}
