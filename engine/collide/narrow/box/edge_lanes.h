/* Separations along cross products of edges, over vectors of lanes (math/lanes/lane_vector.h).
 * Separations are compared by their signed squares over the squared lengths of the products, so that only the
 * best one needs a root and a quotient. */
#include <math.h>
#include "math/lanes/lane.h"

/* Per product: the separation times the product's length, and its square with its sign (-INFINITY where the
 * product says nothing); the square of the length. */
enum { PRODUCTS = 9 };
typedef struct products {
  VEC along[PRODUCTS], signed_square[PRODUCTS], square[PRODUCTS];
} products;

/* Those of edges that are nearly parallel. */
static const double parallel = 1e-6;

static inline void load_all(int count, const sc_lane *from, int k, VEC *out) {
  for (int i = 0; i < count; i++) out[i] = load1(from[i] + k);
}
static inline void store_all(int count, const VEC *from, int k, sc_lane *out) {
  for (int i = 0; i < count; i++) store1(from[i], out[i] + k);
}

static inline VEC with_sign(VEC v) { return v * magnitude(v); }

static inline void put_product(products *e, int k, VEC along, VEC square, MASK says) {
  e->along[k] = along, e->square[k] = square;
  e->signed_square[k] = choose(says, with_sign(along), splat(-INFINITY));
}

/* The square of the largest separation, with its sign. */
static inline VEC largest(const products *e) {
  VEC most = e->signed_square[0], square = e->square[0];
  for (int k = 1; k < PRODUCTS; k++) {
    const MASK better = (MASK)(e->signed_square[k] * square > most * e->square[k]);
    most = choose(better, e->signed_square[k], most), square = choose(better, e->square[k], square);
  }
  return most / square;
}

/* Products are taken where they beat another separation by `lead`; of those that are as good, to that, the
 * first. */
typedef struct judged {
  MASK wanted;
  VEC least;
} judged;

static inline judged judge(const products *e, VEC other, VEC lead) {
  const VEC square = largest(e), root = vector_sqrt(magnitude(square)),
            apart = choose((MASK)(square < splat(0)), -root, root);
  return (judged){(MASK)(apart > other + lead), with_sign(apart - lead)};
}
static inline MASK is_good(const products *e, const judged *j, int k) {
  return j->wanted & (MASK)(e->signed_square[k] >= j->least * e->square[k]);
}
