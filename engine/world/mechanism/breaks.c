/* Joints that break, and the energy in the springs of joints.
 *
 * A joint breaks after the step in which its load was above what it bears: the mean force or torque of that
 * step, a part of either in the frame of its axis, or the energy in its springs at its end. With substeps
 * the load of each substep is judged by itself. The joint is taken away, its handle is stale from then on,
 * and the world remembers what happened. Every rank knows the loads of all joints, so all break the same
 * ones. */
#include "world/world.h"

#include <math.h>
#include "math/vec.h"

double sc_world_elastic(const scree_world *world) {
  double sum = 0;
  for (int32_t i = 0; i < world->joints.count && world->ranks->rank == 0; i++) {
    const sc_joint *joint = world->joints.row + i;
    sc_joint_pose pose;
    if (world->joints.trait[i] & SC_JOINT_STIFF && sc_joint_place(&world->bodies, joint, &pose))
      sum += sc_joint_elastic(joint, &pose);
  }
  return sum;
}

static const char *const causes[SCREE_BREAK_CAUSES] = {"force", "torque", "energy", "tension", "compression",
    "shear", "bending", "twist", "edge_tension", "edge_shear"};
const char *scree_break_cause_name(int cause) {
  return cause >= 0 && cause < SCREE_BREAK_CAUSES ? causes[cause] : NULL;
}

/* What a joint carries in the frame of its axis, a unit vector from a to b. */
static void parts_of(const sc_joint *joint, const double axis[3], double part[SCREE_BREAK_CAUSES]) {
  double along = sc_dot(joint->force, axis), twist = sc_dot(joint->torque, axis), across[3];
  part[SCREE_BREAK_TENSION] = fmax(along, 0);
  part[SCREE_BREAK_COMPRESSION] = fmax(-along, 0);
  sc_axpy(-along, axis, joint->force, across);
  part[SCREE_BREAK_SHEAR] = sc_norm(across);
  sc_axpy(-twist, axis, joint->torque, across);
  part[SCREE_BREAK_BENDING] = sc_norm(across);
  part[SCREE_BREAK_TWIST] = fabs(twist);
}

/* The part of a force or torque that is the largest, of those from `first` to `last`. */
static int largest(const double part[SCREE_BREAK_CAUSES], int first, int last) {
  int found = first;
  for (int i = first + 1; i <= last; i++)
    if (part[i] > part[found]) found = i;
  return found;
}

/* Which bound the load passes, by the largest share of it; -1: none. */
static int cause_of(const sc_joint *joint, const double axis[3], const scree_break *load) {
  const scree_joint_def *d = &joint->def;
  const double bound[] = {d->break_force, d->break_torque, d->break_energy, d->break_tension,
      d->break_compression, d->break_shear, d->break_bending, d->break_twist};
  double part[SCREE_BREAK_CAUSES] = {load->force, load->torque, load->energy}, most = 1;
  const bool framed = sc_dot(d->axis, d->axis) > 0;
  int cause = -1;
  if (framed) parts_of(joint, axis, part);
  for (int i = 0; i <= SCREE_BREAK_TWIST; i++)
    if (part[i] > bound[i] && (cause < 0 || part[i] / bound[i] > most)) cause = i, most = part[i] / bound[i];
  if (framed && cause == SCREE_BREAK_FORCE) return largest(part, SCREE_BREAK_TENSION, SCREE_BREAK_SHEAR);
  if (framed && cause == SCREE_BREAK_TORQUE) return largest(part, SCREE_BREAK_BENDING, SCREE_BREAK_TWIST);
  return cause;
}

scree_status sc_world_record_break(scree_world *world, const scree_break *load, scree_error *error) {
  sc_joints *joints = &world->joints;
  if (!SC_GROW(joints->broken, joints->break_capacity, (size_t)joints->breaks + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d broken joints", joints->breaks + 1);
  joints->broken[joints->breaks++] = *load;
  if (world->ranks->rank == 0)
    world->dissipated += load->energy, world->lost_elsewhere[SCREE_LOST_JOINTS] += load->energy;
  world->problem_valid = 0;
  return SCREE_OK;
}

scree_status sc_world_break_joints(scree_world *world, scree_error *error) {
  sc_joints *joints = &world->joints;
  for (int32_t i = joints->count - 1; i >= 0; i--) {
    const sc_joint *joint = joints->row + i;
    sc_joint_pose pose;
    if (!(joints->trait[i] & SC_JOINT_BREAKS) || !sc_joint_place(&world->bodies, joint, &pose)) continue;
    scree_break load = {.joint = joint->id,
        .type = joint->def.type,
        .a = joint->def.a,
        .b = joint->def.b,
        .time = world->time + (double)(world->substep + 1) * sc_world_dt(world),
        .force = sc_norm(joint->force),
        .torque = sc_norm(joint->torque),
        .energy = sc_joint_elastic(joint, &pose)};
    const int cause = cause_of(joint, pose.axis1, &load);
    if (cause < 0) continue;
    load.cause = cause;
    sc_copy3(pose.p1, load.at);
    const scree_status status = sc_world_record_break(world, &load, error);
    if (status != SCREE_OK) return status;
    sc_joints_drop(joints, &world->bodies, i);
  }
  return SCREE_OK;
}

int64_t scree_world_breaks_count(const scree_world *world) { return world->joints.breaks; }

bool scree_world_break_at(const scree_world *world, int64_t index, scree_break *out) {
  if (index < 0 || index >= world->joints.breaks) return false;
  *out = world->joints.broken[index];
  return true;
}
