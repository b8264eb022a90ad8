/* All sweeps of one width. The including file defines the names listed in sweep_kernel.h and
 *   SWEEPS   name of the set */
#include "problem/contacts/kernels/meeting.h"
#include "solve/sweeps/kernels/sweep_kernel.h"
#include "solve/sweeps/kernels/sweep_couple.h"
#include "solve/sweeps/kernels/sweep_bond.h"
#include "solve/sweeps/kernels/sweep_joint.h"
#include "solve/sweeps/kernels/sweep_push.h"
#include "solve/sweeps/kernels/sweep_law.h"
#include "solve/sweeps/kernels/sweep_forms.h"
#include "solve/sweeps/kernels/sweep_moment.h"
#include "solve/sweeps/kernels/sweep_general_bodies.h"
#include "solve/sweeps/kernels/sweep_general.h"
#include "solve/sweeps/kernels/sweep_momentum.h"

const sc_sweeps SWEEPS = {
    .plain = sweep_plain,
    .spring = sweep_spring,
    .couple = sweep_couple,
    .push = sweep_push,
    .general = sweep_general,
    .general_push = sweep_general_push,
    .bond = sweep_bond,
    .bond_pass = pass_bonds,
    .mechanism = sweep_mechanisms,
    .mechanism_factor = factor_mechanisms,
    .change = measure_change,
    .move = extrapolate_bodies,
};
