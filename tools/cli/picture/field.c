#include "picture/field.h"

#include <math.h>
#include <string.h>

#include "cli.h"
#include "vector.h"

// clang-format off
static const field fields[] = {
    {"speed", "speed", "m/s", "magnitude of the velocity", FIELD_NUMBER, SCREE_FIELD_VELOCITY, 0},
    {"spin", "spin", "rad/s", "magnitude of the spin", FIELD_NUMBER, SCREE_FIELD_SPIN, 0},
    {"x", "x", "m", "position", FIELD_NUMBER, SCREE_FIELD_POSITION, 1},
    {"y", "y", "m", "position", FIELD_NUMBER, SCREE_FIELD_POSITION, 1},
    {"z", "z", "m", "position", FIELD_NUMBER, SCREE_FIELD_POSITION, 1},
    {"vx", "vx", "m/s", "velocity", FIELD_NUMBER, SCREE_FIELD_VELOCITY, 1},
    {"vy", "vy", "m/s", "velocity", FIELD_NUMBER, SCREE_FIELD_VELOCITY, 1},
    {"vz", "vz", "m/s", "velocity", FIELD_NUMBER, SCREE_FIELD_VELOCITY, 1},
    {"wx", "wx", "rad/s", "spin", FIELD_NUMBER, SCREE_FIELD_SPIN, 1},
    {"wy", "wy", "rad/s", "spin", FIELD_NUMBER, SCREE_FIELD_SPIN, 1},
    {"wz", "wz", "rad/s", "spin", FIELD_NUMBER, SCREE_FIELD_SPIN, 1},
    {"radius", "radius", "m", "bounding radius", FIELD_NUMBER, 0, 0},
    {"size", "size", "m", "twice the bounding radius", FIELD_NUMBER, 0, 0},
    {"mass", "mass", "kg", "mass", FIELD_NUMBER, 0, 0},
    {"id", "id", "", "number of the body", FIELD_NUMBER, 0, 1},
    {"contacts", "contacts", "", "contacts that carry an impulse", FIELD_NUMBER, SCREE_FIELD_CONTACTS, 0},
    {"force", "force", "N", "mean force on contacts; an impulse [N s] without compatible forces", FIELD_NUMBER, SCREE_FIELD_CONTACTS, 0},
    {"group", "group", "", "groups, a colour each", FIELD_GROUP, 0, 0},
    {"body", "body", "", "bodies, a colour each", FIELD_GROUP, 0, 0},
    {"none", "", "", "one colour", FIELD_NONE, 0, 0},
};
// clang-format on
enum { FIELDS = sizeof fields / sizeof *fields };

static const char *name_field(const void *context, int i) {
  (void)context;
  return fields[i].name;
}

/* Returns the built-in field with a name, or NULL. */
static const field *find_known(const char *name) {
  for (int i = 0; i < FIELDS; i++)
    if (!strcmp(fields[i].name, name)) return fields + i;
  return NULL;
}

static const field *refuse_name(const char *command, const char *name) {
  const char *near = scree_nearest_name(name, FIELDS, name_field, NULL);
  cli_fail(CLI_USAGE, command, "there is no field '%s' to colour by%s%s%s", name,
      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  return NULL;
}

const field *field_find(const char *command, const char *name) {
  const field *known = find_known(name);
  return known ? known : refuse_name(command, name);
}

/* Returns the field of a script's column, or NULL if the first frame has no such column. The field is
 * static: there is one per process. */
static const field *find_column(scree_reader *reader, const char *name) {
  static scree_column column;
  static field of_column;
  const scree_frame *f = scree_reader_info(reader)->frames ? scree_reader_frame(reader, 0, NULL) : NULL;
  const int32_t k = f ? scree_frame_column(f, name) : -1;
  if (k < 0) return NULL;
  column = f->column[k];
  of_column = (field){column.name, column.name, column.unit, "column of the script", FIELD_NUMBER, 0, 1};
  return &of_column;
}

/* Returns whether the frame has the data of the field. */
static int has_field_data(const field *f, const scree_frame *frame) {
  switch (f->needs) {
  case SCREE_FIELD_POSITION: return frame->position != NULL;
  case SCREE_FIELD_VELOCITY: return frame->velocity != NULL;
  case SCREE_FIELD_SPIN: return frame->spin != NULL;
  default: return 1;
  }
}

/* ---- values ---- */

/* Adds the values of contacts to their two bodies. */
static void from_contacts(const field *f, const scree_frame *frame, double *out) {
  for (int64_t c = 0; c < frame->contacts; c++) {
    const scree_frame_contact *k = frame->contact + c;
    double share = vector_length(frame->forces ? k->force : k->impulse);
    if (!(share > 0)) continue;
    for (int side = 0; side < 2; side++) {
      int64_t row = scree_frame_row(frame, side ? k->body2 : k->body1);
      if (row >= 0) out[row] += !strcmp(f->name, "contacts") ? 1 : share;
    }
  }
}

static double compute_value(const field *f, const scree_frame *frame, int64_t row) {
  const char *n = f->name;
  if (f != find_known(n)) {
    const int32_t column = scree_frame_column(frame, n);
    return column < 0 ? 0 : frame->value[row * frame->columns + column];
  }
  const scree_shown shown = scree_frame_shown(frame, row);
  if (!strcmp(n, "speed")) return vector_length(shown.velocity);
  if (!strcmp(n, "spin")) return vector_length(frame->spin + 3 * row);
  if (!strcmp(n, "radius")) return frame->radius[row];
  if (!strcmp(n, "size")) return 2 * frame->radius[row];
  if (!strcmp(n, "mass")) return frame->mass[row];
  if (!strcmp(n, "id") || !strcmp(n, "body")) return (double)frame->id[row];
  if (!strcmp(n, "group")) return (double)frame->group[row];
  if (n[0] == 'v') return shown.velocity[n[1] - 'x'];
  if (n[0] == 'w') return frame->spin[3 * row + n[1] - 'x'];
  if (f->needs == SCREE_FIELD_POSITION) return shown.position[n[0] - 'x'];
  return 0;
}

void field_values(const field *f, const scree_frame *frame, double *out) {
  for (int64_t row = 0; row < frame->bodies; row++)
    out[row] = has_field_data(f, frame) ? compute_value(f, frame, row) : 0;
  if (f->needs == SCREE_FIELD_CONTACTS) from_contacts(f, frame, out);
}

int field_kept(const char *command, const field *f, scree_reader *reader) {
  static const struct {
    int bit;
    const char *name;
  } kept[] = {
      {SCREE_FIELD_VELOCITY, "velocities"}, {SCREE_FIELD_SPIN, "spins"}, {SCREE_FIELD_CONTACTS, "contacts"}};
  int there = scree_reader_info(reader)->fields;
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (f->needs == kept[i].bit && !(there & kept[i].bit))
      return cli_fail(CLI_USAGE, command,
          "the trajectory keeps no %s to colour by; a run keeps what output = { trajectory = { fields = ... "
          "} } of its "
          "scene names; --color takes another field",
          kept[i].name);
  return CLI_OK;
}

const field *field_chosen(const char *command, scree_reader *reader, const char *name) {
  const field *column = name && !find_known(name) ? find_column(reader, name) : NULL;
  if (column) return column;
  int there = scree_reader_info(reader)->fields & SCREE_FIELD_VELOCITY;
  return field_find(command, name ? name : there ? "speed" : "none");
}

/* ---- ranges ---- */

/* Returns the smallest range of a colour bar. Velocities: a displacement of a thousandth of the body size
 * during the run; spins: a thousandth of a radian. */
static double least_range(const field *f, double size, double duration) {
  if (!(duration > 0)) return 0;
  if (f->needs == SCREE_FIELD_VELOCITY) return 1e-3 * size / duration;
  return f->needs == SCREE_FIELD_SPIN ? 1e-3 / duration : 0;
}

field_range field_bar(const field *f, field_range range, double size, double duration) {
  if (!(range.low <= range.high)) range = (field_range){0, 1};
  double least = least_range(f, size, duration);
  if (!f->negative) range.low = f->needs || range.low == range.high ? 0 : range.low;
  if (least > 0 && fmax(fabs(range.low), fabs(range.high)) < least)
    range = (field_range){f->negative ? -least : 0, least};
  if (!(range.low < range.high)) range.low -= 0.5, range.high += 0.5;
  return range;
}

int field_marks(field_range r, double *out, int most) {
  double span = r.high - r.low, rough = span / most, unit = pow(10, floor(log10(rough)));
  static const double steps[] = {1, 2, 5, 10};
  double step = 10 * unit;
  for (int i = 3; i >= 0; i--)
    if (steps[i] * unit >= rough) step = steps[i] * unit;
  int count = 0;
  for (double k = ceil(r.low / step - 1e-9); count < most && k * step <= r.high + 1e-9 * span; k++)
    out[count++] = k == 0 ? 0 : k * step;
  return count;
}
