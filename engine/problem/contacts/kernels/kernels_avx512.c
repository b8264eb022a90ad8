/* The kernels with eight lanes. */
#include "problem/contacts/kernels/kernels.h"

#if defined(__AVX512F__)
#include "problem/contacts/kernels/vector_avx512.h"
#define KERNELS sc_contact_kernels_avx512
#include "problem/contacts/kernels/set.h"
#endif
