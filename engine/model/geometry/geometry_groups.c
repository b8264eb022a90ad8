/* Divides the triangles of a file into groups: the objects or groups of an OBJ file, or parts that share no
 * vertex.
 *
 * The statements o and g of an OBJ file determine the groups; statements with equal names are one group. If
 * the file has no such statements, union-find over the vertices finds the parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

enum { MOST_GROUPS = 100000 };

typedef struct grouping {
  sc_soup soup;
  int32_t *group_of;      /* [triangles] index of the triangle's group in `list` */
  scree_file_group *list; /* [count] groups */
  int64_t count;
} grouping;

void scree_file_groups_free(scree_file_group *groups, int64_t count) {
  for (int64_t k = 0; groups && k < count; k++) sc_free(groups[k].points), sc_free(groups[k].triangles);
  sc_free(groups);
}

/* ---- which group ---- */

static int32_t find_leader(int32_t *parent, int32_t p) {
  while (parent[p] != p) p = parent[p] = parent[parent[p]];
  return p;
}

/* Sets g->group_of and g->count for parts that share no vertex. Parts are numbered in the order of their
 * first triangles. Returns false if out of memory. */
static bool number_parts(grouping *g) {
  const sc_soup *s = &g->soup;
  int32_t *parent = sc_alloc((s->points + 1) * sizeof *parent),
          *number = sc_alloc((s->points + 1) * sizeof *number);
  if (parent && number) {
    for (size_t p = 0; p < s->points; p++) parent[p] = (int32_t)p, number[p] = -1;
    for (size_t t = 0; t < s->triangles; t++)
      for (int k = 1; k < 3; k++)
        parent[find_leader(parent, s->triangle[t][k])] = find_leader(parent, s->triangle[t][0]);
    for (size_t t = 0; t < s->triangles; t++) {
      const int32_t leader = find_leader(parent, s->triangle[t][0]);
      if (number[leader] < 0) number[leader] = (int32_t)g->count++;
      g->group_of[t] = number[leader];
    }
  }
  sc_free(parent);
  sc_free(number);
  return parent && number;
}

/* Allocates the list of groups with all bytes 0. Returns false if out of memory. */
static bool allocate_list(grouping *g, size_t count) {
  g->list = sc_alloc((count + 1) * sizeof *g->list);
  if (g->list) memset(g->list, 0, (count + 1) * sizeof *g->list);
  return g->list;
}

/* Returns the number of the group with a name. Adds the group to the list if no group has this name. */
static int32_t find_group(grouping *g, const char *name) {
  for (int64_t k = g->count - 1; k >= 0; k--)
    if (!strcmp(g->list[k].name, name)) return (int32_t)k;
  snprintf(g->list[g->count].name, sizeof g->list->name, "%s", name);
  return (int32_t)g->count++;
}

/* Sets g->group_of by the statements of an OBJ file. objects: true: statements o count, false: statements g.
 * Triangles before the first statement belong to a group with the name "". */
static void number_statements(grouping *g, bool objects) {
  const sc_soup *s = &g->soup;
  size_t next = 0;
  const char *name = "";
  for (size_t t = 0; t < s->triangles; t++) {
    for (; next < s->groups && s->group[next].first <= t; next++)
      if (s->group[next].is_object == objects) name = s->group[next].name;
    const bool same = t > 0 && !strcmp(g->list[g->group_of[t - 1]].name, name);
    g->group_of[t] = same ? g->group_of[t - 1] : find_group(g, name);
  }
}

static scree_status number_groups(grouping *g, const char *path, scree_error *error) {
  const sc_soup *s = &g->soup;
  bool objects = false;
  for (size_t k = 0; k < s->groups; k++) objects = objects || s->group[k].is_object;
  if (s->groups > MOST_GROUPS)
    return sc_fail(
        error, SCREE_E_FORMAT, "%s: %zu groups; at most %d are read", path, s->groups, MOST_GROUPS);
  g->group_of = sc_alloc((s->triangles + 1) * sizeof *g->group_of);
  if (g->group_of && s->groups) {
    if (allocate_list(g, s->groups + 1)) number_statements(g, objects);
  } else if (g->group_of && number_parts(g)) {
    const bool good = allocate_list(g, (size_t)g->count);
    for (int64_t k = 0; good && k < g->count; k++)
      snprintf(g->list[k].name, sizeof g->list->name, "%lld", (long long)k + 1);
  }
  return g->list ? SCREE_OK : sc_fail(error, SCREE_E_MEMORY, "%s: no memory for its groups", path);
}

/* ---- points and triangles of each group ---- */

/* Counts the triangles of each group and allocates its arrays. Returns false if out of memory. */
static bool allocate_groups(grouping *g) {
  for (size_t t = 0; t < g->soup.triangles; t++) g->list[g->group_of[t]].triangles_count++;
  for (scree_file_group *of = g->list; of < g->list + g->count; of++) {
    const size_t n = (size_t)of->triangles_count;
    of->points = sc_alloc(3 * n * sizeof *of->points), of->triangles = sc_alloc(n * sizeof *of->triangles);
    if (!of->points || !of->triangles) return false;
    of->triangles_count = 0;
  }
  return true;
}

/* Copies triangle t of the soup into the group `of`. number: [points] 1 + index of the point in the group, 0:
 * the group does not have the point yet. */
static void add_triangle(const sc_soup *s, size_t t, scree_file_group *of, int32_t *number) {
  for (int k = 0; k < 3; k++) {
    const int32_t p = s->triangle[t][k];
    if (!number[p]) {
      sc_copy3(s->point[p], of->points[of->points_count]);
      number[p] = (int32_t)++of->points_count;
    }
    of->triangles[of->triangles_count][k] = number[p] - 1;
  }
  of->triangles_count++;
}

/* Copies all points and triangles into their groups, group by group. Returns false if out of memory. */
static bool fill_groups(grouping *g) {
  const sc_soup *s = &g->soup;
  size_t *order = sc_alloc((s->triangles + 1) * sizeof *order),
         *start = sc_alloc((size_t)(g->count + 1) * sizeof *start);
  int32_t *number = sc_alloc((s->points + 1) * sizeof *number);
  const bool good = order && start && number;
  if (good) {
    memset(start, 0, (size_t)(g->count + 1) * sizeof *start);
    memset(number, 0, (s->points + 1) * sizeof *number);
    for (size_t t = 0; t < s->triangles; t++) start[g->group_of[t] + 1]++;
    for (int64_t k = 0; k < g->count; k++) start[k + 1] += start[k];
    for (size_t t = 0; t < s->triangles; t++) order[start[g->group_of[t]]++] = t;
    for (size_t i = 0, first = 0; i < s->triangles; i++) {
      const int32_t of = g->group_of[order[i]];
      add_triangle(s, order[i], g->list + of, number);
      if (i + 1 < s->triangles && g->group_of[order[i + 1]] == of) continue;
      for (; first <= i; first++) // the next group numbers the points anew
        for (int k = 0; k < 3; k++) number[s->triangle[order[first]][k]] = 0;
    }
  }
  sc_free(order);
  sc_free(start);
  sc_free(number);
  return good;
}

/* ---- public functions ---- */

static bool has_groups(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcasecmp(dot, ".obj") || !strcasecmp(dot, ".ply"));
}

int64_t scree_file_groups_read(const scree_file_def *def, scree_file_group **groups, scree_error *error) {
  SC_DEMAND(def && def->path && groups, error, -1);
  grouping g = {0};
  *groups = NULL;
  if (!has_groups(def->path)) {
    sc_fail(error, SCREE_E_ARGUMENT, "%s: groups are read from .obj and .ply files", def->path);
    return -1;
  }
  scree_status status = sc_soup_read(def, false, &g.soup, error);
  if (!status && !g.soup.triangles) status = sc_fail(error, SCREE_E_FORMAT, "%s: holds no face", def->path);
  if (!status) status = number_groups(&g, def->path, error);
  if (!status && !(allocate_groups(&g) && fill_groups(&g)))
    status = sc_fail(error, SCREE_E_MEMORY, "%s: no memory for its groups", def->path);
  sc_free(g.group_of);
  sc_soup_free(&g.soup);
  if (!status) return *groups = g.list, g.count;
  scree_file_groups_free(g.list, g.count);
  return -1;
}
