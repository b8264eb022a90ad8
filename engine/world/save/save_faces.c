/* Checkpoint section world.known: the bodies that have taken part in a step with faces (step/faces.c). The
 * data of the faces themselves is part of the states of contacts. */
#include <math.h>
#include <string.h>
#include "world/world.h"
#include "world/save/save.h"

scree_status sc_save_faces(const scree_world *w, sc_sections *out, scree_error *error) {
  const sc_contact_data *c = &w->contacts;
  return c->faces ? sc_section_write(out, "world.known", c->known, c->knowns * sizeof *c->known, error)
                  : SCREE_OK;
}

/* Returns true if the face data of all contacts is valid. */
static bool faces_fit(const sc_contact_data *contacts) {
  for (int32_t k = 0; k < contacts->count; k++) {
    const sc_face_point *p = sc_contact_face(contacts, k);
    if (!p) continue;
    if (!sc_save_finite(p, SC_FACE) || p->area < 0 || p->total < 0 || p->slip < 0 ||
        p->status < SCREE_FACE_NONE || p->status > SCREE_FACE_OPEN || p->status != floor(p->status))
      return false;
  }
  return true;
}

scree_status sc_load_faces(scree_world *w, const sc_sections *in, scree_error *error) {
  sc_contact_data *c = &w->contacts;
  size_t size = 0;
  const void *known = sc_section_find(in, "world.known", &size, NULL);
  c->knowns = 0;
  if (!c->faces) return SCREE_OK;
  const size_t count = size / sizeof *c->known;
  if (!known || size % sizeof *c->known || !faces_fit(c))
    return sc_fail(error, SCREE_E_FORMAT, "the checkpoint's faces are damaged");
  if (!SC_GROW_LEAN(c->known, c->known_capacity, count + 1))
    return sc_fail(error, SCREE_E_MEMORY, "no memory for the joints of %zu bodies", count);
  if (count) memcpy(c->known, known, size);
  c->knowns = count;
  return SCREE_OK;
}
