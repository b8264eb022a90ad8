/* The property tests of the laws with a million random problems per law. */
#define LAW_PROBLEMS 125000 /* per family, of which there are eight */
#include "property/laws.c"
