/* Fuzzing problem dumps behind their checksums: a dump with edited sections is loaded and solved by the
 * solver that the first byte names. Loading may refuse it; nothing may crash, hang or leak.
 *
 * Input: the solver, then edits (edits.h). Corpus in corpus/problem, replayed by unit/io/fuzz_replay.c. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/edits.h"
#include "scree/scree.h"

static scree_id problem_add(scree_world *w, int type, double x, double z) {
  scree_shape_def shape = scree_shape_defaults();
  scree_body_def body = scree_body_defaults();
  scree_error error;
  shape.type = type, shape.radius = 0.1;
  for (int k = 0; k < 3; k++) shape.size[k] = 0.2;
  body.shapes = &shape, body.shapes_count = 1;
  if (type == SCREE_HALFSPACE) shape.normal[2] = 1, body.kind = SCREE_FIXED;
  body.position[0] = x, body.position[2] = z;
  return scree_world_add(w, &body, &error);
}

/* The sections of a dump of balls, a box and a joint on a floor; made once. */
static const sc_sections *problem_whole(void) {
  static sc_sections whole;
  char folder[] = "/tmp/scree-fuzz-XXXXXX", path[64];
  scree_error error = {SCREE_OK, ""};
  if (whole.count) return &whole;
  scree_world_def def = scree_world_defaults();
  def.dt = 1e-3, def.gravity[2] = -9.81;
  scree_world *w = scree_world_create(&def, &error);
  if (!w || !mkdtemp(folder)) abort();
  problem_add(w, SCREE_HALFSPACE, 0, 0);
  problem_add(w, SCREE_SPHERE, 0, 0.0999);
  scree_id a = problem_add(w, SCREE_SPHERE, 0.1999, 0.1), b = problem_add(w, SCREE_BOX, 0.5, 0.0999);
  scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_HINGE);
  joint.a = a, joint.b = b, joint.at[0] = 0.35, joint.at[2] = 0.1, joint.axis[1] = 1;
  scree_world_add_joint(w, &joint, &error);
  snprintf(path, sizeof path, "%s/one.prob", folder);
  scree_world_step(w, 2, &error);
  if (scree_world_dump_problem(w, path, &error) || sc_sections_load(&whole, path, SC_SCHEMA_PROBLEM, &error))
    abort();
  unlink(path);
  rmdir(folder);
  scree_world_destroy(w);
  return &whole;
}

/* The container of some sections, as sc_sections_store writes it, into an open file. */
static void problem_write(const sc_sections *sections, const char *path) {
  sc_container_writer writer;
  scree_error error;
  const struct {
    uint32_t order;
    unsigned char pointer, longs, doubles, zero;
  } machine = {0x01020304u, sizeof(void *), sizeof(long), sizeof(double), 0};
  if (sc_container_create(&writer, AT_FDCWD, path, true, SC_SCHEMA_PROBLEM, 0, &error)) abort();
  sc_container_put(
      &writer, &(sc_chunk){.type = SC_TAG('M', 'A', 'C', 'H')}, &machine, sizeof machine, 0, &error);
  for (size_t k = 0; k < sections->count; k++) {
    const sc_section *s = sections->row + k;
    sc_bytes payload = {0};
    unsigned char head[2];
    sc_put_u16(head, (uint16_t)strlen(s->name));
    if (!sc_bytes_add(&payload, head, 2) || !sc_bytes_add(&payload, s->name, strlen(s->name)) ||
        !sc_bytes_add(&payload, s->bytes, s->size))
      abort();
    sc_container_put(&writer, &(sc_chunk){.type = SC_TAG('S', 'E', 'C', 'T'), .number = k}, payload.at,
        payload.count, 0, &error);
    sc_bytes_free(&payload);
  }
  if (sc_container_finish(&writer, false, &error)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  int solvers = 0, fd = memfd_create("fuzz", 0);
  if (fd < 0 || !size) return 0;
  while (scree_solver_name(solvers)) solvers++;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  sc_sections edited = edited_sections(problem_whole(), data + 1, size - 1);
  problem_write(&edited, path);
  sc_sections_free(&edited);
  scree_solver_def def = {.name = scree_solver_name(data[0] % solvers),
      .iterations = 20,
      .min_iterations = 1,
      .tolerance = 1e-8,
      .relaxation = 1,
      .warm_start = 1,
      .directions = 8};
  scree_problem_result result;
  scree_error error = {SCREE_OK, ""};
  scree_problem_solve(path, &def, 1, 0, &result, &error);
  close(fd);
  return 0;
}
