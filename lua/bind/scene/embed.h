/* Access of a session to a scene that a program opened by scree/scene.h. */
#ifndef SL_EMBED_H
#define SL_EMBED_H

#include "bind/scene/scene.h"
#include "scree/scene.h"

/* Returns the internal scene of a public scene. The public scene owns it. */
sl_scene *sl_embedded_scene(scree_scene *scene);
/* Sets error, unless it is NULL, and returns status. */
scree_status sl_set_error(scree_error *error, scree_status status, const char *text);

#endif
