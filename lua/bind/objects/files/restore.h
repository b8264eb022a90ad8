/* The part of a checkpoint that belongs to the script: w.state, random numbers, clocks, probes. */
#ifndef SL_RESTORE_H
#define SL_RESTORE_H

#include "bind/scene/scene.h"
#include "scree/checkpoint.h"

/* Adds the world and the script's part to a checkpoint. An error names the entry of w.state that is not plain
 * data. */
scree_status sl_scene_save(sl_scene *scene, scree_checkpoint *checkpoint, scree_error *error);
/* Sets a scene whose setup has just run to the state of the checkpoint. */
scree_status sl_scene_restore(sl_scene *scene, const scree_checkpoint *checkpoint, scree_error *error);

#endif
