/* Synthetic frames (frames.h) divided into three parts by position, as three ranks would divide them. Grains
 * move from part to part. The last part is often empty. */
#ifndef SUPPORT_PARTS_H
#define SUPPORT_PARTS_H

#include "support/frames.h"

enum { PARTS = 3 };

typedef struct parts {
  scree_packer *packer[PARTS];
  flow part;
  unsigned char *bytes;
  size_t count;
} parts;

static inline int part_of(const flow *f, int64_t r) {
  double x = f->position[3 * r];
  return f->kind[r] ? 0 : x < 0.025 ? 0 : x < 0.06 ? 1 : 2;
}

static inline void parts_open(parts *p, const scree_trajectory_def *def, int64_t grains) {
  flow *room = flow_create(grains, 1);
  *p = (parts){.part = *room};
  free(room);
  for (int k = 0; k < PARTS; k++)
    if (!(p->packer[k] = scree_packer_create(def, NULL))) abort();
}

static inline void parts_close(parts *p) {
  for (int k = 0; k < PARTS; k++) scree_packer_destroy(p->packer[k]);
  flow *copy = malloc(sizeof *copy);
  *copy = p->part;
  flow_destroy(copy);
  free(p->bytes);
}

/* Returns the bodies of one part with their shapes, and the contacts whose first body is in the part. */
static inline scree_frame parts_cut(parts *p, const flow *f, int which) {
  flow *to = &p->part;
  to->count = to->shapes = to->contacts = 0;
  to->time = f->time, to->step = f->step;
  for (int64_t r = 0, s = 0, c = 0; r < f->count; r++) {
    bool mine = part_of(f, r) == which;
    int64_t n = to->count;
    if (mine) {
      to->id[n] = f->id[r], to->group[n] = f->group[r], to->kind[n] = f->kind[r],
      to->radius[n] = f->radius[r], to->mass[n] = f->mass[r];
      memcpy(to->position + 3 * n, f->position + 3 * r, 24),
          memcpy(to->velocity + 3 * n, f->velocity + 3 * r, 24);
      memcpy(to->spin + 3 * n, f->spin + 3 * r, 24),
          memcpy(to->orientation + 4 * n, f->orientation + 4 * r, 32);
      to->count++;
    }
    for (; s < f->shapes && f->shape[s].body == f->id[r]; s++)
      if (mine) to->shape[to->shapes++] = f->shape[s];
    for (; c < f->contacts && f->contact[c].body1 == f->id[r]; c++)
      if (mine) to->contact[to->contacts++] = f->contact[c];
  }
  return (scree_frame){.time = to->time,
      .step = to->step,
      .bodies = to->count,
      .id = to->id,
      .group = to->group,
      .kind = to->kind,
      .radius = to->radius,
      .mass = to->mass,
      .position = to->position,
      .orientation = to->orientation,
      .velocity = to->velocity,
      .spin = to->spin,
      .shapes = to->shapes,
      .shape = to->shape,
      .contacts = to->contacts,
      .contact = to->contact};
}

/* Packs all parts of the flow's present frame into p->bytes. Call flow_frame before. */
static inline void parts_pack(parts *p, const flow *f, const scree_frame *frame, int64_t number) {
  double largest[SCREE_FRAME_LARGEST];
  scree_frame_largest(frame, largest);
  p->count = 0;
  for (int k = 0; k < PARTS; k++) {
    const void *bytes;
    size_t count;
    scree_frame part = parts_cut(p, f, k);
    if (scree_packer_frame(p->packer[k], &part, number, largest, &bytes, &count, NULL) != SCREE_OK) abort();
    p->bytes = realloc(p->bytes, p->count + count);
    memcpy(p->bytes + p->count, bytes, count);
    p->count += count;
  }
}

#endif
