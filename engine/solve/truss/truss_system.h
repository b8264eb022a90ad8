/* The scaled system behind sc_truss_solve: members, their constitutive law, the tangent operator and
 * conjugate gradients. Everything here is without units: forces in the largest load, stiffness in the
 * largest stiffness, arms in the longest arm of a body. A vector holds `dofs` numbers per body: 3 where
 * no member has a lever, 6 (displacement, turning) otherwise. A cell adds three bodies at the end, whose
 * displacements are the columns of its displacement gradient G. */
#ifndef SC_TRUSS_SYSTEM_H
#define SC_TRUSS_SYSTEM_H

#include "solve/truss/truss.h"

/* A contact in scaled form. Rows are n, or n, t, o with friction. */
typedef struct sc_member {
  int32_t i, j;
  int32_t rows;
  int32_t lever;                 /* 1 where any arm counts */
  double axis[3][3];             /* n, t, o */
  double arm1[3][3], arm2[3][3]; /* arm x axis, scaled, of bodies i and j */
  double kn, kt, mu, offset;
  bool bounded;      /* friction up to `bound` in place of the cone */
  double bound;      /* in force_scale */
  double shift[3];   /* of the image of body j, in cell_scale; 0 without a cell */
  double c[3], f[3]; /* compression and slip, force */
  double step[3];    /* change of c along the search direction */
} sc_member;

/* One rank-one part g g' of the tangent stiffness, factor included; `short` rows have no lever. member: index
 * of the member, whose shift determines the part of the cell. */
typedef struct sc_short_row {
  int32_t i, j, member;
  double g[3];
} sc_short_row;
typedef struct sc_long_row {
  int32_t i, j, member;
  double g[3], a1[3], a2[3];
} sc_long_row;

typedef struct sc_truss_system {
  int32_t bodies, members, dofs;
  int32_t cell_at; /* the first of three bodies that stand for the cell; -1: there is none */
  const sc_truss_cell *cell;
  size_t size; /* bodies * dofs */
  double exponent;
  double smooth; /* width of the rounded corner at c = 0; 0: sharp */
  const uint8_t *held;
  sc_member *member;
  double *load; /* scaled */
  /* bodies x 21 packed lower triangle of the 6x6 kinetic block, or NULL */
  double *mass;
  double *arm_scale;              /* s per body [m] */
  double cell_scale;              /* sum of the lengths of all shifts [m] */
  double force_scale, move_scale; /* one scaled unit of force [N] and of u */
  /* tangent */
  int32_t shorts, longs;
  sc_short_row *short_row;
  sc_long_row *long_row;
  double *block; /* bodies x dofs x dofs: Cholesky factors of the diagonal blocks */
  double shift;  /* added to the diagonal */
  double mean_diagonal;
  /* conjugate gradients: those left, whether someone wants to stop */
  double *r, *z, *p, *q;
  int64_t cg_left;
  bool (*stop)(void *context);
  void *stop_context;
  bool stopped;
} sc_truss_system;

/* truss_scale.c: reads the user's arrays into scaled members. */
scree_status sc_truss_scale(const sc_truss *truss, sc_arena *arena, sc_truss_system *system,
    sc_truss_report *report, scree_error *error);

/* truss_member.c: constitutive law of one member: f(c); tangent D (nn,nt,no,tt,to,oo) where D is not
 * NULL. smooth > 0 rounds the corner at c = 0 of members without friction. */
void sc_member_force(
    const sc_member *member, double exponent, double smooth, const double c[3], double f[3], double D[6]);

/* truss_system.c */
/* Returns whether a member crosses the cell. */
static inline bool sc_truss_crosses(const sc_truss_system *system, const sc_member *member) {
  return system->cell && (member->shift[0] != 0 || member->shift[1] != 0 || member->shift[2] != 0);
}
/* Length of one scaled unit of a body's displacement over move_scale: that of the cell's gradient is
 * 1/length. */
static inline double sc_truss_unit(const sc_truss_system *system, int32_t body) {
  return system->cell && body >= system->cell_at ? system->cell_scale : 1;
}
/* c or step (the member at member_offset of sc_member) = -(offset + B u) */
void sc_truss_compress(sc_truss_system *system, const double *u, int with_offset, size_t member_offset);
void sc_truss_forces(sc_truss_system *system); /* f from c */
/* load + M u - B' f; 0 on held bodies */
void sc_truss_gradient(const sc_truss_system *system, const double *u, double *g);
/* Rows and factored diagonal blocks from c; shift in mean diagonals. */
void sc_truss_tangent(sc_truss_system *system, double shift);
/* Whether steps are used up or someone has asked to stop. */
static inline bool sc_truss_ends(sc_truss_system *s) {
  if (!s->stopped && s->stop) s->stopped = s->stop(s->stop_context);
  return s->stopped || s->cg_left <= 0;
}
/* Solves (M + shift + B'DB) x = -g to |r| <= tolerance |g|, or till sc_truss_ends; the number of
 * iterations. */
int64_t sc_truss_cg(sc_truss_system *system, const double *g, double tolerance, int64_t limit, double *x);
/* out = M x (kinetic term only). */
void sc_truss_mass_times(const sc_truss_system *system, const double *x, double *out);

#endif
