/* Finds faces between bodies. A face is a group of contact points in one plane. Its polygon is the convex
 * hull of the points (Andrew's monotone chain). */
#include "scree/faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/vec.h"

/* smallest cosine between the normals of points of a face */
static const double SAME_FACE = 0.99;
/* largest ratio of a point's distance from the plane of a face to its distance from the first point */
static const double SAME_PLANE = 0.05;
/* smallest ratio of the area of a face to the square of its longest diagonal; smaller faces are edges */
static const double LEAST_AREA = 1e-4;
/* ratio of the default tolerance to the square root of the area */
static const double TOLERANCE = 1e-3;

/* ---- polygons ---- */

/* A point in coordinates of the plane. point: the point in space. */
typedef struct flat_point {
  double x, y;
  const double *point;
} flat_point;

static int compare_flat(const void *a, const void *b) {
  const flat_point *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

static double turn_of(const flat_point *a, const flat_point *b, const flat_point *c) {
  return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Appends a chain of the hull to hull[used]. Returns the new number of corners. The number excludes the last
 * corner, because this corner begins the other chain. */
static int64_t add_chain(
    const flat_point *p, int64_t count, int64_t first, int step, flat_point *hull, int64_t used) {
  const int64_t start = used;
  for (int64_t i = first; i >= 0 && i < count; i += step) {
    while (used - start >= 2 && turn_of(hull + used - 2, hull + used - 1, p + i) <= 0) used--;
    hull[used++] = p[i];
  }
  return used - 1;
}

/* Sets hull to the corners of the convex hull of points in a plane, and *area to its area. hull: memory for 2
 * count points. Returns the number of corners. */
static int64_t make_hull(flat_point *p, int64_t count, flat_point *hull, double *area) {
  qsort(p, (size_t)count, sizeof *p, compare_flat);
  int64_t used = add_chain(p, count, 0, 1, hull, 0);
  used = add_chain(p, count, count - 1, -1, hull, used);
  *area = 0;
  for (int64_t i = 1; i + 1 < used; i++) *area += turn_of(hull, hull + i, hull + i + 1) / 2;
  return used;
}

/* Sets out[count] to the points of contacts in coordinates of their plane. */
static void flatten_points(const scree_frame_contact *const *c, int64_t count, flat_point *out) {
  double u[3], v[3];
  sc_frame(c[0]->normal, u, v);
  for (int64_t i = 0; i < count; i++)
    out[i] = (flat_point){sc_dot(c[i]->point, u), sc_dot(c[i]->point, v), c[i]->point};
}

/* ---- faces ---- */

typedef struct finder {
  const scree_frame_contact *contact; /* all contacts */
  flat_point *point;                  /* [3 contacts] scratch */
  scree_faces *out;
  int64_t corners; /* number of corners in out->corner */
} finder;

static bool is_of_face(const scree_frame_contact *first, const scree_frame_contact *c) {
  double way[3];
  sc_sub(c->point, first->point, way);
  return sc_dot(first->normal, c->normal) >= SAME_FACE &&
      fabs(sc_dot(way, first->normal)) <= SAME_PLANE * sc_norm(way);
}

/* Adds the face of contacts in one plane. Adds nothing if their points are an edge. */
static void add_face(finder *f, const scree_frame_contact *const *c, int64_t count) {
  double area, widest = 0;
  flat_point *hull = f->point + count;
  if (count < 3) return;
  flatten_points(c, count, f->point);
  const int64_t corners = make_hull(f->point, count, hull, &area);
  for (int64_t k = 1; k < corners; k++)
    widest = fmax(widest, hypot(hull[k].x - hull[0].x, hull[k].y - hull[0].y));
  if (corners < 3 || !(area >= LEAST_AREA * widest * widest)) return;
  scree_face *face = f->out->face + f->out->count++;
  *face = (scree_face){.body1 = c[0]->body1,
      .body2 = c[0]->body2,
      .contact = c[0] - f->contact,
      .corner = f->corners,
      .corners = corners,
      .area = area,
      .tolerance = TOLERANCE * sqrt(area)};
  memcpy(face->image, c[0]->image, sizeof face->image);
  sc_copy3(c[0]->normal, face->normal);
  for (int64_t k = 0; k < corners; k++) sc_copy3(hull[k].point, f->out->corner[f->corners++]);
}

/* Adds the faces of a pair of bodies. Sorts c such that contacts of one face are neighbours. */
static void add_pair(finder *f, const scree_frame_contact **c, int64_t count) {
  for (int64_t first = 0, end; first < count; first = end) {
    end = first + 1;
    for (int64_t i = end; i < count; i++) {
      const scree_frame_contact *moved = c[i];
      if (!is_of_face(c[first], moved)) continue;
      memmove(c + end + 1, c + end, (size_t)(i - end) * sizeof *c);
      c[end++] = moved;
    }
    add_face(f, c + first, end - first);
  }
}

/* Compares two contacts by their bodies and by the image of body 2. */
static int compare_pairs(const scree_frame_contact *p, const scree_frame_contact *q) {
  if (p->body1 != q->body1) return p->body1 < q->body1 ? -1 : 1;
  if (p->body2 != q->body2) return p->body2 < q->body2 ? -1 : 1;
  for (int k = 0; k < 3; k++)
    if (p->image[k] != q->image[k]) return p->image[k] < q->image[k] ? -1 : 1;
  return 0;
}

static int compare_contacts(const void *a, const void *b) {
  const scree_frame_contact *p = *(const scree_frame_contact *const *)a,
                            *q = *(const scree_frame_contact *const *)b;
  const int order = compare_pairs(p, q);
  return order ? order : (p > q) - (p < q);
}

static int compare_faces(const void *a, const void *b) {
  const scree_face *p = a, *q = b;
  return (p->contact > q->contact) - (p->contact < q->contact);
}

scree_status scree_faces_find(
    const scree_frame_contact *contact, int64_t count, scree_faces *out, scree_error *error) {
  SC_DEMAND((contact || !count) && count >= 0 && out, error, SCREE_E_ARGUMENT);
  const size_t n = (size_t)count;
  const scree_frame_contact **c = sc_alloc((n + 1) * sizeof *c);
  *out = (scree_faces){
      .face = sc_alloc((n + 1) * sizeof *out->face), .corner = sc_alloc((n + 1) * sizeof *out->corner)};
  finder f = {.contact = contact, .point = sc_alloc((3 * n + 1) * sizeof *f.point), .out = out};
  const bool good = c && out->face && out->corner && f.point;
  for (size_t k = 0; good && k < n; k++) c[k] = contact + k;
  if (good && n) qsort(c, n, sizeof *c, compare_contacts);
  for (size_t first = 0, end; good && first < n; first = end) {
    for (end = first + 1; end < n && !compare_pairs(c[end], c[first]);) end++;
    add_pair(&f, c + first, (int64_t)(end - first));
  }
  if (good) qsort(out->face, (size_t)out->count, sizeof *out->face, compare_faces);
  sc_free(c);
  sc_free(f.point);
  return good ? SCREE_OK
              : sc_fail(error, SCREE_E_MEMORY, "no memory for the faces of %lld contacts", (long long)count);
}

void scree_faces_free(scree_faces *faces) {
  if (!faces) return;
  sc_free(faces->face);
  sc_free(faces->corner);
  *faces = (scree_faces){0};
}
