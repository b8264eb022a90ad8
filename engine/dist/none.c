/* Replaces the other files of engine/dist in a library without MPI, which supports one rank. */
#include "scree/dist.h"
#include "base/base.h"

#include <stdlib.h>

int scree_dist_expected(void) {
  const char *text = getenv("OMPI_COMM_WORLD_SIZE") ? getenv("OMPI_COMM_WORLD_SIZE") : getenv("PMI_SIZE");
  int ranks = text ? atoi(text) : 1;
  return ranks > 0 ? ranks : 1;
}

scree_status scree_dist_start(int *rank, int *ranks, scree_error *error) {
  *rank = 0, *ranks = 1;
  return scree_dist_expected() > 1
      ? sc_fail(error, SCREE_E_ARGUMENT,
            "this scree was built without MPI (install it, e.g. libopenmpi-dev, and build again)")
      : SCREE_OK;
}

void scree_dist_stop(void) {}
void scree_dist_send_all(void *bytes, size_t size) { (void)bytes, (void)size; }
void scree_dist_tell(void) {}
bool scree_dist_told(void) { return false; }
void scree_dist_abort(int code) { (void)code; }
scree_dist_def scree_dist_defaults(void) { return (scree_dist_def){.imbalance = 1.1, .interval = 100}; }

void scree_dist_get_traffic(const scree_world *world, scree_dist_traffic *traffic) {
  SC_DEMAND(world && traffic, NULL, );
  (void)world;
  *traffic = (scree_dist_traffic){0};
}

scree_status scree_world_distribute(scree_world *world, const scree_dist_def *def, scree_error *error) {
  (void)world, (void)def, (void)error;
  return SCREE_OK;
}
