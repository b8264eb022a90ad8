/* Saves the contacts of several ranks in pieces, in the layout of save.c without a list. Rows of shapes are
 * global, so alias, origin and ranks are the identity, and anchors are zero. */
#include <string.h>
#include "collide/save.h"

/* Returns true if a contact is the first of its pair. */
static bool opens_pair(const sc_collide_piece *piece, int32_t c) {
  return !c || !sc_remembered_together(piece->contact + c - 1, piece->contact + c);
}

int32_t sc_collide_piece_pairs(const sc_collide_piece *piece) {
  int32_t pairs = 0;
  for (int32_t c = 0; c < piece->contacts; c++) pairs += opens_pair(piece, c);
  return pairs;
}

static sc_list_header head_of(const sc_collide_piece *whole) {
  return (sc_list_header){.magic = whole->images ? SC_LIST_MAGIC_CELL : SC_LIST_MAGIC,
      .straight = 1,
      .dirty = 1,
      .known = whole->shapes,
      .listed = whole->shapes,
      .pairs = whole->first_pair,
      .contacts = whole->contacts,
      .stride = whole->stride,
      .contact_bytes = SC_CONTACT_BYTES};
}

/* Returns the size of a piece of the section of images in bytes. head: true on the rank that writes the
 * header; it also writes an empty sc_saved_strain, because no list was built. */
static size_t size_of_images(const sc_collide_piece *piece, bool head) {
  size_t strain = head ? sizeof(sc_saved_strain) : 0;
  return piece->images ? strain + (size_t)sc_collide_piece_pairs(piece) * sizeof(sc_image) : 0;
}

/* Returns the size of this rank's piece of a section in bytes. */
static size_t size_of(const sc_collide_piece *piece, int stretch, bool head) {
  size_t shapes = (size_t)piece->shapes, contacts = (size_t)piece->contacts;
  switch (stretch) {
  case SC_LIST_PAIRS: return (size_t)sc_collide_piece_pairs(piece) * sizeof(sc_pair);
  case SC_LIST_ANCHORS: return shapes * sizeof(sc_saved_anchor);
  case SC_LIST_CONTACTS: return contacts * sizeof(sc_cached_contact);
  case SC_LIST_TOUCHES: return contacts * sizeof(sc_touch);
  case SC_LIST_STATES: return contacts * (size_t)piece->stride * sizeof(double);
  case SC_LIST_DRIFTS: return 0;
  case SC_LIST_IMAGES: return size_of_images(piece, head);
  default: return shapes * sizeof(int32_t);
  }
}

static void put_pairs(const sc_collide_piece *piece, sc_pair *to) {
  for (int32_t c = 0; c < piece->contacts; c++) {
    const sc_remembered *r = piece->contact + c;
    if (opens_pair(piece, c)) *to++ = (sc_pair){r->shape1, r->shape2};
  }
}

static void put_images(const sc_collide_piece *piece, sc_image *to) {
  for (int32_t c = 0; c < piece->contacts && piece->images; c++)
    if (opens_pair(piece, c)) *to++ = piece->contact[c].image;
}

static void put_contacts(const sc_collide_piece *piece, sc_cached_contact *to) {
  int32_t pair = piece->first_pair - 1;
  for (int32_t c = 0; c < piece->contacts; c++) {
    const sc_remembered *r = piece->contact + c;
    pair += opens_pair(piece, c);
    to[c] = (sc_cached_contact){
        .pair = pair, .state = (uint32_t)r->state & 3, .tag = (uint32_t)r->tag & 0x3fffffff};
    memcpy(to[c].impulse, r->impulse, sizeof r->impulse);
  }
}

/* Copies touches member by member, so that their padding stays zero. */
static void put_touches(const sc_collide_piece *piece, sc_touch *to) {
  for (int32_t c = 0; c < piece->contacts; c++) {
    const sc_touch *touch = &piece->contact[c].touch;
    memcpy(to[c].point, touch->point, sizeof touch->point);
    memcpy(to[c].normal, touch->normal, sizeof touch->normal);
    to[c].gap = touch->gap, to[c].feature = touch->feature;
  }
}

static void put_states(const sc_collide_piece *piece, double *to) {
  size_t stride = (size_t)piece->stride;
  for (int32_t c = 0; c < piece->contacts && stride; c++, to += stride)
    memcpy(to, piece->contact[c].law, stride * sizeof *to);
}

void *sc_collide_piece_save(
    const sc_collide_piece *piece, int stretch, const sc_collide_piece *whole, size_t *bytes) {
  if (stretch == 0) { /* only one rank writes the header */
    *bytes = whole ? sizeof(sc_list_header) : 0;
    sc_list_header *head = sc_alloc(sizeof *head);
    if (head && whole) *head = head_of(whole);
    return head;
  }
  stretch--;
  *bytes = size_of(piece, stretch, whole != NULL);
  void *to = sc_alloc(*bytes + 1);
  if (!to) return NULL;
  int32_t *name = to;
  switch (stretch) {
  case SC_LIST_PAIRS: put_pairs(piece, to); break;
  case SC_LIST_ANCHORS: break;
  case SC_LIST_CONTACTS: put_contacts(piece, to); break;
  case SC_LIST_TOUCHES: put_touches(piece, to); break;
  case SC_LIST_STATES: put_states(piece, to); break;
  case SC_LIST_DRIFTS: break;
  case SC_LIST_IMAGES: put_images(piece, (void *)((char *)to + (whole ? sizeof(sc_saved_strain) : 0))); break;
  default:
    for (int32_t row = 0; row < piece->shapes; row++) name[row] = piece->first_shape + row;
  }
  return to;
}
