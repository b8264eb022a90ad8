/* In builds that count coverage: what a process did is written also where it ends without its exit
 * handlers. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

void __gcov_dump(void);

_Noreturn void _exit(int code) {
  __gcov_dump();
  for (;;) syscall(SYS_exit_group, code);
}
