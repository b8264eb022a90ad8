/* Friction laws of a world: the registered laws, followed by laws that scripts define. */
#ifndef SC_WORLD_LAWS_H
#define SC_WORLD_LAWS_H

#include "model/pairs.h"
#include "law/law.h"
#include "scree/world.h"

/* A law defined by a script: the interface for solvers, and the callbacks of the script. */
typedef struct sc_user_law {
  sc_law law;
  scree_law_callbacks callbacks;
  const sc_law *base;
  scree_param *params;
  char name[SC_NAME_MAX];
  scree_error error; /* error of the last failed solve */
  /* parameters of the contact whose solve failed; their address identifies the contact */
  const double *failed;
} sc_user_law;

typedef struct sc_laws {
  const sc_law **law;
  int32_t count;
  size_t capacity;
  sc_user_law **user;
  int32_t users;
  size_t user_capacity;
} sc_laws;

/* Returns the index of a law. Returns -1 and an error that suggests the most similar name if there is no such
 * law (pairs.c). */
int32_t sc_laws_find(const sc_laws *laws, const char *name, scree_error *error);
/* Appends both bodies and the point of a contact to an error in the contact's law (user_law.c). */
void sc_user_law_blame(scree_id body1, scree_id body2, const double point[3], scree_error *error);

#endif
