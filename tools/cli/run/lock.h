/* Ensures that one process at a time works in a directory. The file run.lock in it is locked (flock) while
 * a run or a sweep is at work there, and contains the process id. The lock ends with the process. */
#ifndef CLI_LOCK_H
#define CLI_LOCK_H

/* Locks an open folder; messages call it `directory`. Sets *lock for lock_drop; -1 on failure. Returns
 * CLI_OK, or the exit code after a message in the name of the command. Succeeds without a lock on file
 * systems that have no locks. */
int lock_take(int folder, const char *directory, const char *command, int *lock);
/* Returns CLI_OK, or the exit code after a message if another process is at work in a directory. */
int lock_check(const char *directory, const char *command);
/* Releases a lock (-1: none). Removes the file run.lock of the folder if it is the file that was locked. */
void lock_drop(int folder, int lock);

#endif
