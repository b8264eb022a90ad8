/* Contacts that outlive removals.
 *
 * Contacts name bodies by row, and a removal moves the last row into the hole. Each removal is noted; when somebody reads contacts
 * before the next step finds them anew, one pass renames them. The collision stage keeps its own memory and is not touched: the
 * renamed contacts are a copy. */
#include "world/world.h"
#include "math/vec.h"

#include <string.h>

void sc_world_note_removal(scree_world *world, int32_t row, int32_t last) {
  if (!world->contacts) return;
  if (!world->moves) world->move_rows = last + 1;
  if (SC_GROW(world->move, world->move_capacity, (size_t)world->moves + 1))
    world->move[world->moves++] = (sc_row_move){row, last};
  else
    world->contacts = world->moves = 0; /* no memory for the note: readers see no contacts until the next step */
}

/* today[row when contacts were found] = row now, -1 removed. Bodies added since stand in rows the contacts do not know. */
static void rows_today(const scree_world *world, int32_t rows, int32_t *today, int32_t *origin) {
  for (int32_t row = 0; row < rows; row++) today[row] = origin[row] = row;
  for (int32_t m = 0; m < world->moves; m++) {
    const sc_row_move *move = world->move + m;
    int32_t gone = origin[move->row], moved = origin[move->last];
    if (gone >= 0) today[gone] = -1;
    if (move->row != move->last) {
      origin[move->row] = moved;
      if (moved >= 0) today[moved] = move->row;
    }
    origin[move->last] = -1;
  }
}

static int32_t most_rows(const scree_world *world) {
  int32_t rows = world->move_rows;
  for (int32_t m = 0; m < world->moves; m++)
    if (world->move[m].last >= rows) rows = world->move[m].last + 1;
  return rows;
}

void sc_world_settle_contacts(scree_world *world) {
  if (!world->moves) return;
  int32_t rows = most_rows(world), kept = 0;
  int32_t *today = sc_realloc(NULL, 2 * (size_t)rows * sizeof *today);
  bool ok = today && SC_GROW(world->settled, world->settled_capacity, (size_t)world->contacts + 1);
  if (ok) {
    rows_today(world, rows, today, today + rows);
    for (int32_t c = 0; c < world->contacts; c++) {
      sc_contact contact = world->contact[c];
      contact.body1 = today[contact.body1];
      contact.body2 = today[contact.body2];
      if (contact.body1 < 0 || contact.body2 < 0) continue;
      if (world->blows) sc_copy3(world->blow[c], world->blow[kept]);
      world->settled[kept++] = contact;
    }
    world->contact = world->settled;
  }
  world->contacts = kept;
  world->moves = 0;
  sc_free(today);
}
