/* State of a contact point whose pair has a stiffness per area (kn). It consists of the point's own share of
 * the face and the state of the face, which is equal for all points of the face (world/step/faces.c). */
#ifndef SC_FACE_H
#define SC_FACE_H

/* Part of a contact's state, in doubles. All members except `area` are equal for all points of a face. */
typedef struct sc_face_point {
  double area;     /* tributary area of the point [m2] */
  double status;   /* scree_face_state; NONE: the face is new for law joint */
  double slip;     /* length of the path that the face has slipped [m] */
  double dilation; /* opening of the face by dilation [m] */
  /* sum of the tangential impulses of all points in the last step, on body 1, world axes [N s] */
  double force[3];
  double total;    /* area of the face [m2] */
  double count;    /* number of points of the face */
  double spare[4]; /* not used */
} sc_face_point;
enum { SC_FACE = 13 }; /* larger than the sum of moment, pull and remaining law state, see sc_face_room */
_Static_assert(
    sizeof(sc_face_point) == SC_FACE * sizeof(double), "a point's part of a face is SC_FACE doubles");

#endif
