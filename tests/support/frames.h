/* Synthetic frames for tests of engine/io. Grains fly with random changes of velocity. From frame to frame
 * some grains are removed and some are added. A half-space and a body of a box and a cylinder do not move.
 * Pairs of adjacent grains are in contact. All data depend on a seed only. */
#ifndef SUPPORT_FRAMES_H
#define SUPPORT_FRAMES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/base.h"
#include "scree/trajectory.h"

typedef struct flow {
  sc_rng rng;
  int64_t most, count, shapes, contacts;
  uint64_t *id, next_id;
  int64_t *group;
  uint8_t *kind;
  double *radius, *mass, *position, *orientation, *velocity, *spin, time, dt;
  int64_t step;
  scree_shape_info *shape;
  scree_frame_contact *contact;
  int turnover; /* number of grains that are removed and added per frame */
} flow;

static inline double flow_noise(flow *f) { return 2 * sc_rng_unit(&f->rng) - 1; }

static inline void flow_set(flow *f, int64_t r, int kind) {
  f->id[r] = f->next_id++;
  f->group[r] = kind ? -1 : (int64_t)(f->id[r] % 3);
  f->kind[r] = (uint8_t)kind;
  f->radius[r] = kind == SCREE_FIXED ? INFINITY : kind ? 0.03 : 0.00047 * (1 + 0.1 * flow_noise(f));
  f->mass[r] = kind ? INFINITY : 2650 * 4.18879 * f->radius[r] * f->radius[r] * f->radius[r];
  for (int k = 0; k < 3; k++) {
    f->position[3 * r + k] = kind ? 0.01 * k : 0.05 * sc_rng_unit(&f->rng);
    f->velocity[3 * r + k] = kind ? 0 : (k == 0) + 0.3 * flow_noise(f);
    f->spin[3 * r + k] = 0;
  }
  memcpy(f->orientation + 4 * r, (double[4]){1, 0, 0, 0}, 4 * sizeof(double));
}

static inline flow *flow_create(int64_t grains, uint64_t seed) {
  flow *f = calloc(1, sizeof *f);
  sc_rng_seed(&f->rng, seed);
  f->most = grains + 2;
  size_t n = (size_t)f->most;
  f->id = calloc(n, 8);
  f->group = calloc(n, 8);
  f->kind = calloc(n, 1);
  f->radius = calloc(n, 8);
  f->mass = calloc(n, 8);
  f->position = calloc(n, 24);
  f->orientation = calloc(n, 32);
  f->velocity = calloc(n, 24);
  f->spin = calloc(n, 24);
  f->shape = calloc(n + 2, sizeof *f->shape);
  f->contact = calloc(n, sizeof *f->contact);
  f->next_id = 1;
  f->dt = 0.001;
  f->turnover = (int)(grains / 50) + 1;
  for (f->count = 0; f->count < f->most; f->count++)
    flow_set(f, f->count, f->count == 0 ? SCREE_FIXED : f->count == 1 ? SCREE_KINEMATIC : SCREE_DYNAMIC);
  return f;
}

static inline void flow_destroy(flow *f) {
  free(f->id);
  free(f->group);
  free(f->kind);
  free(f->radius);
  free(f->mass);
  free(f->position);
  free(f->orientation);
  free(f->velocity);
  free(f->spin);
  free(f->shape);
  free(f->contact);
  free(f);
}

/* Removes row r; later rows move up, so that ids stay sorted. */
static inline void flow_drop(flow *f, int64_t r) {
  size_t n = (size_t)(--f->count - r);
  memmove(f->id + r, f->id + r + 1, n * 8);
  memmove(f->group + r, f->group + r + 1, n * 8);
  memmove(f->kind + r, f->kind + r + 1, n);
  memmove(f->radius + r, f->radius + r + 1, n * 8);
  memmove(f->mass + r, f->mass + r + 1, n * 8);
  memmove(f->position + 3 * r, f->position + 3 * r + 3, n * 24);
  memmove(f->velocity + 3 * r, f->velocity + 3 * r + 3, n * 24);
  memmove(f->spin + 3 * r, f->spin + 3 * r + 3, n * 24);
  memmove(f->orientation + 4 * r, f->orientation + 4 * r + 4, n * 32);
}

static inline void flow_turn(double *q, const double *w, double dt) {
  double h[4] = {1, dt / 2 * w[0], dt / 2 * w[1], dt / 2 * w[2]}, r[4], n = 0;
  r[0] = h[0] * q[0] - h[1] * q[1] - h[2] * q[2] - h[3] * q[3];
  r[1] = h[0] * q[1] + h[1] * q[0] + h[2] * q[3] - h[3] * q[2];
  r[2] = h[0] * q[2] + h[2] * q[0] + h[3] * q[1] - h[1] * q[3];
  r[3] = h[0] * q[3] + h[3] * q[0] + h[1] * q[2] - h[2] * q[1];
  for (int k = 0; k < 4; k++) n += r[k] * r[k];
  for (int k = 0; k < 4; k++) q[k] = r[k] / sqrt(n);
}

/* Advances the flow by one frame. */
static inline void flow_advance(flow *f) {
  for (int64_t r = 0; r < f->count; r++) {
    if (f->kind[r]) continue;
    for (int k = 0; k < 3; k++) {
      double v = f->velocity[3 * r + k], a = 0.05 * flow_noise(f);
      f->position[3 * r + k] += f->dt * (v + a / 2) + 1e-6 * flow_noise(f);
      f->velocity[3 * r + k] = v + a;
      f->spin[3 * r + k] = 0.9 * f->spin[3 * r + k] + 10 * flow_noise(f);
    }
    flow_turn(f->orientation + 4 * r, f->spin + 3 * r, f->dt);
  }
  for (int i = 0; i < f->turnover && f->count > 3; i++)
    flow_drop(f, 2 + (int64_t)(sc_rng_next(&f->rng) % (uint64_t)(f->count - 2)));
  for (int i = 0; i < f->turnover && f->count < f->most; i++) flow_set(f, f->count++, SCREE_DYNAMIC);
  f->time += f->dt;
  f->step += 100;
}

static inline scree_shape_info flow_shape(const flow *f, int64_t r, int type) {
  scree_shape_info s = {
      .body = f->id[r], .type = type, .material = (int)(r % 2), .orientation = {1, 0, 0, 0}};
  if (type == SCREE_HALFSPACE) s.normal[2] = 1;
  else if (type == SCREE_BOX) {
    s.size[0] = 0.01;
    s.size[1] = 0.02;
    s.size[2] = 0.03;
    s.position[0] = 0.005;
  } else s.radius = f->radius[r];
  if (type == SCREE_CYLINDER) {
    s.radius = 0.01;
    s.length = 0.02;
  }
  return s;
}

/* Returns the present frame, whose arrays belong to the flow. */
static inline scree_frame flow_frame(flow *f) {
  f->shapes = f->contacts = 0;
  for (int64_t r = 0; r < f->count; r++) {
    if (f->kind[r] == SCREE_KINEMATIC) f->shape[f->shapes++] = flow_shape(f, r, SCREE_BOX);
    f->shape[f->shapes++] = flow_shape(f, r,
        f->kind[r] == SCREE_FIXED ? SCREE_HALFSPACE
            : f->kind[r]          ? SCREE_CYLINDER
                                  : SCREE_SPHERE);
  }
  for (int64_t r = 2; r + 1 < f->count; r += 2) {
    scree_frame_contact *c = f->contact + f->contacts++;
    *c = (scree_frame_contact){.body1 = f->id[r],
        .body2 = f->id[r + 1],
        .gap = -1e-7 * (double)r,
        .normal = {0.6, 0, 0.8},
        .impulse = {1e-8, 2e-9, 3e-8 * (double)r}};
    for (int k = 0; k < 3; k++) c->point[k] = f->position[3 * r + k] + 1e-4;
  }
  return (scree_frame){.time = f->time,
      .step = f->step,
      .bodies = f->count,
      .id = f->id,
      .group = f->group,
      .kind = f->kind,
      .radius = f->radius,
      .mass = f->mass,
      .position = f->position,
      .orientation = f->orientation,
      .velocity = f->velocity,
      .spin = f->spin,
      .shapes = f->shapes,
      .shape = f->shape,
      .contacts = f->contacts,
      .contact = f->contact};
}

/* Makes a new folder, in memory if possible, and returns a path in it. support_clean removes the folder. */
static inline const char *support_path(char folder[64], char path[128], const char *name) {
  strcpy(folder, access("/dev/shm", W_OK) ? "scree-test-XXXXXX" : "/dev/shm/scree-test-XXXXXX");
  if (!mkdtemp(folder)) abort();
  snprintf(path, 128, "%s/%s", folder, name);
  return path;
}

static inline void support_clean(const char *folder) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command)) abort();
}

#endif
