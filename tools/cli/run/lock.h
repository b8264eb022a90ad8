/* One process at a time in a directory: the file run.lock in it is locked (flock) while a run or a sweep
 * is at work there, and names the process. The lock goes with the process, however it ends. */
#ifndef CLI_LOCK_H
#define CLI_LOCK_H

/* Locks an open folder, which messages call `directory`. *lock is for lock_drop, -1 on failure. Returns
 * CLI_OK, or the exit code after a message in the name of the command. File systems without locks are let
 * through. */
int lock_take(int folder, const char *directory, const char *command, int *lock);
/* Where another process is at work in a directory: message and exit code; else CLI_OK. */
int lock_check(const char *directory, const char *command);
/* Releases a lock (-1: none). Removes the file run.lock of the folder if it is the file that was locked. */
void lock_drop(int folder, int lock);

#endif
