/* Finds faces between blocks (scree/faces.h), and computes their opening and slip.
 *
 * Each of the two bodies moves a copy of the polygon of a face, and a copy of its normal. With the copies a
 * and b of a corner, and the mean n of both normals, the opening is n . (a - b). The slip is the length of
 * the rest of a - b. If two blocks rock about an edge of their face, the chord from b to a is parallel to n,
 * so the slip is 0. lua/scree/cracks.lua computes the same values in scenes. */
#include "plot/plot_cracks.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "plot/plot_touch.h"
#include "vector.h"

/* ratio of the smallest default tolerance to the precision of stored positions */
static const double PRECISIONS = 4;

/* ---- noting faces ---- */

/* Sets shift to the vector from a body of a face to its image at the face; 0 without a cell. */
static void find_shift(const scree_frame *f, const crack_face *face, int side, double shift[3]) {
  for (int k = 0; k < 3; k++) {
    shift[k] = 0;
    for (int e = 0; e < 3 && side && f->has_cell; e++)
      shift[k] += f->cell.matrix[3 * k + e] * (double)face->image[e];
  }
}

static void convert_to_body(const scree_frame *f, int64_t row, const double x[3], double out[3]) {
  double way[3];
  add_scaled(x, -1, f->position + 3 * row, way);
  rotate_back(f->orientation + 4 * row, way, out);
}

static void convert_to_world(const scree_frame *f, int64_t row, const double x[3], double out[3]) {
  rotate_vector(f->orientation + 4 * row, x, out);
  add_scaled(out, 1, f->position + 3 * row, out);
}

/* Copies corners and normal of a face to the axes of its bodies. */
static void attach_face(
    const scree_frame *f, const double (*corner)[3], const double normal[3], crack_face *face) {
  for (int side = 0; side < 2; side++) {
    const int64_t row = scree_frame_row(f, face->body[side]);
    double shift[3];
    find_shift(f, face, side, shift);
    for (int k = 0; k < face->count; k++) {
      double x[3];
      add_scaled(corner[k], -1, shift, x);
      convert_to_body(f, row, x, face->corner[side][k]);
    }
    rotate_back(f->orientation + 4 * row, normal, face->normal[side]);
  }
}

/* Adds the faces of contacts in a frame. Returns an exit code. */
static int add_all(const scree_frame *f, const scree_frame_contact *contact, int64_t count, double precision,
    crack_list *out) {
  scree_faces faces;
  scree_error error = {SCREE_OK, ""};
  int code = scree_faces_find(contact, count, &faces, &error) ? cli_fail(CLI_FAILED, "plot", "%s", error.text)
                                                              : CLI_OK;
  if (!code && !(out->face = malloc(((size_t)faces.count + 1) * sizeof *out->face)))
    code = cli_fail(CLI_FAILED, "plot", "no memory");
  for (int64_t i = 0; !code && i < faces.count; i++) {
    const scree_face *found = faces.face + i;
    crack_face *face = out->face + out->count++;
    *face = (crack_face){.body = {found->body1, found->body2},
        .image = {found->image[0], found->image[1], found->image[2]},
        .count = found->corners < CRACK_CORNERS ? (int)found->corners : CRACK_CORNERS,
        .tolerance = fmax(found->tolerance, PRECISIONS * precision)};
    attach_face(f, (const double(*)[3])faces.corner + found->corner, found->normal, face);
  }
  scree_faces_free(&faces);
  return code;
}

/* Makes the copies of all corners coincide in a frame: those of body 2 are moved to those of body 1. */
static void close_faces(crack_list *list, const scree_frame *f) {
  for (int64_t i = 0; i < list->count; i++) {
    crack_face *face = list->face + i;
    const int64_t a = scree_frame_row(f, face->body[0]), b = scree_frame_row(f, face->body[1]);
    double x[3], shift[3];
    if (a < 0 || b < 0) continue;
    find_shift(f, face, 1, shift);
    for (int k = 0; k < face->count; k++) {
      convert_to_world(f, a, face->corner[0][k], x);
      add_scaled(x, -1, shift, x);
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
    for (int side = 0; side < 2; side++) {
      convert_to_world(f, row[side], face->corner[side][k], x[side]);
      find_shift(f, face, side, way);
      add_scaled(x[side], 1, way, x[side]);
    }
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
