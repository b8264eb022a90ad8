/* Fuzzing STL, OBJ and PLY files: the first byte says which, the rest is the file. What can be read becomes a
 * mesh and, where it has few points, a hull. Nothing may crash, hang or leak.
 *
 * Corpus in corpus/mesh, replayed by unit/io/fuzz_replay.c in every build. */
#include <stdlib.h>

#include "model/geometry/geometry.h"
#include "scree/geometry.h"

enum { MESH_POINTS = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sc_soup soup = {0};
  scree_error error = {SCREE_OK, ""};
  if (!size) return 0;
  scree_status status = (data[0] & 4 ? sc_soup_ply
          : data[0] & 1              ? sc_soup_obj
                                     : sc_soup_stl)("fuzz", data + 1, size - 1, &soup, &error);
  if (!status && sc_soup_weld(&soup) && soup.points && soup.points <= MESH_POINTS) {
    scree_mesh_def def = {.points = (const double(*)[3])soup.point,
        .points_count = (int64_t)soup.points,
        .triangles = (const int32_t(*)[3])soup.triangle,
        .triangles_count = (int64_t)soup.triangles,
        .closed = data[0] & 2,
        .solid = data[0] & 8};
    if (soup.triangles) scree_geometry_release(scree_geometry_mesh(&def, &error));
    scree_geometry_release(scree_geometry_hull((const double(*)[3])soup.point, (int64_t)soup.points, &error));
  }
  sc_soup_free(&soup);
  return 0;
}
