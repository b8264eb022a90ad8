/* Makes the rows of the free directions of joints: rotors, limits, motors, friction and springs. joints.c has
 * their equations. */
#include "problem/joints/joint_rows.h"

#include <math.h>
#include "math/vec.h"

static void negate_row(sc_joint_row *row) {
  sc_scale(-1, row->lin1, row->lin1);
  sc_scale(-1, row->lin2, row->lin2);
  sc_scale(-1, row->ang1, row->ang1);
  sc_scale(-1, row->ang2, row->ang2);
}

/* A free direction of a joint and its state. */
typedef struct course {
  int which;                /* 0, 1: first or second free direction */
  int kind;                 /* kind of the free direction, a result of sc_joint_freedom */
  const scree_drive *drive; /* drive along the direction */
  double d[3];              /* unit vector of the free direction */
  double position;          /* joint position [m] or [rad] */
  double unit;              /* length L that scales the row if it is a turn row [m]; 1 for a point row */
} course;

static sc_joint_row *free_row(sc_row_maker *m, const course *c) {
  sc_joint_row *row = c->kind == 1 ? sc_joint_turn_row(m, c->d, 0) : sc_joint_point_row(m, c->d, 0);
  row->free = 1 + c->which;
  return row;
}

/* Adds the row of a limit. distance: distance of the joint position from the limit [m] or [rad]; < 0:
 * exceeded. */
static void limit_row(sc_row_maker *m, const course *c, double distance, bool upper) {
  sc_joint_row *row = free_row(m, c);
  if (upper) negate_row(row);
  row->lo = 0;
  row->bias = c->unit * distance / m->way * (distance < 0 ? m->feedback : 1);
  if (distance < 0) row->bias = fmax(-m->most, row->bias);
}

/* Returns the target velocity of a motor, clamped such that the joint stays within its limits in this step.
 * If the joint has exceeded a limit, the returned velocity moves it back to the limit. Motors without a bound
 * on their force therefore also stop at limits. */
static double motor_speed(const sc_row_maker *m, const course *c) {
  const scree_drive *drive = c->drive;
  double below = (drive->lower - c->position) / m->way, above = (drive->upper - c->position) / m->way;
  if (below > 0) below *= m->feedback;
  if (above < 0) above *= m->feedback;
  return drive->speed < below ? below : drive->speed > above ? above : drive->speed;
}

static void motor_row(sc_row_maker *m, const course *c) {
  const scree_drive *drive = c->drive;
  if (drive->motor == SCREE_MOTOR_NONE) return;
  sc_joint_row *row = free_row(m, c);
  row->hi = drive->force * m->dt / c->unit;
  row->lo = drive->motor == SCREE_MOTOR_FORCE ? row->hi : -row->hi;
  row->motor = true;
  if (drive->motor == SCREE_MOTOR_SPEED) row->bias = -motor_speed(m, c) * c->unit;
  if (drive->motor == SCREE_MOTOR_SERVO)
    sc_joint_soften_row(m, row, c->unit, drive->gain, drive->rate_gain, c->position - drive->target,
        drive->rate_gain * drive->speed + drive->feed);
}

/* Adds the row of a rotor. The row counts as a locked row, so that the factors of mechanisms contain it. */
static void rotor_row(sc_row_maker *m, const course *c) {
  if (!(c->drive->armature > 0)) return;
  sc_joint_row *row = free_row(m, c);
  double speed = m->joint->rotor[c->which];
  row->free = 0, row->rotor = 1 + c->which;
  if (m->starts) {
    if (m->is_new || !m->bodies->left) speed = sc_joint_row_velocity(m, row, NULL) / c->unit;
    else speed += sc_joint_row_velocity(m, row, m->bodies->left) / c->unit;
    m->joint->rotor_before[c->which] = speed;
  }
  row->softness = c->unit * c->unit / c->drive->armature;
  row->bias = -speed * c->unit;
}

static void drive_rows(sc_row_maker *m, const course *c) {
  const scree_drive *drive = c->drive;
  rotor_row(m, c);
  if (drive->lower > -INFINITY) limit_row(m, c, c->position - drive->lower, false);
  if (drive->upper < INFINITY) limit_row(m, c, drive->upper - c->position, true);
  motor_row(m, c);
  if (drive->friction > 0 && m->joint->def.type != SCREE_JOINT_BALL) {
    sc_joint_row *row = free_row(m, c);
    row->hi = drive->friction * m->dt / c->unit;
    row->lo = -row->hi;
  }
  if (sc_drive_springs(drive)) {
    sc_joint_row *row = free_row(m, c);
    // springs of distance joints count as locked rows, so that networks of springs have sparse factors
    if (c->kind == 3) row->free = 0;
    sc_joint_soften_row(m, row, c->unit, drive->stiffness, drive->damping, c->position - drive->rest, 0);
  }
}

/* Adds a locked row for an exceeded limit, for a correction of positions. */
static void passed_limit_row(sc_row_maker *m, const course *c) {
  const scree_drive *drive = c->drive;
  double position = sc_joint_measure(m->joint, &m->pose, c->which),
         over = position < drive->lower ? position - drive->lower
      : position > drive->upper         ? position - drive->upper
                                        : 0;
  if (over == 0) return;
  free_row(m, c)->bias = over * c->unit;
}

void sc_joint_free_rows(sc_row_maker *m, int which) {
  const sc_joint *joint = m->joint;
  if (sc_drive_idle(sc_joint_drive(joint, which))) return;
  course c = {.which = which,
      .kind = sc_joint_freedom(joint->def.type, which),
      .drive = sc_joint_drive(joint, which),
      .position = joint->position[which]};
  if (!c.kind || !sc_joint_direction(joint, &m->pose, which, c.d)) return;
  c.unit = c.kind == 1 ? m->length : 1;
  if (m->displace) passed_limit_row(m, &c);
  else drive_rows(m, &c);
}
