/* Compares two trajectories: frames of equal time, body by body (by id), field by field. */
#include "io/trajectory/frame_codec.h"
#include "io/trajectory/frame_store.h"
#include "io/trajectory/geometries.h"

#include <math.h>
#include <string.h>

/* largest relative difference of times that count as equal, because sums of many steps have rounding
 * errors */
static const double TIME_TOLERANCE = 1e-9;

typedef struct job {
  scree_comparison *result;
  double tolerance;
  const scree_frame *a, *b;
  bool same_columns;               /* true: a and b have the same columns of scripts */
  int64_t frame, frame_b;          /* indices of the compared frames in the trajectories a and b */
  double scale[SCREE_DIFF_FIELDS]; /* largest absolute finite value of each field in both frames */
} job;

const char *scree_diff_field_name(int field) {
  static const char *const names[SCREE_DIFF_FIELDS] = {"time", "step", "body", "group", "kind", "radius",
      "mass", "position", "orientation", "velocity", "spin", "shape", "contact", "column"};
  return field >= 0 && field < SCREE_DIFF_FIELDS ? names[field] : NULL;
}

static bool is_equal(const job *j, int field, double a, double b) {
  if (!memcmp(&a, &b, sizeof a) || (isnan(a) && isnan(b))) return true;
  return j->tolerance > 0 && fabs(a - b) <= j->tolerance * j->scale[field];
}

/* Records the difference of a value of field `field` if a and b differ. body: id; 0 for a value of the whole
 * frame. */
static void record_pair(job *j, int field, uint64_t body, int component, double a, double b) {
  if (is_equal(j, field, a, b)) return;
  scree_difference d = {.frame = j->frame,
                       .body = body,
                       .field = field,
                       .component = component,
                       .a = a,
                       .b = b,
                       .frame_b = j->frame_b},
                   *most = j->result->largest + field;
  if (!j->result->differences++) j->result->first = d;
  double now = fabs(a - b), before = most->frame < 0 ? -1 : fabs(most->a - most->b);
  if (most->frame < 0 || now > before || (isnan(now) && !isnan(before))) *most = d;
}

/* Returns the values of a field, [bodies x *components]; NULL if the frame does not have the field. */
static const double *values_of(const scree_frame *frame, int field, int *components) {
  *components = field == SCREE_DIFF_ORIENTATION                ? 4
      : field == SCREE_DIFF_COLUMN                             ? (int)frame->columns
      : field == SCREE_DIFF_RADIUS || field == SCREE_DIFF_MASS ? 1
                                                               : 3;
  switch (field) {
  case SCREE_DIFF_RADIUS: return frame->radius;
  case SCREE_DIFF_MASS: return frame->mass;
  case SCREE_DIFF_POSITION: return frame->position;
  case SCREE_DIFF_ORIENTATION: return frame->orientation;
  case SCREE_DIFF_VELOCITY: return frame->velocity;
  case SCREE_DIFF_SPIN: return frame->spin;
  case SCREE_DIFF_COLUMN: return frame->value;
  default: return NULL;
  }
}

static double find_largest(const scree_frame *frame, int field) {
  int components;
  const double *v = values_of(frame, field, &components);
  double most = 0;
  for (int64_t i = 0; v && i < frame->bodies * components; i++)
    if (isfinite(v[i]) && fabs(v[i]) > most) most = fabs(v[i]);
  return most;
}

/* Returns the factor 1 or -1 for q before it is compared with p. q and -q are the same orientation. With a
 * tolerance, the function chooses the sign that brings q nearer to p. */
static double sign_of(const job *j, const double *p, const double *q) {
  return j->tolerance > 0 && p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < 0 ? -1 : 1;
}

static void compare_body(job *j, int64_t r, int64_t s) {
  uint64_t id = j->a->id[r];
  record_pair(j, SCREE_DIFF_GROUP, id, 0, (double)j->a->group[r], (double)j->b->group[s]);
  record_pair(j, SCREE_DIFF_KIND, id, 0, j->a->kind[r], j->b->kind[s]);
  for (int field = SCREE_DIFF_RADIUS; field <= SCREE_DIFF_SPIN; field++) {
    int k;
    const double *v = values_of(j->a, field, &k), *w = values_of(j->b, field, &k);
    if (!v || !w) continue;
    v += k * r;
    w += k * s;
    double sign = field == SCREE_DIFF_ORIENTATION ? sign_of(j, v, w) : 1;
    for (int c = 0; c < k; c++) record_pair(j, field, id, c, v[c], sign * w[c]);
  }
  const int32_t columns = j->same_columns ? j->a->columns : 0;
  for (int32_t c = 0; c < columns; c++)
    record_pair(j, SCREE_DIFF_COLUMN, id, c, j->a->value[r * columns + c], j->b->value[s * columns + c]);
}

/* Compares the shapes of a body. *s and *t: indices in the shape lists of a and b, which move past the
 * body. */
static void compare_shapes(job *j, uint64_t id, int64_t *s, int64_t *t) {
  int64_t n = 0, m = 0;
  bool same = true;
  while (*s < j->a->shapes && j->a->shape[*s].body < id) ++*s;
  while (*t < j->b->shapes && j->b->shape[*t].body < id) ++*t;
  while (*s + n < j->a->shapes && j->a->shape[*s + n].body == id) n++;
  while (*t + m < j->b->shapes && j->b->shape[*t + m].body == id) m++;
  for (int64_t i = 0; i < n && n == m; i++)
    same = same && sc_shape_same(j->a->shape + *s + i, j->b->shape + *t + i) &&
        sc_geometry_same(j->a->shape[*s + i].geometry, j->b->shape[*t + i].geometry);
  if (n != m) record_pair(j, SCREE_DIFF_SHAPE, id, 0, (double)n, (double)m);
  else if (!same) record_pair(j, SCREE_DIFF_SHAPE, id, 1, 0, 1);
  *s += n;
  *t += m;
}

static void compare_frames(job *j) {
  const scree_frame *a = j->a, *b = j->b;
  for (int field = 0; field < SCREE_DIFF_FIELDS; field++)
    j->scale[field] = fmax(find_largest(a, field), find_largest(b, field));
  j->scale[SCREE_DIFF_TIME] = fmax(fabs(a->time), fabs(b->time));
  record_pair(j, SCREE_DIFF_TIME, 0, 0, a->time, b->time);
  record_pair(j, SCREE_DIFF_STEP, 0, 0, (double)a->step, (double)b->step);
  j->same_columns = sc_frame_same_columns(a, b);
  if (!j->same_columns)
    record_pair(j, SCREE_DIFF_COLUMN, 0, 0, (double)a->columns, b->columns + (a->columns == b->columns));
  int64_t r = 0, s = 0, shape_a = 0, shape_b = 0;
  while (r < a->bodies || s < b->bodies) {
    uint64_t x = r < a->bodies ? a->id[r] : UINT64_MAX, y = s < b->bodies ? b->id[s] : UINT64_MAX;
    if (x < y) {
      record_pair(j, SCREE_DIFF_BODY, x, 0, 1, 0);
      r++;
      continue;
    }
    if (y < x) {
      record_pair(j, SCREE_DIFF_BODY, y, 0, 0, 1);
      s++;
      continue;
    }
    compare_body(j, r++, s++);
    compare_shapes(j, x, &shape_a, &shape_b);
  }
  record_pair(j, SCREE_DIFF_CONTACT, 0, 0, (double)a->contacts, (double)b->contacts);
}

scree_status scree_compare(
    scree_reader *a, scree_reader *b, double tolerance, scree_comparison *result, scree_error *error) {
  SC_DEMAND(a && b, error, SCREE_E_ARGUMENT);
  if (!(tolerance >= 0)) return sc_fail(error, SCREE_E_ARGUMENT, "diff: tolerance must not be negative");
  if (a == b) return sc_fail(error, SCREE_E_ARGUMENT, "diff: two readers are needed, each keeps one frame");
  memset(result, 0, sizeof *result);
  result->first.frame = -1;
  for (int field = 0; field < SCREE_DIFF_FIELDS; field++)
    result->largest[field] = (scree_difference){.frame = -1, .field = field};
  result->frames_a = scree_reader_info(a)->frames;
  result->frames_b = scree_reader_info(b)->frames;
  scree_error local;
  if (!error) error = &local;
  job j = {.result = result, .tolerance = tolerance};
  while (j.frame < result->frames_a && j.frame_b < result->frames_b) {
    const double t = scree_reader_time(a, j.frame), u = scree_reader_time(b, j.frame_b);
    if (fabs(t - u) > TIME_TOLERANCE * fmax(fabs(t), fabs(u))) {
      ++*(t < u ? &j.frame : &j.frame_b);
      continue;
    }
    j.a = scree_reader_frame(a, j.frame, error);
    j.b = j.a ? scree_reader_frame(b, j.frame_b, error) : NULL;
    if (!j.b) return error->status;
    compare_frames(&j);
    result->compared++, j.frame++, j.frame_b++;
  }
  result->same = !result->differences && result->compared == result->frames_a &&
      result->compared == result->frames_b;
  return SCREE_OK;
}
