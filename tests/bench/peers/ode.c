/* The bed in Open Dynamics Engine (libode-dev, double precision): quickstep, friction pyramid. ode BED
 * OUT SWEEPS WARM TIMED */
#include <ode/ode.h>

#include "peers.h"

static dWorldID world;
static dSpaceID space;
static dJointGroupID touching;
static int contacts;
static grain bed[GRAINS_MOST];
static dBodyID body[GRAINS_MOST];
static const double radius = 0.5e-3, side = 0.02, density = 2650, dt = 1e-4;

static void touch(void *unused, dGeomID a, dGeomID b) {
  dContact contact[1];
  (void)unused;
  if (!dGeomGetBody(a) && !dGeomGetBody(b)) return;
  int count = dCollide(a, b, 1, &contact[0].geom, sizeof *contact);
  for (int k = 0; k < count; k++, contacts++) {
    contact[k].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = 0.4};
    dJointAttach(dJointCreateContact(world, touching, contact + k), dGeomGetBody(a), dGeomGetBody(b));
  }
}

static void step(void) {
  contacts = 0;
  dSpaceCollide(space, NULL, touch);
  dWorldQuickStep(world, dt);
  dJointGroupEmpty(touching);
}

static void make(int count, int sweeps) {
  world = dWorldCreate();
  space = dHashSpaceCreate(NULL);
  touching = dJointGroupCreate(0);
  dHashSpaceSetLevels(space, -11, -5);
  dWorldSetGravity(world, 0, 0, -9.81);
  dWorldSetQuickStepNumIterations(world, sweeps);
  dWorldSetAutoDisableFlag(world, 0);
  dCreatePlane(space, 0, 0, 1, 0), dCreatePlane(space, 1, 0, 0, 0), dCreatePlane(space, -1, 0, 0, -side);
  dCreatePlane(space, 0, 1, 0, 0), dCreatePlane(space, 0, -1, 0, -side);
  for (int i = 0; i < count; i++) {
    dMass mass;
    dMassSetSphere(&mass, density, radius);
    body[i] = dBodyCreate(world);
    dBodySetMass(body[i], &mass);
    dBodySetPosition(body[i], bed[i].x[0], bed[i].x[1], bed[i].x[2]);
    dBodySetLinearVel(body[i], bed[i].v[0], bed[i].v[1], bed[i].v[2]);
    dBodySetAngularVel(body[i], bed[i].w[0], bed[i].w[1], bed[i].w[2]);
    dGeomSetBody(dCreateSphere(space, radius), body[i]);
  }
}

int main(int argc, char **argv) {
  if (argc != 6) return fprintf(stderr, "usage: ode BED OUT SWEEPS WARM TIMED\n"), 2;
  dInitODE();
  int count = read_bed(argv[1], bed);
  make(count, atoi(argv[3]));
  for (int i = 0; i < atoi(argv[4]); i++) step();
  time_steps(atoi(argv[5]), step);
  printf("%d\n", contacts);
  for (int i = 0; i < count; i++) {
    const dReal *x = dBodyGetPosition(body[i]), *v = dBodyGetLinearVel(body[i]),
                *w = dBodyGetAngularVel(body[i]);
    for (int k = 0; k < 3; k++) bed[i].x[k] = x[k], bed[i].v[k] = v[k], bed[i].w[k] = w[k];
  }
  write_bed(argv[2], bed, count);
  return 0;
}
