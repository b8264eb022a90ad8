/* Files of problems that solvers could not solve (save/problem_keep.c). */
#ifndef SC_WORLD_DUMP_H
#define SC_WORLD_DUMP_H

typedef struct sc_dump {
  char *directory; /* of the files; NULL: none are written */
  int count;       /* files written so far */
} sc_dump;

#endif
