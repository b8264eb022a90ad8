/* Coarse-grained fields (Goldhirsch 2010): sums over grains and contacts, smoothed by a kernel, at the
 * middles of the cells of a grid. The kernel is Lucy's (1977) of width w, which is 0 beyond w and integrates
 * to 1,
 *
 *   phi(r) = 105/(16 pi w^3) (1 + 3 r/w) (1 - r/w)^3,
 *
 * or a Gaussian of standard deviation w/3, cut off at w. With phi_i, the kernel about the centre of grain i,
 * the fields are
 *
 *   density    rho = sum m_i phi_i
 *   momentum   rho V = sum m_i v_i phi_i
 *   kinetic    sum m_i v'_i (x) v'_i phi_i,   v'_i = v_i - V at the same point
 *   contact    sum f (x) l  int_0^1 phi(x - x_2 - s l) ds
 *
 * f is the force on body 1. l is the branch from the centre x_2 of body 2 to the centre of body 1. If body 2
 * is not a grain, the branch starts at the contact point (Weinhart et al. 2012). The integral along the
 * branch is computed by Gauss's rule with five points.
 *
 * Each kernel is scaled so that its values at the middles of an unbounded grid, times the volume of a cell,
 * sum to 1. Mass, momentum and f (x) l are therefore conserved to rounding, if the grid contains all cells
 * within w of the grain or branch. Contributions to cells outside the grid are lost.
 *
 * In a periodic cell every image that reaches the grid counts, with the velocity of the image. Without a
 * region the grid divides the periodic cell along its edges. Images contribute to the cells of the grid near
 * its faces, so nothing is lost there. */
#include "measure/measure.h"
#include "math/vec.h"
#include "model/cell.h"

#include <math.h>
#include <string.h>

typedef struct keys {
  scree_measure_def head;
  double width;
  int kernel;
} keys;
enum { LUCY, GAUSSIAN };
static const scree_param params[] = {
    SC_MEASURE_PART("region", 0, "a box: {min = {x,y,z}, max = {x,y,z}}; without it the whole cell"),
    SC_MEASURE_PART("cells", SCREE_REQUIRED, "{nx, ny, nz}"),
    {"width", SCREE_REAL, SCREE_REQUIRED | SCREE_POSITIVE, "m", 0, 0, 0, SC_MEASURE_AT(width), NULL,
        "of the kernel, which is 0 past it"},
    {"kernel", SCREE_CHOICE, 0, "", LUCY, 0, 0, SC_MEASURE_AT(kernel), "lucy|gaussian",
        "Lucy's, or a Gaussian of standard deviation width/3"},
    SC_MEASURE_GROUP,
};
enum {
  MIDDLE,
  DENSITY = 3,
  MOMENTUM,
  KINETIC = 7,
  CONTACT = 13,
  VELOCITY = 22,
  TEMPERATURE = 25,
  FIELDS,
  ORIGIN = FIELDS,
  EDGES
};
static const scree_measure_field fields[] = {{"x", "x", SCREE_LIST}, {"y", "y", SCREE_LIST},
    {"z", "z", SCREE_LIST}, {"density", "density", SCREE_MEAN_LIST},
    {"momentum_x", "momentum_x", SCREE_MEAN_LIST}, {"momentum_y", "momentum_y", SCREE_MEAN_LIST},
    {"momentum_z", "momentum_z", SCREE_MEAN_LIST}, {"kinetic_xx", "kinetic_xx", SCREE_MEAN_LIST},
    {"kinetic_yy", "kinetic_yy", SCREE_MEAN_LIST}, {"kinetic_zz", "kinetic_zz", SCREE_MEAN_LIST},
    {"kinetic_xy", "kinetic_xy", SCREE_MEAN_LIST}, {"kinetic_xz", "kinetic_xz", SCREE_MEAN_LIST},
    {"kinetic_yz", "kinetic_yz", SCREE_MEAN_LIST}, {"contact_xx", "contact_xx", SCREE_MEAN_LIST},
    {"contact_xy", "contact_xy", SCREE_MEAN_LIST}, {"contact_xz", "contact_xz", SCREE_MEAN_LIST},
    {"contact_yx", "contact_yx", SCREE_MEAN_LIST}, {"contact_yy", "contact_yy", SCREE_MEAN_LIST},
    {"contact_yz", "contact_yz", SCREE_MEAN_LIST}, {"contact_zx", "contact_zx", SCREE_MEAN_LIST},
    {"contact_zy", "contact_zy", SCREE_MEAN_LIST}, {"contact_zz", "contact_zz", SCREE_MEAN_LIST},
    {"velocity_x", NULL, SCREE_LIST}, {"velocity_y", NULL, SCREE_LIST}, {"velocity_z", NULL, SCREE_LIST},
    {"temperature", NULL, SCREE_LIST}, {"origin", NULL, SCREE_LIST}, {"edges", NULL, SCREE_LIST}};
/* Rows and columns of the six stored components of the symmetric kinetic stress. */
static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

enum { CELLS_MOST = 10000000 };

/* ---- the grid and the kernel ---- */

/* A grid cell within reach of a kernel: its index, and the scaled value of the kernel at its middle
 * [1/m3]. */
typedef struct weight {
  int64_t cell;
  double value;
} weight;

/* The grid: the middle of cell (i, j, k) is at min + edges (i + 1/2, j + 1/2, k + 1/2). */
typedef struct canvas {
  double min[3], edges[9], inverse[9]; /* min: origin of the grid [m]; edges: edges of a grid cell, as columns
                                          [m]; inverse: inverse of `edges` [1/m] */
  double reach[3];                     /* reach of a kernel along each edge, as a number of grid cells */
  double width, volume;                /* kernel width [m]; volume of a grid cell [m3] */
  int kernel;
  int64_t n[3], cells;
  weight *reached; /* scratch: cells within reach of one kernel */
  double *list[FIELDS];
  bool repeats; /* true: the frame has a periodic cell, so points have images */
  sc_cell around;
  sc_cell_range range; /* range of images of a point that may reach the grid */
} canvas;

/* Returns the value of a kernel up to a constant factor. r: distance in kernel widths. */
static double kernel_at(int kernel, double r) {
  const double left = 1 - r;
  return kernel == GAUSSIAN ? exp(-4.5 * r * r) : (1 + 3 * r) * left * left * left;
}

/* Computes the grid cells within reach of a kernel about x, and their kernel values, in c->reached. Returns
 * their number. */
static int64_t compute_weights(const canvas *c, const double x[3]) {
  double from[3], to[3], at[3], d[3], middle[3], off[3], total = 0;
  sc_sub(x, c->min, d);
  for (int k = 0; k < 3; k++) {
    const double place = sc_dot(c->inverse + 3 * k, d) - 0.5;
    from[k] = ceil(place - c->reach[k]), to[k] = floor(place + c->reach[k]);
    if (!(from[k] < (double)c->n[k] && to[k] >= 0)) return 0;
  }
  int64_t count = 0;
  for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
    for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
      for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
        bool inside = true;
        for (int k = 0; k < 3; k++) {
          middle[k] = at[k] + 0.5;
          inside = inside && at[k] >= 0 && at[k] < (double)c->n[k];
        }
        sc_mat_vec(c->edges, middle, off);
        sc_sub(off, d, off);
        const double r = sc_norm(off) / c->width;
        if (!(r < 1)) continue;
        const double value = kernel_at(c->kernel, r);
        total += value;
        if (inside)
          c->reached[count++] = (weight){
              (int64_t)at[0] + c->n[0] * ((int64_t)at[1] + c->n[1] * (int64_t)at[2]), value};
      }
  for (int64_t i = 0; i < count; i++) c->reached[i].value /= total * c->volume;
  return count;
}

/* A contribution of a grain or of a point of a branch to the fields. `put` adds the contribution to the first
 * `count` cells in c->reached, for an image of the point. v: velocity of the image minus the velocity of the
 * point [m/s]. */
typedef struct brush {
  void (*put)(const canvas *c, const struct brush *b, int64_t count, const double v[3]);
  const double *velocity; /* velocity of a grain [m/s]; NULL for a contact */
  double mass, amount[9]; /* mass of a grain [kg]; amount: f (x) l of a contact [N m] */
} brush;

/* Adds the contribution of a point and of all its images that reach the grid. */
static void smooth_about(const canvas *c, const double x[3], const brush *b) {
  const double still[3] = {0, 0, 0};
  if (!c->repeats) {
    b->put(c, b, compute_weights(c, x), still);
    return;
  }
  const sc_images images = sc_cell_images(&c->around, &c->range, x);
  for (sc_image image = sc_images_begin(&images); sc_images_next(&images, &image);) {
    double y[3], v[3];
    sc_cell_shift(&c->around, &image, y);
    sc_cell_drift(&c->around, &image, v);
    sc_add(x, y, y);
    const int64_t count = compute_weights(c, y);
    if (count) b->put(c, b, count, v);
  }
}

/* ---- contributions ---- */

static void put_motion(const canvas *c, const brush *b, int64_t count, const double v[3]) {
  for (int64_t n = 0; n < count; n++) {
    const double mass = b->mass * c->reached[n].value;
    c->list[DENSITY][c->reached[n].cell] += mass;
    for (int k = 0; k < 3 && b->velocity; k++)
      c->list[MOMENTUM + k][c->reached[n].cell] += mass * (b->velocity[k] + v[k]);
  }
}

/* Computes the velocity of each grid cell from the sums of mass and momentum over all grains. The velocity is
 * NaN in a cell that no kernel reaches. */
static void divide_momentum(const canvas *c) {
  for (int64_t cell = 0; cell < c->cells; cell++)
    for (int k = 0; k < 3; k++) {
      const double density = c->list[DENSITY][cell];
      c->list[VELOCITY + k][cell] = density > 0 ? c->list[MOMENTUM + k][cell] / density : NAN;
    }
}

static void put_agitation(const canvas *c, const brush *b, int64_t count, const double v[3]) {
  for (int64_t n = 0; n < count; n++) {
    const int64_t cell = c->reached[n].cell;
    double u[3];
    for (int k = 0; k < 3; k++) u[k] = b->velocity[k] + v[k] - c->list[VELOCITY + k][cell];
    for (int p = 0; p < 6; p++)
      c->list[KINETIC + p][cell] += b->mass * c->reached[n].value * u[pairs[p][0]] * u[pairs[p][1]];
  }
}

static void put_stress(const canvas *c, const brush *b, int64_t count, const double v[3]) {
  (void)v;
  for (int64_t n = 0; n < count; n++)
    for (int i = 0; i < 9; i++)
      c->list[CONTACT + i][c->reached[n].cell] += c->reached[n].value * b->amount[i];
}

static void add_contact(
    const canvas *c, const scree_frame *f, const scree_frame_contact *contact, int64_t group, double dt) {
  static const double place[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
      0.9061798459386640},
                      share[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                          0.4786286704993665, 0.2369268850561891};
  double r1[3], r2[3], end[3], branch[3], x[3];
  brush b = {.put = put_stress};
  sc_measure_arms(f, contact, group, r1, r2);
  sc_sub(contact->point, r2, end);
  sc_sub(r2, r1, branch);
  for (int p = 0; p < 5; p++) {
    for (int i = 0; i < 9; i++) b.amount[i] = 0.5 * share[p] * (contact->impulse[i / 3] * branch[i % 3] / dt);
    sc_axpy(0.5 * (1 + place[p]), branch, end, x);
    smooth_about(c, x, &b);
  }
}

static void add_grains(const canvas *c, const scree_frame *f, int64_t group,
    void (*put)(const canvas *c, const brush *b, int64_t count, const double v[3])) {
  for (int64_t i = 0; i < f->bodies; i++) {
    const brush b = {.put = put, .velocity = f->velocity ? f->velocity + 3 * i : NULL, .mass = f->mass[i]};
    if (sc_measure_grain(f, i, NULL, group)) smooth_about(c, f->position + 3 * i, &b);
  }
}

static void smooth_frame(const canvas *c, const scree_frame *f, const scree_measure_def *def) {
  add_grains(c, f, def->group, put_motion);
  divide_momentum(c);
  if (f->velocity) add_grains(c, f, def->group, put_agitation);
  for (int64_t k = 0; k < f->contacts; k++)
    if (sc_measure_carries(f->contact + k)) add_contact(c, f, f->contact + k, def->group, def->dt);
  for (int64_t cell = 0; cell < c->cells; cell++) {
    const double trace = c->list[KINETIC][cell] + c->list[KINETIC + 1][cell] + c->list[KINETIC + 2][cell];
    c->list[TEMPERATURE][cell] = trace / (3 * c->list[DENSITY][cell]); /* NaN if trace and density are 0 */
  }
}

/* ---- the kind ---- */

static scree_status check_fields(const scree_frame *f, const scree_measure_def *def, scree_error *error) {
  const scree_region *r = def->region;
  const bool box = r && r->type == SCREE_REGION_BOX && !r->invert && isfinite(scree_region_volume(r)) &&
      scree_region_volume(r) > 0;
  if (!box && (r || !f->has_cell))
    return sc_fail(error, SCREE_E_ARGUMENT, "fields.region must be a box {min = {x,y,z}, max = {x,y,z}}%s",
        r ? "" : "; only a cell (world.cell) can take its place");
  for (int k = 0; k < 3; k++)
    if (def->cells[k] < 1)
      return sc_fail(error, SCREE_E_ARGUMENT, "fields.cells[%d] must be at least 1, not %lld", k + 1,
          (long long)def->cells[k]);
  scree_status status = sc_measure_images(f, "fields", error);
  return status ? status : sc_measure_dt(def->dt, error);
}

/* Sets the corner `min` and the edges (columns of `edges`) of the region's box or, without a region, of the
 * frame's cell. */
static void set_grid_box(const scree_frame *f, const scree_region *region, double min[3], double edges[9]) {
  if (!region) {
    sc_copy3(f->cell.origin, min);
    memcpy(edges, f->cell.matrix, sizeof f->cell.matrix);
    return;
  }
  sc_copy3(region->min, min);
  for (int k = 0; k < 9; k++) edges[k] = k % 4 ? 0 : region->max[k / 4] - min[k / 4];
}

static scree_status report_width(double width, double longest, double reached, scree_error *error) {
  if (!(width >= longest))
    return sc_fail(error, SCREE_E_ARGUMENT,
        "fields.width (%g) must be at least the longest edge of a cell (%g): a kernel may miss all middles",
        width, longest);
  return sc_fail(error, SCREE_E_ARGUMENT,
      "fields.width (%g) is too large for the cells: a kernel would reach %.3g of them, more than 1e7", width,
      reached);
}

/* Sets up the grid of a measurement that check_fields has accepted. Allocates c->reached. Fails if the grid
 * has too many cells, or if the kernel is too narrow or too wide for them. */
static scree_status make_canvas(canvas *c, const scree_frame *f, const keys *given, scree_error *error) {
  const scree_measure_def *def = &given->head;
  double cells = 1, reached = 1, longest = 0, whole[9];
  sc_cell grid = {.moves = false};
  *c = (canvas){.width = given->width, .kernel = given->kernel, .repeats = f->has_cell};
  set_grid_box(f, def->region, c->min, whole);
  memcpy(c->edges, whole, sizeof whole);
  for (int k = 0; k < 3; k++) {
    c->n[k] = def->cells[k], cells *= (double)c->n[k];
    for (int m = 0; m < 3; m++) c->edges[3 * m + k] /= (double)c->n[k];
    longest = fmax(longest, sc_norm((double[3]){c->edges[k], c->edges[3 + k], c->edges[6 + k]}));
  }
  if (cells > CELLS_MOST)
    return sc_fail(error, SCREE_E_ARGUMENT, "fields: %.3g cells are more than 1e7", cells);
  if (!sc_cell_set(&grid, c->edges))
    return sc_fail(error, SCREE_E_ARGUMENT, "fields: the edges of the grid are too unlike");
  memcpy(c->inverse, grid.inverse, sizeof c->inverse);
  c->volume = sc_cell_volume(&grid);
  for (int k = 0; k < 3; k++) {
    c->reach[k] = given->width * sc_norm(c->inverse + 3 * k);
    reached *= 2 * ceil(c->reach[k]) + 2;
  }
  if (!(given->width >= longest) || !(reached <= CELLS_MOST))
    return report_width(given->width, longest, reached, error);
  if (c->repeats) {
    c->around = sc_cell_from(&f->cell);
    c->range = sc_cell_around(&c->around, c->min, whole, given->width);
  }
  c->cells = (int64_t)cells;
  c->reached = sc_alloc((size_t)reached * sizeof *c->reached);
  return c->reached ? SCREE_OK : sc_measure_no_memory(error);
}

static void fill_grid_middles(const canvas *c) {
  for (int64_t cell = 0; cell < c->cells; cell++) {
    double place[3], at[3];
    int64_t rest = cell;
    for (int k = 0; k < 3; k++, rest /= c->n[k - 1]) place[k] = (double)(rest % c->n[k]) + 0.5;
    sc_mat_vec(c->edges, place, at);
    for (int k = 0; k < 3; k++) c->list[MIDDLE + k][cell] = c->min[k] + at[k];
  }
}

/* Writes the origin of the grid and the edges of a grid cell (as columns) to the result. */
static scree_status write_grid(const canvas *c, scree_measure_result *out, scree_error *error) {
  double *origin = sc_measure_list(out, ORIGIN, 3), *edges = sc_measure_list(out, EDGES, 9);
  if (!origin || !edges) return sc_measure_no_memory(error);
  sc_copy3(c->min, origin);
  memcpy(edges, c->edges, sizeof c->edges);
  return SCREE_OK;
}

static scree_status measure_fields(
    const scree_frame *frame, const scree_measure_def *def, scree_measure_result *out, scree_error *error) {
  canvas c;
  scree_status status = check_fields(frame, def, error);
  if (!status) status = make_canvas(&c, frame, (const keys *)def, error);
  if (status) return status;
  for (int i = 0; i < FIELDS && !status; i++)
    if (!(c.list[i] = sc_measure_list(out, i, c.cells))) status = sc_measure_no_memory(error);
  if (!status) status = write_grid(&c, out, error);
  if (!status) fill_grid_middles(&c), smooth_frame(&c, frame, def);
  sc_free(c.reached);
  return status;
}

const scree_measure_kind sc_measure_fields = {.name = "fields",
    .doc = "coarse-grained fields on a grid",
    SC_MEASURE_TABLES,
    .contacts = 1,
    .take = measure_fields};
