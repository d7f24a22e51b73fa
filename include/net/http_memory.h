/*
 * Memory for libcurl: what it gives back is overwritten first. Requests, and keys in them, go through buffers of its own, which it would
 * leave as they are.
 */
#ifndef WEIR_NET_HTTP_MEMORY_H
#define WEIR_NET_HTTP_MEMORY_H

#include <stddef.h>

/* As those of the C library, for curl_global_init_mem(). They take what malloc() gave, too. */
void http_memory_free(void *memory);
void *http_memory_resize(void *memory, size_t size);

#endif
