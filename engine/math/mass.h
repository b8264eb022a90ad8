/* Mass properties: mass, centre of mass and inertia tensor of simple solids, and their combination.
 *
 * Inertia tensors are symmetric, (xx,xy,xz,yy,yz,zz), and always about the centre of mass of the same struct.
 * Off-diagonal entries are those of the tensor, -int x y dm. */
#ifndef SC_MASS_H
#define SC_MASS_H

typedef struct sc_mass {
  double mass;       /* mass [kg] */
  double centre[3];  /* position of the centre of mass [m] */
  double inertia[6]; /* about the centre of mass, axes of the frame in use [kg m2] */
} sc_mass;

/* Returns the mass properties of a sphere. All solids below have uniform density [kg/m3] and their own frame:
 * the axis of revolution is z, and `half` is half the length [m]. */
sc_mass sc_mass_sphere(double radius, double density);
/* Returns the mass properties of an ellipsoid. */
sc_mass sc_mass_ellipsoid(const double semi_axes[3], double density);
/* Returns the mass properties of a box. */
sc_mass sc_mass_box(const double half_edges[3], double density);
/* Returns the mass properties of a cylinder. */
sc_mass sc_mass_cylinder(double radius, double half, double density);
/* Returns the mass properties of a capsule: a cylinder of length 2 half between the centres of two
 * half-spheres. */
sc_mass sc_mass_capsule(double radius, double half, double density);
/* Returns the mass properties of a cone with its base in the plane z = -half and its apex at z = +half. The
 * centre of mass lies at z = -half/2. */
sc_mass sc_mass_cone(double radius, double half, double density);

/* Returns the mass properties of a part in another frame. position, orientation (unit quaternion): pose of
 * the part's own frame in the other frame. */
sc_mass sc_mass_moved(const sc_mass *part, const double position[3], const double orientation[4]);
/* Adds the mass properties of a part to those of a total, both in the same frame (parallel axes). A total of
 * all zeros is empty. */
void sc_mass_add(sc_mass *total, const sc_mass *part);

/* Sets out to the inverse of a symmetric positive definite tensor (xx,xy,xz,yy,yz,zz). Returns 0 and leaves
 * out unchanged if the tensor is not positive definite. */
int sc_sym_invert(const double T[6], double out[6]);

#endif
