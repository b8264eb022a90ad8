/* What is kept of a value: whole quanta of the precision that the user named. */
#include <math.h>
#include "io/trajectory/frame_codec.h"

void sc_frame_radii(const scree_frame *frame, double largest[2]) {
  SC_ASSERT(frame && largest);
  largest[0] = largest[1] = 0;
  for (int64_t i = 0; i < frame->bodies; i++) {
    double r = frame->radius[i];
    if (!isfinite(r)) continue;
    if (r > largest[1]) largest[1] = r;
    if (frame->kind[i] == SCREE_DYNAMIC && r > largest[0]) largest[0] = r;
  }
}

/* Of the bodies that move by themselves, else of any. */
static double largest_radius(const scree_frame *frame) {
  double largest[2];
  sc_frame_radii(frame, largest);
  return largest[0] > 0 ? largest[0] : largest[1];
}

void sc_frame_set_quanta(sc_frame_codec *codec, const scree_trajectory_def *def, const scree_frame *frame) {
  SC_ASSERT(codec && def && frame);
  double radius = codec->radius > 0 ? codec->radius : largest_radius(frame),
         speed = def->speed_precision > 0 ? def->speed_precision : def->precision / 1e-3;
  double *q = codec->quantum;
  bool exact = !(def->precision > 0);
  q[SC_COLUMN_POSITION] = q[SC_COLUMN_CONTACT_POINT] = exact ? 0 : 2 * def->precision;
  q[SC_COLUMN_VELOCITY] = exact ? 0 : 2 * speed;
  q[SC_COLUMN_SPIN] = exact || !(radius > 0) ? 0 : 2 * speed / radius;
  /* three components off by half a quantum each turn a body by at most 4 sqrt(3)/2 quanta */
  q[SC_COLUMN_ORIENTATION] = q[SC_COLUMN_CONTACT_NORMAL] = exact || !(radius > 0)
      ? 0
      : def->precision / radius / (2 * sqrt(3));
  if (q[SC_COLUMN_ORIENTATION] > 0.25) q[SC_COLUMN_ORIENTATION] = q[SC_COLUMN_CONTACT_NORMAL] = 0.25;
}
