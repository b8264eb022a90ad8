/* Separations along cross products of edges, over vectors of lanes (math/lanes/lane_vector.h). Separations
 * are compared by their signed squares over the squared lengths of the products, so that only the largest one
 * needs a root and a division. */
#include <math.h>
#include "math/lanes/lane.h"

enum { PRODUCTS = 9 }; /* number of cross products of edges */
typedef struct products {
  VEC along[PRODUCTS];         /* separation along the product, times the product's length */
  VEC signed_square[PRODUCTS]; /* along * |along|; -INFINITY if the edges are nearly parallel */
  VEC square[PRODUCTS];        /* squared length of the product */
} products;

static const double parallel = 1e-6; /* edges with a smaller sine are nearly parallel */

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

/* Returns the square of the largest separation, with its sign. */
static inline VEC largest_signed_square(const products *e) {
  VEC max = e->signed_square[0], square = e->square[0];
  for (int k = 1; k < PRODUCTS; k++) {
    const MASK better = (MASK)(e->signed_square[k] * square > max * e->square[k]);
    max = choose(better, e->signed_square[k], max), square = choose(better, e->square[k], square);
  }
  return max / square;
}

/* Choice of a product. A product is chosen only if the largest separation exceeds the largest separation
 * along other axes by more than `lead`. The first product whose separation is within `lead` of the largest is
 * chosen. */
typedef struct choice {
  MASK wanted; /* set if a product is chosen */
  VEC min;     /* signed square of the smallest accepted separation */
} choice;

static inline choice choose_products(const products *e, VEC other, VEC lead) {
  const VEC square = largest_signed_square(e), root = vector_sqrt(magnitude(square)),
            apart = choose((MASK)(square < splat(0)), -root, root);
  return (choice){(MASK)(apart > other + lead), with_sign(apart - lead)};
}
static inline MASK is_accepted(const products *e, const choice *j, int k) {
  return j->wanted & (MASK)(e->signed_square[k] >= j->min * e->square[k]);
}
