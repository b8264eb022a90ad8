/* The second-order cone L = { x : x_0 >= |(x_1, x_2)| } for the second-order solver: Jordan algebra,
 * scaling, step lengths.
 *
 * For x, u inside L the scaling of Nesterov & Todd (1997) is the symmetric W with W u = W^-1 x = l:
 *     W = eta [ w_0  w'; w  E + w w'/(1 + w_0) ],   W^-2 = eta^-2 (2 (Jw)(Jw)' - J),   J = diag(1,-1,-1)
 *     w = (x/|x|_J + J u/|u|_J) / (2 gamma),   eta^2 = |x|_J / |u|_J,   |x|_J^2 = x'J x */
#ifndef SC_CONE_H
#define SC_CONE_H

/* Nesterov-Todd scaling W of one cone; symbols as above. */
typedef struct sc_cone_scaling {
  double w[3], eta;
  double l[3]; /* l = W u = W^-1 x */
} sc_cone_scaling;

/* Returns x'J x. The form has no cancellation on the border of L. */
double sc_cone_square(const double x[3]);
/* Computes the scaling of x and u, which must be inside L. */
void sc_cone_scale(const double x[3], const double u[3], sc_cone_scaling *s);
/* Computes out = W a. out and a may not alias. */
void sc_cone_multiply(const sc_cone_scaling *s, const double a[3], double out[3]);
/* Computes out = W^-1 a. out and a may not alias. */
void sc_cone_divide(const sc_cone_scaling *s, const double a[3], double out[3]);
/* Computes the eigenvalues value[0..2] of W^-2. Eigenvectors are (1, -a)/sqrt 2, (1, a)/sqrt 2 and (0, a'),
 * with a = (w_1, w_2)/|(w_1, w_2)| and a' perpendicular to a. axis: set to a. */
void sc_cone_eigen(const sc_cone_scaling *s, double axis[2], double value[3]);
/* Computes the matrix with the eigenvectors of sc_cone_eigen and the eigenvalues `value`, row-major. */
void sc_cone_compose(const double axis[2], const double value[3], double D[9]);
/* Computes the Jordan product a o b = (a.b, a_0 b_1 + b_0 a_1), where index 1 stands for 1 and 2. */
void sc_cone_product(const double a[3], const double b[3], double out[3]);
/* Computes r with l o r = d. */
void sc_cone_quotient(const double l[3], const double d[3], double r[3]);
/* Returns the largest step length a <= most for which x + a d lies in L. x must be inside L. */
double sc_cone_step(const double x[3], const double d[3], double most);

#endif
