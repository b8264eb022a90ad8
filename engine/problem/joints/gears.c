/* Computes the contribution of the housing to the rows of gears and racks.
 *
 * The rows of joints.c use velocities of wheels and racks relative to the housing f:
 *     gear   (w_a - w_f).axis + ratio (w_b - w_f).axis_b
 *     rack   (v_b - v_f - w_f x (x_b - x_f)).axis_b - ratio (w_a - w_f).axis
 * The contribution of the housing is minus the row that wheels would have if they were fixed to the housing.
 * The impulses on the three bodies then have the sum 0 and the moment 0, so linear and angular momentum are
 * conserved. */
#include "problem/joints/gears.h"

#include "math/vec.h"

void sc_gear_third(const sc_bodies *bodies, const sc_joint *joint, const sc_joint_pose *pose, int32_t housing,
    double length, double scale, sc_joint_third *third) {
  const scree_joint_def *def = &joint->def;
  double turn[3], arm[3], moment[3];
  *third = (sc_joint_third){.body = housing};
  if (def->type == SCREE_JOINT_GEAR) {
    sc_axpy(def->ratio, pose->axis2, pose->axis1, turn);
    sc_scale(-length, turn, turn);
  } else {
    sc_sub(pose->x2, bodies->position[housing], arm);
    sc_cross(arm, pose->axis2, moment);
    sc_scale(-1, pose->axis2, third->lin);
    sc_scale(def->ratio, pose->axis1, turn);
    sc_sub(turn, moment, turn);
  }
  sc_scale(1 / scale, turn, third->ang);
}
