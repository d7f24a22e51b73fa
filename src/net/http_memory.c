#include "net/http_memory.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

void http_memory_free(void *memory)
{
	if (memory)
		explicit_bzero(memory, malloc_usable_size(memory));
	free(memory);
}

/* realloc() would not clear the old block when it moves. */
void *http_memory_resize(void *memory, size_t size)
{
	size_t before = memory ? malloc_usable_size(memory) : 0;
	void *moved = malloc(size);

	if (!moved)
		return NULL;
	if (before)
		memcpy(moved, memory, before < size ? before : size);
	http_memory_free(memory);
	return moved;
}
