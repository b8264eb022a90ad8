-- A ragdoll falls on a floor and comes to rest. Shoulders, hips, neck and waist are ball joints with limits
-- of twist and swing; elbows and knees are hinges.
--
--   scree run scenes/ragdoll.lua hold=3000          servos keep its pose; hold: their stiffness [N m/rad]
local parts = { -- name, centre, shape, size or radius, mass
  { "chest", { 0, 0, 1.25 }, "box", { 0.2, 0.34, 0.36 }, 20 },
  { "pelvis", { 0, 0, 0.95 }, "box", { 0.2, 0.3, 0.16 }, 10 },
  { "head", { 0, 0, 1.6 }, "sphere", 0.11, 4 },
}
local limbs = { -- name, parent, joint, end, radius, mass
  { "upper_arm", "chest", { 0, 0.22, 1.36 }, { 0, 0.5, 1.36 }, 0.05, 2 },
  { "forearm", "upper_arm", { 0, 0.5, 1.36 }, { 0, 0.76, 1.36 }, 0.04, 1.5 },
  { "thigh", "pelvis", { 0, 0.1, 0.86 }, { 0, 0.1, 0.46 }, 0.07, 7 },
  { "shin", "thigh", { 0, 0.1, 0.46 }, { 0, 0.1, 0.05 }, 0.05, 4 },
}
return {
  title = "ragdoll",
  params = { height = 0.6, damping = 0.5, hold = 0, dt = 1e-3, time = 4 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.6 }
    w:halfspace { normal = { 0, 0, 1 } }
    local body, up = {}, p.height
    local function lift(v, side) return { v[1], v[2] * (side or 1), v[3] + up } end
    for _, part in ipairs(parts) do
      local def = { name = part[1], position = lift(part[2]), mass = part[5], spin = { 0.4, 0.8, 0 } }
      if part[3] == "box" then
        def.size = part[4]
      else
        def.radius = part[4]
      end
      body[part[1]] = w[part[3]](w, def)
    end
    w.state.joints = {}
    local function tie(verb, def)
      if p.hold > 0 then
        def[verb == "ball" and "turn_servo" or "servo"] = { stiffness = p.hold, damping = p.hold / 30 }
      end
      table.insert(w.state.joints, w[verb](w, def))
    end
    tie("ball", {
      a = body.head,
      b = body.chest,
      at = lift { 0, 0, 1.46 },
      axis = { 0, 0, 1 },
      limits = { -0.8, 0.8 },
      swing = 0.6,
      turn_damping = p.damping,
    })
    tie("ball", {
      a = body.pelvis,
      b = body.chest,
      at = lift { 0, 0, 1.05 },
      axis = { 0, 0, -1 },
      limits = { -0.5, 0.5 },
      swing = 0.5,
      turn_damping = p.damping,
    })
    for side = -1, 1, 2 do
      local mate = side < 0 and "right_" or "left_"
      for _, l in ipairs(limbs) do
        local at, tip = lift(l[3], side), lift(l[4], side)
        local d = { tip[1] - at[1], tip[2] - at[2], tip[3] - at[3] }
        local length = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
        local q = math.abs(d[3]) > 0.9 * length and { 1, 0, 0, 0 }
          or { math.sqrt(0.5), math.sqrt(0.5), 0, 0 }
        local limb = w:capsule {
          name = mate .. l[1],
          radius = l[5],
          length = length - 2 * l[5],
          mass = l[6],
          orientation = q,
          spin = { 0.4, 0.8, 0 },
          position = { (at[1] + tip[1]) / 2, (at[2] + tip[2]) / 2, (at[3] + tip[3]) / 2 },
        }
        body[mate .. l[1]] = limb
        local parent = body[l[2]] or body[mate .. l[2]]
        if l[1] == "forearm" then
          tie(
            "hinge",
            { a = limb, b = parent, at = at, axis = { 0, 0, side }, limits = { 0, 2.4 }, damping = p.damping }
          )
        elseif l[1] == "shin" then
          tie(
            "hinge",
            { a = limb, b = parent, at = at, axis = { 0, 1, 0 }, limits = { 0, 2.4 }, damping = p.damping }
          )
        else
          tie("ball", {
            a = limb,
            b = parent,
            at = at,
            axis = d,
            limits = { -0.6, 0.6 },
            swing = l[1] == "thigh" and 1 or 1.4,
            turn_damping = p.damping,
          })
        end
      end
    end
  end,
  after_step = function(w)
    local s = w.state
    for i, joint in ipairs(s.joints) do
      local twist, swing = joint:position()
      if swing then
        s.twist, s.swing = math.max(s.twist or 0, math.abs(twist)), math.max(s.swing or 0, swing)
      end
      local x, y, z = joint:turn()
      s.pose = math.max(s.pose or 0, swing and math.sqrt(x * x + y * y + z * z) or math.abs(twist))
      if w:steps() % 100 == 0 then s.error = math.max(s.error or 0, joint:error()) end
    end
  end,
  output = { trajectory = { every = 0.02 }, series = { every = 0.02 } },
  stop = function(w, p) return w:time() >= p.time end,
  report = function(w)
    local r = w:report()
    return {
      { "largest twist", w.state.twist, "rad" },
      { "largest swing", w.state.swing, "rad" },
      { "largest turn from the pose", w.state.pose, "rad" },
      { "error of the joints", w.state.error, "m" },
      { "largest speed at the end", r.max_speed, "m/s" },
      { "penetration", r.penetration, "m" },
    }
  end,
}
