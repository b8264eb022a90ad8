/* The scaled system of sc_truss_solve: members, their constitutive law, the tangent operator and conjugate
 * gradients. All quantities are dimensionless: forces over the largest load, stiffness over the largest
 * stiffness, arms over the longest arm of a body. A vector has `dofs` numbers per body: 3 (displacement) if
 * no member has a lever, else 6 (displacement, rotation). A cell adds three bodies at the end, whose
 * displacements are the columns of the cell's displacement gradient G. */
#ifndef SC_TRUSS_SYSTEM_H
#define SC_TRUSS_SYSTEM_H

#include "solve/truss/truss.h"

/* A contact in scaled form. Rows are n, or n, t, o with friction. */
typedef struct sc_member {
  int32_t i, j;
  int32_t rows;
  int32_t lever;                 /* 1: some arm x axis of the member is not 0, so its bodies rotate */
  double axis[3][3];             /* unit vectors n, t, o */
  double arm1[3][3], arm2[3][3]; /* arm x axis, scaled, of bodies i and j */
  double kn, kt, mu, offset;
  bool bounded;      /* friction up to `bound` instead of the cone */
  double bound;      /* friction bound divided by force_scale */
  double shift[3];   /* shift of the image of body j over cell_scale; 0 without a cell */
  double c[3], f[3]; /* compression and slip; force; components n, t, o */
  double step[3];    /* change of c along the search direction */
} sc_member;

/* A row b of the tangent of a member with lever == 0. It adds b b' to the tangent stiffness, with b.u =
 * g.(u_i - u_j). u_i, u_j: displacements of bodies i and j. */
typedef struct sc_short_row {
  int32_t i, j, member; /* bodies; index of the member */
  double g[3];
} sc_short_row;

/* A row b of the tangent of a member with lever == 1. It adds b b' to the tangent stiffness, with b.u =
 * g.(u_i - u_j) + a1.r_i - a2.r_j. r_i, r_j: scaled rotations of bodies i and j. */
typedef struct sc_long_row {
  int32_t i, j, member; /* bodies; index of the member */
  double g[3], a1[3], a2[3];
} sc_long_row;

typedef struct sc_truss_system {
  int32_t bodies, members, dofs;
  int32_t cell_at; /* first of the three bodies that represent the cell; -1: no cell */
  const sc_truss_cell *cell;
  size_t size; /* length of a vector: bodies * dofs */
  double exponent;
  double smooth; /* width of the rounded corner at c = 0; 0: sharp */
  const uint8_t *held;
  sc_member *member;
  double *load;      /* [size] scaled load */
  double *mass;      /* [bodies * 21] packed lower triangles of the 6 x 6 mass matrices; NULL: none */
  double *arm_scale; /* [bodies] longest arm s [m] */
  double cell_scale; /* sum of the lengths of all image shifts [m] */
  double force_scale, move_scale; /* unit of scaled forces [N]; unit of scaled displacements, in units of u */
  int32_t shorts, longs;          /* numbers of rows of the tangent in short_row and long_row */
  sc_short_row *short_row;        /* [shorts] rows of the tangent of members with lever == 0 */
  sc_long_row *long_row;          /* [longs] rows of the tangent of members with lever == 1 */
  double *block;                  /* [bodies * dofs * dofs] Cholesky factors of the diagonal blocks */
  double shift;                   /* added to the diagonal of the tangent */
  double mean_diagonal;           /* mean diagonal entry of the tangent without shift */
  double *r, *z, *p, *q;          /* [size] vectors of conjugate gradients */
  int64_t cg_left;                /* number of conjugate-gradient steps that are still allowed */
  bool (*stop)(void *context);    /* ends the solution if it returns true (sc_truss.stop); NULL: never */
  void *stop_context;
  bool stopped; /* `stop` returned true */
} sc_truss_system;

/* Checks the user's arrays and builds the scaled system (truss_scale.c). Memory comes from the arena. Returns
 * SCREE_E_ARGUMENT or SCREE_E_MEMORY on failure. */
scree_status sc_truss_scale(const sc_truss *truss, sc_arena *arena, sc_truss_system *system,
    sc_truss_report *report, scree_error *error);

/* Computes the force f(c) of a member (truss_member.c). D: set to the tangent (nn,nt,no,tt,to,oo); may be
 * NULL. smooth: width of the rounded corner at c = 0 of members without cone; 0: sharp. */
void sc_member_force(
    const sc_member *member, double exponent, double smooth, const double c[3], double f[3], double D[6]);

/* Returns whether a member crosses the cell. */
static inline bool sc_truss_crosses(const sc_truss_system *system, const sc_member *member) {
  return system->cell && (member->shift[0] != 0 || member->shift[1] != 0 || member->shift[2] != 0);
}
/* Returns the factor of a body's displacement: cell_scale for the three bodies of the cell, because their
 * displacements are columns of G; else 1. */
static inline double sc_truss_unit(const sc_truss_system *system, int32_t body) {
  return system->cell && body >= system->cell_at ? system->cell_scale : 1;
}
/* Computes -(offset + B u) of all members, without offset if !with_offset. member_offset: byte offset of the
 * result in sc_member, `c` or `step`. */
void sc_truss_compress(sc_truss_system *system, const double *u, int with_offset, size_t member_offset);
/* Computes f of all members from c. */
void sc_truss_forces(sc_truss_system *system);
/* Computes the gradient g = load + M u - B' f; 0 for held bodies. */
void sc_truss_gradient(const sc_truss_system *system, const double *u, double *g);
/* Computes from c the rank-one parts of the tangent, and the Cholesky factors of its diagonal blocks. shift:
 * in units of the mean diagonal entry. */
void sc_truss_tangent(sc_truss_system *system, double shift);
/* Returns whether no conjugate-gradient steps are left or `stop` has returned true. */
static inline bool sc_truss_ends(sc_truss_system *s) {
  if (!s->stopped && s->stop) s->stopped = s->stop(s->stop_context);
  return s->stopped || s->cg_left <= 0;
}
/* Solves (M + shift + B'DB) x = -g to |r| <= tolerance |g|, or until sc_truss_ends. Returns the number of
 * iterations. */
int64_t sc_truss_cg(sc_truss_system *system, const double *g, double tolerance, int64_t limit, double *x);
/* Computes out = M x; 0 without mass. */
void sc_truss_mass_times(const sc_truss_system *system, const double *x, double *out);

#endif
