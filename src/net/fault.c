#include "net/fault.h"

#include "base/array.h"

#define SCRATCH_LIMIT (FAULT_PIECE_BYTES + 100) /* a byte becomes at most a line end and a comment */
#define NUMBER_MOST ((long long)256 << 20)
#define STATUS_LEAST 200 /* a lower status announces another head */
#define STATUS_MOST 599
#define GZIP_BLOCK 65535u

/* --- specifications --- */

struct word;
typedef bool word_set(struct fault *fault, const struct word *word, long long number);

struct word {
	const char *name, *argument, *help; /* `argument` NULL: takes none */
	word_set *set;
	size_t offset;
	enum fault_end end;
};

static void *fault_member(struct fault *fault, const struct word *word)
{
	return (char *)fault + word->offset;
}

static bool fault_set_flag(struct fault *fault, const struct word *word, long long number)
{
	(void)number;
	*(bool *)fault_member(fault, word) = true;
	return true;
}

static bool set_size(struct fault *fault, const struct word *word, long long number)
{
	*(size_t *)fault_member(fault, word) = (size_t)number;
	return number >= 0;
}

static bool fault_set_time(struct fault *fault, const struct word *word, long long number)
{
	*(int64_t *)fault_member(fault, word) = number;
	return number >= 0;
}

static bool set_bytes(struct fault *fault, const struct word *word, long long number)
{
	(void)word;
	(void)number;
	fault->piece = 1;
	return true;
}

static bool fault_set_status(struct fault *fault, const struct word *word, long long number)
{
	(void)word;
	fault->status = (int)number;
	return number >= STATUS_LEAST && number <= STATUS_MOST;
}

/* A negative number stands for "next". */
static bool set_end(struct fault *fault, const struct word *word, long long number)
{
	fault->end = word->end;
	fault->end_moves = number < 0;
	fault->end_at = number < 0 ? 0 : (size_t)number;
	return true;
}

#define AT(member) .offset = offsetof(struct fault, member)

static const struct word words[] = {
	{ "wait", "MS", "wait MS milliseconds before the head", fault_set_time, AT(wait_ms) },
	{ "bytes", NULL, "send one byte at a time", .set = set_bytes },
	{ "pieces", "N", "send N bytes at a time", set_size, AT(piece) },
	{ "pace", "MS", "wait MS milliseconds between pieces", fault_set_time, AT(pace_ms) },
	{ "status", "N", "send status N instead of the stream's own", .set = fault_set_status },
	{ "cut", "N", "close the connection after N bytes of the body, before its end", set_end, .end = FAULT_CUT },
	{ "reset", "N", "reset the connection after N bytes of the body", set_end, .end = FAULT_RESET },
	{ "stall", "N", "send nothing more after N bytes of the body", set_end, .end = FAULT_STALL },
	{ "end", "N", "end the body after N bytes, in good order", set_end, .end = FAULT_END },
	{ "length", "N", "announce a Content-Length of N, whatever the length is", set_size, AT(length) },
	{ "gzip", NULL, "compress the body, requested or not", fault_set_flag, AT(gzip) },
	{ "cr", NULL, "end lines with CR", fault_set_flag, AT(cr) },
	{ "crlf", NULL, "end lines with CR LF", fault_set_flag, AT(crlf) },
	{ "bom", NULL, "begin with a byte order mark", fault_set_flag, AT(bom) },
	{ "comments", NULL, "insert a comment before every event", fault_set_flag, AT(comments) },
	{ "nul", "N", "insert a NUL byte after N bytes", set_size, AT(nul_at) },
	{ "bad", "N", "insert an invalid UTF-8 byte after N bytes", set_size, AT(bad_at) },
	{ "giant", "N", "begin with an event of N bytes", set_size, AT(giant) },
	{ "deep", "N", "begin with an event of N brackets", set_size, AT(deep) },
};

struct fault_word fault_word_at(size_t index)
{
	return index < ARRAY_LEN(words) ? (struct fault_word){ words[index].name, words[index].argument, words[index].help }
	                                : (struct fault_word){ 0 };
}

void fault_init(struct fault *fault)
{
	*fault = (struct fault){ .end_at = FAULT_NOWHERE, .length = FAULT_NOWHERE, .nul_at = FAULT_NOWHERE, .bad_at = FAULT_NOWHERE };
}

static bool fault_read_number(const struct word *word, struct str text, long long *number)
{
	*number = -1;
	if (!word->argument)
		return !text.ptr;
	return (word->set == set_end && str_is(text, "next")) || (str_to_int(text, number) && *number <= NUMBER_MOST);
}

static bool read_word(struct fault *fault, struct str order, struct error *err)
{
	struct str rest = order, name = STR_NONE;
	const struct word *word = words;
	long long number;

	str_split(&rest, '=', &name);
	if (name.len == order.len)
		rest = STR_NONE;
	while (word < words + ARRAY_LEN(words) && !str_is(name, word->name))
		word++;
	if (word == words + ARRAY_LEN(words))
		return error_set(err, "there is no fault '%.*s'", STR_ARG(name));
	if (fault_read_number(word, rest, &number) && word->set(fault, word, number))
		return true;
	if (!word->argument)
		return error_set(err, "the fault %s takes no value", word->name);
	bool is_status = word->set == fault_set_status;
	return error_set(err, "the fault %s takes a number from %d to %lld%s: %s=%s, not '%.*s'", word->name, is_status ? STATUS_LEAST : 0,
	                 is_status ? STATUS_MOST : NUMBER_MOST, word->set == set_end ? " or 'next'" : "", word->name, word->argument, STR_ARG(rest));
}

bool fault_read(struct fault *fault, struct str order, struct error *err)
{
	struct str word;

	while (str_split(&order, ',', &word)) {
		word = str_trim(word);
		if (word.len && !read_word(fault, word, err))
			return false;
	}
	return true;
}

/* --- bodies --- */

void fault_body_init(struct fault_body *body, const struct fault *fault, size_t turn)
{
	*body = (struct fault_body){ .fault = fault, .end_at = fault->end_at };
	if (fault->end_moves)
		body->end_at += turn;
	buf_init(&body->scratch, SCRATCH_LIMIT);
}

void fault_body_fini(struct fault_body *body)
{
	buf_fini(&body->scratch);
}

/*
 * Parts sent before the first byte, in this order: a repeated text or a repeated byte. If the body is not an event stream, `line` replaces
 * `event`.
 */
struct part {
	size_t times;      /* repetitions; 0 or more */
	const char *event, *line;
	char byte;         /* used if there is no text */
};
#define PARTS 9

static struct part part_at(const struct fault *fault, size_t index)
{
	const struct part parts[PARTS] = {
		{ fault->bom, "\xEF\xBB\xBF", "\xEF\xBB\xBF", 0 },
		{ fault->giant, "data: {\"giant\":\"", "{\"giant\":\"", 0 },
		{ fault->giant, .byte = 'x' },
		{ fault->giant, "\"}\n\n", "\"}\n", 0 },
		{ fault->deep, "data: {\"deep\":", "{\"deep\":", 0 },
		{ fault->deep, .byte = '[' },
		{ fault->deep, .byte = ']' },
		{ fault->deep, "}\n\n", "}\n", 0 },
		{ fault->comments, ": a comment\n", "", 0 },
	};

	return parts[index];
}

/* Appends as much of a part as fits; returns true once it is complete. */
static bool fault_add_part(struct fault_body *body, struct part part, bool is_event_stream, struct buf *out)
{
	struct str text = str_from(part.byte || !part.times ? NULL : is_event_stream ? part.event : part.line);
	size_t left = (part.byte ? part.times : text.len) - body->part_at, room = FAULT_PIECE_BYTES - out->len;
	size_t now = left < room ? left : room;

	if (part.byte)
		for (size_t i = 0; i < now; i++)
			buf_add_byte(out, part.byte);
	else
		buf_add(out, str_head(str_skip(text, body->part_at), now));
	body->part_at += now;
	return now == left;
}

/* Returns true once all parts are sent. */
static bool add_first(struct fault_body *body, bool is_event_stream, struct buf *out)
{
	for (; body->part < PARTS; body->part++, body->part_at = 0)
		if (!fault_add_part(body, part_at(body->fault, body->part), is_event_stream, out))
			return false;
	return true;
}

static void add_line_end(struct fault_body *body, struct buf *out)
{
	const struct fault *fault = body->fault;

	if (!fault->cr && fault->crlf && body->last != '\r')
		buf_add_byte(out, '\r');
	buf_add_byte(out, fault->cr ? '\r' : '\n');
	if (fault->comments && !body->in_event)
		buf_add_z(out, fault->cr ? ": a comment\r" : ": a comment\n");
	body->in_event = false;
}

static void fault_add_byte(struct fault_body *body, char byte, struct buf *out)
{
	const struct fault *fault = body->fault;

	if (body->came == fault->nul_at)
		buf_add_byte(out, '\0');
	if (body->came == fault->bad_at)
		buf_add_byte(out, '\xFF');
	if (byte == '\n') {
		add_line_end(body, out);
	} else {
		buf_add_byte(out, byte);
		body->in_event |= byte != '\r';
	}
	body->came++;
	body->last = byte;
}

/* --- gzip, with stored blocks only --- */

static uint32_t crc_of(uint32_t crc, struct str bytes)
{
	crc = ~crc;
	for (size_t i = 0; i < bytes.len; i++) {
		crc ^= (unsigned char)bytes.ptr[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
	}
	return ~crc;
}

static void add_little(struct buf *out, uint32_t number, unsigned bytes)
{
	for (; bytes; bytes--, number >>= 8)
		buf_add_byte(out, (char)(number & 0xFF));
}

static void fault_add_block(struct buf *out, bool last, struct str bytes)
{
	buf_add_byte(out, last);
	add_little(out, (uint32_t)bytes.len, 2);
	add_little(out, (uint32_t)~bytes.len, 2);
	buf_add(out, bytes);
}

static void pack(struct fault_body *body, struct str bytes, struct buf *out)
{
	if (!body->packing)
		buf_add(out, STR("\x1F\x8B\x08\0\0\0\0\0\0\xFF"));
	body->packing = true;
	body->crc = crc_of(body->crc, bytes);
	for (; bytes.len; bytes = str_skip(bytes, GZIP_BLOCK))
		fault_add_block(out, false, str_head(bytes, GZIP_BLOCK));
}

/* --- public functions --- */

size_t fault_body_add(struct fault_body *body, struct str bytes, struct buf *out)
{
	size_t used = 0;
	struct str made;

	if (body->over || !bytes.len)
		return bytes.len;
	buf_clear(&body->scratch);
	if (add_first(body, *bytes.ptr != '{' && *bytes.ptr != '[', &body->scratch))
		while (used < bytes.len && body->scratch.len < FAULT_PIECE_BYTES)
			fault_add_byte(body, bytes.ptr[used++], &body->scratch);
	made = str_head(buf_str(&body->scratch), body->end_at - body->went);
	body->went += made.len;
	body->over = body->went == body->end_at;
	if (body->fault->gzip)
		pack(body, made, out);
	else
		buf_add(out, made);
	if (body->over && body->fault->end == FAULT_END)
		fault_body_end(body, out);
	return body->over ? bytes.len : used;
}

void fault_body_end(struct fault_body *body, struct buf *out)
{
	if (!body->fault->gzip || (body->over && body->fault->end != FAULT_END))
		return;
	pack(body, STR_NONE, out);
	fault_add_block(out, true, STR_NONE);
	add_little(out, body->crc, 4);
	add_little(out, (uint32_t)body->went, 4);
}
