-- A ball of bonded grains hits a floor and breaks. The report gives the share of broken bonds and the sizes
-- of the pieces; a sweep shows them against the impact speed.
--
--   scree run scenes/bonded_impact.lua speed=6
--   scree sweep scenes/bonded_impact.lua speed=1,2,4,8
local bonds -- all bonds, intact or broken

-- Returns the number of grains of each piece, largest first. Grains connected by unbroken bonds form a piece.
local function pieces(w)
  local of, size, list = {}, {}, {}
  local function root(id)
    while of[id] ~= id do
      of[id] = of[of[id]]
      id = of[id]
    end
    return id
  end
  local id, kind = w:view "id", w:view "kind"
  for i = 1, #id do
    if kind[i] == "dynamic" then of[id[i]] = id[i] end
  end
  for _, bond in ipairs(bonds) do
    if not bond:broken() then
      local a, b = bond:bodies()
      of[root(a:id())] = root(b:id())
    end
  end
  for one in pairs(of) do
    size[root(one)] = (size[root(one)] or 0) + 1
  end
  for _, n in pairs(size) do
    list[#list + 1] = n
  end
  table.sort(list, function(a, b) return a > b end)
  return list
end

return {
  title = "an agglomerate of bonded balls hits a floor",
  view = { position = { 0.05, -0.2, 0.07 }, target = { 0, 0, 0.022 } },
  params = {
    speed = { default = "6 m/s", unit = "m/s", min = 0, max = 1e3 },
    across = { default = 12, whole = true, min = 3, max = 100, doc = "grains over the diameter" },
    radius = { default = "2 mm", unit = "m", min = 1e-6, max = 1 },
    young = { default = "0.5 GPa", unit = "Pa", min = 1, max = 1e15 },
    strength = { default = "5 MPa", unit = "Pa", min = 1, max = 1e15 },
    seed = 1,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 2e-5, solver = { iterations = 100 } },
  setup = function(w, p)
    local r, wide = p.radius, p.across * p.radius
    w:pair { "default", "default", mu = 0.4 }
    w:halfspace { normal = { 0, 0, 1 } }
    w:pack {
      fraction = 0.55,
      radius = 0.9 * r,
      radius_max = 1.1 * r,
      density = 2500,
      group = 1,
      region = { min = { -wide, -wide, 0.1 * r }, max = { wide, wide, 2 * wide + 0.1 * r } },
    }
    w:remove { region = { center = { 0, 0, wide + 0.1 * r }, radius = wide - r, outside = true } }
    local id, kind = w:view "id", w:view "kind"
    for i = 1, #id do
      if kind[i] == "dynamic" then w:body_of(id[i]):set_velocity { 0, 0, -p.speed } end
    end
    bonds = w:bond {
      group = 1,
      distance = 0.1 * r,
      young = p.young,
      ratio = 2.5,
      radius = 0.5,
      damping = 2e-6,
      strength = { edge_tension = p.strength, edge_shear = 2.5 * p.strength },
    }
  end,
  output = { trajectory = { every = 1e-4, precision = "1e-4 d" }, series = { every = 1e-4 } },
  stop = { time = 8e-3 },
  report = function(w)
    local list, all, broken = pieces(w), 0, #w:broken_joints()
    for _, n in ipairs(list) do
      all = all + n
    end
    return {
      { "grains", all },
      { "bonds", #bonds },
      { "broken", 100 * broken / #bonds, "%" },
      { "pieces", #list },
      { "largest piece", 100 * list[1] / all, "%" },
      { "second", 100 * (list[2] or 0) / all, "%" },
    }
  end,
}
