/* The sweep with four lanes (AVX2). */
#include "solve/sweeps/kernels/sweep.h"

#if defined(__AVX2__)
#include "problem/contacts/kernels/vector_avx2.h"
#define SWEEPS sc_sweeps_avx2
#include "solve/sweeps/kernels/sweep_set.h"
#endif
