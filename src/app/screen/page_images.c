#include "app/screen/page_images.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/system/loop.h"
#include "app/system/picture_helper.h"
#include "base/mem.h"
#include "base/os/descriptor.h"
#include "net/source.h"

#define PAGE_IMAGE_MS 6000
#define SHARP 8u /* pixels of a column, and of half a row, for a terminal that draws the image: those of a common cell, 8 x 16 */
#define SHARP_MOST 10u /* the helper makes no more than 2000 pixels of PICTURE_COLUMNS_MOST */
#define RESULT_MOST ((size_t)PICTURE_COLUMNS_MOST * 2 * PICTURE_ROWS_MOST * SHARP_MOST * SHARP_MOST * 3 + 32)
#define SAMPLED 64u /* bytes of each end that count */

/* --- what is known --- */

static uint64_t page_image_sample(struct str bytes)
{
	uint64_t hash = 1469598103934665603u;
	size_t last = bytes.len > SAMPLED ? bytes.len - SAMPLED : 0;

	for (size_t i = 0; i < bytes.len; i = i + 1 == SAMPLED && last > i ? last : i + 1)
		hash = (hash ^ (unsigned char)bytes.ptr[i]) * 1099511628211u;
	return hash;
}

static bool page_image_is(const struct page_image *one, const struct page_image_key *key)
{
	return one->state != PAGE_IMAGE_NONE && one->key.ptr == key->ptr && one->key.len == key->len && one->key.sample == key->sample &&
	       one->key.size.width == key->size.width && one->key.size.height == key->size.height &&
	       one->key.drawn == key->drawn && one->key.sharp == key->sharp;
}

static void page_image_free_pixels(struct page_image *one)
{
	mem_free((uint8_t *)(uintptr_t)one->picture.rgb);
	mem_free((uint8_t *)(uintptr_t)one->picture.fine);
}

static void page_image_forget(struct page_images *d, struct page_image *one)
{
	if (one->picture.image)
		screen_drop_image(d->host->screen, one->picture.image);
	page_image_free_pixels(one);
	*one = (struct page_image){ 0 };
}

/* The place of the one that was not asked for the longest; never the one under way or the next. */
static struct page_image *page_images_free_place(struct page_images *d)
{
	struct page_image *oldest = NULL;

	for (size_t i = 0; i < PAGE_IMAGES_MOST; i++) {
		struct page_image *one = &d->all[i];

		if (one != d->running && one != d->next && (!oldest || one->used < oldest->used))
			oldest = one;
	}
	page_image_forget(d, oldest);
	return oldest;
}

/* NULL: the terminal draws it, and does not have it yet. */
static const struct picture *page_images_ready(const struct page_images *d, const struct page_image *one)
{
	if (one->state != PAGE_IMAGE_DONE)
		return NULL;
	return !one->picture.image || screen_has_image(d->host->screen, &one->picture) ? &one->picture : NULL;
}

static struct page_image_key page_images_key(const struct page_images *d, struct str bytes, struct image_size size)
{
	struct page_image_key key = { bytes.ptr, bytes.len, page_image_sample(bytes), size, DRAWN_BLOCKS, 1 };
	unsigned cell = screen_sixel_cell(d->host->screen).width;

	if (screen_draws_images(d->host->screen)) {
		key.drawn = DRAWN_KITTY;
		key.sharp = SHARP;
	} else if (cell) {
		key.drawn = DRAWN_SIXELS;
		key.sharp = cell < SHARP_MOST ? cell : SHARP_MOST;
	}
	return key;
}

/* One that was drawn before. It is in use, so that its place is not taken for the one that it stands for. */
static const struct picture *page_images_version(struct page_images *d, uint64_t version, struct image_size size)
{
	for (size_t i = 0; version && i < PAGE_IMAGES_MOST; i++) {
		struct page_image *one = &d->all[i];

		if (one->picture.version != version || one->key.size.width != size.width || one->key.size.height != size.height)
			continue;
		one->used = ++d->clock;
		return one->picture.failed ? NULL : page_images_ready(d, one);
	}
	return NULL;
}

/* Only one image waits: the page asks again for the others with each frame. */
static const struct picture *page_images_find(void *ctx, struct str bytes, struct blob *blob, struct image_size size, uint64_t before)
{
	struct page_images *d = ctx;
	struct page_image_key key = page_images_key(d, bytes, size);
	const struct picture *instead = page_images_version(d, before, size), *ready;

	for (size_t i = 0; i < PAGE_IMAGES_MOST; i++)
		if (page_image_is(&d->all[i], &key)) {
			d->all[i].used = ++d->clock;
			ready = page_images_ready(d, &d->all[i]);
			return ready ? ready : instead;
		}
	if (d->next || bytes.len > PICTURE_BYTES_MOST)
		return instead;
	d->next = page_images_free_place(d);
	*d->next = (struct page_image){ .state = PAGE_IMAGE_WANTED, .key = key, .used = ++d->clock };
	blob_set(&d->wanted, blob);
	if (!blob)
		blob_add(&d->wanted, bytes);
	return instead;
}

void page_images_init(struct page_images *d, const struct host *host)
{
	*d = (struct page_images){ .host = host, .child.fd = -1, .input = -1, .output = -1 };
	d->found = (struct pictures){ .find = page_images_find, .ctx = d };
}

/* --- the helper --- */

static void page_images_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void page_images_stop(struct page_images *d)
{
	page_images_close(&d->input);
	page_images_close(&d->output);
	child_kill(&d->child);
	blob_set(&d->bytes, NULL);
	buf_fini(&d->result);
	d->running = NULL;
}

void page_images_fini(struct page_images *d)
{
	page_images_stop(d);
	for (size_t i = 0; i < PAGE_IMAGES_MOST; i++)
		page_image_free_pixels(&d->all[i]);
	blob_set(&d->wanted, NULL);
}

/* The pixels that an image is decoded to, at most: more than it has are not made. */
static struct image_size page_image_pixels(const struct page_image_key *key)
{
	return (struct image_size){ key->size.width * key->sharp, key->size.height * key->sharp };
}

/* The mean of the pixels [left, right) x [top, bottom). */
static void page_image_mix(const struct picture *fine, uint32_t left, uint32_t right, uint32_t top, uint32_t bottom, uint8_t to[3])
{
	for (unsigned colour = 0; colour < 3; colour++) {
		uint32_t sum = 0, count = (right - left) * (bottom - top);

		for (uint32_t y = top; y < bottom; y++)
			for (uint32_t x = left; x < right; x++)
				sum += fine->fine[((size_t)y * fine->fine_size.width + x) * 3 + colour];
		to[colour] = (uint8_t)(sum / count);
	}
}

/* Half blocks of a picture that has only its fine pixels. */
static void page_image_make_blocks(struct picture *picture)
{
	struct image_size from = picture->fine_size, size = picture->size;
	uint8_t *rgb = mem_new((size_t)size.width * size.height * 3);

	for (uint32_t y = 0; y < size.height; y++)
		for (uint32_t x = 0; x < size.width; x++) {
			uint32_t left = x * from.width / size.width, right = (x + 1) * from.width / size.width;
			uint32_t top = y * from.height / size.height, bottom = (y + 1) * from.height / size.height;

			page_image_mix(picture, left, right > left ? right : left + 1, top, bottom > top ? bottom : top + 1,
			            rgb + ((size_t)y * size.width + x) * 3);
		}
	picture->rgb = rgb;
	picture->pixels = size;
}

/* "WIDTH HEIGHT\n" and the pixels. What the helper writes is not believed: it may have been taken over by the image. */
static bool page_images_read_result(struct page_images *d, struct picture *picture)
{
	struct str rest = buf_str(&d->result), line, width;
	long long columns, rows;
	const struct page_image_key *key = &d->running->key;
	struct image_size most = page_image_pixels(key);
	bool good = str_split(&rest, '\n', &line) && str_split(&line, ' ', &width) && str_to_int(width, &columns) && str_to_int(line, &rows) &&
	            columns > 0 && rows > 0 && columns <= most.width && rows <= most.height &&
	            (key->drawn != DRAWN_BLOCKS || (columns == most.width && rows == most.height)) &&
	            rest.len == (size_t)columns * (size_t)rows * 3;

	*picture = (struct picture){ .size = key->size, .failed = !good, .version = ++d->versions };
	if (!good)
		return false;
	picture->pixels = (struct image_size){ (uint32_t)columns, (uint32_t)rows };
	picture->image = key->drawn == DRAWN_KITTY ? (unsigned)(d->running - d->all) + 1 : 0;
	const uint8_t *pixels = (const uint8_t *)mem_dup(rest.ptr, rest.len);
	if (key->drawn != DRAWN_SIXELS) {
		picture->rgb = pixels;
		return true;
	}
	picture->fine = pixels;
	picture->fine_size = picture->pixels;
	page_image_make_blocks(picture);
	return true;
}

/* The image is done, or cannot be drawn. */
static void page_images_end(struct page_images *d)
{
	page_images_read_result(d, &d->running->picture);
	d->running->state = PAGE_IMAGE_DONE;
	page_images_stop(d);
	host_redraw(d->host);
}

static bool page_images_open_pipes(int in[2], int out[2])
{
	if (!descriptor_pipe(in))
		return false;
	if (descriptor_pipe(out))
		return true;
	close(in[0]);
	close(in[1]);
	return false;
}

static void page_images_begin(struct page_images *d)
{
	struct image_size size = page_image_pixels(&d->next->key);
	int in[2], out[2];

	d->running = d->next;
	d->running->state = PAGE_IMAGE_RUNNING;
	d->next = NULL;
	d->bytes = d->wanted;
	d->wanted = NULL;
	buf_init(&d->result, RESULT_MOST);
	d->written = 0;
	d->deadline_ms = clock_now_ms() + PAGE_IMAGE_MS;
	if (!page_images_open_pipes(in, out)) {
		page_images_end(d);
		return;
	}
	int failure = picture_helper_start(&d->child, size.width, size.height, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	d->input = in[1];
	d->output = out[0];
	fcntl(d->input, F_SETFL, O_NONBLOCK);
	fcntl(d->output, F_SETFL, O_NONBLOCK);
	if (failure)
		page_images_end(d);
}

static void page_images_write(struct page_images *d)
{
	while (d->input >= 0) {
		struct str rest = str_skip(blob_str(d->bytes), d->written);
		ssize_t n = write(d->input, rest.ptr, rest.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		d->written += n > 0 ? (size_t)n : 0;
		if (n < 0 || (size_t)n == rest.len)
			page_images_close(&d->input);
	}
}

/* False: the output ended, or is longer than any result. */
static bool page_images_read(struct page_images *d)
{
	char bytes[16384];
	ssize_t n = read(d->output, bytes, sizeof bytes);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	return n > 0 && buf_add(&d->result, str_of(bytes, (size_t)n));
}

static void page_images_turn(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct page_images *d = ctx;

	(void)fds, (void)count;
	if (d->running) {
		page_images_write(d);
		if (!page_images_read(d) || now_ms >= d->deadline_ms)
			page_images_end(d);
	}
	if (!d->running && d->next)
		page_images_begin(d);
}

static size_t page_images_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct page_images *d = ctx;
	size_t count = 0;

	if (!d->running || room < 2)
		return 0;
	fds[count++] = (struct pollfd){ .fd = d->output, .events = POLLIN };
	if (d->input >= 0)
		fds[count++] = (struct pollfd){ .fd = d->input, .events = POLLOUT };
	return count;
}

static int64_t page_images_deadline(void *ctx)
{
	const struct page_images *d = ctx;

	return d->running ? d->deadline_ms : d->next ? clock_now_ms() : NO_DEADLINE;
}

struct loop_member page_images_member(struct page_images *d)
{
	return (struct loop_member){ .ctx = d, .fds = page_images_fds, .deadline = page_images_deadline, .run = page_images_turn };
}
