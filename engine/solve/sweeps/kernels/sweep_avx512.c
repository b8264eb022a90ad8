/* The sweep with eight lanes (AVX-512). */
#include "solve/sweeps/kernels/sweep.h"

#if defined(__AVX512F__)
#include "problem/contacts/kernels/vector_avx512.h"
#define SWEEPS sc_sweeps_avx512
#include "solve/sweeps/kernels/sweep_set.h"
#endif
