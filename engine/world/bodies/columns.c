/* Columns: numbers per body that a script declares by name, reads and sets. The table of bodies stores the
 * values (model/bodies.h). */
#include "scree/column.h"
#include "scree/param.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Reserved names that columns must not have. Frames, exports and pictures use these names for properties of
 * all bodies. */
static const char *const taken[] = {"position", "orientation", "velocity", "spin", "radius", "mass", "id",
    "group", "kind", "shape", "name", "contacts", "columns", "time", "step", "frame", "first", "image",
    "cell", "type", "species", "pos", "velo", "omega", "aspherical_shape", "speed", "size", "force", "body",
    "none", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz", "qw", "qx", "qy", "qz"};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static scree_status check_texts(const char *name, const char *unit, scree_error *error) {
  size_t length = 0;
  while (is_letter(name[length]) || (length && name[length] >= '0' && name[length] <= '9')) length++;
  if (!length || name[length])
    return sc_fail(error, SCREE_E_ARGUMENT, "column.name must be a name of letters, digits and _");
  if (length >= SCREE_COLUMN_TEXT || strlen(unit) >= SCREE_COLUMN_TEXT)
    return sc_fail(
        error, SCREE_E_ARGUMENT, "column: name and unit have at most %d characters", SCREE_COLUMN_TEXT - 1);
  for (const char *at = unit; *at; at++)
    if ((unsigned char)*at < ' ' || *at == '"')
      return sc_fail(error, SCREE_E_ARGUMENT, "column.unit must not have control characters or quotes");
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    if (!strcmp(name, taken[i]))
      return sc_fail(
          error, SCREE_E_ARGUMENT, "column.name: '%s' is a field of every body; choose another name", name);
  return SCREE_OK;
}

static int find_column_name(const sc_bodies *bodies, const char *name) {
  for (int k = 0; k < bodies->columns; k++)
    if (!strcmp(bodies->column[k].name, name)) return k;
  return -1;
}

int scree_world_declare_column(
    scree_world *world, const char *name, const char *unit, double preset, scree_error *error) {
  SC_DEMAND(world && name, error, -1);
  scree_column column = {.declared = preset, .preset = preset};
  if (!unit) unit = "";
  if (check_texts(name, unit, error)) return -1;
  if (!isfinite(preset)) return sc_fail(error, SCREE_E_ARGUMENT, "column.default must be finite"), -1;
  strcpy(column.name, name);
  strcpy(column.unit, unit);
  const int known = find_column_name(&world->bodies, name);
  if (known < 0) {
    if (world->bodies.columns >= SCREE_COLUMNS_MOST)
      return sc_fail(error, SCREE_E_ARGUMENT, "a world has at most %d columns", SCREE_COLUMNS_MOST), -1;
    world->version++;
    if (sc_bodies_add_column(&world->bodies, &column)) return world->bodies.columns - 1;
    return sc_fail(error, SCREE_E_MEMORY, "no memory for a column of %d bodies", world->bodies.count), -1;
  }
  const scree_column *there = world->bodies.column + known;
  if (!strcmp(there->unit, unit) && there->declared == preset) return known;
  sc_fail(error, SCREE_E_ARGUMENT, "column.name: there is a column '%s' with another unit or default", name);
  return -1;
}

int scree_world_columns_count(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->bodies.columns;
}

const scree_column *scree_world_column(const scree_world *world, int index) {
  SC_DEMAND(world, NULL, NULL);
  return index >= 0 && index < world->bodies.columns ? world->bodies.column + index : NULL;
}

static const char *name_at(const void *context, int i) { return ((const scree_column *)context)[i].name; }

int scree_world_find_column(const scree_world *world, const char *name, scree_error *error) {
  SC_DEMAND(world && name, error, -1);
  const sc_bodies *bodies = &world->bodies;
  const int found = find_column_name(bodies, name);
  if (found >= 0) return found;
  const char *near = bodies->columns ? scree_nearest_name(name, bodies->columns, name_at, bodies->column)
                                     : NULL;
  sc_fail(error, SCREE_E_ARGUMENT, "there is no column '%.80s'%s%s%s", name, near ? "; did you mean '" : "",
      near ? near : "", near ? "'?" : "");
  return -1;
}

scree_status scree_world_get_value(
    const scree_world *world, int column, scree_id body, double *value, scree_error *error) {
  SC_DEMAND(world && scree_world_column(world, column) && value, error, SCREE_E_ARGUMENT);
  const sc_bodies *bodies = &world->bodies;
  const int32_t row = sc_bodies_row(bodies, body);
  const bool own = row >= 0 && sc_bodies_own(bodies, row);
  /* Values are finite and other ranks have -INFINITY, so the maximum over ranks is the owner's value. */
  *value = own ? sc_bodies_values(bodies, row)[column] : -INFINITY;
  world->ranks->most(world->ranks->context, value, 1);
  if (isfinite(*value)) return SCREE_OK;
  return sc_fail(error, SCREE_E_STALE, "column '%s': the body was removed", bodies->column[column].name);
}

static scree_status check_value(const scree_world *world, int column, double value, scree_error *error) {
  if (isfinite(value)) return SCREE_OK;
  return sc_fail(
      error, SCREE_E_ARGUMENT, "column.%s must be a finite number", world->bodies.column[column].name);
}

scree_status scree_world_set_value(
    scree_world *world, int column, scree_id body, double value, scree_error *error) {
  SC_DEMAND(world && scree_world_column(world, column), error, SCREE_E_ARGUMENT);
  if (check_value(world, column, value, error)) return SCREE_E_ARGUMENT;
  const int32_t row = world->ranks->row_to_change(world->ranks->context, world, body, NULL);
  if (row == -1)
    return sc_fail(
        error, SCREE_E_STALE, "column '%s': the body was removed", world->bodies.column[column].name);
  if (row >= 0) sc_bodies_values(&world->bodies, row)[column] = value;
  return SCREE_OK;
}

scree_status scree_world_fill_column(scree_world *world, int column, double value, scree_error *error) {
  SC_DEMAND(world && scree_world_column(world, column), error, SCREE_E_ARGUMENT);
  sc_bodies *bodies = &world->bodies;
  if (check_value(world, column, value, error)) return SCREE_E_ARGUMENT;
  bodies->column[column].preset = value;
  for (int32_t row = 0; row < bodies->count; row++) sc_bodies_values(bodies, row)[column] = value;
  return SCREE_OK;
}

double *scree_world_column_values(scree_world *world, int column, int64_t *rows, int *stride) {
  SC_DEMAND(world && rows && stride, NULL, NULL);
  *rows = world->bodies.count;
  *stride = world->bodies.columns;
  return scree_world_column(world, column) ? world->bodies.value + column : NULL;
}
