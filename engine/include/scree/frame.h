/* A frame: a read-only copy of the world's state at one time, as plain arrays sorted by id. Frames are
 * written to files, and readers of files return them. */
#ifndef SCREE_FRAME_H
#define SCREE_FRAME_H

#include <stdint.h>
#include "scree/cell.h"
#include "scree/column.h"
#include "scree/world.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_frame_contact {
  scree_id body1, body2;
  double point[3], normal[3], gap, impulse[3]; /* the members of scree_contact with these names */
  /* compatible force on body 1 [N] (scree/forces.h); 0 if the frame has none */
  double force[3];
  double moment[3]; /* moment of rolling and torsional friction on body 1 over the step [N m s] */
  /* in a cell: image of body2 that touches body1. The centre of this image is at position + H image (H:
   * matrix of the cell); `point` is on body1. Without a cell: 0. */
  int64_t image[3];
} scree_frame_contact;

typedef struct scree_frame {
  double time;
  /* length of the step to which the impulses of contacts belong [s]; 0: not known, as in old files */
  double dt;
  int64_t step;
  int64_t bodies;
  const uint64_t *id; /* [bodies] ids of the bodies in ascending order */
  const int64_t *group;
  const uint8_t *kind;  /* [bodies] scree_kind */
  const double *radius; /* [bodies] bounding radius [m]; INFINITY for half-spaces */
  const double *mass;   /* [bodies] mass [kg]; INFINITY for bodies that are not dynamic */
  /* bodies x 6: inertia about the centre of mass in the body's axes (xx,xy,xz,yy,yz,zz) [kg m2]. Zeros for a
   * solid ball, which has 2/5 mass radius^2, and for a body that is not dynamic. NULL: all rows are zeros. */
  const double *inertia;
  const double *position;     /* [bodies][3] positions [m] */
  const double *orientation;  /* [bodies][4] orientations as quaternions (w,x,y,z) */
  const double *velocity;     /* [bodies][3] velocities [m/s] */
  const double *spin;         /* [bodies][3] angular velocities in world axes [rad/s] */
  int32_t columns;            /* number of columns that scripts declared (scree/column.h) */
  const scree_column *column; /* [columns] descriptions of the columns; files contain only names and units */
  const double *value;        /* [bodies][columns] values of the columns; NULL without columns */
  int64_t shapes;
  /* [shapes] shapes, sorted by the id of their body, then by order of creation */
  const scree_shape_info *shape;
  int64_t contacts; /* number of contacts; 0 if the frame was captured without contacts */
  const scree_frame_contact *contact;
  /* number of bonds, in frames captured with contacts; files contain no bonds */
  int64_t bonds;
  /* [bonds] bonds in the form of contacts: the normal is along the axis of the bond, and impulse = force
   * dt */
  const scree_frame_contact *bond;
  int forces; /* 1: contacts have compatible forces (scree/forces.h); 0: they have none */
  /* 1: contacts have images; 0: files of old versions do not contain the images of contacts in a cell */
  int images;
  /* cell of a periodic world, in which positions are not wrapped; undefined if has_cell is 0 */
  int has_cell;
  scree_cell cell;
} scree_frame;
/* Returns the row of a body, or -1 if the frame does not have the body. */
int64_t scree_frame_row(const scree_frame *frame, scree_id body);
/* Sets inertia to the inertia of the body in a row, in the body's axes (xx,xy,xz,yy,yz,zz) [kg m2]. It is
 * zero for a body that is not dynamic, and 2/5 mass radius^2 for a solid ball. */
void scree_frame_inertia(const scree_frame *frame, int64_t row, double inertia[6]);
/* Returns the index of a column, or -1 if the frame has no column with this name. */
int32_t scree_frame_column(const scree_frame *frame, const char *name);

/* Displayed position and velocity of a body. In a cell they belong to the image that lies in the cell (H, L:
 * matrix and velocity gradient of scree_cell):
 *
 *   position = shown + H image,   velocity = shown + L H image.
 *
 * Members that the frame does not have are 0. */
typedef struct scree_shown {
  double position[3], velocity[3]; /* displayed position [m] and velocity [m/s] */
  int32_t image[3];
} scree_shown;
/* Returns the displayed position and velocity of the body in a row of the frame. */
scree_shown scree_frame_shown(const scree_frame *frame, int64_t row);
/* Displayed position of a contact. point: the contact point; in a cell, its image in the cell. end1, end2:
 * centres of body 1 and body 2; in a cell, of their images at this point. The end of a body that is not
 * dynamic is the contact point. */
typedef struct scree_shown_contact {
  double point[3], end1[3], end2[3]; /* [m] */
} scree_shown_contact;
/* Returns the displayed position of a contact of the frame. */
scree_shown_contact scree_frame_shown_contact(const scree_frame *frame, const scree_frame_contact *contact);

/* A buffer for frames of a world. It owns the arrays of its frame and can be used for many captures. */
typedef struct scree_frame_buffer scree_frame_buffer;
/* Returns an empty buffer, or NULL without memory. The caller destroys it. */
scree_frame_buffer *scree_frame_buffer_create(void);
/* Frees a buffer and the arrays of its frame. NULL is allowed. */
void scree_frame_buffer_destroy(scree_frame_buffer *buffer);
/* A choice of bodies by id and by group. */
typedef struct scree_frame_choice {
  const scree_id *id; /* [ids] ids of chosen bodies in ascending order */
  int64_t ids;
  const int64_t *group; /* [groups] chosen groups */
  int64_t groups;
} scree_frame_choice;
/* Limits later captures to bodies whose id or group is in the choice. The lists in *choice must exist as long
 * as the buffer captures. choice: NULL for all bodies. */
void scree_frame_buffer_choose(scree_frame_buffer *buffer, const scree_frame_choice *choice);
/* Bits of the argument `how` of scree_frame_capture. CONTACTS: the frame contains contacts. PART: on several
 * ranks (scree/dist.h) each rank gets only its own bodies and the contacts that it solves. */
enum { SCREE_FRAME_CONTACTS = 1, SCREE_FRAME_PART = 2 };
/* Returns a frame of the present state, or NULL on an error. The frame is valid until the next capture or
 * until the buffer is destroyed. On several ranks every rank gets the bodies and contacts of all ranks, and
 * the function is collective, unless `how` has SCREE_FRAME_PART. */
const scree_frame *scree_frame_capture(
    scree_frame_buffer *buffer, const scree_world *world, int how, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
