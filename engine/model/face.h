/* State of a contact point of a face: the contact area of two bodies whose pair of materials has a stiffness
 * per area (kn). Only the point's own area differs between the points of a face (world/step/faces.c). */
#ifndef SC_FACE_H
#define SC_FACE_H

/* Face data in the state of a contact, all doubles. All members except `area` are equal for all points of a
 * face. */
typedef struct sc_face_point {
  double area; /* tributary area of the point [m2] */
  /* scree_face_state of the law `joint`; SCREE_FACE_NONE: not yet determined, because the face is new */
  double status;
  double slip;     /* length of the path that the face has slipped [m] */
  double dilation; /* opening of the face by dilation [m] */
  /* sum of the tangential impulses of all points in the last step, on body 1, world axes [N s] */
  double force[3];
  double total;    /* area of the face [m2] */
  double count;    /* number of points of the face */
  double spare[4]; /* not used */
} sc_face_point;
/* number of doubles of sc_face_point. It must exceed the sum of moment, pull and remaining law state (see
 * sc_face_room). */
enum { SC_FACE = 13 };
_Static_assert(
    sizeof(sc_face_point) == SC_FACE * sizeof(double), "a point's part of a face is SC_FACE doubles");

#endif
