/* Point rows, turn rows and soft rows of joints. joints.c has their equations. */
#include "problem/joints/joint_rows.h"

#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "problem/joints/springs.h"
#include "problem/operator/delassus.h"

sc_joint_row *sc_joint_new_row(sc_row_maker *m, double error) {
  sc_problem *p = m->problem;
  sc_joint_row *row = p->joint_row + p->joint_rows++;
  memset(row, 0, sizeof *row);
  row->i = m->pose.row1;
  row->j = m->pose.row2 >= 0 ? m->pose.row2 : p->bodies - 1;
  row->joint = m->index;
  row->lo = -INFINITY, row->hi = INFINITY;
  row->bias = m->displace ? error : fmax(-m->most, fmin(m->most, m->feedback * error / m->way));
  return row;
}

sc_joint_row *sc_joint_point_row(sc_row_maker *m, const double d[3], double error) {
  sc_joint_row *row = sc_joint_new_row(m, error);
  sc_copy3(d, row->lin1);
  sc_scale(-1, d, row->lin2);
  sc_cross(m->r1, d, row->ang1);
  sc_scale(1 / m->s1, row->ang1, row->ang1);
  sc_cross(d, m->r2, row->ang2);
  sc_scale(1 / m->s2, row->ang2, row->ang2);
  return row;
}

sc_joint_row *sc_joint_turn_row(sc_row_maker *m, const double d[3], double error) {
  sc_joint_row *row = sc_joint_new_row(m, error * m->length);
  sc_scale(m->length / m->s1, d, row->ang1);
  sc_scale(-m->length / m->s2, d, row->ang2);
  return row;
}

double sc_joint_row_velocity(const sc_row_maker *m, const sc_joint_row *row, double (*left)[6]) {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    int32_t body = side ? m->pose.row2 : m->pose.row1;
    double v[3], w[3];
    if (body < 0) continue;
    sc_copy3(m->bodies->velocity[body], v), sc_copy3(m->bodies->spin[body], w);
    if (left) sc_sub(v, left[body], v), sc_sub(w, left[body] + 3, w);
    sum += sc_dot(side ? row->lin2 : row->lin1, v) +
        (side ? m->s2 : m->s1) * sc_dot(side ? row->ang2 : row->ang1, w);
  }
  return sum;
}

void sc_joint_soften_row(sc_row_maker *m, sc_joint_row *row, double unit, double stiffness, double damping,
    double stretch, double push) {
  row->bias = 0;
  row->spring = (sc_spring){.stiffness = stiffness / (unit * unit),
      .damping = damping / (unit * unit),
      .stretch = stretch * unit,
      .push = push / unit,
      .time = m->dt};
  sc_spring_whole(row, sc_problem_joint_diagonal(m->problem, row), sc_joint_row_velocity(m, row, NULL));
}
