/* OBJECT(name): sl_name_methods are methods of the world. MODULE(name): sl_name_functions are the fields of scree.name. */
OBJECT(world)
OBJECT(shape)
OBJECT(material)
OBJECT(fill)
OBJECT(view)
OBJECT(contacts)
OBJECT(report)
OBJECT(measure)
