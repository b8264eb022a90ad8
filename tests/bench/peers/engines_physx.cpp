/* A scene of scenes/bench/engines.lua in PhysX on the processor: its defaults of 4 iterations of positions
 * and 1 of velocities by PGS, or by TGS (SOLVER=TGS in the environment). Prints milliseconds a step and
 * leaves its last state.
 * engines_physx SCENE OUT SWEEPS, the last of which it has no use for */
#include <PxPhysicsAPI.h>

#include <vector>

#include "engines.h"

using namespace physx;

static scene s;
static PxDefaultAllocator memory;
static PxDefaultErrorCallback complaints;
static PxPhysics *physics;
static PxScene *world;
static PxMaterial *material;
static PxRigidDynamic **made;

static PxVec3 vec(const double *x) { return PxVec3((float)x[0], (float)x[1], (float)x[2]); }

static PxTransform pose(const double *x) {
  return PxTransform(vec(x), PxQuat((float)x[4], (float)x[5], (float)x[6], (float)x[3]).getNormalized());
}

template <class T> static T *checked(T *thing, const char *name) {
  if (!thing) fprintf(stderr, "PhysX makes no %s\n", name), exit(1);
  return thing;
}

static PxShape *shape_of(const PxGeometry &form) {
  return checked(physics->createShape(form, *material, false, PxShapeFlag::eSIMULATION_SHAPE), "shape");
}

static PxShape *hull(const part &p) {
  std::vector<PxVec3> points;
  for (int i = 0; i < p.points; i++) points.push_back(vec(p.point + 3 * i));
  PxConvexMeshDesc desc;
  desc.points.data = points.data(), desc.points.count = p.points, desc.points.stride = sizeof(PxVec3);
  desc.flags = PxConvexFlag::eCOMPUTE_CONVEX;
  PxCookingParams settings(physics->getTolerancesScale());
  return shape_of(PxConvexMeshGeometry(checked(PxCreateConvexMesh(settings, desc), "hull")));
}

/* Capsules lie along x in PhysX, along z in the scene. */
static PxShape *one(const part &p) {
  PxTransform at(vec(p.at));
  if (p.kind == 'c') at.q = PxQuat(-PxHalfPi, PxVec3(0, 1, 0));
  PxShape *made = p.kind == 'b' ? shape_of(PxBoxGeometry(vec(p.size)))
      : p.kind == 's'           ? shape_of(PxSphereGeometry((float)p.size[0]))
      : p.kind == 'c'           ? shape_of(PxCapsuleGeometry((float)p.size[0], (float)p.size[1]))
                                : hull(p);
  made->setLocalPose(at);
  return made;
}

static void add_fixed(const PxGeometry &form, PxVec3 at) {
  PxRigidStatic *b = physics->createRigidStatic(PxTransform(at));
  b->attachShape(*shape_of(form));
  world->addActor(*b);
}

/* A half space: a thick slab. */
static void plane(const double *n) {
  double half[3], at[3];
  for (int k = 0; k < 3; k++) half[k] = n[k] != 0 ? 5 : 80, at[k] = n[k] * (n[3] - 5);
  add_fixed(PxBoxGeometry(vec(half)), vec(at));
}

static PxTriangleMesh *mesh() {
  int triangles = 2 * (s.nx - 1) * (s.ny - 1);
  std::vector<PxVec3> x;
  std::vector<int> index(3 * triangles);
  for (int i = 0; i < s.nx * s.ny; i++) {
    double at[3];
    corner_at(&s, i, at);
    x.push_back(vec(at));
  }
  for (int t = 0; t < triangles; t++) triangle(&s, t, &index[3 * t]);
  PxTriangleMeshDesc desc;
  desc.points.data = x.data(), desc.points.count = (PxU32)x.size(), desc.points.stride = sizeof(PxVec3);
  desc.triangles.data = index.data(), desc.triangles.count = triangles,
  desc.triangles.stride = 3 * sizeof(int);
  return checked(PxCreateTriangleMesh(PxCookingParams(physics->getTolerancesScale()), desc), "mesh");
}

static void make_bodies() {
  std::vector<std::vector<PxShape *>> form(s.shape_count);
  for (int i = 0; i < s.shape_count; i++)
    for (int k = 0; k < s.shapes[i].count; k++) form[i].push_back(one(s.shapes[i].parts[k]));
  made = new PxRigidDynamic *[s.body_count];
  for (int i = 0; i < s.body_count; i++) {
    made[i] = physics->createRigidDynamic(pose(s.bodies[i].x));
    for (PxShape *part : form[s.bodies[i].shape]) made[i]->attachShape(*part);
    PxRigidBodyExt::updateMassAndInertia(*made[i], 1000);
    made[i]->setLinearDamping(0), made[i]->setAngularDamping(0);
    if (!sleeps()) made[i]->setSleepThreshold(0);
    world->addActor(*made[i]);
  }
}

static void make_ball(const ball &j) {
  PxTransform at(vec(j.at));
  PxRigidActor *a = made[j.a], *b = j.b < 0 ? nullptr : made[j.b];
  PxTransform in_b = b ? b->getGlobalPose().transformInv(at) : at;
  checked(PxSphericalJointCreate(*physics, b, in_b, a, a->getGlobalPose().transformInv(at)), "joint");
}

static void make_world() {
  const char *solver = getenv("SOLVER");
  PxFoundation *base = checked(PxCreateFoundation(PX_PHYSICS_VERSION, memory, complaints), "foundation");
  physics = checked(PxCreatePhysics(PX_PHYSICS_VERSION, *base, PxTolerancesScale()), "physics");
  PxSceneDesc desc(physics->getTolerancesScale());
  desc.gravity = vec(s.gravity);
  desc.cpuDispatcher = PxDefaultCpuDispatcherCreate(0); // all is done by the thread that waits
  desc.filterShader = PxDefaultSimulationFilterShader;
  if (solver && !strcmp(solver, "TGS")) desc.solverType = PxSolverType::eTGS;
  world = checked(physics->createScene(desc), "scene");
  material = physics->createMaterial((float)s.mu, (float)s.mu, 0); // PhysX takes the mean of the two
}

static void make(int) {
  make_world();
  for (int i = 0; i < s.planes; i++) plane(s.plane[i]);
  if (s.height) add_fixed(PxTriangleMeshGeometry(mesh()), PxVec3(0));
  make_bodies();
  for (int i = 0; i < s.ball_count; i++) make_ball(s.balls[i]);
  for (int i = 0; i < s.state_count; i++) {
    const double *x = s.states[i].x;
    made[i]->setGlobalPose(pose(x));
    made[i]->setLinearVelocity(vec(x + 7));
    made[i]->setAngularVelocity(vec(x + 10));
  }
}

static void step() {
  world->simulate(1 / 60.f);
  world->fetchResults(true);
}

static void tell(int i, double state[13]) {
  PxTransform t = made[i]->getGlobalPose();
  PxVec3 v = made[i]->getLinearVelocity(), w = made[i]->getAngularVelocity();
  const double row[13] = {t.p.x, t.p.y, t.p.z, t.q.w, t.q.x, t.q.y, t.q.z, v.x, v.y, v.z, w.x, w.y, w.z};
  memcpy(state, row, sizeof row);
}

int main(int argc, char **argv) { return drive(argc, argv, &s, make, step, tell); }
