/* Compares the contacts of worlds on several ranks with those of the same world on one rank. */
#ifndef TESTS_MPI_CONTACTS_H
#define TESTS_MPI_CONTACTS_H

#include <math.h>
#include <string.h>

#include "scenes.h"
#include "scree/frame.h"

/* Returns the contacts of a world, sorted by bodies and points. *count: their number. The caller frees the
 * array. */
static scree_frame_contact *contacts_of(const scree_world *world, int64_t *count) {
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  const scree_frame *frame = scree_frame_capture(buffer, world, SCREE_FRAME_CONTACTS, &error);
  CHECK(frame, "%s", error.text);
  scree_frame_contact *out = malloc(((size_t)frame->contacts + 1) * sizeof *out);
  memcpy(out, frame->contact, (size_t)frame->contacts * sizeof *out);
  *count = frame->contacts;
  qsort(out, (size_t)*count, sizeof *out, by_bodies);
  scree_frame_buffer_destroy(buffer);
  return out;
}

static inline void same_contacts(const scree_world *one, const scree_world *several) {
  int64_t count[2];
  scree_frame_contact *a = contacts_of(one, count), *b = contacts_of(several, count + 1);
  CHECK(count[0] == count[1], "%lld and %lld contacts", (long long)count[0], (long long)count[1]);
  CHECK(count[0] > 0, "no contacts");
  for (int64_t i = 0; i < count[0]; i++)
    CHECK(a[i].body1 == b[i].body1 && a[i].body2 == b[i].body2 &&
            !memcmp(a[i].point, b[i].point, sizeof a->point) &&
            !memcmp(a[i].normal, b[i].normal, sizeof a->normal) &&
            !memcmp(a[i].image, b[i].image, sizeof a->image) && !memcmp(&a[i].gap, &b[i].gap, sizeof a->gap),
        "contact %lld differs", (long long)i);
  free(a);
  free(b);
}

/* Tests cohesion: a chain of grains that attract each other across gaps wider than the contact margin. */
static inline void cohesion(void) {
  scree_world *world[2];
  for (int several = 0; several < 2; several++) {
    scree_world *w = world[several] = make(0, 1e-4, 200, 1e-12);
    scree_pair_def pair = {.law = "coulomb", .cohesion = {SCREE_COHESION_LINEAR, 1e-6, 0.4e-3}};
    FINE(scree_world_set_pair(w, &pair, &error));
    for (int i = 0; i < 24; i++)
      add_ball(w, 0.5e-3, 1.2e-3 * i, i % 2 ? 1e-4 : 0, 1e-4 * (i % 3), i == 5 ? 0.01 : 0, 0);
    if (several) spread(w);
    step(w, 1);
  }
  same_contacts(world[0], world[1]);
  for (int several = 0; several < 2; several++) step(world[several], 39);
  double one = report(world[0]).kinetic, both = report(world[1]).kinetic;
  CHECK(one > 0 && fabs(one - both) <= 1e-9 * one, "kinetic %.17g, not %.17g", both, one);
  for (int several = 0; several < 2; several++) scree_world_destroy(world[several]);
}

/* Returns the total mass of the dynamic bodies [kg]. */
static double mass_of(const scree_world *world) {
  double mass = 0;
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  const scree_frame *frame = scree_frame_capture(buffer, world, 0, &error);
  CHECK(frame, "%s", error.text);
  for (int64_t i = 0; i < frame->bodies; i++)
    if (frame->kind[i] == SCREE_DYNAMIC) mass += frame->mass[i];
  scree_frame_buffer_destroy(buffer);
  return mass;
}

/* Returns the sum of the vertical impulses of the contacts with the floor [N s]. */
static double floor_of(const scree_frame_contact *list, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; i++)
    if (fabs(list[i].normal[2]) > 0.99 && list[i].point[2] < 1e-4) sum += fabs(list[i].impulse[2]);
  return sum;
}

/* Tests contact stiffness: grains in a box, with springs in their contacts. After three steps, impulses on
 * several ranks differ from those on one rank by at most 1e-9 of the largest impulse. Later, stick and slip
 * have amplified rounding errors. The floor still carries the weight, except for wall friction and
 * oscillations, and the elastic energies agree. */
static inline void stiffness(void) {
  enum { FEW = 3, STEPS = 60 };
  scree_world *world[2];
  int64_t count[2];
  scree_frame_contact *list[2];
  for (int several = 0; several < 2; several++) {
    scree_world *w = world[several] = make(9.81, 1e-4, 5000, 1e-12);
    scree_pair_def pair = {.law = "coulomb", .stiffness = {.stiffness = 50, .relaxation = 5e-4}};
    int params;
    const scree_param *param = scree_world_law_params(w, "coulomb", &params);
    scree_param_defaults(param, params, pair.params);
    FINE(scree_world_set_pair(w, &pair, &error));
    add_box(w, 4e-3);
    for (int i = 0; i < 48; i++)
      add_ball(w, 0.5e-3, 0.52e-3 + 0.98e-3 * (i % 4), 0.52e-3 + 0.98e-3 * (i / 4 % 4) + 1e-5 * (i % 3),
          0.5e-3 + 0.98e-3 * (i / 16), 0, 0);
    if (several) spread(w);
    step(w, FEW);
    list[several] = contacts_of(w, count + several);
  }
  CHECK(count[0] == count[1] && count[0] > 60, "%lld and %lld contacts", (long long)count[0],
      (long long)count[1]);
  double largest = 0;
  for (int64_t i = 0; i < count[0]; i++) largest = fmax(largest, fabs(list[0][i].impulse[2]));
  for (int64_t i = 0; i < count[0]; i++)
    for (int k = 0; k < 3; k++)
      CHECK(fabs(list[0][i].impulse[k] - list[1][i].impulse[k]) <= 1e-9 * largest,
          "contact %lld: impulse %d is %.17g, not %.17g", (long long)i, k, list[1][i].impulse[k],
          list[0][i].impulse[k]);
  const double weight = mass_of(world[0]) * 9.81 * 1e-4;
  for (int several = 0; several < 2; several++) {
    free(list[several]);
    step(world[several], STEPS - FEW);
    list[several] = contacts_of(world[several], count + several);
    const double floor = floor_of(list[several], count[several]);
    CHECK(floor > 0.5 * weight && floor < 1.2 * weight, "the floor carries %g of the weight", floor / weight);
  }
  const double one = report(world[0]).elastic, both = report(world[1]).elastic;
  CHECK(one > 0 && fabs(one - both) <= 0.1 * one, "elastic energy %.17g, not %.17g", both, one);
  for (int several = 0; several < 2; several++) free(list[several]), scree_world_destroy(world[several]);
}

#endif
