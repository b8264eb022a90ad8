/* Checkpoints of worlds.
 *
 * A run that continues from a checkpoint computes the same bits as a run without interruption. A checkpoint
 * has one section of plain bytes for each array on which later results depend:
 *   world.head      counts, clocks, energies, gravity and step
 *   world.<array>   one section for each array of the bodies, in rows; slots with generations and the
 *                   free list, so that ids do not change
 *   world.shapes    rows of shapes; a geometry is written as its number in world.geometries
 *   world.geometries  one hash of the corners for each geometry in use
 *   world.names, world.materials, world.rules, world.table, world.joints
 *   world.joint_format  version of the rows of world.joints, if there are joints
 *   world.collide   neighbour list and contact cache
 *   world.cell      matrix and motion of the cell, if there is a cell
 *   world.totals    sums over the substeps of the last step (save_totals.c)
 * On several ranks, dist/save.c assembles the sections from pieces of the ranks. Checkpoints contain no
 * pointers. Laws are stored as numbers, and geometries as hashes. When a checkpoint is loaded, the geometries
 * are found among those of the new world's shapes. */
#include "io/trajectory/checkpoint.h"
#include "scree/geometry.h"
#include "world/fits.h"
#include "world/save/save.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stddef.h>
#include <string.h>

scree_checkpoint *scree_checkpoint_create(void) { return sc_alloc(sizeof(scree_checkpoint)); }

void scree_checkpoint_destroy(scree_checkpoint *checkpoint) {
  if (!checkpoint) return;
  sc_sections_free(&checkpoint->sections);
  for (int32_t k = 0; k < checkpoint->geometries; k++) scree_geometry_release(checkpoint->geometry[k]);
  sc_free(checkpoint->geometry);
  sc_free(checkpoint);
}

scree_status scree_checkpoint_put(
    scree_checkpoint *checkpoint, const char *name, const void *bytes, size_t size, scree_error *error) {
  SC_DEMAND(checkpoint && name && (bytes || !size), error, SCREE_E_ARGUMENT);
  return sc_section_write(&checkpoint->sections, name, bytes, size, error);
}

const void *scree_checkpoint_get(
    const scree_checkpoint *checkpoint, const char *name, size_t *size, scree_error *error) {
  SC_DEMAND(checkpoint && name && size, error, NULL);
  return sc_section_find(&checkpoint->sections, name, size, error);
}

scree_status scree_checkpoint_write_at(
    const scree_checkpoint *checkpoint, int folder, const char *path, int keep, scree_error *error) {
  SC_DEMAND(checkpoint && path, error, SCREE_E_ARGUMENT);
  if (keep < 1)
    return sc_fail(error, SCREE_E_ARGUMENT, "a checkpoint keeps at least 1 generation, not %d", keep);
  return sc_checkpoint_save(&checkpoint->sections, folder, path, keep, error);
}

scree_status scree_checkpoint_write(
    const scree_checkpoint *checkpoint, const char *path, int keep, scree_error *error) {
  SC_DEMAND(checkpoint && path, error, SCREE_E_ARGUMENT);
  return scree_checkpoint_write_at(checkpoint, AT_FDCWD, path, keep, error);
}

scree_checkpoint *scree_checkpoint_read(const char *path, int *generation, scree_error *error) {
  SC_DEMAND(path, error, NULL);
  scree_checkpoint *checkpoint = scree_checkpoint_create();
  if (!checkpoint) sc_fail(error, SCREE_E_MEMORY, "no memory for a checkpoint");
  else if (!sc_checkpoint_load(&checkpoint->sections, path, generation, error)) return checkpoint;
  scree_checkpoint_destroy(checkpoint);
  return NULL;
}

const char *scree_checkpoint_section(const scree_checkpoint *checkpoint, int64_t place, size_t *size) {
  SC_DEMAND(checkpoint, NULL, NULL);
  if (place < 0 || (uint64_t)place >= checkpoint->sections.count) return NULL;
  *size = checkpoint->sections.row[place].size;
  return checkpoint->sections.row[place].name;
}

scree_status scree_checkpoint_about(
    const scree_checkpoint *checkpoint, scree_checkpoint_info *info, scree_error *error) {
  SC_DEMAND(checkpoint, error, SCREE_E_ARGUMENT);
  sc_save_head h;
  size_t size, effort_size = 0;
  scree_status status = sc_section_read(&checkpoint->sections, "world.head", &h, sizeof h, error);
  const void *bytes = status ? NULL : sc_section_find(&checkpoint->sections, "world.collide", &size, error);
  if (status || !bytes) return status ? status : SCREE_E_FORMAT;
  const sc_effort *effort = sc_section_find(&checkpoint->sections, "world.effort", &effort_size, NULL);
  *info = (scree_checkpoint_info){.time = h.time,
      .dt = h.dt,
      .dissipated = h.dissipated,
      .step = h.step,
      .bodies = h.bodies,
      .shapes = h.shapes,
      .joints = h.joints,
      .contacts = sc_collide_saved_contacts(bytes, size),
      .materials = h.materials,
      .softened = effort && effort_size == sizeof *effort ? effort->softened : 0};
  return SCREE_OK;
}

/* ---- saving ---- */

void sc_save_fill_head(const scree_world *w, int32_t geometries, sc_save_head *h) {
  *h = (sc_save_head){.bodies = w->bodies.count,
      .shapes = w->shapes.count,
      .names = w->names.count,
      .materials = w->pairs.materials,
      .rules = w->pairs.rules,
      .laws = w->laws.count,
      .user_laws = w->laws.users,
      .geometries = geometries,
      .state_stride = w->contacts.stride,
      .joints = w->joints.count,
      .breaks = w->joints.breaks,
      .joint_serial = w->joints.serial,
      .slots_count = w->bodies.slots_count,
      .free_slot = w->bodies.free_slot,
      .shape_bytes = sizeof(sc_saved_shape),
      .version = w->version,
      .fills = w->fills,
      .step = w->step,
      .iterations = w->figures.iterations,
      .time = w->time,
      .dissipated = w->energy.dissipated,
      .residual_scale = w->figures.residual_scale,
      .penetration = w->contacts.deepest,
      .elastic = w->energy.elastic,
      .stable_dt = w->figures.stable_dt,
      .sliding_loss = w->energy.sliding,
      .contact_age = w->contacts.age,
      .mean_load = w->energy.mean_load,
      .slow_load = w->energy.slow_load,
      .impulse_time = w->energy.impulse_time,
      .dt = w->def.dt};
  memcpy(h->gravity, w->def.gravity, sizeof h->gravity);
  memcpy(h->seconds, w->watch.seconds, sizeof h->seconds);
}

static scree_status save_collide(const scree_world *w, sc_sections *out, scree_error *error) {
  void *bytes = NULL;
  size_t count = 0;
  scree_status status = sc_collide_save(w->collide, &w->shapes, &bytes, &count);
  status = status ? sc_fail(error, status, "no memory to save contacts")
                  : sc_section_write(out, "world.collide", bytes, count, error);
  sc_free(bytes);
  return status;
}

/* Version of the rows of joints. Version 1 has no such section, and its gears have no housings. Version 2
 * lacks armatures, version 3 the friction of ball joints, version 4 the axis of turn servos. */
enum { JOINT_FORMAT = 5 };

static scree_status save_joints(const scree_world *w, sc_sections *out, scree_error *error) {
  const sc_joints *joints = &w->joints;
  const uint32_t format = JOINT_FORMAT;
  scree_status status = joints->count
      ? sc_section_write(out, "world.joint_format", &format, sizeof format, error)
      : SCREE_OK;
  return status ? status
                : sc_section_write(
                      out, "world.joints", joints->row, (size_t)joints->count * sizeof *joints->row, error);
}

scree_status sc_save_rules(const scree_world *w, sc_sections *out, scree_error *error) {
  const sc_pairs *p = &w->pairs;
  scree_status status = sc_section_write(
      out, "world.names", w->names.name, (size_t)w->names.count * sizeof *w->names.name, error);
  if (!status)
    status = sc_section_write(
        out, "world.materials", p->material, (size_t)p->materials * sizeof *p->material, error);
  if (!status)
    status = sc_section_write(out, "world.rules", p->rule, (size_t)p->rules * sizeof *p->rule, error);
  if (!status)
    status = sc_section_write(
        out, "world.table", p->table, (size_t)p->materials * (size_t)p->materials * sizeof *p->table, error);
  if (!status) status = sc_save_laws(out, error);
  if (!status) status = save_joints(w, out, error);
  if (!status && w->joints.breaks)
    status = sc_section_write(
        out, "world.breaks", w->joints.broken, (size_t)w->joints.breaks * sizeof *w->joints.broken, error);
  const sc_bonds *bonds = &w->joints.bonds;
  if (!status && bonds->count)
    status = sc_section_write(
        out, "world.bonds", bonds->row, (size_t)bonds->count * sizeof *bonds->row, error);
  if (!status && bonds->glues)
    status = sc_section_write(
        out, "world.glues", bonds->glue, (size_t)bonds->glues * sizeof *bonds->glue, error);
  if (!status) status = sc_save_points(w, out, error);
  return status ? status : sc_save_fast(w, out, error);
}

scree_status sc_save_whole(const scree_world *w, sc_sections *out, scree_error *error) {
  const scree_geometry **list;
  int32_t geometries;
  sc_save_head h;
  if (!sc_save_geometries(&w->shapes, &list, &geometries))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to save shapes");
  sc_save_fill_head(w, geometries, &h);
  const double account[2] = {w->energy.work, w->energy.correction};
  scree_status status = sc_section_write(out, "world.head", &h, sizeof h, error);
  if (!status) status = sc_section_write(out, "world.account", account, sizeof account, error);
  if (!status) status = sc_section_write(out, "world.effort", &w->effort, sizeof w->effort, error);
  if (!status && w->lost) status = sc_section_write(out, "world.lost", &w->lost, sizeof w->lost, error);
  if (!status) status = sc_save_bodies(w, out, error);
  if (!status) status = sc_save_shapes(w, list, geometries, out, error);
  sc_free(list);
  if (!status) status = sc_save_rules(w, out, error);
  if (!status)
    status = sc_section_write(out, "world.blows", w->contacts.impact,
        (size_t)w->contacts.impacts * sizeof *w->contacts.impact, error);
  if (!status) status = sc_save_cell(w, out, error);
  if (!status) status = sc_save_losses(w, out, error);
  if (!status) status = sc_save_totals(w, out, error);
  if (!status) status = sc_save_means(w, out, error);
  if (!status) status = sc_save_left(w, out, error);
  if (!status) status = sc_save_figures(w, out, error);
  if (!status) status = sc_save_faces(w, out, error);
  return status ? status : save_collide(w, out, error);
}

scree_status scree_world_save(const scree_world *w, scree_checkpoint *checkpoint, scree_error *error) {
  SC_DEMAND(w && checkpoint, error, SCREE_E_ARGUMENT);
  scree_status status = w->ranks->save(w->ranks->context, w, &checkpoint->sections, error);
  checkpoint->was_saved_here = !status, checkpoint->def = w->def;
  return status ? status : sc_save_hold_geometries(w, checkpoint, error);
}

/* ---- loading ---- */

static scree_status check_head(const scree_world *w, const sc_save_head *h, scree_error *error) {
  if (h->shape_bytes != sizeof(sc_saved_shape) || h->bodies < 0 || h->shapes < 0 || h->names < 0 ||
      h->materials < 1 || h->rules < 1 || h->geometries < 0 || h->joints < 0 ||
      (uint32_t)h->bodies > h->slots_count)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint is damaged or from another build");
  if (h->laws != w->laws.count || h->user_laws != w->laws.users)
    return sc_fail(error, SCREE_E_ARGUMENT,
        "the checkpoint knows %d laws, %d of them from scripts; this world has %d and %d", h->laws,
        h->user_laws, w->laws.count, w->laws.users);
  return SCREE_OK;
}

static scree_status check_joint_format(const sc_save_head *h, const sc_sections *in, scree_error *error) {
  uint32_t format = 1;
  size_t size = 0;
  const void *bytes = sc_section_find(in, "world.joint_format", &size, NULL);
  if (!h->joints) return SCREE_OK;
  if (bytes && size != sizeof format)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's joints are damaged");
  if (bytes) memcpy(&format, bytes, size);
  return format == JOINT_FORMAT
      ? SCREE_OK
      : sc_fail(error, SCREE_E_FORMAT,
            "the checkpoint has joints of format version %u; this program reads version %d", format,
            JOINT_FORMAT);
}

/* Fails if the size of a section does not match the counts in the head. Loading therefore never allocates
 * more memory than the size of the file justifies. */
static scree_status check_sizes(const sc_save_head *h, const sc_sections *in, scree_error *error) {
  const size_t bodies = (size_t)h->bodies, materials = (size_t)h->materials;
  const struct {
    const char *name;
    size_t bytes;
  } wanted[] = {
      {"world.position", bodies * sizeof(double[3])},
      {"world.slot", bodies * sizeof(uint32_t)},
      {"world.slot_row", (size_t)h->slots_count * sizeof(uint32_t)},
      {"world.shapes", (size_t)h->shapes * sizeof(sc_saved_shape)},
      {"world.geometries", (size_t)h->geometries * sizeof(uint64_t)},
      {"world.names", (size_t)h->names * sizeof(sc_body_name)},
      {"world.materials", materials * sizeof(sc_material)},
      {"world.rules", (size_t)h->rules * sizeof(sc_rule)},
      {"world.table", materials * materials * sizeof(int32_t)},
      {"world.joints", (size_t)h->joints * sizeof(sc_joint)},
  };
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    size_t size;
    if (!sc_section_find(in, wanted[k].name, &size, error)) return SCREE_E_FORMAT;
    if (size != wanted[k].bytes)
      return sc_fail(error, SCREE_E_FORMAT, "section '%s' has %zu bytes, not %zu", wanted[k].name, size,
          wanted[k].bytes);
  }
  return SCREE_OK;
}

static scree_status load_rules(
    scree_world *w, const sc_save_head *h, const sc_sections *in, scree_error *error) {
  sc_pairs *p = &w->pairs;
  size_t cells = (size_t)h->materials * (size_t)h->materials;
  if (!SC_GROW(p->material, p->material_capacity, (size_t)h->materials) ||
      !SC_GROW(p->rule, p->rule_capacity, (size_t)h->rules) || !SC_GROW(p->table, p->table_capacity, cells) ||
      !SC_GROW(p->lost, p->lost_capacity, cells) || !sc_names_reserve_bodies(&w->names, h->names))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for materials");
  scree_status status = sc_section_read(
      in, "world.materials", p->material, (size_t)h->materials * sizeof *p->material, error);
  if (!status)
    status = sc_section_read(in, "world.rules", p->rule, (size_t)h->rules * sizeof *p->rule, error);
  if (!status) status = sc_section_read(in, "world.table", p->table, cells * sizeof *p->table, error);
  if (!status)
    status = sc_section_read(
        in, "world.names", w->names.name, (size_t)h->names * sizeof *w->names.name, error);
  if (status) return status;
  p->materials = h->materials, p->rules = h->rules;
  sc_names_link_bodies(&w->names, h->names);
  status = sc_load_laws(w, in, error);
  return status ? status : sc_save_check_rules(w, error);
}

/* Loads the records of broken joints. The section exists only if joints have broken. */
static scree_status load_breaks(
    sc_joints *j, const sc_save_head *h, const sc_sections *in, scree_error *error) {
  size_t size = 0, wanted = (size_t)h->breaks * sizeof *j->broken;
  if (!h->breaks) return SCREE_OK;
  if (h->breaks < 0 || !sc_section_find(in, "world.breaks", &size, NULL) || size != wanted)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's broken joints are damaged");
  if (!SC_GROW(j->broken, j->break_capacity, (size_t)h->breaks))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d broken joints", h->breaks);
  return sc_section_read(in, "world.breaks", j->broken, wanted, error);
}

/* Returns the rows of an optional section; NULL if the section is missing. row: bytes per row. *count: number
 * of rows; -1 if the size is wrong. */
static const void *find_rows(const sc_sections *in, const char *name, size_t row, int32_t *count) {
  size_t size = 0;
  const void *bytes = sc_section_find(in, name, &size, NULL);
  *count = bytes && size % row == 0 && size / row < INT32_MAX / 2 ? (int32_t)(size / row) : bytes ? -1 : 0;
  return bytes;
}

/* Loads the bonds and their glues. The sections exist only if the world has bonds. */
static scree_status load_bonds(scree_world *w, const sc_sections *in, scree_error *error) {
  sc_bonds *b = &w->joints.bonds;
  int32_t count, glues;
  const void *rows = find_rows(in, "world.bonds", sizeof *b->row, &count),
             *kinds = find_rows(in, "world.glues", sizeof *b->glue, &glues);
  b->count = b->glues = 0;
  if (count < 0 || glues < 0) return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's bonds are damaged");
  if (!SC_GROW_LEAN(b->row, b->capacity, (size_t)count) || !SC_GROW(b->glue, b->glue_capacity, (size_t)glues))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d bonds", count);
  if (count) memcpy(b->row, rows, (size_t)count * sizeof *b->row);
  if (glues) memcpy(b->glue, kinds, (size_t)glues * sizeof *b->glue);
  for (int32_t i = 0; i < count; i++) b->row[i].yields = 0;
  scree_status status = sc_save_check_bonds(&w->bodies, b->row, count, b->glue, glues, error);
  if (!status) b->count = count, b->glues = glues;
  return status;
}

static scree_status load_joints(
    scree_world *w, const sc_save_head *h, const sc_sections *in, scree_error *error) {
  sc_joints *j = &w->joints;
  if (h->joints && !SC_GROW(j->row, j->capacity, (size_t)h->joints))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d joints", h->joints);
  scree_status status = sc_section_read(
      in, "world.joints", j->row, (size_t)h->joints * sizeof *j->row, error);
  if (status) return status;
  for (int32_t i = 0; i < h->joints; i++) j->row[i].yields = 0;
  j->count = j->yields = 0; /* the count is set after the rows have been checked */
  if ((status = sc_save_check_joints(w, j->row, h->joints, error))) return status;
  j->breaks = 0;
  if ((status = load_breaks(j, h, in, error))) return status;
  j->breaks = h->breaks;
  if ((status = load_bonds(w, in, error))) return status;
  j->count = h->joints, j->serial = h->joint_serial, j->struck = true;
  if (!sc_joints_tie_all(j))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the ties of %d joints", h->joints);
  return SCREE_OK;
}

/* Loads the impulses of the last step's impacts. The section has one row per contact, or is missing. */
static scree_status load_impacts(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const void *bytes = sc_section_find(in, "world.blows", &size, NULL);
  w->contacts.impacts = 0;
  if (!bytes || !size) return SCREE_OK;
  if (size != (size_t)w->contacts.count * sizeof *w->contacts.impact)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's impacts are damaged");
  if (!SC_GROW(w->contacts.impact, w->contacts.impact_capacity, (size_t)w->contacts.count))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for %d impacts", w->contacts.count);
  memcpy(w->contacts.impact, bytes, size);
  if (!sc_save_finite(w->contacts.impact, size / sizeof(double)))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's impacts are damaged");
  w->contacts.impacts = w->contacts.count;
  return SCREE_OK;
}

/* Loads work and correction of the energy balance. Both are 0 in older checkpoints, which have no such
 * section. */
static scree_status load_account(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const double *account = sc_section_find(in, "world.account", &size, NULL);
  w->energy.work = w->energy.correction = 0;
  if (!account) return SCREE_OK;
  if (size != 2 * sizeof *account || !sc_save_finite(account, 2))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's account of energy is damaged");
  w->energy.work = account[0], w->energy.correction = account[1];
  return SCREE_OK;
}

/* Loads sc_effort. Older checkpoints have no such section, or a section that ends before the member `again`
 * or `solves`. */
static scree_status load_effort(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const void *found = sc_section_find(in, "world.effort", &size, NULL);
  sc_effort *effort = &w->effort;
  *effort = (sc_effort){.looks = 0};
  if (!found) return SCREE_OK;
  const bool fits = size == sizeof *effort || size == offsetof(sc_effort, again) ||
      size == offsetof(sc_effort, solves) || size == offsetof(sc_effort, softened);
  if (fits) memcpy(effort, found, size);
  if (!fits ||
      !(effort->unbalanced >= 0 && effort->looks >= 0 && effort->overlap >= 0 && effort->worst >= 0 &&
          effort->softened >= 0))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's account of solving is damaged");
  return SCREE_OK;
}

/* Loads the number of bodies that have left the domain. It is 0 if the section is missing. */
static scree_status load_lost(scree_world *w, const sc_sections *in, scree_error *error) {
  size_t size = 0;
  const void *found = sc_section_find(in, "world.lost", &size, NULL);
  w->lost = 0;
  if (!found) return SCREE_OK;
  if (size == sizeof w->lost) memcpy(&w->lost, found, size);
  if (size != sizeof w->lost || w->lost < 0)
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's count of lost bodies is damaged");
  return SCREE_OK;
}

static void set_head(scree_world *w, const sc_save_head *h) {
  w->version = (h->version > w->version ? h->version : w->version) + 1, w->fills = h->fills,
  w->step = h->step, w->figures.iterations = h->iterations, w->time = h->time;
  w->energy.dissipated = h->dissipated, w->figures.residual_scale = h->residual_scale,
  w->contacts.deepest = h->penetration, w->energy.elastic = h->elastic;
  w->figures.stable_dt = h->stable_dt, w->energy.sliding = h->sliding_loss, w->contacts.age = h->contact_age,
  w->energy.mean_load = h->mean_load, w->energy.slow_load = h->slow_load,
  w->energy.impulse_time = h->impulse_time, w->def.dt = h->dt;
  w->contacts.stride = h->state_stride, w->problem_valid = 0, w->contacts.removals = 1;
  w->plan.count = 0, w->tracks.count = 0, w->query.viewed = false;
  memcpy(w->def.gravity, h->gravity, sizeof h->gravity);
  memcpy(w->watch.seconds, h->seconds, sizeof h->seconds);
}

/* Returns true if contacts and the neighbour list refer to existing shapes and all numbers are finite. Bodies
 * and materials of the shapes must have been checked before. */
static bool contacts_fit(const scree_world *w) {
  if (sc_collide_known(w->collide) > w->shapes.count) return false;
  for (int32_t i = 0; i < w->contacts.count; i++) {
    sc_contact c;
    sc_world_contact(w, i, &c);
    if (!sc_save_finite(c.impulse, 3) || !sc_save_finite(c.point, 3) || !sc_save_finite(c.normal, 3) ||
        !isfinite(c.gap))
      return false;
  }
  return isfinite(w->time) && w->def.dt > 0 && isfinite(w->def.dt) && sc_save_finite(w->def.gravity, 3);
}

scree_status sc_load_world(scree_world *w, const scree_checkpoint *checkpoint, scree_error *error) {
  const sc_sections *in = &checkpoint->sections;
  sc_save_head h;
  size_t size;
  scree_status status = sc_section_read(in, "world.head", &h, sizeof h, error);
  if (!status) status = check_head(w, &h, error);
  if (!status) status = check_joint_format(&h, in, error);
  if (!status) status = check_sizes(&h, in, error);
  if (!status) status = sc_save_check_parts(w, in, error);
  if (!status) status = sc_load_shapes(w, &h, checkpoint, error);
  if (!status) status = sc_load_bodies(w, &h, in, error);
  if (!status) status = load_rules(w, &h, in, error);
  if (!status) status = sc_load_points(w, in, error);
  if (!status) status = sc_load_fast(w, in, error);
  if (!status) status = load_joints(w, &h, in, error);
  if (!status) status = sc_load_left(w, in, error);
  if (!status) status = load_account(w, in, error);
  if (!status) status = sc_load_losses(w, in, error);
  if (!status) status = sc_load_cell(w, in, error);
  if (!status) status = load_effort(w, in, error);
  if (!status) status = load_lost(w, in, error);
  if (!status) status = sc_load_figures(w, in, error);
  const void *bytes = status ? NULL : sc_section_find(in, "world.collide", &size, error);
  if (!status && !bytes) status = SCREE_E_FORMAT;
  if (!status) status = sc_collide_load(w->collide, &w->shapes, bytes, size, error);
  if (status) return status;
  set_head(w, &h);
  sc_collide_present(w->collide, h.state_stride, &w->contacts.count, &w->contacts.state);
  if (!sc_world_state_fits(w) || !contacts_fit(w))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's contacts are damaged");
  sc_collide_loaded(w->collide, sc_world_search_dt(w));
  status = sc_load_faces(w, in, error);
  if (!status) status = sc_world_check_fits(w, error);
  if (!status) status = load_impacts(w, in, error);
  return status ? status : sc_load_totals(w, in, error);
}

scree_status scree_world_load(scree_world *w, const scree_checkpoint *checkpoint, scree_error *error) {
  SC_DEMAND(w && checkpoint, error, SCREE_E_ARGUMENT);
  const scree_checkpoint bytes = {.sections = checkpoint->sections};
  return sc_load_world(w, &bytes, error);
}
