/* OBJECT(name): sl_name_methods are methods of the world. MODULE(name): sl_name_functions are the fields
 * of scree.name. PARAMS(name): sl_name_params are parameter tables for the reference (scree.api). */
#ifndef PARAMS
#define PARAMS(name)
#define PARAMS_IGNORED
#endif
OBJECT(world)
OBJECT(shape)
OBJECT(material)
OBJECT(fill)
OBJECT(view)
OBJECT(contacts)
OBJECT(report)
OBJECT(measure)
PARAMS(world)
PARAMS(shape)
PARAMS(geometry_keys)
PARAMS(material)
PARAMS(fill)
PARAMS(sizes)
PARAMS(region)
PARAMS(scene)
PARAMS(look)
PARAMS(declared)
PARAMS(trajectory)
PARAMS(joint)
#ifdef PARAMS_IGNORED
#undef PARAMS
#undef PARAMS_IGNORED
#endif
OBJECT(forces)
OBJECT(joint)
OBJECT(dump)
MODULE(law)
MODULE(geometry)
MODULE(impact)
