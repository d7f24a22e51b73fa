#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crash_handler.h"
#include "base/exit_status.h"

/* Without what libraries do at the exit: OpenSSL may be in the midst of setting itself up, and crashes on clearing that. */
void mem_die(size_t bytes)
{
	crash_handlers_run();
	fprintf(stderr, "weir: out of memory (%zu more bytes were needed)\n", bytes);
	fflush(NULL);
	_exit(EXIT_LOCAL);
}

void *mem_new(size_t size)
{
	void *ptr = calloc(1, size ? size : 1);

	if (!ptr)
		mem_die(size);
	return ptr;
}

void *mem_resize(void *ptr, size_t count, size_t size)
{
	size_t bytes = count * size;

	if (size && count > SIZE_MAX / size)
		mem_die(SIZE_MAX);
	ptr = realloc(ptr, bytes ? bytes : 1);
	if (!ptr)
		mem_die(bytes);
	return ptr;
}

void mem_reserve(void *array_ptr, size_t *capacity, size_t need, size_t size)
{
	size_t grown = *capacity + *capacity / 2;

	void *array;

	if (need <= *capacity)
		return;
	if (grown < 8)
		grown = 8;
	if (grown < need)
		grown = need;
	/* The caller's pointer has its own type, so only its bytes may be accessed. */
	memcpy(&array, array_ptr, sizeof array);
	array = mem_resize(array, grown, size);
	memcpy(array_ptr, &array, sizeof array);
	*capacity = grown;
}

char *mem_dup(const char *ptr, size_t len)
{
	char *copy;

	if (len == SIZE_MAX)
		mem_die(len);
	copy = mem_resize(NULL, len + 1, 1);
	if (len)
		memcpy(copy, ptr, len);
	copy[len] = '\0';
	return copy;
}

char *mem_dup_z(const char *text)
{
	return text ? mem_dup(text, strlen(text)) : NULL;
}

void mem_free(void *ptr)
{
	free(ptr);
}

/* The compiler does not know what the pointer leads to, so it cannot leave out the call. */
void mem_wipe(void *ptr, size_t len)
{
	static void *(*const volatile set)(void *, int, size_t) = memset;

	if (len)
		set(ptr, 0, len);
}
