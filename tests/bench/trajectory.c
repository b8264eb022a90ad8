/* What a trajectory costs: bytes per grain and frame, per field and per predictor, and the time of
 * packing beside that of stepping.
 *
 * The scene is a small channel: a plane pushes a lattice of grains of 0.94 mm at 1 m/s along a floor
 * between walls, past a ball that
 * stands in the way. usage: bench.trajectory [layers along x, default 40] [seconds, default 0.06] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/trajectory/frame_codec.h"
#include "scree/scree.h"

static const double radius = 0.47e-3, spacing = 1e-3;
enum { ROWS = 24, HEIGHT = 10, MOST_FRAMES = 200 };

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add(
    scree_world *w, int kind, scree_shape_def shape, const double position[3], const double velocity[3]) {
  scree_error error;
  scree_body_def def = scree_body_defaults();
  def.kind = kind;
  memcpy(def.position, position, 24);
  memcpy(def.velocity, velocity, 24);
  def.shapes = &shape;
  def.shapes_count = 1;
  if (!scree_world_add(w, &def, &error)) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
}

static void add_plane(
    scree_world *w, int kind, double x, double y, double z, double nx, double ny, double nz, double speed) {
  scree_shape_def plane = scree_shape_defaults();
  plane.type = SCREE_HALFSPACE;
  plane.normal[0] = nx;
  plane.normal[1] = ny;
  plane.normal[2] = nz;
  add(w, kind, plane, (double[3]){x, y, z}, (double[3]){speed, 0, 0});
}

static scree_world *make(int layers) {
  scree_error error;
  scree_world_def def = scree_world_defaults();
  def.gravity[2] = -9.81;
  def.dt = 2e-5;
  def.solver.iterations = 20;
  scree_world *w = scree_world_create(&def, &error);
  if (!w) exit(1);
  double width = ROWS * spacing;
  scree_pair_def pair = {.law = "coulomb", .params = {0.4}};
  scree_world_set_pair(w, &pair, &error);
  add_plane(w, SCREE_FIXED, 0, 0, 0, 0, 0, 1, 0);
  add_plane(w, SCREE_FIXED, 0, 0, 0, 0, 1, 0, 0);
  add_plane(w, SCREE_FIXED, 0, width, 0, 0, -1, 0, 0);
  add_plane(w, SCREE_KINEMATIC, 0, 0, 0, 1, 0, 0, 1);
  scree_shape_def ball = scree_shape_defaults();
  ball.type = SCREE_SPHERE;
  ball.radius = 5e-3;
  add(w, SCREE_FIXED, ball, (double[3]){layers * spacing + 5e-3, width / 2, 3e-3}, (double[3]){0, 0, 0});
  scree_fill_def fill = scree_fill_defaults();
  fill.spacing = spacing;
  fill.radius = radius;
  fill.density = 2650;
  fill.seed = 1;
  fill.velocity[0] = 1;
  fill.velocity_jitter[1] = fill.velocity_jitter[2] = 0.5;
  fill.min[0] = 0;
  fill.max[0] = layers * spacing;
  fill.min[1] = 0;
  fill.max[1] = width;
  fill.min[2] = 0;
  fill.max[2] = HEIGHT * spacing;
  if (scree_world_fill(w, &fill, &error) < 0) {
    fprintf(stderr, "%s\n", error.text);
    exit(1);
  }
  return w;
}

/* Frames of the run, kept for the measurements that follow. */
typedef struct run {
  int frames;
  sc_frame_store store[MOST_FRAMES];
  double step_seconds;
} run;

static void record(run *r, scree_world *w, double seconds, double every) {
  scree_error error;
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  int64_t steps = (int64_t)lround(every / scree_world_get_def(w)->dt);
  int frames = (int)lround(seconds / every);
  for (r->frames = 0; r->frames <= frames && r->frames < MOST_FRAMES; r->frames++) {
    const scree_frame *frame = scree_frame_capture(buffer, w, 1, &error);
    if (!frame || !sc_frame_store_copy(&r->store[r->frames], frame, 31)) exit(1);
    double start = cpu();
    if (scree_world_step(w, steps, &error)) {
      fprintf(stderr, "%s\n", error.text);
      exit(1);
    }
    r->step_seconds += cpu() - start;
  }
  scree_frame_buffer_destroy(buffer);
}

/* Bytes of each column over a run, with some predictors forbidden. */
static double measure(
    const run *r, scree_trajectory_def def, unsigned forbidden, double bytes[SC_COLUMNS], double *seconds) {
  sc_frame_codec codec = {.forbidden = forbidden};
  double total = 0, grains = 0, start = cpu();
  memset(bytes, 0, SC_COLUMNS * sizeof *bytes);
  for (int i = 0; i < r->frames; i++) {
    if (sc_frame_encode(&codec, &def, &r->store[i].frame, i, i % def.key_every == 0, NULL)) exit(1);
    total += (double)codec.payload.count + 56;
    grains += (double)r->store[i].frame.bodies;
    const unsigned char *at = codec.payload.at + SC_FRAME_HEADER,
                        *end = codec.payload.at + codec.payload.count;
    for (sc_column column; at < end && !sc_column_read(&column, &at, end, NULL);)
      bytes[column.id] += (double)column.stored + SC_COLUMN_HEADER;
  }
  *seconds = cpu() - start;
  for (int c = 0; c < SC_COLUMNS; c++) bytes[c] /= grains;
  sc_frame_codec_free(&codec);
  return total / grains;
}

static void report(
    const run *r, const char *name, scree_trajectory_def def, unsigned forbidden, double every) {
  double b[SC_COLUMNS], seconds, statics = 0, total = measure(r, def, forbidden, b, &seconds), contacts = 0;
  for (int c = SC_COLUMN_ID; c <= SC_COLUMN_MASS; c++) statics += b[c];
  for (int c = SC_COLUMN_SHAPE_BODY; c <= SC_COLUMN_SHAPE_ORIENTATION; c++) statics += b[c];
  for (int c = SC_COLUMN_CONTACT_BODY1; c <= SC_COLUMN_CONTACT_IMPULSE; c++) contacts += b[c];
  printf("%-28s %6.1f ms %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %8.2f %9.2f\n", name, 1e3 * every,
      b[SC_COLUMN_POSITION], b[SC_COLUMN_VELOCITY], b[SC_COLUMN_SPIN],
      b[SC_COLUMN_ORIENTATION] + b[SC_COLUMN_CHART], statics, contacts, total, 1e3 * seconds / r->frames);
}

/* The whole way: capture, writer, file; what stays in the caller's thread and what the writer's own
 * thread takes. */
static void time_writer(scree_world *w, double seconds, double every) {
  scree_error error;
  char path[] = "bench-trajectory-XXXXXX";
  close(mkstemp(path));
  remove(path);
  scree_trajectory_def def = scree_trajectory_defaults();
  def.precision = 1e-4 * 2 * radius;
  scree_writer *writer = scree_writer_open(path, &def, &error);
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  int64_t steps = (int64_t)lround(every / scree_world_get_def(w)->dt);
  int frames = (int)lround(seconds / every);
  double stepping = 0, capturing = 0;
  for (int i = 0; i < frames; i++) {
    double start = cpu();
    const scree_frame *frame = scree_frame_capture(buffer, w, 0, &error);
    if (!frame || scree_writer_frame(writer, frame, &error)) exit(1);
    capturing += cpu() - start;
    scree_writer_flush(writer, 0, &error);
    start = cpu();
    if (scree_world_step(w, steps, &error)) exit(1);
    stepping += cpu() - start;
  }
  double own = scree_writer_seconds(writer, 1), caller = scree_writer_seconds(writer, 0);
  scree_writer_close(writer, &error);
  remove(path);
  scree_frame_buffer_destroy(buffer);
  printf("writing every %g ms: caller's thread %.3f ms a frame (capture %.3f), writer's thread %.3f ms a "
         "frame; stepping %.1f ms a frame; writing is %.2f %% of the run's CPU time\n",
      1e3 * every, 1e3 * caller / frames, 1e3 * (capturing - caller) / frames, 1e3 * own / frames,
      1e3 * stepping / frames, 100 * (capturing + own) / (capturing + own + stepping));
}

int main(int argc, char **argv) {
  int layers = argc > 1 ? atoi(argv[1]) : 40;
  double seconds = argc > 2 ? atof(argv[2]) : 0.06;
  static run runs[2];
  double every[2] = {0.01, 0.001};
  printf("%-28s %9s %8s %8s %8s %8s %8s %8s %8s %9s   (bytes per grain and frame)\n", "", "every", "position",
      "velocity", "spin", "orient.", "static", "contacts", "all", "ms/frame");
  for (int k = 0; k < 2; k++) {
    run *r = &runs[k];
    scree_world *w = make(layers);
    scree_error error;
    if (scree_world_step(w, (int64_t)(0.02 / scree_world_get_def(w)->dt), &error)) {
      fprintf(stderr, "%s\n", error.text);
      return 1;
    }
    record(r, w, k ? seconds / 3 : seconds, every[k]);
    scree_world_destroy(w);
    scree_trajectory_def def = scree_trajectory_defaults();
    report(r, "exact", def, 0, every[k]);
    def.precision = 1e-4 * 2 * radius;
    report(r, "1e-4 d, cheapest predictor", def, 0, every[k]);
    report(r, "1e-4 d, without motion", def, 1u << SC_PREDICT_MOTION, every[k]);
    report(r, "1e-4 d, motion or nothing", def, 1u << SC_PREDICT_FRAME, every[k]);
    report(r, "1e-4 d, key frames only", def, 1u << SC_PREDICT_FRAME | 1u << SC_PREDICT_MOTION, every[k]);
    def.fields |= SCREE_FIELD_CONTACTS;
    report(r, "1e-4 d, with contacts", def, 0, every[k]);
    def.fields = SCREE_FIELD_DEFAULT;
    def.level = 6;
    report(r, "1e-4 d, zlib level 6", def, 0, every[k]);
    def.level = 1;
    def.precision = 1e-3 * 2 * radius;
    report(r, "1e-3 d", def, 0, every[k]);
    for (int i = 0; i < r->frames; i++) sc_frame_store_free(&r->store[i]);
  }
  scree_world *w = make(layers);
  time_writer(w, seconds, 0.01);
  scree_world_destroy(w);
  return 0;
}
