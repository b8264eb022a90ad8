/* Finds the line of a key in the text of a scene. */
#ifndef SL_LOCATE_H
#define SL_LOCATE_H

/* Returns the line (from 1) of the Lua source where the key with a dotted path, such as
 * "world.solver.tolerance", gets its value. Each component is searched after the previous one. If a
 * component does not occur in the source, returns the line of the last component that does, or that of the
 * last `return`. */
int sl_locate(const char *source, const char *path);

#endif
