/* A frame: a read-only copy of the world's state at one time, as plain arrays sorted by id. Frames are
 * written to files and returned by readers. */
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
  double point[3], normal[3], gap, impulse[3]; /* as scree_contact */
  /* compatible force on body 1 [N] (scree/forces.h); 0 where the frame has none */
  double force[3];
  double moment[3]; /* moment of rolling and torsional friction on body 1 over the step [N m s] */
  /* in a cell: image of body2 that touches, seen from body1; its centre is at position + H image; the point
   * lies at body1. 0 without a cell. */
  int64_t image[3];
} scree_frame_contact;

typedef struct scree_frame {
  double time;
  double dt; /* length of the step whose impulses the contacts have [s]; 0: unknown, as in old files */
  int64_t step;
  int64_t bodies;
  const uint64_t *id; /* ascending */
  const int64_t *group;
  const uint8_t *kind;  /* scree_kind */
  const double *radius; /* bounding radius; INFINITY for half-spaces */
  const double *mass;   /* INFINITY unless dynamic */
  /* bodies x 6: inertia about the centre of mass in the body's axes (xx,xy,xz,yy,yz,zz) [kg m2]; zeros for a
   * solid ball (2/5 mass radius^2) and for a body that is not dynamic. NULL: all rows are zeros */
  const double *inertia;
  const double *position;     /* bodies x 3 [m] */
  const double *orientation;  /* bodies x 4 (w,x,y,z) */
  const double *velocity;     /* bodies x 3 [m/s] */
  const double *spin;         /* bodies x 3 [rad/s] */
  int32_t columns;            /* number of columns of scripts (scree/column.h) */
  const scree_column *column; /* [columns]; files keep names and units */
  const double *value;        /* bodies x columns; NULL without columns */
  int64_t shapes;
  const scree_shape_info *shape; /* sorted by body id, then order of creation */
  int64_t contacts;              /* 0 if the frame has no contacts */
  const scree_frame_contact *contact;
  int64_t bonds;                   /* bonds of a world, in frames with contacts; files have none */
  const scree_frame_contact *bond; /* in the form of contacts: normal along the axis, impulse = force dt */
  int forces;                      /* 1: contacts have compatible forces */
  int images; /* 1: contacts have images; 0 for contacts of a cell in files of old versions */
  /* cell of a periodic world, whose positions are not wrapped; undefined if has_cell is 0 */
  int has_cell;
  scree_cell cell;
} scree_frame;
/* Returns the row of a body, or -1 if the frame does not have the body. */
int64_t scree_frame_row(const scree_frame *frame, scree_id body);
/* Sets inertia to the inertia of the body in a row of the frame, in its axes (xx,xy,xz,yy,yz,zz) [kg m2].
 * Bodies that are not dynamic have zeros. Solid balls have 2/5 mass radius^2. */
void scree_frame_inertia(const scree_frame *frame, int64_t row, double inertia[6]);
/* Returns the index of a column, or -1 if the frame has no column of that name. */
int32_t scree_frame_column(const scree_frame *frame, const char *name);

/* Displayed position and velocity of a body. In a cell they are those of the image that lies in the cell,
 *
 *   position = shown + H image,   velocity = shown + L H image.
 *
 * Members that the frame does not have are 0. */
typedef struct scree_shown {
  double position[3], velocity[3]; /* [m], [m/s] */
  int32_t image[3];
} scree_shown;
/* Returns the displayed position of the body in a row of the frame. */
scree_shown scree_frame_shown(const scree_frame *frame, int64_t row);
/* Displayed position of a contact: its point, in a cell the image in the cell; and the centres of its two
 * bodies (or of the images beside this point); the point itself for a body that is not dynamic. */
typedef struct scree_shown_contact {
  double point[3], end1[3], end2[3]; /* [m] */
} scree_shown_contact;
/* Returns the displayed position of a contact of the frame. */
scree_shown_contact scree_frame_shown_contact(const scree_frame *frame, const scree_frame_contact *contact);

/* A buffer for frames of a world. It owns the arrays of its frame; reuse it from frame to frame. */
typedef struct scree_frame_buffer scree_frame_buffer;
/* Returns an empty buffer; NULL without memory. The caller destroys it. */
scree_frame_buffer *scree_frame_buffer_create(void);
/* Frees a buffer with the arrays of its frame. NULL is allowed. */
void scree_frame_buffer_destroy(scree_frame_buffer *buffer);
/* A choice of bodies by their ids and by their groups. */
typedef struct scree_frame_choice {
  const scree_id *id; /* [ids] ascending */
  int64_t ids;
  const int64_t *group; /* [groups] */
  int64_t groups;
} scree_frame_choice;
/* Limits later captures of a buffer to the bodies whose id or group is in the choice. The lists must live as
 * long as the buffer captures. choice: NULL for all bodies. */
void scree_frame_buffer_choose(scree_frame_buffer *buffer, const scree_frame_choice *choice);
/* Bits of `how`: CONTACTS: with contacts; PART: on several ranks (scree/dist.h) each rank gets only its part,
 * its own bodies and the contacts that it solves. */
enum { SCREE_FRAME_CONTACTS = 1, SCREE_FRAME_PART = 2 };
/* Returns a frame of the present state; NULL if out of memory. The frame is valid until the next capture or
 * destroy. On several ranks it is collective (except for parts), and every rank gets the bodies and contacts
 * of all. */
const scree_frame *scree_frame_capture(
    scree_frame_buffer *buffer, const scree_world *world, int how, scree_error *error);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
