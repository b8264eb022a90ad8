/* Faces between blocks, and their opening and slip.
 *
 * A face consists of the contact points of two bodies that lie in one plane. Its polygon is their convex
 * hull. Both bodies carry the polygon along. With the copies a and b of a corner, and the mean n of the
 * normals that the bodies carry, the opening is n . (a - b), and the slip is the length of the rest of a -
 * b. If two blocks rock about an edge of their face, the chord from b to a is parallel to n, so the slip
 * is 0. lua/scree/cracks.lua does the same in scenes. */
#include "plot/plot_cracks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "plot/plot_touch.h"
#include "vector.h"

/* smallest cosine between the normals of points of a face */
static const double SAME_FACE = 0.99;
/* largest distance of a point from the plane of a face, over its distance from the first point */
static const double SAME_PLANE = 0.05;
/* smallest area of a face, over the square of its longest diagonal; an edge has less */
static const double LEAST_AREA = 1e-4;
/* default tolerance over the square root of the area, as in lua/scree/cracks.lua, and its least value over
 * the precision of stored positions */
static const double TOLERANCE = 1e-3, PRECISIONS = 4;

/* ---- polygons ---- */

typedef struct flat_point {
  double x, y, point[3];
} flat_point;

static int compare_flat(const void *a, const void *b) {
  const flat_point *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

static double turn_of(const flat_point *a, const flat_point *b, const flat_point *c) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Appends a chain of the hull (Andrew's monotone chain) to hull[used]. Returns the new number of corners,
 * without the last one, which begins the other chain. */
static int add_chain(const flat_point *p, int count, int first, int step, flat_point *hull, int used) {
  const int start = used;
  for (int i = first; i >= 0 && i < count; i += step) {
    while (used - start >= 2 && turn_of(hull + used - 2, hull + used - 1, p + i) <= 0) used--;
    hull[used++] = p[i];
  }
  return used - 1;
}

/* Replaces points in a plane by the corners of their hull. room: 2 count points of scratch. Returns the
 * number of corners, and sets *area. */
static int make_hull(flat_point *p, int count, flat_point *room, double *area) {
  qsort(p, (size_t)count, sizeof *p, compare_flat);
  int used = add_chain(p, count, 0, 1, room, 0);
  used = add_chain(p, count, count - 1, -1, room, used);
  *area = 0;
  for (int i = 1; i + 1 < used; i++) *area += turn_of(room, room + i, room + i + 1) / 2;
  memcpy(p, room, (size_t)used * sizeof *p);
  return used;
}

/* ---- noting faces ---- */

static void convert_to_body(const scree_frame *f, int64_t row, const double x[3], double out[3]) {
  double way[3];
  add_scaled(x, -1, f->position + 3 * row, way);
  rotate_back(f->orientation + 4 * row, way, out);
}

static void convert_to_world(const scree_frame *f, int64_t row, const double x[3], double out[3]) {
  rotate_vector(f->orientation + 4 * row, x, out);
  add_scaled(out, 1, f->position + 3 * row, out);
}

static int is_of_face(const scree_frame_contact *first, const scree_frame_contact *c) {
  double way[3];
  add_scaled(c->point, -1, first->point, way);
  return dot_vectors(first->normal, c->normal) >= SAME_FACE &&
      fabs(dot_vectors(way, first->normal)) <= SAME_PLANE * vector_length(way);
}

/* Sets out[count] to the points in coordinates of the plane with this normal. */
static void flatten_points(const scree_frame_contact *const *c, int count, flat_point *out) {
  const double *n = c[0]->normal;
  const double axis[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
  double u[3], v[3];
  cross_vectors(axis, n, u);
  const double length = vector_length(u);
  for (int k = 0; k < 3; k++) u[k] /= length;
  cross_vectors(n, u, v);
  for (int i = 0; i < count; i++) {
    out[i] = (flat_point){.x = dot_vectors(c[i]->point, u), .y = dot_vectors(c[i]->point, v)};
    memcpy(out[i].point, c[i]->point, sizeof out[i].point);
  }
}

/* Copies corners and normal of a face to the axes of its bodies. */
static void attach_face(
    const scree_frame *f, const flat_point *corner, const double normal[3], crack_face *face) {
  for (int side = 0; side < 2; side++) {
    const int64_t row = scree_frame_row(f, face->body[side]);
    for (int k = 0; k < face->count; k++) convert_to_body(f, row, corner[k].point, face->corner[side][k]);
    rotate_back(f->orientation + 4 * row, normal, face->normal[side]);
  }
}

/* Adds the face of the contacts of a pair, which lie in one plane, unless they are an edge. point: 3 count
 * points of scratch. */
static void add_face(const scree_frame *f, const scree_frame_contact *const *c, int count, double precision,
    flat_point *point, crack_list *out) {
  double area, widest = 0;
  flatten_points(c, count, point);
  int corners = count < 3 ? 0 : make_hull(point, count, point + count, &area);
  for (int k = 1; k < corners; k++)
    widest = fmax(widest, hypot(point[k].x - point[0].x, point[k].y - point[0].y));
  if (corners < 3 || !(area >= LEAST_AREA * widest * widest)) return;
  crack_face *face = out->face + out->count++;
  *face = (crack_face){
      .body = {c[0]->body1, c[0]->body2}, .count = corners < CRACK_CORNERS ? corners : CRACK_CORNERS};
  face->tolerance = fmax(TOLERANCE * sqrt(area), PRECISIONS * precision);
  attach_face(f, point, c[0]->normal, face);
}

/* Adds the faces of a pair of bodies. The contacts of each face are moved to the front of the rest. */
static void add_pair(const scree_frame *f, const scree_frame_contact **c, int count, double precision,
    flat_point *point, crack_list *out) {
  for (int first = 0, end; first < count; first = end) {
    end = first + 1;
    for (int i = end; i < count; i++) {
      const scree_frame_contact *moved = c[i];
      if (!is_of_face(c[first], moved)) continue;
      c[i] = c[end], c[end++] = moved;
    }
    add_face(f, c + first, end - first, precision, point, out);
  }
}

static int compare_pairs(const void *a, const void *b) {
  const scree_frame_contact *p = *(const scree_frame_contact *const *)a,
                            *q = *(const scree_frame_contact *const *)b;
  if (p->body1 != q->body1) return p->body1 < q->body1 ? -1 : 1;
  if (p->body2 != q->body2) return p->body2 < q->body2 ? -1 : 1;
  return (p > q) - (p < q);
}

/* Adds the faces of contacts in a frame. Returns an exit code. */
static int add_all(const scree_frame *f, const scree_frame_contact *contact, int64_t count, double precision,
    crack_list *out) {
  const size_t n = (size_t)count;
  const scree_frame_contact **c = malloc((n + 1) * sizeof *c);
  flat_point *point = malloc((3 * n + 1) * sizeof *point);
  out->face = malloc((n + 1) * sizeof *out->face);
  const int code = c && point && out->face ? CLI_OK : cli_fail(CLI_FAILED, "plot", "no memory");
  for (size_t k = 0; !code && k < n; k++) c[k] = contact + k;
  if (!code && n) qsort(c, n, sizeof *c, compare_pairs);
  for (size_t first = 0, end; !code && first < n; first = end) {
    for (end = first + 1; end < n && c[end]->body1 == c[first]->body1 && c[end]->body2 == c[first]->body2;)
      end++;
    add_pair(f, c + first, (int)(end - first), precision, point, out);
  }
  free(c);
  free(point);
  return code;
}

/* Makes the copies of all corners coincide in a frame: those of body 2 are moved to those of body 1. */
static void close_faces(crack_list *list, const scree_frame *f) {
  for (int64_t i = 0; i < list->count; i++) {
    crack_face *face = list->face + i;
    const int64_t a = scree_frame_row(f, face->body[0]), b = scree_frame_row(f, face->body[1]);
    double x[3];
    if (a < 0 || b < 0) continue;
    for (int k = 0; k < face->count; k++) {
      convert_to_world(f, a, face->corner[0][k], x);
      convert_to_body(f, b, x, face->corner[1][k]);
    }
    rotate_vector(f->orientation + 4 * a, face->normal[0], x);
    rotate_back(f->orientation + 4 * b, x, face->normal[1]);
  }
}

/* Adds the faces of the first frame with contacts, closed in frame 0. Warns if it is a later frame. */
static int add_later(scree_reader *reader, const scree_trajectory_info *info, crack_list *out) {
  scree_error error = {SCREE_OK, ""};
  const scree_frame *frame = NULL;
  for (int64_t k = 0; k < info->frames; k++) {
    if (!(frame = scree_reader_frame(reader, k, &error))) return cli_fail(CLI_IO, "plot", "%s", error.text);
    if (!frame->contacts) continue;
    if (k)
      fprintf(stderr,
          "scree plot: warning: no faces in frame 0; these are from frame %lld at %.4g s, and joints that "
          "opened earlier are missing\n",
          (long long)k, frame->time);
    break;
  }
  int code = frame ? add_all(frame, frame->contact, frame->contacts, info->precision, out) : CLI_OK;
  if (!code && out->count && !(frame = scree_reader_frame(reader, 0, &error)))
    code = cli_fail(CLI_IO, "plot", "%s", error.text);
  if (!code && out->count) close_faces(out, frame);
  return code;
}

int cracks_find(scree_reader *reader, double tolerance, crack_list *out) {
  const scree_trajectory_info *info = scree_reader_info(reader);
  const int needed = SCREE_FIELD_POSITION | SCREE_FIELD_ORIENTATION | SCREE_FIELD_CONTACTS;
  scree_error error = {SCREE_OK, ""};
  *out = (crack_list){NULL, 0};
  if ((info->fields & needed) != needed)
    return cli_fail(CLI_USAGE, "plot",
        "cracks need contacts and orientations of the bodies; store them by output = { trajectory = { fields "
        "= { "
        "\"position\", \"orientation\", \"contacts\" } } } in the scene");
  const scree_frame *first = scree_reader_frame(reader, 0, &error);
  if (!first) return cli_fail(CLI_IO, "plot", "%s", error.text);
  touch_list touch;
  int code = touch_find(first, &touch) ? add_all(first, touch.contact, touch.count, info->precision, out)
                                       : CLI_OK;
  touch_free(&touch);
  if (!code && !out->count) {
    cracks_free(out);
    *out = (crack_list){NULL, 0};
    code = add_later(reader, info, out);
  }
  for (int64_t i = 0; tolerance > 0 && i < out->count; i++) out->face[i].tolerance = tolerance;
  return code;
}

void cracks_free(crack_list *list) { free(list->face); }

/* ---- faces in a frame ---- */

int cracks_place_face(const crack_face *face, const scree_frame *f, crack_place *out) {
  const int64_t row[2] = {scree_frame_row(f, face->body[0]), scree_frame_row(f, face->body[1])};
  if (row[0] < 0 || row[1] < 0) return 0;
  double n[2][3], normal[3];
  for (int side = 0; side < 2; side++)
    rotate_vector(f->orientation + 4 * row[side], face->normal[side], n[side]);
  add_scaled(n[0], 1, n[1], normal);
  const double length = vector_length(normal);
  for (int k = 0; k < 3; k++) normal[k] = length > 0 ? normal[k] / length : n[1][k];
  *out = (crack_place){.opening = -INFINITY};
  for (int k = 0; k < face->count; k++) {
    double x[2][3], way[3];
    for (int side = 0; side < 2; side++) convert_to_world(f, row[side], face->corner[side][k], x[side]);
    add_scaled(x[0], -1, x[1], way);
    const double opening = dot_vectors(way, normal);
    add_scaled(way, -opening, normal, way);
    out->opening = fmax(out->opening, opening);
    out->slip = fmax(out->slip, vector_length(way));
    for (int e = 0; e < 3; e++) out->corner[k][e] = (x[0][e] + x[1][e]) / 2;
  }
  out->state = out->opening > face->tolerance ? CRACK_OPEN
      : out->slip > face->tolerance           ? CRACK_SLIPPED
                                              : CRACK_CLOSED;
  return 1;
}
