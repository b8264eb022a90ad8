/* Faces between bodies.
 *
 * A face consists of the contact points of two bodies that lie in one plane. The polygon of the face is the
 * convex hull of these points. In a cell the face belongs to one image of body 2. Points on one line are an
 * edge, not a face. */
#ifndef SCREE_FACES_H
#define SCREE_FACES_H

#include "scree/frame.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_face {
  scree_id body1, body2;
  int64_t image[3]; /* image of body2, as in scree_frame_contact */
  int64_t contact;  /* index of the first contact of the face */
  int64_t corner;   /* index of the face's first corner in scree_faces.corner */
  int64_t corners;  /* number of corners, at least 3, counter-clockwise seen against the normal */
  double normal[3]; /* normal of the face's first contact, from body 2 to body 1 */
  double area;      /* area of the polygon [m2] */
  double tolerance; /* default tolerance of openings: 1e-3 of the square root of the area [m] */
} scree_face;

/* A list of faces, sorted by the index of their first contacts. */
typedef struct scree_faces {
  scree_face *face;
  int64_t count;
  double (*corner)[3]; /* corners of all faces, face after face [m] */
} scree_faces;

/* Finds the faces of a list of contacts and stores them in *out. The caller frees *out with scree_faces_free,
 * also after an error. Returns SCREE_E_MEMORY if out of memory. */
scree_status scree_faces_find(
    const scree_frame_contact *contact, int64_t count, scree_faces *out, scree_error *error);
/* Frees the arrays of a list of faces and empties the list. faces: may be NULL. */
void scree_faces_free(scree_faces *faces);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
