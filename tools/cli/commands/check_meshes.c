/* Meshes as scree check lists them, and questions about meshes and hulls whose unit does not fit the grains.
 *
 * The length of each mesh and hull is compared with the diameters of the grains: bodies that move, and grains
 * of fills and feeds. If there are grains that are not hulls, hulls do not count as grains, because a hull
 * may have the wrong unit, too. If all grains are hulls, the unit of the mesh or that of the hull is wrong.
 * The question is then about the mesh or the hull, whichever has no size set by the script, or about both. */
#include "commands/check_meshes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/body.h"
#include "scree/geometry.h"
#include "files.h"

enum { MOST_LINES = 20 };  /* largest number of lines */
enum { SHAPE_LABEL = 96 }; /* bytes of a label */
/* scree check asks about a mesh or hull that is longer than this multiple of the largest grain, or shorter
 * than this fraction of the smallest grain. A vessel in millimetres read as metres is 1000 times too long. */
#define TOO_MANY_GRAINS 3000.0
#define TOO_FEW_GRAINS 0.1
/* Replaces TOO_FEW_GRAINS for hulls that move, because such a hull may be a fine grain among coarse
 * grains. */
#define TOO_FINE 1e-3

/* Smallest and largest diameter of grains [m]; INFINITY and 0 if there are none. */
typedef struct range {
  double narrow, wide;
  bool is_asked; /* true: the largest grain comes from a fill or feed, so no body has it yet */
} range;

/* The grains of a scene. */
typedef struct grains {
  range range;
  bool of_hulls;            /* true: all grains are hulls */
  char label[SHAPE_LABEL];  /* label of the largest hull, if of_hulls */
  char scaling[SL_SCALING]; /* how the largest hull is scaled (sl_scaling) */
} grains;

/* A mesh or hull. */
typedef struct part {
  char label[SHAPE_LABEL];
  scree_geometry_info info;
  const scree_geometry *geometry;
  bool is_mesh, moves;
  double size[3], length; /* edges of its bounding box, and the largest edge [m] */
  int suspect;            /* size of this part: 1: too large for the grains, -1: too small, 0: neither */
  /* true: scree check asks whether the size of the largest hull that moves is wrong, not that of this part */
  bool blames_hull;
  char scaling[SL_SCALING]; /* how the part is scaled (sl_scaling) */
} part;

static void widen_range(range *r, double width, bool is_asked) {
  if (!isfinite(width) || !(width > 0)) return;
  r->narrow = fmin(r->narrow, width);
  if (width > r->wide) r->wide = width, r->is_asked = is_asked;
}

static void label_body(const scree_world *world, scree_id body, char label[SHAPE_LABEL]) {
  scree_body_state state;
  if (!scree_world_get(world, body, &state, NULL) && state.name)
    snprintf(label, SHAPE_LABEL, "\"%s\"", state.name);
  else snprintf(label, SHAPE_LABEL, "body %llu", (unsigned long long)body);
}

/* Returns the largest edge of the bounding box of a geometry [m]. */
static double find_length(const scree_geometry *geometry) {
  scree_geometry_info info;
  scree_geometry_get_info(geometry, &info);
  return fmax(info.max[0] - info.min[0], fmax(info.max[1] - info.min[1], info.max[2] - info.min[2]));
}

static grains measure_grains(const sl_world *world) {
  lua_State *L = sl_runtime_lua(world->runtime);
  range other = {INFINITY, 0, false}, hulls = other;
  grains g = {.label = "the grains of a fill or feed"};
  scree_shape_info shape;
  scree_body_state state;
  for (int64_t i = 0; i < scree_world_shapes_count(world->world); i++) {
    scree_world_shape(world->world, i, &shape);
    if (scree_world_get(world->world, shape.body, &state, NULL) || state.kind != SCREE_DYNAMIC) continue;
    const double widest = hulls.wide;
    if (shape.geometry) widen_range(&hulls, find_length(shape.geometry), false);
    else widen_range(&other, 2 * state.radius, false);
    if (!(hulls.wide > widest)) continue;
    label_body(world->world, shape.body, g.label);
    sl_find_scaling(L, shape.geometry, g.scaling);
  }
  widen_range(&other, world->grain_min[0], true), widen_range(&other, world->grain_max[0], true);
  if (world->grain_hull && !(hulls.wide > 0)) sl_find_scaling(L, world->grain_hull, g.scaling);
  widen_range(&hulls, world->grain_min[1], true), widen_range(&hulls, world->grain_max[1], true);
  g.of_hulls = !(other.wide > 0);
  g.range = g.of_hulls ? hulls : other;
  return g;
}

/* Compares the length of a mesh or hull with the grains. Sets p->suspect and p->blames_hull. */
static void judge_part(const grains *g, part *p) {
  p->suspect = 0, p->blames_hull = false;
  if (!(g->range.wide > 0) || (g->of_hulls && p->moves)) return;
  if (p->length > TOO_MANY_GRAINS * g->range.wide) p->suspect = 1;
  if (p->length < (p->moves ? TOO_FINE : TOO_FEW_GRAINS) * g->range.narrow) p->suspect = -1;
  if (!p->suspect || !g->of_hulls || !*p->scaling || *g->scaling) return;
  p->suspect = 0, p->blames_hull = true;
}

/* Describes a mesh or hull. Returns false for other shapes. */
static bool read_part(const sl_world *world, int64_t index, const grains *g, part *p) {
  scree_shape_info shape;
  scree_body_state state;
  scree_world_shape(world->world, index, &shape);
  if (!shape.geometry || scree_world_get(world->world, shape.body, &state, NULL)) return false;
  *p = (part){
      .geometry = shape.geometry, .is_mesh = shape.type == SCREE_MESH, .moves = state.kind == SCREE_DYNAMIC};
  scree_geometry_get_info(shape.geometry, &p->info);
  label_body(world->world, shape.body, p->label);
  for (int k = 0; k < 3; k++)
    p->size[k] = p->info.max[k] - p->info.min[k], p->length = fmax(p->length, p->size[k]);
  sl_find_scaling(sl_runtime_lua(world->runtime), shape.geometry, p->scaling);
  judge_part(g, p);
  return true;
}

/* ---- questions ---- */

/* Writes the advice about a size: the keys that the script sets, or the unit that it probably lacks. */
static void write_advice(const char *scaling, int suspect, char *text, size_t size) {
  if (*scaling) snprintf(text, size, "%s; is that right?", scaling);
  else if (suspect > 0) snprintf(text, size, "is its unit mm? then use unit = \"mm\"");
  else snprintf(text, size, "it is read in metres; is that right?");
}

/* Writes the question that scree check prints about a mesh or hull. Returns false if there is none. */
static bool write_question(const part *p, const grains *g, char text[CHECK_QUESTION]) {
  char advice[200];
  const range *r = &g->range;
  const char *grain = r->is_asked ? "grain of a fill or feed" : "body that moves";
  if (p->blames_hull) {
    const double ratio = r->wide / p->length;
    write_advice(g->scaling, ratio > 1 ? 1 : -1, advice, sizeof advice);
    snprintf(text, CHECK_QUESTION,
        "the hull of %s (%.3g m) is %.2g times as long as the mesh of %s (%.3g m): %s", g->label, r->wide,
        ratio, p->label, p->length, advice);
  } else if (p->suspect && g->of_hulls && !*p->scaling == !*g->scaling) {
    snprintf(text, CHECK_QUESTION,
        "%s (%.3g m long) does not suit the hull of %s (%.3g m): is the unit of one of them wrong?", p->label,
        p->length, g->label, r->wide);
  } else if (p->suspect > 0) {
    write_advice(p->scaling, 1, advice, sizeof advice);
    snprintf(text, CHECK_QUESTION, "%s is %.2g times as long as the widest %s (%.3g m): %s", p->label,
        p->length / r->wide, grain, r->wide, advice);
  } else if (p->suspect < 0) {
    write_advice(p->scaling, -1, advice, sizeof advice);
    snprintf(text, CHECK_QUESTION, "%s is shorter than every %s (by a factor of %.2g): %s", p->label, grain,
        r->narrow / p->length, advice);
  }
  return p->suspect || p->blames_hull;
}

int check_find_questions(const sl_world *world, char text[CHECK_QUESTIONS][CHECK_QUESTION]) {
  const grains g = measure_grains(world);
  const int64_t count = scree_world_shapes_count(world->world);
  const scree_geometry *seen[CHECK_QUESTIONS];
  int found = 0;
  bool hull_is_blamed = false;
  part p;
  for (int64_t i = 0; i < count && found < CHECK_QUESTIONS; i++) {
    if (!read_part(world, i, &g, &p) || (p.blames_hull && hull_is_blamed)) continue;
    bool is_new = true;
    for (int k = 0; k < found; k++) is_new = is_new && seen[k] != p.geometry;
    if (!is_new || !write_question(&p, &g, text[found])) continue;
    hull_is_blamed = hull_is_blamed || p.blames_hull;
    seen[found++] = p.geometry;
  }
  return found;
}

/* ---- list ---- */

static void print_mesh(const part *p) {
  printf("  mesh              %s: %lld triangles, %.4g x %.4g x %.4g m, ", p->label,
      (long long)p->info.triangles, p->size[0], p->size[1], p->size[2]);
  if (p->info.closed) printf("closed, volume %.4g m3, ", p->info.volume);
  else printf("open, ");
  printf("%s", p->info.solid ? "solid" : "wall");
  if (p->info.welded) printf("; %lld corners welded", (long long)p->info.welded);
  if (p->info.turned) printf("; %lld triangles turned", (long long)p->info.turned);
  if (p->info.dropped) printf("; %lld triangles without area left out", (long long)p->info.dropped);
  putchar('\n');
}

void check_print_meshes(const sl_world *world) {
  const grains g = measure_grains(world);
  const int64_t count = scree_world_shapes_count(world->world);
  int64_t found = 0;
  part p;
  for (int64_t i = 0; i < count; i++)
    if (read_part(world, i, &g, &p) && p.is_mesh && ++found <= MOST_LINES) print_mesh(&p);
  if (found > MOST_LINES)
    printf("  mesh              %lld meshes in all; the first %d are listed\n", (long long)found, MOST_LINES);
}

/* Prints a label without its quotes, as JSON. */
static void put_label(const char *label) {
  char name[SHAPE_LABEL];
  snprintf(name, sizeof name, "%.*s", SHAPE_LABEL - 1, *label == '"' ? label + 1 : label);
  if (*label == '"' && *name) name[strlen(name) - 1] = 0;
  cli_json_text(stdout, name);
}

void check_put_meshes(const sl_world *world) {
  const grains g = measure_grains(world);
  const int64_t count = scree_world_shapes_count(world->world);
  const char *comma = "";
  part p;
  fputs(", \"meshes\": [", stdout);
  for (int64_t i = 0; i < count; i++) {
    if (!read_part(world, i, &g, &p) || !p.is_mesh) continue;
    printf("%s{\"name\": ", comma);
    put_label(p.label);
    printf(", \"triangles\": %lld, \"size\": [%.10g, %.10g, %.10g], \"volume\": %.10g, \"closed\": %s, "
           "\"solid\": %s, "
           "\"welded\": %lld, \"turned\": %lld, \"dropped\": %lld, \"suspect\": %d}",
        (long long)p.info.triangles, p.size[0], p.size[1], p.size[2], p.info.volume,
        p.info.closed ? "true" : "false", p.info.solid ? "true" : "false", (long long)p.info.welded,
        (long long)p.info.turned, (long long)p.info.dropped, p.suspect);
    comma = ", ";
  }
  putchar(']');
}
