/* OBJECT(name): sl_name_methods are methods of the world. MODULE(name): sl_name_functions are the fields
 * of scree.name. PARAMS(name): sl_name_params are parameter tables for the reference (scree.api). */
#ifndef PARAMS
#define PARAMS(name)
#define PARAMS_IGNORED
#endif
OBJECT(world)
OBJECT(compound)
OBJECT(material)
OBJECT(fill)
OBJECT(view)
OBJECT(contacts)
OBJECT(report)
OBJECT(losses)
OBJECT(measure)
PARAMS(world)
PARAMS(shape)
PARAMS(compound)
PARAMS(geometry_keys)
PARAMS(material)
PARAMS(fill)
PARAMS(sizes)
PARAMS(region)
PARAMS(scene)
PARAMS(output)
PARAMS(look)
PARAMS(declared)
PARAMS(trajectory)
PARAMS(joint)
PARAMS(joint_drive)
PARAMS(bond)
PARAMS(cell)
PARAMS(rays)
#ifdef PARAMS_IGNORED
#undef PARAMS
#undef PARAMS_IGNORED
#endif
OBJECT(forces)
OBJECT(joint)
OBJECT(bond)
OBJECT(cell)
OBJECT(rays)
OBJECT(dump)
OBJECT(state)
OBJECT(column)
MODULE(law)
MODULE(geometry)
MODULE(impact)
