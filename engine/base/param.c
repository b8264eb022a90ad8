/* Parameter tables: sets defaults, checks values, and finds the names nearest to a misspelt name. */
#include "scree/param.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void scree_param_defaults(const scree_param *params, int count, void *def) {
  SC_DEMAND(params && def, NULL, );
  for (int i = 0; i < count; i++) {
    const scree_param *p = params + i;
    char *at = (char *)def + p->offset;
    switch (p->type) {
    case SCREE_REAL: *(double *)at = p->fallback; break;
    case SCREE_INTEGER: *(int64_t *)at = (int64_t)p->fallback; break;
    case SCREE_BOOLEAN:
    case SCREE_CHOICE: *(int *)at = (int)p->fallback; break;
    case SCREE_STRING: *(const char **)at = NULL; break;
    case SCREE_VEC3: memset(at, 0, 3 * sizeof(double)); break;
    case SCREE_QUAT:
      memset(at, 0, 4 * sizeof(double));
      *(double *)at = 1;
      break;
    case SCREE_OPAQUE: break;
    }
  }
}

static scree_status check_number(const scree_param *p, double value, const char *path, scree_error *error) {
  char text[32];
  if (isnan(value)) return sc_fail(error, SCREE_E_ARGUMENT, "%s is NaN", path);
  if (isinf(value) && !((p->flags & SCREE_UNBOUNDED) && value > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s is infinite", path);
  if ((p->flags & SCREE_POSITIVE) && !(value > 0))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "%s must be greater than 0, not %s", path, scree_shortest(value, text));
  if (p->min == 0 && p->max == 0) return SCREE_OK;
  if (value < p->min || value > p->max) {
    if (isinf(p->max))
      return sc_fail(error, SCREE_E_ARGUMENT, "%s must be at least %g, not %s", path, p->min,
          scree_shortest(value, text));
    return sc_fail(error, SCREE_E_ARGUMENT, "%s must lie in [%g, %g], not %s", path, p->min, p->max,
        scree_shortest(value, text));
  }
  return SCREE_OK;
}

/* Checks that `index` is the index of one of p->choices. */
static scree_status check_choice(const scree_param *p, int index, const char *path, scree_error *error) {
  int count = 1;
  for (const char *c = p->choices; c && *c; c++) count += *c == '|';
  if (!p->choices || (index >= 0 && index < count)) return SCREE_OK;
  return sc_fail(
      error, SCREE_E_ARGUMENT, "%s must be one of %s, 0 to %d, not %d", path, p->choices, count - 1, index);
}

scree_status scree_param_check(const scree_param *p, const void *def, const char *path, scree_error *error) {
  SC_DEMAND(p && def, error, SCREE_E_ARGUMENT);
  const char *at = (const char *)def + p->offset;
  double square = 0;
  char text[32];
  int n = p->type == SCREE_VEC3 ? 3 : p->type == SCREE_QUAT ? 4 : 0;
  for (int i = 0; i < n; i++) {
    double value = ((const double *)at)[i];
    if (!isfinite(value))
      return sc_fail(error, SCREE_E_ARGUMENT, "%s[%d] is %s", path, i + 1, isnan(value) ? "NaN" : "infinite");
    square += value * value;
  }
  for (int i = 0; i < n && (p->flags & SCREE_POSITIVE); i++)
    if (!(((const double *)at)[i] > 0))
      return sc_fail(error, SCREE_E_ARGUMENT, "%s[%d] must be greater than 0, not %s", path, i + 1,
          scree_shortest(((const double *)at)[i], text));
  if (n && (p->flags & SCREE_NONZERO) && !(square > 0))
    return sc_fail(error, SCREE_E_ARGUMENT, "%s must not be zero", path);
  if (p->type == SCREE_REAL) return check_number(p, *(const double *)at, path, error);
  if (p->type == SCREE_CHOICE) return check_choice(p, *(const int *)(const void *)at, path, error);
  if (p->type == SCREE_INTEGER) return check_number(p, (double)*(const int64_t *)at, path, error);
  return SCREE_OK;
}

static bool is_default(const scree_param *p, const void *def) {
  const char *at = (const char *)def + p->offset;
  const double *x = (const double *)(const void *)at;
  switch (p->type) {
  case SCREE_REAL: return *x == p->fallback || (isnan(*x) && isnan(p->fallback));
  case SCREE_INTEGER: return *(const int64_t *)(const void *)at == (int64_t)p->fallback;
  case SCREE_BOOLEAN:
  case SCREE_CHOICE: return *(const int *)(const void *)at == (int)p->fallback;
  case SCREE_VEC3: return x[0] == 0 && x[1] == 0 && x[2] == 0;
  default: return true;
  }
}

scree_status scree_param_check_all(
    const scree_param *params, int count, const void *def, const char *prefix, scree_error *error) {
  SC_DEMAND((!count || (params && def)) && prefix, error, SCREE_E_ARGUMENT);
  for (int i = 0; i < count; i++) {
    const scree_param *p = params + i;
    char path[256];
    // a value that equals its default counts as not given, even if the default is out of bounds
    if (!(p->flags & SCREE_REQUIRED) && p->type <= SCREE_INTEGER && is_default(p, def)) continue;
    if (scree_param_check(p, def, p->name, NULL) == SCREE_OK) continue;
    snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", p->name);
    return scree_param_check(p, def, path, error);
  }
  return SCREE_OK;
}

/* ---- readers of parameters ---- */

static bool has_name(const char *names, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = names; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
    if (strcspn(at, "|") == length && !strncmp(at, name, length)) return true;
  return false;
}

int scree_param_is_read(const scree_param *param, const scree_param_reader *reader) {
  SC_DEMAND(param && reader && reader->name && reader->at, NULL, 1);
  bool restricted = false;
  for (int i = 0; reader->at(i) && param->readers; i++) restricted |= has_name(param->readers, reader->at(i));
  return !restricted || has_name(param->readers, reader->name);
}

scree_status scree_param_refuse(
    const scree_param *param, const scree_param_reader *reader, const char *path, scree_error *error) {
  SC_DEMAND(param && reader && reader->at && path, error, SCREE_E_ARGUMENT);
  char names[256] = "";
  size_t length = 0;
  for (int i = 0; reader->at(i) && length < sizeof names; i++)
    if (has_name(param->readers, reader->at(i)))
      length += (size_t)snprintf(
          names + length, sizeof names - length, "%s%s", length ? ", " : "", reader->at(i));
  return sc_fail(error, SCREE_E_ARGUMENT, "%s has no effect %s %s, only %s %s", path, reader->phrase,
      reader->name, reader->phrase, names);
}

scree_status scree_param_check_read(const scree_param *params, int count, const void *def,
    const scree_param_reader *reader, const char *prefix, scree_error *error) {
  SC_DEMAND((params || !count) && def && reader && prefix, error, SCREE_E_ARGUMENT);
  for (int i = 0; i < count; i++) {
    char path[256];
    if (is_default(params + i, def) || scree_param_is_read(params + i, reader)) continue;
    snprintf(path, sizeof path, "%s.%s", prefix, params[i].name);
    return scree_param_refuse(params + i, reader, path, error);
  }
  return SCREE_OK;
}

/* ---- names ---- */

const scree_param *scree_param_find(const scree_param *params, int count, const char *name) {
  SC_DEMAND(params && name, NULL, NULL);
  for (int i = 0; i < count; i++)
    if (!strcmp(params[i].name, name)) return params + i;
  return NULL;
}

static char fold_case(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

/* Returns the edit distance of two names, without regard to case. Swapping two neighbouring letters counts as
 * one edit. Returns MOST if a name has more than 63 bytes. */
static int edit_distance(const char *a, const char *b) {
  enum { MOST = 64 };
  int rows[3][MOST], n = (int)strlen(a), m = (int)strlen(b);
  if (n >= MOST || m >= MOST) return MOST;
  for (int j = 0; j <= m; j++) rows[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int *now = rows[i % 3], *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= m; j++) {
      int best = last[j - 1] + (fold_case(a[i - 1]) != fold_case(b[j - 1]));
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      now[j] = best;
    }
  }
  return rows[n % 3][m];
}

/* Returns the candidate most similar to `name`, or NULL. Up to a third of the letters of `name` may be wrong;
 * in a short name, one letter. If `name` is a prefix of a candidate, this counts as one error. A single
 * letter must be the first letter of the candidate. If candidates are equally similar, a candidate with which
 * `name` begins is preferred. */
const char *scree_nearest_name(
    const char *name, int count, const char *(*get)(const void *, int), const void *context) {
  SC_DEMAND(name && get, NULL, NULL);
  int best = -1, letters = (int)strlen(name), best_distance = (letters > 3 ? letters / 3 : 1) + 1;
  for (int i = 0; i < count; i++) {
    const char *candidate = get(context, i);
    if (candidate && letters == 1 && fold_case(*candidate) != fold_case(*name)) continue;
    int d = candidate ? edit_distance(name, candidate) : best_distance;
    if (candidate && letters > 2 && d > 1 && !strncmp(name, candidate, (size_t)letters)) d = 1;
    const bool begins = candidate && *candidate && !strncmp(name, candidate, strlen(candidate));
    if (d < best_distance || (begins && best >= 0 && d == best_distance)) best_distance = d, best = i;
  }
  return best < 0 ? NULL : get(context, best);
}
