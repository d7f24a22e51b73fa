#include "net/http_memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Before each block: C has no way to ask for the size of one. */
union http_block { size_t size; max_align_t align; };

void *http_memory_new(size_t size)
{
	union http_block *block = size <= SIZE_MAX - sizeof *block ? malloc(sizeof *block + size) : NULL;

	if (!block)
		return NULL;
	block->size = size;
	return block + 1;
}

void *http_memory_zeroed(size_t count, size_t size)
{
	void *memory = !size || count <= SIZE_MAX / size ? http_memory_new(count * size) : NULL;

	return memory ? memset(memory, 0, count * size) : NULL;
}

char *http_memory_copy(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = http_memory_new(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

void http_memory_free(void *memory)
{
	union http_block *block = memory ? (union http_block *)memory - 1 : NULL;

	if (block)
		mem_wipe(block, sizeof *block + block->size);
	free(block);
}

/* realloc() would not clear the old block when it moves. */
void *http_memory_resize(void *memory, size_t size)
{
	size_t before = memory ? ((union http_block *)memory - 1)->size : 0;
	void *moved = http_memory_new(size);

	if (!moved)
		return NULL;
	if (before)
		memcpy(moved, memory, before < size ? before : size);
	http_memory_free(memory);
	return moved;
}
