/* The pyramid of cannonballs of Olsen & Kamrin (2018, section 8.2) as a truss (solve/truss/truss.h). The base
 * has n x n spheres. Layer L has (n-L)^2 spheres at (i + L/2, j + L/2, L/sqrt 2) d. The spheres of the base
 * are held. Spheres are numbered layer by layer from the bottom, row by row. Each has the weight 1. */
#ifndef TEST_PYRAMID_H
#define TEST_PYRAMID_H

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "math/vec.h"
#include "solve/truss/truss.h"

typedef struct pyramid {
  int n;
  int32_t bodies, contacts;
  double (*position)[3], (*load)[6];
  uint8_t *held;
  sc_truss_contact *contact;
  double (*force)[3];
} pyramid;

static inline void pyramid_place(pyramid *p) {
  int32_t at = 0;
  for (int layer = 0; layer < p->n; layer++)
    for (int i = 0; i < p->n - layer; i++)
      for (int j = 0; j < p->n - layer; j++, at++) {
        sc_set3(i + 0.5 * layer, j + 0.5 * layer, layer / sqrt(2), p->position[at]);
        p->held[at] = layer == 0;
        p->load[at][2] = 1;
      }
}

/* Adds the contacts between touching spheres of diameter 1, in the order of their indices. Skips pairs of
 * held spheres. */
static inline void pyramid_touch(pyramid *p) {
  for (int32_t a = 0; a < p->bodies; a++)
    for (int32_t b = a + 1; b < p->bodies && p->position[b][2] - p->position[a][2] < 1; b++) {
      double gap[3];
      sc_sub(p->position[a], p->position[b], gap);
      if (sc_dot(gap, gap) > 1 + 1e-9 || (p->held[a] && p->held[b])) continue;
      sc_truss_contact *c = p->contact + p->contacts++;
      *c = (sc_truss_contact){.i = a, .j = b, .stiffness = 1};
      sc_normalise(gap, c->n);
      sc_scale(-0.5, c->n, c->arm1);
      sc_scale(0.5, c->n, c->arm2);
    }
}

static inline pyramid pyramid_make(int n) {
  pyramid p = {.n = n};
  for (int layer = 0; layer < n; layer++) p.bodies += (n - layer) * (n - layer);
  p.position = calloc((size_t)p.bodies, sizeof *p.position);
  p.load = calloc((size_t)p.bodies, sizeof *p.load);
  p.held = calloc((size_t)p.bodies, 1);
  p.contact = calloc((size_t)p.bodies * 6, sizeof *p.contact);
  p.force = calloc((size_t)p.bodies * 6, sizeof *p.force);
  pyramid_place(&p);
  pyramid_touch(&p);
  return p;
}

/* Sets the contact stiffnesses of two kinds of spheres: those with odd index are 5 times as stiff as those
 * with even index. Stiffness of a contact: 1/5 (even-even), 1/3 (mixed), 1 (odd-odd). */
static inline void pyramid_two_species(pyramid *p) {
  for (int32_t c = 0; c < p->contacts; c++) {
    int odd = p->contact[c].i % 2 + p->contact[c].j % 2;
    p->contact[c].stiffness = odd == 0 ? 1.0 / 5 : odd == 1 ? 1.0 / 3 : 1;
  }
}

static inline sc_truss pyramid_truss(const pyramid *p, double exponent) {
  return (sc_truss){.bodies = p->bodies,
      .held = p->held,
      .load = (const double(*)[6])p->load,
      .contacts = p->contacts,
      .contact = p->contact,
      .exponent = exponent,
      .tolerance = 1e-12,
      .iterations = 200};
}

/* Computes the vertical force on each sphere of the base [n x n], without its own weight. */
static inline void pyramid_floor(const pyramid *p, double *floor_force) {
  memset(floor_force, 0, (size_t)(p->n * p->n) * sizeof *floor_force);
  for (int32_t c = 0; c < p->contacts; c++)
    if (p->held[p->contact[c].i]) floor_force[p->contact[c].i] -= p->force[c][0] * p->contact[c].n[2];
}

static inline void pyramid_free(pyramid *p) {
  free(p->position), free(p->load), free(p->held), free(p->contact), free(p->force);
}

#endif
