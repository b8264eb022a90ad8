/* Data of engine/world/mechanism that outlive a step. */
#ifndef SC_WORLD_MECHANISMS_H
#define SC_WORLD_MECHANISMS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sc_mechanism_data {
  struct sc_rolling *rolling; /* bodies that rolled on one contact (mechanism/roll.h) */
  int32_t rollings;
  size_t rolling_capacity;
  int32_t apart; /* joints without rows in the last problem, because their mechanisms move by themselves */
} sc_mechanism_data;

#endif
