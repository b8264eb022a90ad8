/* Cracks: faces between blocks, and how far they are open or have slipped, from the frames of a run. */
#ifndef CLI_PLOT_CRACKS_H
#define CLI_PLOT_CRACKS_H

#include "scree/scree.h"

enum { CRACK_CORNERS = 32 }; /* largest number of corners of a face; further corners are dropped */

typedef enum crack_state { CRACK_CLOSED, CRACK_SLIPPED, CRACK_OPEN, CRACK_STATES } crack_state;

/* A face between two bodies. Each body carries a copy of the corners and of the normal, in its own axes. */
typedef struct crack_face {
  scree_id body[2];
  int64_t image[3]; /* in a cell: image of body[1] at the face */
  int count;
  double corner[2][CRACK_CORNERS][3]; /* [m] */
  double normal[2][3];
  double tolerance; /* opening or slip from which the face counts as open or slipped [m] */
} crack_face;

typedef struct crack_list {
  crack_face *face;
  int64_t count;
} crack_list;

/* A face in a frame. */
typedef struct crack_place {
  double corner[CRACK_CORNERS][3]; /* half-way between the two copies [m] */
  double opening, slip;            /* largest of all corners [m] */
  crack_state state;
} crack_place;

/* Finds the faces of shapes that touch in frame 0. If there are none, takes those of the first frame with
 * contacts, with a warning that has its time. Openings and slips count from frame 0, or from the frame with
 * the contacts for a body that is not in frame 0. tolerance: of all faces [m]; 0: 0.001 of the square root
 * of their area, and at least 4 times the precision of positions. Returns an exit code, after a message
 * if the trajectory has no contacts or no orientations. The caller frees *out with cracks_free. */
int cracks_find(scree_reader *reader, double tolerance, crack_list *out);
/* Frees the faces of a list. */
void cracks_free(crack_list *list);
/* Computes where a face is in a frame. Returns false if one of its bodies is not in the frame. */
int cracks_place_face(const crack_face *face, const scree_frame *frame, crack_place *out);

#endif
