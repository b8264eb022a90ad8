/* A library for LD_PRELOAD: allocation number FAIL_AT of the process fails, and all later ones if FAIL_ON
 * is set. FAIL_COUNT: file to which the number of allocations is written at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long calls;
static long fail_at;
static int fail_on, ready;

static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t), *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);

/* dlsym may allocate before the real allocator is known. */
static char early[65536];
static size_t early_used;
static void *early_take(size_t bytes) {
  void *at = early + early_used;
  early_used += (bytes + 15) & ~(size_t)15;
  return early_used <= sizeof early ? at : NULL;
}
static int is_early(const void *block) {
  return (const char *)block >= early && (const char *)block < early + sizeof early;
}

/* Finds the real allocator. Constructors of other libraries may allocate before the constructor of this
 * one runs. */
static void find_real(void) {
  static int finding;
  if (real_free || finding) return;
  finding = 1;
  real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
  real_calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
  real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
  real_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
}

/* Counts from the start to the end of main. Allocations of exit handlers, such as those that write
 * coverage counts, do not fail. */
static int (*real_main)(int, char **, char **);
static int counted_main(int count, char **word, char **environment) {
  const int code = real_main(count, word, environment);
  ready = 0;
  return code;
}
int __libc_start_main(int (*main)(int, char **, char **), int count, char **word, void (*init)(void),
    void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __libc_start_main(int (*main)(int, char **, char **), int count, char **word, void (*init)(void),
    void (*fini)(void), void (*rtld_fini)(void), void *stack_end) {
  __typeof__(&__libc_start_main) start_main = (__typeof__(&__libc_start_main))dlsym(
      RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start_main(counted_main, count, word, init, fini, rtld_fini, stack_end);
}
void exit(int code) {
  ready = 0;
  ((void (*)(int))dlsym(RTLD_NEXT, "exit"))(code);
  for (;;) abort();
}

__attribute__((constructor)) static void start(void) {
  const char *at = getenv("FAIL_AT"), *on = getenv("FAIL_ON");
  find_real();
  fail_at = at ? atol(at) : 0;
  fail_on = on != NULL;
  ready = 1;
}

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("FAIL_COUNT");
  int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (file >= 0) dprintf(file, "%ld\n", atomic_load(&calls)), close(file);
}

static int fails(void) {
  if (!ready) return 0;
  long call = atomic_fetch_add(&calls, 1) + 1;
  if (!fail_at || call < fail_at || (call > fail_at && !fail_on)) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t bytes) {
  find_real();
  return fails() ? NULL : real_malloc ? real_malloc(bytes) : early_take(bytes);
}
void *calloc(size_t count, size_t bytes) {
  find_real();
  return fails() ? NULL : real_calloc ? real_calloc(count, bytes) : early_take(count * bytes);
}
void *realloc(void *block, size_t bytes) {
  find_real();
  return fails() ? NULL : real_realloc ? real_realloc(block, bytes) : early_take(bytes);
}
void free(void *block) {
  if (is_early(block)) return;
  if (real_free) real_free(block);
}
