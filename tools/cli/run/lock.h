/* One process at a time in a directory: the file run.lock in it is locked (flock) while a run or a sweep
 * is at work there, and names the process. The lock goes with the process, however it ends. */
#ifndef CLI_LOCK_H
#define CLI_LOCK_H

/* Takes the lock of a directory that exists; *lock is what lock_drop takes, -1 on failure. CLI_OK, or the
 * exit code after a message in the name of the command. File systems without locks are let through. */
int lock_take(const char *directory, const char *command, int *lock);
/* Where another process is at work in a directory: message and exit code; else CLI_OK. */
int lock_check(const char *directory, const char *command);
/* Gives a lock back and removes the file; -1 is none. */
void lock_drop(const char *directory, int lock);

#endif
