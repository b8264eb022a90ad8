/* The script's side of a checkpoint: w.state, random numbers, clocks, profiles and flows. */
#ifndef SL_RESTORE_H
#define SL_RESTORE_H

#include "bind/scene/scene.h"
#include "scree/checkpoint.h"

/* Adds world and script. Errors name the entry of w.state that is not plain data. */
scree_status sl_scene_save(sl_scene *scene, scree_checkpoint *checkpoint, scree_error *error);
/* Brings a scene that was just built to the state of the checkpoint. */
scree_status sl_scene_restore(sl_scene *scene, const scree_checkpoint *checkpoint, scree_error *error);

#endif
