/* Laws that a world knows: registered laws, then laws that scripts define. */
#ifndef SC_WORLD_LAWS_H
#define SC_WORLD_LAWS_H

#include "model/pairs.h"
#include "law/law.h"
#include "scree/world.h"

/* A law defined by a script: the interface that solvers call, and the data of its callbacks. */
typedef struct sc_user_law {
  sc_law law;
  scree_law_callbacks callbacks;
  const sc_law *base;
  scree_param *params;
  char name[SC_NAME_MAX];
  scree_error error;    /* set by a failing solve */
  const double *failed; /* parameters of the contact whose solve failed, which identify the contact */
} sc_user_law;

typedef struct sc_laws {
  const sc_law **law;
  int32_t count;
  size_t capacity;
  sc_user_law **user;
  int32_t users;
  size_t user_capacity;
} sc_laws;

/* Returns the index of a law, or -1 with an error that names the nearest name (pairs.c). */
int32_t sc_laws_find(const sc_laws *laws, const char *name, scree_error *error);
/* Appends to an error the bodies and the point of the contact whose law failed (user_law.c). */
void sc_user_law_blame(scree_id body1, scree_id body2, const double point[3], scree_error *error);

#endif
