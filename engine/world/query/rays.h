/* The cache of shapes that are prepared for rays. */
#ifndef SC_WORLD_RAYS_H
#define SC_WORLD_RAYS_H

typedef struct sc_ray_keep sc_ray_keep;
/* Frees a cache; NULL is allowed. */
void sc_rays_free(sc_ray_keep *rays);

#endif
