/* Encodes and decodes the columns of contacts of a frame. Contacts are listed in full in every frame. */
#include "io/trajectory/frame_jobs.h"

#include <string.h>

/* ---- encoder ---- */

static double contact_value(const scree_frame_contact *contact, int id, int c) {
  switch (id) {
  case SC_COLUMN_CONTACT_POINT: return contact->point[c];
  case SC_COLUMN_CONTACT_NORMAL: return contact->normal[c];
  case SC_COLUMN_CONTACT_GAP: return contact->gap;
  case SC_COLUMN_CONTACT_FORCE: return contact->force[c];
  case SC_COLUMN_CONTACT_MOMENT: return contact->moment[c];
  default: return contact->impulse[c];
  }
}

static scree_status put_contact_column(sc_encoding *j, int id, scree_error *error) {
  const scree_frame *now = j->frame;
  int64_t n = now->contacts;
  int components = id <= SC_COLUMN_CONTACT_BODY2 || id == SC_COLUMN_CONTACT_GAP ? 1 : 3, word = SC_WORD_WHOLE;
  double quantum = j->codec->quantum[id];
  if (!sc_encode_room(j, (size_t)n * (size_t)components))
    return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
  uint64_t *w = j->codec->word;
  if (id <= SC_COLUMN_CONTACT_BODY2) {
    for (int64_t i = 0; i < n; i++)
      w[i] = id == SC_COLUMN_CONTACT_BODY1 ? now->contact[i].body1 : now->contact[i].body2;
    return sc_encode_words(j, id, word, 1, n, 0, error);
  }
  /* Users set no precision for gaps, impulses, forces and moments. They are stored in single precision if
   * positions are rounded. */
  bool round = j->codec->quantum[SC_COLUMN_POSITION] > 0, fit = quantum > 0;
  for (int64_t i = 0; i < n && fit; i++)
    for (int c = 0; c < components && fit; c++) {
      double v = contact_value(now->contact + i, id, c);
      fit = sc_words_fit(&v, 1, quantum);
    }
  word = id >= SC_COLUMN_CONTACT_GAP ? (round ? SC_WORD_FLOAT : SC_WORD_DOUBLE)
      : fit                          ? SC_WORD_QUANTUM
                                     : SC_WORD_DOUBLE;
  for (int64_t i = 0; i < n; i++)
    for (int c = 0; c < components; c++)
      w[c * n + i] = sc_word_of(word, contact_value(now->contact + i, id, c), quantum);
  return sc_encode_words(j, id, word, components, n, quantum, error);
}

static scree_status put_images(sc_encoding *j, scree_error *error) {
  const int64_t n = j->frame->contacts;
  if (!sc_encode_room(j, (size_t)n * 3)) return sc_fail(error, SCREE_E_MEMORY, "out of memory for a frame");
  for (int64_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) j->codec->word[k * n + i] = (uint64_t)j->frame->contact[i].image[k];
  return sc_encode_words(j, SC_COLUMN_CONTACT_IMAGE, SC_WORD_WHOLE, 3, n, 0, error);
}

/* Returns whether any contact of the frame has a nonzero moment. */
static bool has_moments(const scree_frame *frame) {
  for (int64_t i = 0; i < frame->contacts; i++)
    for (int k = 0; k < 3; k++)
      if (frame->contact[i].moment[k] != 0) return true;
  return false;
}

scree_status sc_encode_contacts(sc_encoding *j, scree_error *error) {
  const scree_frame *now = j->frame;
  const int last = now->forces ? SC_COLUMN_CONTACT_FORCE : SC_COLUMN_CONTACT_IMPULSE;
  scree_status status = SCREE_OK;
  for (int id = SC_COLUMN_CONTACT_BODY1; !status && id <= last; id++)
    status = put_contact_column(j, id, error);
  if (!status && has_moments(now)) status = put_contact_column(j, SC_COLUMN_CONTACT_MOMENT, error);
  return !status && now->has_cell && now->images ? put_images(j, error) : status;
}

/* ---- decoder ---- */

static scree_status read_images(sc_decoding *j, scree_error *error) {
  const int64_t n = j->contacts;
  j->next->frame.images = j->column[SC_COLUMN_CONTACT_IMAGE].bytes != NULL;
  if (!j->next->frame.images) return SCREE_OK;
  scree_status status = sc_decode_words(j, SC_COLUMN_CONTACT_IMAGE, n, 3, true, error);
  for (int64_t i = 0; i < n && !status; i++)
    for (int k = 0; k < 3; k++) j->next->contact[i].image[k] = (int64_t)j->codec->word[k * n + i];
  return status;
}

static scree_status read_contact_column(sc_decoding *j, int id, scree_error *error) {
  scree_frame_contact *contact = j->next->contact;
  const int64_t n = j->contacts;
  const bool whole = id <= SC_COLUMN_CONTACT_BODY2;
  const int components = whole || id == SC_COLUMN_CONTACT_GAP ? 1 : 3;
  const scree_status status = sc_decode_words(j, id, n, components, whole, error);
  if (status) return status;
  const sc_column *column = j->column + id;
  for (int64_t i = 0; i < n; i++) {
    if (whole) *(id == SC_COLUMN_CONTACT_BODY1 ? &contact[i].body1 : &contact[i].body2) = j->codec->word[i];
    else
      for (int c = 0; c < components; c++)
        sc_frame_set_contact(
            contact + i, id, c, sc_word_value(column->word, j->codec->word[c * n + i], column->quantum));
  }
  return SCREE_OK;
}

scree_status sc_decode_contacts(sc_decoding *j, scree_error *error) {
  scree_frame_contact *contact = j->next->contact;
  const int64_t n = j->contacts;
  const bool forces = j->column[SC_COLUMN_CONTACT_FORCE].bytes != NULL;
  const int last = forces ? SC_COLUMN_CONTACT_FORCE : SC_COLUMN_CONTACT_IMPULSE;
  memset(contact, 0, (size_t)n * sizeof *contact); // values of absent columns are 0
  scree_status status = SCREE_OK;
  for (int id = SC_COLUMN_CONTACT_BODY1; id <= last && !status; id++)
    status = read_contact_column(j, id, error);
  if (!status && j->column[SC_COLUMN_CONTACT_MOMENT].bytes)
    status = read_contact_column(j, SC_COLUMN_CONTACT_MOMENT, error);
  if (status) return status;
  if (j->column[SC_COLUMN_CONTACT_NORMAL].word == SC_WORD_QUANTUM) sc_frame_straighten(contact, n);
  return read_images(j, error);
}
