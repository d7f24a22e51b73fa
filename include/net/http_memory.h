/*
 * Allocation functions for libcurl that overwrite memory before it is freed. Requests and their keys pass through libcurl's buffers, which
 * it does not clear.
 */
#ifndef WEIR_NET_HTTP_MEMORY_H
#define WEIR_NET_HTTP_MEMORY_H

#include <stddef.h>

/* Like malloc(), calloc(), strdup(), free() and realloc(), for curl_global_init_mem(): NULL if there is no memory. */
void *http_memory_new(size_t size);
void *http_memory_zeroed(size_t count, size_t size);
char *http_memory_copy(const char *text);
void http_memory_free(void *memory);
void *http_memory_resize(void *memory, size_t size);

#endif
