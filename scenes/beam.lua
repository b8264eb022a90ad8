-- A rigid beam of weight 10 on three supports (Olsen & Kamrin 2018, section 8.1).
--
-- Rigid supports do not determine the three forces: any three with the right sum and moment balance the beam.
-- Stiff elastic supports share the load in proportion to their stiffness: 10/3 each if they are equal, or 2,
-- 6 and 2 for the ratio 1:3:1.
local forces = {}

return {
  title = "a beam on three supports",
  params = { middle = 3, law = "hooke", order = "key" },
  world = function(p)
    return {
      gravity = { 0, 0, -1 },
      dt = 1e-3,
      margin = 0.2,
      solver = { name = "pgs", order = p.order, iterations = 1000, tolerance = 1e-12 },
    }
  end,

  setup = function(w, p)
    w:material { name = "beam" }
    w:material { name = "side" }
    w:material { name = "middle" }
    w:pair { "beam", "side", law = "hooke", stiffness = 1, mu = 0 }
    w:pair { "beam", "middle", law = "hooke", stiffness = p.middle, mu = 0 }
    for i = -1, 1 do
      w:sphere {
        radius = 0.1,
        position = { i, 0, -0.1 },
        kind = "fixed",
        material = i == 0 and "middle" or "side",
        group = i + 2,
      }
    end
    -- the beam starts 1 % of a radius above the supports
    w:capsule {
      radius = 0.1,
      length = 3,
      position = { 0, 0, 0.101 },
      orientation = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 },
      mass = 10,
      material = "beam",
    }
  end,

  forces = { compatible = "hooke" }, -- frames contain the compatible force and the impulse of the solver
  output = { trajectory = { steps = 10 }, series = { steps = 1 } },
  stop = { steps = 100 },

  report = function(w, p)
    local place, figures, sum = { "left", "middle", "right" }, {}, 0
    for _, c in ipairs(w:compatible_forces { law = p.law }) do
      local x = c.point[1]
      local at = x < -0.5 and 1 or x > 0.5 and 3 or 2
      forces[at] = c
      sum = sum + c.force
    end
    for at = 1, 3 do
      figures[#figures + 1] = { place[at] .. " support", forces[at] and forces[at].force or 0, "N" }
      figures[#figures + 1] =
        { place[at] .. ", as the solver has it", forces[at] and forces[at].solver or 0, "N" }
    end
    figures[#figures + 1] = { "sum", sum, "N" }
    return figures
  end,
}
