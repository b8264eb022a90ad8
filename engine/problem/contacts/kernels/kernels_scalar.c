/* The kernels with one lane: the reference for the wider kernels, and the code for other processors. */
#include "problem/contacts/kernels/kernels.h"

#include "problem/contacts/kernels/vector_scalar.h"
#define KERNELS sc_contact_kernels_scalar
#include "problem/contacts/kernels/set.h"

const sc_contact_kernels *sc_contact_kernels_best(void) {
#if defined(__x86_64__)
  const sc_contact_kernels *const by_width[] = {
      &sc_contact_kernels_scalar, &sc_contact_kernels_avx2, &sc_contact_kernels_avx512};
  return by_width[sc_simd_best()];
#else
  return &sc_contact_kernels_scalar;
#endif
}
