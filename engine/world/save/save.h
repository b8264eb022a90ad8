/* Types and functions shared by the files of this folder, which save and load worlds. */
#ifndef SC_SAVE_H
#define SC_SAVE_H

#include "model/bodies.h"
#include "model/joints.h"
#include "model/shapes.h"
#include "scree/joint.h"
#include "scree/checkpoint.h"
#include "io/trajectory/checkpoint.h"
#include "io/trajectory/pieces.h"
#include "scree/world.h"
#include "world/account/losses.h"

/* Section world.head: counts, clocks and other single numbers of the world. Further sections contain its
 * arrays. */
typedef struct sc_save_head {
  int32_t bodies, shapes, names, materials, rules, laws, user_laws, geometries, state_stride, joints, breaks,
      zero;
  uint32_t slots_count, free_slot;
  uint64_t shape_bytes, version, fills, joint_serial;
  int64_t step, iterations;
  double time, dissipated, residual_scale, penetration, elastic, stable_dt, sliding_loss, contact_age,
      mean_load, slow_load, impulse_time;
  double gravity[3], dt, seconds[SCREE_STAGES];
} sc_save_head;

/* A row of section world.shapes. body: row of the shape's body; next: row of the next shape of this body, -1:
 * none. */
typedef struct sc_saved_shape {
  int32_t body, next;
  sc_shape shape;
} sc_saved_shape;

struct scree_checkpoint {
  sc_sections sections;
  /* [geometries] retained geometries in the order of their numbers, if the checkpoint was saved in this
   * process. NULL if it was read from a file or if the world is on several ranks. */
  const scree_geometry **geometry;
  int32_t geometries;
  bool was_saved_here; /* true: the sections of the world were saved in this process */
  scree_world_def def; /* definition of the saved world; valid if was_saved_here is true */
};

/* Loads a checkpoint like scree_world_load. Also finds the hulls and meshes that the checkpoint retains. The
 * world therefore does not need to have them. */
scree_status sc_load_world(scree_world *w, const scree_checkpoint *from, scree_error *error);
/* Retains the geometries of a world on one rank for its checkpoint, so that they are not freed before it. */
scree_status sc_save_hold_geometries(const scree_world *w, scree_checkpoint *checkpoint, scree_error *error);
/* Fails if only one of checkpoint and world has a cell, or if only one of them records losses. */
scree_status sc_save_check_parts(const scree_world *w, const sc_sections *in, scree_error *error);
/* Saves figures of the report that no later step reads (save_figures.c). */
scree_status sc_save_figures(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the figures of sc_save_figures. */
scree_status sc_load_figures(scree_world *w, const sc_sections *in, scree_error *error);

/* Returns true if all `count` doubles are finite. */
bool sc_save_finite(const void *values, size_t count);

/* Checks names, materials, pairs and laws of a loaded world (save_check.c). */
scree_status sc_save_check_rules(const scree_world *w, scree_error *error);

/* Checks loaded rows of joints: numbers, bodies, and the order of ids (save_check.c). */
scree_status sc_save_check_joints(
    const scree_world *w, const sc_joint *joints, int32_t count, scree_error *error);

/* Checks loaded rows of bonds and glues (save_check.c). */
scree_status sc_save_check_bonds(const sc_bodies *bodies, const sc_bond *bonds, int32_t count,
    const scree_glue *glue, int32_t glues, scree_error *error);

/* Saves the version number of the parameters of laws (save_laws.c). */
scree_status sc_save_laws(sc_sections *out, scree_error *error);

/* Loads the version number of the parameters of laws. Converts the parameters of loaded rules from an older
 * version. */
scree_status sc_load_laws(scree_world *w, const sc_sections *in, scree_error *error);

/* Saves the cell, if the world has one (save_cell.c). */
scree_status sc_save_cell(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the cell. Returns SCREE_E_ARGUMENT if the periodic edges of checkpoint and world differ. */
scree_status sc_load_cell(scree_world *w, const sc_sections *in, scree_error *error);

/* Saves the named points (save_points.c). */
scree_status sc_save_points(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the named points (save_points.c). */
scree_status sc_load_points(scree_world *w, const sc_sections *in, scree_error *error);

/* Saves the ids of fast bodies (save_points.c). */
scree_status sc_save_fast(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the ids of fast bodies (save_points.c). */
scree_status sc_load_fast(scree_world *w, const sc_sections *in, scree_error *error);

/* Saves the velocities of bodies at the end of the last step, and the largest joint id in this step. Saves
 * nothing if neither has changed since (save_left.c). */
scree_status sc_save_left(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the sections of sc_save_left. Call after bodies and joints have been loaded. */
scree_status sc_load_left(scree_world *w, const sc_sections *in, scree_error *error);
/* Saves which bodies have taken part in a step with faces, if a pair has a stiffness per area
 * (save_faces.c). */
scree_status sc_save_faces(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the section of sc_save_faces. Checks the face data in the states of contacts. Call after the contacts
 * have been loaded. */
scree_status sc_load_faces(scree_world *w, const sc_sections *in, scree_error *error);
/* Saves the losses of pairs of materials if the world records losses (save_losses.c). Collective. */
scree_status sc_save_losses(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the section of sc_save_losses. Call after the materials have been loaded. */
scree_status sc_load_losses(scree_world *w, const sc_sections *in, scree_error *error);

/* Returns the number of contacts on this rank with sums over the substeps of the last step
 * (save_totals.c). */
int32_t sc_save_total_rows(const scree_world *w);

/* Saves the sums of contacts over the substeps of the last step. For a world on one rank. */
scree_status sc_save_totals(const scree_world *w, sc_sections *out, scree_error *error);

/* Saves the mean reactions of joints and bonds over the last step. */
scree_status sc_save_means(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the sections of sc_save_totals and sc_save_means. Call after the contacts have been loaded. */
scree_status sc_load_totals(scree_world *w, const sc_sections *in, scree_error *error);

/* Order in which the checkpoint of the whole world stores the bodies and shapes that this rank owns. */
typedef struct sc_saved_part {
  int32_t *own; /* [bodies] rows of own bodies in the world, in the order of the checkpoint */
  /* [bodies of this rank] row in world.shapes of the body's first shape; its other shapes follow in the next
   * rows. -1: unknown */
  int32_t *first_shape;
  /* [geometry_number - 1] number in the checkpoint of the geometry with number sc_ranks.geometry_number */
  int32_t *geometry;
  int32_t bodies, shapes;               /* numbers of this rank's own bodies and of their shapes */
  int32_t before_bodies, before_shapes; /* numbers of bodies and shapes that lower ranks save */
} sc_saved_part;

/* Fills the head of a checkpoint from the world. geometries: number of geometries in the checkpoint. */
void sc_save_fill_head(const scree_world *w, int32_t geometries, sc_save_head *h);

/* Saves names, materials, pairs, laws, joints, bonds, named points and fast bodies. */
scree_status sc_save_rules(const scree_world *w, sc_sections *out, scree_error *error);

/* Saves everything of a world on one rank. */
scree_status sc_save_whole(const scree_world *w, sc_sections *out, scree_error *error);

/* Adds this rank's own bodies to the pieces of a checkpoint (save_bodies.c). */
scree_status sc_save_bodies_part(
    const scree_world *w, const sc_saved_part *part, sc_pieces *out, scree_error *error);

/* Adds the shapes of this rank's own bodies to the pieces of a checkpoint (save_shapes.c). */
scree_status sc_save_shapes_part(
    const scree_world *w, const sc_saved_part *part, sc_pieces *out, scree_error *error);

/* Saves the hashes of the `count` geometries in `list`. */
scree_status sc_save_geometry_hashes(
    const scree_geometry *const *list, int32_t count, sc_sections *out, scree_error *error);

/* Saves all bodies of a world on one rank. */
scree_status sc_save_bodies(const scree_world *w, sc_sections *out, scree_error *error);

/* Loads the bodies. Call after the shapes have been loaded. */
scree_status sc_load_bodies(scree_world *w, const sc_save_head *h, const sc_sections *in, scree_error *error);

/* Sets *list to the distinct geometries, in the order of the shapes that use them. The caller frees the list
 * with sc_free. Returns false without memory. */
bool sc_save_geometries(const sc_shapes *shapes, const scree_geometry ***list, int32_t *count);

/* Saves all shapes of a world on one rank, and the hashes of the `count` geometries in `list`. */
scree_status sc_save_shapes(const scree_world *w, const scree_geometry *const *list, int32_t count,
    sc_sections *out, scree_error *error);

/* Replaces the shapes of the world by those of a checkpoint. Returns SCREE_E_ARGUMENT if neither the
 * checkpoint nor the world has a geometry that a shape needs. */
scree_status sc_load_shapes(
    scree_world *w, const sc_save_head *h, const scree_checkpoint *from, scree_error *error);

#endif
