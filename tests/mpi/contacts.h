/* Contacts of worlds on several ranks, against those of the same world on one. */
#ifndef TESTS_MPI_CONTACTS_H
#define TESTS_MPI_CONTACTS_H

#include <math.h>
#include <string.h>

#include "scenes.h"
#include "scree/frame.h"

/* Alike whoever is body 1. */
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

/* A chain of grains that pull each other across gaps wider than the margin. */
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

#endif
