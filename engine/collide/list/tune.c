/* Tuning of the skin: the common factor of all slacks.
 *
 * Wide slacks make lists live long and hold many pairs, and make them dear to build. With s a change of
 * the factor, a step costs
 *
 *   C(s) = B(s) (e E(s) + p P(s) + c N) + M(s) + P(s),
 *
 * E entries tried and P pairs found by a build, N shapes, B builds per step, M the work of mending
 * strays per step (strays.c), e, p and c work in units of one pair walked over in a step. No clock is
 * read, so every machine counts the same. All are counted on the last list and then known for changes
 * down to a half, in the same flow and the same steps:
 *
 *   P(s)  from the pairs within half, three quarters and all of its slacks, a parabola through the
 *         three;
 *   E(s)  as the volume of extents, of which slacks are the share y:  E(s) / E(1) = mean (1 - (1 - s)
 *         y)^3;
 *   t(s)  steps until the first shape had used s of its slack, straight between those that were seen and
 *         beyond;
 *   T(s)  steps the list could live: t(s) without mending, else also the time of mending, in proportion
 *         to t(s).
 *
 * Lists end where rows are put in order, every L steps; so  B(s) = 1 / T + 1 / (2 L)
 * if T < L, else 1 / L  (L / T lists, the last one
 * cut off, on average half way). Where spans follow the life of lists (drift.c) what drifting adds to
 * reaches counts as slack.
 *
 * The factor goes half the way, as ratios go, to the cheapest of changes from a half to the root of two. */
#include "collide/list/list.h"

/* Work in pairs walked: an entry tried, a pair kept, a shape sorted and its contacts carried over; a
 * shape refreshed and looked at for strays, a pair moved on by mending. Ratios as measured, to a simple
 * figure. */
static const double per_entry = 0.15, per_pair = 3, per_shape = 30, per_looked = 5, per_moved = 0.25;
static const double least_factor = 0.125, most_factor = 4;
static const double share[SC_SHARES] = {0.5, 0.75, 1};
enum { HALF, MOST, ALL };

double sc_collide_mending(const sc_collide *collide, int32_t shapes) {
  return per_looked * (double)shapes + per_moved * (double)collide->pairs;
}

static double building(const sc_counted *counted, double tried, double pairs) {
  return per_entry * tried + per_pair * pairs + per_shape * (double)counted->shapes;
}

/* Means of the powers of y, over what has an extent. */
static void count_breadth(sc_collide *collide, const double *spread) {
  sc_counted *counted = &collide->counted;
  double sum[3] = {0, 0, 0}, bounded = 0;
  for (int32_t row = 0; row < counted->shapes; row++) {
    double radius = collide->cache[row].radius,
           slack = (double)collide->anchor[row].slack + (counted->loose ? spread[row] : 0);
    double extent = radius + (double)collide->anchor[row].slack + spread[row],
           y = slack > 0 ? slack / extent : 0;
    if (!isfinite(extent)) continue;
    bounded++;
    sum[0] += y, sum[1] += y * y, sum[2] += y * y * y;
  }
  for (int k = 0; k < 3; k++) counted->breadth[k] = bounded > 0 ? sum[k] / bounded : 0;
}

void sc_collide_count_list(
    sc_collide *collide, int32_t shapes, const double *spread, int64_t tried, const int64_t within[2]) {
  sc_counted *counted = &collide->counted;
  counted->shapes = shapes, counted->tried = tried;
  counted->pairs[HALF] = within[0], counted->pairs[MOST] = within[0] + within[1],
  counted->pairs[ALL] = collide->pairs;
  for (int k = 0; k < SC_SHARES; k++) counted->passed[k] = 0;
  count_breadth(collide, spread);
  collide->work = building(counted, (double)tried, (double)collide->pairs);
}

void sc_collide_count_used(sc_collide *collide, double used) {
  for (int k = 0; k < SC_SHARES; k++) {
    double *passed = collide->counted.passed + k;
    if (*passed > 0 || !(used > share[k]) || collide->lived < 1) continue;
    /* never 0, or what woke up would not be seen */
    *passed = fmax(collide->lived * share[k] / fmin(used, 1e9), collide->lived - 1);
  }
}

/* The last list, as changes of the factor look at it. */
typedef struct past {
  const sc_counted *counted;
  double t[SC_SHARES]; /* t(s) */
  double period, life; /* L, T(1) */
  double rate;         /* work of mending in a step with strays; 0: there is no mending */
} past;

static past look_back(const sc_collide *collide) {
  const sc_counted *counted = &collide->counted;
  past p = {.counted = counted,
      .period = fmax(counted->period > 0 ? counted->period : SC_ORDER_PERIOD, collide->lived)};
  double used = fmax(fmin(collide->used, 1), 1e-9), lived = collide->lived;
  for (int k = 0; k < SC_SHARES; k++)
    p.t[k] = counted->passed[k] > 0 ? counted->passed[k] : lived * fmax(share[k] / used, 1);
  for (int k = 1; k < SC_SHARES; k++) p.t[k] = fmax(p.t[k], p.t[k - 1]);
  p.life = p.t[ALL];
  if (!collide->drifts && !(collide->mended > 0)) return p;
  bool spent = collide->used > 1; /* it ended of its strays */
  p.rate = collide->mended > 0 ? collide->mended / fmax(lived - p.t[ALL] + 1, 1)
                               : sc_collide_mending(collide, counted->shapes);
  p.life = fmax(spent ? lived : fmax(lived, p.t[ALL] + collide->work / p.rate), p.t[ALL]);
  return p;
}

static double first_stray(const past *p, double s) {
  if (s <= share[HALF]) return p->t[HALF] * s / share[HALF];
  int k = s <= share[MOST] ? HALF : MOST;
  double slope = (p->t[k + 1] - p->t[k]) / (share[k + 1] - share[k]);
  return p->t[k] + (s - share[k]) * slope;
}

/* Parabola through the pairs within half, three quarters and all. */
static double pairs_of(const past *p, double s) {
  double a = (double)p->counted->pairs[HALF], b = (double)p->counted->pairs[MOST],
         c = (double)p->counted->pairs[ALL], x = 4 * s - 2;
  return fmax(a + x * (b - a) + 0.5 * x * (x - 1) * (c - 2 * b + a), 0);
}

static double entries_of(const past *p, double s) {
  const double *y = p->counted->breadth, less = 1 - s;
  return (double)p->counted->tried *
      (1 - 3 * less * y[0] + 3 * less * less * y[1] - less * less * less * y[2]);
}

static double cost(const past *p, double s) {
  double t = first_stray(p, s), life = fmax(p->life * t / p->t[ALL], 1);
  double builds = life < p->period ? 1 / life + 0.5 / p->period : 1 / p->period;
  double lives = fmin(life, p->period), pairs = pairs_of(p, s);
  double mending = t < lives ? p->rate * (lives - t) / lives : 0;
  return builds * building(p->counted, entries_of(p, s), pairs) + mending + pairs;
}

enum { DOWN = -8, UP = 4 };
static const double eighth = 1.0905077326652577; /* of an octave */

double sc_collide_tuned(const sc_collide *collide) {
  if (collide->def.skin > 0 || collide->lived < 1 || !collide->counted.pairs[ALL]) return collide->factor;
  past p = look_back(collide);
  double best = INFINITY, change = 1, s = 0.5;
  for (int k = DOWN; k <= UP; k++, s *= eighth) {
    double c = cost(&p, s);
    if (c < best) best = c, change = s;
  }
  return fmin(fmax(collide->factor * sqrt(change), least_factor), most_factor);
}

void sc_collide_tune(sc_collide *collide) {
  if (!(collide->mean > 0)) collide->factor = sc_collide_tuned(collide);
}
