#include "picture/look.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "picture/json.h"
#include "scree/scree.h"

look look_defaults(void) {
  return (look){.camera = {.azimuth = -60, .elevation = 25, .zoom = 1},
      .up = {0, 0, 1},
      .angle = 30,
      .palette = "viridis",
      .walls = -1,
      .size = {1280, 720},
      .frame = INT64_MIN};
}

/* ---- values ---- */

/* Reads `least` to `most` finite numbers separated by commas or colons. Returns false for other texts. */
static int read_numbers(const char *text, int least, int most, double *out) {
  int count = 0;
  for (const char *at = text; count < most; at++) {
    char *end;
    out[count] = strtod(at, &end);
    if (end == at || !isfinite(out[count])) return 0;
    count++;
    at = end;
    if (!*at) break;
    if (!strchr(",:x", *at) || count == most) return 0;
  }
  return count >= least ? count : 0;
}

int look_palette(const char *name) {
  if (!strcmp(name, "gray")) name = "grey";
  for (int i = 0; scree_palette_name(i); i++)
    if (!strcmp(scree_palette_name(i), name)) return i;
  return -1;
}

static int copy_value(const char *from, char *to, size_t size) {
  if (strlen(from) >= size) return 0;
  memcpy(to, from, strlen(from) + 1);
  return 1;
}

static int set_size(look *l, const char *value) {
  double v[2];
  if (!read_numbers(value, 2, 2, v)) return 0;
  for (int k = 0; k < 2; k++) {
    if (!(v[k] >= 16 && v[k] <= 8192) || v[k] != floor(v[k])) return 0;
    l->size[k] = (int)v[k];
  }
  return 1;
}

static int set_camera(look_camera *c, const char *key, const char *value) {
  if (!strcmp(key, "time")) return read_numbers(value, 1, 1, &c->time);
  if (!strcmp(key, "azimuth")) return read_numbers(value, 1, 1, &c->azimuth);
  if (!strcmp(key, "elevation")) return read_numbers(value, 1, 1, &c->elevation);
  if (!strcmp(key, "zoom")) return read_numbers(value, 1, 1, &c->zoom) && c->zoom > 0;
  if (!strcmp(key, "position")) return c->has_position = read_numbers(value, 3, 3, c->position) > 0;
  if (!strcmp(key, "target")) return c->has_target = read_numbers(value, 3, 3, c->target) > 0;
  return -1;
}

/* Sets a key. Returns 1: set; 0: bad value; -1: unknown key. */
static int set_key(look *l, const char *key, const char *value) {
  if (!strcmp(key, "up"))
    return read_numbers(value, 3, 3, l->up) && (l->up[0] != 0 || l->up[1] != 0 || l->up[2] != 0);
  if (!strcmp(key, "angle")) return read_numbers(value, 1, 1, &l->angle) && l->angle >= 0 && l->angle < 170;
  if (!strcmp(key, "color")) return copy_value(value, l->color, sizeof l->color);
  if (!strcmp(key, "palette"))
    return look_palette(value) >= 0 && copy_value(value, l->palette, sizeof l->palette);
  if (!strcmp(key, "caption")) return l->has_caption = copy_value(value, l->caption, sizeof l->caption);
  if (!strcmp(key, "range"))
    return l->has_range = read_numbers(value, 2, 2, l->range) && l->range[0] < l->range[1];
  if (!strcmp(key, "walls")) return read_numbers(value, 1, 1, &l->walls) && l->walls >= 0 && l->walls <= 1;
  if (!strcmp(key, "size")) return set_size(l, value);
  if (!strcmp(key, "frame")) return sscanf(value, "%lld", (long long *)&l->frame) == 1;
  return set_camera(&l->camera, key, value);
}

int look_set(const char *command, look *l, const char *key, const char *value) {
  static const char *const wants[][2] = {{"range", "LOW:HIGH"},
      {"size", "WIDTHxHEIGHT, 16 to 8192 pixels each"},
      {"palette", "viridis, cividis, magma, diverging or grey"}, {"walls", "an opacity from 0 to 1"},
      {"angle", "degrees from 0 (parallel) to 170"}, {"zoom", "a number > 0"},
      {"caption", "a text of 255 letters"}};
  if (set_key(l, key, value)) return CLI_OK;
  for (size_t i = 0; i < sizeof wants / sizeof *wants; i++)
    if (!strcmp(wants[i][0], key))
      return cli_fail(CLI_USAGE, command, "%s is %s, not '%s'", key, wants[i][1], value);
  return cli_fail(CLI_USAGE, command, "%s cannot be '%s'", key, value);
}

/* ---- sources of looks ---- */

static const char *const keys[] = {"azimuth", "elevation", "zoom", "position", "target", "up", "angle",
    "color", "range", "palette", "size", "walls", "caption"};
enum { KEYS = sizeof keys / sizeof *keys, CAMERA_KEYS = 5 };

static int meta_path(const char *command, look *l, const char *list) {
  char text[LOOK_TEXT];
  for (int i = 0; i < LOOK_PATH && json_element(list, i); i++) {
    look_camera *c = l->path + i;
    const char *entry = json_element(list, i);
    *c = l->camera;
    json_text(json_member(entry, "time"), text, sizeof text);
    if (set_camera(c, "time", text) <= 0)
      return cli_fail(CLI_USAGE, command, "view.path[%d] has no time", i + 1);
    for (int k = 0; k < CAMERA_KEYS; k++) {
      const char *value = json_member(entry, keys[k]);
      if (value && !set_camera(c, keys[k], json_text(value, text, sizeof text)))
        return cli_fail(CLI_USAGE, command, "view.path[%d].%s cannot be '%s'", i + 1, keys[k], text);
    }
    l->path_count = i + 1;
  }
  return CLI_OK;
}

int look_meta(const char *command, look *l, const char *meta) {
  const char *view = json_member(meta, "view");
  char text[LOOK_TEXT];
  for (int i = 0; view && i < KEYS; i++) {
    const char *value = json_member(view, keys[i]);
    int code = value ? look_set(command, l, keys[i], json_text(value, text, sizeof text)) : CLI_OK;
    if (code) return code;
  }
  return view && json_member(view, "path") ? meta_path(command, l, json_member(view, "path")) : CLI_OK;
}

/* Decodes %XX and + in the address of a browser. */
static void decode_address(char *text) {
  char *out = text;
  for (char *at = text; *at; at++) {
    unsigned code;
    if (*at == '%' && sscanf(at + 1, "%2x", &code) == 1) *out++ = (char)code, at += 2;
    else *out++ = *at;
  }
  *out = 0;
}

/* Returns whether pictures use a key of an address; addresses have further keys for the page. */
static int is_look_key(const char *key) {
  for (int i = 0; i < KEYS; i++)
    if (!strcmp(keys[i], key)) return 1;
  return !strcmp(key, "frame");
}

static int set_address(const char *command, look *l, const char *text) {
  char pair[512];
  const char *at = strchr(text, '#');
  for (at = at ? at + 1 : text; *at;) {
    size_t length = strcspn(at, "&");
    snprintf(pair, sizeof pair, "%.*s", (int)(length < 500 ? length : 500), at);
    at += length + (at[length] == '&');
    char *value = strchr(pair, '=');
    if (!value) continue;
    *value++ = 0;
    decode_address(value);
    if (!*value || !is_look_key(pair)) continue;
    int code = look_set(command, l, pair, value);
    if (code) return code;
  }
  return CLI_OK;
}

static int read_angles(const char *text, look_camera *c) {
  double v[3] = {0, 0, c->zoom};
  if (!read_numbers(text, 2, 3, v) || !(v[2] > 0)) return 0;
  c->azimuth = v[0], c->elevation = v[1], c->zoom = v[2];
  c->has_position = c->has_target = 0;
  return 1;
}

int look_camera_text(const char *command, look *l, const char *text) {
  static const struct {
    const char *name;
    double azimuth, elevation;
  } axes[] = {{"x", 0, 0}, {"-x", 180, 0}, {"y", 90, 0}, {"-y", -90, 0}, {"z", -90, 90}, {"-z", -90, -90}};
  if (strchr(text, '=')) return set_address(command, l, text);
  for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
    if (!strcmp(axes[i].name, text)) {
      l->camera = (look_camera){
          .azimuth = axes[i].azimuth, .elevation = axes[i].elevation, .zoom = l->camera.zoom};
      return CLI_OK;
    }
  if (read_angles(text, &l->camera)) return CLI_OK;
  return cli_fail(CLI_USAGE, command,
      "--camera is AZIMUTH,ELEVATION[,ZOOM] in degrees, an axis (x, -x, y, -y, z, -z) or the address of a "
      "saved "
      "view, not '%s'",
      text);
}

int look_path_text(const char *command, look *l, const char *text) {
  char part[128];
  l->path_count = 0;
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, ";");
    snprintf(part, sizeof part, "%.*s", (int)(length < 120 ? length : 120), at);
    at += length + (at[length] == ';');
    char *colon = strchr(part, ':');
    look_camera c = l->camera;
    if (colon) *colon++ = 0;
    if (!colon || l->path_count == LOOK_PATH || !read_numbers(part, 1, 1, &c.time) || !read_angles(colon, &c))
      return cli_fail(CLI_USAGE, command,
          "--path is TIME:AZIMUTH,ELEVATION[,ZOOM];... with at most %d cameras, not '%s'", LOOK_PATH, text);
    if (l->path_count && !(c.time > l->path[l->path_count - 1].time))
      return cli_fail(CLI_USAGE, command, "--path: times must grow");
    l->path[l->path_count++] = c;
  }
  return CLI_OK;
}

/* ---- paths ---- */

static look_camera interpolate_cameras(const look_camera *a, const look_camera *b, double share) {
  look_camera c = share < 0.5 ? *a : *b;
  double t = share * share * (3 - 2 * share);
  c.azimuth = a->azimuth + t * (b->azimuth - a->azimuth);
  c.elevation = a->elevation + t * (b->elevation - a->elevation);
  c.zoom = a->zoom + t * (b->zoom - a->zoom);
  for (int k = 0; k < 3; k++) {
    if (a->has_position && b->has_position)
      c.position[k] = a->position[k] + t * (b->position[k] - a->position[k]);
    if (a->has_target && b->has_target) c.target[k] = a->target[k] + t * (b->target[k] - a->target[k]);
  }
  return c;
}

look_camera look_at_time(const look *l, double time) {
  if (!l->path_count) return l->camera;
  if (time <= l->path[0].time) return l->path[0];
  for (int i = 1; i < l->path_count; i++)
    if (time < l->path[i].time) {
      double share = (time - l->path[i - 1].time) / (l->path[i].time - l->path[i - 1].time);
      return interpolate_cameras(l->path + i - 1, l->path + i, share);
    }
  return l->path[l->path_count - 1];
}
