#include "view/sample.h"

#include <stdlib.h>
#include <string.h>

/* Copies every Nth row of an array to *at and moves *at past the copy, in steps of 8 bytes. Returns the
 * copy; NULL if `from` is NULL. */
static const void *copy_rows(
    unsigned char **at, const void *from, size_t size, int64_t rows, int64_t stride) {
  unsigned char *to = *at;
  if (!from) return NULL;
  for (int64_t i = 0; i < rows; i++)
    memcpy(to + (size_t)i * size, (const char *)from + (size_t)(i * stride) * size, size);
  *at += ((size_t)rows * size + 7) / 8 * 8;
  return to;
}

int view_sample_make(view_sample *sample, const scree_frame *f, int64_t most) {
  enum { DOUBLES = 18 }; /* id, group, kind, radius, mass, position, orientation, velocity, spin */
  int64_t stride = f->bodies > most ? (f->bodies + most - 1) / most : 1,
          n = (f->bodies + stride - 1) / stride;
  unsigned char *at = malloc(((size_t)n + 1) * DOUBLES * sizeof(double));
  if (!at) return 0;
  sample->block = at;
  sample->frame = (scree_frame){.time = f->time,
      .step = f->step,
      .bodies = n,
      .has_cell = f->has_cell,
      .cell = f->cell,
      .id = copy_rows(&at, f->id, sizeof *f->id, n, stride),
      .group = copy_rows(&at, f->group, sizeof *f->group, n, stride),
      .kind = copy_rows(&at, f->kind, sizeof *f->kind, n, stride),
      .radius = copy_rows(&at, f->radius, sizeof *f->radius, n, stride),
      .mass = copy_rows(&at, f->mass, sizeof *f->mass, n, stride),
      .position = copy_rows(&at, f->position, 3 * sizeof(double), n, stride),
      .orientation = copy_rows(&at, f->orientation, 4 * sizeof(double), n, stride),
      .velocity = copy_rows(&at, f->velocity, 3 * sizeof(double), n, stride),
      .spin = copy_rows(&at, f->spin, 3 * sizeof(double), n, stride)};
  return 1;
}

void view_sample_free(view_sample *sample) { free(sample->block); }
