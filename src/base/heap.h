#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stddef.h>

/* Says that about so many bytes will be allocated in small pieces soon: the heap grows by them at
 * once, on large pages where the system has them. Else it grows step by step, and each of its
 * thousands of small pages costs a fault when it is first written. Changes speed and nothing else:
 * room that is not used takes no more memory than a large page, and what is too little for large
 * pages is ignored. From here on malloc keeps what is freed, and takes pieces of up to 32 MiB from
 * the heap. For a run's few large needs. */
void heap_expect(size_t bytes);

#endif
