/* The guard's media: what is known of each item, its digest, the maximum of all data. */
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "wire/guard_inside.h"

static struct guard_media *guard_media_at(const struct guard *g, unsigned index)
{
	return index < g->media_count && g->media[index].open && guard_takes(g) ? &g->media[index] : NULL;
}

/* --- facts --- */

static struct str media_type(const struct guard_media *m)
{
	struct str sent = guard_known(&m->type);

	return media_type_is_open(sent) ? media_sniff(str_of(m->head, m->head_len)) : sent;
}

static struct media_facts guard_media_facts(const struct guard_media *m)
{
	struct str type = media_type(m);

	return (struct media_facts){
		.kind = media_kind_of(type, m->place), .id = guard_known(&m->id), .type = type, .url = guard_known(&m->url),
		.sha256 = m->sha256[0] ? str_from(m->sha256) : STR_NONE, .bytes = m->bytes, .partials = m->partials, .thought = m->thought,
		.failed = m->refused,
		.whole = m->complete && !m->failed && (m->bytes || m->url.len || m->is_named),
	};
}

static void guard_emit_media(struct guard *g, enum delta_kind kind, const struct guard_media *m, struct delta *d)
{
	d->kind = kind;
	d->part = m->number;
	d->media.index = (unsigned)(m - g->media);
	d->media.facts = guard_media_facts(m);
	guard_give(g, d);
}

/* --- begin --- */

unsigned guard_media_begin(struct guard *g, const struct media_facts *facts)
{
	if (guard_takes(g) && g->media_count == GUARD_PARTS_MOST)
		guard_error(g, &(struct error_report){ .message = STR("The answer has too many pictures, sounds and files.") });
	if (!guard_takes(g))
		return GUARD_NEW_PART;
	mem_reserve(&g->media, &g->media_capacity, g->media_count + 1, sizeof *g->media);
	struct guard_media *m = &g->media[g->media_count++];
	*m = (struct guard_media){ .place = facts->kind, .thought = facts->thought, .open = true, .best = -1, .number = g->next_number++ };
	buf_add(&m->id, facts->id);
	buf_add(&m->type, facts->type);
	buf_add(&m->url, facts->url);
	m->complete = facts->url.len > 0;
	g->latest = g->legible = GUARD_NEW_PART;
	guard_emit_media(g, DELTA_MEDIA_BEGIN, m, &(struct delta){ 0 });
	return (unsigned)(m - g->media);
}

unsigned guard_media_part(const struct guard *g, unsigned index)
{
	return index < g->media_count ? g->media[index].number : GUARD_NEW_PART;
}

void guard_media_named(struct guard *g, struct str id, struct str name)
{
	unsigned index = guard_media_begin(g, &(struct media_facts){ .kind = MEDIA_FILE, .id = id });
	struct guard_media *m = guard_media_at(g, index);

	if (!m)
		return;
	m->is_named = m->complete = true;
	guard_media_text(g, index, name);
	guard_media_end(g, index);
}

void guard_media_learn(struct guard *g, unsigned index, const struct media_facts *facts)
{
	struct guard_media *m = guard_media_at(g, index);

	if (!m)
		return;
	if (!m->id.len)
		buf_add(&m->id, facts->id);
	guard_replace(&m->type, facts->type);
	guard_replace(&m->url, facts->url);
	m->complete |= facts->url.len > 0;
}

/* --- data --- */

static bool media_fits(struct guard *g, const struct guard_media *m, size_t kept, size_t more)
{
	size_t others = g->media_bytes - m->bytes;

	if (more <= g->media_limit && others + kept <= g->media_limit - more)
		return true;
	guard_notice(g, "media-limit", "Data of the answer that does not fit in %zu MB was left out.", g->media_limit >> 20);
	return false;
}

static void media_count(struct guard *g, struct guard_media *m, size_t bytes)
{
	g->media_bytes += bytes - m->bytes;
	m->bytes = bytes;
}

static void media_keep_head(struct guard_media *m, struct str bytes)
{
	struct str head = str_head(bytes, MEDIA_HEAD - m->head_len);

	if (head.len)
		memcpy(m->head + m->head_len, head.ptr, head.len);
	m->head_len += head.len;
}

static void media_set_picture(struct guard *g, struct guard_media *m, struct str bytes, struct blob *blob, bool is_partial)
{
	m->head_len = 0;
	media_keep_head(m, bytes);
	media_count(g, m, bytes.len);
	digest_hex(bytes, m->sha256);
	guard_emit_media(g, DELTA_MEDIA, m, &(struct delta){ .media = { .is_partial = is_partial, .data = bytes, .blob = blob } });
}

/* Notes the number of a partial picture, each once; most come in rising order. False if it came before. */
static bool media_note_number(struct guard_media *m, int64_t number)
{
	struct search s = search_in(0, m->seen_count);

	if (m->seen_count && m->seen[m->seen_count - 1] < number)
		s = search_in(m->seen_count, m->seen_count);
	while (search_next(&s))
		search_take(&s, m->seen[s.middle] < number);
	if ((s.low < m->seen_count && m->seen[s.low] == number) || m->seen_count == GUARD_PARTS_MOST)
		return false;
	mem_reserve(&m->seen, &m->seen_capacity, m->seen_count + 1, sizeof *m->seen);
	memmove(m->seen + s.low + 1, m->seen + s.low, (m->seen_count - s.low) * sizeof *m->seen);
	m->seen[s.low] = number;
	m->seen_count++;
	return true;
}

void guard_media_partial(struct guard *g, unsigned index, int64_t number, struct str bytes, struct blob *blob)
{
	struct guard_media *m = guard_media_at(g, index);

	if (!m || m->complete || m->failed)
		return;
	m->partials += number < 0 || media_note_number(m, number);
	if (number >= 0 && number < m->best)
		return;
	if (!media_fits(g, m, 0, bytes.len))
		return;
	m->best = number > m->best ? number : m->best;
	media_set_picture(g, m, bytes, blob, true);
}

void guard_media_picture(struct guard *g, unsigned index, struct str bytes, struct blob *blob)
{
	struct guard_media *m = guard_media_at(g, index);

	if (!m || m->complete || m->failed)
		return;
	m->complete = true;
	m->failed = !media_fits(g, m, 0, bytes.len);
	if (!m->failed)
		media_set_picture(g, m, bytes, blob, false);
}

void guard_media_piece(struct guard *g, unsigned index, struct str bytes, struct blob *blob)
{
	struct guard_media *m = guard_media_at(g, index);

	if (!m || m->failed || !bytes.len)
		return;
	m->failed = !media_fits(g, m, m->bytes, bytes.len);
	if (m->failed)
		return;
	if (!m->digest)
		m->digest = digest_new();
	digest_add(m->digest, bytes);
	media_keep_head(m, bytes);
	media_count(g, m, m->bytes + bytes.len);
	guard_emit_media(g, DELTA_MEDIA, m, &(struct delta){ .media = { .data = bytes, .blob = blob } });
}

void guard_media_unreadable(struct guard *g, unsigned index, bool fails)
{
	struct guard_media *m = guard_media_at(g, index);

	if (!m)
		return;
	m->failed |= fails;
	guard_notice(g, "media-data", "Data of the answer is not base64; it was left out.");
}

/* --- text --- */

static void media_add_text(struct guard *g, struct guard_media *m, struct str text)
{
	if (text.len && buf_add(&m->text, text))
		guard_emit_media(g, DELTA_MEDIA_TEXT, m, &(struct delta){ .text = text });
}

void guard_media_text(struct guard *g, unsigned index, struct str raw)
{
	struct guard_media *m = guard_media_at(g, index);

	if (!m)
		return;
	struct str text = surrogate_join(&m->surrogate, raw, &g->scratch);
	media_add_text(g, m, text);
	guard_count_bytes(g, text.len);
}

/* --- end --- */

void guard_media_complete(struct guard *g, unsigned index)
{
	struct guard_media *m = guard_media_at(g, index);

	if (m)
		m->complete = true;
}

void guard_media_fail(struct guard *g, unsigned index)
{
	struct guard_media *m = guard_media_at(g, index);

	if (m)
		m->failed = m->refused = true;
}

static void note_media_type(struct guard *g, const struct guard_media *m)
{
	struct str sent = guard_known(&m->type), told = media_sniff(str_of(m->head, m->head_len));

	if (!media_type_is_open(sent) && told.len && !media_types_agree(sent, told))
		guard_notice(g, "media-type", "Data of the answer is called %.*s and begins like %.*s.", STR_ARG(str_head(sent, 80)), STR_ARG(told));
}

static void guard_close_media(struct guard *g, struct guard_media *m)
{
	note_media_type(g, m);
	media_add_text(g, m, surrogate_flush(&m->surrogate));
	if (m->digest)
		digest_hex_so_far(m->digest, m->sha256);
	m->open = false;
	guard_emit_media(g, DELTA_MEDIA_END, m, &(struct delta){ .text = guard_known(&m->text) });
}

void guard_media_end(struct guard *g, unsigned index)
{
	struct guard_media *m = guard_media_at(g, index);

	if (m)
		guard_close_media(g, m);
}

void guard_media_recall(struct guard *g, unsigned index, const struct media_facts *facts, struct str text)
{
	struct guard_media *m = guard_media_at(g, index);

	if (!m)
		return;
	m->open = false;
	guard_give(g, &(struct delta){ .kind = DELTA_MEDIA_END, .part = m->number, .text = text, .media = { .index = index, .facts = *facts } });
}

void guard_end_media(struct guard *g)
{
	for (size_t i = 0; i < g->media_count; i++)
		if (g->media[i].open)
			guard_close_media(g, &g->media[i]);
}

void guard_drop_media(struct guard *g)
{
	for (size_t i = 0; i < g->media_count; i++) {
		struct guard_media *m = &g->media[i];
		struct buf *const bufs[] = { &m->id, &m->type, &m->url, &m->text };

		for (size_t b = 0; b < ARRAY_LEN(bufs); b++)
			buf_fini(bufs[b]);
		digest_free(m->digest);
		mem_free(m->seen);
	}
	g->media_count = g->media_bytes = 0;
}

size_t guard_media_count(const struct guard *g)
{
	return g->media_count;
}

bool guard_media_has(const struct guard *g, enum media_kind place, struct str id)
{
	for (size_t i = 0; i < g->media_count; i++)
		if (g->media[i].place == place && str_equal(buf_str(&g->media[i].id), id))
			return true;
	return false;
}
