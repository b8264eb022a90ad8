# Follows the set-up of YADE's own triaxial tutorial with the steps that the tutorial describes in comments: isotropic compression, friction
# reduced until the porosity is reached, the packing written, deviatoric loading to 15 % of strain with side stresses kept.
import os
from yade import export


def settle():
    for _ in range(400):
        O.run(500, True)
        if unbalancedForce() < stabilityThreshold and abs(-10000 - triax.meanStress) / 10000 < 0.001:
            return
    raise SystemExit('the packing does not come to rest')


triax.goal1 = triax.goal2 = triax.goal3 = -10000
settle()
while triax.porosity > targetPorosity:
    compFricDegree = 0.95 * compFricDegree
    setContactFriction(radians(compFricDegree))
    O.run(500, True)
triax.internalCompaction = False
setContactFriction(radians(finalFricDegree))
settle()
export.textExt('packing.txt', format='x_y_z_r')
sides = [O.bodies[i].state.pos for i in wallIds]
with open('walls.txt', 'w') as out:
    out.write('%.17g %.17g %.17g %.17g %.17g %.17g\n' % tuple(sides[k][k // 2] for k in (0, 2, 4, 1, 3, 5)))
triax.stressMask = 5
newton.damping = float(os.environ.get('DAMP', newton.damping))  # damping during the loading; the tutorial has 0.2
triax.goal1 = triax.goal3 = -10000
triax.goal2 = rate
start, height, volume = triax.strain[1], triax.height, triax.width * triax.height * triax.depth
with open('series.txt', 'w') as out:
    out.write('strain axial lateral volumetric\n')
    while triax.strain[1] - start > -0.15:
        O.run(50, True)
        lateral = -0.5 * (triax.stress(triax.wall_right_id)[0] + triax.stress(triax.wall_front_id)[2])
        out.write('%.6g %.6g %.6g %.6g\n' % (1 - triax.height / height, -triax.stress(triax.wall_top_id)[1], lateral,
            triax.width * triax.height * triax.depth / volume - 1))
os._exit(0)
