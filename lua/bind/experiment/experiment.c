/* Reading experiments: file, includes, settings from the command line, checks against the tables.
 *
 * Every key is checked against its table. Quantities are converted to SI numbers in the tree itself. The
 * checked tree is therefore also the tree that is run and written with the results. Checking continues after
 * a mistake. */
#include "bind/experiment/condition.h"
#include "bind/sandbox/place.h"
#include "bind/experiment/calibration.h"
#include "bind/experiment/experiment.h"
#include "bind/tables/units.h"
#include "scree/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 256, MEASURES = 1000, NAME = 40 };

bool sl_experiment_fine(const sl_experiment *e) { return e->yaml.root && !e->yaml.problems; }

/* ---- words for messages ---- */

/* Returns a description of a value for messages that end in ", not DESCRIPTION". */
static const char *describe_value(const sl_yaml_node *n, char out[PLACE]) {
  static const char *const kinds[] = {"nothing", "a boolean", "a number", "a text", "a list", "a map"};
  if (n->kind == SL_YAML_LIST || n->kind == SL_YAML_MAP || n->kind == SL_YAML_NULL) return kinds[n->kind];
  snprintf(out, PLACE, n->quoted ? "\"%.100s\"" : "%.100s", n->text);
  return out;
}

/* Adds the problem that a value has the wrong kind. what: description of a correct value. */
static void note_expected(sl_experiment *e, const sl_yaml_node *n, const char *path, const char *what) {
  char text[PLACE];
  sl_yaml_problem(&e->yaml, n, "%s: expected %s, not %s", path, what, describe_value(n, text));
}

static const char *experiment_param_name(const void *context, int i) {
  return ((const scree_param *)context)[i].name;
}

static void join_path(char out[PLACE], const char *path, const char *key) {
  snprintf(out, PLACE, "%.100s%s%.100s", path, *path ? "." : "", key);
}

/* ---- values ---- */

static void become_number(sl_experiment *e, sl_yaml_node **slot, double value) {
  sl_yaml_node *number = sl_yaml_new_number(&e->yaml, value, *slot);
  if (number) number->quantity = (*slot)->text, *slot = number;
  else sl_yaml_problem(&e->yaml, *slot, "no memory");
}

/* Converts a text with a quantity to a number. unit NULL: any unit. Returns false after a problem. */
static bool convert_quantity(sl_experiment *e, sl_yaml_node **slot, const char *path, const char *unit) {
  sl_yaml_node *n = *slot;
  char text[PLACE];
  double value;
  if (n->kind == SL_YAML_NUMBER) return true;
  if (n->kind != SL_YAML_TEXT) return note_expected(e, n, path, sl_unit_words(unit)), false;
  switch (sl_quantity_read(n->text, unit, &value)) {
  case SL_QUANTITY_FINE: become_number(e, slot, value); return true;
  case SL_QUANTITY_RANGE:
    sl_yaml_problem(&e->yaml, n, "%s: the number in %s is out of range", path, describe_value(n, text));
    return false;
  case SL_QUANTITY_UNKNOWN:
    sl_yaml_problem(&e->yaml, n, "%s: the unit in %s is not known", path, describe_value(n, text));
    return false;
  case SL_QUANTITY_DIMENSION:
    if (unit && *unit)
      sl_yaml_problem(&e->yaml, n, "%s: %s has the wrong dimension; expected %s [%s]", path,
          describe_value(n, text), sl_unit_words(unit), unit);
    else note_expected(e, n, path, "a pure number");
    return false;
  default: note_expected(e, n, path, sl_unit_words(unit)); return false;
  }
}

/* Checks the bounds of a value with scree_param_check. */
static void check_parameter_bounds(
    sl_experiment *e, const sl_yaml_node *n, const char *path, const scree_param *param, const void *value) {
  scree_param here = *param;
  scree_error error;
  here.offset = 0;
  if (scree_param_check(&here, value, path, &error)) sl_yaml_problem(&e->yaml, n, "%s", error.text);
}

static void check_integer(
    sl_experiment *e, const sl_yaml_node *n, const char *path, const scree_param *param) {
  if (n->kind != SL_YAML_NUMBER || n->number != floor(n->number) || fabs(n->number) > 9.1e15) {
    note_expected(e, n, path, "a whole number");
    return;
  }
  check_parameter_bounds(e, n, path, param, &(int64_t){(int64_t)n->number});
}

static void check_boolean(sl_experiment *e, const sl_yaml_node *n, const char *path) {
  if (n->kind != SL_YAML_BOOL) note_expected(e, n, path, "true or false");
}

typedef struct choices {
  const char *list;
  char name[8][64];
} choices;
static const char *experiment_choice(const void *context, int i) {
  return ((const choices *)context)->name[i];
}

/* Checks that a text is one of the choices in "a|b|c". */
static void check_choice(sl_experiment *e, const sl_yaml_node *n, const char *path, const char *list) {
  choices c = {list, {""}};
  char text[PLACE];
  int count = 0;
  for (const char *at = list; *at && count < 8; count++) {
    size_t length = strcspn(at, "|");
    snprintf(c.name[count], sizeof c.name[count], "%.*s", (int)length, at);
    if (n->kind == SL_YAML_TEXT && !strcmp(n->text, c.name[count])) return;
    at += length + (at[length] == '|');
  }
  const char *near = n->kind == SL_YAML_TEXT ? scree_nearest_name(n->text, count, experiment_choice, &c)
                                             : NULL;
  sl_yaml_problem(&e->yaml, n, "%s: expected one of %s, not %s%s%s%s", path, list, describe_value(n, text),
      near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void check_vector(
    sl_experiment *e, sl_yaml_node *n, const char *path, const char *unit, size_t count) {
  char text[PLACE], place[PLACE];
  if (n->kind != SL_YAML_LIST || (count && n->count != count)) {
    sl_yaml_problem(
        &e->yaml, n, "%s: expected a list of %zu numbers, not %s", path, count, describe_value(n, text));
    return;
  }
  for (size_t i = 0; i < n->count; i++) {
    snprintf(place, sizeof place, "%.*s[%zu]", (int)sizeof place - 24, path, i + 1);
    convert_quantity(e, n->item + i, place, unit);
  }
}

static void check_value(sl_experiment *e, sl_yaml_node **slot, const char *path, const scree_param *param) {
  sl_yaml_node *n = *slot;
  switch (param->type) {
  case SCREE_REAL:
    if (convert_quantity(e, slot, path, param->unit))
      check_parameter_bounds(e, n, path, param, &(*slot)->number);
    break;
  case SCREE_INTEGER: check_integer(e, n, path, param); break;
  case SCREE_BOOLEAN: check_boolean(e, n, path); break;
  case SCREE_CHOICE: check_choice(e, n, path, param->choices); break;
  case SCREE_STRING:
    if (n->kind != SL_YAML_TEXT || !*n->text) note_expected(e, n, path, "a text");
    break;
  case SCREE_VEC3: check_vector(e, n, path, param->unit, 3); break;
  case SCREE_QUAT: check_vector(e, n, path, "", 4); break;
  case SCREE_OPAQUE: break;
  }
}

/* ---- maps ---- */

/* Checks a map against a parameter table. Values of the type SCREE_OPAQUE are checked elsewhere. */
static void check_map(sl_experiment *e, sl_yaml_node *map, const char *path, const sl_table *table) {
  char place[PLACE], text[PLACE];
  if (map->kind != SL_YAML_MAP) {
    sl_yaml_problem(&e->yaml, map, "%s: expected a map, not %s", *path ? path : "the experiment",
        describe_value(map, text));
    return;
  }
  for (size_t i = 0; i < map->count; i++) {
    join_path(place, path, map->key[i]->text);
    const scree_param *param = scree_param_find(table->params, table->count, map->key[i]->text);
    if (param) {
      check_value(e, map->item + i, place, param);
      continue;
    }
    const char *near = scree_nearest_name(
        map->key[i]->text, table->count, experiment_param_name, table->params);
    sl_yaml_problem(&e->yaml, map->key[i], "%s is not a known key%s%s%s", place,
        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  for (int k = 0; k < table->count; k++)
    if ((table->params[k].flags & SCREE_REQUIRED) && !sl_yaml_get(map, table->params[k].name)) {
      join_path(place, path, table->params[k].name);
      sl_yaml_problem(&e->yaml, map, "%s is missing: %s", place, table->params[k].doc);
    }
}

static void check_part(sl_experiment *e, const char *path) {
  sl_yaml_node *map = sl_yaml_find(e->yaml.root, path);
  if (map) check_map(e, map, path, sl_experiment_find_table(path));
}

/* ---- parts with special rules ---- */

/* Converts all texts below a node that are quantities to numbers. */
static void resolve_quantities(sl_experiment *e, sl_yaml_node **slot) {
  sl_yaml_node *n = *slot;
  double value;
  for (size_t i = 0; i < n->count; i++) resolve_quantities(e, n->item + i);
  if (n->kind == SL_YAML_TEXT && sl_quantity_read(n->text, NULL, &value) == SL_QUANTITY_FINE)
    become_number(e, slot, value);
}

static void check_params(sl_experiment *e) {
  sl_yaml_node *params = sl_yaml_get(e->yaml.root, "params");
  char text[PLACE];
  if (!params) return;
  if (params->kind != SL_YAML_MAP) {
    sl_yaml_problem(&e->yaml, params, "params: expected a map, not %s", describe_value(params, text));
    return;
  }
  resolve_quantities(e, &params);
  for (size_t i = 0; i < params->count; i++)
    if (params->item[i]->kind == SL_YAML_MAP || params->item[i]->kind == SL_YAML_NULL)
      sl_yaml_problem(&e->yaml, params->item[i],
          "params.%s: expected a number, a text, a boolean or a list, not %s", params->key[i]->text,
          describe_value(params->item[i], text));
}

static void check_stop_when(sl_experiment *e) {
  const sl_yaml_node *text = sl_yaml_find(e->yaml.root, "run.stop_when");
  sl_condition condition;
  char why[256];
  if (text && text->kind == SL_YAML_TEXT && !sl_condition_read(text->text, &condition, why))
    sl_yaml_problem(&e->yaml, text, "run.stop_when: %s", why);
}

/* Checks that the value at a path, if there is one, is a list of field names. known: the field names as
 * "a|b|c". */
static void check_fields(sl_experiment *e, const char *path, const char *known) {
  sl_yaml_node *fields = sl_yaml_find(e->yaml.root, path);
  char place[PLACE];
  if (fields && fields->kind != SL_YAML_LIST) note_expected(e, fields, path, "a list");
  for (size_t i = 0; fields && i < fields->count; i++) {
    snprintf(place, sizeof place, "%s[%zu]", path, i + 1);
    check_choice(e, fields->item[i], place, known);
  }
}

/* Checks that the value at a path, if there is one, is a precision: "exact", a length, or a multiple of the
 * mean diameter such as "1e-4 d". A length with a unit becomes a number. */
static void check_precision(sl_experiment *e, const char *path) {
  sl_yaml_node *precision = sl_yaml_find(e->yaml.root, path);
  char *end;
  if (!precision) return;
  double value = 0;
  bool fine = precision->kind == SL_YAML_NUMBER && precision->number >= 0;
  if (precision->kind == SL_YAML_TEXT) {
    fine = !strcmp(precision->text, "exact");
    if (!fine && strtod(precision->text, &end) > 0 && end != precision->text &&
        !strcmp(end + strspn(end, " "), "d"))
      fine = true;
    if (!fine && sl_quantity_read(precision->text, "m", &value) == SL_QUANTITY_FINE && value >= 0)
      fine = sl_yaml_set(&e->yaml, path, sl_yaml_new_number(&e->yaml, value, precision));
  }
  if (!fine)
    note_expected(
        e, precision, path, "exact, a length such as \"1 um\", or like \"1e-4 d\" in mean diameters");
}

/* Checks a list of whole numbers, or of texts, at a path. */
static void check_list(sl_experiment *e, const char *path, sl_yaml_kind kind, const char *what) {
  const sl_yaml_node *list = sl_yaml_find(e->yaml.root, path);
  char text[PLACE];
  if (!list) return;
  bool fine = list->kind == SL_YAML_LIST;
  for (size_t i = 0; fine && i < list->count; i++) {
    const sl_yaml_node *n = list->item[i];
    fine = n->kind == kind && (kind == SL_YAML_TEXT || n->number == floor(n->number));
  }
  if (!fine)
    sl_yaml_problem(
        &e->yaml, list, "%s: expected a list of %s, not %s", path, what, describe_value(list, text));
}

static void check_output(sl_experiment *e) {
  check_fields(e, "output.fields", "position|orientation|velocity|spin|contacts");
  check_precision(e, "output.precision");
  check_fields(e, "output.track.fields", "position|orientation|velocity|spin");
  check_precision(e, "output.track.precision");
  check_list(e, "output.track.ids", SL_YAML_NUMBER, "ids");
  check_list(e, "output.track.groups", SL_YAML_NUMBER, "groups");
  check_list(e, "output.track.names", SL_YAML_TEXT, "names");
}

static const char *measure_name(const void *context, int i) {
  (void)context;
  return scree_measure_kind_at(i)->name;
}

/* Checks a region. Its keys determine its kind, as in scenes. */
static void check_region(sl_experiment *e, sl_yaml_node *region, const char *path) {
  static const char *const known[] = {
      "min", "max", "center", "radius", "point", "axis", "length", "normal", "outside"};
  char place[PLACE];
  if (region->kind != SL_YAML_MAP) {
    note_expected(e, region, path, "a map such as {min: [0, 0, 0], max: [1, 1, 1]}");
    return;
  }
  for (size_t i = 0; i < region->count; i++) {
    const char *key = region->key[i]->text;
    int which = 0;
    while (which < 9 && strcmp(known[which], key)) which++;
    join_path(place, path, key);
    if (which == 9)
      sl_yaml_problem(&e->yaml, region->key[i],
          "%s is not a known key; known: min, max, center, radius, point, axis, length, normal, outside",
          place);
    else if (which == 8) check_boolean(e, region->item[i], place);
    else if (which == 3 || which == 6) convert_quantity(e, region->item + i, place, "m");
    else check_vector(e, region->item[i], place, which == 5 || which == 7 ? "" : "m", 3);
  }
}

static const sl_table *find_measurement(const sl_yaml_node *type) {
  const scree_measure_kind *kind;
  for (int i = 0; type && type->kind == SL_YAML_TEXT && (kind = scree_measure_kind_at(i)); i++)
    if (!strcmp(kind->name, type->text)) return sl_experiment_measure_table(i);
  return NULL;
}

/* Adds the problem of an unknown measurement. The message lists the known measurements. */
static void measurement_unknown(
    sl_experiment *e, const sl_yaml_node *at, const char *path, const sl_yaml_node *type) {
  char text[PLACE], known[1024] = "";
  int count = 0;
  for (; scree_measure_kind_at(count); count++)
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
        !count                                 ? ""
            : scree_measure_kind_at(count + 1) ? ", "
                                               : " or ",
        scree_measure_kind_at(count)->name);
  const char *near = type && type->kind == SL_YAML_TEXT
      ? scree_nearest_name(type->text, count, measure_name, NULL)
      : NULL;
  sl_yaml_problem(&e->yaml, at, "%s.type: expected %s, not %s%s%s%s", path, known,
      type ? describe_value(type, text) : "nothing", near ? "; did you mean '" : "", near ? near : "",
      near ? "'?" : "");
}

static void check_measure_entry(
    sl_experiment *e, sl_yaml_node *entry, size_t index, const sl_yaml_node *list) {
  char path[PLACE], place[PLACE];
  snprintf(path, sizeof path, "measure[%zu]", index + 1);
  const sl_yaml_node *type = sl_yaml_get(entry, "type"), *name = sl_yaml_get(entry, "name");
  const sl_table *found = find_measurement(type);
  if (!found) {
    measurement_unknown(e, type ? type : entry, path, type);
    return;
  }
  check_map(e, entry, path, found);
  for (size_t i = 0; name && name->kind == SL_YAML_TEXT && i < index; i++) {
    const sl_yaml_node *other = sl_yaml_get(list->item[i], "name");
    if (other && other->kind == SL_YAML_TEXT && !strcmp(other->text, name->text))
      sl_yaml_problem(&e->yaml, name, "%s.name: '%s' is taken by measure[%zu]", path, name->text, i + 1);
  }
  if (name && name->kind == SL_YAML_TEXT &&
      strspn(name->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
          strlen(name->text))
    sl_yaml_problem(&e->yaml, name, "%s.name: only letters, digits and _ can name a column and a file", path);
  if (name && name->kind == SL_YAML_TEXT && strlen(name->text) > NAME)
    sl_yaml_problem(&e->yaml, name, "%s.name: at most %d letters", path, NAME);
  if (name && name->kind == SL_YAML_TEXT && !strcmp(name->text, "series"))
    sl_yaml_problem(&e->yaml, name, "%s.name: series.csv is a file of the run's own", path);
  sl_yaml_node *region = sl_yaml_get(entry, "region"), *cells = sl_yaml_get(entry, "cells");
  join_path(place, path, "region");
  if (region) check_region(e, region, place);
  join_path(place, path, "cells");
  if (cells) check_vector(e, cells, place, "", 0);
}

static void check_measure(sl_experiment *e) {
  sl_yaml_node *list = sl_yaml_get(e->yaml.root, "measure");
  char text[PLACE];
  if (!list) return;
  if (list->kind != SL_YAML_LIST) {
    sl_yaml_problem(&e->yaml, list, "measure: expected a list, not %s", describe_value(list, text));
    return;
  }
  if (list->count > MEASURES) {
    sl_yaml_problem(&e->yaml, list, "measure: at most %d measurements, not %zu", MEASURES, list->count);
    return;
  }
  for (size_t i = 0; i < list->count; i++) check_measure_entry(e, list->item[i], i, list);
}

/* Sets the path of the scene relative to the working directory. */
static void find_scene(sl_experiment *e) {
  const sl_yaml_node *scene = sl_yaml_get(e->yaml.root, "scene");
  *e->scene = 0;
  if (!scene || scene->kind != SL_YAML_TEXT) return;
  const char *from = e->yaml.path[scene->file], *slash = strrchr(from, '/');
  int folder = *scene->text == '/' || !slash ? 0 : (int)(slash - from) + 1;
  snprintf(e->scene, sizeof e->scene, "%.*s%s", folder, from, scene->text);
  FILE *file = sl_open_regular(e->scene);
  if (!file) sl_yaml_problem(&e->yaml, scene, "scene: there is no file %s", e->scene);
  else fclose(file);
}

void sl_experiment_check(sl_experiment *e) {
  if (!e->yaml.root) return;
  check_map(e, e->yaml.root, "", sl_experiment_find_table(""));
  if (e->yaml.root->kind != SL_YAML_MAP) return;
  static const char *const parts[] = {
      "world", "solver", "run", "output", "output.checkpoint", "output.track", "sweep", "calibrate"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) check_part(e, parts[i]);
  check_params(e);
  check_stop_when(e);
  check_output(e);
  check_measure(e);
  sl_calibration_check(e);
  find_scene(e);
}

/* ---- opening ---- */

/* Applies a setting "a.b=value" of the command line. */
static void apply_set(sl_experiment *e, const char *set) {
  const char *equals = strchr(set, '=');
  char path[PLACE];
  if (!equals || equals == set || equals - set >= PLACE) {
    sl_yaml_problem(&e->yaml, NULL, "--set %.200s: expected path=value, such as params.mu=0.3", set);
    return;
  }
  snprintf(path, sizeof path, "%.*s", (int)(equals - set), set);
  char name[PLACE + 8];
  snprintf(name, sizeof name, "--set %s", path);
  sl_yaml_node *value = sl_yaml_parse(&e->yaml, name, equals + 1, strlen(equals + 1));
  if (value && !sl_yaml_set(&e->yaml, path, value))
    sl_yaml_problem(&e->yaml, NULL, "%s: there is no such place in the experiment", name);
}

static void take_name(sl_experiment *e, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  snprintf(e->name, sizeof e->name, "%.*s", (int)(dot && dot > name ? dot - name : (long)strlen(name)), name);
}

void sl_experiment_open(sl_experiment *e, const char *path, const char *const *sets, int count, bool trust) {
  memset(e, 0, sizeof *e);
  take_name(e, path);
  sl_yaml_open(&e->yaml, path);
  if (!e->yaml.root) return;
  sl_yaml_include(&e->yaml, trust);
  for (int i = 0; i < count && e->yaml.root->kind == SL_YAML_MAP; i++) apply_set(e, sets[i]);
  sl_experiment_check(e);
}

void sl_experiment_close(sl_experiment *e) { sl_yaml_free(&e->yaml); }

double sl_experiment_number(const sl_experiment *e, const char *path, double fallback) {
  const sl_yaml_node *n = sl_yaml_find(e->yaml.root, path);
  return n && n->kind == SL_YAML_NUMBER ? n->number : fallback;
}

const char *sl_experiment_text(const sl_experiment *e, const char *path, const char *fallback) {
  const sl_yaml_node *n = sl_yaml_find(e->yaml.root, path);
  return n && n->kind == SL_YAML_TEXT ? n->text : fallback;
}
