/* What the files that save worlds share: the head of a checkpoint, and its rows of bodies and shapes
 * (save_bodies.c, save_shapes.c). */
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

/* Plain numbers of the world. */
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

/* A shape with the links of its row. */
typedef struct sc_saved_shape {
  int32_t body, next;
  sc_shape shape;
} sc_saved_shape;

/* geometry: held by checkpoints that were saved in this process, in the order of their numbers; none in
 * checkpoints that were read from files and in those of worlds on several ranks. */
struct scree_checkpoint {
  sc_sections sections;
  const scree_geometry **geometry;
  int32_t geometries;
  bool was_saved_here; /* true: the sections of the world were saved in this process */
  scree_world_def def; /* of the saved world, if was_saved_here */
};

/* Loads like scree_world_load. Takes hulls and meshes that the checkpoint holds, so that the world need not
 * have them. */
scree_status sc_load_world(scree_world *w, const scree_checkpoint *from, scree_error *error);
/* Retains the geometries of a whole world for its checkpoint. */
scree_status sc_save_hold_geometries(const scree_world *w, scree_checkpoint *checkpoint, scree_error *error);
/* Refuses a checkpoint of a world with another cell or without the losses that this world keeps. */
scree_status sc_save_check_parts(const scree_world *w, const sc_sections *in, scree_error *error);
/* Saves and loads figures of the report that belong to the last step or count since the start, and that no
 * later step reads (save_figures.c). */
scree_status sc_save_figures(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_load_figures(scree_world *w, const sc_sections *in, scree_error *error);

/* Whether a stretch of doubles holds finite numbers only. */
bool sc_save_finite(const void *values, size_t count);

/* Materials, pairs, laws, names and joints of a world that has just been loaded (save_check.c). */
scree_status sc_save_check_rules(const scree_world *w, scree_error *error);
scree_status sc_save_check_joints(
    const scree_world *w, const sc_joint *joints, int32_t count, scree_error *error);
scree_status sc_save_check_bonds(const sc_bodies *bodies, const sc_bond *bonds, int32_t count,
    const scree_glue *glue, int32_t glues, scree_error *error);

/* Saves and loads the version of the parameters of laws (save_laws.c). Loading turns older parameters of the
 * loaded rules into those of this version. */
scree_status sc_save_laws(sc_sections *out, scree_error *error);
scree_status sc_load_laws(scree_world *w, const sc_sections *in, scree_error *error);

/* The cell, where the world has one (save_cell.c). A checkpoint fits worlds with the same periodic edges. */
scree_status sc_save_cell(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_load_cell(scree_world *w, const sc_sections *in, scree_error *error);

/* Named points (save_points.c). */
scree_status sc_save_points(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_load_points(scree_world *w, const sc_sections *in, scree_error *error);
scree_status sc_save_fast(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_load_fast(scree_world *w, const sc_sections *in, scree_error *error);

/* Saves and loads the velocities of bodies after the last step and the id of the newest joint of that step
 * (save_left.c). Must be loaded after bodies and joints. */
scree_status sc_save_left(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_load_left(scree_world *w, const sc_sections *in, scree_error *error);
/* Losses (save_losses.c); collective. Loaded after the materials. */
scree_status sc_save_losses(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_load_losses(scree_world *w, const sc_sections *in, scree_error *error);

/* Saves and loads the sums over the substeps of the last step (save_totals.c): rows of contacts on this
 * rank, the section of the whole world, and means of joints and bonds. Must be loaded after the contacts. */
int32_t sc_save_total_rows(const scree_world *w);
scree_status sc_save_totals(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_save_means(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_load_totals(scree_world *w, const sc_sections *in, scree_error *error);

/* What a rank's own bodies and shapes are in the whole. */
typedef struct sc_saved_part {
  int32_t *own; /* rows of own bodies, in order */
  /* per body here: row of its first shape in the whole, -1 unknown; the others follow */
  int32_t *first_shape;
  int32_t *geometry;                    /* by number of the ranks - 1: number in the checkpoint */
  int32_t bodies, shapes;               /* own */
  int32_t before_bodies, before_shapes; /* of the ranks before */
} sc_saved_part;

void sc_save_fill_head(const scree_world *w, int32_t geometries, sc_save_head *h);
/* Names, materials, pairs and joints. */
scree_status sc_save_rules(const scree_world *w, sc_sections *out, scree_error *error);
/* All of a world that is whole. */
scree_status sc_save_whole(const scree_world *w, sc_sections *out, scree_error *error);
scree_status sc_save_bodies_part(
    const scree_world *w, const sc_saved_part *part, sc_pieces *out, scree_error *error);
scree_status sc_save_shapes_part(
    const scree_world *w, const sc_saved_part *part, sc_pieces *out, scree_error *error);
scree_status sc_save_geometry_hashes(
    const scree_geometry *const *list, int32_t count, sc_sections *out, scree_error *error);
scree_status sc_save_bodies(const scree_world *w, sc_sections *out, scree_error *error);
/* After the shapes. */
scree_status sc_load_bodies(scree_world *w, const sc_save_head *h, const sc_sections *in, scree_error *error);

/* Distinct geometries in the order in which shapes hold them (release the list with sc_free); false
 * without memory. */
bool sc_save_geometries(const sc_shapes *shapes, const scree_geometry ***list, int32_t *count);
scree_status sc_save_shapes(const scree_world *w, const scree_geometry *const *list, int32_t count,
    sc_sections *out, scree_error *error);
scree_status sc_load_shapes(
    scree_world *w, const sc_save_head *h, const scree_checkpoint *from, scree_error *error);

#endif
