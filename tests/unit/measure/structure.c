/* The structure factor of a crystal, of images of its grains, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "base/base.h"
#include "scree/measure.h"

enum { N = 3, GRAINS = N * N * N, BINS = 70 };

typedef struct crystal {
  scree_frame frame;
  uint64_t id[GRAINS];
  int64_t group[GRAINS];
  uint8_t kind[GRAINS];
  double position[3 * GRAINS];
} crystal;

/* A simple cubic crystal of spacing 1, some of its grains given by images. */
static void grow(crystal *c) {
  *c = (crystal){0};
  for (int i = 0; i < GRAINS; i++) {
    const double place[3] = {i % N + N * (i % 5 - 2), i / N % N, i / N / N - 2 * N * (i % 2)};
    for (int k = 0; k < 3; k++) c->position[3 * i + k] = place[k];
    c->id[i] = (uint64_t)i + 1;
  }
  c->frame = (scree_frame){
      .bodies = GRAINS, .id = c->id, .group = c->group, .kind = c->kind, .position = c->position};
  c->frame.has_cell = 1;
  c->frame.cell = (scree_cell){.periodic = {1, 1, 1}};
  assert_true(scree_cell_set(&c->frame.cell, (double[9]){N, N, 0, 0, N, 0, 0, 0, N}));
}

static const scree_measure_kind *kind(void) { return scree_measure_find("structure", NULL); }

typedef union request {
  scree_measure_def def;
  char bytes[256];
} request;

static void ask(request *r, double reach, double bins) {
  scree_measure_defaults(kind(), r);
  for (int i = 0; i < kind()->params_count; i++) {
    const scree_param *p = kind()->params + i;
    if (p->type == SCREE_REAL) *(double *)(r->bytes + p->offset) = reach;
    if (p->type == SCREE_INTEGER && p->offset != offsetof(scree_measure_def, group))
      *(int64_t *)(r->bytes + p->offset) = (int64_t)bins;
  }
}

/* Among the wave numbers 2 pi |n|/3 only those with all n multiples of 3 match the crystal, each with S =
 * 27. At |n| = 3 there are 6 of these, and the 24 of (2, 2, 1). */
static void a_crystal(void **state) {
  (void)state;
  crystal c;
  request r;
  scree_measure_result out;
  const double pi = 3.14159265358979323846;
  grow(&c);
  ask(&r, 7, BINS);
  assert_int_equal(scree_measure_take(kind(), &c.frame, &r.def, &out, NULL), SCREE_OK);
  const int peak = (int)(2 * pi / 7 * BINS);
  double waves = 0;
  for (int i = 0; i < BINS; i++) {
    const double s = out.value[1].list[i], n = out.value[2].list[i];
    waves += n;
    if (n == 0) assert_true(isnan(s));
    else assert_true(fabs(s - (i == peak ? 5.4 : 0)) < 1e-9);
  }
  assert_true(out.value[2].list[peak] == 15 && out.value[3].figure == GRAINS);
  /* whole vectors of the cubic lattice with 0 < n.n < (7 * 3/(2 pi))^2 = 11.17, one of n and -n */
  assert_true(waves == 85);
  scree_measure_clear(&out);
}

static void refusals(void **state) {
  (void)state;
  crystal c;
  request r;
  scree_measure_result out;
  scree_error error = {SCREE_OK, ""};
  grow(&c);
  ask(&r, 1e4, BINS);
  assert_int_equal(scree_measure_take(kind(), &c.frame, &r.def, &out, &error), SCREE_E_ARGUMENT);
  scree_measure_clear(&out);
  ask(&r, 7, BINS);
  c.frame.cell.periodic[1] = 0;
  assert_int_equal(scree_measure_take(kind(), &c.frame, &r.def, &out, &error), SCREE_E_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_crystal), cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
