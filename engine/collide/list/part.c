/* Marks the pairs of the list whose bodies are connected by joints or bonds. The marks are computed again
 * when the list or the bonds change. The narrow phase skips these pairs unless cohesion acts between them,
 * because a capillary bridge must still exist when the bond breaks. */
#include <string.h>
#include "collide/state.h"

bool sc_collide_is_parted(const sc_collide *collide, int64_t version) {
  return collide->list.excluded_version == version && !collide->list.removals;
}

scree_status sc_collide_part(sc_collide *collide, const sc_shapes *shapes,
    bool (*apart)(const void *context, int32_t body1, int32_t body2), const void *context, int64_t version,
    scree_error *error) {
  sc_list *list = &collide->list;
  list->excluded_version = 0;
  if (!version) return SCREE_OK;
  scree_status status = sc_collide_settle(collide, error);
  if (status != SCREE_OK) return status;
  if (!SC_GROW_LEAN(list->excluded, list->excluded_capacity, (size_t)list->pairs + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory to mark %d pairs", list->pairs);
  for (int32_t p = 0; p < list->pairs; p++) {
    const sc_pair pair = list->pair[p];
    list->excluded[p] = apart(context, shapes->row[pair.one].body, shapes->row[pair.two].body);
  }
  list->excluded_version = version;
  return SCREE_OK;
}

bool sc_collide_parts(const sc_collide *collide, int32_t index) {
  return collide->list.excluded_version && collide->list.excluded[collide->now.row[index].pair];
}
