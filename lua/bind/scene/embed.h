/* Access of a session to a scene that a program opened by scree/scene.h. */
#ifndef SL_EMBED_H
#define SL_EMBED_H

#include "bind/scene/scene.h"
#include "scree/scene.h"

/* Returns the scene behind the public one, which owns it. */
sl_scene *sl_embedded_scene(scree_scene *scene);
/* Returns the status that stands for the trouble of a call. */
scree_status sl_trouble_status(sl_trouble trouble);

#endif
