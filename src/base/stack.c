#define _GNU_SOURCE /* pthread_getattr_np */
#include "base/stack.h"
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* The deepest programs take less than half a mebibyte; sanitizers and debuggers a few times that.
 */
enum { ENOUGH = 2 << 20, MORE = 16 << 20 };

typedef struct call {
  void (*f)(void *ctx);
  void *ctx;
} call;

static void *begin(void *ctx) {
  const call *c = ctx;
  c->f(c->ctx);
  return NULL;
}

/* The lowest address of this thread's stack; 0: not known. */
static uintptr_t end_of_stack(void) {
  static _Thread_local uintptr_t end;
  pthread_attr_t                 attr;
  void                          *low = NULL;
  size_t                         bytes;
  if (end || pthread_getattr_np(pthread_self(), &attr)) return end;
  if (pthread_attr_getstack(&attr, &low, &bytes) == 0) end = (uintptr_t)low;
  pthread_attr_destroy(&attr);
  return end;
}

static int has_room(void) {
  char      here;
  uintptr_t at = (uintptr_t)&here, end = end_of_stack();
  return at < end || at - end >= ENOUGH; /* below: a stack that somebody switched to */
}

void ik_stack_call(void (*f)(void *ctx), void *ctx) {
  call           c = {f, ctx};
  pthread_attr_t attr;
  pthread_t      thread;
  int            started = 0;
  if (!has_room() && pthread_attr_init(&attr) == 0) {
    started = pthread_attr_setstacksize(&attr, MORE) == 0 &&
              pthread_create(&thread, &attr, begin, &c) == 0;
    pthread_attr_destroy(&attr);
  }
  if (started)
    pthread_join(thread, NULL);
  else
    f(ctx);
}
