#include "net/fault.h"

#define BODY_LIMIT ((size_t)512 << 20)
#define NUMBER_MOST ((long long)256 << 20)
#define STATUS_LEAST 200 /* what is less announces another head */
#define STATUS_MOST 599
#define GZIP_BLOCK 65535u

/* --- orders --- */

struct word;
typedef bool word_set(struct fault *fault, const struct word *word, long long number);

struct word {
	const char *name, *argument, *help; /* `argument` NULL: takes none */
	word_set *set;
	size_t offset;
	enum fault_end end;
};

static void *member(struct fault *fault, const struct word *word)
{
	return (char *)fault + word->offset;
}

static bool set_flag(struct fault *fault, const struct word *word, long long number)
{
	(void)number;
	*(bool *)member(fault, word) = true;
	return true;
}

static bool set_size(struct fault *fault, const struct word *word, long long number)
{
	*(size_t *)member(fault, word) = (size_t)number;
	return number >= 0;
}

static bool set_time(struct fault *fault, const struct word *word, long long number)
{
	*(int64_t *)member(fault, word) = number;
	return number >= 0;
}

static bool set_bytes(struct fault *fault, const struct word *word, long long number)
{
	(void)word;
	(void)number;
	fault->piece = 1;
	return true;
}

static bool set_status(struct fault *fault, const struct word *word, long long number)
{
	(void)word;
	fault->status = (int)number;
	return number >= STATUS_LEAST && number <= STATUS_MOST;
}

/* Less than 0: "next". */
static bool set_end(struct fault *fault, const struct word *word, long long number)
{
	fault->end = word->end;
	fault->end_moves = number < 0;
	fault->end_at = number < 0 ? 0 : (size_t)number;
	return true;
}

#define AT(member) .offset = offsetof(struct fault, member)

static const struct word words[] = {
	{ "wait", "MS", "so long before the head", set_time, AT(wait_ms) },
	{ "bytes", NULL, "one byte at a time", .set = set_bytes },
	{ "pieces", "N", "N bytes at a time", set_size, AT(piece) },
	{ "pace", "MS", "so long between pieces", set_time, AT(pace_ms) },
	{ "status", "N", "this status in place of the stream's own", .set = set_status },
	{ "cut", "N", "after N bytes of the body the connection is closed, without its end", set_end, .end = FAULT_CUT },
	{ "reset", "N", "after N bytes it is reset", set_end, .end = FAULT_RESET },
	{ "stall", "N", "after N bytes nothing more comes", set_end, .end = FAULT_STALL },
	{ "end", "N", "after N bytes the body ends in good order", set_end, .end = FAULT_END },
	{ "length", "N", "N bytes are announced, however many there are", set_size, AT(length) },
	{ "gzip", NULL, "packed, asked for or not", set_flag, AT(gzip) },
	{ "cr", NULL, "lines end with CR", set_flag, AT(cr) },
	{ "crlf", NULL, "lines end with CR LF", set_flag, AT(crlf) },
	{ "bom", NULL, "a byte order mark first", set_flag, AT(bom) },
	{ "comments", NULL, "a comment before every event", set_flag, AT(comments) },
	{ "nul", "N", "a byte 0 after N bytes", set_size, AT(nul_at) },
	{ "bad", "N", "a byte that is no UTF-8 after N bytes", set_size, AT(bad_at) },
	{ "giant", "N", "an event of N bytes first", set_size, AT(giant) },
	{ "deep", "N", "an event of N brackets first", set_size, AT(deep) },
};
#define WORDS (sizeof words / sizeof words[0])

struct fault_word fault_word_at(size_t index)
{
	return index < WORDS ? (struct fault_word){ words[index].name, words[index].argument, words[index].help } : (struct fault_word){ 0 };
}

void fault_init(struct fault *fault)
{
	*fault = (struct fault){ .end_at = FAULT_NOWHERE, .length = FAULT_NOWHERE, .nul_at = FAULT_NOWHERE, .bad_at = FAULT_NOWHERE };
}

static bool read_number(const struct word *word, struct str text, long long *number)
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
	while (word < words + WORDS && !str_is(name, word->name))
		word++;
	if (word == words + WORDS)
		return error_set(err, "there is no fault '%.*s'", STR_ARG(name));
	if (read_number(word, rest, &number) && word->set(fault, word, number))
		return true;
	if (!word->argument)
		return error_set(err, "the fault %s takes no value", word->name);
	bool is_status = word->set == set_status;
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
	buf_init(&body->scratch, BODY_LIMIT);
}

void fault_body_fini(struct fault_body *body)
{
	buf_fini(&body->scratch);
}

static void add_many(struct buf *out, char byte, size_t count)
{
	while (count--)
		buf_add_byte(out, byte);
}

static void add_first(const struct fault *fault, bool is_event_stream, struct buf *out)
{
	const char *before = is_event_stream ? "data: " : "", *after = is_event_stream ? "\n\n" : "\n";

	if (fault->bom)
		buf_add_z(out, "\xEF\xBB\xBF");
	if (fault->giant) {
		buf_printf(out, "%s{\"giant\":\"", before);
		add_many(out, 'x', fault->giant);
		buf_printf(out, "\"}%s", after);
	}
	if (fault->deep) {
		buf_printf(out, "%s{\"deep\":", before);
		add_many(out, '[', fault->deep);
		add_many(out, ']', fault->deep);
		buf_printf(out, "}%s", after);
	}
	if (fault->comments && is_event_stream)
		buf_add_z(out, ": a comment\n");
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

static void add_byte(struct fault_body *body, char byte, struct buf *out)
{
	const struct fault *fault = body->fault;

	if (!body->came)
		add_first(fault, byte != '{' && byte != '[', out);
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

/* --- gzip, without packing anything --- */

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

static void add_block(struct buf *out, bool last, struct str bytes)
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
		add_block(out, false, str_head(bytes, GZIP_BLOCK));
}

/* --- both --- */

void fault_body_add(struct fault_body *body, struct str bytes, struct buf *out)
{
	struct str made;

	if (body->over)
		return;
	buf_clear(&body->scratch);
	for (size_t i = 0; i < bytes.len; i++)
		add_byte(body, bytes.ptr[i], &body->scratch);
	made = str_head(buf_str(&body->scratch), body->end_at - body->went);
	body->went += made.len;
	body->over = body->went == body->end_at;
	if (body->fault->gzip)
		pack(body, made, out);
	else
		buf_add(out, made);
	if (body->over && body->fault->end == FAULT_END)
		fault_body_end(body, out);
}

void fault_body_end(struct fault_body *body, struct buf *out)
{
	if (!body->fault->gzip || (body->over && body->fault->end != FAULT_END))
		return;
	pack(body, STR_NONE, out);
	add_block(out, true, STR_NONE);
	add_little(out, body->crc, 4);
	add_little(out, (uint32_t)body->went, 4);
}
