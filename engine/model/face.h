/* State of a contact point whose pair has a stiffness per area (kn): the part of the face that belongs to it,
 * and the state of the face, which all points of the face share (world/step/faces.c). */
#ifndef SC_FACE_H
#define SC_FACE_H

/* The part of a contact's state, in doubles. All but `area` are equal for all points of a face. */
typedef struct sc_face_point {
  double area;     /* tributary area of the point [m2] */
  double status;   /* scree_face_state; NONE: law joint has not seen the face yet */
  double slip;     /* length of the way that the face has slid [m] */
  double dilation; /* opening by dilation [m] */
  double force[3]; /* tangential impulse of all points in the last step, on body 1, world axes [N s] */
  double total;    /* area of the face [m2] */
  double count;    /* number of points of the face */
  double spare[4]; /* not used */
} sc_face_point;
enum { SC_FACE = 13 }; /* more than law state beyond a multiple, moment and pull together, see sc_face_room */
_Static_assert(
    sizeof(sc_face_point) == SC_FACE * sizeof(double), "a point's part of a face is SC_FACE doubles");

#endif
