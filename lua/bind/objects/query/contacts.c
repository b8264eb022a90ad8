/* w:contacts(): the contacts of the last step as a list, which is also an iterator: for c in w:contacts()
 * do ... end. */
#include "bind/errors.h"
#include "bind/object.h"
#include "bind/push.h"

#include <stdlib.h>

static const char *const joint_states[] = {"", "intact", "slipped", "open"};

/* Raises an error if the world is on several ranks. */
static void check_ranks(lua_State *L, const scree_world *world) {
  const int ranks = scree_world_ranks(world, NULL);
  if (ranks > 1)
    sl_refuse(L,
        "each of %d ranks knows its own contacts only: w:report, w:coordination, w:stress, w:forces_on and "
        "w:force_distribution see all",
        ranks);
}

static void push_contact(lua_State *L, const scree_world *world, const scree_contact *c, int64_t index) {
  static const char *const states[] = {"separating", "sticking", "sliding"};
  lua_createtable(L, 0, 16);
  sl_set_body(L, "body1", c->body1);
  sl_set_body(L, "body2", c->body2);
  sl_set_integer(L, "id1", (int64_t)c->body1);
  sl_set_integer(L, "id2", (int64_t)c->body2);
  sl_set_vector(L, "point", c->point, 3);
  sl_set_vector(L, "normal", c->normal, 3);
  sl_set_vector(L, "impulse", c->impulse, 3);
  sl_set_vector(L, "moment", c->moment, 3);
  sl_set_number(L, "pull", c->pull);
  if (scree_world_get_def(world)->losses) {
    sl_set_number(L, "lost", c->lost);
    sl_set_number(L, "lost_since", c->lost_since);
  }
  if (c->area > 0) sl_set_number(L, "area", c->area);
  if (c->face) {
    sl_set_string(L, "joint", joint_states[c->face]);
    sl_set_number(L, "slip", c->slip);
  }
  sl_set_number(L, "gap", c->gap);
  sl_set_string(L, "state", states[c->state]);
  sl_set_string(L, "material1", scree_world_material_name(world, c->material1));
  sl_set_string(L, "material2", scree_world_material_name(world, c->material2));
  scree_cell cell;
  if (scree_world_get_cell(world, &cell)) { sl_set_integers(L, "image", c->image, 3); }
  sl_set_integer(L, "index", index);
}

static int world_contacts(lua_State *L) {
  const scree_world *world = sl_check_world(L, 1)->world;
  check_ranks(L, world);
  int64_t count = scree_world_contacts_count(world);
  lua_createtable(L, (int)(count < 1000000 ? count : 1000000), 0);
  for (int64_t i = 0; i < count; i++) {
    scree_contact contact;
    scree_world_contact(world, i, &contact);
    push_contact(L, world, &contact, i + 1);
    lua_rawseti(L, -2, i + 1);
  }
  sl_set_type(L, SL_CONTACTS);
  return 1;
}

/* Iterator function of a for loop: returns the contact after the previous one (nil at the start). */
static int contacts_call(lua_State *L) {
  lua_Integer last = 0;
  if (lua_istable(L, 3)) {
    lua_getfield(L, 3, "index");
    last = lua_tointeger(L, -1);
  }
  lua_rawgeti(L, 1, last + 1);
  return 1;
}

/* Userdata that owns a list of faces, and the list of contacts from which the faces were made. */
typedef struct face_owner {
  scree_frame_contact *contact;
  scree_faces faces;
} face_owner;

static int release_faces(lua_State *L) {
  face_owner *owner = lua_touserdata(L, 1);
  free(owner->contact);
  scree_faces_free(&owner->faces);
  return 0;
}

static void push_face(
    lua_State *L, const scree_world *world, const face_owner *owner, const scree_face *face) {
  scree_contact first;
  scree_cell cell;
  scree_world_contact(world, face->contact, &first);
  lua_createtable(L, 0, 8);
  sl_set_body(L, "body1", face->body1);
  sl_set_body(L, "body2", face->body2);
  sl_set_vector(L, "normal", face->normal, 3);
  sl_set_number(L, "area", face->area);
  sl_set_number(L, "tolerance", face->tolerance);
  if (first.face) sl_set_string(L, "joint", joint_states[first.face]);
  if (scree_world_get_cell(world, &cell)) sl_set_integers(L, "image", face->image, 3);
  lua_createtable(L, (int)face->corners, 0);
  for (int64_t k = 0; k < face->corners; k++) {
    sl_push_vector(L, owner->faces.corner[face->corner + k], 3);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "corners");
}

/* w:contact_faces(): the faces of the contacts of the last step. */
static int world_contact_faces(lua_State *L) {
  const scree_world *world = sl_check_world(L, 1)->world;
  check_ranks(L, world);
  const int64_t count = scree_world_contacts_count(world);
  face_owner *owner = sl_push_owner(L, sizeof *owner, release_faces);
  owner->contact = calloc((size_t)count + 1, sizeof *owner->contact);
  if (!owner->contact) sl_raise(L, SCREE_E_MEMORY, "contact_faces: no memory");
  for (int64_t i = 0; i < count; i++) {
    scree_contact c;
    scree_world_contact(world, i, &c);
    scree_frame_contact *out = owner->contact + i;
    out->body1 = c.body1, out->body2 = c.body2;
    for (int k = 0; k < 3; k++)
      out->point[k] = c.point[k], out->normal[k] = c.normal[k], out->image[k] = c.image[k];
  }
  SL_TRY(L, scree_faces_find(owner->contact, count, &owner->faces, &error));
  lua_createtable(L, (int)owner->faces.count, 0);
  for (int64_t i = 0; i < owner->faces.count; i++) {
    push_face(L, world, owner, owner->faces.face + i);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

const luaL_Reg sl_contacts_methods[] = {
    {"contacts", world_contacts}, {"contact_faces", world_contact_faces}, {NULL, NULL}};
const luaL_Reg sl_contacts_metamethods[] = {{"__call", contacts_call}, {NULL, NULL}};
