/* Mass properties: mass, centre of mass and inertia tensor of simple solids, and their combination.
 *
 * Inertia tensors are symmetric, (xx,xy,xz,yy,yz,zz), and always about the centre of mass of the same struct.
 * Off-diagonal entries have the sign of the tensor: xy = -int x y dm. */
#ifndef SC_MASS_H
#define SC_MASS_H

typedef struct sc_mass {
  double mass;       /* mass [kg] */
  double centre[3];  /* position of the centre of mass [m] */
  double inertia[6]; /* about the centre of mass, axes of the frame in use [kg m2] */
} sc_mass;

/* Returns the mass properties of a sphere about the origin. All solids below have uniform density [kg/m3];
 * their axis of revolution is z, and `half` is half their length [m]. */
sc_mass sc_mass_sphere(double radius, double density);
/* Returns the mass properties of an ellipsoid with the given semi-axes [m]. */
sc_mass sc_mass_ellipsoid(const double semi_axes[3], double density);
/* Returns the mass properties of a box with the given half edges [m]. */
sc_mass sc_mass_box(const double half_edges[3], double density);
/* Returns the mass properties of a cylinder. */
sc_mass sc_mass_cylinder(double radius, double half, double density);
/* Returns the mass properties of a capsule: a cylinder of length 2 half between the centres of two
 * half-spheres. */
sc_mass sc_mass_capsule(double radius, double half, double density);
/* Returns the mass properties of a cone with its base in the plane z = -half and its apex at z = +half. The
 * centre of mass lies at z = -half/2. */
sc_mass sc_mass_cone(double radius, double half, double density);

/* Returns the mass properties of a part, transformed from the part's own frame to another frame. position,
 * orientation (unit quaternion): pose of the part's own frame in the other frame. */
sc_mass sc_mass_moved(const sc_mass *part, const double position[3], const double orientation[4]);
/* Adds the mass properties of a part to *total, by the theorem of parallel axes. Both must be in the same
 * frame. Start with a total of zeros. */
void sc_mass_add(sc_mass *total, const sc_mass *part);

/* Sets out to the inverse of a symmetric positive definite tensor (xx,xy,xz,yy,yz,zz). Returns 0 and leaves
 * out unchanged if the tensor is not positive definite. */
int sc_sym_invert(const double T[6], double out[6]);

#endif
