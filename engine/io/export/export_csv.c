/* CSV exports for other programs: one row per body and frame. Numbers have 17 digits, so no bit is lost.
 * Contacts are written to a second file. */
#include "io/export/export.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Writes the names of all columns of scripts and loads. */
static void put_csv_names(sc_out *out, const scree_frame *f) {
  for (int32_t k = 0; k < f->columns; k++) sc_out_text(out, ",%s", f->column[k].name);
}

/* Opens a CSV file for writing. Refuses to replace a file that is not an export, such as the time series of a
 * run. head: the first columns of an export, by which the function recognises one. */
static scree_status open_csv(sc_export *ex, const char *ending, const char *head, scree_error *error) {
  char begin[32] = "";
  const size_t length = strlen(head);
  char *path = sc_export_path(ex, ending);
  if (!path) return sc_export_no_memory(error);
  struct stat info;
  bool is_other = !stat(path, &info) && S_ISREG(info.st_mode) && info.st_size;
  FILE *file = is_other ? fopen(path, "rb") : NULL;
  if (file) {
    is_other = fread(begin, 1, length, file) != length || memcmp(begin, head, length) != 0;
    fclose(file);
  }
  scree_status status = is_other
      ? sc_fail(
            error, SCREE_E_ARGUMENT, "export: %s is no table of an export; give another name or folder", path)
      : SCREE_OK;
  sc_free(path);
  return status ? status : sc_export_open(ex, &ex->out, ending, false, error);
}

static const char bodies_head[] = "frame,time,step,id", contacts_head[] = "frame,body1,body2,time";

static scree_status csv_begin(sc_export *ex, scree_error *error) {
  return open_csv(ex, ".csv", bodies_head, error);
}

static void csv_values(sc_out *out, const double *v, int count) {
  sc_out_numbers(out, ",", v, count, SC_EVERY_BIT);
}

/* Returns the number of the present frame in the trajectory. */
static int64_t frame_number(const sc_export *ex) { return ex->def->first + ex->ordinal * ex->def->stride; }

/* Sets v[2] and later elements to the vectors and loads of a contact. The caller sets v[0] and v[1] to time
 * and gap. Returns the number of elements of v in use. */
static int put_contact_values(const sc_export *ex, const scree_frame_contact *c, double v[24]) {
  int at = 2;
  const double *vectors[3] = {c->point, c->normal, c->impulse};
  for (int k = 0; k < 3; k++, at += 3) memcpy(v + at, vectors[k], 24);
  if (ex->steps) {
    const sc_contact_load load = sc_export_contact_load(c, ex->frame->dt);
    memcpy(v + at, load.force, 24);
    v[at + 3] = load.normal;
    memcpy(v + at + 4, load.friction, 24);
    memcpy(v + at + 7, load.moment, 24);
    at += 10;
  }
  if (ex->forces) memcpy(v + at, c->force, 24), at += 3;
  return at;
}

/* Adds the contacts of the present frame to ex->contact_list. csv_end writes them, because only one file is
 * open at a time. */
static scree_status csv_contacts(sc_export *ex, scree_error *error) {
  const scree_frame *f = ex->frame;
  char text[32], line[96];
  for (int64_t i = 0; i < f->contacts; i++) {
    const scree_frame_contact *c = f->contact + i;
    double v[24] = {f->time, c->gap};
    const int values = put_contact_values(ex, c, v);
    int count = snprintf(line, sizeof line, "%lld,%llu,%llu", (long long)frame_number(ex),
        (unsigned long long)c->body1, (unsigned long long)c->body2);
    bool ok = sc_bytes_add(&ex->contact_list, line, (size_t)count);
    for (int k = 0; k < values && ok; k++) {
      sc_number_text(v[k], SC_EVERY_BIT, text);
      ok = sc_bytes_add(&ex->contact_list, ",", 1) && sc_bytes_add(&ex->contact_list, text, strlen(text));
    }
    count = ex->images ? snprintf(line, sizeof line, ",%lld,%lld,%lld", (long long)c->image[0],
                             (long long)c->image[1], (long long)c->image[2])
                       : 0;
    ok = ok && sc_bytes_add(&ex->contact_list, line, (size_t)count);
    if (!ok || !sc_bytes_add(&ex->contact_list, "\n", 1)) return sc_export_no_memory(error);
  }
  return SCREE_OK;
}

static scree_status csv_frame(sc_export *ex, scree_error *error) {
  sc_out *out = &ex->out;
  const scree_frame *f = ex->frame;
  int fields = ex->fields;
  if (!ex->contact_list.count)
    /* the first frame with contacts determines the columns of the table of contacts */
    ex->forces = f->forces, ex->images = f->images, ex->steps = f->dt > 0;
  if (!ex->ordinal) {
    sc_out_text(out, "%s%s,group,kind,radius,mass%s%s%s%s", bodies_head, ex->clump ? ",clump" : "",
        fields & SCREE_FIELD_POSITION ? ",x,y,z" : "", fields & SCREE_FIELD_VELOCITY ? ",vx,vy,vz" : "",
        fields & SCREE_FIELD_SPIN ? ",wx,wy,wz" : "", fields & SCREE_FIELD_ORIENTATION ? ",qw,qx,qy,qz" : "");
    put_csv_names(out, f);
    sc_out_text(out, "\n");
  }
  for (int64_t r = 0; r < f->bodies; r++) {
    sc_out_text(out, "%lld", (long long)frame_number(ex));
    csv_values(out, &f->time, 1);
    sc_out_text(out, ",%lld,%llu", (long long)f->step, (unsigned long long)f->id[r]);
    if (ex->clump) sc_out_text(out, ",%llu", (unsigned long long)ex->clump[r]);
    sc_out_text(out, ",%lld,%d", (long long)f->group[r], f->kind[r]);
    csv_values(out, f->radius + r, 1);
    csv_values(out, f->mass + r, 1);
    if (fields & SCREE_FIELD_POSITION) csv_values(out, f->position + 3 * r, 3);
    if (fields & SCREE_FIELD_VELOCITY) csv_values(out, f->velocity + 3 * r, 3);
    if (fields & SCREE_FIELD_SPIN) csv_values(out, f->spin + 3 * r, 3);
    if (fields & SCREE_FIELD_ORIENTATION) csv_values(out, f->orientation + 4 * r, 4);
    if (f->columns) csv_values(out, f->value + f->columns * r, f->columns);
    sc_out_text(out, "\n");
  }
  scree_status status = sc_export_state(ex, error);
  return status || !ex->def->contacts ? status : csv_contacts(ex, error);
}

static scree_status csv_end(sc_export *ex, scree_error *error) {
  scree_status status = sc_export_close(ex, error);
  if (status || !ex->def->contacts) return status;
  status = open_csv(ex, "_contacts.csv", contacts_head, error);
  if (status) return status;
  sc_out_text(&ex->out, "%s,gap,px,py,pz,nx,ny,nz,jx,jy,jz%s%s%s\n", contacts_head,
      ex->steps ? ",fx,fy,fz,fn,ftx,fty,ftz,mx,my,mz" : "",
      ex->forces ? ",compatible_x,compatible_y,compatible_z" : "", ex->images ? ",ix,iy,iz" : "");
  sc_out_bytes(&ex->out, ex->contact_list.at, ex->contact_list.count);
  return sc_export_close(ex, error);
}

const sc_exporter sc_export_csv = {.name = "csv",
    .lists = true,
    .columns = true,
    .contacts = true,
    .begin = csv_begin,
    .frame = csv_frame,
    .end = csv_end};
