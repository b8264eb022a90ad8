/* Data of mechanisms and rolling bodies that the next step reads. */
#ifndef SC_WORLD_MECHANISMS_H
#define SC_WORLD_MECHANISMS_H

#include <stddef.h>
#include <stdint.h>

typedef struct sc_mechanism_data {
  /* [rollings] bodies that rolled on one contact in the last step (mechanism/roll.h) */
  struct sc_rolling *rolling;
  int32_t rollings;
  size_t rolling_capacity;
  /* number of joints without rows in the last problem, because their mechanisms move independently of the
   * solver */
  int32_t apart;
} sc_mechanism_data;

#endif
