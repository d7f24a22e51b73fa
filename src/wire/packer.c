#include "wire/packer.h"

#include "base/array.h"
#include "base/base64.h"
#include "base/mem.h"

void packer_end_text(struct packer *p)
{
	p->run_at = 0;
	p->is_open = false;
}

void packer_drop(struct packer *p)
{
	for (size_t i = 0; i < p->count; i++)
		blob_drop(p->packs[i].bytes);
	p->count = p->packed = 0;
	packer_end_text(p);
}

void packer_fini(struct packer *p)
{
	packer_drop(p);
	mem_free(p->packs);
}

static void pack_groups(struct packer *p, struct buf *text)
{
	struct json_pack *last = &p->packs[p->count - 1];
	size_t read = base64_take(str_skip(buf_str(text), last->at), &last->bytes->bytes);

	buf_remove(text, last->at, read);
	last->len = last->bytes->bytes.len;
	p->packed += read;
}

void packer_take(struct packer *p, struct buf *text, size_t before)
{
	if (p->is_open) {
		pack_groups(p, text);
		before = p->run_at = p->packs[p->count - 1].at;
	}
	size_t tail = base64_tail(str_skip(buf_str(text), before));
	if (before + tail < text->len) {
		p->run_at = text->len - tail;
		p->is_open = false;
	}
	if (p->is_open || text->len - p->run_at < p->from)
		return;
	/* A pack does not begin in an escape. */
	size_t at = p->run_at + (p->run_at && text->ptr[p->run_at - 1] == '\\');
	*ARRAY_ADD(p->packs, p->count, p->capacity) = (struct json_pack){ at, 0, blob_of(&(struct buf){ 0 }) };
	p->is_open = true;
	pack_groups(p, text);
}
