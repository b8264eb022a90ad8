-- Equations of motion of rigid bodies with constraints, integrated by Runge-Kutta, as a reference that shares no code with the engine.
--
-- A state is a list of bodies { x =, q =, v =, w =, m =, I = }: position, orientation, velocity, spin (world axes), mass, principal moments in
-- the axes of the body. A row is a list of { body, lin, ang }: the sum of lin.v + ang.w is 0. A row with an inertia is a rotor: its velocity is
-- free, and the inertia adds to that of the bodies. A load is { body, force, torque about the centre }.
local rigid = {}

-- ---- vectors and quaternions (w, x, y, z) ----

function rigid.cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
function rigid.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
function rigid.add(a, s, b) return { a[1] + s * b[1], a[2] + s * b[2], a[3] + s * b[3] } end
function rigid.scale(s, a) return { s * a[1], s * a[2], s * a[3] } end
function rigid.norm(a) return math.sqrt(rigid.dot(a, a)) end
function rigid.unit(a) return rigid.scale(1 / rigid.norm(a), a) end
local cross, dot, add, scale, norm = rigid.cross, rigid.dot, rigid.add, rigid.scale, rigid.norm

-- any unit vector across a
function rigid.across(a) return rigid.unit(cross(a, math.abs(a[1]) < 0.6 * norm(a) and { 1, 0, 0 } or { 0, 1, 0 })) end

function rigid.turn(q, v)
  local u = { q[2], q[3], q[4] }
  local c = cross(u, v)
  return add(add(v, 2 * q[1], c), 2, cross(u, c))
end
function rigid.conjugate(q) return { q[1], -q[2], -q[3], -q[4] } end
function rigid.back(q, v) return rigid.turn(rigid.conjugate(q), v) end
function rigid.product(a, b)
  return {
    a[1] * b[1] - a[2] * b[2] - a[3] * b[3] - a[4] * b[4],
    a[1] * b[2] + a[2] * b[1] + a[3] * b[4] - a[4] * b[3],
    a[1] * b[3] - a[2] * b[4] + a[3] * b[1] + a[4] * b[2],
    a[1] * b[4] + a[2] * b[3] - a[3] * b[2] + a[4] * b[1],
  }
end
-- quaternion of a rotation vector, and the rotation vector of at most pi of a quaternion
function rigid.quat(v)
  local angle = norm(v)
  local s = angle > 0 and math.sin(angle / 2) / angle or 0.5
  return { math.cos(angle / 2), s * v[1], s * v[2], s * v[3] }
end
function rigid.vector(q)
  local sign, sine = q[1] < 0 and -1 or 1, norm { q[2], q[3], q[4] }
  local factor = sine > 1e-14 and 2 * math.atan(sine, sign * q[1]) / sine or 2
  return scale(sign * factor, { q[2], q[3], q[4] })
end
local turn, back, product = rigid.turn, rigid.back, rigid.product

-- ---- motion ----

-- Returns the quaternion after a rotation with the spin w for the time h, to first order.
local function spun(q, h, w)
  local rate, out = product({ 0, w[1], w[2], w[3] }, q), {}
  for k = 1, 4 do out[k] = q[k] + h / 2 * rate[k] end
  local length = math.sqrt(out[1] ^ 2 + out[2] ^ 2 + out[3] ^ 2 + out[4] ^ 2)
  for k = 1, 4 do out[k] = out[k] / length end
  return out
end

local function with(b, x, q, v, w) return { x = x, q = q, v = v, w = w, m = b.m, I = b.I } end

local function moved(s, h, rates)
  local out = {}
  for i, b in ipairs(s) do
    local r = rates[i]
    out[i] = with(b, add(b.x, h, r.v), spun(b.q, h, r.w), add(b.v, h, r.a), add(b.w, h, r.wa))
  end
  return out
end

local function times(b, v, power) -- inertia tensor, or its inverse, times v
  local own = back(b.q, v)
  for k = 1, 3 do own[k] = own[k] * b.I[k] ^ power end
  return turn(b.q, own)
end

-- Solves A x = b by elimination with pivots.
local function solve(A, b)
  local n, x = #b, {}
  for i = 1, n do
    local p = i
    for r = i + 1, n do if math.abs(A[r][i]) > math.abs(A[p][i]) then p = r end end
    A[i], A[p], b[i], b[p] = A[p], A[i], b[p], b[i]
    for r = i + 1, n do
      local f = A[r][i] / A[i][i]
      for c = i, n do A[r][c] = A[r][c] - f * A[i][c] end
      b[r] = b[r] - f * b[i]
    end
  end
  for i = n, 1, -1 do
    x[i] = b[i]
    for c = i + 1, n do x[i] = x[i] - A[i][c] * x[c] end
    x[i] = x[i] / A[i][i]
  end
  return x
end

local function along(row, s, lin, ang) -- component of velocities or accelerations along a row
  local sum = 0
  for _, e in ipairs(row) do sum = sum + dot(e[2], s[e[1]][lin]) + dot(e[3], s[e[1]][ang]) end
  return sum
end

-- Returns the rates { v =, w =, a =, wa = } of all bodies. case.rows(s) returns rows, case.loads(s) loads.
local function rates_of(case, s)
  local out, drift, load = {}, {}, {}
  for i, b in ipairs(s) do load[i] = { { 0, 0, 0 }, scale(-1, cross(b.w, times(b, b.w, 1))) } end
  for _, l in ipairs(case.loads(s)) do load[l[1]] = { add(load[l[1]][1], 1, l[2]), add(load[l[1]][2], 1, l[3]) } end
  for i, b in ipairs(s) do
    drift[i] = { v = b.v, w = b.w, a = { 0, 0, 0 }, wa = { 0, 0, 0 } }
    out[i] = { v = b.v, w = b.w, a = scale(1 / b.m, load[i][1]), wa = times(b, load[i][2], -1) }
  end
  local rows, small = case.rows(s), 1e-5
  if #rows == 0 then return out end
  local later, before, A, b = case.rows(moved(s, small, drift)), case.rows(moved(s, -small, drift)), {}, {}
  for r, row in ipairs(rows) do
    b[r] = -(along(later[r], s, "v", "w") - along(before[r], s, "v", "w")) / (2 * small) - along(row, out, "a", "wa")
    A[r] = {}
    for c, other in ipairs(rows) do
      local sum = r == c and row.inertia and 1 / row.inertia or 0
      for _, e in ipairs(row) do
        for _, f in ipairs(other) do
          if e[1] == f[1] then sum = sum + dot(e[2], f[2]) / s[e[1]].m + dot(e[3], times(s[e[1]], f[3], -1)) end
        end
      end
      A[r][c] = sum
    end
  end
  local x = solve(A, b)
  for r, row in ipairs(rows) do
    for _, e in ipairs(row) do
      local to = out[e[1]]
      to.a, to.wa = add(to.a, x[r] / s[e[1]].m, e[2]), add(to.wa, x[r], times(s[e[1]], e[3], -1))
    end
  end
  return out
end

-- Returns the state after `time`, in n steps of the classical Runge-Kutta method.
function rigid.integrate(case, s, time, n)
  local h, weight = time / n, { 1 / 6, 1 / 3, 1 / 3, 1 / 6 }
  for _ = 1, n do
    local stage, rate = { s }, {}
    for j = 1, 4 do
      rate[j] = rates_of(case, stage[j])
      if j < 4 then stage[j + 1] = moved(s, j < 3 and h / 2 or h, rate[j]) end
    end
    local out = {}
    for i, b in ipairs(s) do
      local to = with(b, b.x, { b.q[1], b.q[2], b.q[3], b.q[4] }, b.v, b.w)
      for j = 1, 4 do
        local r = rate[j][i]
        to.x, to.v, to.w = add(to.x, h * weight[j], r.v), add(to.v, h * weight[j], r.a), add(to.w, h * weight[j], r.wa)
        local dq = product({ 0, r.w[1], r.w[2], r.w[3] }, stage[j][i].q)
        for k = 1, 4 do to.q[k] = to.q[k] + h / 2 * weight[j] * dq[k] end
      end
      to.q = spun(to.q, 0, to.w)
      out[i] = to
    end
    s = out
  end
  return s
end

-- ---- rows and loads of two bodies ----

-- Returns the function that computes the state of a joint of the bodies a and b, which is created in state s: p1, p2, n1, n2, u1, u2: point,
-- axis and a direction across it on both bodies; r1, r2: arms of the points; rs: arm of p1 on b; turned: rotation of a relative to b.
function rigid.joint(s, a, b, at, axis, at_b, axis_b)
  local A, B = s[a], s[b]
  local anchor1, anchor2 = back(A.q, add(at, -1, A.x)), back(B.q, add(at_b or at, -1, B.x))
  local n1, n2, u = back(A.q, axis), back(B.q, axis_b or axis), rigid.across(axis)
  local u1, u2, relative = back(A.q, u), back(B.q, u), product(rigid.conjugate(A.q), B.q)
  return function(t)
    A, B = t[a], t[b]
    local k = { a = a, b = b, r1 = turn(A.q, anchor1), r2 = turn(B.q, anchor2), n1 = turn(A.q, n1), n2 = turn(B.q, n2) }
    k.u1, k.u2, k.p1, k.p2 = turn(A.q, u1), turn(B.q, u2), add(A.x, 1, k.r1), add(B.x, 1, k.r2)
    k.rs, k.gap, k.spin = add(k.p1, -1, B.x), add(k.p1, -1, k.p2), add(A.w, -1, B.w)
    local v1 = add(A.v, 1, cross(A.w, k.r1))
    k.speed, k.shift = add(v1, -1, add(B.v, 1, cross(B.w, k.r2))), add(v1, -1, add(B.v, 1, cross(B.w, k.rs)))
    k.turned = rigid.vector(product(product(A.q, relative), rigid.conjugate(B.q)))
    k.angle = math.atan(dot(cross(k.u2, k.u1), k.n2), dot(k.u1, k.u2))
    return k
  end
end

-- force d on a at p1; its reaction acts on b at p2, or at p1 if `shifts`. This is a load, and the row of the velocity along d.
function rigid.pull(k, d, shifts) return { k.a, d, cross(k.r1, d) }, { k.b, scale(-1, d), scale(-1, cross(shifts and k.rs or k.r2, d)) } end
function rigid.twist(k, d) return { k.a, { 0, 0, 0 }, d }, { k.b, { 0, 0, 0 }, scale(-1, d) } end

local AXES = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
-- Adds rows that lock: a point, the orientation, the axis, motion across the axis.
function rigid.lock_point(k, rows) for _, d in ipairs(AXES) do rows[#rows + 1] = { rigid.pull(k, d) } end end
function rigid.lock_turn(k, rows) for _, d in ipairs(AXES) do rows[#rows + 1] = { rigid.twist(k, d) } end end
function rigid.lock_axis(k, rows) for _, d in ipairs { k.u2, cross(k.n2, k.u2) } do rows[#rows + 1] = { rigid.twist(k, d) } end end
function rigid.lock_line(k, rows) for _, d in ipairs { k.u2, cross(k.n2, k.u2) } do rows[#rows + 1] = { rigid.pull(k, d, true) } end end

return rigid
