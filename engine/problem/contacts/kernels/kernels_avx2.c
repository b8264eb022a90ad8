/* The kernels with four lanes. */
#include "problem/contacts/kernels/kernels.h"

#if defined(__AVX2__)
#include "problem/contacts/kernels/vector_avx2.h"
#define KERNELS sc_contact_kernels_avx2
#include "problem/contacts/kernels/set.h"
#endif
