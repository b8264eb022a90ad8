#!/usr/bin/env python3
"""Reference answers of the single-contact laws to 60 digits, independent of the engine: prints tests/unit/law/reference_data.h.

Run by hand (needs mpmath):  python3 tests/unit/law/reference.py > tests/unit/law/reference_data.h
Maximum dissipation: the quartic in e^(i al) of Preclik, Eibl & Ruede (2017), all admissible roots tried. Coulomb: the quartic
in lambda, smallest positive root. Cone: the quartic in nu of (A + nu J) x = b, all roots tried, least energy kept."""
import random
from mpmath import mp, mpf, mpc, matrix, polyroots, cos, sin, sqrt, arg

mp.dps = 60


def energy(A, b, x):
    return sum(x[i] * A[i][j] * x[j] for i in range(3) for j in range(3)) / 2 - sum(x[i] * b[i] for i in range(3))


def inside(x, mu):
    return x[0] >= 0 and sqrt(x[1] ** 2 + x[2] ** 2) <= mu * x[0]


def solve3(A, b):
    return list(mp.lu_solve(matrix(A), matrix(b)))


def reduced(A, b):
    s = [A[0][1] / A[0][0], A[0][2] / A[0][0]]
    H = [[A[i + 1][j + 1] - A[0][i + 1] * s[j] for j in range(2)] for i in range(2)]
    return H, [b[i + 1] - s[i] * b[0] for i in range(2)]


def real_roots(coefficients):
    while coefficients and coefficients[0] == 0:
        coefficients = coefficients[1:]
    roots = polyroots(coefficients, maxsteps=5000, extraprec=600)
    return [r.real for r in roots if abs(mpc(r).imag) < mpf(10) ** -25 * (1 + abs(r))]


def max_dissipation(A, b, mu):
    if b[0] < 0:
        return [mpf(0)] * 3
    x0 = solve3(A, b)
    if inside(x0, mu):
        return x0
    (nn, nt, no), (_, tt, to), (_, _, oo) = A
    bn, bt, bo = b
    c0 = mpf(3) / 2 * mu * nn * (no * bt - nt * bo)
    c1 = mu ** 2 * ((nt * to - no * tt) * bn + nt * no * bt - nt ** 2 * bo) - nn ** 2 * bo + nn * no * bn
    s1 = -mu ** 2 * ((no * to - nt * oo) * bn - no ** 2 * bt + nt * no * bo) + nn ** 2 * bt - nn * nt * bn
    c2 = mu * nn / 2 * (2 * to * bn - no * bt - nt * bo)
    s2 = -mu * nn / 2 * ((tt - oo) * bn - nt * bt + no * bo)
    i = mpc(0, 1)
    best = (mpf(0), [mpf(0)] * 3)
    for z in polyroots([c2 / 2 + s2 / (2 * i), c1 / 2 + s1 / (2 * i), c0, c1 / 2 - s1 / (2 * i), c2 / 2 - s2 / (2 * i)], maxsteps=5000, extraprec=600):
        al = arg(z)
        f = nn + mu * (nt * cos(al) + no * sin(al))
        if f <= 0 or abs(abs(z) - 1) > mpf(10) ** -25:
            continue
        xn = bn / f
        x = [xn, mu * xn * cos(al), mu * xn * sin(al)]
        best = min(best, (energy(A, b, x), x), key=lambda e: e[0])
    return best[1]


def coulomb(A, b, mu):
    if b[0] < 0:
        return [mpf(0)] * 3
    x0 = solve3(A, b)
    if inside(x0, mu):
        return x0
    H, g = reduced(A, b)
    p = [H[1][1] * g[0] - H[0][1] * g[1], H[0][0] * g[1] - H[0][1] * g[0]]
    det, trace, m = H[0][0] * H[1][1] - H[0][1] ** 2, H[0][0] + H[1][1], mu / A[0][0]
    a = [A[0][1], A[0][2]]
    # |p + l g|^2 = (r0 + r1 l + r2 l^2)^2
    r = [m * (b[0] * det - a[0] * p[0] - a[1] * p[1]), m * (b[0] * trace - a[0] * g[0] - a[1] * g[1]), m * b[0]]
    quartic = [-r[2] ** 2, -2 * r[1] * r[2], g[0] ** 2 + g[1] ** 2 - r[1] ** 2 - 2 * r[0] * r[2], 2 * (p[0] * g[0] + p[1] * g[1]) - 2 * r[0] * r[1],
               p[0] ** 2 + p[1] ** 2 - r[0] ** 2]
    good = [l for l in real_roots(quartic) if l > 0 and r[0] + r[1] * l + r[2] * l * l > 0]
    if not good:
        return [mpf(0)] * 3
    l = min(good)
    y = [(p[i] + l * g[i]) / (det + l * trace + l * l) for i in range(2)]
    return [sqrt(y[0] ** 2 + y[1] ** 2) / mu] + y


def cone(A, b, mu):
    if b[0] <= 0 and -b[0] >= mu * sqrt(b[1] ** 2 + b[2] ** 2):
        return [mpf(0)] * 3
    x0 = solve3(A, b)
    if inside(x0, mu):
        return x0
    # stationary points of (w.b)^2/(w'Aw), w = (1, mu cos, mu sin), by dense sampling and bisection of the derivative
    def slope(al):
        u, v = (cos(al), sin(al)), (-sin(al), cos(al))
        w, d = [mpf(1), mu * u[0], mu * u[1]], [mpf(0), mu * v[0], mu * v[1]]
        Aw = [sum(A[i][j] * w[j] for j in range(3)) for i in range(3)]
        wb, db = sum(w[i] * b[i] for i in range(3)), sum(d[i] * b[i] for i in range(3))
        return db * sum(w[i] * Aw[i] for i in range(3)) - wb * sum(d[i] * Aw[i] for i in range(3))
    n, best = 720, (mpf(0), [mpf(0)] * 3)
    for k in range(n):
        lo, hi = 2 * mp.pi * k / n, 2 * mp.pi * (k + 1) / n
        if slope(lo) <= 0 or slope(hi) > 0:
            continue
        for _ in range(180):
            mid = (lo + hi) / 2
            lo, hi = (mid, hi) if slope(mid) > 0 else (lo, mid)
        w = [mpf(1), mu * cos(lo), mu * sin(lo)]
        wb = sum(w[i] * b[i] for i in range(3))
        if wb <= 0:
            continue
        s = wb / sum(w[i] * A[i][j] * w[j] for i in range(3) for j in range(3))
        x = [s * c for c in w]
        best = min(best, (energy(A, b, x), x), key=lambda e: e[0])
    return best[1]


def problem(rng, kind):
    size = 10.0 if kind != 2 else 1000.0
    M = [[rng.uniform(-1, 1) * size ** rng.uniform(-1, 1) for _ in range(3)] for _ in range(3)]
    A = [[sum(M[i][k] * M[j][k] for k in range(3)) + (0.05 if i == j else 0) for j in range(3)] for i in range(3)]
    for i in range(3):
        for j in range(i):
            A[i][j] = A[j][i]
    b = [abs(rng.uniform(-1, 1)), rng.uniform(-1, 1), rng.uniform(-1, 1)]
    mu = rng.uniform(0.05, 1.5)
    a = (A[0][1] ** 2 + A[0][2] ** 2) ** 0.5
    if kind == 1:
        mu = A[0][0] / a * 10 ** rng.uniform(0, 3)      # hyperbola
        b[0] *= 10 ** rng.uniform(-9, 0)
    if kind == 3:
        mu = A[0][0] / a * (1 + rng.choice([-1, 1]) * 10 ** rng.uniform(-15, -2))  # near a parabola
        b[0] *= 10 ** rng.uniform(-6, 0)
    if kind == 4:
        b[0] *= 10 ** rng.uniform(-12, -2)              # grazing
    return A, b, mu


def main():
    rng = random.Random(20170)
    print("/* Made by reference.py: A (nn,nt,no,tt,to,oo), b, mu, and the answers of max_dissipation, coulomb and cone to 17 digits. */")
    print("static const struct { double A[6], b[3], mu, answer[3][3]; } references[] = {")
    kept = 0
    while kept < 60:
        A, b, mu = problem(rng, kept % 5)
        exact = [[mpf(v) for v in row] for row in A], [mpf(v) for v in b], mpf(mu)
        if inside(solve3(exact[0], exact[1]), exact[2]):
            continue
        kept += 1
        answers = [law(*exact) for law in (max_dissipation, coulomb, cone)]
        text = ["%.17g" % v for v in (A[0][0], A[0][1], A[0][2], A[1][1], A[1][2], A[2][2])], ["%.17g" % v for v in b]
        rows = ["{%s}" % ", ".join(mp.nstr(v, 17) for v in x) for x in answers]
        print("  {{%s},\n   {%s}, %.17g,\n   {%s}}," % (", ".join(text[0]), ", ".join(text[1]), mu, ",\n    ".join(rows)))
    print("};")


main()
