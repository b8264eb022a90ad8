/* Units and placement of meshes and hulls: unit = "mm", place = { {"scale", s}, {"rotate", axis, angle},
 * {"move", offset} }. Also axis and angle instead of an orientation. */
#include "bind/objects/shape/placing.h"
#include "bind/errors.h"
#include "bind/read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A cosine or sine below this counts as zero, so that quarter turns about an axis of the frame are exact. */
#define TURN_ROUNDING 1e-15
#define WHOLE_TURN 6.283185307179586 /* 2 pi [rad] */

/* Reads an axis at the top of the stack as a unit vector, and pops it. */
static void read_axis(lua_State *L, const char *path, double axis[3]) {
  sl_read_vec3(L, -1, path, NULL, false, axis);
  lua_pop(L, 1);
  const double most = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
  if (!(most > 0)) sl_refuse(L, "%s must not be zero", path);
  for (int k = 0; k < 3; k++) axis[k] /= most;
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  for (int k = 0; k < 3; k++) axis[k] /= length;
}

/* Reads a number at the top of the stack, and pops it. */
static double read_number(lua_State *L, const char *path, const char *unit) {
  const double value = sl_read_number(L, -1, path, unit);
  if (!isfinite(value)) sl_refuse(L, "%s must be finite, not %g", path, value);
  lua_pop(L, 1);
  return value;
}

/* Reads an angle at the top of the stack, and pops it. A number above a whole turn is an error, because it is
 * usually an angle in degrees. A text has a unit, so it may have any size. */
static double read_angle(lua_State *L, const char *path) {
  const bool is_number = lua_type(L, -1) == LUA_TNUMBER;
  const double angle = read_number(L, path, "rad");
  if (is_number && fabs(angle) > WHOLE_TURN * (1 + 1e-9))
    sl_refuse(L, "%s = %.6g rad is %.3g turns: write \"%.6g deg\", or take an angle within one turn", path,
        angle, fabs(angle) / WHOLE_TURN, angle);
  return angle;
}

static void round_turn(double *c, double *s) {
  if (fabs(*c) < TURN_ROUNDING) *c = 0, *s = *s > 0 ? 1 : -1;
  if (fabs(*s) < TURN_ROUNDING) *s = 0, *c = *c > 0 ? 1 : -1;
}

static void apply_scale(const double factor[3], double place[3][4]) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) place[i][k] *= factor[i];
}

/* Reads the factors of a step {"scale", ...} at the top of the stack, and pops them: a positive number, or
 * three numbers that are not 0, one for each axis. Negative numbers mirror. */
static void read_scale(lua_State *L, const char *path, double factor[3]) {
  if (lua_istable(L, -1)) {
    sl_read_vec3(L, -1, path, NULL, false, factor);
    lua_pop(L, 1);
    for (int k = 0; k < 3; k++)
      if (factor[k] == 0) sl_refuse(L, "%s[%d] must not be 0", path, k + 1);
    return;
  }
  factor[0] = factor[1] = factor[2] = read_number(L, path, NULL);
  char text[32];
  if (!(factor[0] > 0))
    sl_refuse(L, "%s must be a positive number, not %s", path, scree_shortest(factor[0], text));
}

static void apply_rotation(const double n[3], double angle, double place[3][4]) {
  double c = cos(angle), s = sin(angle), out[3][4];
  round_turn(&c, &s);
  const double q[3][3] = {
      {c + (1 - c) * n[0] * n[0], (1 - c) * n[0] * n[1] - s * n[2], (1 - c) * n[0] * n[2] + s * n[1]},
      {(1 - c) * n[1] * n[0] + s * n[2], c + (1 - c) * n[1] * n[1], (1 - c) * n[1] * n[2] - s * n[0]},
      {(1 - c) * n[2] * n[0] - s * n[1], (1 - c) * n[2] * n[1] + s * n[0], c + (1 - c) * n[2] * n[2]}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++)
      out[i][k] = q[i][0] * place[0][k] + q[i][1] * place[1][k] + q[i][2] * place[2][k];
  memcpy(place, out, sizeof out);
}

/* Returns whether the table at the top of the stack is a list: its keys are 1 to its length. Pushes the first
 * other key if it is not. */
static bool is_list(lua_State *L) {
  const lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
  for (lua_pushnil(L); lua_next(L, -2);) {
    lua_pop(L, 1);
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > count) return false;
  }
  return true;
}

/* Applies the step at the top of the stack: {"scale", s}, {"rotate", axis, angle} or {"move", offset}. */
static void read_step(lua_State *L, const char *path, double place[3][4]) {
  char item[192];
  const char *verb = lua_istable(L, -1) && is_list(L) && lua_rawgeti(L, -1, 1) == LUA_TSTRING
      ? lua_tostring(L, -1)
      : "";
  if (!*verb)
    sl_refuse(L, "%s must be {\"scale\", factor}, {\"rotate\", axis, angle} or {\"move\", offset}", path);
  lua_pop(L, 1);
  const bool rotates = !strcmp(verb, "rotate");
  if (!rotates && strcmp(verb, "scale") && strcmp(verb, "move"))
    sl_refuse(L, "%s: \"%s\" is none of scale, rotate, move", path, verb);
  if (lua_rawlen(L, -1) != (rotates ? 3 : 2))
    sl_refuse(L, "%s: \"%s\" takes %s", path, verb,
        rotates            ? "an axis and an angle [rad]"
            : *verb == 's' ? "a factor"
                           : "an offset {x, y, z} [m]");
  snprintf(item, sizeof item, "%s[2]", path);
  lua_rawgeti(L, -1, 2);
  if (rotates) {
    double axis[3];
    read_axis(L, item, axis);
    snprintf(item, sizeof item, "%s[3]", path);
    lua_rawgeti(L, -1, 3);
    apply_rotation(axis, read_angle(L, item), place);
  } else if (*verb == 's') {
    double factor[3];
    read_scale(L, item, factor);
    apply_scale(factor, place);
  } else {
    double offset[3];
    sl_read_vec3(L, -1, item, "m", false, offset);
    lua_pop(L, 1);
    for (int k = 0; k < 3; k++) place[k][3] += offset[k];
  }
}

/* Raises the error of a place that is not a list of steps. has_key: a key of the table is at the top of the
 * stack. */
static void refuse_place(lua_State *L, const char *path, bool has_key) {
  char what[64] = "";
  if (has_key && lua_type(L, -1) == LUA_TSTRING)
    snprintf(what, sizeof what, ", not a table with the key '%.30s'", lua_tostring(L, -1));
  sl_refuse(L, "%s.place must be a list of steps such as { {\"scale\", 0.001}, {\"move\", {0, 0, 0.1}} }%s",
      path, what);
}

bool sl_read_place(lua_State *L, int index, const char *path, double place[3][4]) {
  static const double as_it_is[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  memcpy(place, as_it_is, sizeof as_it_is);
  lua_pushliteral(L, "place");
  const int type = lua_rawget(L, lua_absindex(L, index));
  if (type != LUA_TNIL && type != LUA_TTABLE) refuse_place(L, path, false);
  if (type == LUA_TTABLE && !is_list(L)) refuse_place(L, path, true);
  const lua_Integer count = type == LUA_TNIL ? 0 : (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= count; i++) {
    char step[160];
    snprintf(step, sizeof step, "%.120s.place[%lld]", path, (long long)i);
    if (lua_rawgeti(L, -1, i) == LUA_TSTRING) refuse_place(L, path, false);
    read_step(L, step, place);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return count > 0;
}

void sl_read_turn(lua_State *L, int index, const char *path, double orientation[4]) {
  char item[192];
  double axis[3];
  const bool has_axis = sl_has_key(L, index, "axis"), has_angle = sl_has_key(L, index, "angle");
  if (!has_axis && !has_angle) return;
  if (!has_axis || !has_angle)
    sl_refuse(L, "%s.%s needs %s beside it", path, has_axis ? "axis" : "angle",
        has_axis ? "an angle [rad]" : "an axis");
  if (sl_has_key(L, index, "orientation"))
    sl_refuse(L, "%s: give an orientation or axis and angle, not both", path);
  index = lua_absindex(L, index);
  snprintf(item, sizeof item, "%.150s.axis", path);
  lua_pushliteral(L, "axis");
  lua_rawget(L, index);
  read_axis(L, item, axis);
  snprintf(item, sizeof item, "%.150s.angle", path);
  lua_pushliteral(L, "angle");
  lua_rawget(L, index);
  const double half = 0.5 * read_angle(L, item);
  double c = cos(half), s = sin(half);
  round_turn(&c, &s);
  orientation[0] = c;
  for (int k = 0; k < 3; k++) orientation[k + 1] = s * axis[k];
}
