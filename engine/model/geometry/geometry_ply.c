/* Reads PLY files: a text head that lists elements and their properties, followed by rows of numbers as text
 * or binary.
 *
 * The reader uses x, y, z of the element `vertex` and the list vertex_indices (or vertex_index) of the
 * element `face` (Turk 1994). It cuts polygons into triangles and skips all other data. A row of text is a
 * line. If a row has more numbers than the head declares, the reader skips them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/base.h"
#include "math/vec.h"
#include "model/geometry/geometry.h"

enum { MOST_PROPERTIES = 64, MOST_ELEMENTS = 16, NAME = 32, WORDS = 5 };

typedef enum ply_type { PLY_NONE, I8, U8, I16, U16, I32, U32, F32, F64 } ply_type;
typedef enum ply_form { TEXT, LITTLE, BIG } ply_form;
typedef struct property {
  /* type: type of the number, or of the numbers of a list; count: type of the length of a list, PLY_NONE: not
   * a list */
  ply_type type, count;
  /* use of the property: 0, 1, 2: coordinate x, y, z; 3: corners of a face; -1: skipped */
  int axis;
} property;
typedef struct element {
  char name[NAME];
  uint64_t rows;
  int properties;
  property property[MOST_PROPERTIES];
} element;
typedef struct ply {
  const char *path;
  const unsigned char *begin, *at, *end;
  long line; /* number of lines read so far; only for the head and for rows of text */
  ply_form form;
  int elements;
  element element[MOST_ELEMENTS];
  int32_t *corner; /* corners of the present face: indices of points in `soup` */
  size_t corner_capacity;
  uint64_t row; /* index of the present row of the element */
  sc_soup *soup;
  scree_error *error;
} ply;

typedef struct place {
  char text[64];
} place;

/* Returns the present position in the file as text for messages: the line of a text file, or the byte of a
 * binary file. */
static place find_place(const ply *p) {
  place found;
  if (p->form == TEXT) snprintf(found.text, sizeof found.text, ":%ld:", p->line + 1);
  else snprintf(found.text, sizeof found.text, ": byte %zu:", (size_t)(p->at - p->begin));
  return found;
}

/* ---- head ---- */

/* Reads the next line of the head. word: receives its first WORDS words; *words: number of words received.
 * Returns false at the end of the file. */
static bool next_line(ply *p, char word[WORDS][NAME], int *words) {
  const unsigned char *stop = memchr(p->at, '\n', (size_t)(p->end - p->at));
  *words = 0;
  if (!stop) return false;
  p->line++;
  for (int w = 0; w < WORDS; w++) {
    size_t n = 0;
    while (p->at < stop && strchr(" \t\r", *p->at)) p->at++;
    for (; p->at < stop && !strchr(" \t\r", *p->at); p->at++)
      if (n + 1 < NAME) word[w][n++] = (char)*p->at;
    word[w][n] = 0;
    *words += n > 0;
  }
  p->at = stop + 1;
  return true;
}

static ply_type type_of(const char *name) {
  static const char *const names[][2] = {{"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},
      {"ushort", "uint16"}, {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"},
      {"double", "float64"}};
  for (int k = 0; k < 8; k++)
    if (!strcmp(name, names[k][0]) || !strcmp(name, names[k][1])) return (ply_type)(I8 + k);
  return PLY_NONE;
}

static int axis_of(const char *of, const char *name, bool list) {
  if (!list && !strcmp(of, "vertex") && *name >= 'x' && *name <= 'z' && !name[1]) return *name - 'x';
  bool corners = !strcmp(name, "vertex_indices") || !strcmp(name, "vertex_index");
  return list && corners && !strcmp(of, "face") ? 3 : -1;
}

static scree_status read_element(ply *p, char word[WORDS][NAME]) {
  char *end;
  element *e = p->element + p->elements;
  if (p->elements == MOST_ELEMENTS)
    return sc_fail(
        p->error, SCREE_E_FORMAT, "%s:%ld: more than %d elements", p->path, p->line, MOST_ELEMENTS);
  *e = (element){.rows = strtoull(word[2], &end, 10)};
  if (!*word[2] || *word[2] == '-' || *end)
    return sc_fail(
        p->error, SCREE_E_FORMAT, "%s:%ld: \"%s\" is not a number of elements", p->path, p->line, word[2]);
  memcpy(e->name, word[1], NAME);
  p->elements++;
  return SCREE_OK;
}

static scree_status read_property(ply *p, char word[WORDS][NAME]) {
  bool list = !strcmp(word[1], "list");
  const char *name = word[list ? 4 : 2], *type = word[list ? 3 : 1];
  element *e = p->element + p->elements - 1;
  if (!p->elements || e->properties == MOST_PROPERTIES)
    return sc_fail(p->error, SCREE_E_FORMAT, "%s:%ld: a property %s", p->path, p->line,
        p->elements ? "too many" : "of no element");
  property made = {type_of(type), list ? type_of(word[2]) : PLY_NONE, axis_of(e->name, name, list)};
  if (!made.type || (list && (!made.count || made.count >= F32)))
    return sc_fail(p->error, SCREE_E_FORMAT, "%s:%ld: \"%s\" is not a type of numbers", p->path, p->line,
        made.type ? word[2] : type);
  e->property[e->properties++] = made;
  return SCREE_OK;
}

static scree_status read_format(ply *p, const char *name) {
  static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
  for (int k = 0; k < 3; k++)
    if (!strcmp(name, names[k])) {
      p->form = (ply_form)k;
      return SCREE_OK;
    }
  return sc_fail(p->error, SCREE_E_FORMAT, "%s:%ld: \"%s\" is no format of PLY", p->path, p->line, name);
}

static scree_status read_head(ply *p) {
  char word[WORDS][NAME];
  int words;
  if (!next_line(p, word, &words) || strcmp(word[0], "ply"))
    return sc_fail(p->error, SCREE_E_FORMAT, "%s:1: not a PLY file: it does not begin with ply", p->path);
  for (scree_status status = SCREE_OK; next_line(p, word, &words);) {
    if (!strcmp(word[0], "end_header")) return SCREE_OK;
    if (!strcmp(word[0], "format")) status = read_format(p, word[1]);
    else if (!strcmp(word[0], "element")) status = read_element(p, word);
    else if (!strcmp(word[0], "property")) status = read_property(p, word);
    if (status) return status;
  }
  return sc_fail(p->error, SCREE_E_FORMAT, "%s:%ld: truncated: no end_header", p->path, p->line);
}

/* ---- rows ---- */

static bool read_text_number(ply *p, double *value) {
  char word[64], *end;
  size_t n = 0;
  for (; p->at < p->end && strchr(" \t\r\n", *p->at); p->at++) p->line += *p->at == '\n';
  for (; p->at < p->end && !strchr(" \t\r\n", *p->at); p->at++)
    if (n + 1 < sizeof word) word[n++] = (char)*p->at;
  word[n] = 0;
  *value = strtod(word, &end);
  return n && !*end;
}

static bool read_binary_number(ply *p, ply_type type, double *value) {
  static const int sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
  int size = sizes[type];
  uint64_t bits = 0;
  if (p->end - p->at < size) return false;
  for (int k = 0; k < size; k++) bits |= (uint64_t)p->at[k] << 8 * (p->form == BIG ? size - 1 - k : k);
  p->at += size;
  uint32_t low = (uint32_t)bits;
  float single;
  memcpy(&single, &low, sizeof single);
  switch (type) {
  case I8: *value = (int8_t)bits; break;
  case I16: *value = (int16_t)bits; break;
  case I32: *value = (int32_t)bits; break;
  case F32: *value = single; break;
  case F64: memcpy(value, &bits, sizeof bits); break;
  default: *value = (double)bits;
  }
  return true;
}

static scree_status next_ply_number(ply *p, ply_type type, double *value) {
  if (p->form == TEXT ? read_text_number(p, value) : read_binary_number(p, type, value)) return SCREE_OK;
  if (p->form == TEXT && p->at < p->end)
    return sc_fail(p->error, SCREE_E_FORMAT, "%s%s not a number", p->path, find_place(p).text);
  return sc_fail(
      p->error, SCREE_E_FORMAT, "%s%s truncated: the file ends within its rows", p->path, find_place(p).text);
}

static scree_status add_corner(ply *p, double number, int32_t k) {
  if (!(number >= 0 && number < (double)p->soup->points && number == floor(number)))
    return sc_fail(p->error, SCREE_E_FORMAT, "%s%s face %llu names point %.17g of %zu, counted from 0",
        p->path, find_place(p).text, (unsigned long long)p->row, number, p->soup->points);
  if (!SC_GROW(p->corner, p->corner_capacity, (size_t)k + 1))
    return sc_fail(p->error, SCREE_E_MEMORY, "%s: no memory for its faces", p->path);
  p->corner[k] = (int32_t)number;
  return SCREE_OK;
}

/* Reads the numbers of a list. If the list has the corners of a face, cuts the face into triangles. */
static scree_status read_list(ply *p, const property *q) {
  double count, number;
  scree_status status = next_ply_number(p, q->count, &count);
  if (!status && !(count >= 0 && count < INT32_MAX && (q->axis < 3 || count >= 3)))
    return sc_fail(
        p->error, SCREE_E_FORMAT, "%s%s a list of %.17g numbers", p->path, find_place(p).text, count);
  for (int32_t k = 0; k < (status ? 0 : (int32_t)count) && !status; k++) {
    status = next_ply_number(p, q->type, &number);
    if (!status && q->axis == 3) status = add_corner(p, number, k);
  }
  if (!status && q->axis == 3 && !sc_soup_add_polygon(p->soup, p->corner, (int32_t)count))
    return sc_fail(p->error, SCREE_E_MEMORY, "%s: no memory for its faces", p->path);
  return status;
}

static scree_status read_row(ply *p, const element *e) {
  double x[3] = {0, 0, 0}, number;
  for (int k = 0; k < e->properties; k++) {
    const property *q = e->property + k;
    scree_status status = q->count ? read_list(p, q) : next_ply_number(p, q->type, &number);
    if (status) return status;
    if (!q->count && q->axis >= 0) x[q->axis] = number;
  }
  while (p->form == TEXT && p->at < p->end && *p->at != '\n') p->at++;
  if (strcmp(e->name, "vertex")) return SCREE_OK;
  if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2])))
    return sc_fail(p->error, SCREE_E_FORMAT, "%s%s vertex %zu has a coordinate that is not finite", p->path,
        find_place(p).text, p->soup->points);
  if (p->soup->points == INT32_MAX || !SC_GROW(p->soup->point, p->soup->point_capacity, p->soup->points + 1))
    return sc_fail(p->error, SCREE_E_MEMORY, "%s: no memory for its vertices", p->path);
  sc_copy3(x, p->soup->point[p->soup->points++]);
  return SCREE_OK;
}

/* Checks an element of the head. The element `vertex` must have the properties x, y and z. An element with
 * rows must have a property; otherwise a file could announce any number of empty rows. */
static scree_status check_element(const ply *p, const element *e) {
  int axes = 0;
  for (int k = 0; k < e->properties; k++)
    if (e->property[k].axis >= 0) axes |= 1 << e->property[k].axis;
  if (!strcmp(e->name, "vertex") && axes != 7)
    return sc_fail(p->error, SCREE_E_FORMAT, "%s:%ld: its vertices lack one of x, y, z", p->path, p->line);
  if (!e->properties && e->rows)
    return sc_fail(
        p->error, SCREE_E_FORMAT, "%s:%ld: the element \"%s\" has no properties", p->path, p->line, e->name);
  return SCREE_OK;
}

scree_status sc_soup_ply(
    const char *path, const unsigned char *bytes, size_t count, sc_soup *soup, scree_error *error) {
  ply p = {.path = path, .begin = bytes, .at = bytes, .end = bytes + count, .soup = soup, .error = error};
  scree_status status = read_head(&p);
  for (int e = 0; e < p.elements && !status; e++) {
    status = check_element(&p, p.element + e);
    for (p.row = 0; p.row < p.element[e].rows && !status; p.row++) status = read_row(&p, p.element + e);
  }
  sc_free(p.corner);
  if (!status && !soup->triangles) status = sc_fail(error, SCREE_E_FORMAT, "%s: holds no face", path);
  return status;
}
