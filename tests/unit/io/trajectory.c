/* Trajectories: written frames read back exactly or within the given precision. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "scree/geometry.h"
#include "support/frames.h"

enum { GRAINS = 120, FRAMES = 40 };

static void same(const void *a, const void *b, size_t count) { assert_memory_equal(a, b, count); }

/* Largest difference of two arrays. */
static double apart(const double *a, const double *b, int64_t count) {
  double most = 0;
  for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* Largest angle between orientations, with no cancellation for small ones. */
static double turned(const double *p, const double *q, int64_t rows) {
  double most = 0;
  for (int64_t r = 0; r < rows; r++, p += 4, q += 4) {
    double plus = 0, minus = 0;
    for (int k = 0; k < 4; k++) {
      plus += (p[k] + q[k]) * (p[k] + q[k]);
      minus += (p[k] - q[k]) * (p[k] - q[k]);
    }
    most = fmax(most, 4 * asin(fmin(1, sqrt(fmin(plus, minus)) / 2)));
  }
  return most;
}

static void write_flow(const char *path, const scree_trajectory_def *def, uint64_t seed, int frames) {
  scree_error error;
  flow *f = flow_create(GRAINS, seed);
  scree_writer *w = scree_writer_open(path, def, &error);
  assert_non_null(w);
  for (int i = 0; i < frames; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    assert_int_equal(scree_writer_frame(w, &frame, &error), SCREE_OK);
  }
  assert_int_equal(scree_writer_frames(w), frames);
  assert_int_equal(scree_writer_close(w, &error), SCREE_OK);
  flow_destroy(f);
}

static void check_static(const scree_frame *a, const scree_frame *b) {
  assert_int_equal(a->bodies, b->bodies);
  assert_int_equal(a->step, b->step);
  assert_true(a->time == b->time);
  size_t n = (size_t)a->bodies;
  same(a->id, b->id, n * 8);
  same(a->group, b->group, n * 8);
  same(a->kind, b->kind, n);
  same(a->radius, b->radius, n * 8);
  same(a->mass, b->mass, n * 8);
  assert_int_equal(a->shapes, b->shapes);
  for (int64_t s = 0; s < a->shapes; s++) {
    assert_int_equal(a->shape[s].body, b->shape[s].body);
    assert_int_equal(a->shape[s].type, b->shape[s].type);
    assert_int_equal(a->shape[s].material, b->shape[s].material);
    same(&a->shape[s].radius, &b->shape[s].radius, 8 * (1 + 1 + 3 + 3 + 3 + 4));
  }
}

static void check_exact(const scree_frame *a, const scree_frame *b) {
  check_static(a, b);
  size_t n = (size_t)a->bodies;
  same(a->position, b->position, n * 24);
  same(a->orientation, b->orientation, n * 32);
  same(a->velocity, b->velocity, n * 24);
  same(a->spin, b->spin, n * 24);
}

static void exact_doubles_come_back(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields |= SCREE_FIELD_CONTACTS;
  def.meta = "{\"seed\":1}";
  def.source = "return {}\n";
  write_flow(path, &def, 1, FRAMES);
  scree_error error;
  scree_reader *reader = scree_reader_open(path, &error);
  assert_non_null(reader);
  const scree_trajectory_info *info = scree_reader_info(reader);
  assert_int_equal(info->frames, FRAMES);
  assert_true(info->complete);
  assert_int_equal(info->damaged_chunks, 0);
  assert_int_equal(info->fields, def.fields);
  assert_string_equal(scree_reader_meta(reader), def.meta);
  assert_string_equal(scree_reader_source(reader), def.source);
  flow *f = flow_create(GRAINS, 1);
  for (int i = 0; i < FRAMES; i++, flow_advance(f)) {
    scree_frame wanted = flow_frame(f);
    const scree_frame *got = scree_reader_frame(reader, i, &error);
    assert_non_null(got);
    check_exact(got, &wanted);
    assert_true(scree_reader_time(reader, i) == wanted.time);
    assert_int_equal(got->contacts, wanted.contacts);
    same(got->contact, wanted.contact, (size_t)wanted.contacts * sizeof *wanted.contact);
  }
  flow_destroy(f);
  scree_reader_close(reader);
  support_clean(folder);
}

static void rounded_fields_stay_within_their_precision(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields |= SCREE_FIELD_CONTACTS;
  def.precision = 1e-7;
  write_flow(path, &def, 2, FRAMES);
  scree_error error;
  scree_reader *reader = scree_reader_open(path, &error);
  flow *f = flow_create(GRAINS, 2);
  double slack = 1 + 1e-9, radius = 0.00047 * 0.9; /* the largest radius is at least this */
  for (int i = 0; i < FRAMES; i++, flow_advance(f)) {
    scree_frame wanted = flow_frame(f);
    const scree_frame *got = scree_reader_frame(reader, i, &error);
    assert_non_null(got);
    check_static(got, &wanted);
    assert_true(apart(got->position, wanted.position, 3 * wanted.bodies) <= 1e-7 * slack);
    double largest[SCREE_FRAME_LARGEST];
    scree_frame_largest(&wanted, largest);
    double speed = 1e-7 / (2 * largest[0]) * fmax(largest[2], largest[0] * largest[3]);
    assert_true(apart(got->velocity, wanted.velocity, 3 * wanted.bodies) <= speed * slack);
    assert_true(apart(got->spin, wanted.spin, 3 * wanted.bodies) <= speed / largest[0] * slack);
    assert_true(turned(got->orientation, wanted.orientation, wanted.bodies) <= 1e-7 / radius * slack);
    for (int64_t c = 0; c < wanted.contacts; c++) {
      assert_int_equal(got->contact[c].body1, wanted.contact[c].body1);
      assert_int_equal(got->contact[c].body2, wanted.contact[c].body2);
      assert_true(apart(got->contact[c].point, wanted.contact[c].point, 3) <= 1e-7 * slack);
      assert_true(apart(got->contact[c].normal, wanted.contact[c].normal, 3) <= 1e-7 / radius * slack);
      assert_true(fabs(got->contact[c].gap - wanted.contact[c].gap) <= 1e-7 * fabs(wanted.contact[c].gap));
      assert_true(apart(got->contact[c].impulse, wanted.contact[c].impulse, 3) <= 1e-12);
    }
  }
  flow_destroy(f);
  scree_reader_close(reader);
  support_clean(folder);
}

/* Any order of reading gives what reading in order gives. */
static void frames_can_be_read_in_any_order(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-6;
  write_flow(path, &def, 3, FRAMES);
  scree_error error;
  uint64_t hash[FRAMES];
  scree_reader *reader = scree_reader_open(path, &error);
  for (int i = 0; i < FRAMES; i++) {
    const scree_frame *got = scree_reader_frame(reader, i, &error);
    hash[i] = sc_hash(sc_hash(SC_HASH_START, got->position, (size_t)got->bodies * 24), got->orientation,
        (size_t)got->bodies * 32);
  }
  for (int k = 0; k < 200; k++) {
    int i = (k * 29) % FRAMES;
    const scree_frame *got = scree_reader_frame(reader, i, &error);
    assert_non_null(got);
    assert_true(hash[i] ==
        sc_hash(sc_hash(SC_HASH_START, got->position, (size_t)got->bodies * 24), got->orientation,
            (size_t)got->bodies * 32));
  }
  assert_null(scree_reader_frame(reader, FRAMES, &error));
  assert_null(scree_reader_frame(reader, -1, &error));
  scree_reader_close(reader);
  support_clean(folder);
}

static unsigned char *slurp(const char *path, long *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc((size_t)*size);
  assert_int_equal(fread(bytes, 1, (size_t)*size, file), *size);
  fclose(file);
  return bytes;
}

static void same_file(const char *a, const char *b) {
  long n, m;
  unsigned char *x = slurp(a, &n), *y = slurp(b, &m);
  assert_int_equal(n, m);
  assert_memory_equal(x, y, (size_t)n);
  free(x);
  free(y);
}

static void the_thread_changes_no_byte(void **state) {
  (void)state;
  for (int exact = 0; exact < 2; exact++) {
    char folder[64], path[128], other[160];
    support_path(folder, path, "a.scree");
    snprintf(other, sizeof other, "%s/b.scree", folder);
    scree_trajectory_def def = scree_trajectory_defaults();
    def.precision = exact ? 0 : 1e-6;
    write_flow(path, &def, 4, FRAMES);
    def.background = 0;
    write_flow(other, &def, 4, FRAMES);
    same_file(path, other);
    support_clean(folder);
  }
}

/* Cutting a file at any frame and going on gives the bytes of the file that was never cut. */
static void going_on_gives_the_same_bytes(void **state) {
  (void)state;
  char folder[64], path[128], other[160];
  support_path(folder, path, "a.scree");
  snprintf(other, sizeof other, "%s/b.scree", folder);
  scree_error error;
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-6;
  def.meta = "{}";
  def.key_every = 8;
  write_flow(path, &def, 5, 30);
  for (int cut = 0; cut <= 30; cut += cut < 10 ? 1 : 5) {
    write_flow(other, &def, 5, 30);
    scree_writer *w = scree_writer_append(other, cut, &def, &error);
    assert_non_null(w);
    flow *f = flow_create(GRAINS, 5);
    for (int i = 0; i < 30; i++, flow_advance(f)) {
      scree_frame frame = flow_frame(f);
      if (i >= cut) assert_int_equal(scree_writer_frame(w, &frame, &error), SCREE_OK);
    }
    assert_int_equal(scree_writer_frames(w), 30);
    assert_int_equal(scree_writer_close(w, &error), SCREE_OK);
    flow_destroy(f);
    same_file(path, other);
    remove(other);
  }
  write_flow(other, &def, 5, 30);
  assert_null(scree_writer_append(other, 31, &def, &error));
  def.precision = 2e-6;
  assert_null(scree_writer_append(other, 3, &def, &error));
  assert_int_equal(error.status, SCREE_E_ARGUMENT);
  support_clean(folder);
}

/* Values without a place on the grid of quanta are kept as they are. */
static void odd_values_are_kept_exactly(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  scree_error error;
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-6;
  flow *f = flow_create(5, 6);
  scree_writer *w = scree_writer_open(path, &def, &error);
  double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -0.0, 5e-324};
  for (int i = 0; i < 6; i++) {
    scree_frame frame = flow_frame(f);
    f->position[7] = odd[i];
    f->velocity[8] = odd[i];
    f->orientation[9] = odd[i];
    assert_int_equal(scree_writer_frame(w, &frame, &error), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(w, &error), SCREE_OK);
  scree_reader *reader = scree_reader_open(path, &error);
  for (int i = 0; i < 6; i++) {
    const scree_frame *got = scree_reader_frame(reader, i, &error);
    assert_non_null(got);
    if (i < 4) {
      assert_memory_equal(got->position + 7, odd + i, 8);
      assert_memory_equal(got->velocity + 8, odd + i, 8);
    } else assert_true(fabs(got->position[7] - odd[i]) <= 1e-6);
    if (i < 4) assert_memory_equal(got->orientation + 9, odd + i, 8);
  }
  scree_reader_close(reader);
  flow_destroy(f);
  support_clean(folder);
}

static void mistakes_are_told(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  scree_error error;
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = NAN;
  assert_null(scree_writer_open(path, &def, &error));
  assert_non_null(strstr(error.text, "precision"));
  def = scree_trajectory_defaults();
  def.fields = 64;
  assert_null(scree_writer_open(path, &def, &error));
  def = scree_trajectory_defaults();
  scree_writer *w = scree_writer_open(path, &def, &error);
  assert_null(scree_writer_open(path, &def, &error)); /* is there already */
  assert_int_equal(error.status, SCREE_E_IO);
  assert_non_null(strstr(error.text, path));
  flow *f = flow_create(5, 6);
  scree_frame frame = flow_frame(f);
  f->id[3] = f->id[2];
  assert_int_equal(scree_writer_frame(w, &frame, &error), SCREE_E_ARGUMENT);
  f->id[3] = f->id[2] + 1;
  f->shape[1].body = 77;
  assert_int_equal(scree_writer_frame(w, &frame, &error), SCREE_E_ARGUMENT);
  /* a frame refused leaves the file as it was */
  frame = flow_frame(f);
  assert_int_equal(scree_writer_frame(w, &frame, &error), SCREE_OK);
  assert_int_equal(scree_writer_close(w, &error), SCREE_OK);
  scree_reader *reader = scree_reader_open(path, &error);
  assert_int_equal(scree_reader_info(reader)->frames, 1);
  scree_reader_close(reader);
  assert_null(scree_reader_open("no/such/file", &error));
  assert_int_equal(error.status, SCREE_E_IO);
  flow_destroy(f);
  support_clean(folder);
}

/* An empty world, a world that empties and fills again, changed radii and shapes. */
static void who_is_there_may_change_in_any_way(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "t.scree");
  scree_error error;
  scree_trajectory_def def = scree_trajectory_defaults();
  scree_writer *w = scree_writer_open(path, &def, &error);
  int64_t counts[] = {0, 5, 5, 0, 0, 9, 1, 9, 9, 2};
  flow *f[10];
  for (int i = 0; i < 10; i++) {
    f[i] = flow_create(8, 7);
    for (int k = 0; k < i % 3; k++) flow_advance(f[i]);
    f[i]->count = counts[i];
    f[i]->radius[4] = 0.1 * i;
    if (i == 8) f[i]->kind[3] = SCREE_FIXED;
    scree_frame frame = flow_frame(f[i]);
    assert_int_equal(scree_writer_frame(w, &frame, &error), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(w, &error), SCREE_OK);
  scree_reader *reader = scree_reader_open(path, &error);
  for (int i = 0; i < 10; i++) {
    scree_frame wanted = flow_frame(f[i]);
    const scree_frame *got = scree_reader_frame(reader, i, &error);
    assert_non_null(got);
    check_exact(got, &wanted);
    flow_destroy(f[i]);
  }
  scree_reader_close(reader);
  support_clean(folder);
}

/* ---- hulls and meshes ---- */

static scree_geometry *make_hull(double size) {
  double p[8][3];
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++) p[i][k] = i >> k & 1 ? size : -size;
  return scree_geometry_hull((const double(*)[3])p, 8, NULL);
}

static scree_geometry *make_mesh(void) {
  static const double p[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int32_t t[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return scree_geometry_mesh(
      &(scree_mesh_def){.points = p, .points_count = 4, .triangles = t, .triangles_count = 4}, NULL);
}

/* Frame i of a flow with a mesh among its walls and hulls among its grains. Every frame has hulls of its
 * own, equal in content to those before, and gives them up at once. */
static scree_status write_solid(scree_writer *w, flow *f, int i, scree_geometry *mesh) {
  scree_frame frame = flow_frame(f);
  scree_geometry *hull[2] = {make_hull(0.001), make_hull(0.002)};
  for (int64_t s = 0; s < f->shapes; s++) {
    scree_shape_info *shape = f->shape + s;
    if (shape->type == SCREE_BOX) {
      shape->type = SCREE_MESH;
      shape->geometry = mesh;
    }
    if (shape->type == SCREE_SPHERE && shape->body % 3 < 2 && i > 1) {
      shape->type = SCREE_HULL;
      shape->geometry = hull[shape->body % 3];
    }
  }
  scree_status status = scree_writer_frame(w, &frame, NULL);
  scree_geometry_release(hull[0]);
  scree_geometry_release(hull[1]);
  return status;
}

static void write_solids(const char *path, int from, int frames) {
  scree_trajectory_def def = scree_trajectory_defaults();
  def.key_every = 4;
  scree_writer *w = from ? scree_writer_append(path, from, &def, NULL) : scree_writer_open(path, &def, NULL);
  assert_non_null(w);
  scree_geometry *mesh = make_mesh();
  flow *f = flow_create(20, 8);
  for (int i = 0; i < frames; i++, flow_advance(f))
    if (i >= from) assert_int_equal(write_solid(w, f, i, mesh), SCREE_OK);
  scree_geometry_release(mesh);
  assert_int_equal(scree_writer_close(w, NULL), SCREE_OK);
  flow_destroy(f);
}

static void hulls_and_meshes_come_back(void **state) {
  (void)state;
  char folder[64], path[128], other[160];
  support_path(folder, path, "a.scree");
  snprintf(other, sizeof other, "%s/b.scree", folder);
  write_solids(path, 0, 12);
  scree_reader *reader = scree_reader_open(path, NULL);
  const scree_geometry *first = NULL, *second = NULL;
  for (int i = 11; i >= 0; i--) {
    const scree_frame *frame = scree_reader_frame(reader, i, NULL);
    assert_non_null(frame);
    for (int64_t s = 0; s < frame->shapes; s++) {
      const scree_shape_info *shape = frame->shape + s;
      assert_true((shape->geometry != NULL) == (shape->type == SCREE_HULL || shape->type == SCREE_MESH));
      if (!shape->geometry) continue;
      scree_geometry_info info;
      scree_geometry_get_info(shape->geometry, &info);
      assert_int_equal(info.type, shape->type);
      double wanted = shape->type == SCREE_MESH ? 1.0 / 6 : shape->body % 3 ? 6.4e-8 : 8e-9;
      assert_true(fabs(info.volume - wanted) < 1e-12 * wanted);
      /* equal ones are one */
      if (shape->type == SCREE_HULL && !(shape->body % 3)) {
        assert_true(!first || first == shape->geometry);
        first = shape->geometry;
      }
      if (shape->type == SCREE_HULL && shape->body % 3) {
        assert_true(!second || second == shape->geometry);
        second = shape->geometry;
      }
    }
  }
  assert_non_null(first);
  assert_non_null(second);
  scree_reader_close(reader);
  /* going on after any frame gives the same bytes: the file's own hulls are known again */
  for (int cut = 1; cut < 12; cut++) {
    write_solids(other, 0, 12);
    write_solids(other, cut, 12);
    same_file(path, other);
    remove(other);
  }
  support_clean(folder);
}

/* Images of contacts come back; without them the frame says so. */
static void contacts_of_a_cell_tell_images(void **state) {
  (void)state;
  char folder[64], path[128];
  support_path(folder, path, "cell.scree");
  scree_trajectory_def def = scree_trajectory_defaults();
  def.fields |= SCREE_FIELD_CONTACTS;
  scree_error error;
  scree_writer *writer = scree_writer_open(path, &def, &error);
  assert_non_null(writer);
  flow *f = flow_create(GRAINS, 1);
  for (int i = 0; i < 2; i++, flow_advance(f)) {
    scree_frame frame = flow_frame(f);
    frame.has_cell = 1, frame.images = i == 0, frame.cell = (scree_cell){.periodic = {1, 0, 1}};
    assert_true(scree_cell_set(&frame.cell, (double[9]){1, 0, 0.5, 0, 2, 0, 0, 0, 3}));
    for (int64_t c = 0; c < frame.contacts; c++)
      for (int k = 0; k < 3; k++) f->contact[c].image[k] = (c + k) % 5 - 2;
    assert_int_equal(scree_writer_frame(writer, &frame, &error), SCREE_OK);
  }
  assert_int_equal(scree_writer_close(writer, &error), SCREE_OK);
  scree_reader *reader = scree_reader_open(path, &error);
  assert_non_null(reader);
  scree_cell cell;
  assert_true(scree_reader_cell(reader, 1, &cell) && cell.matrix[2] == 0.5 && cell.volume == 6);
  assert_true(cell.periodic[0] && !cell.periodic[1] && cell.inverse[2] == -0.5 / 3);
  assert_true(!scree_reader_cell(reader, 2, &cell) && !scree_reader_cell(reader, -1, &cell));
  for (int i = 0; i < 2; i++) {
    const scree_frame *got = scree_reader_frame(reader, i, &error);
    assert_true(got && got->has_cell && got->images == (i == 0) && got->contacts > 9);
    assert_true(got->cell.volume == 6 && got->cell.inverse[2] == -0.5 / 3);
    for (int64_t c = 0; c < got->contacts; c++)
      for (int k = 0; k < 3; k++) assert_int_equal(got->contact[c].image[k], i == 0 ? (c + k) % 5 - 2 : 0);
  }
  scree_reader_close(reader);
  flow_destroy(f);
  support_clean(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(exact_doubles_come_back),
      cmocka_unit_test(rounded_fields_stay_within_their_precision),
      cmocka_unit_test(frames_can_be_read_in_any_order), cmocka_unit_test(the_thread_changes_no_byte),
      cmocka_unit_test(going_on_gives_the_same_bytes), cmocka_unit_test(odd_values_are_kept_exactly),
      cmocka_unit_test(mistakes_are_told), cmocka_unit_test(who_is_there_may_change_in_any_way),
      cmocka_unit_test(hulls_and_meshes_come_back), cmocka_unit_test(contacts_of_a_cell_tell_images)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
