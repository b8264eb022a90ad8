/* Exports with loads: force, torque and number of contacts of each body, as further columns of the frame.
 *
 * The force is the sum of the impulses of the body's contacts over the step's dt. The torque is about the
 * centre of mass and includes the moments of rolling and torsional friction. Contacts with a nonzero impulse
 * count, as in the measurement `coordination`. */
#include "io/export/export.h"

#include <string.h>
#include "math/vec.h"
#include "model/frame.h"

static const char *const load_names[SC_LOADS][2] = {{"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"tqx", "N m"},
    {"tqy", "N m"}, {"tqz", "N m"}, {"coordination", ""}};

/* Sets arm to the vector from the centre of the body in a row to a contact. sign: 1 if it is body 1 of the
 * contact, -1 if body 2. ball: radius of a ball, 0 for another body. Contact points are those at the start of
 * the step, but positions are those at its end. Therefore the arm of a ball is computed from its radius. */
static void find_arm(const scree_frame *f, const scree_frame_contact *c, int64_t row, double sign,
    double ball, double arm[3]) {
  double shift[3] = {0};
  if (ball > 0) {
    sc_scale(-sign * ball, c->normal, arm);
    return;
  }
  sc_sub(c->point, f->position + 3 * row, arm);
  if (sign < 0) sc_frame_shift(f, c, shift);
  sc_sub(arm, shift, arm);
}

/* Adds the load of a contact on one of its bodies to load, [bodies x SC_LOADS]. sign: 1 for body 1, -1 for
 * body 2. ball: [bodies] radii of balls, 0 for other bodies. */
static void add_load(
    const scree_frame *f, const scree_frame_contact *c, double sign, const double *ball, double *load) {
  const int64_t row = scree_frame_row(f, sign > 0 ? c->body1 : c->body2);
  if (row < 0) return;
  double arm[3], turn[3];
  double *at = load + SC_LOADS * row;
  find_arm(f, c, row, sign, ball[row], arm);
  sc_cross(arm, c->impulse, turn);
  sc_axpy(sign / f->dt, c->impulse, at, at);
  sc_axpy(sign / f->dt, turn, at + 3, at + 3);
  sc_axpy(sign / f->dt, c->moment, at + 3, at + 3);
  at[6] += 1;
}

sc_contact_load sc_export_contact_load(const scree_frame_contact *c, double dt) {
  sc_contact_load load;
  sc_scale(1 / dt, c->impulse, load.force);
  load.normal = sc_dot(load.force, c->normal);
  sc_axpy(-load.normal, c->normal, load.force, load.friction);
  sc_scale(1 / dt, c->moment, load.moment);
  return load;
}

static bool has_impulse(const scree_frame_contact *c) {
  return c->impulse[0] != 0 || c->impulse[1] != 0 || c->impulse[2] != 0;
}

/* Sets ball[i] to the radius of body i if it is a single ball centred at the body's origin, else to 0. */
static void find_balls(const scree_frame *f, double *ball) {
  for (int64_t i = 0, s = 0; i < f->bodies; i++) {
    const int64_t first = s;
    while (s < f->shapes && f->shape[s].body == f->id[i]) s++;
    const scree_shape_info *only = f->shape + first;
    const bool is_ball = s == first + 1 && only->type == SCREE_SPHERE && sc_norm(only->position) == 0;
    ball[i] = is_ball ? only->radius : 0;
  }
}

static scree_status check_loads(const scree_frame *f, scree_error *error) {
  if (f->contacts && !(f->dt > 0))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "export: the trajectory does not have the length of its steps, which loads need; it is of an older "
        "version: run the scene again");
  if (f->contacts && f->has_cell && !f->images)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "export: the contacts of the trajectory do not have images, which loads in a cell need; it is of an "
        "older version: run the scene again");
  if (f->bodies && !f->position)
    return sc_fail(error, SCREE_E_ARGUMENT, "export: the trajectory keeps no positions, which loads need");
  if (f->columns + SC_LOADS > SCREE_COLUMNS_MOST)
    return sc_fail(error, SCREE_E_ARGUMENT, "export: loads need %d columns; the frames have %d of %d already",
        SC_LOADS, (int)f->columns, SCREE_COLUMNS_MOST);
  for (int k = 0; k < SC_LOADS; k++)
    if (scree_frame_column(f, load_names[k][0]) >= 0)
      return sc_fail(error, SCREE_E_ARGUMENT,
          "export: the script has a column '%s', which is the name of a load; leave loads out",
          load_names[k][0]);
  return SCREE_OK;
}

/* Sets the columns of w->frame: those of the script, then the loads. Copies the values of both to
 * w->value. */
static void copy_columns(const scree_frame *f, sc_loaded *w) {
  if (f->columns) memcpy(w->column, f->column, (size_t)f->columns * sizeof *w->column);
  for (int k = 0; k < SC_LOADS; k++) {
    scree_column *c = w->column + f->columns + k;
    memset(c, 0, sizeof *c);
    strcpy(c->name, load_names[k][0]);
    strcpy(c->unit, load_names[k][1]);
  }
  const int32_t all = f->columns + SC_LOADS;
  for (int64_t i = 0; i < f->bodies; i++) {
    if (f->columns)
      memcpy(w->value + i * all, f->value + i * f->columns, (size_t)f->columns * sizeof *w->value);
    memcpy(w->value + i * all + f->columns, w->load + i * SC_LOADS, SC_LOADS * sizeof *w->value);
  }
  w->frame = *f;
  w->frame.columns = all, w->frame.column = w->column, w->frame.value = w->value;
}

scree_status sc_export_loads(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  sc_loaded *w = &ex->loaded;
  const size_t loads = (size_t)f->bodies * SC_LOADS,
               values = (size_t)f->bodies * (size_t)(f->columns + SC_LOADS);
  scree_status status = check_loads(f, error);
  if (status) return status;
  if (!SC_GROW(w->load, w->load_capacity, loads + 1) || !SC_GROW(w->value, w->value_capacity, values + 1))
    return sc_export_no_memory(error);
  memset(w->load, 0, loads * sizeof *w->load);
  find_balls(f, w->value);
  for (int64_t k = 0; k < f->contacts; k++)
    if (has_impulse(f->contact + k))
      add_load(f, f->contact + k, 1, w->value, w->load), add_load(f, f->contact + k, -1, w->value, w->load);
  ex->force_column = f->columns;
  copy_columns(f, w);
  ex->frame = &w->frame;
  return SCREE_OK;
}

int sc_export_components(const sc_export *ex, int32_t column, const char **name) {
  const int32_t load = ex->def->loads ? column - ex->force_column : -1;
  *name = load == 0 ? "force" : load == 3 ? "torque" : ex->column[column].name;
  return load == 0 || load == 3 ? 3 : 1;
}
