/* The bed in Bullet (libbullet-dev, double precision): sequential impulses with one friction direction a contact, as it does by itself,
 * or with two, a pyramid (FRICTION=2 in the environment).
 * Lengths are millimetres, so that its own tolerances are small against a grain. bullet BED OUT SWEEPS WARM TIMED */
#include <btBulletDynamicsCommon.h>

#include "peers.h"

static grain bed[GRAINS_MOST];
static btRigidBody *body[GRAINS_MOST];
static const double mm = 1e3, radius = 0.5, side = 20, density = 2650e-9, dt = 1e-4;
static btDiscreteDynamicsWorld *world;

static btRigidBody *add(btCollisionShape *shape, double mass, const btVector3 &at) {
  btVector3 inertia(0, 0, 0);
  if (mass > 0) shape->calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass, new btDefaultMotionState(btTransform(btQuaternion::getIdentity(), at)), shape, inertia);
  info.m_friction = sqrt(0.4); // Bullet multiplies the two
  btRigidBody *made = new btRigidBody(info);
  made->setActivationState(DISABLE_DEACTIVATION);
  world->addRigidBody(made);
  return made;
}

static void plane(double x, double y, double z, double offset) { add(new btStaticPlaneShape(btVector3(x, y, z), offset), 0, btVector3(0, 0, 0)); }

static void make(int count, int sweeps) {
  auto *configuration = new btDefaultCollisionConfiguration;
  world = new btDiscreteDynamicsWorld(new btCollisionDispatcher(configuration), new btDbvtBroadphase, new btSequentialImpulseConstraintSolver, configuration);
  world->setGravity(btVector3(0, 0, -9.81 * mm));
  world->getSolverInfo().m_numIterations = sweeps;
  const char *directions = getenv("FRICTION");
  if (directions && *directions == '2') world->getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
  plane(0, 0, 1, 0), plane(1, 0, 0, 0), plane(-1, 0, 0, -side), plane(0, 1, 0, 0), plane(0, -1, 0, -side);
  auto *sphere = new btSphereShape(radius);
  double mass = density * 4 / 3 * SIMD_PI * radius * radius * radius;
  for (int i = 0; i < count; i++) {
    const grain &g = bed[i];
    body[i] = add(sphere, mass, btVector3(g.x[0], g.x[1], g.x[2]) * mm);
    body[i]->setLinearVelocity(btVector3(g.v[0], g.v[1], g.v[2]) * mm);
    body[i]->setAngularVelocity(btVector3(g.w[0], g.w[1], g.w[2]));
  }
}

static void step() { world->stepSimulation(dt, 0); }

static int contacts() {
  int sum = 0;
  for (int i = 0; i < world->getDispatcher()->getNumManifolds(); i++) sum += world->getDispatcher()->getManifoldByIndexInternal(i)->getNumContacts();
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 6) return fprintf(stderr, "usage: bullet BED OUT SWEEPS WARM TIMED\n"), 2;
  int count = read_bed(argv[1], bed);
  make(count, atoi(argv[3]));
  for (int i = 0; i < atoi(argv[4]); i++) step();
  time_steps(atoi(argv[5]), step);
  printf("%d\n", contacts());
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      bed[i].x[k] = body[i]->getCenterOfMassPosition()[k] / mm;
      bed[i].v[k] = body[i]->getLinearVelocity()[k] / mm;
      bed[i].w[k] = body[i]->getAngularVelocity()[k];
    }
  write_bed(argv[2], bed, count);
  return 0;
}
