/* Where a key stands in the text of a scene. */
#ifndef SL_LOCATE_H
#define SL_LOCATE_H

/* Line (from 1) in the Lua source where the table key named by a dotted path such as
 * "world.solver.tolerance" is given a value: the last component is looked for after the one before it,
 * and so on. Where a component is not written out the line of the innermost one found, or that of the
 * last `return`. */
int sl_locate(const char *source, const char *path);

#endif
