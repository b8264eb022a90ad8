/* Functions shared by the programs that run benchmark scenes with other engines (drivers). They read a scene
 * that scenes/bench/engines.lua has written as text, measure time, and write states. */
#ifndef ENGINES_H
#define ENGINES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct part {
  char kind; /* b, s, c, h: box, sphere, capsule, hull */
  double size[3], at[3], *point;
  int points;
} part;
typedef struct shape {
  int count;
  part *parts;
} shape;
/* index of the shape; state: position, orientation (w,x,y,z), velocity, spin */
typedef struct body {
  int shape;
  double x[13];
} body;
typedef struct ball {
  int a, b;
  double at[3];
} ball;
typedef struct scene {
  double gravity[3], mu, plane[8][4], *height, cell;
  int planes, nx, ny, shape_count, body_count, ball_count, state_count;
  shape *shapes;
  /* bodies: state in which joints are created; states: state in which the run begins */
  body *bodies, *states;
  ball *balls;
} scene;

#define MORE(list, count) ((list) = realloc((list), ((count) + 1) * sizeof *(list)), (list) + (count)++)
#ifdef __cplusplus
#undef MORE
template <class T> static T *more(T *&list, int &count) {
  list = (T *)realloc(list, (count + 1) * sizeof *list);
  return list + count++;
}
#define MORE(list, count) more(list, count)
#endif

static inline void numbers(FILE *file, double *out, int count) {
  for (int i = 0; i < count; i++)
    if (fscanf(file, "%lf", out + i) != 1) fprintf(stderr, "a number is missing\n"), exit(1);
}

static inline int whole(FILE *file) {
  double x;
  numbers(file, &x, 1);
  return (int)x;
}

static inline void read_part(FILE *file, part *p) {
  char word[32], kind[32];
  if (fscanf(file, "%31s %31s", word, kind) != 2) exit(1);
  p->kind = *kind;
  p->points = p->kind == 'h' ? whole(file) : 0;
  p->point = (double *)malloc((3 * p->points + 1) * sizeof(double));
  numbers(file, p->point, 3 * p->points);
  numbers(file, p->size, *kind == 'b' ? 3 : *kind == 'c' ? 2 : *kind == 's' ? 1 : 0);
  numbers(file, p->at, 3);
}

static inline void read_shape(FILE *file, shape *s) {
  s->count = whole(file);
  s->parts = (part *)calloc(s->count, sizeof(part));
  for (int i = 0; i < s->count; i++) read_part(file, s->parts + i);
}

static inline void read_mesh(FILE *file, scene *s) {
  s->nx = whole(file), s->ny = whole(file);
  numbers(file, &s->cell, 1);
  s->height = (double *)malloc(s->nx * s->ny * sizeof(double));
  numbers(file, s->height, s->nx * s->ny);
}

static inline void read_scene(const char *path, scene *s) {
  FILE *file = fopen(path, "r");
  char word[32];
  if (!file) perror(path), exit(1);
  memset(s, 0, sizeof *s);
  while (fscanf(file, "%31s", word) == 1) {
    if (!strcmp(word, "gravity")) numbers(file, s->gravity, 3);
    else if (!strcmp(word, "mu")) numbers(file, &s->mu, 1);
    else if (!strcmp(word, "plane")) numbers(file, s->plane[s->planes++], 4);
    else if (!strcmp(word, "mesh")) read_mesh(file, s);
    else if (!strcmp(word, "shape")) read_shape(file, MORE(s->shapes, s->shape_count));
    else if (!strcmp(word, "body")) {
      body *b = MORE(s->bodies, s->body_count);
      b->shape = whole(file);
      numbers(file, b->x, 13);
    } else if (!strcmp(word, "ball")) {
      ball *j = MORE(s->balls, s->ball_count);
      j->a = whole(file), j->b = whole(file);
      numbers(file, j->at, 3);
    } else if (!strcmp(word, "state")) numbers(file, MORE(s->states, s->state_count)->x, 13);
  }
  fclose(file);
}

/* Sets corner to the indices, from 0, of the corners of triangle t of the mesh. The mesh has 2 (nx - 1) (ny -
 * 1) triangles. */
static inline void triangle(const scene *s, int t, int corner[3]) {
  int cell = t / 2, p = cell / (s->ny - 1) * s->ny + cell % (s->ny - 1);
  corner[0] = t & 1 ? p + s->ny : p, corner[1] = t & 1 ? p + s->ny + 1 : p + s->ny, corner[2] = p + 1;
}

static inline void corner_at(const scene *s, int i, double out[3]) {
  out[0] = (i / s->ny - (s->nx - 1) / 2.0) * s->cell;
  out[1] = (i % s->ny - (s->ny - 1) / 2.0) * s->cell;
  out[2] = s->height[i];
}

static inline double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Returns whether bodies may fall asleep, by the rules of the other engine: the environment variable SLEEP is
 * set. */
static inline bool sleeps(void) { return getenv("SLEEP") != NULL; }

/* Measures CPU time: runs 30 steps, or 600 if bodies may fall asleep. Then prints the smallest time per step
 * of four windows of 20 steps [ms]. */
static inline void time_windows(void (*step)(void)) {
  double least = 1e300;
  for (int i = 0; i < (sleeps() ? 600 : 30); i++) step();
  for (int k = 0; k < 4; k++) {
    double start = cpu_seconds();
    for (int i = 0; i < 20; i++) step();
    double each = (cpu_seconds() - start) / 20;
    if (each < least) least = each;
  }
  printf("%.4g\n", 1e3 * least);
}

/* Writes the states of all bodies of a scene to a file, one line per body. tell: returns the state of a body
 * in the engine. */
static inline void write_states(const char *path, const scene *s, void (*tell)(int body, double state[13])) {
  FILE *file = fopen(path, "w");
  if (!file) perror(path), exit(1);
  for (int i = 0; i < s->body_count; i++) {
    double x[13];
    tell(i, x);
    for (int k = 0; k < 13; k++) fprintf(file, "%.17g%c", x[k], k < 12 ? ' ' : '\n');
  }
  fclose(file);
}

/* Main function of a driver with the arguments SCENE OUT SWEEPS. Reads the scene, calls `make` with the
 * number of sweeps, measures time and writes the final states to OUT. Returns an exit code. */
static inline int drive(int argc, char **argv, scene *s, void (*make)(int sweeps), void (*step)(void),
    void (*tell)(int body, double state[13])) {
  if (argc != 4) return fprintf(stderr, "usage: %s SCENE OUT SWEEPS\n", argv[0]), 2;
  read_scene(argv[1], s);
  make(atoi(argv[3]));
  time_windows(step);
  write_states(argv[2], s, tell);
  return 0;
}

#endif
