/* Forms of mechanisms: see mechanism_form.h. A form is built from the first mechanism that has it. */
#include "solve/sweeps/bundles/mechanism_form.h"

#include <string.h>
#include "solve/joints/joint_order.h"

enum { MOST_WIDE = 64 }; /* maximum mean number of entries per row; wider mechanisms become blocks */

bool sc_forms_open(sc_form_finder *f, const sc_problem *problem, sc_arena *arena) {
  size_t rows = (size_t)problem->joint_rows, bodies = (size_t)problem->bodies;
  *f = (sc_form_finder){.problem = problem, .arena = arena};
  f->local = SC_TAKE(arena, int32_t, bodies);
  f->text = SC_TAKE(arena, int32_t, 2 * rows + 2);
  f->body = SC_TAKE(arena, int32_t, 2 * rows + 1);
  f->form = SC_TAKE(arena, sc_mechanism_form, rows);
  if (!f->local || !f->text || !f->body || !f->form || !sc_texts_open(&f->texts, rows, arena)) return false;
  memset(f->local, 0xff, bodies * sizeof *f->local);
  return true;
}

/* Returns whether three directions are the axes x, y, z times `sign`. */
static bool are_axes(const double a[3], const double b[3], const double c[3], double sign) {
  return a[0] == sign && b[1] == sign && c[2] == sign && a[1] == 0 && a[2] == 0 && b[0] == 0 && b[2] == 0 &&
      c[0] == 0 && c[1] == 0;
}

/* Returns whether there is a vector `arm` such that a, b and c are arm x axis for the axes x, y and z. */
static bool are_cross_products(const double a[3], const double b[3], const double c[3]) {
  return a[0] == 0 && b[1] == 0 && c[2] == 0 && a[1] == -b[0] && b[2] == -c[1] && c[0] == -a[2];
}

static bool is_point(const sc_joint_row *a, const sc_joint_row *b, const sc_joint_row *c) {
  return a->joint == b->joint && b->joint == c->joint && are_axes(a->lin1, b->lin1, c->lin1, 1) &&
      are_axes(a->lin2, b->lin2, c->lin2, -1) && are_cross_products(a->ang1, b->ang1, c->ang1) &&
      are_cross_products(a->ang2, b->ang2, c->ang2);
}

static bool all_points(const sc_problem *p, const int32_t *row, int32_t rows) {
  bool all = rows % 3 == 0;
  for (int32_t k = 0; k < rows && all; k += 3)
    all = is_point(p->joint_row + row[k], p->joint_row + row[k + 1], p->joint_row + row[k + 2]);
  return all;
}

/* Numbers the movable bodies of a mechanism, and writes the body numbers of every row to f->text. */
static void describe_mechanism(sc_form_finder *f, const int32_t *row, int32_t rows) {
  const sc_problem *p = f->problem;
  int32_t fixed = p->bodies - 1;
  f->bodies = 0;
  for (int32_t k = 0; k < rows; k++)
    for (int side = 0; side < 2; side++) {
      const sc_joint_row *r = p->joint_row + row[k];
      int32_t body = side ? r->j : r->i, *to = f->text + 2 * k + side;
      if (!sc_problem_moves(p, body)) fixed = body;
      else if (f->local[body] < 0) f->body[f->local[body] = f->bodies++] = body;
      *to = sc_problem_moves(p, body) ? f->local[body] : -1;
    }
  f->body[f->bodies] = fixed;
  f->text[2 * rows] = f->bodies;
  f->text[2 * rows + 1] = all_points(p, row, rows);
  for (int32_t b = 0; b < f->bodies; b++) f->local[f->body[b]] = -1;
}

/* Returns the index of a row in an ascending list (binary search). */
static int32_t place_of(const int32_t *row, int32_t rows, int32_t wanted) {
  int32_t low = 0, high = rows - 1;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (row[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Orders the rows along the mechanism. *tree: the mechanism has no loop. Returns false if out of memory. */
static bool order_rows(sc_form_finder *f, const int32_t *row, sc_mechanism_form *form, bool *tree) {
  sc_joint_walk walk;
  const size_t bytes = (size_t)form->rows * sizeof *row;
  int32_t *ordered = SC_TAKE(f->arena, int32_t, form->rows);
  if (!ordered || !sc_joint_walk_take(f->problem, f->arena, &walk)) return false;
  memcpy(ordered, row, bytes);
  form->points = f->text[2 * form->rows + 1];
  *tree = sc_joint_order(&walk, form->rows, ordered);
  for (int32_t k = 0; k < form->rows; k++) {
    form->place[k] = place_of(row, form->rows, ordered[k]);
    form->points = form->points && form->place[k] % 3 == k % 3 &&
        form->place[k] - k % 3 == form->place[k - k % 3];
    for (int side = 0; side < 2; side++) {
      int32_t body = f->text[2 * form->place[k] + side];
      form->ends[k][side] = body < 0 ? form->bodies : body;
    }
  }
  return true;
}

/* Writes the links of row i to itself and to earlier rows that share a body, and returns their number. link:
 * NULL: only counts. before: [2 rows] for each side of each row (2 row + side), the previous side that acts
 * on the same body; -1: none. *first: lowered to the first linked row. */
static int32_t link_row(
    const sc_mechanism_form *f, int32_t i, const int32_t *before, sc_row_link *link, int32_t *first) {
  int32_t count = 0;
  for (int side = 0; side < 2; side++)
    for (int32_t at = 2 * i + side; at >= 0 && f->ends[i][side] < f->bodies; at = before[at]) {
      if (link) link[count] = (sc_row_link){at / 2, side, at % 2};
      if (at / 2 < *first) *first = at / 2;
      count++;
    }
  return count;
}

static bool link_rows(sc_mechanism_form *f, sc_arena *arena) {
  int32_t *last = SC_TAKE(arena, int32_t, f->bodies), *before = SC_TAKE(arena, int32_t, 2 * (size_t)f->rows);
  if (!last || !before) return false;
  memset(last, 0xff, (size_t)f->bodies * sizeof *last);
  f->from[0] = 0;
  for (int32_t i = 0; i < f->rows; i++) {
    for (int side = 0; side < 2; side++) {
      const int32_t body = f->ends[i][side];
      if (body < f->bodies) before[2 * i + side] = last[body], last[body] = 2 * i + side;
    }
    f->first[i] = i;
    f->from[i + 1] = f->from[i] + link_row(f, i, before, NULL, f->first + i);
  }
  f->link = SC_TAKE(arena, sc_row_link, f->from[f->rows]);
  for (int32_t i = 0; i < f->rows && f->link; i++) link_row(f, i, before, f->link + f->from[i], f->first + i);
  return f->link;
}

/* Computes the skyline position of each row. Returns false if the skyline has too many entries. */
static bool place_rows(sc_mechanism_form *f) {
  int64_t at = 0;
  for (int32_t i = 0; i < f->rows; i++) {
    f->at[i] = (int32_t)at;
    at += i - f->first[i] + 1;
    if (at > (int64_t)MOST_WIDE * f->rows) return false;
  }
  f->at[f->rows] = (int32_t)at;
  return true;
}

static bool make_form(sc_form_finder *f, const int32_t *row, int32_t rows, sc_mechanism_form *form) {
  bool tree = false;
  *form = (sc_mechanism_form){.bodies = f->bodies,
      .rows = rows,
      .ends = sc_arena_take(f->arena, (size_t)rows * sizeof *form->ends),
      .place = SC_TAKE(f->arena, int32_t, rows),
      .first = SC_TAKE(f->arena, int32_t, rows),
      .at = SC_TAKE(f->arena, int32_t, rows + 1),
      .from = SC_TAKE(f->arena, int32_t, rows + 1)};
  if (!form->ends || !form->place || !form->first || !form->at || !form->from) return false;
  if (!order_rows(f, row, form, &tree) || !link_rows(form, f->arena)) return false;
  if (!tree || !place_rows(form)) form->rows = 0;
  return true;
}

int32_t sc_form_of(sc_form_finder *f, const int32_t *row, int32_t rows) {
  describe_mechanism(f, row, rows);
  const int32_t forms = f->texts.count, form = sc_texts_number(&f->texts, f->text, 2 * rows + 2);
  return form < forms || make_form(f, row, rows, f->form + form) ? form : -1;
}
