/* Functions shared by the programs that run a bed of grains with other engines (drivers): reading and writing
 * the bed as text, and CPU time. */
#ifndef PEERS_H
#define PEERS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GRAINS_MOST = 20000 };
typedef struct grain {
  double x[3], v[3], w[3];
} grain;

/* Reads the grains of a file to bed, an array of GRAINS_MOST grains. Returns their number. Ends the program
 * if the file cannot be opened. */
static inline int read_bed(const char *path, grain *bed) {
  FILE *file = fopen(path, "r");
  int count = 0;
  if (!file) perror(path), exit(1);
  for (grain *g = bed; count < GRAINS_MOST; count++, g++)
    if (fscanf(file, "%lf %lf %lf %lf %lf %lf %lf %lf %lf", g->x, g->x + 1, g->x + 2, g->v, g->v + 1,
            g->v + 2, g->w, g->w + 1, g->w + 2) != 9)
      break;
  fclose(file);
  return count;
}

static inline void write_bed(const char *path, const grain *bed, int count) {
  FILE *file = fopen(path, "w");
  if (!file) perror(path), exit(1);
  for (int i = 0; i < count; i++) {
    const double *g = bed[i].x;
    for (int k = 0; k < 9; k++) fprintf(file, "%.17g%c", g[k], k < 8 ? ' ' : '\n');
  }
  fclose(file);
}

static inline double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Prints the smallest CPU time per step of four windows of timed/4 steps [s]. */
static inline void time_steps(int timed, void (*step)(void)) {
  double least = 1e300;
  for (int k = 0; k < 4; k++) {
    double start = cpu_seconds();
    for (int i = 0; i < timed / 4; i++) step();
    double each = (cpu_seconds() - start) / (timed / 4);
    if (each < least) least = each;
  }
  printf("%.6g ", least);
}

#endif
