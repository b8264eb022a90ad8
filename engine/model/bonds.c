/* The table of bonds. Computes strains, energies and stresses of bonds, which are beams between two bodies
 * (Potyondy & Cundall 2004, equations 13 to 18). */
#include "model/bonds.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"

static const double PI = 3.14159265358979323846;

#define GLUE(member) offsetof(scree_glue, member)
const scree_param scree_glue_params[] = {
    SCREE_ROW_REAL(
        "young", GLUE(young), "Pa", 0, 0, INFINITY, "Young's modulus; 0: all stiffnesses are given"),
    SCREE_ROW_REAL("ratio", GLUE(ratio), "", 1, 0, INFINITY, "stiffness along the bond over that across"),
    SCREE_ROW_REAL("normal_stiffness", GLUE(stiffness.normal), "N/m", 0, 0, INFINITY,
        "in place of the beam's; 0: the beam's"),
    SCREE_ROW_REAL("shear_stiffness", GLUE(stiffness.shear), "N/m", 0, 0, INFINITY, "likewise"),
    SCREE_ROW_REAL("bending_stiffness", GLUE(stiffness.bending), "N m/rad", 0, 0, INFINITY, "likewise"),
    SCREE_ROW_REAL("twist_stiffness", GLUE(stiffness.twist), "N m/rad", 0, 0, INFINITY, "likewise"),
    SCREE_ROW_REAL("normal_damping", GLUE(damping.normal), "s", 0, 0, INFINITY, "over normal stiffness"),
    SCREE_ROW_REAL("shear_damping", GLUE(damping.shear), "s", 0, 0, INFINITY, "over shear stiffness"),
    SCREE_ROW_REAL("bending_damping", GLUE(damping.bending), "s", 0, 0, INFINITY, "over bending stiffness"),
    SCREE_ROW_REAL("twist_damping", GLUE(damping.twist), "s", 0, 0, INFINITY, "over twist stiffness"),
    SCREE_ROW_REAL("radius", GLUE(radius), "", 1, 0, INFINITY, "in radii of the smaller body"),
    SCREE_ROW_LIMIT(
        "tension", GLUE(tension), "Pa", "force that draws apart over the section, above which it breaks"),
    SCREE_ROW_LIMIT("compression", GLUE(compression), "Pa", "force that presses together over the section"),
    SCREE_ROW_LIMIT("shear", GLUE(shear), "Pa", "force across over the section"),
    SCREE_ROW_LIMIT("bending", GLUE(bending), "Pa", "stress of bending at the edge"),
    SCREE_ROW_LIMIT("twist", GLUE(twist), "Pa", "shear stress of twist at the edge"),
    SCREE_ROW_LIMIT("edge_tension", GLUE(edge_tension), "Pa", "tension and bending together, at the edge"),
    SCREE_ROW_LIMIT("edge_shear", GLUE(edge_shear), "Pa", "shear and twist together, at the edge"),
    SCREE_ROW_BOOLEAN("collide", GLUE(collide), "bonded bodies touch as well"),
};
const int scree_glue_params_count = sizeof scree_glue_params / sizeof *scree_glue_params;

void sc_bonds_free(sc_bonds *bonds) {
  sc_free(bonds->row);
  sc_free(bonds->glue);
  memset(bonds, 0, sizeof *bonds);
}

scree_glue scree_glue_defaults(void) {
  scree_glue glue = {0};
  scree_param_defaults(scree_glue_params, scree_glue_params_count, &glue);
  return glue;
}

static bool same_ways(const scree_bond_ways *a, const scree_bond_ways *b) {
  return a->normal == b->normal && a->shear == b->shear && a->bending == b->bending && a->twist == b->twist;
}

static bool same_glue(const scree_glue *a, const scree_glue *b) {
  return a->young == b->young && a->ratio == b->ratio && a->radius == b->radius &&
      same_ways(&a->stiffness, &b->stiffness) && same_ways(&a->damping, &b->damping) &&
      a->tension == b->tension && a->compression == b->compression && a->shear == b->shear &&
      a->bending == b->bending && a->twist == b->twist && a->edge_tension == b->edge_tension &&
      a->edge_shear == b->edge_shear && a->collide == b->collide;
}

int32_t sc_bonds_glue(sc_bonds *bonds, const scree_glue *glue) {
  for (int32_t i = 0; i < bonds->glues; i++)
    if (same_glue(bonds->glue + i, glue)) return i;
  if (!SC_GROW(bonds->glue, bonds->glue_capacity, (size_t)bonds->glues + 1)) return -1;
  scree_glue *to = bonds->glue + bonds->glues;
  memset(to, 0, sizeof *to);
  *to = *glue;
  return bonds->glues++;
}

int32_t sc_bonds_find(const sc_bonds *bonds, uint64_t id) {
  int32_t low = 0, high = bonds->count;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    if (bonds->row[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low < bonds->count && bonds->row[low].id == id ? low : -1;
}

/* Returns the stiffnesses of a bond. A stiffness that the glue sets (> 0) is used as it is; any other
 * stiffness is computed for a beam. radius, length: radius and length of the beam [m]. */
static scree_bond_ways stiffness_of(const scree_glue *glue, double radius, double length) {
  const double square = radius * radius, normal = glue->young * PI * square / length,
               bending = normal * square / 4;
  const scree_bond_ways own = glue->stiffness;
  return (scree_bond_ways){.normal = own.normal > 0 ? own.normal : normal,
      .shear = own.shear > 0 ? own.shear : normal / glue->ratio,
      .bending = own.bending > 0 ? own.bending : bending,
      .twist = own.twist > 0 ? own.twist : 2 * bending / glue->ratio};
}

double sc_bond_share(const sc_bond *bond) {
  const double a = sc_norm(bond->anchor1), b = sc_norm(bond->anchor2);
  return a / (a + b);
}

sc_bond sc_bond_make(const sc_bodies *bodies, int32_t row1, int32_t row2, const scree_glue *glue) {
  const double *x1 = bodies->position[row1], *x2 = bodies->position[row2], *q = bodies->orientation[row1];
  const double r1 = bodies->radius[row1], r2 = bodies->radius[row2], back[4] = {q[0], -q[1], -q[2], -q[3]};
  sc_bond bond;
  double d[3], at[3];
  memset(&bond, 0, sizeof bond);
  bond.a = sc_bodies_id(bodies, row1), bond.b = sc_bodies_id(bodies, row2);
  sc_sub(x2, x1, d);
  const double length = sc_norm(d), share = (r1 + (length - r1 - r2) / 2) / length;
  bond.radius = glue->radius * fmin(r1, r2);
  bond.stiffness = stiffness_of(glue, bond.radius, length);
  sc_scale(share, d, at);
  sc_quat_unrotate(q, at, bond.anchor1);
  sc_scale(share - 1, d, at);
  sc_quat_unrotate(bodies->orientation[row2], at, bond.anchor2);
  bond.share = sc_bond_share(&bond);
  sc_quat_mul(back, bodies->orientation[row2], bond.relative);
  return bond;
}

/* Sets out to twice the vector part of the quaternion that rotates body a relative to body b since the bond
 * was created. q1, q2: present orientations of a and b. relative: orientation of b in a's frame at
 * creation. */
static void compute_bond_turn(
    const double q1[4], const double relative[4], const double q2[4], double out[3]) {
  const double back[4] = {q2[0], -q2[1], -q2[2], -q2[3]};
  double whole[4], off[4];
  sc_quat_mul(q1, relative, whole);
  sc_quat_mul(whole, back, off);
  for (int k = 0; k < 3; k++) out[k] = off[0] < 0 ? -2 * off[k + 1] : 2 * off[k + 1];
}

bool sc_bond_place(const sc_bodies *bodies, const sc_bond *bond, sc_bond_pose *pose) {
  return sc_bond_place_rows(
      bodies, bond, sc_bodies_row(bodies, bond->a), sc_bodies_row(bodies, bond->b), pose);
}

bool sc_bond_place_rows(
    const sc_bodies *bodies, const sc_bond *bond, int32_t i, int32_t j, sc_bond_pose *pose) {
  double d[3], r1[3], r2[3];
  pose->row1 = i, pose->row2 = j;
  if (i < 0 || j < 0) return false;
  sc_sub(bodies->position[j], bodies->position[i], d);
  const double distance = sc_normalise(d, pose->axis);
  if (!(distance > 0)) return false;
  pose->arm1 = distance * bond->share;
  pose->arm2 = distance - pose->arm1;
  sc_quat_rotate(bodies->orientation[i], bond->anchor1, r1);
  sc_quat_rotate(bodies->orientation[j], bond->anchor2, r2);
  for (int k = 0; k < 3; k++) pose->stretch[k] = r1[k] - r2[k] - d[k];
  compute_bond_turn(bodies->orientation[i], bond->relative, bodies->orientation[j], pose->turned);
  return true;
}

double sc_bond_elastic(const sc_bond *bond, const sc_bond_pose *pose) {
  const scree_bond_ways k = bond->stiffness;
  const double along = sc_dot(pose->stretch, pose->axis), about = sc_dot(pose->turned, pose->axis);
  return (k.normal * along * along + k.shear * (sc_dot(pose->stretch, pose->stretch) - along * along) +
             k.twist * about * about + k.bending * (sc_dot(pose->turned, pose->turned) - about * about)) /
      2;
}

bool sc_glue_breaks(const scree_glue *glue) {
  return glue->tension < INFINITY || glue->compression < INFINITY || glue->shear < INFINITY ||
      glue->bending < INFINITY || glue->twist < INFINITY || glue->edge_tension < INFINITY ||
      glue->edge_shear < INFINITY;
}

/* Returns the length of the component of x perpendicular to an axis. along: component of x along the axis. */
static double across_length(const double x[3], const double axis[3], double along) {
  double part[3];
  sc_axpy(-along, axis, x, part);
  return sc_norm(part);
}

int sc_bond_cause(const sc_bond *bond, const scree_glue *glue, const double axis[3], const double force[3],
    const double torque[3], double *share) {
  const double area = PI * bond->radius * bond->radius,
               /* section modulus I/B [m3] (I: second moment of area, B: radius); J/B (J: polar moment of
                * area) is twice this value */
      modulus = area * bond->radius / 4;
  const double along = sc_dot(force, axis), about = sc_dot(torque, axis);
  const double tension = along / area, shear = across_length(force, axis, along) / area,
               bending = across_length(torque, axis, about) / modulus, twist = fabs(about) / (2 * modulus);
  const struct {
    int cause;
    double stress, bears;
  } way[] = {{SCREE_BREAK_TENSION, tension, glue->tension},
      {SCREE_BREAK_COMPRESSION, -tension, glue->compression}, {SCREE_BREAK_SHEAR, shear, glue->shear},
      {SCREE_BREAK_BENDING, bending, glue->bending}, {SCREE_BREAK_TWIST, twist, glue->twist},
      {SCREE_BREAK_EDGE_TENSION, tension + bending, glue->edge_tension},
      {SCREE_BREAK_EDGE_SHEAR, shear + twist, glue->edge_shear}};
  int cause = -1;
  *share = 1;
  for (size_t i = 0; i < sizeof way / sizeof *way; i++)
    if (way[i].stress > way[i].bears && (cause < 0 || way[i].stress / way[i].bears > *share))
      cause = way[i].cause, *share = way[i].stress / way[i].bears;
  return cause;
}
