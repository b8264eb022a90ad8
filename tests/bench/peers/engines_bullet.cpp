/* A scene of scenes/bench/engines.lua in Bullet (libbullet-dev, double precision). Prints milliseconds a step and leaves its last state.
 * engines_bullet SCENE OUT SWEEPS */
#include <btBulletDynamicsCommon.h>

#include "engines.h"

static scene s;
static btDiscreteDynamicsWorld *world;
static btRigidBody **made;

static btVector3 vec(const double *x) { return btVector3(x[0], x[1], x[2]); }

static btCollisionShape *one(const part &p) {
  if (p.kind == 'b') return new btBoxShape(vec(p.size));
  if (p.kind == 's') return new btSphereShape(p.size[0]);
  if (p.kind == 'c') return new btCapsuleShapeZ(p.size[0], 2 * p.size[1]);
  auto *hull = new btConvexHullShape;
  for (int i = 0; i < p.points; i++) hull->addPoint(vec(p.point + 3 * i));
  return hull;
}

static double volume(const part &p) {
  if (p.kind == 'b') return 8 * p.size[0] * p.size[1] * p.size[2];
  double r = p.kind == 'h' ? vec(p.point).length() : p.size[0];
  return SIMD_PI * r * r * (4 / 3. * r + (p.kind == 'c' ? 2 * p.size[1] : 0)) * (p.kind == 'h' ? 0.6 : 1);
}

static btCollisionShape *whole_shape(const shape &from) {
  if (from.count == 1) return one(from.parts[0]);
  auto *sum = new btCompoundShape;
  for (int i = 0; i < from.count; i++)
    sum->addChildShape(btTransform(btQuaternion::getIdentity(), vec(from.parts[i].at)), one(from.parts[i]));
  return sum;
}

static btRigidBody *add(btCollisionShape *form, double mass, const btTransform &at) {
  btVector3 inertia(0, 0, 0);
  if (mass > 0) form->calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass, new btDefaultMotionState(at), form, inertia);
  info.m_friction = sqrt(s.mu); // Bullet multiplies the two
  auto *b = new btRigidBody(info);
  if (!sleeps()) b->setActivationState(DISABLE_DEACTIVATION);
  world->addRigidBody(b);
  return b;
}

static void make_mesh() {
  auto *mesh = new btTriangleMesh;
  for (int t = 0; t < 2 * (s.nx - 1) * (s.ny - 1); t++) {
    int corner[3];
    double x[3][3];
    triangle(&s, t, corner);
    for (int k = 0; k < 3; k++) corner_at(&s, corner[k], x[k]);
    mesh->addTriangle(vec(x[0]), vec(x[1]), vec(x[2]));
  }
  add(new btBvhTriangleMeshShape(mesh, true), 0, btTransform::getIdentity());
}

static btTransform pose(const double *x) { return btTransform(btQuaternion(x[4], x[5], x[6], x[3]), vec(x)); }

static void make(int sweeps) {
  auto *configuration = new btDefaultCollisionConfiguration;
  world = new btDiscreteDynamicsWorld(
      new btCollisionDispatcher(configuration), new btDbvtBroadphase, new btSequentialImpulseConstraintSolver, configuration);
  world->setGravity(vec(s.gravity));
  world->getSolverInfo().m_numIterations = sweeps;
  for (int i = 0; i < s.planes; i++) add(new btStaticPlaneShape(vec(s.plane[i]), s.plane[i][3]), 0, btTransform::getIdentity());
  if (s.height) make_mesh();
  auto **form = new btCollisionShape *[s.shape_count];
  for (int i = 0; i < s.shape_count; i++) form[i] = whole_shape(s.shapes[i]);
  made = new btRigidBody *[s.body_count];
  for (int i = 0; i < s.body_count; i++) {
    double mass = 0;
    const shape &own = s.shapes[s.bodies[i].shape];
    for (int k = 0; k < own.count; k++) mass += 1000 * volume(own.parts[k]);
    made[i] = add(form[s.bodies[i].shape], mass, pose(s.bodies[i].x));
    made[i]->setDamping(0, 0);
  }
  for (int i = 0; i < s.ball_count; i++) {
    const ball &j = s.balls[i];
    btVector3 at = vec(j.at), a = made[j.a]->getWorldTransform().inverse() * at;
    if (j.b < 0) world->addConstraint(new btPoint2PointConstraint(*made[j.a], a), true);
    else world->addConstraint(new btPoint2PointConstraint(*made[j.a], *made[j.b], a, made[j.b]->getWorldTransform().inverse() * at), true);
  }
  for (int i = 0; i < s.state_count; i++) {
    const double *x = s.states[i].x;
    made[i]->setWorldTransform(pose(x));
    made[i]->setInterpolationWorldTransform(pose(x));
    made[i]->setLinearVelocity(vec(x + 7));
    made[i]->setAngularVelocity(vec(x + 10));
  }
}

static void step() { world->stepSimulation(1 / 60., 0); }

static void tell(int i, double state[13]) {
  const btTransform &t = made[i]->getWorldTransform();
  btQuaternion q = t.getRotation();
  btVector3 x = t.getOrigin(), v = made[i]->getLinearVelocity(), w = made[i]->getAngularVelocity();
  const double row[13] = {x[0], x[1], x[2], q.w(), q.x(), q.y(), q.z(), v[0], v[1], v[2], w[0], w[1], w[2]};
  memcpy(state, row, sizeof row);
}

int main(int argc, char **argv) { return drive(argc, argv, &s, make, step, tell); }
