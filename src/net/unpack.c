#include "net/unpack.h"

#include <assert.h>
#include <brotli/decode.h>
#define ZLIB_CONST /* inflate() does not write to its input */
#include <zlib.h>
#include <zstd.h>

#include "base/array.h"
#include "base/mem.h"

#define LAYERS_MOST 5
#define GZIP_OR_ZLIB (MAX_WBITS + 32)
#define RAW_DEFLATE (-MAX_WBITS)
#define ZSTD_WINDOW_LOG 23 /* 8 MB, the most that RFC 9659 allows a server */

/* One step of a coding: consumes bytes at the front of `in`, writes `made` bytes to `out`. */
struct work {
	struct str in;
	char *out;         /* UNPACK_PIECE_BYTES */
	size_t made;
	bool over;         /* the compressed data has ended */
};

struct coding {
	const char *name, *alias;
	void *(*open)(void);
	bool (*run)(void *state, struct work *work, struct error *err);
	void (*close)(void *state);
};

/* --- gzip and deflate --- */

struct inflater {
	z_stream z;
	bool is_open;
	unsigned char first[2]; /* the first bytes of deflate, which show whether there is a header */
	size_t first_count;
};

static void inflater_begin(struct inflater *i, int window_bits)
{
	if (inflateInit2(&i->z, window_bits) != Z_OK)
		mem_die(sizeof *i);
	i->is_open = true;
}

static void *inflater_open_gzip(void)
{
	struct inflater *i = mem_new(sizeof *i);

	inflater_begin(i, GZIP_OR_ZLIB);
	return i;
}

static void *inflater_open_deflate(void)
{
	return mem_new(sizeof(struct inflater));
}

static void inflater_close(void *state)
{
	struct inflater *i = state;

	if (i->is_open)
		inflateEnd(&i->z);
	mem_free(i);
}

static bool inflater_run(void *state, struct work *work, struct error *err)
{
	struct inflater *i = state;
	int status;

	i->z.next_in = (const Bytef *)work->in.ptr;
	i->z.avail_in = (uInt)work->in.len;
	i->z.next_out = (Bytef *)work->out + work->made;
	i->z.avail_out = (uInt)(UNPACK_PIECE_BYTES - work->made);
	status = inflate(&i->z, Z_SYNC_FLUSH);
	work->in = str_skip(work->in, work->in.len - i->z.avail_in);
	work->made = UNPACK_PIECE_BYTES - i->z.avail_out;
	work->over = status == Z_STREAM_END;
	if (status == Z_MEM_ERROR)
		mem_die(UNPACK_PIECE_BYTES);
	if (status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR) /* Z_BUF_ERROR: no progress was possible */
		return true;
	return error_set(err, "%s", i->z.msg ? i->z.msg : "a dictionary is missing");
}

/* RFC 1950: method 8, and the two bytes are a multiple of 31. Some servers send raw deflate without this header. */
static bool has_zlib_header(const unsigned char *first)
{
	return (first[0] & 0x0F) == Z_DEFLATED && (first[0] << 8 | first[1]) % 31 == 0;
}

static bool inflater_run_deflate(void *state, struct work *work, struct error *err)
{
	struct inflater *i = state;
	struct str rest;

	while (!i->is_open && i->first_count < sizeof i->first && work->in.len) {
		i->first[i->first_count++] = (unsigned char)work->in.ptr[0];
		work->in = str_skip(work->in, 1);
	}
	if (i->is_open)
		return inflater_run(i, work, err);
	if (i->first_count < sizeof i->first)
		return true;
	inflater_begin(i, has_zlib_header(i->first) ? MAX_WBITS : RAW_DEFLATE);
	rest = work->in;
	work->in = str_of((const char *)i->first, sizeof i->first);
	if (!inflater_run(i, work, err))
		return false;
	work->in = rest;
	return work->over || inflater_run(i, work, err);
}

/* --- brotli --- */

static void *brotli_open(void)
{
	void *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);

	if (!state)
		mem_die(UNPACK_PIECE_BYTES);
	return state;
}

static void brotli_close(void *state)
{
	BrotliDecoderDestroyInstance(state);
}

static bool brotli_run(void *state, struct work *work, struct error *err)
{
	const uint8_t *in = (const uint8_t *)work->in.ptr;
	uint8_t *out = (uint8_t *)work->out;
	size_t in_left = work->in.len, out_left = UNPACK_PIECE_BYTES;
	BrotliDecoderResult result = BrotliDecoderDecompressStream(state, &in_left, &in, &out_left, &out, NULL);

	work->in = str_skip(work->in, work->in.len - in_left);
	work->made = UNPACK_PIECE_BYTES - out_left;
	work->over = result == BROTLI_DECODER_RESULT_SUCCESS;
	return result != BROTLI_DECODER_RESULT_ERROR ||
	       error_set(err, "%s", BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state)));
}

/* --- zstd --- */

static void *zstd_open(void)
{
	ZSTD_DCtx *state = ZSTD_createDCtx();

	if (!state || ZSTD_isError(ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG)))
		mem_die(UNPACK_PIECE_BYTES);
	return state;
}

static void zstd_close(void *state)
{
	ZSTD_freeDCtx(state);
}

/* Never ends: another frame may follow. */
static bool zstd_run(void *state, struct work *work, struct error *err)
{
	ZSTD_inBuffer in = { work->in.ptr, work->in.len, 0 };
	ZSTD_outBuffer out = { work->out, UNPACK_PIECE_BYTES, 0 };
	size_t result = ZSTD_decompressStream(state, &out, &in);

	work->in = str_skip(work->in, in.pos);
	work->made = out.pos;
	return !ZSTD_isError(result) || error_set(err, "%s", ZSTD_getErrorName(result));
}

/* --- codings --- */

static const struct coding codings[] = {
	{ .name = "gzip", .alias = "x-gzip", .open = inflater_open_gzip, .run = inflater_run, .close = inflater_close },
	{ .name = "deflate", .alias = "deflate", .open = inflater_open_deflate, .run = inflater_run_deflate, .close = inflater_close },
	{ .name = "br", .alias = "br", .open = brotli_open, .run = brotli_run, .close = brotli_close },
	{ .name = "zstd", .alias = "zstd", .open = zstd_open, .run = zstd_run, .close = zstd_close },
};

static const struct coding *find_coding(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(codings); i++)
		if (str_is_nocase(name, codings[i].name) || str_is_nocase(name, codings[i].alias))
			return &codings[i];
	return NULL;
}

static bool unpack_is_plain(struct str name)
{
	return !name.len || str_is_nocase(name, "identity") || str_is_nocase(name, "none") || str_is_nocase(name, "chunked");
}

/* --- layers --- */

struct layer {
	const struct coding *coding;
	void *state;
	char *out;
	struct str made;       /* bytes of `out` that the next layer has not consumed */
	/* The last step filled `out`, so more may follow; the coding has ended. */
	bool has_more, over;
};

struct unpack {
	struct layer layers[LAYERS_MOST]; /* layer 0 reads the input; the last layer is the coding applied first */
	size_t count;
	struct str in;         /* input not consumed yet */
	struct buf kept;       /* layers below this index have stopped after an error */
	size_t broken;         /* number of layers, from the first, that have stopped after an error */
	struct error why;      /* the error, or why the coding is not supported; "": none */
	enum unpack_result last;
	size_t taken, given;   /* bytes of the input consumed, and of the output produced */
};

static void add_layer(struct unpack *u, struct str name)
{
	const struct coding *coding = find_coding(name);
	struct layer *layer = &u->layers[u->count];

	if (!coding) {
		error_set(&u->why, "its encoding %.*s is not gzip, deflate, br or zstd", STR_ARG(name));
	} else if (u->count == LAYERS_MOST) {
		error_set(&u->why, "it has more than %d encodings", LAYERS_MOST);
	} else {
		*layer = (struct layer){ .coding = coding, .state = coding->open(), .out = mem_new(UNPACK_PIECE_BYTES) };
		u->count++;
	}
}

static void add_layers(struct unpack *u, const struct response_head *head, const char *header)
{
	for (size_t i = 0; i < head->header_count; i++) {
		struct str rest = head->headers[i].value, name;

		while (str_is(head->headers[i].name, header) && str_split(&rest, ',', &name))
			if (!unpack_is_plain(str_trim(name)) && !u->why.text[0])
				add_layer(u, str_trim(name));
	}
}

/* The head lists codings in the order in which they were applied. */
static void reverse_layers(struct unpack *u)
{
	for (size_t i = 0; i < u->count / 2; i++) {
		struct layer other = u->layers[i];

		u->layers[i] = u->layers[u->count - 1 - i];
		u->layers[u->count - 1 - i] = other;
	}
}

struct unpack *unpack_new(const struct response_head *head)
{
	struct unpack *u = mem_new(sizeof *u);

	u->last = UNPACK_HUNGRY;
	add_layers(u, head, "content-encoding");
	add_layers(u, head, "transfer-encoding");
	reverse_layers(u);
	return u;
}

void unpack_free(struct unpack *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->count; i++) {
		u->layers[i].coding->close(u->layers[i].state);
		mem_free(u->layers[i].out);
	}
	buf_fini(&u->kept);
	mem_free(u);
}

/* What is kept ends with what is not consumed yet, if that is not borrowed. */
static bool owns_input(const struct unpack *u)
{
	return u->kept.len && u->in.ptr + u->in.len == u->kept.ptr + u->kept.len;
}

void unpack_feed(struct unpack *u, struct str bytes)
{
	size_t left = u->in.len;

	if (!left) {
		u->in = bytes;
		return;
	}
	unpack_keep(u);
	buf_add(&u->kept, bytes);
	u->in = str_skip(buf_str(&u->kept), u->kept.len - bytes.len - left);
}

void unpack_keep(struct unpack *u)
{
	struct buf kept = { 0 };

	if (owns_input(u))
		return;
	buf_add(&kept, u->in);
	buf_fini(&u->kept);
	u->kept = kept;
	u->in = buf_str(&u->kept);
}

size_t unpack_left(const struct unpack *u)
{
	return u->in.len;
}

/* --- steps --- */

static struct str *input_of(struct unpack *u, size_t layer)
{
	return layer ? &u->layers[layer - 1].made : &u->in;
}

/* A step without progress would repeat for ever. */
static bool makes_progress(const struct layer *layer, struct str in, const struct work *work, struct error *err)
{
	return layer->has_more || work->over || work->made || work->in.len < in.len || error_set(err, "unpacking makes no progress");
}

static enum unpack_result run_layer(struct unpack *u, size_t at, size_t *cost, struct error *err)
{
	struct layer *layer = &u->layers[at];
	struct str *in = input_of(u, at);
	struct work work = { .in = *in, .out = layer->out };
	struct error reason;

	if (layer->over) {
		error_set(err, "bytes follow the end of its %s data", layer->coding->name);
		return UNPACK_EXCESS;
	}
	/* What was produced before the error is valid. */
	if (!layer->coding->run(layer->state, &work, &reason) || !makes_progress(layer, *in, &work, &reason)) {
		error_set(&u->why, "%s: %s", layer->coding->name, reason.text);
		u->broken = at + 1;
	}
	*cost = in->len - work.in.len + work.made;
	*in = work.in;
	layer->made = str_of(layer->out, work.made);
	layer->over = work.over;
	layer->has_more = !work.over && work.made == UNPACK_PIECE_BYTES;
	return UNPACK_STEP;
}

/* Nothing that people or models write is as repetitive as this. */
static void unpack_count(struct unpack *u, struct str piece)
{
	u->given += piece.len;
	if (u->given <= UNPACK_FREE_BYTES || u->given / UNPACK_TIMES_MOST <= u->taken || u->broken)
		return;
	error_set(&u->why, "%zu bytes became more than %zu MB, and beyond %zu MB at most %u times as many are read", u->taken, u->given >> 20,
	          UNPACK_FREE_BYTES >> 20, UNPACK_TIMES_MOST);
	u->broken = u->count;
}

/* Runs the last layer that can work, so that output is consumed before more is produced. */
static enum unpack_result unpack_one(struct unpack *u, struct str *piece, size_t *cost, struct error *err)
{
	enum unpack_result result;
	size_t at = u->count;

	while (at > u->broken && !u->layers[at - 1].has_more && !input_of(u, at - 1)->len)
		at--;
	if (at == 0)
		return UNPACK_HUNGRY;
	if (at == u->broken) {
		*err = u->why;
		return UNPACK_BROKEN;
	}
	size_t input = u->in.len;
	result = run_layer(u, at - 1, cost, err);
	u->taken += input - u->in.len;
	if (result == UNPACK_STEP && at == u->count) {
		*piece = u->layers[at - 1].made;
		u->layers[at - 1].made = STR_NONE;
		unpack_count(u, *piece);
	}
	return result;
}

/* For a body without compression. */
static enum unpack_result pass(struct unpack *u, struct str *piece, size_t *cost)
{
	if (!u->in.len)
		return UNPACK_HUNGRY;
	*piece = str_head(u->in, UNPACK_PIECE_BYTES);
	*cost = piece->len;
	u->in = str_skip(u->in, piece->len);
	return UNPACK_STEP;
}

enum unpack_result unpack_step(struct unpack *u, struct str *piece, size_t *cost, struct error *err)
{
	*piece = STR_NONE;
	*cost = 0;
	assert(u->last == UNPACK_STEP || u->last == UNPACK_HUNGRY);
	if (u->why.text[0] && !u->broken && u->in.len) {
		*err = u->why;
		u->last = UNPACK_BROKEN;
	} else {
		u->last = u->count ? unpack_one(u, piece, cost, err) : pass(u, piece, cost);
	}
	return u->last;
}

void unpack_write_libraries(struct buf *out)
{
	uint32_t brotli = BrotliDecoderVersion();

	buf_printf(out, "zlib %s\n", zlibVersion());
	buf_printf(out, "brotli %u.%u.%u\n", brotli >> 24, brotli >> 12 & 0xfff, brotli & 0xfff);
	buf_printf(out, "zstd %s\n", ZSTD_versionString());
}
