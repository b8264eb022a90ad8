/* Sums over the substeps of a step.
 *
 * Every contact of a step has a row in a table. The contact's tag (collide/collide.h) is the index of the row
 * plus 1. Contact detection copies the tag together with the impulse. A contact therefore has the same row in
 * all substeps although its index changes. A new contact gets a new row. If no contact of the last substep
 * has a row's tag, the row's contact has opened. If such a contact carried an impulse, readers get it after
 * all other contacts. Sums over the contact list are therefore sums over the step. A contact that opens and
 * closes again within a step has two rows.
 *
 * Joints and bonds are sorted by id, and none is created within a step. One pass that advances in both
 * lists therefore finds the row of each joint. The same holds for bonds. */
#include "world/world.h"
#include "world/account/totals.h"

#include "math/vec.h"
#include "world/account/losses.h"

bool sc_totals_create(scree_world *world) {
  const bool wanted = world->def.substeps > 1 || world->def.stepper == SCREE_STEPPER_SECOND_ORDER;
  world->totals = wanted ? sc_alloc(sizeof *world->totals) : NULL;
  return world->totals || !wanted;
}

void sc_totals_free(sc_totals *totals) {
  if (!totals) return;
  sc_free(totals->row);
  sc_free(totals->gone);
  sc_free(totals->joints.row);
  sc_free(totals->bonds.row);
  sc_free(totals);
}

size_t sc_totals_bytes(const sc_totals *totals) {
  if (!totals) return 0;
  return sizeof *totals + totals->capacity * sizeof *totals->row +
      totals->gone_capacity * sizeof *totals->gone + totals->joints.capacity * sizeof *totals->joints.row +
      totals->bonds.capacity * sizeof *totals->bonds.row;
}

void sc_totals_forget(sc_totals *totals) {
  if (!totals) return;
  totals->rows = totals->gones = totals->joints.count = totals->bonds.count = 0;
  totals->begun = totals->known = false;
}

/* ---- contacts ---- */

static void note_place(const scree_world *world, const sc_contact *contact, sc_total *total) {
  total->body1 = sc_bodies_id(&world->bodies, contact->body1);
  total->body2 = sc_bodies_id(&world->bodies, contact->body2);
  sc_copy3(contact->point, total->point);
  sc_copy3(contact->normal, total->normal);
  total->gap = contact->gap;
  total->image = contact->image;
  total->material1 = contact->material1, total->material2 = contact->material2;
  total->part = (int32_t)world->substep;
}

/* Returns the moment of a contact in the last substep [N m s]; zeros if the law has no moments. */
static const double *moment_of(const scree_world *world, int32_t index) {
  static const double none[SC_MOMENT] = {0};
  const int at = sc_moment_place(&world->contacts);
  return at < 0 ? none : sc_contact_state(&world->contacts, index) + at;
}

static bool is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

/* Adds impulses and losses of a contact in the last substep to *total. Returns false if all of them are 0. */
static bool add_impulses(const scree_world *world, int32_t index, sc_total *total) {
  const sc_loss *loss = sc_contact_loss(&world->contacts, index);
  const double *impulse = sc_collide_impulse(world->collide, index), *moment = moment_of(world, index),
               pull = sc_contact_pull(&world->contacts, index);
  const int32_t state = sc_collide_state(world->collide, index);
  bool any = !is_zero(impulse) || !is_zero(moment) || pull != 0;
  sc_add(total->impulse, impulse, total->impulse);
  sc_add(total->moment, moment, total->moment);
  total->pull += pull;
  if (world->contacts.impacts)
    sc_add(total->impact, world->contacts.impact[index], total->impact),
        any |= !is_zero(world->contacts.impact[index]);
  if (loss) total->lost += loss->step, total->lost_since = loss->since, any |= loss->step != 0;
  if (state != SCREE_SEPARATING) total->state = state;
  return any;
}

/* Adds the impulses of contacts first .. end - 1 to their rows. In the first substep, contact c gets row c.
 * stays: true if no contact detection follows in this step; the geometry of the contacts is then not
 * stored. */
static void add_range(scree_world *world, bool stays, int64_t first, int64_t end) {
  for (int32_t c = (int32_t)first; c < end; c++) {
    sc_total *total = world->totals->row + c;
    if (!world->totals->begun) sc_collide_set_tag(world->collide, c, c + 1), *total = (sc_total){0};
    else total = world->totals->row + sc_collide_tag(world->collide, c) - 1;
    if (!add_impulses(world, c, total) || stays) continue;
    sc_contact contact;
    sc_world_contact(world, c, &contact);
    note_place(world, &contact, total);
  }
}

static void add_contacts(void *context, int64_t first, int64_t end) { add_range(context, false, first, end); }

/* Calls add_range for contacts of the last substep, after which no contact detection follows in the step. */
static void add_staying(void *context, int64_t first, int64_t end) { add_range(context, true, first, end); }

static bool append_row(sc_totals *totals, const sc_total *total) {
  if (!SC_GROW(totals->row, totals->capacity, (size_t)totals->rows + 1)) return false;
  totals->row[totals->rows++] = *total;
  return true;
}

/* Appends rows for contacts that have no row. Returns false without memory. */
static bool make_rows(scree_world *world) {
  sc_totals *totals = world->totals;
  const sc_total none = {0};
  if (!totals->begun) {
    totals->rows = world->contacts.count;
    return SC_GROW(totals->row, totals->capacity, (size_t)world->contacts.count);
  }
  for (int32_t c = 0; c < world->contacts.count; c++) {
    if (sc_collide_tag(world->collide, c)) continue;
    if (!append_row(totals, &none)) return false;
    sc_collide_set_tag(world->collide, c, totals->rows);
  }
  return true;
}

static bool has_carried(const sc_total *t) {
  return t->pull != 0 || t->lost != 0 || !is_zero(t->impulse) || !is_zero(t->impact) || !is_zero(t->moment);
}

bool sc_totals_list_gone(scree_world *world) {
  sc_totals *totals = world->totals;
  int32_t count = 0;
  for (int32_t row = 0; row < totals->rows; row++) totals->row[row].listed = 0;
  for (int32_t c = 0; c < world->contacts.count; c++) {
    const int32_t tag = sc_collide_tag(world->collide, c);
    if (tag) totals->row[tag - 1].listed = 1;
  }
  totals->gones = 0;
  for (int32_t row = 0; row < totals->rows; row++)
    count += !totals->row[row].listed && has_carried(totals->row + row);
  if (!SC_GROW(totals->gone, totals->gone_capacity, (size_t)count)) return false;
  for (int32_t row = 0; row < totals->rows && totals->gones < count; row++) {
    sc_total *total = totals->row + row;
    if (total->listed || !has_carried(total)) continue;
    totals->gone[totals->gones++] = row;
    total->here[0] = sc_bodies_row(&world->bodies, total->body1) >= 0;
    total->here[1] = sc_bodies_row(&world->bodies, total->body2) >= 0;
  }
  return true;
}

/* Returns true if a body was on this rank at the end of the step and has been removed since. */
static bool is_removed(const sc_bodies *bodies, scree_id id, bool was_here) {
  return (was_here || !bodies->distributed) && sc_bodies_row(bodies, id) < 0;
}

void sc_totals_settle(scree_world *world) {
  sc_totals *totals = world->totals;
  int32_t kept = 0;
  for (int32_t k = 0; totals && k < totals->gones; k++) {
    const sc_total *total = totals->row + totals->gone[k];
    if (is_removed(&world->bodies, total->body1, total->here[0]) ||
        is_removed(&world->bodies, total->body2, total->here[1]))
      continue;
    totals->gone[kept++] = totals->gone[k];
  }
  if (totals) totals->gones = kept;
}

void sc_totals_rename_images(scree_world *world, const int32_t M[9]) {
  for (int32_t row = 0; world->totals && row < world->totals->rows; row++) {
    sc_image *image = &world->totals->row[row].image;
    const sc_image old = *image;
    for (int k = 0; k < 3; k++)
      image->n[k] = M[3 * k] * old.n[0] + M[3 * k + 1] * old.n[1] + M[3 * k + 2] * old.n[2];
  }
}

sc_total sc_totals_hand_over(scree_world *world, int32_t tag) {
  sc_totals *totals = world->totals;
  sc_total total = {0};
  if (!totals || tag < 1 || tag > totals->rows) return total;
  total = totals->row[tag - 1];
  totals->row[tag - 1] = (sc_total){0};
  return total;
}

bool sc_totals_take_over(scree_world *world, const sc_total *total, int32_t *tag) {
  *tag = 0;
  if (!has_carried(total)) return true;
  if (!append_row(world->totals, total)) return false;
  *tag = world->totals->rows;
  return true;
}

/* ---- joints and bonds ---- */

/* Returns the row with an id, or NULL. The search starts at index *at and sets *at to the first row whose id
 * is not smaller. */
static sc_reaction *find_reaction_row(sc_reactions *list, uint64_t id, int32_t *at) {
  while (*at < list->count && list->row[*at].id < id) ++*at;
  return *at < list->count && list->row[*at].id == id ? list->row + *at : NULL;
}

/* Adds v to a sum of n numbers. In the last substep, also divides the sum by the number of substeps. */
static void add_mean(const scree_world *world, const double *v, int n, double *sum) {
  const bool last = world->substep + 1 == world->def.substeps;
  for (int k = 0; k < n; k++) {
    sum[k] += v[k];
    if (last) sum[k] /= (double)world->def.substeps;
  }
}

/* Allocates zeroed rows for all joints or bonds. Call in the first substep. Returns false without memory. */
static bool begin_reactions(sc_reactions *list, int32_t count) {
  list->count = count;
  if (!SC_GROW(list->row, list->capacity, (size_t)count)) return false;
  for (int32_t i = 0; i < count; i++) list->row[i] = (sc_reaction){0};
  return true;
}

static bool add_joints(scree_world *world) {
  const sc_joints *joints = &world->joints;
  sc_reactions *list = &world->totals->joints;
  if (world->substep == 0 && !begin_reactions(list, joints->count)) return false;
  for (int32_t i = 0, at = 0; i < joints->count; i++) {
    const sc_joint *joint = joints->row + i;
    if (world->substep == 0) list->row[i].id = joint->id;
    sc_reaction *to = find_reaction_row(list, joint->id, &at);
    if (!to) continue;
    double force[3], torque[3];
    sc_joint_read_mean(joint, sc_world_dt(world), force, torque);
    add_mean(world, force, 3, to->force);
    add_mean(world, torque, 3, to->torque);
    add_mean(world, joint->effort, 5, to->effort);
  }
  return true;
}

static bool add_bonds(scree_world *world) {
  const sc_bonds *bonds = &world->joints.bonds;
  sc_reactions *list = &world->totals->bonds;
  if (world->substep == 0 && !begin_reactions(list, bonds->count)) return false;
  for (int32_t i = 0, at = 0; i < bonds->count; i++) {
    const sc_bond *bond = bonds->row + i;
    if (world->substep == 0) list->row[i].id = bond->id;
    sc_reaction *to = find_reaction_row(list, bond->id, &at);
    if (!to) continue;
    add_mean(world, bond->force, 3, to->force);
    add_mean(world, bond->torque, 3, to->torque);
  }
  return true;
}

/* ---- adding a substep ---- */

static scree_status fail_totals(const scree_world *world, scree_error *error) {
  return sc_fail(error, SCREE_E_MEMORY, "no memory for the sums of %d contacts over the substeps",
      world->contacts.count);
}

scree_status sc_totals_add_part(scree_world *world, scree_error *error) {
  if (!make_rows(world)) return fail_totals(world, error);
  sc_pool_ranges(world->pool, world->contacts.count, SC_SHORT_RANGE, add_contacts, world);
  world->totals->begun = true;
  return SCREE_OK;
}

scree_status sc_totals_add(scree_world *world, scree_error *error) {
  sc_totals *totals = world->totals;
  const bool last = world->substep + 1 == world->def.substeps;
  if (!totals) return SCREE_OK;
  bool fine = make_rows(world);
  if (fine)
    sc_pool_ranges(world->pool, world->contacts.count, SC_SHORT_RANGE,
        last || world->def.reuse_contacts ? add_staying : add_contacts, world);
  totals->begun = true;
  fine = fine && add_joints(world) && add_bonds(world);
  if (fine && last) fine = totals->known = sc_totals_list_gone(world);
  return fine ? SCREE_OK : fail_totals(world, error);
}

/* ---- functions that read the sums ---- */

static const sc_totals *totals_of(const scree_world *world) {
  return world->totals && world->totals->known ? world->totals : NULL;
}

int32_t sc_world_listed_count(const scree_world *world) {
  const sc_totals *totals = totals_of(world);
  return world->contacts.count + (totals ? totals->gones : 0);
}

static void read_sums(const sc_total *total, sc_listed *out) {
  sc_copy3(total->impulse, out->contact.impulse);
  sc_add(total->impulse, total->impact, out->impulse);
  sc_copy3(total->moment, out->moment);
  out->pull = total->pull, out->lost = total->lost, out->lost_since = total->lost_since;
  out->contact.state = total->state;
}

/* Sets impulses and losses of a contact to their values in the last substep. For worlds without sums over
 * substeps. */
static void read_substep(const scree_world *world, int32_t index, sc_listed *out) {
  const sc_loss *loss = sc_contact_loss(&world->contacts, index);
  sc_copy3(out->contact.impulse, out->impulse);
  if (world->contacts.impacts) sc_add(out->impulse, world->contacts.impact[index], out->impulse);
  sc_copy3(moment_of(world, index), out->moment);
  out->pull = sc_contact_pull(&world->contacts, index);
  out->lost = loss ? loss->step : 0, out->lost_since = loss ? loss->since : 0;
}

/* Sets *out to a contact of the last substep. A contact without a tag was detected after the step and has
 * zero sums. */
static void read_present(const scree_world *world, int32_t index, sc_listed *out) {
  const sc_totals *totals = totals_of(world);
  const sc_total none = {0};
  sc_world_contact(world, index, &out->contact);
  out->body1 = sc_bodies_id(&world->bodies, out->contact.body1);
  out->body2 = sc_bodies_id(&world->bodies, out->contact.body2);
  out->age = world->contacts.age;
  if (!totals) {
    read_substep(world, index, out);
    return;
  }
  const int32_t tag = sc_collide_tag(world->collide, index);
  read_sums(tag ? totals->row + tag - 1 : &none, out);
}

static void read_gone(const scree_world *world, const sc_total *total, sc_listed *out) {
  sc_contact *contact = &out->contact;
  *contact = (sc_contact){.body1 = sc_bodies_row(&world->bodies, total->body1),
      .body2 = sc_bodies_row(&world->bodies, total->body2),
      .gap = total->gap,
      .image = total->image,
      .material1 = total->material1,
      .material2 = total->material2};
  sc_copy3(total->point, contact->point);
  sc_copy3(total->normal, contact->normal);
  out->body1 = total->body1, out->body2 = total->body2;
  out->age = world->contacts.age + (double)(world->def.substeps - 1 - total->part) * sc_world_dt(world);
  read_sums(total, out);
}

void sc_world_listed(const scree_world *world, int32_t index, sc_listed *out) {
  SC_ASSERT(index >= 0 && index < sc_world_listed_count(world));
  const sc_totals *totals = world->totals;
  if (index < world->contacts.count) read_present(world, index, out);
  else read_gone(world, totals->row + totals->gone[index - world->contacts.count], out);
}

/* Returns the mean reaction of the joint or bond with an id, or NULL if the id is unknown. */
static const sc_reaction *find_reaction(const sc_reactions *list, uint64_t id) {
  int32_t low = 0, high = list->count;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (list->row[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low < list->count && list->row[low].id == id ? list->row + low : NULL;
}

void sc_world_joint_reaction(const scree_world *world, const sc_joint *joint, sc_reaction *out) {
  const sc_totals *totals = totals_of(world);
  const sc_reaction *found = totals ? find_reaction(&totals->joints, joint->id) : NULL;
  *out = (sc_reaction){.id = joint->id};
  sc_joint_read_mean(joint, sc_world_dt(world), out->force, out->torque);
  if (found) sc_copy3(found->force, out->force), sc_copy3(found->torque, out->torque);
  for (int k = 0; k < 5; k++) out->effort[k] = found ? found->effort[k] : joint->effort[k];
}

void sc_world_bond_reaction(const scree_world *world, const sc_bond *bond, sc_reaction *out) {
  const sc_totals *totals = totals_of(world);
  const sc_reaction *found = totals ? find_reaction(&totals->bonds, bond->id) : NULL;
  *out = (sc_reaction){.id = bond->id};
  sc_copy3(found ? found->force : bond->force, out->force);
  sc_copy3(found ? found->torque : bond->torque, out->torque);
}
