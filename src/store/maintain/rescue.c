#include "store/maintain/rescue.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/os/descriptor.h"

#define PAGE 4096u            /* history_maintain() creates files with this size only */
#define FILE_HEADER 100u
#define LEAF_OF_TABLE 0x0D
#define WAL_HEADER 32u
#define FRAME_HEADER 24u
#define PAGES_MOST ((size_t)1 << 22) /* 16 GiB: a file may claim any size and be a hole */
#define CHAINED_MOST 2
#define CELL_BYTES_MOST (4 * PAGE) /* of the cells of a page together: those of a sound one do not overlap */
#define WAL_MAGIC 0x377f0682u /* the last bit: checksums in big-endian words */

/* The use of a page as the rest of a row. */
struct chained { uint32_t row; unsigned char times; };

struct rescue {
	int file, wal;
	size_t page_count;
	off_t *in_wal;          /* by page: offset of its newest content in the WAL; 0: it is in the file */
	struct chained *chained; /* by page */
	uint32_t row;           /* number of the row that is read; 0: none yet */
	off_t data_begin;       /* no data from the page that was asked for up to here */
	rescue_row *visit;
	void *ctx;
	struct buf payload;
};

static uint32_t big32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t little32(const unsigned char *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* --- the WAL --- */

static void add_checksum(uint32_t sum[2], const unsigned char *bytes, size_t count, bool big)
{
	for (size_t i = 0; i + 8 <= count; i += 8) {
		sum[0] += (big ? big32(bytes + i) : little32(bytes + i)) + sum[1];
		sum[1] += (big ? big32(bytes + i + 4) : little32(bytes + i + 4)) + sum[0];
	}
}

static void note_page(struct rescue *r, uint32_t page, off_t at)
{
	if (!page || page > PAGES_MOST)
		return;
	if (page > r->page_count) {
		r->in_wal = mem_resize(r->in_wal, page + 1, sizeof *r->in_wal);
		memset(r->in_wal + r->page_count + 1, 0, (page - r->page_count) * sizeof *r->in_wal);
		r->page_count = page;
	}
	r->in_wal[page] = at;
}

/*
 * Frames count up to the last commit whose checksums hold, as for SQLite. Those after a damaged frame are not used: their pages may belong to
 * a transaction that never ended.
 */
static void read_wal(struct rescue *r)
{
	unsigned char header[WAL_HEADER], frame[FRAME_HEADER + PAGE];
	struct { uint32_t page; off_t at; } *open = NULL;
	size_t open_count = 0, open_capacity = 0;
	uint32_t sum[2] = { 0, 0 };
	bool big;

	if (r->wal < 0 || pread(r->wal, header, sizeof header, 0) != (ssize_t)sizeof header || (big32(header) & ~1u) != WAL_MAGIC ||
	    big32(header + 8) != PAGE)
		return;
	big = big32(header) & 1;
	add_checksum(sum, header, 24, big);
	if (sum[0] != big32(header + 24) || sum[1] != big32(header + 28))
		return;
	for (off_t at = WAL_HEADER; pread(r->wal, frame, sizeof frame, at) == (ssize_t)sizeof frame; at += (off_t)sizeof frame) {
		add_checksum(sum, frame, 8, big);
		add_checksum(sum, frame + FRAME_HEADER, PAGE, big);
		if (memcmp(frame + 8, header + 16, 8) != 0 || sum[0] != big32(frame + 16) || sum[1] != big32(frame + 20))
			break;
		mem_reserve(&open, &open_capacity, open_count + 1, sizeof *open);
		open[open_count].page = big32(frame);
		open[open_count++].at = at + FRAME_HEADER;
		if (!big32(frame + 4))
			continue;
		for (size_t i = 0; i < open_count; i++)
			note_page(r, open[i].page, open[i].at);
		open_count = 0;
	}
	mem_free(open);
}

/* --- pages --- */

/* A page that ends too soon is filled with zeros. */
static bool read_page(const struct rescue *r, size_t page, unsigned char out[PAGE])
{
	off_t in_wal = page && page <= r->page_count ? r->in_wal[page] : 0;
	ssize_t n;

	if (!page || page > r->page_count)
		return false;
	memset(out, 0, PAGE);
	n = in_wal ? pread(r->wal, out, PAGE, in_wal) : pread(r->file, out, PAGE, (off_t)(page - 1) * PAGE);
	return n > 0;
}

/* At most nine bytes; the ninth has eight bits. Returns the number of bytes; 0 at the end of the text. */
static size_t read_varint(struct str text, int64_t *number)
{
	uint64_t n = 0;

	for (size_t i = 0; i < 9 && i < text.len; i++) {
		unsigned char byte = (unsigned char)text.ptr[i];

		n = i == 8 ? n << 8 | byte : n << 7 | (byte & 0x7f);
		if (i == 8 || !(byte & 0x80)) {
			*number = (int64_t)n;
			return i + 1;
		}
	}
	return 0;
}

/* A page belongs to one row; but damage may name the page of a sound row, which is not to lose it. A ring comes back to a page of its own row. */
static bool take_chained(struct rescue *r, uint32_t page)
{
	struct chained *c = page <= r->page_count ? &r->chained[page] : NULL;

	if (!c || c->row == r->row || c->times == CHAINED_MOST)
		return false;
	*c = (struct chained){ r->row, (unsigned char)(c->times + 1) };
	return true;
}

/* Appends what is left of a payload from its chain of overflow pages. A chain that ends too soon loses the rest. */
static void read_overflow(struct rescue *r, uint32_t page, size_t left)
{
	unsigned char bytes[PAGE];

	r->row++;
	while (left && take_chained(r, page) && read_page(r, page, bytes)) {
		size_t many = left < PAGE - 4 ? left : PAGE - 4;

		if (!buf_add(&r->payload, str_of((const char *)bytes + 4, many)))
			return;
		left -= many;
		page = big32(bytes);
	}
}

/* How much of a payload is in its cell. */
static size_t local_bytes(size_t payload)
{
	size_t most = PAGE - 35, least = (PAGE - 12) * 32 / 255 - 23, middle;

	if (payload <= most)
		return payload;
	middle = least + (payload - least) % (PAGE - 4);
	return middle <= most ? middle : least;
}

/* --- rows --- */

static int64_t read_integer(struct str bytes)
{
	uint64_t n = bytes.len && (bytes.ptr[0] & 0x80) ? ~(uint64_t)0 : 0;

	for (size_t i = 0; i < bytes.len; i++)
		n = n << 8 | (unsigned char)bytes.ptr[i];
	return (int64_t)n;
}

static struct value read_value(int64_t type, struct str bytes)
{
	if (type == 0)
		return NOTHING;
	if (type >= 1 && type <= 6)
		return INTEGER(read_integer(bytes));
	if (type == 7) {
		int64_t bits = read_integer(bytes);
		double real;

		memcpy(&real, &bits, sizeof real);
		return REAL(real);
	}
	if (type == 8 || type == 9)
		return INTEGER(type - 8);
	return TEXT(bytes);
}

static size_t value_bytes(int64_t type)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0 };

	return type < 12 ? sizes[type] : (size_t)(type - 12) / 2;
}

static void read_record(struct rescue *r, int64_t row, struct str payload)
{
	struct value values[RESCUE_COLUMNS_MOST];
	int64_t header_bytes = 0, type = 0;
	size_t used = read_varint(payload, &header_bytes), count = 0;
	struct str header, body;

	if (!used || header_bytes < (int64_t)used || (size_t)header_bytes > payload.len)
		return;
	header = str_skip(str_head(payload, (size_t)header_bytes), used);
	body = str_skip(payload, (size_t)header_bytes);
	while (header.len && count < RESCUE_COLUMNS_MOST) {
		used = read_varint(header, &type);
		if (!used || type < 0)
			return;
		header = str_skip(header, used);
		values[count++] = read_value(type, str_head(body, value_bytes(type)));
		body = str_skip(body, value_bytes(type));
	}
	r->visit(r->ctx, row, values, count);
}

/* Returns how many bytes of its page it takes. */
static size_t read_cell(struct rescue *r, struct str cell)
{
	int64_t payload = 0, row = 0;
	size_t first = read_varint(cell, &payload), second = first ? read_varint(str_skip(cell, first), &row) : 0, local;

	if (!second || payload < 2 || (uint64_t)payload > RESCUE_ROW_MOST)
		return 0;
	cell = str_skip(cell, first + second);
	local = local_bytes((size_t)payload);
	if (local == (size_t)payload) {
		read_record(r, row, str_head(cell, local));
		return str_head(cell, local).len;
	}
	buf_clear(&r->payload);
	buf_add(&r->payload, str_head(cell, local));
	if (cell.len >= local + 4)
		read_overflow(r, big32((const unsigned char *)cell.ptr + local), (size_t)payload - local);
	read_record(r, row, buf_str(&r->payload));
	return str_head(cell, local).len;
}

static void read_leaf(struct rescue *r, size_t page)
{
	unsigned char bytes[PAGE];
	size_t start = page == 1 ? FILE_HEADER : 0, count, taken = 0;

	if (!read_page(r, page, bytes) || bytes[start] != LEAF_OF_TABLE)
		return;
	count = (size_t)bytes[start + 3] << 8 | bytes[start + 4];
	for (size_t i = 0; i < count && start + 8 + 2 * i + 2 <= PAGE && taken < CELL_BYTES_MOST; i++) {
		size_t at = (size_t)bytes[start + 8 + 2 * i] << 8 | bytes[start + 9 + 2 * i];

		if (at >= start + 8 && at < PAGE)
			taken += read_cell(r, str_of((const char *)bytes + at, PAGE - at));
	}
}

/* Whether the page of the file is a hole. */
static bool skips_hole(struct rescue *r, size_t page)
{
	off_t at = (off_t)(page - 1) * PAGE;

	if (at < r->data_begin)
		return at + (off_t)PAGE <= r->data_begin;
	off_t data = descriptor_data(r->file, at);
	r->data_begin = data >= 0 ? data : errno == ENXIO ? (off_t)PAGES_MOST * PAGE : 0;
	return at + (off_t)PAGE <= r->data_begin;
}

bool rescue_read(int file, int wal, rescue_row *visit, void *ctx)
{
	struct rescue r = { .file = file, .wal = wal, .visit = visit, .ctx = ctx };
	struct stat facts;

	if (fstat(file, &facts) != 0 || facts.st_size < 0)
		return false;
	buf_init(&r.payload, RESCUE_ROW_MOST);
	r.page_count = facts.st_size < (off_t)PAGES_MOST * PAGE ? (size_t)((facts.st_size + PAGE - 1) / PAGE) : PAGES_MOST;
	r.in_wal = mem_new((r.page_count + 1) * sizeof *r.in_wal);
	read_wal(&r);
	r.chained = mem_new((r.page_count + 1) * sizeof *r.chained);
	for (size_t page = 1; page <= r.page_count; page++)
		if (r.in_wal[page] || !skips_hole(&r, page))
			read_leaf(&r, page);
	mem_free(r.in_wal);
	mem_free(r.chained);
	buf_fini(&r.payload);
	return true;
}
