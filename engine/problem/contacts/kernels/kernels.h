/* What is done to bundles of general contacts before and after sweeps. Scalar code, four lanes (AVX2) or
 * eight (AVX-512) do it, chosen at run time. All give the same bits. */
#ifndef SC_CONTACT_KERNELS_H
#define SC_CONTACT_KERNELS_H

#include "problem/contacts/generals.h"

/* Makes a bundle that has its bodies and coefficients (make.h). */
typedef void sc_general_make(
    const sc_generals *generals, const sc_solver_body *body, int32_t bundle, const sc_general_source *from);
/* What is made of bundles beside sweeps (look.h): of one bundle closing velocities max(0, -u_n -
 * bias), into the room of its pushes; the speeds by which pushes may close its contacts, from their gaps
 * (positions.c); velocities along all axes with impulses and moments, world axes (u, p and room[1] of the
 * group); and what its impulses, and moments or NULL, do, lane after lane, to bodies in rows low..high. */
typedef void sc_general_closing(const sc_generals *generals, const sc_solver_body *body, int32_t bundle);
typedef void sc_general_aim(
    const sc_generals *generals, const sc_solver_body *body, int32_t bundle, double fraction, double limit);
typedef void sc_general_states(const sc_generals *generals, const sc_solver_body *body, int32_t bundle,
    bool planar, sc_general_group *out);
typedef void sc_general_apply(const sc_generals *generals, sc_solver_body *body,
    const sc_general_bundle *bundle, const sc_general_moments *moments, int32_t low, int32_t high);

/* The kernels of one width. */
typedef struct sc_contact_kernels {
  sc_general_make *make;
  sc_general_closing *closing;
  sc_general_aim *aim;
  sc_general_states *states;
  sc_general_apply *apply;
} sc_contact_kernels;
extern const sc_contact_kernels sc_contact_kernels_scalar, sc_contact_kernels_avx2, sc_contact_kernels_avx512;
const sc_contact_kernels *sc_contact_kernels_best(void); /* of the width that sc_simd_best gives */

#endif
