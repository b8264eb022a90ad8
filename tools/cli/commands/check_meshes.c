/* Meshes as scree check lists them: what was read, and whether its unit fits the grains. */
#include "commands/check_meshes.h"

#include <math.h>
#include <stdio.h>

#include "run/run.h"
#include "scree/body.h"
#include "scree/geometry.h"

/* Lines at most. */
enum { MOST_LINES = 20, MESH_LABEL = 96 };
/* A mesh longer than this many of the widest moving bodies, or shorter than this share of the narrowest
 * one, is asked about. A vessel read in millimetres for metres is 1000 times too long. */
#define TOO_MANY_GRAINS 3000.0
#define TOO_FEW_GRAINS 0.1

typedef struct grains {
  double narrow, wide; /* diameters of the bodies that move [m]; INFINITY and 0 without any */
} grains;

typedef struct mesh {
  char label[MESH_LABEL];
  scree_geometry_info info;
  double size[3], length; /* edges of its box, and the largest [m] */
  int suspect;            /* 1: too large for the grains, -1: too small, 0: neither */
} mesh;

static grains measure_grains(scree_world *world) {
  grains g = {INFINITY, 0};
  void *kind, *radius;
  int64_t rows;
  if (!scree_world_view(world, SCREE_VIEW_KIND, &kind, &rows) ||
      !scree_world_view(world, SCREE_VIEW_RADIUS, &radius, &rows))
    return g;
  for (int64_t i = 0; i < rows; i++) {
    const double width = 2 * ((double *)radius)[i];
    if (((int64_t *)kind)[i] != SCREE_DYNAMIC || !isfinite(width)) continue;
    g.narrow = fmin(g.narrow, width), g.wide = fmax(g.wide, width);
  }
  return g;
}

/* Returns false if the shape is no mesh. */
static bool read_mesh(scree_world *world, int64_t index, const grains *g, mesh *m) {
  scree_shape_info shape;
  scree_body_state state;
  scree_world_shape(world, index, &shape);
  if (shape.type != SCREE_MESH || !shape.geometry) return false;
  scree_geometry_get_info(shape.geometry, &m->info);
  if (!scree_world_get(world, shape.body, &state, NULL) && state.name)
    snprintf(m->label, sizeof m->label, "%s", state.name);
  else snprintf(m->label, sizeof m->label, "body %llu", (unsigned long long)shape.body);
  m->length = 0, m->suspect = 0;
  for (int k = 0; k < 3; k++)
    m->size[k] = m->info.max[k] - m->info.min[k], m->length = fmax(m->length, m->size[k]);
  if (!(g->wide > 0)) return true;
  if (m->length > TOO_MANY_GRAINS * g->wide) m->suspect = 1;
  if (m->length < TOO_FEW_GRAINS * g->narrow) m->suspect = -1;
  return true;
}

static void print_mesh(const mesh *m, const grains *g) {
  printf("  mesh              \"%s\": %lld triangles, %.4g x %.4g x %.4g m, ", m->label,
      (long long)m->info.triangles, m->size[0], m->size[1], m->size[2]);
  if (m->info.closed) printf("closed, volume %.4g m3, ", m->info.volume);
  else printf("open, ");
  printf("%s", m->info.solid ? "solid" : "wall");
  if (m->info.welded) printf("; %lld corners welded", (long long)m->info.welded);
  if (m->info.turned) printf("; %lld triangles turned", (long long)m->info.turned);
  if (m->info.dropped) printf("; %lld triangles without area left out", (long long)m->info.dropped);
  putchar('\n');
  if (m->suspect > 0)
    printf("  question          \"%s\" is %.2g times as long as the widest body that moves (%.3g m): is its "
           "unit mm? "
           "then use unit = \"mm\"\n",
        m->label, m->length / g->wide, g->wide);
  if (m->suspect < 0)
    printf("  question          \"%s\" is shorter than every body that moves (by a factor of %.2g): is its "
           "unit m? "
           "then leave out unit and scale\n",
        m->label, g->narrow / m->length);
}

void check_print_meshes(scree_world *world) {
  const grains g = measure_grains(world);
  const int64_t count = scree_world_shapes_count(world);
  int64_t found = 0;
  mesh m;
  for (int64_t i = 0; i < count; i++)
    if (read_mesh(world, i, &g, &m) && (++found <= MOST_LINES || m.suspect)) print_mesh(&m, &g);
  if (found > MOST_LINES)
    printf("  mesh              %lld meshes in all; the first %d are listed\n", (long long)found, MOST_LINES);
}

void check_put_meshes(scree_world *world) {
  const grains g = measure_grains(world);
  const int64_t count = scree_world_shapes_count(world);
  const char *comma = "";
  mesh m;
  fputs(", \"meshes\": [", stdout);
  for (int64_t i = 0; i < count; i++) {
    if (!read_mesh(world, i, &g, &m)) continue;
    printf("%s{\"name\": ", comma);
    run_put_text(stdout, m.label);
    printf(", \"triangles\": %lld, \"size\": [%.10g, %.10g, %.10g], \"volume\": %.10g, \"closed\": %s, "
           "\"solid\": %s, "
           "\"welded\": %lld, \"turned\": %lld, \"dropped\": %lld, \"suspect\": %d}",
        (long long)m.info.triangles, m.size[0], m.size[1], m.size[2], m.info.volume,
        m.info.closed ? "true" : "false", m.info.solid ? "true" : "false", (long long)m.info.welded,
        (long long)m.info.turned, (long long)m.info.dropped, m.suspect);
    comma = ", ";
  }
  putchar(']');
}
