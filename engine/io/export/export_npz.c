/* NumPy archives: one .npz per frame (export_npz_single.c: one for all), a zip file of .npy arrays (raw
 * deflate), opened with numpy.load. Every body is listed; arrays keep their names and shapes from
 * scree.frame: id (N), position (N,3), orientation (N,4) as (w,x,y,z), ... */
#include "io/export/export.h"
#include "io/export/zip.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>
#include "io/container/container.h"

/* Adds a member; bytes are its raw contents. */
static void add_member(sc_zip *z, const char *name, const sc_bytes *raw) {
  sc_bytes packed = {0};
  /* zlib's stream without its 2-byte head and 4-byte tail is a raw deflate stream */
  if (sc_deflate(&packed, raw->at, raw->count, 1)) {
    const sc_zip_part part[2] = {{packed.at + 2, packed.count - 6}, {NULL, 0}};
    sc_zip_member(z, name, (uint32_t)crc32_z(0, raw->at, raw->count), raw->count, part);
  } else z->failed = true;
  sc_bytes_free(&packed);
}

static void add_array(void *to, const char *name, const char *type, int64_t rows, int columns,
    const void *bytes, size_t width) {
  sc_zip *z = to;
  const size_t count = (size_t)(rows < 0 ? 1 : rows) * (size_t)columns * width;
  char shape[64], member[64];
  unsigned char head[SC_NPY_HEAD];
  if (rows < 0) strcpy(shape, "()");
  else if (columns == 1) snprintf(shape, sizeof shape, "(%lld,)", (long long)rows);
  else snprintf(shape, sizeof shape, "(%lld, %d)", (long long)rows, columns);
  sc_bytes *raw = &z->ex->scratch;
  raw->count = 0;
  size_t length = sc_npy_head(type, shape, head);
  if (!sc_bytes_add(raw, head, length) || !sc_bytes_add(raw, bytes, count)) {
    z->failed = true;
    return;
  }
  snprintf(member, sizeof member, "%s.npy", name);
  add_member(z, member, raw);
}

/* scree runs on little-endian machines with 8-byte doubles: arrays go out as they lie. */
void sc_npz_bodies(const sc_export *ex, sc_npz_put put, void *to) {
  const scree_frame *f = ex->frame;
  const struct {
    int field;
    const char *name;
    const double *values;
    int columns;
  } numbers[] = {{0, "radius", f->radius, 1}, {0, "mass", f->mass, 1},
      {SCREE_FIELD_POSITION, "position", f->position, 3},
      {SCREE_FIELD_ORIENTATION, "orientation", f->orientation, 4},
      {SCREE_FIELD_VELOCITY, "velocity", f->velocity, 3}, {SCREE_FIELD_SPIN, "spin", f->spin, 3}};
  put(to, "time", "<f8", -1, 1, &f->time, 8);
  put(to, "step", "<i8", -1, 1, &f->step, 8);
  put(to, "id", "<u8", f->bodies, 1, f->id, 8);
  put(to, "group", "<i8", f->bodies, 1, f->group, 8);
  put(to, "kind", "|u1", f->bodies, 1, f->kind, 1);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i].values && (ex->fields & numbers[i].field) == numbers[i].field)
      put(to, numbers[i].name, "<f8", f->bodies, numbers[i].columns, numbers[i].values, 8);
}

#define CONTACT(member) offsetof(scree_frame_contact, member)
bool sc_npz_contacts(const sc_export *ex, sc_npz_put put, void *to) {
  const scree_frame *f = ex->frame;
  const struct {
    bool wanted;
    const char *name, *type;
    int columns;
    size_t offset;
  } column[] = {{true, "contact_body1", "<u8", 1, CONTACT(body1)},
      {true, "contact_body2", "<u8", 1, CONTACT(body2)}, {true, "contact_point", "<f8", 3, CONTACT(point)},
      {true, "contact_normal", "<f8", 3, CONTACT(normal)}, {true, "contact_gap", "<f8", 1, CONTACT(gap)},
      {true, "contact_impulse", "<f8", 3, CONTACT(impulse)},
      {f->images, "contact_image", "<i8", 3, CONTACT(image)},
      {f->forces, "contact_force", "<f8", 3, CONTACT(force)}};
  unsigned char *rows = sc_alloc((size_t)f->contacts * 24 + 1);
  for (size_t k = 0; rows && k < sizeof column / sizeof *column; k++) {
    const size_t width = 8 * (size_t)column[k].columns;
    for (int64_t i = 0; i < f->contacts; i++)
      memcpy(rows + (size_t)i * width, (const char *)(f->contact + i) + column[k].offset, width);
    if (column[k].wanted) put(to, column[k].name, column[k].type, f->contacts, column[k].columns, rows, 8);
  }
  sc_free(rows);
  return rows != NULL;
}

static scree_status frame(sc_export *ex, scree_error *error) {
  if (ex->def->single) return sc_npz_single_frame(ex, error);
  sc_zip z = {.ex = ex};
  ex->last.count = 0;
  scree_status status = sc_export_open_numbered(ex, &z.out, "", ".npz", false, error);
  if (status) return status;
  sc_npz_bodies(ex, add_array, &z);
  if (ex->def->contacts && !sc_npz_contacts(ex, add_array, &z)) z.failed = true;
  sc_zip_directory(&z);
  if (!z.failed) return sc_out_close(&z.out, error);
  sc_out_abandon(&z.out);
  return sc_fail(error, SCREE_E_MEMORY,
      "export: out of memory, or a frame of 4 GiB and more, which zip files cannot hold");
}

const sc_exporter sc_export_npz = {
    .name = "npz", .frame = frame, .end = sc_npz_single_end, .forget = sc_npz_single_forget};
