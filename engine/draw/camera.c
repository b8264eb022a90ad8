/* Computes the view (grid of rays) of a camera, and a camera whose picture a given box fills. */
#include "draw/draw.h"
#include "math/vec.h"

static const double degree = 0.017453292519943295;

/* Computes sine and cosine of an angle in degrees. Uses power series for a 16th of the angle, then doubles
 * the angle four times. Pictures therefore do not depend on the mathematical library. */
static void sine_cosine_of(double degrees, double *sine, double *cosine) {
  double turns = degrees / 360, x = (turns - floor(turns + 0.5)) * 360 * degree / 16, z = x * x;
  double s = x * (1 - z / 6 * (1 - z / 20 * (1 - z / 42 * (1 - z / 72)))),
         c = 1 - z / 2 * (1 - z / 12 * (1 - z / 30 * (1 - z / 56)));
  for (int i = 0; i < 4; i++) {
    double twice = 2 * s * c;
    c = 1 - 2 * s * s, s = twice;
  }
  *sine = s, *cosine = c;
}

scree_status sc_camera_view(const scree_camera *c, int width, int height, sc_view *v, scree_error *error) {
  double sine, cosine;
  *v = (sc_view){.parallel = c->angle == 0, .width = width, .height = height};
  if (!(c->angle >= 0 && c->angle < 170))
    return sc_fail(
        error, SCREE_E_ARGUMENT, "the camera's angle must lie in [0, 170) degrees, not %g", c->angle);
  if (v->parallel && !(c->height > 0 && isfinite(c->height)))
    return sc_fail(error, SCREE_E_ARGUMENT, "a parallel camera needs a height > 0, not %g", c->height);
  sc_copy3(c->position, v->eye);
  sc_sub(c->target, c->position, v->out);
  sc_cross(v->out, c->up, v->right);
  double across = sc_norm(v->right);
  if (!(across > 1e-9 * sc_norm(v->out) * sc_norm(c->up)) || !isfinite(across))
    return sc_fail(error, SCREE_E_ARGUMENT, "the camera looks along its own up direction, or nowhere");
  sc_normalise(v->out, v->out);
  sc_normalise(v->right, v->right);
  sc_cross(v->right, v->out, v->up);
  sine_cosine_of(c->angle / 2, &sine, &cosine);
  v->half_v = v->parallel ? c->height / 2 : sine / cosine;
  v->half_u = v->half_v * width / height;
  return SCREE_OK;
}

/* Returns the distance of the camera from the middle of a box at which the box just fits into the picture.
 * half: half edges of the box. tangent: tangent of half the vertical angle of view. tangent 0: parallel view;
 * returns the height of the picture instead. */
static double fit_distance(const double half[3], const double right[3], const double up[3],
    const double out[3], double tangent, double aspect) {
  double distance = 0;
  for (int i = 0; i < 8; i++) {
    double corner[3];
    for (int k = 0; k < 3; k++) corner[k] = i >> k & 1 ? half[k] : -half[k];
    double u = fabs(sc_dot(corner, right)) / aspect, v = fabs(sc_dot(corner, up));
    double need = fmax(u, v);
    distance = fmax(distance, tangent > 0 ? need / tangent - sc_dot(corner, out) : 2 * need);
  }
  return distance;
}

scree_camera scree_camera_fit(const double low[3], const double high[3], const double up[3], double azimuth,
    double elevation, double angle, double zoom, double aspect) {
  SC_DEMAND(low && high && up, NULL, (scree_camera){0});
  scree_camera c = {.angle = angle};
  double s, co, se, ce, sh, ch, x[3], y[3], z[3], half[3], out[3], right[3], over[3];
  sc_normalise(up, z);
  double straight[3] = {fabs(z[0]) > 0.9 ? 0 : 1, fabs(z[0]) > 0.9 ? 1 : 0, 0};
  sc_axpy(-sc_dot(straight, z), z, straight, x);
  sc_normalise(x, x);
  sc_cross(z, x, y);
  sine_cosine_of(azimuth, &s, &co);
  sine_cosine_of(elevation, &se, &ce);
  sine_cosine_of(angle / 2, &sh, &ch);
  for (int k = 0; k < 3; k++) {
    c.target[k] = (low[k] + high[k]) / 2, half[k] = (high[k] - low[k]) / 2;
    out[k] = -(ce * (co * x[k] + s * y[k]) + se * z[k]);
    /* if the camera looks vertically, the upper edge of the picture shows the side opposite to the azimuth */
    c.up[k] = fabs(ce) > 1e-6 ? z[k] : -(co * x[k] + s * y[k]) * (se > 0 ? 1 : -1);
  }
  sc_cross(out, c.up, right);
  sc_normalise(right, right);
  sc_cross(right, out, over);
  double size = fit_distance(half, right, over, out, angle > 0 ? sh / ch : 0, aspect) / (zoom > 0 ? zoom : 1);
  if (!(size > 0)) size = 1;
  c.height = angle > 0 ? 0 : size;
  sc_axpy(-(angle > 0 ? size : size + 2 * sc_norm(half)), out, c.target, c.position);
  return c;
}
