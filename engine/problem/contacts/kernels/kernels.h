/* Kernels for bundles of general contacts before sweeps: scalar code, four lanes (AVX2) or eight
 * lanes (AVX-512), chosen at run time. All widths compute the same bits. */
#ifndef SC_CONTACT_KERNELS_H
#define SC_CONTACT_KERNELS_H

#include "problem/contacts/generals.h"

/* Makes a bundle that has its bodies and coefficients (make.h). */
typedef void sc_general_make(
    const sc_generals *generals, const sc_solver_body *body, int32_t bundle, const sc_general_source *from);
/* Computes the closing velocities max(0, -u_n - bias) of a bundle, into x of its pushes (look.h). */
typedef void sc_general_closing(const sc_generals *generals, const sc_solver_body *body, int32_t bundle);
/* Computes from gaps the speeds at which pushes may close the contacts of a bundle (positions.c). */
typedef void sc_general_aim(
    const sc_generals *generals, const sc_solver_body *body, int32_t bundle, double fraction, double limit);
/* The kernels of one width. */
typedef struct sc_contact_kernels {
  sc_general_make *make;
  sc_general_closing *closing;
  sc_general_aim *aim;
} sc_contact_kernels;
extern const sc_contact_kernels sc_contact_kernels_scalar, sc_contact_kernels_avx2, sc_contact_kernels_avx512;
/* Returns the kernels of the width that sc_simd_best returns. */
const sc_contact_kernels *sc_contact_kernels_best(void);

#endif
