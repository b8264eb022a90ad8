/* The table of measurements: every row is complete, and the general interface gives the results of the typed
 * functions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>
#include "base/base.h"
#include "scree/measure.h"

enum { GRAINS = 6 };
/* Six grains on a line, each pressed against the next; the last is of another group. */
typedef struct row {
  scree_frame frame;
  uint64_t id[GRAINS];
  int64_t group[GRAINS];
  uint8_t kind[GRAINS];
  double radius[GRAINS], mass[GRAINS], position[3 * GRAINS], orientation[4 * GRAINS], velocity[3 * GRAINS],
      spin[3 * GRAINS];
  scree_shape_info shape[GRAINS];
  scree_frame_contact contact[GRAINS - 1];
} row;

static void make_row(row *r) {
  *r = (row){0};
  for (int i = 0; i < GRAINS; i++) {
    r->id[i] = (uint64_t)(i + 1), r->group[i] = i == GRAINS - 1, r->radius[i] = 0.5, r->mass[i] = 1 + i;
    r->position[3 * i] = i + 0.5, r->position[3 * i + 1] = r->position[3 * i + 2] = 0.5;
    r->orientation[4 * i] = 1, r->velocity[3 * i] = 0.1 * i;
    r->shape[i] = (scree_shape_info){.body = r->id[i], .radius = 0.5, .orientation = {1, 0, 0, 0}};
    if (i)
      r->contact[i - 1] = (scree_frame_contact){.body1 = r->id[i],
          .body2 = r->id[i - 1],
          .point = {i, 0.5, 0.5},
          .normal = {1, 0, 0},
          .impulse = {0.01 * i, 0, 0}};
  }
  r->frame = (scree_frame){.time = 1,
      .bodies = GRAINS,
      .id = r->id,
      .group = r->group,
      .kind = r->kind,
      .radius = r->radius,
      .mass = r->mass,
      .position = r->position,
      .orientation = r->orientation,
      .velocity = r->velocity,
      .spin = r->spin,
      .shapes = GRAINS,
      .shape = r->shape,
      .contacts = GRAINS - 1,
      .contact = r->contact};
  r->frame.cell = (scree_cell){.periodic = {1, 1, 1}};
  assert_true(scree_cell_set(&r->frame.cell, (double[9]){GRAINS, 0, 0, 0, GRAINS, 0, 0, 0, GRAINS}));
}

/* The struct of any kind, with what all of them need. */
typedef union request {
  scree_measure_def def;
  char bytes[256];
} request;

static const scree_region whole = {.type = SCREE_REGION_BOX, .min = {0, 0, 0}, .max = {6, 1, 1}};

static void fill_request(const scree_measure_kind *kind, request *q) {
  assert_true(kind->size <= sizeof *q);
  scree_measure_defaults(kind, q);
  q->def.region = &whole, q->def.dt = 0.1, q->def.body = 2, q->def.cells[0] = 6;
  for (int i = 0; i < kind->params_count; i++) {
    const scree_param *p = kind->params + i;
    if (p->type == SCREE_REAL && (p->flags & SCREE_REQUIRED)) *(double *)(q->bytes + p->offset) = 1;
  }
}

/* One kind has the cell for its space. */
static void take_cell(const scree_measure_kind *kind, row *r) {
  r->frame.has_cell = !strcmp(kind->name, "structure");
}

static void rows_are_whole(void **state) {
  (void)state;
  const scree_measure_kind *kind;
  for (int i = 0; (kind = scree_measure_kind_at(i)); i++) {
    assert_true(kind->size >= sizeof(scree_measure_def) && kind->fields > 0);
    assert_true(kind->fields <= SCREE_MEASURE_FIELDS && kind->params_count > 0);
    assert_true(*kind->doc && scree_measure_find(kind->name, NULL) == kind);
    assert_true((kind->take != NULL) != (kind->create && kind->destroy && kind->add && kind->get));
    assert_true(kind->take || (kind->save && kind->load));
    for (int k = 0; k < kind->params_count; k++)
      assert_true(kind->params[k].type == SCREE_OPAQUE || kind->params[k].offset < kind->size);
    for (int a = 0; a < kind->fields; a++)
      for (int b = 0; b < a; b++) assert_string_not_equal(kind->field[a].name, kind->field[b].name);
    for (int k = 0; k < i; k++) assert_string_not_equal(kind->name, scree_measure_kind_at(k)->name);
  }
  scree_error error = {0};
  assert_null(scree_measure_find("stres", &error));
  assert_non_null(strstr(error.text, "did you mean 'stress'"));
}

/* Figures are figures, lists are lists, and all lists with a column of one file are of one length. */
static void check_result(const scree_measure_kind *kind, const scree_measure_result *result) {
  int64_t length = -1;
  for (int i = 0; i < kind->fields; i++) {
    const scree_measure_value *v = result->value + i;
    bool list = kind->field[i].type >= SCREE_LIST;
    if (!v->given) continue;
    assert_true(list == (v->list != NULL));
    if (!list || !kind->field[i].column) continue;
    assert_true(length < 0 || v->count == length);
    length = v->count;
  }
}

static void every_kind_measures(void **state) {
  (void)state;
  row r;
  request q;
  const scree_measure_kind *kind;
  make_row(&r);
  for (int i = 0; (kind = scree_measure_kind_at(i)); i++) {
    scree_measure_result result = {0};
    scree_error error = {0};
    fill_request(kind, &q);
    take_cell(kind, &r);
    if (kind->take) {
      assert_int_equal(scree_measure_take(kind, NULL, &q.def, &result, NULL), SCREE_E_ARGUMENT);
      assert_int_equal(scree_measure_take(kind, &r.frame, NULL, &result, NULL), SCREE_E_ARGUMENT);
      assert_int_equal(scree_measure_take(kind, &r.frame, &q.def, NULL, NULL), SCREE_E_ARGUMENT);
      assert_int_equal(scree_measure_take(kind, &r.frame, &q.def, &result, &error), SCREE_OK);
    } else {
      void *memory = kind->create(&q.def, &error), *bytes = NULL, *copy;
      size_t count;
      assert_non_null(memory);
      assert_int_equal(kind->add(memory, &r.frame, &error), SCREE_OK);
      assert_int_equal(kind->save(memory, &bytes, &count, &error), SCREE_OK);
      copy = kind->create(&q.def, &error);
      assert_int_equal(kind->load(copy, bytes, count, &error), SCREE_OK);
      assert_int_equal(kind->get(copy, &result, &error), SCREE_OK);
      scree_measure_free(bytes);
      kind->destroy(memory);
      kind->destroy(copy);
    }
    check_result(kind, &result);
    scree_measure_clear(&result);
  }
}

static double figure(const char *name, const row *r, const scree_region *region, const char *field) {
  const scree_measure_kind *kind = scree_measure_find(name, NULL);
  request q;
  scree_measure_result result;
  fill_request(kind, &q);
  q.def.region = region;
  assert_int_equal(scree_measure_take(kind, &r->frame, &q.def, &result, NULL), SCREE_OK);
  const scree_measure_value *value = scree_measure_get(kind, &result, field);
  double out = value ? value->figure : NAN;
  scree_measure_clear(&result);
  return out;
}

static void figures_are_right(void **state) {
  (void)state;
  row r;
  make_row(&r);
  const scree_region left = {.type = SCREE_REGION_BOX, .min = {0, 0, 0}, .max = {3, 1, 1}};
  assert_true(figure("count", &r, &left, "grains") == 3 && figure("count", &r, NULL, "grains") == 6);
  assert_true(figure("coordination", &r, NULL, "mean") == 10.0 / 6);
  assert_true(figure("coordination", &r, NULL, "rattlers") == 2);
  /* forces of 0.1 to 0.5 N along branches of 1 m; sum m v^2 - M <v>^2 = 2.8 J - 21 kg / 9 (m/s)^2; in 6 m3 */
  assert_true(fabs(figure("stress", &r, &whole, "xx") - (1.5 + 2.8 - 21.0 / 9) / 6) < 1e-14);
  /* body 2 feels 0.1 N from the left and 0.2 N from the right */
  assert_true(fabs(figure("force", &r, NULL, "x") + 0.1) < 1e-15);
  assert_true(fabs(figure("force_distribution", &r, NULL, "mean") - 0.3) < 1e-15);
  assert_true(figure("grading", &r, NULL, "mass") == 21 && isnan(figure("grading", &r, NULL, "distance")));
}

/* The first grain touches the image of the last one across the face x = 0 of the cell, on the left. The force
 * on the last grain is vertical and acts at the cell's other face, 0.5 m right of its centre. */
static void forces_act_on_images(void **state) {
  (void)state;
  row r;
  make_row(&r);
  r.frame.has_cell = r.frame.images = 1, r.frame.contacts = 1;
  r.contact[0] = (scree_frame_contact){.body1 = 1,
      .body2 = GRAINS,
      .point = {0, 0.5, 0.5},
      .normal = {1, 0, 0},
      .impulse = {0.1, 0, 0.2},
      .image = {-1, 0, 0}};
  double force[3], torque[3];
  assert_int_equal(scree_forces_on(&r.frame, GRAINS, 0.1, force, torque), 1);
  /* (0.5, 0, 0) m x (-1, 0, -2) N */
  assert_true(fabs(force[0] + 1) < 1e-15 && fabs(force[2] + 2) < 1e-15 && fabs(torque[1] - 1) < 1e-14);
  assert_true(fabs(torque[0]) < 1e-14 && fabs(torque[2]) < 1e-14);
}

/* Forces are impulses divided by the step, so a step of 0 is refused. */
static void forces_need_a_step(void **state) {
  (void)state;
  row r;
  request q;
  const scree_measure_kind *kind;
  make_row(&r);
  for (int i = 0; (kind = scree_measure_kind_at(i)); i++) {
    if (!kind->take || strcmp(kind->name, "force") != 0) continue;
    scree_measure_result result;
    fill_request(kind, &q);
    q.def.dt = 0;
    assert_int_equal(scree_measure_take(kind, &r.frame, &q.def, &result, NULL), SCREE_E_ARGUMENT);
    return;
  }
  fail_msg("no measurement of forces");
}

/* A failing allocation is told, and nothing is left behind. */
static void lack_of_memory(void **state) {
  (void)state;
  row r;
  request q;
  const scree_measure_kind *kind;
  make_row(&r);
  for (int i = 0; (kind = scree_measure_kind_at(i)); i++) {
    if (!kind->take) continue;
    fill_request(kind, &q);
    take_cell(kind, &r);
    for (uint64_t nth = 1, failed = 1; failed; nth++) {
      scree_measure_result result;
      uint64_t before = sc_alloc_count();
      sc_alloc_fail_at(nth, false);
      scree_status status = scree_measure_take(kind, &r.frame, &q.def, &result, NULL);
      failed = sc_alloc_count() - before >= nth;
      assert_int_equal(status, failed ? SCREE_E_MEMORY : SCREE_OK);
      scree_measure_clear(&result);
    }
    sc_alloc_fail_at(0, false);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_whole),
      cmocka_unit_test(every_kind_measures),
      cmocka_unit_test(figures_are_right),
      cmocka_unit_test(forces_act_on_images),
      cmocka_unit_test(forces_need_a_step),
      cmocka_unit_test(lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
