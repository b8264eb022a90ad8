/* Contacts of the last step after bodies were removed.
 *
 * A removal moves the last row of bodies and of shapes to the freed row. The collision stage tracks the rows
 * of shapes. If contacts are read before the next contact detection, this file first drops the contacts of
 * removed bodies. */
#include "world/world.h"
#include "world/bodies/rows.h"
#include "world/account/totals.h"
#include "math/vec.h"

void sc_world_settle_contacts(scree_world *world) {
  if (!world->contacts.removals) return;
  int32_t kept = 0;
  for (int32_t c = 0; c < world->contacts.impacts; c++)
    if (sc_collide_alive(world->collide, c))
      sc_copy3(world->contacts.impact[c], world->contacts.impact[kept++]);
  bool fine = sc_collide_settle(world->collide, NULL) == SCREE_OK;
  /* Without memory, readers see no contacts until the next step. */
  world->contacts.count = fine ? sc_collide_memory(world->collide, NULL, 0, NULL) : 0;
  if (world->contacts.impacts) world->contacts.impacts = fine ? kept : 0;
  sc_totals_settle(world);
  world->contacts.removals = 0;
}
