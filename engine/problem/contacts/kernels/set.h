/* All kernels of one width. Included after vector_*.h of this width, with this macro defined:
 *   KERNELS   name of the set */
#include "problem/contacts/kernels/meeting.h"
#include "problem/contacts/kernels/look.h"
#include "problem/contacts/kernels/make.h"

const sc_contact_kernels KERNELS = {
    .make = make_generals,
    .closing = find_closing,
    .aim = aim_pushes,
};
