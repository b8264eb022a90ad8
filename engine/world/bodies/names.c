/* Names of bodies: a list, and a hash table whose chains link names with equal hashes. */
#include "world/parts/names.h"

#include <string.h>

enum { FEWEST_PLACES = 16 };

/* Returns a pointer to the start of the chain of a name. The hash is FNV-1a. */
static int32_t *find_chain(const sc_names *names, const char *name) {
  uint32_t hash = 2166136261u;
  for (int k = 0; k < SC_NAME_MAX && name[k]; k++) hash = (hash ^ (unsigned char)name[k]) * 16777619u;
  return names->first + (hash & (names->places - 1));
}

static void link_name(sc_names *names, int32_t i) {
  int32_t *first = find_chain(names, names->name[i].name);
  names->next[i] = *first;
  *first = i + 1;
}

/* Returns a pointer to the link (in `first` or `next`) that refers to name i of the list. */
static int32_t *find_link(const sc_names *names, int32_t i) {
  int32_t *link = find_chain(names, names->name[i].name);
  while (*link != i + 1) link = names->next + *link - 1;
  return link;
}

bool sc_names_reserve_bodies(sc_names *names, int32_t more) {
  const size_t need = (size_t)names->count + (size_t)more;
  if (!SC_GROW(names->name, names->capacity, need) || !SC_GROW(names->next, names->next_capacity, need))
    return false;
  size_t places = names->places ? names->places : FEWEST_PLACES;
  while (places < need) places *= 2;
  if (places == names->places) return true;
  int32_t *first = sc_alloc(places * sizeof *first);
  if (!first) return false;
  sc_free(names->first);
  names->first = first, names->places = places;
  sc_names_link_bodies(names, names->count);
  return true;
}

void sc_names_link_bodies(sc_names *names, int32_t count) {
  names->count = count;
  if (names->places) memset(names->first, 0, names->places * sizeof *names->first);
  for (int32_t i = 0; i < count; i++) link_name(names, i);
}

void sc_names_add_body(sc_names *names, scree_id body, const char *name) {
  sc_body_name *out = names->name + names->count;
  /* zeros all bytes, because checkpoints also store the bytes after the name */
  memset(out, 0, sizeof *out);
  out->id = body;
  memcpy(out->name, name, strnlen(name, sizeof out->name - 1));
  link_name(names, names->count++);
}

int32_t sc_names_find_body(const sc_names *names, const char *name) {
  int32_t i = names->count ? *find_chain(names, name) : 0;
  while (i && strcmp(names->name[i - 1].name, name)) i = names->next[i - 1];
  return i - 1;
}

void sc_names_drop_body(sc_names *names, int32_t i) {
  *find_link(names, i) = names->next[i];
  const int32_t last = --names->count;
  if (i == last) return;
  *find_link(names, last) = i + 1;
  names->next[i] = names->next[last];
  names->name[i] = names->name[last];
}

void sc_names_free(sc_names *names) {
  sc_free(names->name);
  sc_free(names->next);
  sc_free(names->first);
  sc_free(names->point);
}
