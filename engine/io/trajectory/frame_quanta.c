/* Computes the quanta (resolutions) in which the fields of a frame are stored. */
#include "io/trajectory/frame_codec.h"
#include "math/vec.h"

#include <math.h>

static double max_finite(double most, double value) { return isfinite(value) && value > most ? value : most; }

void sc_frame_largest(const scree_frame *frame, double largest[SCREE_FRAME_LARGEST]) {
  SC_ASSERT(frame && largest);
  for (int k = 0; k < SCREE_FRAME_LARGEST; k++) largest[k] = 0;
  for (int64_t i = 0; i < frame->bodies; i++) {
    double r = frame->radius[i];
    largest[0] = max_finite(largest[0], frame->kind[i] == SCREE_DYNAMIC ? r : 0);
    largest[1] = max_finite(largest[1], r);
    if (frame->velocity) largest[2] = max_finite(largest[2], sc_norm(frame->velocity + 3 * i));
    if (frame->spin) largest[3] = max_finite(largest[3], sc_norm(frame->spin + 3 * i));
  }
}

/* Sets the quanta of lengths and angles, which apply until the next key frame. precision: largest error of a
 * length [m]. radius: radius for which an error of angle moves the surface by the precision [m]. */
static void set_lengths(sc_frame_codec *codec, double precision, double radius) {
  double *q = codec->quantum;
  q[SC_COLUMN_POSITION] = q[SC_COLUMN_CONTACT_POINT] = 2 * precision;
  /* errors of half a quantum in three components of the quaternion rotate a body by at most 4 sqrt(3)/2
   * quanta */
  q[SC_COLUMN_ORIENTATION] = radius > 0 ? fmin(0.25, precision / radius / (2 * sqrt(3))) : 0;
  q[SC_COLUMN_CONTACT_NORMAL] = q[SC_COLUMN_ORIENTATION];
}

void sc_frame_quanta(
    sc_frame_codec *codec, const scree_trajectory_def *def, const scree_frame *frame, bool key) {
  double own[SCREE_FRAME_LARGEST], speed = def->speed_precision;
  const double *largest = codec->largest ? codec->largest : own;
  if (!codec->largest) sc_frame_largest(frame, own);
  double radius = largest[0] > 0 ? largest[0] : largest[1];
  if (key) set_lengths(codec, def->precision, radius);
  /* default: precision of speeds / largest speed of a centre or a rim = precision of lengths / largest
   * diameter */
  if (!(speed > 0) && radius > 0)
    speed = fmin(1, def->precision / (2 * radius)) * fmax(largest[2], radius * largest[3]);
  codec->quantum[SC_COLUMN_VELOCITY] = def->precision > 0 ? 2 * speed : 0;
  codec->quantum[SC_COLUMN_SPIN] = def->precision > 0 && radius > 0 ? 2 * speed / radius : 0;
}
