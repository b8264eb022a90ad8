/* The second-order cone L = { x : x_0 >= |(x_1, x_2)| } for the second-order solver: Jordan algebra,
 * scaling, step lengths.
 *
 * For x, u inside L the scaling of Nesterov & Todd (1997) is the symmetric W with W u = W^-1 x = l:
 *     W = eta [ w_0  w'; w  E + w w'/(1 + w_0) ],   W^-2 = eta^-2 (2 (Jw)(Jw)' - J),   J = diag(1,-1,-1)
 *     w = (x/|x|_J + J u/|u|_J) / (2 gamma),   eta^2 = |x|_J / |u|_J,   |x|_J^2 = x'J x */
#ifndef SC_CONE_H
#define SC_CONE_H

typedef struct sc_cone_scaling {
  double w[3], eta, l[3];
} sc_cone_scaling;

/* x'J x in a form that does not cancel on the border. */
double sc_cone_square(const double x[3]);
void sc_cone_scale(const double x[3], const double u[3], sc_cone_scaling *s);
/* out = W a and out = W^-1 a; out and a may not alias. */
void sc_cone_multiply(const sc_cone_scaling *s, const double a[3], double out[3]);
void sc_cone_divide(const sc_cone_scaling *s, const double a[3], double out[3]);
/* D = W^-2, row-major. */
void sc_cone_metric(const sc_cone_scaling *s, double D[9]);
/* The same by its eigenvectors: (1, -a)/sqrt 2, (1, a)/sqrt 2 and across a = (w_1, w_2)/|(w_1, w_2)|, with
 * eigenvalues value[0..2]. axis receives a. */
void sc_cone_eigen(const sc_cone_scaling *s, double axis[2], double value[3]);
/* sum of value_i e_i e_i' over these eigenvectors, row-major. */
void sc_cone_compose(const double axis[2], const double value[3], double D[9]);
/* a o b = (a.b, a_0 b_1 + b_0 a_1), and r with l o r = d. */
void sc_cone_product(const double a[3], const double b[3], double out[3]);
void sc_cone_quotient(const double l[3], const double d[3], double r[3]);
/* Largest step a <= most with x + a d in L. */
double sc_cone_step(const double x[3], const double d[3], double most);

#endif
