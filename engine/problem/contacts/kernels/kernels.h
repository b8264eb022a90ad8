/* SIMD kernels that compute or read bundles of general contacts before sweeps. There are versions in scalar
 * code, with four lanes (AVX2) and with eight lanes (AVX-512). The width is chosen at run time. All widths
 * give identical results. */
#ifndef SC_CONTACT_KERNELS_H
#define SC_CONTACT_KERNELS_H

#include "problem/contacts/generals.h"

/* Computes a bundle from its input. Bodies and coefficients must be set (make.h). */
typedef void sc_general_make(
    const sc_generals *generals, const sc_solver_body *body, int32_t bundle, const sc_general_source *from);
/* Computes the closing velocities max(0, -u_n - bias) of a bundle, in generals->push[bundle].x (look.h). */
typedef void sc_general_closing(const sc_generals *generals, const sc_solver_body *body, int32_t bundle);
/* Replaces gap/dt in generals->push[bundle].want by the speeds at which position corrections may close the
 * contacts of a bundle (look.h). fraction: share of each penetration to correct. limit: largest speed of
 * correction [m/s]. */
typedef void sc_general_aim(
    const sc_generals *generals, const sc_solver_body *body, int32_t bundle, double fraction, double limit);
/* The kernels of one SIMD width. */
typedef struct sc_contact_kernels {
  sc_general_make *make;
  sc_general_closing *closing;
  sc_general_aim *aim;
} sc_contact_kernels;
extern const sc_contact_kernels sc_contact_kernels_scalar, sc_contact_kernels_avx2, sc_contact_kernels_avx512;
/* Returns the kernels of the width that sc_simd_best returns. */
const sc_contact_kernels *sc_contact_kernels_best(void);

#endif
