/* Settings that improve the balance of forces in a run. */
#ifndef CLI_REMEDIES_H
#define CLI_REMEDIES_H

#include "scree/scree.h"

enum { CLI_REMEDIES = 240 }; /* size of the text of cli_list_remedies [bytes] */

/* Unbalanced share of the load above which a run counts as unbalanced. */
extern const double cli_unbalanced_limit;

/* Writes to out the settings that improve the balance of forces, such as "solver = { softness = 0.01 } or
 * more iterations". Returns out. Names springs only if the world has rigid contacts that can become springs.
 * smaller_dt: text of a smaller time step, which becomes the last entry; NULL: none. */
const char *cli_list_remedies(
    const scree_world *world, const scree_report *report, const char *smaller_dt, char out[CLI_REMEDIES]);

/* Returns true if the solver `auto`, in place of the solver of the world, could make springs of rigid
 * contacts. */
bool cli_could_soften(const scree_world *world, const scree_report *report);

#endif
