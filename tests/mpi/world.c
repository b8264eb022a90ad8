/* Worlds on several ranks, against the same world on one: mpirun -n N mpi.world CASE. Every rank also
 * makes a whole world of its own, which nobody spreads, as the reference. Exit code 1 and a text where
 * something is wrong. */
#include <math.h>
#include <string.h>

#include "contacts.h"
#include "scenes.h"
#include "scree/checkpoint.h"
#include "scree/frame.h"
#include "scree/geometry.h"
#include "scree/joint.h"
#include "scree/measure.h"

/* ---- cases ---- */

/* A settling box: nobody is lost, contacts of the first step are the same, energies agree within what
 * another seed changes. */
static void settle(void) {
  const double side = 8e-3;
  scree_world *several = bed(side, 1, 50), *one = bed(side, 1, 50), *other = bed(side, 2, 50);
  spread(several);
  int64_t bodies = report(one).bodies;
  step(several, 1);
  step(one, 1);
  step(other, 1);
  for (int part = 0; part < 4; part++) {
    CHECK(report(several).bodies == bodies, "%lld bodies, not %lld", (long long)report(several).bodies,
        (long long)bodies);
    step(several, 100);
  }
  step(one, 400);
  step(other, 400);
  scree_report s = report(several), o = report(one), t = report(other);
  CHECK(s.dynamic == o.dynamic && s.bodies == bodies, "%lld bodies", (long long)s.bodies);
  double scale = fmax(fabs(o.potential - t.potential), 0.01 * o.potential);
  CHECK(fabs(s.potential - o.potential) <= 2 * scale, "potential energy %g, not %g (another seed %g)",
      s.potential, o.potential, t.potential);
  CHECK(s.kinetic <= 0.02 * s.potential && s.penetration <= 5e-6, "kinetic %g, penetration %g", s.kinetic,
      s.penetration);
  CHECK(fabs(s.dissipated - o.dissipated) <= 0.05 * o.dissipated, "dissipated %g, not %g", s.dissipated,
      o.dissipated);
  scree_world_destroy(several);
  scree_world_destroy(one);
  scree_world_destroy(other);
}

/* Rolling and torsional friction of so many metres for all. */
static void set_rolling(scree_world *world, double rolling) {
  scree_pair_def pair = {.law = "coulomb"};
  int count;
  const scree_param *params = scree_world_law_params(world, "coulomb", &count);
  scree_param_defaults(params, count, pair.params);
  for (int i = 0; i < count; i++)
    if (!strcmp(params[i].name, "rolling") || !strcmp(params[i].name, "torsion")) pair.params[i] = rolling;
  FINE(scree_world_set_pair(world, &pair, &error));
}

/* A ball rolls from rank to rank and slows down by 5/7 g rolling/R; and grains with rolling friction
 * come to rest, all of them. */
static void rolling(void) {
  const double R = 0.01, share = 0.02, v = 1, dt = 1e-3, pi = 3.14159265358979323846;
  scree_world *world = make(9.81, dt, 1000, 1e-12);
  set_rolling(world, share * R);
  add_plane(world, 0, 0, 1, 0);
  add_ball(world, R, -0.5, 0, R, 0, 0);
  add_ball(world, R, 0.5, 0, R, 0, 0);
  scree_id ball = add_ball(world, R, -0.45, 0.1, R, v, 0);
  FINE(scree_world_set(world, ball, SCREE_SET_SPIN, &(scree_body_state){.spin = {0, v / R, 0}}, &error));
  spread(world);
  step(world, 700);
  double now = v - 5.0 / 7 * 9.81 * share * 700 * dt, mass = 1000 * 4 * pi / 3 * R * R * R,
         k = report(world).kinetic;
  CHECK(fabs(k - 0.7 * mass * now * now) <= 1e-9 * k, "kinetic %.17g, not %.17g", k, 0.7 * mass * now * now);
  scree_world_destroy(world);
  world = make(9.81, 1e-4, 50, 1e-6);
  set_rolling(world, 2e-5);
  add_box(world, 4e-3);
  int64_t grains = fill(world, 0, 0, 0, 4e-3, 4e-3, 2e-3, 1);
  spread(world);
  step(world, 1500);
  double each = report(world).kinetic / (double)grains / (1000 * 4 * pi / 3 * 1.25e-10 * 9.81e-3);
  CHECK(each < 1e-10, "%g m g d each", each);
  scree_world_destroy(world);
}

/* The contacts of the first step, bit for bit, in a bed that one rank has settled. */
static void first_contacts(void) {
  scree_world *one = bed(7e-3, 1, 50), *several = bed(7e-3, 1, 50);
  step(one, 300);
  step(several, 300);
  spread(several);
  CHECK(scree_world_hash(one) == scree_world_hash(several), "spreading changed a body");
  step(one, 1);
  step(several, 1);
  same_contacts(one, several);
  scree_world_destroy(one);
  scree_world_destroy(several);
}

/* Two clouds without gravity run into each other: momentum stays to rounding. */
static void momentum(void) {
  scree_world *world = make(0, 1e-4, 20, 0);
  fill(world, 0, 0, 0, 6e-3, 6e-3, 6e-3, 1);
  int64_t count = fill(world, 6.5e-3, 1e-3, 0.5e-3, 6e-3, 6e-3, 6e-3, 2);
  for (int64_t i = 0; i < 5; i++) add_ball(world, 0.5e-3, -3e-3, 3e-3, 1.1e-3 * (double)i, 3, 0);
  CHECK(count > 100, "%lld", (long long)count);
  spread(world);
  scree_report before = report(world);
  step(world, 150);
  scree_report after = report(world);
  double size = 0;
  for (int k = 0; k < 3; k++) size += fabs(before.momentum[k]);
  for (int k = 0; k < 3; k++)
    CHECK(fabs(after.momentum[k] - before.momentum[k]) <= 1e-13 * size, "momentum %d: %.17g, then %.17g", k,
        before.momentum[k], after.momentum[k]);
  CHECK(after.kinetic < 0.9 * before.kinetic && after.dissipated > 0, "%g of %g left, %lld contacts",
      after.kinetic, before.kinetic, (long long)after.active);
  scree_world_destroy(world);
}

/* The same number of ranks gives the same bits, with any number of threads in each. */
static void repeat(void) {
  uint64_t hash[2];
  for (int turn = 0; turn < 2; turn++) {
    threads = 1 + turn;
    scree_world *world = bed(6e-3, 3, 20);
    spread(world);
    step(world, 150);
    hash[turn] = scree_world_hash(world);
    scree_world_destroy(world);
  }
  threads = 1;
  CHECK(
      hash[0] == hash[1], "%016llx, then %016llx", (unsigned long long)hash[0], (unsigned long long)hash[1]);
}

/* Boxes on each other, the planes between ranks across the stack: it stands, and the solver meets its
 * tolerance. */
static void stack(void) {
  scree_world *world = make(9.81, 1e-3, 2000, 1e-4);
  enum { BOXES = 6 };
  scree_id id[BOXES];
  add_plane(world, 0, 0, 1, 0);
  for (int i = 0; i < BOXES; i++) {
    scree_shape_def shape = scree_shape_defaults();
    scree_body_def body = scree_body_defaults();
    shape.type = SCREE_BOX, shape.size[0] = shape.size[1] = 0.1, shape.size[2] = 0.05;
    body.position[2] = 0.025 + 0.05 * i, body.shapes = &shape, body.shapes_count = 1;
    CHECK((id[i] = scree_world_add(world, &body, &error)) != 0, "%s", error.text);
  }
  spread_over(world, 1, 1, ranks, 0);
  step(world, 120);
  for (int i = 0; i < BOXES; i++) {
    scree_body_state state;
    FINE(scree_world_read(world, id[i], &state, &error));
    double d = hypot(state.position[0], state.position[1]), z = 0.025 + 0.05 * i;
    CHECK(d < 1e-6 && fabs(state.position[2] - z) < 1e-5, "box %d has gone %g sideways and %g up", i, d,
        state.position[2] - z);
  }
  scree_report r = report(world);
  CHECK(
      r.iterations < 2000, "the residual is still %g after %lld sweeps", r.residual, (long long)r.iterations);
  scree_world_destroy(world);
}

/* Momentum on sweeps, paced by all ranks together: the bed comes to rest without sinking in, the
 * momentum of free grains stays. */
static void accelerated(void) {
  acceleration = 1;
  scree_world *world = bed(5e-3, 3, 60);
  spread(world);
  step(world, 300);
  scree_report r = report(world);
  CHECK(r.penetration < 1e-5 && r.active > 10 && r.dissipated > 0.5 * r.kinetic,
      "penetration %g, %lld contacts, dissipated %g of %g J", r.penetration, (long long)r.active,
      r.dissipated, r.kinetic);
  scree_world_destroy(world);
  momentum();
  acceleration = 0;
}

/* Balls larger than a subdomain among small ones: one that every rank knows, one that only reaches far. */
static void large(void) {
  scree_world *world = make(9.81, 1e-4, 50, 1e-3), *one = make(9.81, 1e-4, 50, 1e-3);
  scree_world *both[2] = {world, one};
  scree_id ball[2], wide[2];
  scree_body_state a, b;
  for (int w = 0; w < 2; w++) {
    add_plane(both[w], 0, 0, 1, 0);
    fill(both[w], 0, 0, 0, 8e-3, 8e-3, 2e-3, 4);
    ball[w] = add_ball(both[w], 3.6e-3, 4e-3, 4e-3, 6.2e-3, 0, 0);
    wide[w] = add_ball(both[w], 12e-3, 5e-3, 3e-3, 23e-3, 0, 0);
  }
  spread_over(world, ranks, 1, 1, 0);
  /* 12e-3 is more than 8 times the mean radius, so scree_world_get answers on every rank */
  FINE(scree_world_get(world, wide[0], &a, &error));
  int64_t bodies = report(one).bodies;
  step(world, 200);
  step(one, 200);
  CHECK(report(world).bodies == bodies, "%lld bodies, not %lld", (long long)report(world).bodies,
      (long long)bodies);
  FINE(scree_world_read(world, ball[0], &a, &error));
  FINE(scree_world_get(one, ball[1], &b, &error));
  CHECK(fabs(a.position[2] - b.position[2]) < 3e-4, "the ball lies at %g, not %g", a.position[2],
      b.position[2]);
  CHECK(report(world).penetration < 2e-5, "penetration %g", report(world).penetration);
  scree_world_destroy(world);
  scree_world_destroy(one);
}

/* Free flight through planes, edges and corners: the same bits as on one rank. */
static void corners(void) {
  scree_world *world[2];
  for (int w = 0; w < 2; w++) {
    world[w] = make(0, 1e-4, 10, 0);
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < 10; j++)
        for (int k = 0; k < 2; k++)
          add_ball(world[w], 1e-4, 1e-3 * i, 1e-3 * j + 0.5e-3 * k, 1e-3 * k, k ? -0.4 : 0.4, k ? -0.4 : 0.4);
  }
  spread_over(world[0], 0, 0, 0, 0);
  for (int part = 0; part < 10; part++) {
    step(world[0], 50);
    step(world[1], 50);
    CHECK(scree_world_hash(world[0]) == scree_world_hash(world[1]), "flight differs after %d steps",
        50 * (part + 1));
  }
  CHECK(report(world[0]).dynamic == 200, "%lld left", (long long)report(world[0]).dynamic);
  scree_world_destroy(world[0]);
  scree_world_destroy(world[1]);
}

/* Two heaps far apart: the ranks between have nothing. Then the planes move, and all have something. */
static void empty_rank(void) {
  scree_world *world = make(9.81, 1e-4, 20, 1e-3);
  add_plane(world, 0, 0, 1, 0);
  fill(world, 0, 0, 0, 3e-3, 3e-3, 3e-3, 1);
  fill(world, 1, 0, 0, 3e-3, 3e-3, 3e-3, 2);
  int64_t bodies = report(world).bodies;
  spread_over(world, ranks, 1, 1, 0);
  step(world, 60);
  CHECK(report(world).bodies == bodies, "%lld bodies, not %lld", (long long)report(world).bodies,
      (long long)bodies);
  scree_world_destroy(world);
}

/* Bodies made, removed, counted and measured while the world is spread. */
static void verbs(void) {
  scree_world *world[2];
  scree_profile *profile[2];
  const scree_region outside = {
      .type = SCREE_REGION_BOX, .min = {6e-3, -INFINITY, -INFINITY}, .max = {INFINITY, INFINITY, INFINITY}};
  const scree_grid grid = {.min = {0, 0, 0}, .max = {6e-3, 6e-3, 6e-3}, .n = {6, 2, 2}};
  for (int w = 0; w < 2; w++) {
    world[w] = make(9.81, 1e-4, 30, 1e-3);
    add_plane(world[w], 0, 0, 1, 0);
    fill(world[w], 0, 0, 0, 6e-3, 6e-3, 2e-3, 1);
    CHECK((profile[w] = scree_profile_create(&grid, &error)) != NULL, "%s", error.text);
  }
  spread(world[0]);
  int64_t gone[2] = {0, 0}, made[2] = {0, 0};
  scree_frame_buffer *buffer = scree_frame_buffer_create();
  for (int part = 0; part < 5; part++)
    for (int w = 0; w < 2; w++) {
      made[w] += fill(world[w], 0, 0, 4e-3, 6e-3, 6e-3, 1.1e-3, 7);
      scree_id ball = add_ball(world[w], 0.5e-3, 5e-3, 3e-3, 7e-3, 2, 0),
               plate = scree_world_find(world[w], "none", NULL);
      CHECK(ball && !plate, "%llu", (unsigned long long)ball);
      CHECK(scree_world_alive(world[w], ball), "the ball that was just made is not alive");
      step(world[w], 60);
      if (part == 2) FINE(scree_world_remove(world[w], ball, &error));
      if (part == 2) CHECK(!scree_world_alive(world[w], ball), "a removed ball is alive");
      gone[w] += scree_world_remove_where(world[w], &(scree_select){-1, -1, &outside});
      CHECK(scree_world_count(world[w], &(scree_select){-1, -1, &outside}) == 0, "some are left");
      const scree_frame *frame = scree_frame_capture(buffer, world[w], 0, &error);
      CHECK(frame, "%s", error.text);
      FINE(scree_profile_add(profile[w], frame, -1, &error));
    }
  CHECK(made[0] == made[1], "%lld and %lld made", (long long)made[0], (long long)made[1]);
  CHECK(gone[1] > 3 && fabs((double)(gone[0] - gone[1])) <= 0.1 * (double)gone[1] + 2, "%lld and %lld gone",
      (long long)gone[0], (long long)gone[1]);
  CHECK(report(world[0]).dynamic == report(world[1]).dynamic + gone[1] - gone[0],
      "%lld of %lld and %lld of %lld are left, %lld and %lld have gone", (long long)report(world[0]).dynamic,
      (long long)made[0], (long long)report(world[1]).dynamic, (long long)made[1], (long long)gone[0],
      (long long)gone[1]);
  double count[2][24];
  for (int w = 0; w < 2; w++) scree_profile_get(profile[w], SCREE_PROFILE_COUNT, count[w]);
  for (int c = 0; c < 24; c++)
    CHECK(fabs(count[0][c] - count[1][c]) <= 0.15 * count[1][c] + 2.5, "cell %d holds %g and %g", c,
        count[0][c], count[1][c]);
  for (int w = 0; w < 2; w++) scree_profile_destroy(profile[w]), scree_world_destroy(world[w]);
  scree_frame_buffer_destroy(buffer);
}

/* A checkpoint of all ranks is that of a whole world; it goes on there, and on all ranks again. */
static void checkpoint(void) {
  const char *path = getenv("SCREE_TEST_FILE");
  CHECK(path, "SCREE_TEST_FILE is not set");
  scree_world *world = bed(6e-3, 3, 30);
  spread(world);
  step(world, 150);
  scree_checkpoint *file = scree_checkpoint_create();
  FINE(scree_world_save(world, file, &error));
  if (rank == 0) FINE(scree_checkpoint_write(file, path, 1, &error));
  scree_checkpoint_destroy(file);
  uint64_t hash = scree_world_hash(world);
  scree_report was = report(world);
  CHECK(scree_world_alive(world, 1), "the floor has gone"); /* all wait until the file is there */
  CHECK((file = scree_checkpoint_read(path, NULL, &error)) != NULL, "%s", error.text);
  scree_world *one = bed(6e-3, 3, 30), *again = bed(6e-3, 3, 30);
  FINE(scree_world_load(one, file, &error));
  FINE(scree_world_load(again, file, &error));
  CHECK(scree_world_hash(one) == hash, "the restored world differs");
  spread(again);
  step(one, 1);
  step(again, 1);
  step(world, 1);
  same_contacts(one, again);
  same_contacts(one, world);
  step(one, 50);
  step(again, 50);
  step(world, 50);
  scree_report r[3] = {report(one), report(again), report(world)};
  for (int k = 0; k < 3; k++) {
    CHECK(r[k].bodies == was.bodies && r[k].step == 201, "%lld bodies", (long long)r[k].bodies);
    CHECK(fabs(r[k].potential - r[2].potential) < 2e-3 * r[2].potential, "potential %g, not %g",
        r[k].potential, r[2].potential);
    CHECK(fabs(r[k].dissipated - r[2].dissipated) < 0.02 * r[2].dissipated, "dissipated %g, not %g",
        r[k].dissipated, r[2].dissipated);
    scree_body_state state;
    CHECK(scree_world_read(k == 0 ? one
                  : k == 1        ? again
                                  : world,
              20, &state, &error) == SCREE_OK,
        "%s", error.text);
  }
  scree_checkpoint_destroy(file);
  scree_world_destroy(one);
  scree_world_destroy(again);
  scree_world_destroy(world);
}

/* A world on all ranks, and a whole one made of its checkpoint, find the same contacts in the next step. */
static void same_next_step(scree_world *several) {
  const char *path = getenv("SCREE_TEST_FILE");
  CHECK(path, "SCREE_TEST_FILE is not set");
  scree_checkpoint *file = scree_checkpoint_create();
  FINE(scree_world_save(several, file, &error));
  if (rank == 0) FINE(scree_checkpoint_write(file, path, 1, &error));
  scree_checkpoint_destroy(file);
  CHECK(report(several).dynamic > 0, "all wait until the file is there");
  CHECK((file = scree_checkpoint_read(path, NULL, &error)) != NULL, "%s", error.text);
  scree_world *one = make(0, 1e-4, 20, 1e-6);
  FINE(scree_world_load(one, file, &error));
  scree_checkpoint_destroy(file);
  step(one, 1);
  step(several, 1);
  same_contacts(one, several);
  scree_world_destroy(one);
}

/* Bullets through a lattice of grains at rest: those deep inside a rank make nobody's list stale, and no
 * contact is missed. */
static void strays(void) {
  enum { LONG = 30, WIDE = 12, BULLETS = 6, CHECKS = 6, STEPS = 16 };
  const double apart = 0.9999e-3;
  scree_world *world = make(0, 1e-4, 20, 1e-6);
  for (int i = 0; i < LONG * WIDE * WIDE; i++)
    add_ball(world, 0.5e-3, apart * (i % LONG), apart * (i / LONG % WIDE), apart * (i / LONG / WIDE), 0, 0);
  for (int i = 0; i < BULLETS; i++) /* fly through gaps between four balls and hit a ball */
    add_ball(world, 0.1e-3, apart * (i % 2 ? 22.5 : 7.5), -0.2e-3, apart * (2 * i + 0.5 - (i > 2)),
        0.02 * (i % 3 - 1), 0.5 + 0.1 * i);
  spread_over(world, ranks, 1, 1, 0);
  scree_dist_traffic traffic;
  for (int turn = 0; turn < CHECKS; turn++) {
    step(world, STEPS - 1);
    same_next_step(world);
  }
  scree_dist_get_traffic(world, &traffic);
  /* 15 and more otherwise */
  CHECK(ranks > 3 || traffic.builds < 10, "%d builds in %d steps", (int)traffic.builds, (int)traffic.steps);
  scree_world_destroy(world);
}

/* A chain on a moving hook: joints are rank 0's, their bodies everybody's, and without contacts the bits
 * are those of one rank that makes as many sweeps. */
static void joints(void) {
  scree_world *world[2];
  for (int w = 0; w < 2; w++) {
    world[w] = make(9.81, 1e-3, 2, 0);
    scree_id last = 0;
    for (int i = 0; i < 5; i++) {
      scree_id ball = add_ball(world[w], 0.02, 0.1 * (i + 1), 0, 0, 0, 0.2);
      scree_joint_def joint = scree_joint_defaults(SCREE_JOINT_BALL);
      joint.a = ball, joint.b = last, joint.at[0] = 0.1 * i;
      if (i == 2) joint.turn_servo.gain = 0.02, joint.turn_servo.torque = 1e-3;
      CHECK(scree_world_add_joint(world[w], &joint, &error), "%s", error.text);
      last = ball;
    }
    for (int i = 0; i < 8; i++) add_ball(world[w], 0.02, 0.1 * i, 1, 0, 0, 0);
  }
  spread(world[0]);
  for (int w = 0; w < 2; w++) step(world[w], 200);
  CHECK(scree_world_hash(world[0]) == scree_world_hash(world[1]), "the chain differs");
  scree_joints_report r[2];
  for (int w = 0; w < 2; w++) FINE(scree_world_joints_report(world[w], r + w, &error));
  CHECK(r[0].joints == 5 && r[0].rows == r[1].rows && r[0].redundant == r[1].redundant &&
          r[0].error == r[1].error && r[0].velocity_error == r[1].velocity_error && r[0].rows > 0,
      "%lld rows, error %g and %g", (long long)r[0].rows, r[0].error, r[1].error);
  scree_world_destroy(world[0]);
  scree_world_destroy(world[1]);
}

/* Capsules, hulls and a kinematic paddle: everything that travels with a body. */
static void shapes(void) {
  scree_world *world[2];
  const double corner[4][3] = {{1e-3, 0, 0}, {-0.5e-3, 0.9e-3, 0}, {-0.5e-3, -0.9e-3, 0}, {0, 0, 1.2e-3}};
  for (int w = 0; w < 2; w++) {
    world[w] = make(9.81, 1e-4, 50, 1e-3);
    add_box(world[w], 12e-3);
    scree_geometry *hull = scree_geometry_hull(corner, 4, &error);
    CHECK(hull, "%s", error.text);
    for (int i = 0; i < 64; i++) {
      scree_shape_def shape = scree_shape_defaults();
      scree_body_def body = scree_body_defaults();
      shape.type = i % 3 == 0 ? SCREE_CAPSULE : i % 3 == 1 ? SCREE_HULL : SCREE_BOX;
      shape.radius = 0.4e-3, shape.length = 1e-3, shape.size[0] = shape.size[1] = 1e-3,
      shape.size[2] = 1.4e-3, shape.geometry = hull;
      body.position[0] = 1.6e-3 + 2.8e-3 * (i % 4), body.position[1] = 1.6e-3 + 2.8e-3 * (i / 4 % 4),
      body.position[2] = 1.5e-3 + 2.4e-3 * (i / 16);
      body.orientation[1] = 0.1 * i, body.velocity[0] = i % 2 ? 0.1 : -0.1, body.shapes = &shape,
      body.shapes_count = 1;
      CHECK(scree_world_add(world[w], &body, &error), "%s", error.text);
    }
    scree_geometry_release(hull);
  }
  spread(world[0]);
  for (int w = 0; w < 2; w++) step(world[w], 300);
  scree_report r[2] = {report(world[0]), report(world[1])};
  CHECK(r[0].bodies == r[1].bodies && r[0].penetration < 5e-5, "%lld bodies, penetration %g",
      (long long)r[0].bodies, r[0].penetration);
  CHECK(fabs(r[0].potential - r[1].potential) < 0.15 * r[1].potential, "potential %g, not %g", r[0].potential,
      r[1].potential);
  scree_world_destroy(world[0]);
  scree_world_destroy(world[1]);
}

/* Grains stirred by gravity that turns: none is lost while they rub along planes that move. */
static void stir(void) {
  scree_world *world = bed(8e-3, 1, 10);
  add_plane(world, 0, 0, -1, -8e-3);
  int64_t bodies = report(world).bodies;
  spread_over(world, 0, 0, 0, 1.05);
  for (int turn = 0; turn < 4; turn++) {
    const double g[4][3] = {{20, 0, 0}, {0, 20, 0}, {-20, 0, 20}, {0, -20, -20}};
    FINE(scree_world_set_gravity(world, g[turn], &error));
    step(world, 150);
    CHECK(report(world).bodies == bodies, "%lld bodies, not %lld", (long long)report(world).bodies,
        (long long)bodies);
  }
  scree_world_destroy(world);
}

/* Bouncing: a row of balls passes an impact on through the planes; a gas of elastic grains keeps its energy
 * and loses none of its momentum. */
static void bounce(void) {
  scree_world *world[2];
  for (int w = 0; w < 2; w++) {
    world[w] = make(0, 1e-4, 20, 1e-6);
    int count;
    scree_pair_def pair = {0, 0, "coulomb", {0}, 1, 0};
    const scree_param *params = scree_world_law_params(world[w], "coulomb", &count);
    scree_param_defaults(params, count, pair.params);
    pair.params[0] = 0;
    FINE(scree_world_set_pair(world[w], &pair, &error));
    for (int i = 0; i < 8; i++) add_ball(world[w], 0.5e-3, 1e-3 * i, 0, 0, 0, 0);
    add_ball(world[w], 0.5e-3, -2e-3, 0, 0, 1, 0);
    fill(world[w], 0, 3e-3, 0, 8e-3, 4e-3, 4e-3, 5);
  }
  spread_over(world[0], ranks, 1, 1, 0);
  scree_report before = report(world[0]);
  for (int w = 0; w < 2; w++) step(world[w], 60);
  scree_report after = report(world[0]);
  CHECK(after.bodies == before.bodies && after.kinetic <= before.kinetic * (1 + 1e-12), "energy %g, then %g",
      before.kinetic, after.kinetic);
  CHECK(fabs(after.kinetic + after.dissipated - before.kinetic) <= 1e-9 * before.kinetic,
      "%g J are not accounted for", after.kinetic + after.dissipated - before.kinetic);
  for (int k = 0; k < 3; k++)
    CHECK(fabs(after.momentum[k] - before.momentum[k]) <= 1e-12 * fabs(before.momentum[0]), "momentum %d", k);
  for (scree_id id = 1; id <= 9; id++) {
    scree_body_state a, b;
    FINE(scree_world_read(world[0], id, &a, &error));
    FINE(scree_world_get(world[1], id, &b, &error));
    CHECK(fabs(a.velocity[0] - b.velocity[0]) < 1e-3, "ball %d goes at %g, not %g", (int)id, a.velocity[0],
        b.velocity[0]);
  }
  scree_world_destroy(world[0]);
  scree_world_destroy(world[1]);
}

/* Velocities of a rank's bodies, turned round. */
static void turn_round(scree_world *world) {
  void *velocity;
  int64_t rows;
  scree_world_view(world, SCREE_VIEW_VELOCITY, &velocity, &rows);
  for (int64_t i = 0; i < 3 * rows; i++) ((double *)velocity)[i] *= -1;
}

/* Grains go to and fro on lanes of their own, through all planes: after very many changes of rank all
 * are there, with the bits of one rank. */
static void shuttle(void) {
  enum { LANES = 32, LENGTH = 20 };
  scree_world *world[2];
  const double wanted = ranks == 1 ? 0 : getenv("SCREE_TEST_MOVES") ? atof(getenv("SCREE_TEST_MOVES")) : 5000;
  for (int w = 0; w < 2; w++) {
    world[w] = make(0, 1e-3, 5, 0);
    for (int i = 0; i < LANES * LANES; i++) {
      int back = (i + i / LANES) % 2;
      add_ball(
          world[w], 1e-4, back ? 1e-3 * LENGTH : 0, 1e-3 * (i % LANES), 1e-3 * (i / LANES), back ? -1 : 1, 0);
    }
  }
  spread_over(world[0], ranks, 1, 1, 0);
  double moved = 0;
  for (int pass = 0; pass < 4 || moved < wanted; pass++) {
    scree_dist_traffic traffic;
    for (int w = 0; w < 2; w++) step(world[w], LENGTH), turn_round(world[w]);
    scree_dist_get_traffic(world[0], &traffic);
    moved = (double)traffic.migrated;
    scree_world_combine(world[0], 0, &moved, 1);
    CHECK(pass < 1000, "only %g bodies have changed their rank", moved);
  }
  CHECK(report(world[0]).dynamic == LANES * LANES, "%lld left", (long long)report(world[0]).dynamic);
  CHECK(scree_world_hash(world[0]) == scree_world_hash(world[1]),
      "the grains differ after %g changes of rank", moved);
  scree_world_destroy(world[0]);
  scree_world_destroy(world[1]);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } cases[] = {
      {"settle", settle},
      {"rolling", rolling},
      {"stiffness", stiffness},
      {"cohesion", cohesion},
      {"first_contacts", first_contacts},
      {"momentum", momentum},
      {"accelerated", accelerated},
      {"repeat", repeat},
      {"stack", stack},
      {"large", large},
      {"corners", corners},
      {"empty_rank", empty_rank},
      {"verbs", verbs},
      {"checkpoint", checkpoint},
      {"joints", joints},
      {"shapes", shapes},
      {"stir", stir},
      {"shuttle", shuttle},
      {"bounce", bounce},
      {"strays", strays},
  };
  if (scree_dist_start(&rank, &ranks, &error) != SCREE_OK) return fprintf(stderr, "%s\n", error.text), 1;
  int known = 0;
  for (int arg = 1; arg < argc; arg++)
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
      if (!strcmp(cases[i].name, argv[arg])) known++, cases[i].run();
  CHECK(known == argc - 1 && known > 0, "usage: mpi.world CASE...");
  scree_dist_stop();
  return 0;
}
