#include "calibrate/search.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Edge of the first simplex and standard deviation of the first generation, as shares of the range. */
static const double FIRST = 0.25;

/* A search also ends if a round lowers the smallest error by less than FLAT and the errors of the places in
 * the round differ by less than FLAT. An error of 1 corresponds to a distance of one standard deviation from
 * the targets. */
static const double FLAT = 0.01;

/* Computes the errors of places inside or outside the unit cube. A place outside gets the error of the
 * nearest place inside, increased with the distance between both. Returns 0 or the result of s->measure. */
static int find_errors(search *s, const search_place *place, int count, double *error) {
  search_place inside[SEARCH_BATCH];
  memset(inside, 0, sizeof inside);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < s->count; i++) inside[k][i] = fmin(fmax(place[k][i], 0), 1);
  s->used += count;
  const int code = s->measure(s->context, inside, count, error);
  for (int k = 0; !code && k < count; k++) {
    double outside = 0;
    for (int i = 0; i < s->count; i++) outside += pow(place[k][i] - inside[k][i], 2);
    error[k] = error[k] * (1 + outside) + 100 * outside;
    if (isnan(error[k])) error[k] = INFINITY;
  }
  return code;
}

/* ---- Nelder and Mead ---- */

typedef struct simplex {
  search_place corner[SEARCH_MOST + 1]; /* sorted: the best is first */
  double error[SEARCH_MOST + 1];
} simplex;

static void sort_corners(simplex *m, int count) {
  for (int i = 1; i <= count; i++)
    for (int k = i; k > 0 && m->error[k] < m->error[k - 1]; k--) {
      search_place corner;
      const double error = m->error[k];
      memcpy(corner, m->corner[k], sizeof corner);
      memcpy(m->corner[k], m->corner[k - 1], sizeof corner), m->error[k] = m->error[k - 1];
      memcpy(m->corner[k - 1], corner, sizeof corner), m->error[k - 1] = error;
    }
}

/* Returns the largest difference of a coordinate between the best corner and another corner. */
static double measure_simplex(const simplex *m, int count) {
  double most = 0;
  for (int k = 1; k <= count; k++)
    for (int i = 0; i < count; i++) most = fmax(most, fabs(m->corner[k][i] - m->corner[0][i]));
  return most;
}

/* Writes the four candidate places for the worst corner: reflection, expansion, and a contraction on each
 * side of the other corners' centroid. */
static void list_moves(const simplex *m, int count, search_place move[4]) {
  static const double reach[4] = {1, 2, 0.5, -0.5};
  for (int i = 0; i < count; i++) {
    double centre = 0;
    for (int k = 0; k < count; k++) centre += m->corner[k][i] / count;
    for (int k = 0; k < 4; k++) move[k][i] = centre + reach[k] * (centre - m->corner[count][i]);
  }
}

/* Moves all corners except the best one half of the way to the best corner. Returns 0 or the result of
 * s->measure. */
static int shrink_simplex(search *s, simplex *m) {
  for (int k = 1; k <= s->count; k++)
    for (int i = 0; i < s->count; i++) m->corner[k][i] = 0.5 * (m->corner[k][i] + m->corner[0][i]);
  return find_errors(s, m->corner + 1, s->count, m->error + 1);
}

int search_simplex(search *s, double *x) {
  const int n = s->count;
  simplex m = {0};
  for (int k = 0; k <= n; k++) {
    memcpy(m.corner[k], x, (size_t)n * sizeof *x);
    if (k) m.corner[k][k - 1] += x[k - 1] + FIRST <= 1 ? FIRST : -FIRST;
  }
  int code = find_errors(s, m.corner, n + 1, m.error);
  for (double last = INFINITY; !code; last = *m.error) {
    search_place move[4] = {0};
    double error[4];
    sort_corners(&m, n);
    const bool is_flat = last - *m.error < FLAT && m.error[n] - *m.error < FLAT;
    s->converged = is_flat || measure_simplex(&m, n) < s->tolerance;
    if (s->converged || s->used >= s->budget) break;
    list_moves(&m, n, move);
    if ((code = find_errors(s, move, 4, error))) break;
    int best = 0;
    for (int k = 1; k < 4; k++)
      if (error[k] < error[best]) best = k;
    if (error[best] < m.error[n]) memcpy(m.corner[n], move[best], sizeof *move), m.error[n] = error[best];
    else code = shrink_simplex(s, &m);
  }
  for (int i = 0; i < n; i++) x[i] = fmin(fmax(m.corner[0][i], 0), 1);
  return code;
}

/* ---- CMA-ES ---- */

bool search_factor(double a[SEARCH_MOST][SEARCH_MOST], int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k <= i; k++) {
      double sum = a[i][k];
      for (int j = 0; j < k; j++) sum -= a[i][j] * a[k][j];
      if (i == k && !(sum > 64 * DBL_EPSILON * fabs(a[i][i]))) return false;
      a[i][k] = i == k ? sqrt(sum) : sum / a[k][k];
    }
  return true;
}

/* Returns a normal random number (Marsaglia's polar method over splitmix64). */
static double draw_normal(uint64_t *state) {
  double u[2], square;
  do {
    for (int k = 0; k < 2; k++) {
      uint64_t z = *state += 0x9E3779B97F4A7C15u;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
      u[k] = (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
    }
    square = u[0] * u[0] + u[1] * u[1];
  } while (square >= 1 || square == 0);
  return u[0] * sqrt(-2 * log(square) / square);
}

typedef struct strategy {
  int offspring, parents;
  double weight[SEARCH_BATCH];
  /* constants, named as in the tutorial that search.h cites */
  double effective, c_path, c_sigma, c_one, c_rank, damping, expected;
  double mean[SEARCH_MOST], sigma, path[SEARCH_MOST], path_sigma[SEARCH_MOST];
  double covariance[SEARCH_MOST][SEARCH_MOST], factor[SEARCH_MOST][SEARCH_MOST];
  uint64_t random;
  int rounds;
} strategy;

static void start_strategy(strategy *c, int n, const double *x) {
  double sum = 0, squares = 0;
  *c = (strategy){.sigma = FIRST, .random = 1, .offspring = 4 + (int)(3 * log(n))};
  c->parents = c->offspring / 2;
  for (int k = 0; k < c->parents; k++) sum += c->weight[k] = log(c->parents + 0.5) - log(k + 1);
  for (int k = 0; k < c->parents; k++) c->weight[k] /= sum, squares += c->weight[k] * c->weight[k];
  const double m = c->effective = 1 / squares;
  c->c_path = (4 + m / n) / (n + 4 + 2 * m / n), c->c_sigma = (m + 2) / (n + m + 5);
  c->c_one = 2 / ((n + 1.3) * (n + 1.3) + m);
  c->c_rank = fmin(1 - c->c_one, 2 * (m - 2 + 1 / m) / ((n + 2.0) * (n + 2.0) + m));
  c->damping = 1 + 2 * fmax(0, sqrt((m - 1) / (n + 1)) - 1) + c->c_sigma;
  c->expected = sqrt(n) * (1 - 1 / (4.0 * n) + 1 / (21.0 * n * n));
  for (int i = 0; i < n; i++) c->mean[i] = x[i], c->covariance[i][i] = 1;
}

/* Draws the offspring of a generation: normal numbers z, and places mean + sigma L z (L: Cholesky factor of
 * the covariance). */
static void draw_offspring(strategy *c, int n, search_place *z, search_place *place) {
  for (int k = 0; k < c->offspring; k++) {
    for (int i = 0; i < n; i++) z[k][i] = draw_normal(&c->random);
    for (int i = 0; i < n; i++) {
      double step = 0;
      for (int j = 0; j <= i; j++) step += c->factor[i][j] * z[k][j];
      place[k][i] = c->mean[i] + c->sigma * step;
    }
  }
}

/* Adapts mean, paths, covariance and sigma to the best offspring. order: indices of the offspring, sorted by
 * error. */
static void adapt_strategy(
    strategy *c, int n, const search_place *z, const search_place *place, const int *order) {
  double step[SEARCH_MOST] = {0}, length = 0, old[SEARCH_MOST];
  memcpy(old, c->mean, sizeof old);
  c->rounds++;
  for (int i = 0; i < n; i++) {
    double drawn = 0;
    for (int k = 0; k < c->parents; k++) {
      step[i] += c->weight[k] * (place[order[k]][i] - old[i]) / c->sigma;
      drawn += c->weight[k] * z[order[k]][i];
    }
    c->mean[i] += c->sigma * step[i];
    c->path_sigma[i] = (1 - c->c_sigma) * c->path_sigma[i] +
        sqrt(c->c_sigma * (2 - c->c_sigma) * c->effective) * drawn;
    length += c->path_sigma[i] * c->path_sigma[i];
  }
  length = sqrt(length);
  const bool moving = length / sqrt(1 - pow(1 - c->c_sigma, 2 * c->rounds)) <
      (1.4 + 2.0 / (n + 1)) * c->expected;
  for (int i = 0; i < n; i++)
    c->path[i] = (1 - c->c_path) * c->path[i] +
        moving * sqrt(c->c_path * (2 - c->c_path) * c->effective) * step[i];
  const double kept = 1 - c->c_one - c->c_rank + (moving ? 0 : c->c_one * c->c_path * (2 - c->c_path));
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double rank = 0;
      for (int k = 0; k < c->parents; k++)
        rank += c->weight[k] * (place[order[k]][i] - old[i]) * (place[order[k]][j] - old[j]) /
            (c->sigma * c->sigma);
      c->covariance[i][j] = kept * c->covariance[i][j] + c->c_one * c->path[i] * c->path[j] +
          c->c_rank * rank;
    }
  c->sigma *= exp((c->c_sigma / c->damping) * (length / c->expected - 1));
}

/* Returns the largest standard deviation of a parameter. */
static double measure_strategy(const strategy *c, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, c->covariance[i][i]);
  return c->sigma * sqrt(most);
}

static void sort_offspring(const double *error, int count, int *order) {
  for (int i = 0; i < count; i++) {
    int k = i;
    for (; k > 0 && error[i] < error[order[k - 1]]; k--) order[k] = order[k - 1];
    order[k] = i;
  }
}

int search_cma(search *s, double *x) {
  const int n = s->count;
  strategy c;
  double least = INFINITY;
  int code = 0;
  start_strategy(&c, n, x);
  while (!s->converged && s->used < s->budget) {
    search_place z[SEARCH_BATCH] = {0}, place[SEARCH_BATCH] = {0};
    double error[SEARCH_BATCH];
    int order[SEARCH_BATCH];
    memcpy(c.factor, c.covariance, sizeof c.factor);
    if (!search_factor(c.factor, n)) break;
    draw_offspring(&c, n, z, place);
    if ((code = find_errors(s, place, c.offspring, error))) break;
    sort_offspring(error, c.offspring, order);
    s->converged = fabs(least - error[*order]) < FLAT && error[order[c.offspring - 1]] - error[*order] < FLAT;
    if (error[*order] < least) {
      least = error[*order];
      for (int i = 0; i < n; i++) x[i] = fmin(fmax(place[*order][i], 0), 1);
    }
    adapt_strategy(&c, n, z, place, order);
    s->converged |= measure_strategy(&c, n) < s->tolerance;
  }
  return code;
}
