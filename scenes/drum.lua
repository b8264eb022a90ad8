-- A rotating drum with lifters, closed by planes at both ends. The drum turns about the y axis, the grains
-- avalanche, and the grains of the left half mix with those of the right half.
--
--   scree run scenes/drum.lua                     5000 grains, 10 s
--   scree film DIR -o drum.mp4                    coloured by speed
--   scree film DIR -o mixing.mp4 --color group

local STAVES = 48

-- Returns the shapes of the drum: boxes side by side along a circle, and a lifter on every sixth box.
local function staves(p)
  local shapes = {}
  local edge, thick = 2 * p.radius * math.tan(math.pi / STAVES), 0.06 * p.radius
  for k = 1, STAVES do
    local angle = 2 * math.pi * k / STAVES
    local c, s = math.cos(angle), math.sin(angle)
    local turn = { math.cos(angle / 2), 0, -math.sin(angle / 2), 0 }
    local function stave(distance, size)
      shapes[#shapes + 1] = {
        type = "box",
        size = size,
        position = { distance * c, 0, distance * s },
        orientation = turn,
        material = "steel",
      }
    end
    stave(p.radius + thick / 2, { thick, p.width, 1.02 * edge + 0.07 * edge })
    if k % 6 == 0 then stave(0.96 * p.radius, { 0.08 * p.radius, p.width, 0.5 * edge }) end
  end
  return shapes
end

return {
  title = "rotating drum",
  params = {
    grains = { default = 5000, min = 1, doc = "number of grains" },
    radius = { default = 0.07, unit = "m", min = 0.01, doc = "of the drum" },
    width = { default = 0.045, unit = "m", min = 0.005, doc = "between the planes" },
    turn = { default = 1.5, unit = "rad/s", doc = "spin of the drum" },
    mu = { default = 0.5, min = 0, doc = "friction" },
    seed = 1,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { iterations = 25, tolerance = 1e-3 } },
  setup = function(w, p)
    w:material { name = "grain", density = 2500 }
    w:material { name = "steel" }
    w:material { name = "glass" }
    for _, other in ipairs { "grain", "steel" } do
      w:pair { "grain", other, mu = p.mu }
    end
    w:pair { "grain", "glass", mu = 0.1 }
    for side = -1, 1, 2 do
      w:halfspace { normal = { 0, -side, 0 }, position = { 0, side * p.width / 2, 0 }, material = "glass" }
    end
    w:body { name = "drum", kind = "kinematic", shapes = staves(p), spin = { 0, p.turn, 0 } }
    -- the grains of group 1 start in one half of the drum, those of group 2 in the other half
    for group = 1, 2 do
      w:fill {
        region = {
          axis = { 0, 1, 0 },
          point = { 0, 2.3e-3 - p.width / 2, 0 },
          radius = 0.9 * p.radius,
          length = p.width - 4.6e-3,
        },
        keep_out = { point = { 0, 0, 0 }, normal = { group == 1 and -1 or 1, 0, 0 } },
        spacing = 4.2e-3,
        radius = 1.8e-3,
        radius_max = 2.1e-3,
        jitter = 0.05,
        material = "grain",
        group = group,
        limit = p.grains // 2,
      }
    end
  end,
  output = { trajectory = { every = 1 / 30, precision = "1e-3 d" }, series = { every = 0.05 } },
  stop = { time = 10 },
  view = {
    azimuth = -72,
    elevation = 14,
    color = "speed",
    range = { 0, 0.25 },
    caption = "rotating drum: {grains} grains, {turn} rad/s",
  },
}
