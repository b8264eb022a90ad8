/* Sums over the substeps of a step: impulses and losses of contacts, reactions of joints and bonds. A world
 * with substeps > 1 reports these sums (docs/measure.md). A world with the stepper second_order also reports
 * them, because it detects contacts several times in a step. Other worlds have no sums. */
#ifndef SC_WORLD_TOTALS_H
#define SC_WORLD_TOTALS_H

#include "base/base.h"
#include "collide/collide.h"
#include "model/cell.h"
#include "model/joints.h"
#include "scree/world.h"

/* Sums of one contact over the substeps so far, and its geometry in the last substep in which it existed. */
typedef struct sc_total {
  double impulse[3];       /* impulse of the contact problem, on body 1 [N s] */
  double impact[3];        /* impulse of impacts with restitution, on body 1 [N s] */
  double moment[3];        /* moment of rolling and torsional friction, on body 1 [N m s] */
  double pull;             /* pull of cohesion, part of impulse [N s] */
  double lost, lost_since; /* energy dissipated in the step, and since the contact began [J] */
  /* point [m] and normal in world axes, from the last substep in which the contact existed */
  double point[3], normal[3];
  double gap; /* gap in the last substep in which the contact existed [m] */
  scree_id body1, body2;
  sc_image image; /* periodic image of body 2 relative to body 1 */
  int32_t material1, material2;
  int32_t state;  /* scree_contact_state in the last substep in which the contact carried an impulse */
  int32_t part;   /* last substep in which the contact existed, from 0 */
  uint8_t listed; /* 1: the contact exists in the last substep; set at the end of a step */
  /* [body 1, body 2] 1: the body was on this rank at the end of the step; only for opened contacts */
  uint8_t here[2];
} sc_total;

/* Mean reaction of a joint or bond on its body a over a step. */
typedef struct sc_reaction {
  uint64_t id;
  double force[3], torque[3];
  double effort[5]; /* mean motor effort and similar values, in the order of sc_joint.effort; 0 for bonds */
} sc_reaction;

/* Mean reactions of joints or bonds, sorted by id. */
typedef struct sc_reactions {
  sc_reaction *row;
  int32_t count;
  size_t capacity;
} sc_reactions;

typedef struct sc_totals {
  sc_total *row; /* row of a contact: its tag - 1 (sc_collide_tag) */
  int32_t rows;
  size_t capacity;
  /* rows of opened contacts: contacts that carried an impulse in the step and do not exist in the last
   * substep */
  int32_t *gone;
  int32_t gones;
  size_t gone_capacity;
  sc_reactions joints, bonds;
  bool begun; /* true: the contacts of the first substep have rows */
  bool known; /* true: the sums contain a whole step */
} sc_totals;

/* Allocates world->totals if the world reports sums over substeps; else sets it to NULL. Returns false
 * without memory. */
bool sc_totals_create(scree_world *world);

/* Frees totals; NULL is allowed. */
void sc_totals_free(sc_totals *totals);
/* Returns the bytes of heap memory of totals; 0 if totals is NULL. */
size_t sc_totals_bytes(const sc_totals *totals);
/* Resets all sums. Call at the start of a step, or after all contacts were dropped. Does nothing if totals is
 * NULL. */
void sc_totals_forget(sc_totals *totals);
/* Adds the impulses of all contacts since the last contact detection. The stepper second_order calls it
 * before each further contact detection in a substep. */
scree_status sc_totals_add_part(scree_world *world, scree_error *error);
/* Adds impulses and reactions of the substep that has just ended. The last substep of a step completes the
 * sums. */
scree_status sc_totals_add(scree_world *world, scree_error *error);
/* Lists the opened contacts in totals->gone: rows with an impulse whose tag no contact of the last substep
 * has. Returns false without memory. */
bool sc_totals_list_gone(scree_world *world);
/* Removes contacts of removed bodies from the list of opened contacts. */
void sc_totals_settle(scree_world *world);
/* Changes the images of all rows for new cell edges, like sc_collide_rename_images. */
void sc_totals_rename_images(scree_world *world, const int32_t M[9]);
/* Removes the row of the contact with this tag and returns the row, to be sent to another rank. Returns zeros
 * if the contact has no row. */
sc_total sc_totals_hand_over(scree_world *world, int32_t tag);
/* Adds a row from another rank if its contact carried an impulse. Sets *tag to the tag of the new row, or to
 * 0 if no row was added. Returns false without memory. */
bool sc_totals_take_over(scree_world *world, const sc_total *total, int32_t *tag);

/* A contact as readers of a step see it: impulses and losses are sums over its substeps. */
typedef struct sc_listed {
  /* contact.impulse: impulse of the contact problem; contact.body1 or body2 is -1 if the body is not on this
   * rank */
  sc_contact contact;
  scree_id body1, body2;
  /* sum of the impulses of the contact problem and of impacts [N s] */
  double impulse[3];
  double moment[3], pull, lost, lost_since; /* see sc_total */
  double age;                               /* time since contact detection [s] */
} sc_listed;
/* Returns the number of contacts that readers see: contacts of the last substep plus opened contacts. */
int32_t sc_world_listed_count(const scree_world *world);
/* Sets *out to contact `index` of the list that readers see, 0 <= index < sc_world_listed_count(world). Call
 * sc_world_settle_contacts first. */
void sc_world_listed(const scree_world *world, int32_t index, sc_listed *out);
/* Sets *out to the mean reaction of a joint over the last step. */
void sc_world_joint_reaction(const scree_world *world, const sc_joint *joint, sc_reaction *out);

/* Sets *out to the mean reaction of a bond over the last step. */
void sc_world_bond_reaction(const scree_world *world, const sc_bond *bond, sc_reaction *out);

#endif
