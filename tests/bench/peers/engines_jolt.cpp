/* A scene of scenes/bench/engines.lua in Jolt: SWEEPS iterations of velocities (10 is its default) and its
 * default of 2 of positions. Prints milliseconds a step and leaves its last state.
 * engines_jolt SCENE OUT SWEEPS */
#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseLayerInterfaceTable.h>
#include <Jolt/Physics/Collision/BroadPhase/ObjectVsBroadPhaseLayerFilterTable.h>
#include <Jolt/Physics/Collision/GroupFilter.h>
#include <Jolt/Physics/Collision/ObjectLayerPairFilterTable.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Collision/Shape/StaticCompoundShape.h>
#include <Jolt/Physics/Constraints/PointConstraint.h>
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>

#include "engines.h"

enum { FIXED, MOVING, LAYERS };
static const unsigned most = 1 << 16; // of bodies, pairs and contacts

static scene s;
static JPH::PhysicsSystem *world;
static JPH::TempAllocator *memory;
static JPH::JobSystem *jobs;
static JPH::Body **made;

static JPH::Vec3 vec(const double *x) { return JPH::Vec3((float)x[0], (float)x[1], (float)x[2]); }

static JPH::Quat quat(const double *q) {
  return JPH::Quat((float)q[1], (float)q[2], (float)q[3], (float)q[0]);
}

/* Capsules lie along y in Jolt, along z in the scene. */
static JPH::Quat turn(const part &p) {
  return p.kind == 'c' ? JPH::Quat::sRotation(JPH::Vec3::sAxisX(), JPH::JPH_PI / 2) : JPH::Quat::sIdentity();
}

static JPH::Quat turn_of(int body) {
  const shape &form = s.shapes[s.bodies[body].shape];
  return form.count == 1 ? turn(form.parts[0]) : JPH::Quat::sIdentity();
}

static JPH::ShapeRefC checked(const JPH::ShapeSettings::ShapeResult &result) {
  if (result.HasError()) fprintf(stderr, "%s\n", result.GetError().c_str()), exit(1);
  return result.Get();
}

static JPH::ShapeRefC one(const part &p) {
  if (p.kind == 'b') return new JPH::BoxShape(vec(p.size));
  if (p.kind == 's') return new JPH::SphereShape((float)p.size[0]);
  if (p.kind == 'c') return new JPH::CapsuleShape((float)p.size[1], (float)p.size[0]);
  JPH::Array<JPH::Vec3> points;
  for (int i = 0; i < p.points; i++) points.push_back(vec(p.point + 3 * i));
  JPH::ConvexHullShapeSettings hull(points);
  hull.SetEmbedded();
  return checked(hull.Create());
}

static JPH::ShapeRefC whole_shape(const shape &from) {
  if (from.count == 1) return one(from.parts[0]);
  JPH::StaticCompoundShapeSettings sum;
  sum.SetEmbedded();
  for (int i = 0; i < from.count; i++)
    sum.AddShape(vec(from.parts[i].at), turn(from.parts[i]), one(from.parts[i]).GetPtr());
  return checked(sum.Create());
}

static JPH::ShapeRefC mesh() {
  JPH::VertexList x;
  JPH::IndexedTriangleList list;
  for (int i = 0; i < s.nx * s.ny; i++) {
    double at[3];
    corner_at(&s, i, at);
    x.push_back(JPH::Float3((float)at[0], (float)at[1], (float)at[2]));
  }
  for (int t = 0; t < 2 * (s.nx - 1) * (s.ny - 1); t++) {
    int corner[3];
    triangle(&s, t, corner);
    list.push_back(JPH::IndexedTriangle(corner[0], corner[1], corner[2]));
  }
  JPH::MeshShapeSettings settings(x, list);
  settings.SetEmbedded();
  return checked(settings.Create());
}

static JPH::Body *add(JPH::BodyCreationSettings settings) {
  settings.mFriction = (float)s.mu; // Jolt takes the root of the product of the two
  settings.mLinearDamping = settings.mAngularDamping = 0;
  JPH::Body *b = world->GetBodyInterface().CreateBody(settings);
  if (!b) fprintf(stderr, "too many bodies for Jolt\n"), exit(1);
  world->GetBodyInterface().AddBody(b->GetID(), JPH::EActivation::Activate);
  return b;
}

static void add_fixed(const JPH::Shape *form, JPH::Vec3 at) {
  add(JPH::BodyCreationSettings(
      form, JPH::RVec3(at), JPH::Quat::sIdentity(), JPH::EMotionType::Static, FIXED));
}

/* A half space: a thick slab. */
static void plane(const double *n) {
  double half[3], at[3];
  for (int k = 0; k < 3; k++) half[k] = n[k] != 0 ? 5 : 80, at[k] = n[k] * (n[3] - 5);
  add_fixed(new JPH::BoxShape(vec(half)), vec(at));
}

/* Bodies that a joint ties do not touch each other; a body is a group of its own. */
class tied : public JPH::GroupFilter {
public:
  JPH::Array<JPH::Array<JPH::uint32>> to;

  void tie(int a, int b) {
    if (b < 0) return;
    to[a].push_back(b), to[b].push_back(a);
  }
  bool CanCollide(const JPH::CollisionGroup &a, const JPH::CollisionGroup &b) const override {
    for (JPH::uint32 other : to[a.GetGroupID()])
      if (other == b.GetGroupID()) return false;
    return true;
  }
};

static void make_bodies(tied *filter) {
  JPH::Array<JPH::ShapeRefC> form;
  for (int i = 0; i < s.shape_count; i++) form.push_back(whole_shape(s.shapes[i]));
  made = new JPH::Body *[s.body_count];
  for (int i = 0; i < s.body_count; i++) {
    const double *x = s.bodies[i].x;
    JPH::BodyCreationSettings settings(form[s.bodies[i].shape].GetPtr(), JPH::RVec3(vec(x)),
        quat(x + 3) * turn_of(i), JPH::EMotionType::Dynamic, MOVING);
    if (!filter->to[i].empty()) settings.mCollisionGroup = JPH::CollisionGroup(filter, i, 0);
    made[i] = add(settings);
  }
}

static void make_ball(const ball &j) {
  JPH::PointConstraintSettings settings;
  settings.SetEmbedded();
  settings.mPoint1 = settings.mPoint2 = JPH::RVec3(vec(j.at));
  world->AddConstraint(settings.Create(j.b < 0 ? JPH::Body::sFixedToWorld : *made[j.b], *made[j.a]));
}

static void make_world(int sweeps) {
  auto *pairs = new JPH::ObjectLayerPairFilterTable(LAYERS);
  auto *layers = new JPH::BroadPhaseLayerInterfaceTable(LAYERS, LAYERS);
  pairs->EnableCollision(FIXED, MOVING), pairs->EnableCollision(MOVING, MOVING);
  for (int i = 0; i < LAYERS; i++) layers->MapObjectToBroadPhaseLayer(i, JPH::BroadPhaseLayer(i));
  auto *filter = new JPH::ObjectVsBroadPhaseLayerFilterTable(*layers, LAYERS, *pairs, LAYERS);
  world = new JPH::PhysicsSystem;
  world->Init(most, 0, most, most, *layers, *filter, *pairs);
  world->SetGravity(vec(s.gravity));
  JPH::PhysicsSettings settings;
  settings.mNumVelocitySteps = sweeps;
  settings.mAllowSleeping = sleeps();
  world->SetPhysicsSettings(settings);
}

static void make(int sweeps) {
  make_world(sweeps);
  for (int i = 0; i < s.planes; i++) plane(s.plane[i]);
  if (s.height) add_fixed(mesh(), JPH::Vec3::sZero());
  JPH::Ref<tied> filter = new tied;
  filter->to.resize(s.body_count);
  for (int i = 0; i < s.ball_count; i++) filter->tie(s.balls[i].a, s.balls[i].b);
  make_bodies(filter);
  for (int i = 0; i < s.ball_count; i++) make_ball(s.balls[i]);
  for (int i = 0; i < s.state_count; i++) {
    const double *x = s.states[i].x;
    world->GetBodyInterface().SetPositionRotationAndVelocity(made[i]->GetID(), JPH::RVec3(vec(x)),
        (quat(x + 3) * turn_of(i)).Normalized(), vec(x + 7), vec(x + 10));
  }
  world->OptimizeBroadPhase();
}

static void step() {
  if (world->Update(1 / 60.f, 1, memory, jobs) != JPH::EPhysicsUpdateError::None)
    fprintf(stderr, "Jolt has no room for all pairs or contacts\n"), exit(1);
}

static void tell(int i, double state[13]) {
  JPH::Vec3 x(made[i]->GetPosition()), v = made[i]->GetLinearVelocity(), w = made[i]->GetAngularVelocity();
  JPH::Quat q = made[i]->GetRotation() * turn_of(i).Conjugated();
  const double row[13] = {x.GetX(), x.GetY(), x.GetZ(), q.GetW(), q.GetX(), q.GetY(), q.GetZ(), v.GetX(),
      v.GetY(), v.GetZ(), w.GetX(), w.GetY(), w.GetZ()};
  memcpy(state, row, sizeof row);
}

int main(int argc, char **argv) {
  JPH::RegisterDefaultAllocator();
  JPH::Factory::sInstance = new JPH::Factory;
  JPH::RegisterTypes();
  memory = new JPH::TempAllocatorImpl(256 << 20);
  jobs = new JPH::JobSystemSingleThreaded(JPH::cMaxPhysicsJobs);
  return drive(argc, argv, &s, make, step, tell);
}
