/* Joints that break, and the energy in the springs of joints.
 *
 * A joint breaks in the step in which one of its loads exceeds the bound for this load. The loads are:
 * - the mean force and torque of the step,
 * - their components in the frame of the joint's axis (yields.c),
 * - the energy in the joint's springs at the end of the step.
 *
 * With substeps, the load of each substep is compared with the bound. The joint is removed after the step,
 * its handle becomes stale, and the world stores a record of the break. All ranks know the loads of all
 * joints and therefore break the same joints. */
#include "world/world.h"
#include "world/mechanism/yields.h"
#include "world/mechanism/ties.h"

#include <math.h>
#include "math/vec.h"

double sc_world_elastic(const scree_world *world) {
  double sum = 0;
  for (int32_t i = 0; i < world->joints.count && world->ranks->rank == 0; i++) {
    const sc_joint *joint = world->joints.row + i;
    sc_joint_pose pose;
    if (world->joints.trait[i] & SC_JOINT_STIFF && !joint->yields &&
        sc_joint_place(&world->bodies, joint, &pose))
      sum += sc_joint_elastic(joint, &pose);
  }
  return sum;
}

static const char *const causes[SCREE_BREAK_CAUSES] = {"force", "torque", "energy", "tension", "compression",
    "shear", "bending", "twist", "edge_tension", "edge_shear"};
const char *scree_break_cause_name(int cause) {
  return cause >= 0 && cause < SCREE_BREAK_CAUSES ? causes[cause] : NULL;
}

/* Computes the components of a load in the frame of the joint's axis. axis: unit vector from body a to body
 * b. */
static void compute_load_parts(
    const double axis[3], const double force[3], const double torque[3], double part[SCREE_BREAK_CAUSES]) {
  double along = sc_dot(force, axis), twist = sc_dot(torque, axis), across[3];
  part[SCREE_BREAK_TENSION] = fmax(along, 0);
  part[SCREE_BREAK_COMPRESSION] = fmax(-along, 0);
  sc_axpy(-along, axis, force, across);
  part[SCREE_BREAK_SHEAR] = sc_norm(across);
  sc_axpy(-twist, axis, torque, across);
  part[SCREE_BREAK_BENDING] = sc_norm(across);
  part[SCREE_BREAK_TWIST] = fabs(twist);
}

/* Returns the cause with the largest component among the causes `first` .. `last`. */
static int largest_cause_of(const double part[SCREE_BREAK_CAUSES], int first, int last) {
  int found = first;
  for (int i = first + 1; i <= last; i++)
    if (part[i] > part[found]) found = i;
  return found;
}

int sc_joint_cause(const sc_joint *joint, const double axis[3], const double force[3], const double torque[3],
    double energy, double *share) {
  const scree_joint_def *d = &joint->def;
  const double bound[] = {d->break_force, d->break_torque, d->break_energy, d->break_tension,
      d->break_compression, d->break_shear, d->break_bending, d->break_twist};
  double part[SCREE_BREAK_CAUSES] = {sc_norm(force), sc_norm(torque), energy};
  const bool framed = sc_dot(d->axis, d->axis) > 0;
  int cause = -1;
  *share = 1;
  if (framed) compute_load_parts(axis, force, torque, part);
  for (int i = 0; i <= SCREE_BREAK_TWIST; i++)
    if (part[i] > bound[i] && (cause < 0 || part[i] / bound[i] > *share))
      cause = i, *share = part[i] / bound[i];
  if (framed && cause == SCREE_BREAK_FORCE)
    return largest_cause_of(part, SCREE_BREAK_TENSION, SCREE_BREAK_SHEAR);
  if (framed && cause == SCREE_BREAK_TORQUE)
    return largest_cause_of(part, SCREE_BREAK_BENDING, SCREE_BREAK_TWIST);
  return cause;
}

scree_status sc_world_record_break(scree_world *world, const scree_break *load, scree_error *error) {
  sc_joints *joints = &world->joints;
  if (!SC_GROW(joints->broken, joints->break_capacity, (size_t)joints->breaks + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d broken joints", joints->breaks + 1);
  joints->broken[joints->breaks++] = *load;
  if (world->ranks->rank == 0)
    world->energy.dissipated += load->energy, world->energy.elsewhere[SCREE_LOST_JOINTS] += load->energy;
  world->problem_valid = 0;
  return SCREE_OK;
}

/* Adds the spring energy of a joint that breaks to `correction`. sc_world_record_break adds this energy to
 * `dissipated`, but the change of elastic energy in `correction` lacks it. */
static void release_energy(scree_world *world, const scree_break *load) {
  if (world->ranks->rank == 0) world->energy.correction += load->energy;
}

/* Returns true if joint i breaks and sets *load to the record of the break. */
static bool is_joint_broken(scree_world *world, int32_t i, scree_break *load) {
  const sc_joints *joints = &world->joints;
  const sc_joint *joint = joints->row + i;
  sc_joint_pose pose;
  double share, force[3], torque[3];
  if (joint->yields) {
    *load = joints->yield[joint->yields - 1].load;
    release_energy(world, load);
    return true;
  }
  if (!(joints->trait[i] & SC_JOINT_BREAKS) || !sc_joint_place(&world->bodies, joint, &pose)) return false;
  sc_joint_read_mean(joint, sc_world_dt(world), force, torque);
  *load = (scree_break){.joint = joint->id,
      .type = joint->def.type,
      .a = joint->def.a,
      .b = joint->def.b,
      .time = world->time + (double)(world->substep + 1) * sc_world_dt(world),
      .force = sc_norm(force),
      .torque = sc_norm(torque),
      .energy = sc_joint_elastic(joint, &pose)};
  load->cause = sc_joint_cause(joint, pose.axis1, force, torque, load->energy, &share);
  sc_copy3(pose.p1, load->at);
  return load->cause >= 0;
}

scree_status sc_world_break_joints(scree_world *world, scree_error *error) {
  for (int32_t i = world->joints.count - 1; i >= 0; i--) {
    scree_break load;
    if (!is_joint_broken(world, i, &load)) continue;
    const scree_status status = sc_world_record_break(world, &load, error);
    if (status != SCREE_OK) return status;
    sc_joints_drop(&world->joints, &world->bodies, i);
  }
  return SCREE_OK;
}

int64_t scree_world_breaks_count(const scree_world *world) {
  SC_DEMAND(world, NULL, 0);
  return world->joints.breaks;
}

bool scree_world_break_at(const scree_world *world, int64_t index, scree_break *out) {
  SC_DEMAND(world, NULL, false);
  if (index < 0 || index >= world->joints.breaks) return false;
  *out = world->joints.broken[index];
  return true;
}
