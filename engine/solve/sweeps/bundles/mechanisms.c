/* Copies mechanisms into bundles, and impulses back. */
#include "solve/sweeps/bundles/mechanisms.h"

#include <string.h>
#include "problem/joints/joints.h"
#include "solve/sweeps/bundles/mechanism_form.h"

enum { MOST_ROWS = 20000 }; /* maximum rows of a mechanism in a bundle */

/* Returns whether all rows are locked without softness and have two bodies each. */
static bool is_rigid(const sc_problem *problem, const int32_t *row, int32_t rows) {
  for (int32_t k = 0; k < rows; k++) {
    const sc_joint_row *r = problem->joint_row + row[k];
    if (!sc_joint_row_held(r) || r->softness > 0 || r->third) return false;
  }
  return rows <= MOST_ROWS && !problem->planar;
}

/* ---- bundles ---- */

static bool open_bundle(
    const sc_mechanism_form *form, int32_t index, sc_arena *arena, sc_mechanism_bundle *b) {
  const size_t bodies = (size_t)form->bodies + 1, rows = (size_t)form->rows;
  *b = (sc_mechanism_bundle){.form = index,
      .body = sc_arena_take(arena, bodies * sizeof *b->body),
      .index = sc_arena_take(arena, rows * sizeof *b->index),
      .inverse_mass = SC_TAKE(arena, sc_lane, bodies),
      .K = sc_arena_take(arena, bodies * sizeof *b->K),
      .bias = SC_TAKE(arena, sc_lane, rows),
      .sum = SC_TAKE(arena, sc_lane, rows)};
  if (form->points) b->point = SC_TAKE(arena, sc_mechanism_point, rows / 3);
  else b->row = SC_TAKE(arena, sc_mechanism_row, rows);
  b->entry = SC_TAKE(arena, sc_lane, form->at[rows]);
  return b->body && b->index && (b->point || b->row) && b->inverse_mass && b->K && b->bias && b->sum &&
      b->entry;
}

static void put_body(const sc_problem *problem, int32_t body, int l, int32_t k, sc_mechanism_bundle *b) {
  double room[6];
  const double *K = sc_problem_inertia(problem, body, room);
  b->body[k][l] = body;
  b->inverse_mass[k][l] = problem->body[body].inv_mass;
  for (int e = 0; e < 6; e++) b->K[k][e][l] = K[e];
}

static void put_row(const sc_joint_row *from, int l, sc_mechanism_row *to) {
  for (int k = 0; k < 3; k++) {
    to->lin[0][k][l] = from->lin1[k], to->ang[0][k][l] = from->ang1[k];
    to->lin[1][k][l] = from->lin2[k], to->ang[1][k][l] = from->ang2[k];
  }
}

/* Copies the arm from the row of a point along axis k. */
static void put_arm(const sc_joint_row *from, int k, int l, sc_mechanism_point *to) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  to->arm[0][j][l] = from->ang1[i];
  to->arm[1][j][l] = from->ang2[i];
}

/* Fills a lane with a mechanism. */
static void put_mechanism(const sc_problem *problem, const sc_mechanism_form *form, const int32_t *row,
    const int32_t *body, int l, sc_mechanism_bundle *b) {
  for (int32_t k = 0; k <= form->bodies; k++) put_body(problem, body[k], l, k, b);
  for (int32_t i = 0; i < form->rows; i++) {
    b->index[i][l] = row[form->place[i]];
    const sc_joint_row *from = problem->joint_row + b->index[i][l];
    b->bias[i][l] = from->bias;
    b->sum[i][l] = 0;
    if (form->points) put_arm(from, i % 3, l, b->point + i / 3);
    else put_row(from, l, b->row + i);
  }
}

/* Adds a mechanism to the open bundle of its form. open: [forms] bundle; -1: none. Returns false if out of
 * memory. */
static bool add_mechanism(sc_mechanisms *m, const sc_form_finder *f, int32_t form, const int32_t *row,
    int32_t *open, sc_arena *arena) {
  const sc_mechanism_form *own = f->form + form;
  if (open[form] < 0 || m->bundle[open[form]].count == SC_LANES) {
    open[form] = m->count++;
    if (!open_bundle(own, form, arena, m->bundle + open[form])) return false;
  }
  sc_mechanism_bundle *b = m->bundle + open[form];
  // lanes without a mechanism are copies of the bundle's first mechanism
  for (int l = b->count; l < (b->count ? b->count + 1 : SC_LANES); l++)
    put_mechanism(f->problem, own, row, f->body, l, b);
  b->count++;
  return true;
}

static bool allocate_scratch(sc_mechanisms *m, int threads, sc_arena *arena) {
  size_t bodies = 0, rows = 0;
  for (int32_t b = 0; b < m->count; b++) {
    const sc_mechanism_form *form = m->form + m->bundle[b].form;
    if ((size_t)form->bodies + 1 > bodies) bodies = (size_t)form->bodies + 1;
    if ((size_t)form->rows > rows) rows = (size_t)form->rows;
  }
  m->room = SC_TAKE(arena, sc_mechanism_room, threads);
  for (int t = 0; t < threads && m->room; t++) {
    m->room[t] = (sc_mechanism_room){
        sc_arena_take(arena, bodies * sizeof *m->room->body), SC_TAKE(arena, sc_lane, rows)};
    if (!m->room[t].body || !m->room[t].want) return false;
  }
  return m->room;
}

bool sc_mechanisms_build(
    const sc_problem *problem, sc_joint_lists *l, int threads, sc_arena *arena, sc_mechanisms *m) {
  sc_form_finder f;
  *m = (sc_mechanisms){0};
  if (!problem->joint_rows) return true;
  int32_t *open = SC_TAKE(arena, int32_t, problem->joint_rows);
  m->bundle = SC_TAKE(arena, sc_mechanism_bundle, problem->joint_rows);
  if (!open || !m->bundle || !sc_forms_open(&f, problem, arena)) return false;
  memset(open, 0xff, (size_t)problem->joint_rows * sizeof *open);
  m->form = f.form;
  for (int32_t r = 0; r < problem->joint_rows; r++) {
    if (!sc_joint_lists_first(l, r)) continue;
    const int32_t key = l->key[r], *row = l->row + l->begin[key], rows = l->end[key] - l->begin[key];
    if (!is_rigid(problem, row, rows)) continue;
    const int32_t form = sc_form_of(&f, row, rows);
    if (form < 0) return false;
    if (!f.form[form].rows) continue;
    if (!add_mechanism(m, &f, form, row, open, arena)) return false;
    l->begin[key] = l->end[key];
  }
  m->forms = f.texts.count, m->busy = m->count;
  return allocate_scratch(m, threads, arena);
}

static bool is_busy(const sc_mechanisms *m, const sc_mechanism_bundle *b, const uint8_t *pushed) {
  for (int32_t k = 0; k < m->form[b->form].bodies; k++)
    for (int l = 0; l < b->count; l++)
      if (pushed[b->body[k][l]]) return true;
  return false;
}

void sc_mechanisms_sort(sc_mechanisms *m, const uint8_t *pushed) {
  m->busy = 0;
  for (int32_t k = 0; k < m->count; k++) {
    if (!is_busy(m, m->bundle + k, pushed)) continue;
    sc_mechanism_bundle b = m->bundle[k];
    m->bundle[k] = m->bundle[m->busy];
    m->bundle[m->busy++] = b;
  }
}

/* ---- impulses ---- */

void sc_mechanisms_still(const sc_mechanisms *m) {
  for (int32_t k = 0; k < m->count; k++) {
    const sc_mechanism_bundle *b = m->bundle + k;
    const size_t bytes = (size_t)m->form[b->form].rows * sizeof *b->bias;
    memset(b->bias, 0, bytes);
    memset(b->sum, 0, bytes);
  }
}

static void unpack_bundle(const sc_mechanism_bundle *b, int32_t rows, const sc_problem *problem) {
  for (int32_t i = 0; i < rows; i++)
    for (int l = 0; l < b->count; l++) {
      problem->joint_row[b->index[i][l]].x += b->sum[i][l];
      b->sum[i][l] = 0;
    }
}

void sc_mechanisms_unpack(const sc_mechanisms *m, const sc_problem *problem) {
  for (int32_t k = 0; k < m->count; k++)
    unpack_bundle(m->bundle + k, m->form[m->bundle[k].form].rows, problem);
}

static void move_to_sums(const sc_mechanism_bundle *b, int32_t rows, const sc_problem *problem) {
  for (int32_t i = 0; i < rows; i++) {
    for (int l = 0; l < SC_LANES; l++) b->sum[i][l] = problem->joint_row[b->index[i][l]].x;
    for (int l = 0; l < SC_LANES; l++) problem->joint_row[b->index[i][l]].x = 0;
  }
  memcpy(b->past, b->sum, (size_t)rows * sizeof *b->past);
}

bool sc_mechanisms_remember(const sc_mechanisms *m, const sc_problem *problem, sc_arena *arena) {
  for (int32_t k = 0; k < m->count; k++) {
    sc_mechanism_bundle *b = m->bundle + k;
    const int32_t rows = m->form[b->form].rows;
    b->past = SC_TAKE(arena, sc_lane, rows);
    if (!b->past) return false;
    move_to_sums(b, rows, problem);
  }
  return true;
}
