# Follows YADE's own deck of a rotating drum: shakes the lattice by the seed, runs 5 s (0.4 turns),
# writes a frame every 0.1 s of the last 2 s.
import os, random
from yade import export

random.seed(int(os.environ['SEED']))
for body in O.bodies:
    if isinstance(body.shape, Sphere):
        body.state.pos += Vector3(*[random.uniform(-0.01, 0.01) for _ in range(3)])
with open('grains.txt', 'w') as out:
    out.write('x y z radius\n')
    for body in O.bodies:
        if isinstance(body.shape, Sphere):
            out.write('%.17g %.17g %.17g %.17g\n' % (*body.state.pos, body.shape.radius))
for frame in range(50):
    O.run(round(0.1 / O.dt), True)
    if frame < 30:
        continue
    with open('frame.%03d.txt' % frame, 'w') as out:
        out.write('x y z vx vy vz radius mass\n')
        for body in O.bodies:
            if isinstance(body.shape, Sphere):
                out.write('%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n' % (*body.state.pos, *body.state.vel, body.shape.radius, body.state.mass))
os._exit(0)
