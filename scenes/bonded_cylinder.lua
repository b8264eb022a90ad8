-- Uniaxial strength of a cylinder of bonded balls: the end layers move apart, or towards each other, and the
-- report prints the largest stress.
--
--   scree run scenes/bonded_cylinder.lua         straight rows in tension: a row is as strong as a bond
--   scree run scenes/bonded_cylinder.lua sample=random load=compression
local top -- bonds between the moved upper end and the rest: { bond, sign of its force on the end }
local held -- [id of a body] true: the body belongs to the moved upper end

return {
  title = "uniaxial strength of a cylinder of bonded balls",
  view = { position = { 0.02, -0.2, 0.09 }, target = { 0, 0, 0.045 } },
  params = {
    sample = { default = "rows", choices = { "rows", "random" } },
    load = { default = "tension", choices = { "tension", "compression" } },
    across = { default = 7, whole = true, min = 3, max = 100, doc = "balls over the diameter" },
    radius = { default = "2 mm", unit = "m", min = 1e-6, max = 1 },
    young = { default = "1 GPa", unit = "Pa", min = 1, max = 1e15 },
    strength = {
      default = "5 MPa",
      unit = "Pa",
      min = 1,
      max = 1e15,
      doc = "in tension; 2.5 times that in shear",
    },
    speed = { default = "20 mm/s", unit = "m/s", min = 0, max = 10 },
    seed = 1,
  },
  world = { gravity = { 0, 0, 0 }, dt = 5e-5, solver = { iterations = 100 } },
  setup = function(w, p)
    local r, s = p.radius, w.state
    local wide, high, rows = p.across * r, 4 * p.across * r, 0
    w:pair { "default", "default", mu = 0.5 }
    if p.sample == "rows" then
      for i = -p.across, p.across do
        for j = -p.across, p.across do
          if 4 * (i * i + j * j) * r * r <= wide * wide then
            rows = rows + 1
            for k = 0, 2 * p.across - 1 do
              w:sphere { radius = r, density = 2500, position = { 2 * i * r, 2 * j * r, (2 * k + 1) * r } }
            end
          end
        end
      end
    else
      w:pack {
        fraction = 0.55,
        radius = 0.9 * r,
        radius_max = 1.1 * r,
        density = 2500,
        region = { min = { -wide, -wide, 0 }, max = { wide, wide, high } },
      }
      w:remove {
        region = { point = { 0, 0, 0 }, axis = { 0, 0, 1 }, radius = wide, length = high, outside = true },
      }
    end
    local glue = w:bond {
      distance = p.sample == "rows" and 1e-6 or 0.1 * r,
      young = p.young,
      ratio = 2.5,
      radius = 0.5,
      damping = 1e-4,
      strength = {
        tension = p.strength,
        edge_tension = p.sample == "random" and p.strength or nil,
        edge_shear = p.sample == "random" and 2.5 * p.strength or nil,
      },
    }
    top, held = {}, {}
    s.section = p.sample == "rows" and rows * (2 * r) ^ 2 or math.pi * wide ^ 2
    local x, id, sign = w:view "position", w:view "id", p.load == "tension" and 1 or -1
    for i = 1, #x do
      local _, _, z = x:get(i)
      local end_of = z < 2 * r and 0 or z > high - 2 * r and sign
      if end_of then
        local b = w:body_of(id[i])
        b:set_kind "kinematic"
        b:set_velocity { 0, 0, end_of * p.speed }
        if end_of ~= 0 then held[b:id()] = true end
      end
    end
    for _, bond in ipairs(glue) do
      local a, b = bond:bodies()
      if held[a:id()] ~= held[b:id()] then top[#top + 1] = { bond, held[a:id()] and 1 or -1 } end
    end
    s.bonds, s.most, s.at, s.broken, s.length = #glue, 0, 0, 0, high - 2 * r
  end,
  -- stress: force of bonds and contacts on the upper end over the area of the section
  every = {
    {
      steps = 1,
      call = function(w, p)
        local s, sum, sign = w.state, 0, p.load == "tension" and 1 or -1
        local strain = w:time() * p.speed / s.length
        for _, one in ipairs(top) do
          if not one[1]:broken() then sum = sum - one[2] * select(3, one[1]:force()) end
        end
        for c in w:contacts() do
          if held[c.body1:id()] ~= held[c.body2:id()] then
            sum = sum + (held[c.body1:id()] and -1 or 1) * c.impulse[3] / w:dt()
          end
        end
        s.stress = sign * sum / s.section
        if s.stress > s.most then
          s.most, s.at, s.broken = s.stress, strain, #w:broken_joints()
        end
        if not s.modulus and s.stress > 0.3 * p.strength * math.pi / 16 then
          s.modulus = s.stress / strain
        end
      end,
    },
  },
  stop = function(w, p) return w.state.most > 0 and w.state.stress < 0.5 * w.state.most or w:time() > 0.2 end,
  output = { trajectory = { every = 1e-3 }, series = { every = 5e-4 } },
  report = function(w, p)
    local s, causes = w.state, {}
    for _, b in ipairs(w:broken_joints()) do
      causes[b.cause] = (causes[b.cause] or 0) + 1
    end
    local figures = { { "bonds", s.bonds }, { "strength of the cylinder", s.most / 1e6, "MPa" } }
    if p.sample == "rows" then
      figures[3] = { "of rows that bear what one bond does", math.pi / 16 * p.strength / 1e6, "MPa" }
    end
    figures[#figures + 1] = { "strain there", 100 * s.at, "%" }
    figures[#figures + 1] = { "stiffness at its start", (s.modulus or 0) / 1e9, "GPa" }
    for cause, n in pairs(causes) do
      figures[#figures + 1] = { "broken by " .. cause, n }
    end
    return figures
  end,
}
