/* Files of problems that solvers could not solve (save/problem_keep.c). */
#ifndef SC_WORLD_DUMP_H
#define SC_WORLD_DUMP_H

typedef struct sc_dump {
  char *directory; /* directory of the files, owned; NULL: no files are written */
  int count;       /* number of files written so far */
} sc_dump;

#endif
