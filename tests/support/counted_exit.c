/* For builds that count coverage: writes the counts also if a process ends without its exit handlers. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

void __gcov_dump(void);

_Noreturn void _exit(int code) {
  __gcov_dump();
  for (;;) syscall(SYS_exit_group, code);
}
