/* Starts and stops MPI. MPI starts only if a process starter such as mpirun has set more than one rank in the
 * environment, so `scree run` without a starter never calls MPI. */
#include "dist/dist.h"

#include <stdlib.h>

int scree_dist_expected(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *text = getenv(names[i]);
    int ranks = text ? atoi(text) : 0;
    if (ranks > 0) return ranks;
  }
  return 1;
}

static bool is_mpi_running(void) {
  int started = 0, ended = 0;
  MPI_Initialized(&started);
  if (started) MPI_Finalized(&ended);
  return started && !ended;
}

scree_status scree_dist_start(int *rank, int *ranks, scree_error *error) {
  *rank = 0, *ranks = 1;
  if (scree_dist_expected() <= 1) return SCREE_OK;
  int level = MPI_THREAD_SINGLE;
  if (!is_mpi_running() && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    return sc_fail(error, SCREE_E_ARGUMENT, "MPI does not start");
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, ranks);
  return SCREE_OK;
}

void scree_dist_stop(void) {
  if (is_mpi_running()) MPI_Finalize();
}

void scree_dist_send_all(void *bytes, size_t size) {
  if (is_mpi_running()) MPI_Bcast(bytes, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
}

void scree_dist_tell(void) {
  int rank = 0, ranks = 1;
  if (!is_mpi_running()) return;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank) return;
  MPI_Request sent;
  /* empty messages are sent eagerly: the sender does not wait for a receive */
  for (int other = 1; other < ranks; other++)
    if (MPI_Isend(NULL, 0, MPI_BYTE, other, SD_TAG_TOLD, MPI_COMM_WORLD, &sent) == MPI_SUCCESS)
      MPI_Request_free(&sent);
}

bool scree_dist_told(void) {
  int told = 0;
  if (is_mpi_running()) MPI_Iprobe(0, SD_TAG_TOLD, MPI_COMM_WORLD, &told, MPI_STATUS_IGNORE);
  return told;
}

void scree_dist_abort(int code) {
  if (is_mpi_running()) MPI_Abort(MPI_COMM_WORLD, code);
}

scree_dist_def scree_dist_defaults(void) { return (scree_dist_def){.imbalance = 1.1, .interval = 100}; }
