/* Results of the narrow phase stored per pair of shapes. They save work in the next step and change no
 * bit. */
#ifndef SC_PAIR_CACHE_H
#define SC_PAIR_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Pair cache: one entry per pair of shapes. The first float distinguishes the variants: components of an axis
 * are at most 1, kinds are larger. Zeros: empty. */
typedef struct sc_pair_cache {
  union {
    float axis[3]; /* unit vector along which the shapes were out of reach */
    struct {       /* nearest features of two hulls (narrow/convex/features.c) */
      float kind;
      uint16_t at[2];   /* numbers of the features in hulls a and b, see features.c */
      uint16_t face[2]; /* faces of both hulls between which touches were found */
    } feature;
    struct {       /* pair with a mesh */
      float kind;  /* always SC_CACHE_TRIANGLES */
      int32_t row; /* row of the triangle cache in sc_list.triangles */
    } mesh;
  };
} sc_pair_cache;
#define SC_CACHE_TRIANGLES 9.f /* kind of pairs with a mesh; larger than the kinds of features */

enum { SC_TRIANGLE_CACHE_MAX = 24 }; /* largest number of triangles in a triangle cache */
/* Triangle cache: the triangles of a mesh that were near a shape when the cache was filled, and the shape's
 * pose relative to the mesh at that time. */
typedef struct sc_triangle_cache {
  double turn[9];                          /* rotation from the mesh's axes to the shape's */
  double middle[3];                        /* position of the shape in the mesh's axes [m] */
  double limit;                            /* all triangles that are not in the cache are further away than
                                              this [m] */
  int32_t count;                           /* number of triangles; -1: the cache is empty */
  bool full;                               /* true: there were too many triangles, so the cache is not used */
  int32_t triangle[SC_TRIANGLE_CACHE_MAX]; /* [count] rows of the triangles in the mesh */
} sc_triangle_cache;

#endif
