/*
 * Preloaded into the program by tests/app/test_memory.c: at each SIGURG, searches all writable memory for the bytes whose complement
 * WEIR_SEARCH gives in hexadecimal. Overwrites the file WEIR_FOUND with a line for each occurrence: the address, the mapping, and the
 * bytes around it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define AROUND 24

static unsigned char wanted[256]; /* the complement */
static size_t wanted_len;
static unsigned char window[(1 << 16) + sizeof wanted];
static char maps[1 << 18];
static int found;

/* Reads through the kernel, because a page may be unmapped, and sanitizers must not intercept the access. */
static size_t read_memory(uintptr_t at, size_t size)
{
	struct iovec to = { window, size }, from = { (void *)at, size };
	ssize_t count = process_vm_readv(getpid(), &to, 1, &from, 1, 0);

	return count < 0 ? 0 : (size_t)count;
}

static int is_wanted(const unsigned char *bytes)
{
	for (size_t i = 0; i < wanted_len; i++)
		if ((unsigned char)~bytes[i] != wanted[i])
			return 0;
	return 1;
}

/* What is written to `found`, in pieces. Only what may be called in a signal handler: the signal may come within malloc(). */
static char line[512];
static size_t line_len;

static void put(char c)
{
	if (line_len < sizeof line)
		line[line_len++] = c;
}

static void put_words(const char *words)
{
	while (*words)
		put(*words++);
}

static void put_line(void)
{
	put('\n');
	if (write(found, line, line_len) < 0)
		_exit(1);
	memset(line, 0, sizeof line); /* not found itself */
	line_len = 0;
}

static void put_address(uintptr_t address)
{
	for (int shift = (int)sizeof address * 8 - 4; shift >= 0; shift -= 4)
		put("0123456789abcdef"[address >> shift & 15]);
}

static void tell(uintptr_t at, size_t offset, size_t size, const char *where)
{
	size_t start = offset < AROUND ? 0 : offset - AROUND, end = offset + wanted_len + AROUND;

	put_address(at + offset);
	put(' ');
	put_words(where);
	put(' ');
	for (size_t i = start; i < end && i < size; i++)
		put(window[i] >= ' ' && window[i] < 0x7F ? (char)window[i] : '.');
	put_line();
}

static void search(uintptr_t start, uintptr_t end, const char *where)
{
	while (start < end) {
		size_t size = end - start < sizeof window ? end - start : sizeof window, count;
		uintptr_t own = (uintptr_t)window;

		if (start < own + sizeof window && start + size > own) { /* skip our own copy */
			start = own + sizeof window;
			continue;
		}
		count = read_memory(start, size);
		for (size_t i = 0; i + wanted_len <= count; i++)
			if (is_wanted(window + i))
				tell(start, i, count, where);
		start += count < size || size < sizeof window ? size : size - wanted_len + 1;
	}
}

static void read_maps(void)
{
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t count = 1;

	while (count > 0 && len + 1 < sizeof maps) {
		count = read(fd, maps + len, sizeof maps - 1 - len);
		len += count > 0 ? (size_t)count : 0;
	}
	maps[len] = '\0';
	close(fd);
}

/* Reads a hexadecimal number, and skips the character behind it. */
static uintptr_t take_address(char **at)
{
	uintptr_t address = 0;

	for (; **at && **at != '-' && **at != ' '; (*at)++)
		address = address << 4 | (uintptr_t)(**at >= 'a' ? **at - 'a' + 10 : **at - '0');
	*at += **at != '\0';
	return address;
}

/* "start-end rights offset device inode   path" */
static void search_mapping(char *mapping)
{
	uintptr_t start = take_address(&mapping), end = take_address(&mapping);
	const char *where = mapping;

	if (!mapping[0] || mapping[1] != 'w')
		return;
	for (int words = 0; words < 4 && *where; words++) {
		while (*where && *where != ' ')
			where++;
		while (*where == ' ')
			where++;
	}
	search(start, end, *where ? where : "[mapped]");
}

static void on_signal(int number)
{
	const char *path = getenv("WEIR_FOUND");
	char *mapping, *rest = maps;
	int error = errno;

	(void)number;
	read_maps();
	found = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	while ((mapping = strsep(&rest, "\n")))
		search_mapping(mapping);
	memset(window, 0, sizeof window);
	put_words("done");
	put_line();
	close(found);
	errno = error;
}

__attribute__((constructor)) static void begin(void)
{
	const char *hex = getenv("WEIR_SEARCH");
	unsigned byte;

	for (; hex && wanted_len < sizeof wanted && sscanf(hex, "%2x", &byte) == 1; hex += 2)
		wanted[wanted_len++] = (unsigned char)byte;
	if (wanted_len)
		signal(SIGURG, on_signal);
}
