/* A scene of scenes/bench/engines.lua in Box3D, with the 4 substeps that it advises. Prints milliseconds
 * a step and leaves its last state.
 * engines_box3d SCENE OUT SWEEPS, the last of which it has no use for */
#include <box3d/box3d.h>

#include "engines.h"

static scene s;
static b3WorldId world;
static b3BodyId *made, ground;

static b3Vec3 vec(const double *x) { return (b3Vec3){(float)x[0], (float)x[1], (float)x[2]}; }

static b3Quat quat(const double *q) { return (b3Quat){vec(q + 1), (float)q[0]}; }

static void attach(b3BodyId to, const b3ShapeDef *def, const part *p) {
  b3Vec3 at = vec(p->at);
  if (p->kind == 'b') {
    b3BoxHull box = b3MakeOffsetBoxHull((float)p->size[0], (float)p->size[1], (float)p->size[2], at);
    b3CreateHullShape(to, def, &box.base);
  } else if (p->kind == 's') {
    b3CreateSphereShape(to, def, &(b3Sphere){at, (float)p->size[0]});
  } else if (p->kind == 'c') {
    float half = (float)p->size[1];
    b3CreateCapsuleShape(
        to, def, &(b3Capsule){{at.x, at.y, at.z - half}, {at.x, at.y, at.z + half}, (float)p->size[0]});
  } else {
    b3Vec3 point[64];
    for (int i = 0; i < p->points && i < 64; i++) point[i] = vec(p->point + 3 * i);
    b3HullData *hull = b3CreateHull(point, p->points, p->points);
    b3CreateHullShape(to, def, hull);
    b3DestroyHull(hull);
  }
}

/* A half space: a thick slab. */
static void plane(const b3ShapeDef *def, const double *n) {
  part slab = {.kind = 'b'};
  for (int k = 0; k < 3; k++) slab.size[k] = n[k] != 0 ? 5 : 80, slab.at[k] = n[k] * (n[3] - 5);
  attach(ground, def, &slab);
}

static void mesh(const b3ShapeDef *def) {
  int triangles = 2 * (s.nx - 1) * (s.ny - 1), corners = s.nx * s.ny;
  b3Vec3 *x = malloc((size_t)corners * sizeof *x);
  int32_t *index = malloc(3 * (size_t)triangles * sizeof *index);
  for (int i = 0; i < corners; i++) {
    double at[3];
    corner_at(&s, i, at);
    x[i] = vec(at);
  }
  for (int t = 0; t < triangles; t++) triangle(&s, t, index + 3 * t);
  b3MeshDef m = {.vertices = x,
      .indices = index,
      .vertexCount = corners,
      .triangleCount = triangles,
      .identifyEdges = true};
  b3CreateMeshShape(ground, def, b3CreateMesh(&m, NULL, 0), (b3Vec3){1, 1, 1});
}

static void make_body(int i, const b3ShapeDef *def) {
  const double *x = s.bodies[i].x;
  const shape *form = s.shapes + s.bodies[i].shape;
  b3BodyDef body = b3DefaultBodyDef();
  body.type = b3_dynamicBody;
  body.position = vec(x);
  body.rotation = quat(x + 3);
  made[i] = b3CreateBody(world, &body);
  for (int k = 0; k < form->count; k++) attach(made[i], def, form->parts + k);
}

static void make_ball(const ball *j) {
  b3SphericalJointDef def = b3DefaultSphericalJointDef();
  def.base.bodyIdA = j->b < 0 ? ground : made[j->b];
  def.base.bodyIdB = made[j->a];
  def.base.localFrameA.p = b3Body_GetLocalPoint(def.base.bodyIdA, vec(j->at));
  def.base.localFrameB.p = b3Body_GetLocalPoint(def.base.bodyIdB, vec(j->at));
  b3CreateSphericalJoint(world, &def);
}

static void make(int sweeps) {
  (void)sweeps; // its substeps stand for them
  b3WorldDef def = b3DefaultWorldDef();
  b3BodyDef fixed = b3DefaultBodyDef();
  b3ShapeDef form = b3DefaultShapeDef();
  def.gravity = vec(s.gravity);
  def.enableSleep = sleeps();
  def.workerCount = 1;
  world = b3CreateWorld(&def);
  ground = b3CreateBody(world, &fixed);
  form.baseMaterial.friction = (float)s.mu;
  for (int i = 0; i < s.planes; i++) plane(&form, s.plane[i]);
  if (s.height) mesh(&form);
  made = malloc((size_t)s.body_count * sizeof *made);
  for (int i = 0; i < s.body_count; i++) make_body(i, &form);
  for (int i = 0; i < s.ball_count; i++) make_ball(s.balls + i);
  for (int i = 0; i < s.state_count; i++) {
    const double *x = s.states[i].x;
    b3Body_SetTransform(made[i], vec(x), quat(x + 3));
    b3Body_SetLinearVelocity(made[i], vec(x + 7));
    b3Body_SetAngularVelocity(made[i], vec(x + 10));
  }
}

static void step(void) { b3World_Step(world, 1 / 60.f, 4); }

static void tell(int i, double state[13]) {
  b3Pos x = b3Body_GetPosition(made[i]);
  b3Quat q = b3Body_GetRotation(made[i]);
  b3Vec3 v = b3Body_GetLinearVelocity(made[i]), w = b3Body_GetAngularVelocity(made[i]);
  const double row[13] = {x.x, x.y, x.z, q.s, q.v.x, q.v.y, q.v.z, v.x, v.y, v.z, w.x, w.y, w.z};
  memcpy(state, row, sizeof row);
}

int main(int argc, char **argv) { return drive(argc, argv, &s, make, step, tell); }
